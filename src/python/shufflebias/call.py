# SPDX-License-Identifier: GPL-3.0-or-later
"""A call of the library that makes a result."""
from __future__ import annotations

import ctypes
import json
from typing import Any, Optional, TypeVar

from . import structs
from .decoding import decode
from .errors import STATUS
from .interruption import Interruption
from .rendering import Handle, Rendered, check
from .shuffle import Shuffle

R = TypeVar("R", bound=Rendered)


class Call(Interruption):
    """A call with `options`, made within the context: its status, its error and its result."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.status = 0
        self.error = structs.Error()
        self.result = ctypes.c_void_p()

    def finish(self, kind: type[R], family: str, part: Optional[str] = None, shuffle: Optional[Shuffle] = None) -> R:
        """The result, whose type in C is sb_FAMILY: the first element of the list `part` of its JSON, or all of it. Raises what
        ended the call instead, in the library or in the shuffle."""
        handle = None if self.status else Handle(family, self.result)
        if shuffle:
            shuffle.raise_failure(STATUS[self.status] == "subject")
        check(self.status, self.error)
        assert handle
        found = json.loads(handle.render("json"))
        result = decode(kind, found[part][0] if part else found)
        result._keep(handle)
        return result
