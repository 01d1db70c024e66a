#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulates what the program promises, with fixed seeds, and prints the tables of tests/promise/results.md:
#
#     tests/promise/run.sh [--short] [--jobs J] [--only CASE] [BUILD [FOLDER]]
#
# BUILD is the build folder (default: build). The trials are divided into 100 parts. The tallies of each part are a
# file in FOLDER (default: BUILD/promise), which is kept, so a run that was stopped continues where it was, and several
# machines can share the parts. --jobs is the number of processes (default: 2); the figures do not depend on it. --only
# runs a single case (`promise list`). --short runs a few trials of the quick cases. The exit status is 1 if a promise
# does not hold.
set -eu
parts=100 jobs=2 only='' short=''
while [ $# -gt 0 ]; do
    case $1 in
    --short) short=yes ;;
    --jobs) jobs=$2 && shift ;;
    --only) only=$2 && shift ;;
    *) break ;;
    esac
    shift
done
build=${1:-build}
folder=${2:-$build/promise}
promise=$build/tests/promise

[ -z "$short" ] || exec "$promise" short
mkdir -p "$folder"
# A part is complete when its file has its final name.
# shellcheck disable=SC2016
seq "$parts" | xargs -P "$jobs" -I @ sh -c '
    file=$2/$4@.tally
    [ -e "$file" ] || { "$1" run --part "@/$3" $4 >"$file.new" && mv "$file.new" "$file"; }
' run "$promise" "$folder" "$parts" "$only"
exec "$promise" table "$folder/$only"*.tally
