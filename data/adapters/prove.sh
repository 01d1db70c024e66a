#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lets `shufflebias prove` answer what a shell function draws.
#
#     shufflebias prove -n 3 -- sh prove.sh FILE.sh 3
#
# FILE.sh defines `shuffle`, which is given the items as its arguments and leaves them, shuffled, in $deck. It draws
# by `below K`, which leaves an integer from 0 to K-1 in $drawn.
set -u

below() {
    echo "draw $1"
    read -r drawn || exit 0
}

n=$2
case $1 in
    */*) . "$1" ;;
    *) . "./$1" ;; # else it is looked for where programs are
esac
while read -r word && [ "$word" = start ]; do
    i=0
    set --
    while [ "$i" -lt "$n" ]; do
        set -- "$@" "$i"
        i=$((i + 1))
    done
    shuffle "$@"
    echo "deck $deck"
done
