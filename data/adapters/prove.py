#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets `shufflebias prove` answer the draws of a Python function.

    shufflebias prove -n 4 -- python3 prove.py 4                    random.Random.shuffle itself
    shufflebias prove -n 4 -- python3 prove.py 4 FILE.py [NAME]     NAME(deck) or NAME(deck, rng) of that file ("shuffle")

The function shuffles the list that it is given, or returns another list. It takes its draws from `rng`, which is a
random.Random, or from the modules `random` and `secrets`: during the call, `shufflebias prove` answers the draws of all
of them, and of any random.Random or random.SystemRandom that the function makes. Seeds are ignored, and a line says so
if the function sets one. FILE.py may import its neighbours; what it prints goes to standard error.
"""
import inspect
import itertools
import os
import random
import runpy
import secrets
import sys
import threading

peer = sys.stdout  # the questions and the decks go to shufflebias


def ask(question):
    print(question, file=peer, flush=True)
    answer = sys.stdin.readline()
    if not answer:
        os._exit(0)  # the function may catch SystemExit
    return answer


class Here(threading.local):
    # The thread calls the shuffle. At other times, such as during an import, and in other threads, the numbers are ordinary ones.
    asks = False
    seeded = False


HERE = Here()


class Asking(random.Random):
    def __call__(self):  # of `def shuffle(deck, random=random.random)`, as old code has it
        return self.random()

    def random(self):
        return float(ask("random")) if HERE.asks else super().random()

    def getrandbits(self, k):  # a bound is below 2^32, so larger numbers take several draws
        if not HERE.asks:
            return super().getrandbits(k)
        if k > 31:
            return self.getrandbits(k - 31) << 31 | self.getrandbits(31)
        return int(ask(f"draw {2 ** k}")) if k else 0

    def _randbelow(self, n):  # shuffle(), randrange(), choice() and sample() call this
        return int(ask(f"draw {n}")) if HERE.asks else int(super().random() * n)

    def seed(self, a=None, version=2):
        if not HERE.asks:
            super().seed(a, version)
        elif a is not None and not HERE.seeded:
            HERE.seeded = True
            print(f"prove.py: the shuffle seeds its generator with {a!r}; prove ignores the seed, and with a fixed seed "
                  "there is a single order", file=sys.stderr)


def replace_generators():
    """Must come before FILE.py is loaded, which may import names from these modules."""
    rng = Asking()
    for name in random.__all__:
        if hasattr(rng, name):
            setattr(random, name, getattr(rng, name))
    random.Random = random.SystemRandom = secrets.SystemRandom = Asking
    secrets.choice, secrets.randbits, secrets.randbelow = rng.choice, rng.getrandbits, rng._randbelow
    return rng


def takes_rng(shuffle):
    """Whether the second argument is a generator: it must be given, or its name says so."""
    if isinstance(getattr(shuffle, "__self__", None), Asking):
        return False  # shuffle(deck, random=None) of Python 3.9 and 3.10 is a method of its generator
    try:
        second = list(inspect.signature(shuffle).parameters.values())[1:2]
    except ValueError:  # a built-in function without a signature
        return False
    return any(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
               and (p.default is p.empty or p.name in ("generator", "random", "rand", "rng", "rnd")) for p in second)


def prove(shuffle, n, rng):
    arguments = [rng] if takes_rng(shuffle) else []
    while sys.stdin.readline().strip() == "start":
        deck = list(range(n))
        HERE.asks = True
        result = shuffle(deck, *arguments)
        if isinstance(result, (set, frozenset)):
            sys.exit(f"prove.py: {shuffle.__name__} returned a {type(result).__name__}, which has no order: return a list")
        items = deck if result is None else list(itertools.islice(result, n + 1))  # a generator draws only now
        HERE.asks = False
        print("deck", *items, file=peer, flush=True)


def main(n="", file=None, name="shuffle"):
    generator = replace_generators()
    sys.stdout = sys.stderr
    if not n.isdecimal() and file and file.isdecimal():  # the order of the other adapters
        n, file = file, n
    if not n.isdecimal():
        sys.exit(f"prove.py: {n!r} is no number of items: python3 prove.py N [FILE.py [NAME]]")
    if not file:
        prove(generator.shuffle, int(n), generator)
        return
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    found = runpy.run_path(file).get(name)
    if not callable(found):
        sys.exit(f"prove.py: {file} has no function {name}: say the function's name after {file}")
    prove(found, int(n), generator)


if __name__ == "__main__":
    main(*sys.argv[1:4])
