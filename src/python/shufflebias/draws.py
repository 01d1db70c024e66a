# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's random numbers, answered by a proof.

All methods of random.Random in Python come down to three: random(), getrandbits() and _randbelow(). They are replaced in the
class, so that each generator that exists takes its draws from the proof, also that of `from random import shuffle`, of the module
`secrets`, and generators with a seed. random.random and random.getrandbits of the module are replaced, too, because they are
methods in C of one generator.
"""
from __future__ import annotations

import contextlib
import ctypes
import inspect
import random
import threading
from collections.abc import Callable, Iterator
from typing import Any, Optional

from .errors import SubjectError

MISSING = object()
# The classes of the module random are the same in all threads, so only one thread proves at a time. A proof may call a function that
# proves another one.
PROVING = threading.RLock()
BITS_MOST = 31  # a bound of the library is below 2^32


class Abandoned(BaseException):
    """Ends a shuffle that draws indefinitely. It is no Exception, so that the shuffle under test does not catch it."""


class Draws:
    """Answers the draws of one shuffle after another."""

    def __init__(self, library: ctypes.CDLL, most: int) -> None:
        self.library = library
        self.most = most  # draws in one shuffle
        self.pointer: Optional[int] = None
        self.asked = 0
        self.asked_ever = False
        self.refused: Optional[SubjectError] = None  # a draw with too many answers; the shuffle may catch the exception

    def begin(self, pointer: Optional[int]) -> None:
        """The next shuffle takes its draws from struct sb_draws at `pointer`."""
        self.pointer = pointer
        self.asked = 0

    def count(self) -> None:
        self.asked += 1
        self.asked_ever = True
        if self.asked > self.most:
            raise Abandoned

    def refuse(self, what: str) -> SubjectError:
        self.refused = SubjectError(f"{what} has too many answers to prove: use gate()")
        return self.refused

    def uniform(self) -> float:
        self.count()
        answer: float = self.library.sb_draws_uniform(self.pointer)
        return answer

    def below(self, bound: int) -> int:
        if bound <= 0:
            return 0  # as CPython's _randbelow() does
        if bound >= 1 << (BITS_MOST + 1):
            raise self.refuse(f"a draw of {bound:,} values")
        self.count()
        answer: int = self.library.sb_draws_below(self.pointer, bound)
        return answer

    def bits(self, count: int) -> int:
        if count > BITS_MOST:
            raise self.refuse(f"getrandbits({count})")
        return self.below(1 << count) if count else 0


@contextlib.contextmanager
def answered(draws: Draws) -> Iterator[None]:
    """During the context, all draws of the modules random and secrets are those of a proof."""
    methods: dict[str, Callable[..., Any]] = {
        "random": lambda _: draws.uniform(),
        "getrandbits": lambda _, k: draws.bits(k),
        "_randbelow": lambda _, n: draws.below(n),
    }
    replacements: list[tuple[Any, str, Callable[..., Any]]] = [
        (owner, name, method) for owner in (random.Random, random.SystemRandom) for name, method in methods.items()]
    replacements += [(random, "random", draws.uniform), (random, "getrandbits", draws.bits)]
    with PROVING:
        kept = [(owner, name, vars(owner).get(name, MISSING)) for owner, name, _ in replacements]
        try:
            for owner, name, replacement in replacements:
                setattr(owner, name, replacement)
            yield
        finally:
            for owner, name, before in kept:
                if before is MISSING:
                    delattr(owner, name)
                else:
                    setattr(owner, name, before)


def takes_generator(function: Callable[..., Any]) -> bool:
    """Whether the function takes a random.Random as its second argument: one named `rng`, or one without a default."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1:2]
    except (TypeError, ValueError):  # of a function in C
        return False
    return any(parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
               and (parameter.name == "rng" or parameter.default is parameter.empty) for parameter in parameters)
