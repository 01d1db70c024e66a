# SPDX-License-Identifier: GPL-3.0-or-later
"""An assertion that a shuffle is fair, for any test runner."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Optional, Union

from .gates import gate
from .results import Gate
from .shuffle import Function


class FairnessError(AssertionError):
    """The shuffle is not fair, or it is not known whether it is. `gate` has the findings."""

    def __init__(self, message: str, found: Gate) -> None:
        super().__init__(message)
        self.gate = found

    def __reduce__(self) -> Any:  # pools of processes send exceptions as pickles
        return type(self), (*self.args, self.gate)


def message_of(found: Gate) -> str:
    """The sentence of a gate and, if the shuffle looks like a known faulty one, why that is biased and how it becomes fair."""
    cause = found.render("text").partition("\nCause: ")[2]
    return found.sentence + (f"\n\nCause: {cause.rstrip()}" if cause else "")


def assert_fair(shuffle: Function, n: Optional[int] = None, exclude: float = 0.02, *,
                page: Optional[Union[str, Path]] = None, **options: Any) -> Gate:
    """Raises FairnessError unless a gate passes the shuffle. The options are those of gate(). If the shuffle does not pass, the
    findings are written to `page`, a file of HTML."""
    __tracebackhide__ = True  # pytest shows the caller
    found = gate(shuffle, n, exclude, **options)
    if found.verdict == "pass":
        return found
    message = message_of(found)
    if page is not None:
        Path(page).write_text(found.render("html"), encoding="utf-8")
        message += f"\n\nPage: {page}"
    raise FairnessError(message, found)
