# SPDX-License-Identifier: GPL-3.0-or-later
"""What `x = arma::shuffle(x)` does to a vector in Armadillo 11.4.2, written from op_shuffle_meat.hpp: an argument for findings.tsv.

    shufflebias prove -n 4 -- python3 data/adapters/prove.py 4 data/wild/arma_in_place.py
"""


def shuffle(deck, rng):
    """The order of random keys is fair. But `moved` is set where an item came from, so some swaps of a cycle are left out."""
    order = rng.sample(range(len(deck)), len(deck))
    moved = [False] * len(deck)
    for i, j in enumerate(order):
        if not moved[i]:
            deck[i], deck[j] = deck[j], deck[i]
            moved[j] = True
