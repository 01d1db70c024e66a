# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports: how far from fair is a shuffle?"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Optional, Union, get_args

from .call import result_of
from .errors import ShufflebiasError
from .request import Request, invalid
from .results import Report
from .shuffle import Function
from .subject import Scheme, Tested, count_of

By = Literal["exact", "sample", "seeds"]


def report(shuffle: Union[Function, Scheme], n: Optional[int] = None, samples: Optional[int] = None, *,
           items: Optional[Sequence[Any]] = None, deal: Optional[int] = None, name: Optional[str] = None, chained: bool = False,
           by: By = "sample", alpha: Optional[float] = None, statistics: Optional[str] = None, profile: Optional[str] = None,
           increments: bool = False, counts: bool = False, seed: Optional[int] = None, draw: Optional[str] = None,
           rng: Optional[str] = None, seeds_first: Optional[int] = None, seeds_count: Optional[int] = None,
           threads: Optional[int] = None) -> Report:
    """Counts `samples` results of shuffle(deck), and reports on them; n is 3 by default. The law of a scheme can also be exact, or
    that of a generator's seeds."""
    if by not in get_args(By) or (by != "sample" and not isinstance(shuffle, str)):
        raise ShufflebiasError(f"`by={by!r}`: a function has by='sample'; a scheme also 'exact' and 'seeds'", "invalid", "by", by)
    request = Request("report", {
        "samples": samples, "by": by, "alpha": alpha, "statistics": statistics, "profile": profile, "increments": increments,
        "counts": counts, "seeds_first": seeds_first, "seeds_count": seeds_count, "threads": threads})
    if isinstance(shuffle, str) and items is None:
        if chained:
            raise invalid("chained", chained, "a scheme shuffles a new deck each time: leave it out")
        request.set({"n": n, "deal": deal, "seed": seed, "draw": draw, "rng": rng, "scheme": shuffle})
        return result_of(request, Report, "reports")
    tested = Tested(request, shuffle, count_of(n, items, 3), items, deal=deal, name=name, chained=chained, seed=seed, draw=draw, rng=rng)
    return result_of(request, Report, "reports", tested.shuffle)
