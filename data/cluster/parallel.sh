#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A run in parts by GNU parallel, in a folder that all machines see, over those machines that a file lists, a line each; they
# let us in by ssh without a password, and have shufflebias:
#     sh parallel.sh MACHINES
# Said once more it does the parts that are missing, and goes on with those that are not at their ends. Without a file it
# takes this machine alone.
set -eu

export PARTS="${PARTS:-7}" RUN="${RUN:-naive -n 5 --samples 1e12}"
export PARALLEL_SHELL=/bin/sh # whatever shells people log in with

# One part at a time for each machine, since it takes all processors.
seq "$PARTS" | parallel ${1:+--sshloginfile "$1" --workdir "$PWD"} --jobs 1 --env PARTS --env RUN --retries 2 --joblog parts.log '
    if [ -e part{}.json ]; then
        shufflebias report --resume part{}.json --quiet
    else
        shufflebias report $RUN --shard {}/$PARTS --save part{}.json --quiet
    fi >part{}.txt'
# shellcheck disable=SC2046 # words
[ -e whole.json ] || shufflebias merge $(seq -f 'part%g.json' "$PARTS") -o whole.json
shufflebias report whole.json
