# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of Python as fields of a struct. ctypes cuts numbers that are too large without a word, so they are checked here."""
from __future__ import annotations

import ctypes
import operator
import os
from collections.abc import Mapping
from typing import Any

from .errors import ShufflebiasError


def invalid(name: str, value: Any, remedy: str) -> ShufflebiasError:
    return ShufflebiasError(f"`{name}={value!r}`: {remedy}", "invalid", name, str(value))


def integer(name: str, value: Any, kind: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise invalid(name, value, "give a whole number") from None
    if number < 0 or number >> 8 * ctypes.sizeof(kind):
        raise invalid(name, value, f"give a whole number from 0 to {(1 << 8 * ctypes.sizeof(kind)) - 1:,}")
    return number


def real(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise invalid(name, value, "give a number") from None


def text(name: str, value: Any) -> bytes:
    try:
        encoded = os.fsencode(value)  # also a path
    except (TypeError, UnicodeEncodeError):
        raise invalid(name, value, "give a text") from None
    if b"\0" in encoded:  # C would cut the text there
        raise invalid(name, value, "leave out the character 0")
    return encoded


def converted(name: str, value: Any, kind: Any) -> Any:
    if kind is ctypes.c_bool:
        return bool(value)
    if kind is ctypes.c_double:
        return real(name, value)
    if kind is ctypes.c_char_p:
        return text(name, value)
    return integer(name, value, kind)


def fill(struct: ctypes.Structure, values: Mapping[str, Any]) -> None:
    """Sets the fields of these names. A value of None leaves the field as it is."""
    kinds = {field[0]: field[1] for field in struct._fields_}
    for name, value in values.items():
        if value is not None:
            setattr(struct, name, converted(name, value, kinds[name]))
