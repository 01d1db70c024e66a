#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes all targets in turn, one at a time, until it is killed: sh tests/fuzz/campaign.sh FOLDER [SECONDS]. It starts where it
# was stopped, because FOLDER keeps the inputs, the faults and runs.tsv. tests/fuzz/table.py adds its runs to tests/fuzz/results.md.
set -eu
cd "$(dirname "$0")/../.."
while :; do
    FUZZ_FOLDER=$1 FUZZ_JOBS=1 nice -n 19 sh tests/fuzz/run.sh "${2:-60}" || : # a fault is in the folder and in runs.tsv
done
