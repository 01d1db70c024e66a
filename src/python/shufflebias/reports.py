# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports: how far from fair is a shuffle?"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Optional, Union

from . import structs
from .call import Call
from .errors import ShufflebiasError
from .library import library
from .options import fill, invalid, text
from .results import Report
from .shuffle import Function
from .subject import Scheme, Tested, count_of

By = Literal["exact", "sample", "seeds"]
BY = {"exact": 1, "sample": 2, "seeds": 4}  # enum sb_by


def report(shuffle: Union[Function, Scheme], n: Optional[int] = None, samples: Optional[int] = None, *,
           items: Optional[Sequence[Any]] = None, deal: Optional[int] = None, name: Optional[str] = None, chained: bool = False,
           by: By = "sample", alpha: Optional[float] = None, statistics: Optional[str] = None, profile: Optional[str] = None,
           increments: bool = False, counts: bool = False, seed: Optional[int] = None, draw: Optional[str] = None,
           rng: Optional[str] = None, seeds_first: Optional[int] = None, seeds_count: Optional[int] = None,
           threads: Optional[int] = None) -> Report:
    """Counts `samples` results of shuffle(deck), and reports on them; n is 3 by default. The law of a scheme can also be exact, or
    that of a generator's seeds."""
    if by not in BY or (by != "sample" and not isinstance(shuffle, str)):
        raise ShufflebiasError(f"`by={by!r}`: a function has by='sample'; a scheme also 'exact' and 'seeds'", "invalid", "by", by)
    options = structs.defaults(library(), structs.Options)
    fill(options, {"samples": samples, "by": BY[by], "alpha": alpha, "statistics": statistics, "profile": profile,
                   "increments": increments, "counts": counts, "seeds_first": seeds_first, "seeds_count": seeds_count,
                   "threads": threads})
    if isinstance(shuffle, str) and items is None:
        if chained:
            raise invalid("chained", chained, "a scheme shuffles a new deck each time: leave it out")
        fill(options, {"n": n, "deal": deal, "seed": seed, "draw": draw, "rng": rng})
        return of_scheme(shuffle, options)
    tested = Tested(shuffle, count_of(n, items, 3), items, deal=deal, name=name, chained=chained, seed=seed, draw=draw, rng=rng)
    with Call(options, "reports", tested.shuffle) as call:
        call.status = library().sb_reports_observe(tested.subject, options, call.error, call.result)
    return call.finish(Report, "reports")


def of_scheme(scheme: Scheme, options: structs.Options) -> Report:
    schemes = (structs.Text * 1)(text("scheme", scheme))
    with Call(options, "reports") as call:
        call.status = library().sb_reports_new(schemes, 1, options, call.error, call.result)
    return call.finish(Report, "reports")
