# SPDX-License-Identifier: GPL-3.0-or-later
"""A result of the library in any of its formats."""
from __future__ import annotations

import ctypes
import functools
from typing import Any, Optional

from . import structs
from .errors import STATUS, ShufflebiasError
from .library import library


def check(status: int, error: structs.Error) -> None:
    """Raises the error of a call that failed."""
    if status:
        raise ShufflebiasError(error.text.decode(errors="replace"), STATUS[status], error.field.decode(errors="replace"),
                               error.value.decode(errors="replace"))


class Handle:
    """A result of the library. Each family has a class of its own, whose `__del__` frees the result: handle_type()."""
    write: Any

    def __init__(self, address: ctypes.c_void_p) -> None:
        self._as_parameter_ = address  # what ctypes passes for the handle

    def render(self, format: str, look: Optional[structs.Look] = None) -> str:
        error, text, length = structs.Error(), ctypes.c_void_p(), ctypes.c_size_t()
        check(self.write(self, format.encode(), look, error, text, length), error)
        try:
            return ctypes.string_at(text, length.value).decode(errors="replace")
        finally:
            library().sb_text_free(text)


@functools.lru_cache(maxsize=None)
def handle_type(family: str) -> type[Handle]:
    """The class of the results of sb_FAMILY_text(). Its `__del__` is a function in C: if Python ran instructions to free a
    result, the handler of a signal might run between them, and Python drops the exceptions of destructors."""
    method = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(("PyInstanceMethod_New", ctypes.pythonapi))
    free, write = (getattr(library(), f"sb_{family}_{name}") for name in ("free", "text"))
    return type("Handle", (Handle,), {"__del__": method(free), "write": write})


class Rendered:
    """The base of the results, which remember where the library keeps them."""
    _handle: Optional[Handle] = None

    def render(self, format: str = "text", *, figure: Optional[str] = None, unicode: bool = True, colour: bool = False) -> str:
        """The result as "text", "markdown", "json", "html", "svg" or another format of docs/formats.md. A gate also has "junit"
        and "tap", a report also "csv", "junit" and "tap", and a law also "csv". `figure` names the figure of "svg"; `unicode` and
        `colour` say how "text" looks."""
        if self._handle is None:
            raise ValueError("this result is a copy: render the one that the call returned")
        return self._handle.render(format, structs.Look(unicode=unicode, colour=colour, figure=figure and figure.encode()))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_handle"}  # a copy has no handle

    def _keep(self, handle: Handle) -> None:
        object.__setattr__(self, "_handle", handle)  # also of a frozen dataclass
