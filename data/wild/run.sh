#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests shuffles that people ship, and writes data/wild/results.md:
#
#     sh data/wild/run.sh [npm] [languages] [debian]     all three by default
#
# It builds shufflebias if it is not built, installs the packages of the tables with npm and apt (without their install scripts, where npm
# has any) into build/wild and into the system, and tests each shuffle at 4 and at 52 items. SHUFFLEBIAS names another program to test with.
# With fewer than three tables, the page is build/wild/wild.md.
set -eu
cd "$(dirname "$0")/../.."
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH # Debian's programs first: their versions are in the page
wild=build/wild
page=$wild/wild.md
[ $# -gt 0 ] || { set -- npm languages debian && page=data/wild/results.md; }

say() {
    echo "wild: $*" >&2
}

# Installs Debian packages: install PACKAGE...
install() {
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    say "installing $# packages of Debian"
    $as_root apt-get update -qq >/dev/null
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >$wild/apt.log 2>&1 ||
        { tail -n 5 $wild/apt.log >&2; exit 1; }
}

# The packages of a table: packages TABLE
packages() {
    case $1 in
    npm) command -v npm >/dev/null || echo nodejs npm ;;
    *) awk -F '\t' '!/^# / && $3 != "game" { print $2 }' "data/wild/$1.tsv" | tr ' ' '\n' | sort -u ;;
    esac
    [ "$1" != languages ] || echo g++ cargo golang-go default-jdk-headless
    [ "$1" != debian ] || echo gcc libc6-dev dpkg-dev
}

# Downloads the source archives of the games, which is all that build.py reads.
sources() {
    mkdir -p $wild/sources/lists/partial $wild/sources/archives/partial
    cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.* 2>/dev/null |
        sed -n 's/^deb /deb-src /p; s/^Types: .*/Types: deb-src/p; /^\(URIs\|Suites\|Components\|Signed-By\|$\)/p' >$wild/sources/all
    if grep -q '^Types' $wild/sources/all; then mv $wild/sources/all $wild/sources/apt.sources; else mv $wild/sources/all $wild/sources/apt.list; fi
    set -- -o "Dir::Etc::sourcelist=$PWD/$(ls $wild/sources/apt.*)" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::lists=$PWD/$wild/sources/lists" -o "Dir::Cache=$PWD/$wild/sources"
    apt-get "$@" -qq update
    # shellcheck disable=SC2046 # a list of names
    (cd $wild/sources && apt-get "$@" -qq source --tar-only --download-only $(awk -F '\t' '$3 == "game" { print $2 }' ../../../data/wild/debian.tsv | sort -u))
}

if [ -z "${SHUFFLEBIAS:-}" ]; then
    [ -x build/shufflebias ] || sh setup.sh
    SHUFFLEBIAS=build/shufflebias
fi
mkdir -p $wild/npm
# shellcheck disable=SC2046 # a list of names
set -- "$@" -- python3 $(for table in "$@"; do packages "$table"; done)
tables=
while [ "$1" != -- ]; do tables="$tables $1" && shift; done
shift
install "$@"
for table in $tables; do
    case $table in
    npm)
        say 'installing packages of npm'
        cp data/wild/deal.mjs data/wild/npm.tsv $wild/npm/
        [ -f $wild/npm/package.json ] || echo '{"private": true}' >$wild/npm/package.json
        # shellcheck disable=SC2046
        (cd $wild/npm && npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps --loglevel=error \
            $(awk -F '\t' '!/^# / { sub(/ .*/, "", $1); print $1 "@" $2 }' npm.tsv | sort -u)) >&2
        ;;
    debian) sources ;;
    esac
done
# shellcheck disable=SC2086
python3 data/wild/build.py $tables

# The gate of a table's suite. Failures are expected, and the page tells them: gate TABLE-SUITE TABLE-RESULT
gate() {
    "$SHUFFLEBIAS" gate --suite "$wild/$1.json" --jobs 2 --max-bias 0.02 --ledger $wild/ledger.json --format json -o "$wild/$2.json" || [ $? -lt 5 ]
}

rm -f $wild/*-gates.json $wild/*-again.json $wild/*-proofs.json
for table in $tables; do
    say "proving and gating: $table"
    python3 data/wild/proofs.py "$SHUFFLEBIAS" "$wild/$table-proofs.json" "$table"
    python3 data/wild/suite.py "$wild/$table-suite.json" "$table"
    gate "$table-suite" "$table-gates"
    python3 data/wild/suite.py --only "$wild/$table-gates.json" "$wild/$table-again-suite.json" "$table"
    gate "$table-again-suite" "$table-again"
done
# shellcheck disable=SC2086
python3 data/wild/page.py $page $tables
say "wrote $page"
