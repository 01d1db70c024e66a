#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes each target for some seconds with AddressSanitizer and UBSan: sh tests/fuzz/run.sh [SECONDS [TARGET...]]
# Prints a line for each target, and adds it to runs.tsv. A fault is shown, its input is kept, and the status is 1. docs/testing.md
#
#     FUZZ_BUILD    a build with -Dfuzz=true, or a folder with tests/fuzz of such a build (build/fuzz, which the script makes)
#     FUZZ_FOLDER   the inputs that reach new code, the faults and runs.tsv (build/fuzz-inputs)
#     FUZZ_JOBS     the number of targets that run at once (2)
#     FUZZ_MERGE    if 1, replaces data/fuzz/TARGET by the shortest inputs that reach the same code
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-600}
[ $# -eq 0 ] || shift
folder=${FUZZ_FOLDER:-build/fuzz-inputs}
build=${FUZZ_BUILD:-build/fuzz}
[ -d "$build" ] ||
    CC=clang meson setup "$build" --buildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args=-fsanitize=fuzzer-no-link -Dfuzz=true >/dev/null
# shellcheck disable=SC2046 # a list of targets
[ $# -gt 0 ] || set -- $(ls data/fuzz)
# shellcheck disable=SC2046 # a list of programs
[ ! -f "$build/build.ninja" ] || ninja -C "$build" -j "${FUZZ_JOBS:-2}" $(printf 'tests/fuzz/fuzz-%s ' "$@") >/dev/null
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
commit=$(git rev-parse --short=8 HEAD 2>/dev/null || echo unknown)
mkdir -p "$folder"

dictionary() {
    case $1 in
    engine) name=scheme ;;
    *) name=$1 ;;
    esac
    [ ! -f "tests/fuzz/$name.dict" ] || echo "-dict=tests/fuzz/$name.dict"
}

# Targets with less than 100 executions a second: libFuzzer's statistics of rare features would take up to 40% of their time.
schedule() {
    case $1 in
    gate | report | suite) echo -entropic=0 ;;
    esac
}

# Minimises the inputs of a target into data/fuzz. Those that showed a fault stay; their names begin with "fault-".
merge() {
    mkdir -p "$folder/merged"
    rm -rf "$folder/merged/$1"
    mkdir "$folder/merged/$1"
    "$build/tests/fuzz/fuzz-$1" -merge=1 -use_counters=0 -timeout=120 "$folder/merged/$1" "data/fuzz/$1" "$folder/$1" >/dev/null 2>&1
    find "data/fuzz/$1" -name 'fault-*' -exec cp {} "$folder/merged/$1" ';'
    rm -rf "data/fuzz/$1"
    mv "$folder/merged/$1" "data/fuzz/$1"
}

one() {
    log=$folder/$1.log
    mkdir -p "$folder/$1" "data/fuzz/$1"
    status=ok
    # shellcheck disable=SC2046 # one word or none each
    { "$build/tests/fuzz/fuzz-$1" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=2500 -print_final_stats=1 \
        -artifact_prefix="$folder/$1-" $(dictionary "$1") $(schedule "$1") "$folder/$1" "data/fuzz/$1" >"$log" 2>&1 </dev/null || status=FAULT
    times; } >"$log.times"
    # The CPU time of the children: the last line of times, "1m2.50s 0m0.25s".
    awk -v name="$1" -v status=$status -v commit="$commit" -v tsv="$folder/runs.tsv" '
        FILENAME ~ /times$/ { split($1, u, /[ms]/); split($2, s, /[ms]/); cpu = 60 * (u[1] + s[1]) + u[2] + s[2]; next }
        /cov:/ { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
        /^#[0-9]/ { runs = substr($1, 2) + 0 }
        /number_of_executed_units/ { runs = $2 }
        END {
            printf "%-10s %7.0f s, %10d executions, %6d a second, %6d edges: %s\n", name, cpu, runs, runs / (cpu + 0.01), edges, status
            printf "%s\t%.1f\t%d\t%d\t%s\t%s\n", name, cpu, runs, edges, status, commit >>tsv
        }' "$log.times" "$log"
    if [ $status = FAULT ]; then
        grep -v '^#' "$log" | head -n 60
        return 1
    fi
    [ "${FUZZ_MERGE:-}" != 1 ] || merge "$1"
}

# Each job takes every FUZZ_JOBS-th target.
job() {
    number=$1
    shift
    at=0
    failed=0
    for target; do
        [ $((at % ${FUZZ_JOBS:-2})) -ne "$number" ] || (one "$target") || failed=1
        at=$((at + 1))
    done
    return $failed
}

failed=0
jobs=
number=0
while [ $number -lt "${FUZZ_JOBS:-2}" ]; do
    job $number "$@" &
    jobs="$jobs $!"
    number=$((number + 1))
done
for process in $jobs; do
    wait "$process" || failed=1
done
exit $failed
