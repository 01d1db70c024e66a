# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of the package."""
from __future__ import annotations

import ctypes
import warnings
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, Optional, Union, get_args

from .call import Call, run
from .draws import GENERATORS, Abandoned, Draws, takes_generator
from .library import DrawnShuffle, Request, ShufflebiasError, SubjectError, integer, invalid, library
from .results import Gate, Law, Report
from .shuffle import SCHEME_ITEMS, Function, Scheme, Shuffle, Tested, count_of

By = Literal["exact", "sample", "seeds"]
# The library gives a shuffle up after 1000 + 10 * draws questions, so the shuffle may end there.
PATIENCE = 1001


def gate(shuffle: Union[Function, Scheme], n: Optional[int] = None, max_bias: Optional[float] = None, *,
         items: Optional[Sequence[Any]] = None, deal: Optional[int] = None, name: Optional[str] = None, chained: bool = False,
         alpha: Optional[float] = None, delta: Optional[float] = None, tolerate: Optional[float] = None,
         limit: Optional[int] = None, seed: Optional[int] = None, draw: Optional[str] = None, rng: Optional[str] = None,
         **options: Any) -> Gate:
    """Calls shuffle(deck) until it is known whether the shuffle is fair. The deck is the list of the numbers 0 to n-1 (n is 5 by
    default, and 3 for a scheme), or a copy of `items`. The function shuffles the list, or returns another one. A text names a scheme
    of the library. All other options of `shufflebias gate --help all` are known by their names, such as ledger="ledger.json"."""
    request = Request("gate", {"max_bias": max_bias, "alpha": alpha, "delta": delta, "tolerate": tolerate, "limit": limit, **options})
    tested = Tested(request, shuffle, n, items, deal=deal, name=name, chained=chained, seed=seed, draw=draw, rng=rng)
    return run(request, Gate, "gates", tested.shuffle)


class FairnessError(AssertionError):
    """The shuffle is not fair, or it is not known whether it is. `gate` has the findings."""

    def __init__(self, message: str, found: Gate) -> None:
        super().__init__(message)
        self.gate = found

    def __reduce__(self) -> Any:  # pools of processes send exceptions as pickles
        return type(self), (*self.args, self.gate)


def message_of(found: Gate) -> str:
    """The verdict of a gate, its details and, if the shuffle looks like a known faulty one, why that is biased and how it
    becomes fair."""
    cause = found.render("text").partition("\nCause: ")[2]
    return f"{found.sentence}\n{found.details}" + (f"\n\nCause: {cause.rstrip()}" if cause else "")


def assert_fair(shuffle: Function, n: Optional[int] = None, max_bias: Optional[float] = None, *,
                page: Optional[Union[str, Path]] = None, **options: Any) -> Gate:
    """Raises FairnessError unless a gate passes the shuffle. The options are those of gate(). If the shuffle does not pass, the
    findings are written to `page`, a file of HTML."""
    __tracebackhide__ = True  # pytest shows the caller
    found = gate(shuffle, n, max_bias, **options)
    if found.verdict == "pass":
        return found
    message = message_of(found)
    if page is not None:
        Path(page).write_text(found.render("html"), encoding="utf-8")
        message += f"\n\nPage: {page}"
    raise FairnessError(message, found)


def report(shuffle: Union[Function, Scheme], n: Optional[int] = None, samples: Optional[int] = None, *,
           items: Optional[Sequence[Any]] = None, deal: Optional[int] = None, name: Optional[str] = None, chained: bool = False,
           by: By = "sample", alpha: Optional[float] = None, seed: Optional[int] = None, draw: Optional[str] = None,
           rng: Optional[str] = None, **options: Any) -> Report:
    """Counts `samples` results of shuffle(deck), and reports on them; n is 5 by default, and 3 for a scheme. The law of a scheme
    can also be exact, or that of a generator's seeds. All other options of `shufflebias report --help all` are known by their names, such as all_counts=True."""
    if by not in get_args(By) or (by != "sample" and not isinstance(shuffle, str)):
        raise ShufflebiasError(f"`by={by!r}`: a function has by='sample'; a scheme also 'exact' and 'seeds'", "invalid", "by", by)
    request = Request("report", {"samples": samples, "by": by, "alpha": alpha, **options})
    if isinstance(shuffle, str) and items is None:
        if chained:
            raise invalid("chained", chained, "a scheme shuffles a new deck each time: leave it out")
        request.set({"n": n, "deal": deal, "seed": seed, "draw": draw, "rng": rng, "scheme": shuffle})
        return run(request, Report, "reports")
    tested = Tested(request, shuffle, n, items, deal=deal, name=name, chained=chained, seed=seed, draw=draw, rng=rng)
    return run(request, Report, "reports", tested.shuffle)


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
          cells: Optional[int] = None, draws: Optional[int] = None, paths: Optional[int] = None, all_counts: bool = False) -> Report:
    """Calls shuffle(deck) with every possible series of draws, and computes the exact probability of each order. n is 3 by default.
    The function draws with the modules random and secrets; or with its second argument, a random.Random, if it has one."""
    count = count_of(n, items, SCHEME_ITEMS)
    request = Request("prove", {"n": count, "cells": cells, "draws": draws, "paths": paths, "all_counts": all_counts})
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


def version() -> str:
    """The version of the library."""
    number: bytes = library().sb_version()
    return number.decode()


def law(statistic: str, n: int, *, deal: Optional[int] = None, member: int = 1, fair: Optional[str] = None) -> Law:
    """The law of a statistic of a fair shuffle of n items. `member` counts from 1: the item, where each has such a statistic. `fair`
    is the law of a fair shuffle, if not all orders have the same probability."""
    return run(Request("law", {"n": n, "deal": deal, "member": member, "fair": fair, "statistic": statistic}), Law)


def deal(scheme: Optional[str] = None, n: int = 52, samples: int = 1, *, deal: Optional[int] = None, seed: Optional[int] = None,
         draw: Optional[str] = None, rng: Optional[str] = None, fair: Optional[str] = None) -> Any:
    """`samples` decks of a scheme, which is fisher-yates by default, or of the law `fair`: an array of NumPy with a row for each deck
    if NumPy is installed, else a list of lists."""
    request = Request("deal", {"n": n, "deal": deal, "seed": seed, "draw": draw, "rng": rng, "fair": fair,
                               "scheme": scheme or (None if fair else "fisher-yates")})
    return dealt(request, integer("samples", samples), deal or n)


def dealt(request: Request, samples: int, cards: int) -> Any:
    """The next decks of a dealer, `cards` numbers each."""
    def next_items() -> Any:
        items = library().sb_next(request)
        if not items:
            request.fail()
        return items

    try:
        import numpy
    except ImportError:
        return [next_items()[:cards] for _ in range(samples)]
    decks = numpy.empty((samples, cards), numpy.uint32)
    for row in range(samples):
        ctypes.memmove(decks.ctypes.data + row * decks.strides[0], next_items(), 4 * cards)
    return decks
