# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams of permutations with a planted fault, as lines of text."""
import random


def chains(n, count, lag, seed):
    """Chains of naive swaps, which take turns."""
    generator = random.Random(seed)
    decks = [generator.sample(range(n), n) for _ in range(lag)]
    for t in range(count):
        deck = decks[t % lag]
        for i in range(n):
            j = generator.randrange(n)
            deck[i], deck[j] = deck[j], deck[i]
        yield " ".join(map(str, deck))
