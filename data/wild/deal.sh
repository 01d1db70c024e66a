# SPDX-License-Identifier: GPL-3.0-or-later
# Deals by Fisher-Yates with the shell's $RANDOM, in bash, zsh, ksh or mksh: bash deal.sh N
n=$1
while :; do
    i=0
    while [ $i -lt "$n" ]; do
        a[$((i + 1))]=$i # zsh counts from 1
        i=$((i + 1))
    done
    while [ $i -gt 1 ]; do
        j=$((RANDOM % i + 1))
        t=${a[$i]}
        a[$i]=${a[$j]}
        a[$j]=$t
        i=$((i - 1))
    done
    echo "${a[@]}" || exit
done 2>/dev/null
