# SPDX-License-Identifier: GPL-3.0-or-later
"""The items of a deck, and their numbers 0 to n-1."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Optional

from .errors import ShufflebiasError


def itself(item: Any) -> Hashable:
    hashed: Hashable = item
    return hashed


class Items:
    """Items that differ by value, or by identity if they cannot be the keys of a dictionary."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.order = list(items)
        self.key: Callable[[Any], Hashable] = itself
        try:
            self.numbers = {item: i for i, item in enumerate(self.order)}
        except TypeError:
            self.key = id
            self.numbers = {id(item): i for i, item in enumerate(self.order)}
        if len(self.numbers) < len(self.order):
            twice = next(item for i, item in enumerate(self.order) if self.number(item) != i)
            raise ShufflebiasError(f"items: {twice!r} occurs twice: each item must be different", "invalid", "items")

    def number(self, item: Any) -> Optional[int]:
        """The item's number, or None if it is none of the deck's."""
        try:
            return self.numbers.get(self.key(item))
        except TypeError:  # a list, where items are keys
            return None
