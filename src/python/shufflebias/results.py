# SPDX-License-Identifier: GPL-3.0-or-later
"""What the calls return: the objects of the JSON formats. Each attribute has the name, the type and the meaning that
data/schema/gate-2.json, report-2.json and law-1.json give it. What does not exist is None. Lists are tuples. Exact integers and
fractions are texts, such as "10" and "1/3", which int() and fractions.Fraction() read.
"""
from __future__ import annotations

import ctypes
import json
from types import SimpleNamespace
from typing import Any, Optional, TypeVar

from .library import Handle, ShufflebiasError, library

R = TypeVar("R", bound="Result")


class Record(SimpleNamespace):
    """An object of JSON, which cannot be changed."""
    # members that an object may lack
    base: Optional[int] = None
    cells: Any = None
    context: Optional[str] = None
    dependent: Optional[bool] = None
    fair: Optional[str] = None
    fair_sample: Optional[int] = None
    fair_total_variation: Optional[float] = None
    groups: Optional[tuple[int, ...]] = None
    items: Optional[tuple[str, ...]] = None
    label: Optional[str] = None
    lag: Optional[int] = None
    left_out: Optional[tuple[str, ...]] = None
    outlier: Any = None
    title: Optional[str] = None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"cannot set {name}: a result does not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name}: a result does not change")

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(vars(self).items())))


def frozen(value: Any) -> Any:
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def record_of(members: dict[str, Any]) -> Record:
    return Record(**{name: frozen(value) for name, value in members.items()})


def rendered(handle: Handle, format: str, **look: str) -> str:
    length = ctypes.c_size_t()
    for name, value in look.items():
        library().sb_look(handle, name.encode(), value.encode())
    address = library().sb_text(handle, format.encode(), length)
    if not address:
        raise ShufflebiasError(library().sb_result_error(handle).decode(errors="replace"))
    return ctypes.string_at(address, length.value).decode(errors="replace")


class Result(Record):
    """A whole result, which remembers where the library keeps it."""
    __slots__ = ("_handle",)  # no member: copies have none, and are equal
    _handle: Handle

    def render(self, format: str = "text", *, figure: Optional[str] = None, unicode: bool = True, colour: bool = False,
               details: bool = False) -> str:
        """The result as "text", "markdown", "json", "html", "svg" or another format of docs/formats.md. A gate also has "junit"
        and "tap", a report also "csv", "junit" and "tap", and a law also "csv". `figure` names the figure of "svg"; `unicode` and
        `colour` say how "text" looks, and `details` adds the tables behind a verdict to it."""
        handle: Optional[Handle] = getattr(self, "_handle", None)
        if handle is None:
            raise ValueError("this result is a copy: render the one that the call returned")
        return rendered(handle, format, unicode=str(int(unicode)), colour=str(int(colour)), details=str(int(details)),
                        figure=figure or "")


def result_of(kind: type[R], handle: Handle, part: Optional[str]) -> R:
    """The first element of the list `part` of a result's JSON, or all of it."""
    found = json.loads(rendered(handle, "json"), object_hook=record_of)
    result = kind(**vars(getattr(found, part)[0] if part else found))
    object.__setattr__(result, "_handle", handle)
    return result


class Gate(Result):
    """The findings of a gate on one shuffle. `verdict` is "pass", "fail" or "inconclusive"; `sentence` is the verdict in a
    line, and the lines of `details` say what it covers or what may be the cause."""
    verdict: str
    sentence: str
    details: str
    total: int


class Report(Result):
    """A bias report. `verdict` is "uniform", "biased", "no bias seen" or "inconclusive". The members of `evidence` go with
    evidence.by: "exact", "sample" or "seeds". In `matrix`, a row is an item and a column a position: counts, or exact
    probabilities as fractions or numbers."""
    verdict: str
    sentence: Optional[str]


class Law(Result):
    """The law of a statistic of a fair shuffle: `cells`, `labels`, `p` and `ln_p` have the same length."""
    cells: tuple[int, ...]
    labels: tuple[str, ...]
    p: tuple[float, ...]
    ln_p: tuple[float, ...]
