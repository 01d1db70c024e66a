# SPDX-License-Identifier: GPL-3.0-or-later
# The program shuf of coreutils:
#
#     shufflebias gate -- sh shuf.sh [N]
#
# Starting a program for each permutation would be slow. So one call of shuf shuffles the cards of 100,000 hands of N
# cards together. The order in which the cards of a hand come up is a permutation. If shuf is fair, these permutations
# are fair and independent of each other.
n=${1:-3}
while :; do
    shuf -i 0-$((n * 100000 - 1)) |
        awk -v n="$n" '{ hand = int($1 / n); line[hand] = line[hand] " " $1 % n; if (++seen[hand] == n) print line[hand] }' || exit
done
