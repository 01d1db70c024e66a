# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds and loads the shared library, when the first call needs it."""
from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import sys
from collections.abc import Iterator

from . import structs

# The number of the ABI. It changes when a program must be compiled anew.
NAME = "libshufflebias.0.dylib" if sys.platform == "darwin" else "libshufflebias.so.0"
VARIABLE = "SHUFFLEBIAS_LIBRARY"


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
    library = ctypes.CDLL(path)
    structs.declare(library)
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
