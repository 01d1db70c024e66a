# SPDX-License-Identifier: GPL-3.0-or-later
"""A call of the library that makes a result."""
from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Optional, TypeVar

from .decoding import decode
from .interruption import Interruption
from .library import library
from .rendering import Rendered, rendered
from .request import Handle, Request, owner
from .shuffle import Shuffle

R = TypeVar("R", bound=Rendered)


class Call(Interruption):
    """A run of a request, made within the context: its status and its result. It may test a shuffle."""

    def __init__(self, request: Request, shuffle: Optional[Shuffle] = None) -> None:
        super().__init__(request)
        self.shuffle = shuffle
        if shuffle:
            shuffle.interrupted = self.raised
        self.result: Optional[int] = None
        self.held: Optional[Handle] = None

    def run(self) -> None:
        self.result = library().sb_run(self.request)

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self.result:
            self.held = owner("sb_result_free")(self.result)  # frees the result also if the call ends with an exception
        super().__exit__(kind, error, trace)

    def finish(self, kind: type[R], part: Optional[str] = None) -> R:
        """The result: the first element of the list `part` of its JSON, or all of it. Raises what ended the call instead, in the
        library or in the shuffle."""
        if self.shuffle:
            self.shuffle.raise_failure(self.request.status() == "subject")
        if not self.held:
            self.request.fail()
        assert self.held
        found = json.loads(rendered(self.held, "json"))
        result = decode(kind, found[part][0] if part else found)
        result._keep(self.held)
        return result


def result_of(request: Request, kind: type[R], part: Optional[str] = None, shuffle: Optional[Shuffle] = None) -> R:
    """Runs a request."""
    with Call(request, shuffle) as call:
        call.run()
    return call.finish(kind, part)
