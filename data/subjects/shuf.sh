# SPDX-License-Identifier: GPL-3.0-or-later
# The program shuf of coreutils:
#
#     shufflebias gate --exclude 0.02 -- sh shuf.sh [N]
#
# To start a program for each permutation would be slow. So a hundred thousand hands of N cards are shuffled as
# one deck, and the order in which the cards of each hand come up is a permutation. If the deck is shuffled
# fairly these permutations are, and none depends on another.
n=${1:-3}
while :; do
    shuf -i 0-$((n * 100000 - 1)) |
        awk -v n="$n" '{ hand = int($1 / n); line[hand] = line[hand] " " $1 % n; if (++seen[hand] == n) print line[hand] }' || exit
done
