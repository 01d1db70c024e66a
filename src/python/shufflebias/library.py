# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library, loaded when the first call needs it; its errors; and requests, whose options are set by name."""
from __future__ import annotations

import ctypes
import functools
import operator
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

# The number of the ABI. It changes when a program must be compiled anew.
NAME = "libshufflebias.0.dylib" if sys.platform == "darwin" else "libshufflebias.so.0"
VARIABLE = "SHUFFLEBIAS_LIBRARY"

# enum sb_status of shufflebias.h
STATUS = ("ok", "invalid", "too large", "no memory", "io", "stopped", "subject", "broken")


class ShufflebiasError(Exception):
    """A call failed. `status` is one of STATUS; `field` is the first option that the message names, such as "n", and `value`
    its value; both are "" if the message names none."""

    def __init__(self, message: str, status: str = "invalid", field: str = "", value: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.field = field
        self.value = value


class SubjectError(ShufflebiasError):
    """The shuffle under test failed: it raised an exception, or its result is no permutation of the items."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "subject")


# sb_own_shuffle(items, n, size, state) and sb_drawn_shuffle(items, n, size, draws, state) return 0, or another value if they fail
OwnShuffle = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t, c_void_p)
DrawnShuffle = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p)
# sb_event(state, event, text, done, total) returns 0, or another value to stop the run
Event = CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, c_uint64, c_uint64)

# The functions of shufflebias.h. name: (result, arguments)
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "sb_version": (c_char_p, []),
    "sb_request_new": (c_void_p, [c_char_p]),
    "sb_request_free": (None, [c_void_p]),
    "sb_set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "sb_set_shuffle": (None, [c_void_p, OwnShuffle, c_void_p]),
    "sb_set_draws": (None, [c_void_p, DrawnShuffle, c_void_p]),
    "sb_on": (None, [c_void_p, Event, c_void_p]),
    "sb_stop": (None, [c_void_p]),
    "sb_option": (c_char_p, [c_void_p, c_char_p]),
    "sb_status": (c_int, [c_void_p]),
    **{name: (c_char_p, [c_void_p]) for name in ("sb_error", "sb_error_option", "sb_error_value", "sb_result_error")},
    "sb_run": (c_void_p, [c_void_p]),
    "sb_next": (POINTER(c_uint32), [c_void_p]),
    "sb_result_free": (None, [c_void_p]),
    "sb_look": (c_bool, [c_void_p, c_char_p, c_char_p]),
    "sb_text": (c_void_p, [c_void_p, c_char_p, POINTER(c_size_t)]),
    "sb_draws_below": (c_uint32, [c_void_p, c_uint32]),
    "sb_draws_uniform": (c_double, [c_void_p]),
}


def from_pkg_config() -> Iterator[str]:
    """The path that pkg-config knows, for a library in a folder where the loader does not look."""
    command = ["pkg-config", "--variable=libdir", "shufflebias"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return
    yield os.path.join(done.stdout.strip(), NAME)


def candidates() -> Iterator[str]:
    yield NAME
    yield from from_pkg_config()


class Handle(c_void_p):
    """An object of the library; false if it is NULL."""


def owner(free: Any) -> type[Handle]:
    """The class of the objects that a function of the library frees. They are made and freed without an instruction of Python, because
    the handler of a signal might run before each of these, and Python drops the exceptions of destructors."""
    method = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(("PyInstanceMethod_New", ctypes.pythonapi))
    return type("Owner", (Handle,), {"__del__": method(free)})


def load(path: str) -> ctypes.CDLL:
    """AttributeError: the library lacks a function."""
    library = ctypes.CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    library.sb_request_new.restype = owner(library.sb_request_free)
    library.sb_run.restype = owner(library.sb_result_free)
    return library


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, loaded once. ImportError says how to get it."""
    named = os.environ.get(VARIABLE)
    if named:
        try:
            return load(named)
        except (OSError, AttributeError) as error:
            raise ImportError(f"{VARIABLE}={named}: {error}: name the file {NAME} of shufflebias") from None
    failures = []
    for path in candidates():
        try:
            return load(path)
        except OSError:
            continue
        except AttributeError as error:  # another version, which lacks a function
            failures.append(str(error))
    raise ImportError(
        f"{failures[0]}: install the library of the same version as this package" if failures else
        f"{NAME} was not found: install shufflebias (docs/install.md), or name the file in the environment variable {VARIABLE}")


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


def converted(name: str, value: Any) -> bytes:
    """A value as the text that the command line would have. The library says what is wrong with it."""
    try:
        if isinstance(value, (str, bytes, os.PathLike)):
            word = os.fsencode(value)
        else:
            number = float(value) if not hasattr(value, "__index__") else operator.index(value)
            word = str(int(number) if number == int(number) else number).encode()
    except (TypeError, ValueError, OverflowError):
        raise invalid(name, value, "give a number or a text") from None
    if b"\0" in word:  # C would cut the text there
        raise invalid(name, value, "leave out the character 0")
    return word


class Request:
    def __init__(self, command: str, values: Mapping[str, Any]) -> None:
        self._as_parameter_: Handle = library().sb_request_new(command.encode())  # what ctypes passes for the request
        if not self._as_parameter_:
            raise MemoryError
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
