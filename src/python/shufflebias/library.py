# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds and loads the shared library, when the first call needs it."""
from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

# The number of the ABI. It changes when a program must be compiled anew.
NAME = "libshufflebias.0.dylib" if sys.platform == "darwin" else "libshufflebias.so.0"
VARIABLE = "SHUFFLEBIAS_LIBRARY"

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


def load(path: str) -> ctypes.CDLL:
    """AttributeError: the library lacks a function."""
    library = ctypes.CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
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
