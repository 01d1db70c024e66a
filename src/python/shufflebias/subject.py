# SPDX-License-Identifier: GPL-3.0-or-later
"""The shuffle under test, as the library takes it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from .errors import ShufflebiasError
from .library import OwnShuffle, library
from .request import Request, integer, invalid
from .shuffle import Function, Shuffle

Scheme = str


def count_of(n: Optional[int], items: Optional[Sequence[Any]], default: int) -> int:
    """How many items there are."""
    if items is None:
        return integer("n", default if n is None else n)
    if n not in (None, len(items)):
        raise ShufflebiasError(f"`n={n}`: there are {len(items)} items: leave n out", "invalid", "n", str(n))
    return len(items)


class Tested:
    """The subject of a request, a function or a scheme, and what must live as long."""

    def __init__(self, request: Request, shuffle: Union[Function, Scheme], n: int, items: Optional[Sequence[Any]] = None, *,
                 deal: Optional[int] = None, name: Optional[str] = None, chained: bool = False, **scheme: Any) -> None:
        if n == 0:
            raise invalid("n", n, "give at least 2 items")
        self.shuffle: Optional[Shuffle] = None
        if isinstance(shuffle, str):
            request.set({"n": n, "deal": deal, "chained": chained, "name": name, **scheme, "scheme": shuffle})
            if items is not None:
                raise ShufflebiasError("items: a scheme shuffles numbers: leave items out", "invalid", "items")
            return
        for field, value in scheme.items():
            if value is not None:
                raise invalid(field, value, "a function draws its own random numbers: leave it out")
        request.set({"deal": deal, "chained": chained, "name": name})
        self.shuffle = function = Shuffle(shuffle, n, request.number("deal"), items, chained, name)
        request.set({"n": n, "name": function.name})
        self.callback = OwnShuffle(lambda address, n, size, state: function.call(address))
        library().sb_set_shuffle(request, self.callback, None)
