#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy, with the checks of .clang-tidy, on all C files of src.
#
#     tidy.sh [--deep] CLANG WEB MPI
#
# CLANG, WEB and MPI are build folders with a compile_commands.json: of the program, of the WebAssembly module, and of the
# program with MPI. The Clang analyzer gives up on a function after 40,000 states; with --deep it goes on to its default
# of 225,000, which takes three times as long.
set -u
states=40000
if [ "$1" = --deep ]; then
    states=225000
    shift
fi
clang=$1
web=$2
mpi=$3
cd "$(dirname "$0")/../.." || exit 1
jobs=$(nproc)

# tidy BUILD [ARGUMENT...]: on the files of standard input, each in a process of its own. With several files in a process
# the check valist.Uninitialized of clang-tidy 14 finds what is not there.
tidy() {
    build=$1
    shift
    xargs -n 1 -P "$jobs" clang-tidy-14 --quiet "$@" --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang \
        --extra-arg=max-nodes=$states -p "$build"
}

status=0
find src -name '*.c' ! -name ranks_mpi.c ! -path 'src/web/*' | tidy "$clang" || status=1
# The functions of src/web have the parameters of those that they stand in for.
find src/web -name '*.c' | tidy "$web" --checks=-readability-non-const-parameter || status=1
echo src/cli/ranks_mpi.c | tidy "$mpi" || status=1
exit $status
