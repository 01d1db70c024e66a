#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the npm package beside other versions of node, Vitest and Jest, and runs the tests of tests/web/npm/project there:
#
#     sh tests/platforms/npm.sh [BUILD]     BUILD/web has the package of src/web/npm/pack.sh; BUILD is build by default
#
# It installs packages below BUILD/platforms/npm, and changes nothing else on this machine. It prints a table row for each
# version, for docs/platforms.md, and exits with status 1 if a version finds another number of fair and biased shuffles.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "${1-build}")
package=$(find "$build/web" -maxdepth 1 -name 'shufflebias-*.tgz')
[ -n "$package" ] || { echo "npm.sh: $build/web has no package: run 'sh src/web/npm/pack.sh $build'" >&2 && exit 1; }
failed=0

# try NAME PASSED FAILED PACKAGE: installs a package, runs its tests, and compares what it prints: passed tests, failed tests.
try() {
    name=$1 passed=$2 wrong=$3 folder=$build/platforms/npm/$4
    rm -rf "$folder"
    mkdir -p "$folder"
    cp -r tests/web/npm/project/. "$folder"
    echo '{ "private": true }' >"$folder/package.json"
    found=$(
        cd "$folder"
        npm install --no-audit --no-fund "$4" lodash@4.17.21 deck@0.0.4 gsap@3.15.0 "$package" >install.log 2>&1
        case $name in
        node) run_node ;;
        vitest) run_vitest ;;
        jest) run_jest ;;
        esac 2>run.log
    ) || found='-'
    version=$(sed -n 's/^  "version": "\(.*\)",/\1/p' "$folder/node_modules/$name/package.json")
    echo "| $name $version | $found |"
    [ "$found" = "$passed passed, $wrong failed" ] || failed=1
}

run_node() {
    node_modules/node/bin/node --test --test-reporter=tap node/shuffles.test.mjs >run.tap || :
    echo "$(grep -c '^ *ok . - [^/]*$' run.tap) passed, $(grep -c '^ *not ok . - [^/]*$' run.tap) failed"
}

run_vitest() {
    node node_modules/vitest/vitest.mjs run --config vitest/vitest.config.mjs --root . --dir vitest --reporter=json >run.json || :
    summary run.json
}

run_jest() {
    node node_modules/jest/bin/jest.js --config jest/config.json --json >run.json || :
    summary run.json
}

summary() {
    node -p "const run = JSON.parse(fs.readFileSync('$1')); \`\${run.numPassedTests} passed, \${run.numFailedTests} failed\`"
}

for version in 18 20 22 24; do
    try node 3 1 node@$version
done
for version in 1.0.0 2 3 4; do
    try vitest 4 4 vitest@$version
done
for version in 28.0.0 29 30; do
    try jest 4 1 jest@$version
done
exit $failed
