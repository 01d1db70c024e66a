#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs whatever starts threads in a build with the thread sanitizer: threads.sh BUILD, after
#
#     CC=clang meson setup BUILD -Db_sanitize=thread -Db_lundef=false && ninja -C BUILD shufflebias tests/unit-api_threads
#
# A data race ends a program with status 66. GSL, GMP and Jansson are not compiled with the sanitizer, so it does not see
# what they write. Cost: ten seconds of one processor.
set -u
build=$(readlink -f "$1")
known=$(readlink -f "$(dirname "$0")/threads_known.txt")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export TSAN_OPTIONS=halt_on_error=1:exitcode=66:suppressions=$known
failed=0

# run STATUS COMMAND...: the command must end with the status.
run() {
    expected=$1
    shift
    echo "$*"
    "$@" >output 2>errors </dev/null
    status=$?
    if [ $status -ne "$expected" ]; then
        failed=1
        echo "status $status in place of $expected"
        tail -n 100 errors
    fi
}

program=$build/shufflebias
run 0 "$build/tests/unit-api_threads"

# report: samples, the comparison of decks, seeds, walks on permutations, matrices in doubles, products of factors
run 0 "$program" report naive fisher-yates -n 6 --samples 2e5 --threads 4
run 0 "$program" report naive -n 13 --samples 1e5 --threads 4 --increments
run 0 "$program" report naive --rng msvc-rand -n 8 --by seeds --seeds 0..99999 --threads 4
run 0 "$program" report fisher-yates --rng msvc-rand -n 14 --by seeds --seeds 0..99999 --threads 4
run 0 "$program" report naive -n 8 --by exact --threads 4
run 0 "$program" report naive/modulo:15 -n 100 --by exact --threads 4
run 0 "$program" report fisher-yates/modulo:15 -n 52 --by exact --threads 4
run 0 "$program" report naive -n 5 --samples 1e5 --threads 4 --save saved.json
run 0 "$program" zoo -n 3 --threads 4

# gate: subjects side by side, a command whose standard error is read beside its decks
run 1 "$program" gate naive
cat >suite.json <<'END'
[{ "name": "three", "scheme": "fisher-yates", "n": 3, "exclude": 0.1 },
 { "name": "four", "scheme": "fisher-yates/ideal/mt19937", "n": 4, "exclude": 0.1 },
 { "name": "five", "scheme": "naive/ideal/taus2", "n": 5 },
 { "name": "same", "command": ["sh", "-c", "echo aside >&2; exec yes 0 1 2"] }]
END
run 1 "$program" gate --suite suite.json --jobs 4

# 39 small subjects, some of which end at the same time
for i in $(seq 13); do
    echo "{ \"name\": \"fair $i\", \"scheme\": \"fisher-yates\", \"n\": 3, \"exclude\": 0.2 },"
    echo "{ \"name\": \"naive $i\", \"scheme\": \"naive\", \"n\": 4, \"exclude\": 0.2 },"
    echo "{ \"name\": \"sattolo $i\", \"scheme\": \"sattolo\", \"n\": 5, \"exclude\": 0.2 },"
done >rows
{ echo '[' && sed '$s/,$//' rows && echo ']'; } >many.json
run 1 "$program" gate --suite many.json --jobs 4

# watch: a scheme, a command, a log that is followed
run 1 "$program" watch sattolo --limit 2000 --window
run 0 "$program" watch fisher-yates -n 8 --limit 2000 --save watch.json --metrics metrics.prom
run 1 "$program" watch --limit 500 -- sh -c 'echo aside >&2; exec yes 0 1 2'
for deck in 1 2 3 4 5 6 7 8; do echo 0 1 2; done >deals.log
run 0 "$program" watch --follow deals.log --limit 8

# Ctrl-C while all threads work
run 130 timeout --preserve-status -s INT 2 "$program" report naive -n 13 --samples 1e12 --threads 4

exit $failed
