# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws of fair shuffles, and shuffled decks."""
from __future__ import annotations

import ctypes
from typing import Any, Optional

from . import structs
from .call import Call
from .errors import STATUS, ShufflebiasError
from .library import library
from .options import fill, integer, invalid, text
from .rendering import check
from .results import Law


def version() -> str:
    """The version of the library."""
    number: bytes = library().sb_version()
    return number.decode()


def law(statistic: str, n: int, *, deal: Optional[int] = None, member: int = 1) -> Law:
    """The law of a statistic of a fair shuffle of n items. `member` counts from 1: the item, where each has such a statistic."""
    index = integer("member", member, ctypes.c_size_t)
    if index == 0:
        raise invalid("member", member, "members count from 1")
    options = structs.defaults(library(), structs.Options)
    fill(options, {"n": n, "deal": deal})
    with Call(options, "null_law") as call:
        call.status = library().sb_null_law_new(text("statistic", statistic), index - 1, options, call.error, call.result)
    return call.finish(Law)


def deal(scheme: str = "fisher-yates", n: int = 52, samples: int = 1, *, deal: Optional[int] = None, seed: Optional[int] = None,
         draw: Optional[str] = None, rng: Optional[str] = None) -> Any:
    """`samples` decks of a scheme: an array of NumPy with a row for each deck if NumPy is installed, else a list of lists."""
    options = structs.defaults(library(), structs.Options)
    error, dealer = structs.Error(), ctypes.c_void_p()
    fill(options, {"n": n, "deal": deal, "seed": seed, "draw": draw, "rng": rng})
    check(library().sb_dealer_new(text("scheme", scheme), options, error, dealer), error)
    try:
        return dealt(dealer, integer("samples", samples, ctypes.c_size_t), options.deal or options.n)
    finally:
        library().sb_dealer_free(dealer)


def dealt(dealer: ctypes.c_void_p, samples: int, cards: int) -> Any:
    """The next decks of a dealer, `cards` numbers each."""
    items = ctypes.POINTER(ctypes.c_uint32)()

    def next_items() -> Any:
        status = library().sb_dealer_next(dealer, items)
        if status:
            raise ShufflebiasError("the generator repeats the same few words: the shuffle would never end", STATUS[status])
        return items

    try:
        import numpy
    except ImportError:
        return [next_items()[:cards] for _ in range(samples)]
    decks = numpy.empty((samples, cards), numpy.uint32)
    for row in range(samples):
        ctypes.memmove(decks.ctypes.data + row * decks.strides[0], next_items(), 4 * cards)
    return decks
