# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs: the exact law of a function that draws with the modules random and secrets."""
from __future__ import annotations

import warnings
from collections.abc import Sequence
from random import Random
from typing import Any, Optional

from .call import Call
from .draws import GENERATORS, Abandoned, Draws, takes_generator
from .errors import SubjectError
from .library import DrawnShuffle, library
from .request import Request
from .results import Report
from .shuffle import Function, Shuffle
from .subject import count_of

# The library gives a shuffle up after 1000 + 10 * draws questions, so the shuffle may end there.
PATIENCE = 1001


class Proved(Shuffle):
    """A function whose draws a proof answers."""

    def __init__(self, function: Function, n: int, items: Optional[Sequence[Any]], name: Optional[str],
                 draws: Draws) -> None:
        super().__init__(function, n, 0, items, name=name)
        self.draws = draws
        self.arguments = (Random(0),) if takes_generator(function) else ()

    def answer(self, address: int, draws: int) -> int:
        """Shuffles the numbers at `address` with the draws of struct sb_draws at `draws`."""
        self.draws.begin(draws)
        try:
            failed = self.call(address, *self.arguments)
        finally:
            self.draws.end()
        if isinstance(self.failure, Abandoned):
            self.failure, self.result = None, self.items.order  # the library says what is wrong
            return 0
        if self.draws.refused:
            self.failure = self.draws.refused
            return 1
        return failed


def prove(shuffle: Function, n: Optional[int] = None, *, items: Optional[Sequence[Any]] = None, name: Optional[str] = None,
          cells: Optional[int] = None, draws: Optional[int] = None, paths: Optional[int] = None, counts: bool = False) -> Report:
    """Calls shuffle(deck) with every possible series of draws, and computes the exact probability of each order. n is 4 by default.
    The function draws with the modules random and secrets; or with its second argument, a random.Random, if it has one."""
    count = count_of(n, items, 4)
    request = Request("prove", {"n": count, "cells": cells, "draws": draws, "paths": paths, "counts": counts})
    answers = Draws(library(), PATIENCE + 10 * request.number("draws"))
    proved = Proved(shuffle, count, items, name, answers)
    request.set({"name": proved.name})
    callback = DrawnShuffle(lambda address, n, size, source, state: proved.answer(address, source))
    library().sb_set_draws(request, callback, None)
    with Call(request, proved) as call, GENERATORS:
        call.run()
    if request.status() == "subject" and not (answers.asked_ever or proved.failure or proved.complaint()):
        raise SubjectError(f"{proved.name}: it varies, but draws nothing from the modules random and secrets: use gate()")
    if answers.seed is not None:
        warnings.warn(f"{proved.name} seeds its generator with {answers.seed!r}; prove ignores the seed, and with a fixed seed there is "
                      "a single order", stacklevel=2)
    return call.finish(Report, "reports")
