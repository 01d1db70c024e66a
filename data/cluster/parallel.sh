#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the parts of a run with GNU parallel, in a folder that all machines share. The file MACHINES lists the machines, one
# per line. Each machine has shufflebias, and accepts ssh without a password:
#     sh parallel.sh MACHINES
# The same command again runs the missing parts and resumes the unfinished ones. Without a file it uses this machine alone.
set -eu

export PARTS="${PARTS:-7}" RUN="${RUN:-naive -n 5 --samples 1e12}"
export PARALLEL_SHELL=/bin/sh # login shells may differ

# One part at a time on each machine, because a part uses all processors.
seq "$PARTS" | parallel ${1:+--sshloginfile "$1" --workdir "$PWD"} --jobs 1 --env PARTS --env RUN --retries 2 --joblog parts.log '
    shufflebias report $RUN --shard {}/$PARTS --save part{}.json --quiet >part{}.txt'
# shellcheck disable=SC2046 # words
[ -e whole.json ] || shufflebias merge $(seq -f 'part%g.json' "$PARTS") -o whole.json
shufflebias report whole.json
