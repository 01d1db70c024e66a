# SPDX-License-Identifier: GPL-3.0-or-later
"""A request to the library: a command, whose options are set by name."""
from __future__ import annotations

import ctypes
import functools
import operator
import os
from collections.abc import Mapping
from typing import Any

from .errors import STATUS, ShufflebiasError
from .library import library

REALS = {"alpha", "delta", "exclude", "tolerate"}
FLAGS = {"chained", "counts", "increments"}
TEXTS = {"by", "draw", "ledger", "name", "profile", "rng", "save", "scheme", "statistic", "statistics"}


def invalid(name: str, value: Any, remedy: str) -> ShufflebiasError:
    return ShufflebiasError(f"`{name}={value!r}`: {remedy}", "invalid", name, str(value))


def integer(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise invalid(name, value, "give a whole number") from None
    if number < 0 or number >> 64:
        raise invalid(name, value, f"give a whole number from 0 to {(1 << 64) - 1:,}")
    return number


def real(name: str, value: Any) -> str:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise invalid(name, value, "give a number") from None
    return f"{number:.17g}" if number != float(f"{number:.15g}") else f"{number:.15g}"


def text(name: str, value: Any) -> bytes:
    try:
        encoded = os.fsencode(value)  # also a path
    except (TypeError, UnicodeEncodeError):
        raise invalid(name, value, "give a text") from None
    if b"\0" in encoded:  # C would cut the text there
        raise invalid(name, value, "leave out the character 0")
    return encoded


def converted(name: str, value: Any) -> bytes:
    """A value as the text that the command line would have."""
    if name in TEXTS:
        return text(name, value)
    if name in REALS:
        return real(name, value).encode()
    return str(int(bool(value)) if name in FLAGS else integer(name, value)).encode()


class Handle:
    """An object of the library. Its class has a `__del__` that frees the object: owner()."""

    def __init__(self, address: int) -> None:
        self._as_parameter_ = ctypes.c_void_p(address)  # what ctypes passes for the handle


@functools.lru_cache(maxsize=None)
def owner(free: str) -> type[Handle]:
    """The class of the objects that a function of the library frees. Its `__del__` is a function in C: if Python ran
    instructions to free an object, the handler of a signal might run between them, and Python drops the exceptions of destructors."""
    method = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(("PyInstanceMethod_New", ctypes.pythonapi))
    return type("Owner", (Handle,), {"__del__": method(getattr(library(), free))})


class Request:
    def __init__(self, command: str, values: Mapping[str, Any]) -> None:
        address = library().sb_request_new(command.encode())
        if not address:
            raise MemoryError
        self.handle = owner("sb_request_free")(address)
        self._as_parameter_ = self.handle._as_parameter_
        self.set(values)

    def set(self, values: Mapping[str, Any]) -> None:
        """Sets options. A value of None leaves the option as it is."""
        for name, value in values.items():
            if value is not None and library().sb_set(self, name.encode(), converted(name, value)):
                self.fail()

    def number(self, name: str) -> int:
        """The value of an option that is a whole number, or its default."""
        return int(float(library().sb_option(self, name.encode()) or 0))

    def status(self) -> str:
        return STATUS[library().sb_status(self)]

    def fail(self) -> None:
        """Raises the error of the last call."""
        line, name, value = (getattr(library(), function)(self).decode(errors="replace")
                             for function in ("sb_error", "sb_error_option", "sb_error_value"))
        raise ShufflebiasError(line, self.status(), name, value)
