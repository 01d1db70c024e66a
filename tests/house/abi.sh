#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether programs that were compiled against the last release still work with this version of the shared library.
#
#     abi.sh SOURCE CC...            compares the ABI that the headers declare with data/abi, the ABI of the last release
#     abi.sh --library FILE SOURCE   compares a shared library that has debug information
#     abi.sh --update SOURCE CC...   replaces data/abi by the ABI that the headers declare
#     abi.sh --self-test SOURCE CC...   changes the headers in several ways; each change must be noticed, or not
#
# New functions are no difference; symbols.sh checks that the library exports what the headers declare. The headers
# alone have the whole ABI: each function of theirs gets an empty body, so the comparison takes no build of the library.
set -eu
export LC_ALL=C
mode=
library=
case $1 in
--library) mode=$1 library=$2; shift 2 ;;
--update | --self-test) mode=$1; shift ;;
esac
source=$1
shift # the C compiler stays as "$@"
stored=$source/data/abi/libshufflebias.so.0.abi
command -v abidiff >/dev/null || { echo 'abi: no abidiff here: install abigail-tools'; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo 'abi: data/abi is that of x86-64'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A library whose functions are those of the headers below $1, without bodies: stub HEADERS CC...
stub() {
    headers=$1
    shift
    {
        echo '#include "shufflebias.h"'
        # Each declaration, over as many lines as it takes, gets a body in the place of its semicolon.
        sed -n '/^SB_API/{:more;/;/!{N;bmore};s/^SB_API //;s/;/ { __builtin_trap(); }/;p}' "$headers"/shufflebias/*.h
    } >"$work/functions.c"
    # FILE stays opaque, as the C library may change it; the path of the folder does not get into data/abi.
    "$@" -std=gnu17 -g -O0 -w -shared -fPIC -fvisibility=hidden -D__struct_FILE_defined -fdebug-prefix-map="$work"=. \
        -I"$headers" "$work/functions.c" -Wl,-soname,libshufflebias.so.0 -o "$work/functions.so"
}

# same LIBRARY
same() {
    abidiff --no-added-syms "$stored" "$1" >"$work/difference"
}

complain() {
    cat "$work/difference"
    cat <<END
abi: programs that were compiled against the last release may fail with this library. If the change was not intended,
undo it. If it only adds fields at the end of a struct that has a size (docs/library.md), say so in CHANGELOG.md and run
    sh tests/house/abi.sh --update . cc
Any other change needs a new soname: raise soversion in src/meson.build, and the number in the name of data/abi/libshufflebias.so.0.abi.
END
    exit 1
}

# expect same|different SED_SCRIPT HEADER WHAT CC...
expect() {
    wanted=$1 script=$2 header=$3 what=$4
    shift 4
    rm -rf "$work/changed"
    mkdir "$work/changed"
    cp -R "$source/src/shufflebias.h" "$source/src/shufflebias" "$work/changed"
    sed "$script" "$source/src/shufflebias/$header" >"$work/changed/shufflebias/$header"
    ! cmp -s "$source/src/shufflebias/$header" "$work/changed/shufflebias/$header" ||
        { echo "abi: the self-test cannot change $header: $what"; exit 1; }
    stub "$work/changed" "$@"
    found=different
    ! same "$work/functions.so" || found=same
    [ $found = "$wanted" ] || { echo "abi: $what: expected '$wanted', found '$found'"; exit 1; }
}

case $mode in
--library)
    same "$library" || complain
    ;;
--update)
    stub "$source/src" "$@"
    abidw --no-comp-dir-path --no-corpus-path --no-show-locs --no-elf-needed --no-parameter-names \
        --no-write-default-sizes --out-file "$stored" "$work/functions.so"
    ;;
--self-test)
    expect different 's/^    double alpha;/    float alpha;/' reports.h 'another type of a field' "$@"
    expect different 's/^    uint64_t seed;/    int more; &/' reports.h 'a field in the middle of a struct' "$@"
    expect different 's/^    const struct sb_ranks \*ranks;/& int more[4];/' reports.h 'a field at the end of a struct' "$@"
    expect different 's/^    SB_INVALID,/    SB_OTHER, &/' basics.h 'another value of an enum' "$@"
    expect different 's/^SB_API void sb_text_free.*//' basics.h 'a function that is gone' "$@"
    expect different 's/sb_text_free(char \*text)/sb_text_free(char *text, int more)/' basics.h 'another parameter' "$@"
    expect same '/^SB_API void sb_text_free/s/$/\nSB_API void sb_text_more(void);/' basics.h 'a new function' "$@"
    ;;
*)
    stub "$source/src" "$@"
    same "$work/functions.so" || complain
    ;;
esac
