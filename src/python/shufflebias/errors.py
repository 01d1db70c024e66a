# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong: one line for people, and the status of the library for programs."""
from __future__ import annotations

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
