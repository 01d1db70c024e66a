# SPDX-License-Identifier: GPL-3.0-or-later
"""Attributes of modules and classes that a call replaces while it runs."""
from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

MISSING = object()
Make = Callable[[Any], Any]  # makes the replacement of an attribute from its value


class Replacements:
    """Attributes, as (owner, name, make), that stay replaced while at least one thread is within the context. The replacements must
    work as before for all threads that are not, because these see the replacements too, and may keep them for later."""

    def __init__(self, attributes: Sequence[tuple[Any, str, Make]]) -> None:
        self.attributes = attributes
        self.lock = threading.RLock()  # a signal's handler may make a call of its own
        self.users = 0
        self.replaced: list[tuple[Any, str, Any, Any]] = []

    def __enter__(self) -> None:
        with self.lock:
            self.users += 1
            if self.users > 1:
                return
            self.replaced = [(owner, name, vars(owner).get(name, MISSING), make(getattr(owner, name)))
                             for owner, name, make in self.attributes]
            for owner, name, _, replacement in self.replaced:
                setattr(owner, name, replacement)

    def __exit__(self, *_: Any) -> None:
        with self.lock:
            self.users -= 1
            if self.users:
                return
            for owner, name, before, replacement in self.replaced:
                if vars(owner).get(name) is not replacement:
                    continue  # the program has replaced it meanwhile
                if before is MISSING:
                    delattr(owner, name)
                else:
                    setattr(owner, name, before)
