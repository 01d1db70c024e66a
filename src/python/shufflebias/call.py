# SPDX-License-Identifier: GPL-3.0-or-later
"""A call of the library that makes a result."""
from __future__ import annotations

import ctypes
import json
from types import TracebackType
from typing import Any, Optional, TypeVar

from . import structs
from .decoding import decode
from .errors import STATUS
from .interruption import Interruption
from .rendering import Handle, Rendered, check, handle_type
from .shuffle import Shuffle

R = TypeVar("R", bound=Rendered)


class Call(Interruption):
    """A call with `options`, made within the context: its status, its error and its result, whose type in C is sb_FAMILY. It may
    test a shuffle."""

    def __init__(self, options: Any, family: str, shuffle: Optional[Shuffle] = None) -> None:
        super().__init__(options)
        self.family = family
        self.shuffle = shuffle
        if shuffle:
            shuffle.interrupted = self.raised
        self.status = 0
        self.error = structs.Error()
        self.result = ctypes.c_void_p()
        self.held: Optional[Handle] = None

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self.result and not self.status:
            self.held = handle_type(self.family)(self.result)  # frees the result also if the call ends with an exception
        super().__exit__(kind, error, trace)

    def finish(self, kind: type[R], part: Optional[str] = None) -> R:
        """The result: the first element of the list `part` of its JSON, or all of it. Raises what ended the call instead, in the
        library or in the shuffle."""
        if self.shuffle:
            self.shuffle.raise_failure(STATUS[self.status] == "subject")
        check(self.status, self.error)
        assert self.held
        found = json.loads(self.held.render("json"))
        result = decode(kind, found[part][0] if part else found)
        result._keep(self.held)
        return result
