#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lets `shufflebias prove` answer the draws of a shell function.
#
#     shufflebias prove -n 3 -- sh prove.sh FILE.sh 3
#
# FILE.sh defines `shuffle`, which takes the items as its arguments and stores them, shuffled, in $deck. It draws by
# `below K`, which stores an integer from 0 to K-1 in $drawn.
set -u

below() {
    echo "draw $1"
    read -r drawn || exit 0
}

case ${2-} in
    '' | *[!0-9]*)
        echo "prove.sh: '${2-}' is no number of items: sh prove.sh FILE.sh N" >&2
        exit 1
        ;;
esac
prove_n=$2 # not n or i, which the functions of FILE.sh may set
case $1 in
    */*) . "$1" ;;
    *) . "./$1" ;; # without a slash, `.` would search $PATH
esac
while read -r word && [ "$word" = start ]; do
    prove_i=0
    set --
    while [ "$prove_i" -lt "$prove_n" ]; do
        set -- "$@" "$prove_i"
        prove_i=$((prove_i + 1))
    done
    shuffle "$@"
    echo "deck $deck"
done
