# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate: is a shuffle fair, yes or no?"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from .call import result_of
from .request import Request
from .results import Gate
from .shuffle import Function
from .subject import Scheme, Tested, count_of


def gate(shuffle: Union[Function, Scheme], n: Optional[int] = None, exclude: float = 0.02, *,
         items: Optional[Sequence[Any]] = None, deal: Optional[int] = None, name: Optional[str] = None, chained: bool = False,
         alpha: Optional[float] = None, delta: Optional[float] = None, tolerate: Optional[float] = None,
         limit: Optional[int] = None, seeds: Optional[int] = None, profile: Optional[str] = None, increments: bool = False,
         ledger: Any = None, save: Any = None, seed: Optional[int] = None, draw: Optional[str] = None,
         rng: Optional[str] = None) -> Gate:
    """Calls shuffle(deck) until it is known whether the shuffle is fair. The deck is the list of the numbers 0 to n-1 (n is 5 by
    default), or a copy of `items`. The function shuffles the list, or returns another one. A text names a scheme of the library."""
    request = Request("gate", {
        "exclude": exclude, "alpha": alpha, "delta": delta, "tolerate": tolerate, "limit": limit, "seeds": seeds, "profile": profile,
        "increments": increments, "ledger": ledger, "save": save})
    tested = Tested(request, shuffle, count_of(n, items, 5), items, deal=deal, name=name, chained=chained, seed=seed, draw=draw, rng=rng)
    return result_of(request, Gate, "gates", tested.shuffle)
