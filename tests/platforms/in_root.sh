#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Inside a root of tests/platforms/roots.sh: builds and tests /src with COMPILER, and prints a row of the table. The
# output of a build or a test that fails goes to standard error. Times are processor seconds.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8
compiler=$1
build=build-$compiler
log=$build/meson-logs/testlog.txt

# Runs a command, its output in build-COMPILER.log
logged() {
    nice "$@" >>"$build.log" 2>&1 </dev/null
}

# Sets `seconds` to the processor seconds of all commands so far: the user and system time in the last line of `times`, as
# in 1m2.3s 0m4.5s. A subshell would have times of its own.
count_seconds() {
    times >"$build.times"
    seconds=$(tail -n 1 "$build.times" | tr 'ms' '  ' | awk '{ printf "%d\n", $1 * 60 + $2 + $3 * 60 + $4 }')
}

row() { # BUILT TESTED
    version=$("$compiler" -dumpfullversion -dumpversion)
    echo "| Debian $(cat /etc/debian_version) | ${compiler%-*} $version" \
        "| GSL $(pkg-config --modversion gsl), Meson $(meson --version) | $1 | $2 |"
}

: >"$build.log"
if ! CC=$compiler logged meson setup "$build" --buildtype=release --werror || ! logged ninja -C "$build" -k 0; then
    tail -n 40 "$build.log" >&2
    row 'failed' 'not run'
    exit 1
fi
count_seconds
built=$seconds
# The timeouts are for a machine that does nothing else.
logged meson test -C "$build" --no-rebuild --timeout-multiplier 5 --suite unit --suite property --suite known --suite golden ||
    failed=1
count_seconds
# each line `ok` of a program's TAP is a case
row "$built s" "$(sed -n 's/^Ok: *\([0-9]*\).*/\1/p' "$log") passed, $(sed -n 's/^Fail: *\([0-9]*\).*/\1/p' "$log") failed \
($(grep -c '^ok ' "$log") cases), $((seconds - built)) s"
[ -z "${failed-}" ] || { tail -n 60 "$build.log" >&2 && exit 1; }
