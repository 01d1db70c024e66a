#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets `shufflebias prove` answer the draws of a Python function, through a random.Random of its own.

    shufflebias prove -n 4 -- python3 prove.py 4                    random.Random.shuffle itself
    shufflebias prove -n 4 -- python3 prove.py 4 FILE.py [NAME]     NAME(deck, rng) of that file ("shuffle")

The function shuffles the list that it is given, or returns another list. It takes its draws from `rng`, or from the
module `random`: during the call, `shufflebias prove` answers the draws of both.
"""
import random
import runpy
import sys


def ask(question):
    print(question, flush=True)
    answer = sys.stdin.readline()
    if not answer:
        sys.exit()
    return answer


class Asking(random.Random):
    def random(self):
        return float(ask("random"))

    def getrandbits(self, k):  # k is at most 31, because a bound is below 2^32
        return int(ask(f"draw {2 ** k}")) if k else 0

    def _randbelow(self, n):  # shuffle(), randrange(), choice() and sample() call this
        return int(ask(f"draw {n}"))

    def seed(self, *arguments, **keywords):
        """There is nothing to seed."""


def prove(shuffle, n):
    rng = Asking()
    for name in ("random", "getrandbits", "shuffle", "randrange", "randint", "choice", "choices", "sample", "uniform"):
        setattr(random, name, getattr(rng, name))
    while sys.stdin.readline().strip() == "start":
        deck = list(range(n))
        result = shuffle(deck, rng)
        print("deck", *(deck if result is None else result), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        prove(runpy.run_path(sys.argv[2])[sys.argv[3] if len(sys.argv) > 3 else "shuffle"], int(sys.argv[1]))
    else:
        prove(lambda deck, rng: rng.shuffle(deck), int(sys.argv[1]))
