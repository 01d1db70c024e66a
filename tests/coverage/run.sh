#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines and branches of src/ that the tests run, by clang's coverage (docs/testing.md).
#
#   sh tests/coverage/run.sh [SUITE...]              build, run the suites, print one row per folder; 1 if below a goal
#   sh tests/coverage/run.sh --uncovered FOLDER...   list the uncovered lines and branches of the last run: fit gate
#
# A counter is a word of a file that all processes of a program share (%c, %m), so a process that is killed counts too.
# Programs are many times slower, and tests of time may fail: their names are printed, and the exit status is that of
# the goals alone. Needs Debian's packages clang and llvm-14.
set -eu
cd "$(dirname "$0")/../.."
build=build-coverage
jobs=${JOBS:-$(nproc)}
version=$(clang --version | sed -n 's/.*version \([0-9]*\).*/\1/p' | head -1)

if [ "${1:-}" = --uncovered ]; then
    shift
    exec python3 tests/coverage/table.py "$build/coverage" --uncovered "$@"
fi
[ $# -gt 0 ] || set -- unit known property golden cli faults

if [ ! -f "$build/build.ninja" ]; then
    flags='-O1 -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic -mllvm -runtime-counter-relocation'
    CC=clang meson setup "$build" --buildtype=plain -Dc_args="$flags" -Dc_link_args=-fprofile-instr-generate -Db_lundef=false
fi
ninja -C "$build" -j "$jobs"

rm -rf "$build/coverage"
mkdir "$build/coverage"
for suite; do
    set -- "$@" --suite "$suite"
    shift
done
LLVM_PROFILE_FILE="$PWD/$build/coverage/%c%m.profraw" meson test -C "$build" --setup all --no-rebuild --num-processes "$jobs" \
    --timeout-multiplier 10 --no-suite pages "$@" || true

# The shared library has every file of src/ except those of the program.
cd "$build/coverage"
"llvm-profdata-$version" merge --sparse ./*.profraw -o all.profdata
set -- -instr-profile=all.profdata ../src/libshufflebias.so -object ../shufflebias
"llvm-cov-$version" export -format=lcov "$@" >lines.info
"llvm-cov-$version" export -format=text "$@" >branches.json
# The only output that tells which conditions the compiler has decided.
"llvm-cov-$version" show --show-branches=count -show-instantiations=false "$@" | grep -E '^/|Folded' >decided.txt
exec python3 ../../tests/coverage/table.py .
