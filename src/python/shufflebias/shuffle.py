# SPDX-License-Identifier: GPL-3.0-or-later
"""A Python function as the shuffle under test.

The library calls it with the address of n numbers of 16 bits. The function gets a fresh list, and its result is written back. An
exception must not leave a callback of ctypes, so it is kept, and raised after the library has returned.
"""
from __future__ import annotations

import ctypes
import inspect
import itertools
import reprlib
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Optional, Union

from .library import OwnShuffle, Request, ShufflebiasError, SubjectError, integer, invalid, library

Function = Callable[..., Any]
ITEMS_MOST = 65536  # a number has 16 bits
Scheme = str


class Items:
    """Items that differ by value, or by identity if they cannot be the keys of a dictionary."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.order = list(items)
        self.key: Callable[[Any], Any] = lambda item: item
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


def name_of(function: Function) -> str:
    """"random.Random.shuffle" or "Deck.shuffle", as people know it."""
    name = getattr(function, "__qualname__", None) or type(function).__name__
    module = getattr(function, "__module__", None)
    return name if module in (None, "__main__", "builtins") or "<" in name else f"{module}.{name}"


def coroutine_message(name: str) -> str:
    return f"{name}: it is a coroutine: pass a function that returns when the deck is shuffled, " \
           "such as lambda deck: asyncio.run(shuffle(deck))"


class Shuffle:
    """The function under test. `deal` is how many cards it deals, `items` what it shuffles in place of the numbers 0 to n-1."""

    def __init__(self, function: Function, n: int, deal: int = 0, items: Optional[Sequence[Any]] = None,
                 chained: bool = False, name: Optional[str] = None) -> None:
        if not callable(function):
            raise TypeError(f"{function!r} is not a function: pass a function that shuffles a list")
        if n > ITEMS_MOST:
            raise ShufflebiasError(f"`n={n}`: a function has at most {ITEMS_MOST:,} items", "too large", "n", str(n))
        self.function = function
        self.name = name_of(function) if name is None else name
        if inspect.iscoroutinefunction(function):
            raise SubjectError(coroutine_message(self.name))
        self.chained = chained
        self.n, self.deal = n, deal or n
        self.items = Items(range(n) if items is None else items)
        self.plain = items is None and self.deal == n
        self.pack_into = struct.Struct(f"{n}H").pack_into
        self.called = 0
        self.result: Any = None
        self.failure: Optional[BaseException] = None
        self.interrupted: Sequence[BaseException] = ()  # exceptions that end the call, of handlers of signals

    def call(self, address: int, *arguments: Any) -> int:
        """Shuffles the numbers at `address`. Returns 0, or 1 if the function failed."""
        __tracebackhide__ = True  # pytest shows the function alone
        numbers = (ctypes.c_uint16 * self.n).from_address(address)
        order = self.items.order
        self.called += 1
        deck = [order[i] for i in numbers] if self.chained else order.copy()
        try:
            self.result = result = self.run(deck, arguments)
        except BaseException as error:  # among them that of a signal's handler
            self.failure = error
            return 1
        try:
            # The usual case, a list of n numbers, is one call. The library checks that each item occurs once.
            self.pack_into(numbers, 0, *(result if self.plain else self.numbered(result)))
        except (struct.error, TypeError):
            self.failure = SubjectError(self.complaint() or f"{self.name}: the items of its result are of another type")
            return 1
        except Exception as error:  # a result of any type may raise anything
            self.failure = error
            return 1
        return 0

    def run(self, deck: list[Any], arguments: Sequence[Any]) -> Any:
        """What the function returned, or the deck. The handlers of signals raise exceptions here, and nowhere else in a call."""
        __tracebackhide__ = True
        if self.interrupted:  # between two shuffles
            raise self.interrupted[-1]
        result = self.function(deck, *arguments)
        if result is None:
            return deck
        if isinstance(result, (set, frozenset)):
            raise SubjectError(f"{self.name}: it returned a {type(result).__name__}, which has no order: return a list")
        if isinstance(result, (list, tuple, str, bytes)) or not isinstance(result, Iterable) or inspect.isawaitable(result):
            return result
        # The code of a generator or of another iterator is part of the shuffle: it may raise, and may never end.
        return list(itertools.islice(result, self.n + 1))

    def numbered(self, result: Iterable[Any]) -> list[Any]:
        """The numbers of the items of a result. The cards that stay in the deck follow a deal in their order."""
        numbers = [self.items.number(item) for item in result]
        if len(numbers) == self.deal:
            dealt = set(numbers)
            numbers += [i for i in range(self.n) if i not in dealt]
        return numbers

    def complaint(self) -> Optional[str]:
        """What is wrong with the last result; None if it is a permutation of the items."""
        where, result = f"{self.name}, shuffle {self.called}", self.result
        if inspect.isawaitable(result):
            if inspect.iscoroutine(result):
                result.close()  # so that Python does not warn that it was never awaited
            return coroutine_message(self.name)
        if isinstance(result, (str, bytes)) or not isinstance(result, Iterable):
            return f"{where}: it returned {reprlib.repr(result)}: return the shuffled list, or None if it was changed in place"
        seen: set[int] = set()
        for item in result:
            number = self.items.number(item)
            if number is None or number in seen:
                what = ", which was not in the deck" if number is None else " twice"
                return f"{where}: the result has {reprlib.repr(item)}{what}: keep each item once"
            seen.add(number)
        remedy = "keep each item once" if self.deal == self.n else f"return the {self.deal} dealt, or all {self.n}"
        return None if len(seen) == self.n else f"{where}: the result has {len(seen)} items of {self.n}: {remedy}"

    def raise_failure(self, refused: bool) -> None:
        """Raises what the function raised, or what was wrong with its result; `refused`: the library found that."""
        failure = self.failure
        complaint = self.complaint() if refused and failure is None else None
        if complaint:
            raise SubjectError(complaint)
        if isinstance(failure, Exception) and not isinstance(failure, SubjectError):
            raise SubjectError(f"{self.name}, shuffle {self.called}: it raised {failure!r}") from failure
        if failure is not None:
            raise failure


# The default number of items, as on the command line: of a scheme and of a proof, and of a function.
SCHEME_ITEMS, FUNCTION_ITEMS = 3, 5


def count_of(n: Optional[int], items: Optional[Sequence[Any]], default: int) -> int:
    """How many items there are."""
    if items is None:
        return integer("n", default if n is None else n)
    if n not in (None, len(items)):
        raise ShufflebiasError(f"`n={n}`: there are {len(items)} items: leave n out", "invalid", "n", str(n))
    return len(items)


class Tested:
    """The subject of a request, a function or a scheme, and what must live as long."""

    def __init__(self, request: Request, shuffle: Union[Function, Scheme], n: Optional[int], items: Optional[Sequence[Any]] = None, *,
                 deal: Optional[int] = None, name: Optional[str] = None, chained: bool = False, **scheme: Any) -> None:
        n = count_of(n, items, SCHEME_ITEMS if isinstance(shuffle, str) else FUNCTION_ITEMS)
        if n == 0:
            raise invalid("n", n, "give at least 2 items")
        self.shuffle: Optional[Shuffle] = None
        if isinstance(shuffle, str):
            request.set({"n": n, "deal": deal, "chained": chained, "name": name, **scheme, "scheme": shuffle})
            if items is not None:
                raise ShufflebiasError("items: a scheme shuffles numbers: leave items out", "invalid", "items")
            return
        for field, value in scheme.items():
            if value is not None:
                raise invalid(field, value, "a function draws its own random numbers: leave it out")
        request.set({"deal": deal, "chained": chained, "name": name})
        self.shuffle = function = Shuffle(shuffle, n, request.number("deal"), items, chained, name)
        request.set({"n": n, "name": function.name})
        self.callback = OwnShuffle(lambda address, n, size, state: function.call(address))
        library().sb_set_shuffle(request, self.callback, None)
