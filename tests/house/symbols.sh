#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the libraries show to the linker: symbols.sh SHARED STATIC HEADER...
#
# The shared library exports exactly the functions that the headers declare. The static library defines only global
# names that begin with sb_. Neither has a variable that can be written (a mutable global), except for two things that
# belong to the process: the reserve of GMP's memory functions, and the pointer to GSL's table of generators.
set -eu
export LC_ALL=C
shared=$1
static=$2
shift 2 # the headers stay as "$@"
status=0

expect_none() { # WHAT LIST
    [ -n "$2" ] || return 0
    echo "symbols: $1:" >&2
    echo "$2" | sed 's/^/    /' >&2
    status=1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^SB_API.*[ *]\(sb_[a-z0-9_]*\)(.*/\1/p' "$@" | sort >"$work/declared"
nm -D --defined-only "$shared" | awk '{ print $NF }' | sort >"$work/exported"
[ -s "$work/declared" ] || expect_none 'no SB_API function was found in' "$*"
expect_none 'declared in a header and not exported' "$(comm -23 "$work/declared" "$work/exported")"
expect_none 'exported and not declared in a header' "$(comm -13 "$work/declared" "$work/exported")"
expect_none 'global names without sb_ in the static library' \
    "$(nm -g --defined-only "$static" | awk 'NF == 3 && $3 !~ /^sb_/ { print $3 }')"
expect_none 'variables that can be written in the static library' \
    "$(objdump -t "$static" | awk '/ O (\.(data|bss|tdata|tbss)[.\t]|\*COM\*)/ && !/ \.data\.rel\.ro/ && $NF !~ /^(gmp_reserve|gsl_types|gsl_types_count|gsl_once)$/ { print $NF }')"
exit $status
