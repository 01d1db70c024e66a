# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws of fair shuffles, and shuffled decks."""
from __future__ import annotations

import ctypes
from typing import Any, Optional

from .call import result_of
from .library import library
from .request import Request, integer, invalid
from .results import Law


def version() -> str:
    """The version of the library."""
    number: bytes = library().sb_version()
    return number.decode()


def law(statistic: str, n: int, *, deal: Optional[int] = None, member: int = 1) -> Law:
    """The law of a statistic of a fair shuffle of n items. `member` counts from 1: the item, where each has such a statistic."""
    if integer("member", member) == 0:
        raise invalid("member", member, "members count from 1")
    return result_of(Request("law", {"n": n, "deal": deal, "member": member, "statistic": required("statistic", statistic)}), Law)


def required(name: str, value: Any) -> Any:
    if value is None:
        raise invalid(name, value, "give a text")
    return value


def deal(scheme: str = "fisher-yates", n: int = 52, samples: int = 1, *, deal: Optional[int] = None, seed: Optional[int] = None,
         draw: Optional[str] = None, rng: Optional[str] = None) -> Any:
    """`samples` decks of a scheme: an array of NumPy with a row for each deck if NumPy is installed, else a list of lists."""
    request = Request("deal", {"n": n, "deal": deal, "seed": seed, "draw": draw, "rng": rng, "scheme": required("scheme", scheme)})
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
