#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Brings debian/libshufflebias0.symbols up to date: each function of the headers, with the version that it came with.
# A function that is gone ends the script, because programs may call it: the library then needs a new soname.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
. data/packaging/release.sh
file=data/packaging/debian/libshufflebias0.symbols
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n 's/^SB_API.*[ *]\(sb_[a-z0-9_]*\)(.*/\1/p' src/shufflebias.h | sort >"$work/declared"
sed -n 's/^ \(sb_.*\)@Base .*/\1/p' "$file" | sort >"$work/listed"
gone=$(comm -13 "$work/declared" "$work/listed" | paste -s -d ' ' -)
[ -z "$gone" ] || {
    echo "symbols.sh: no header declares $gone: restore it; or, if no release had it, delete its line in $file" >&2
    exit 1
}
{
    head -n 1 "$file"
    { sed 1d "$file" && comm -23 "$work/declared" "$work/listed" | sed "s/.*/ &@Base $version/"; } | sort
} >"$work/symbols"
cp "$work/symbols" "$file"
