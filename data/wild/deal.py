#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Deals with a shuffle of a Python library: python3 deal.py FUNCTION N [prove]

FUNCTION is an expression: a function of a deck and a random.Random, which returns a deck, or None if it shuffles in
place. With `prove`, the draws come from `shufflebias prove`, through ../adapters/prove.py.
"""
import builtins
import importlib
import itertools
import os
import random
import sys


class Lazy(dict):
    """The names of an expression: a module is imported when the expression names it."""

    def __missing__(self, name):
        if hasattr(builtins, name):
            raise KeyError(name)
        return importlib.import_module({"np": "numpy"}.get(name, name))


def expression():
    return eval(sys.argv[1], Lazy(random=random))


def main():
    n = int(sys.argv[2])
    if sys.argv[3:] == ["prove"]:
        sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../adapters"))
        adapter = importlib.import_module("prove")
        generator = adapter.replace_generators()
        return adapter.prove(expression(), n, generator)
    shuffle = expression()
    while True:
        decks = []
        for _ in itertools.repeat(None, 500):
            deck = list(range(n))
            result = shuffle(deck, random)
            decks.append(" ".join(map(str, deck if result is None else result)))
        print("\n".join(decks))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
