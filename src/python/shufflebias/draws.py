# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's random numbers, answered by a proof.

All methods of random.Random in Python come down to three: random(), getrandbits() and _randbelow(). They are replaced in the
class, so that each generator that exists takes its draws from the proof, also that of `from random import shuffle`, of the module
`secrets`, and generators with a seed. random.random and random.getrandbits of the module are replaced, too, because they are
methods in C of one generator.

The replacements answer only the shuffle that a proof calls. For other threads, and outside of the shuffle, they draw as before.
"""
from __future__ import annotations

import ctypes
import inspect
import random
import threading
from collections.abc import Callable, Sequence
from typing import Any, Optional

from .library import SubjectError

BITS_MOST = 31  # a bound of the library is below 2^32
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


class Abandoned(BaseException):
    """Ends a shuffle that draws indefinitely. It is no Exception, so that the shuffle under test does not catch it."""


class Draws:
    """Answers the draws of one shuffle after another."""

    def __init__(self, library: ctypes.CDLL, most: int) -> None:
        self.library = library
        self.most = most  # draws in one shuffle
        self.pointer: Optional[int] = None  # valid during one shuffle
        self.outer: Optional[Draws] = None  # of the proof whose shuffle calls this proof
        self.asked = 0
        self.asked_ever = False
        self.seed: Any = None  # that the shuffle set
        self.refused: Optional[SubjectError] = None  # a draw with too many answers; the shuffle may catch the exception

    def begin(self, pointer: int) -> None:
        """This thread's shuffle takes its draws from struct sb_draws at `pointer`, until end()."""
        self.pointer, self.asked = pointer, 0
        self.outer, ANSWERED.draws = ANSWERED.draws, self

    def end(self) -> None:
        ANSWERED.draws, self.pointer = self.outer, None

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

    def below(self, n: int) -> int:
        if n <= 0:
            return 0  # as CPython's _randbelow() does
        if n >= 1 << (BITS_MOST + 1):
            raise self.refuse(f"a draw of {n:,} values")
        self.count()
        answer: int = self.library.sb_draws_below(self.pointer, n)
        return answer

    def bits(self, k: int) -> int:
        if k > BITS_MOST:
            raise self.refuse(f"getrandbits({k})")
        return self.below(1 << k) if k else 0

    def seeded(self, a: Any = None, version: int = 2) -> None:
        if a is not None:
            self.seed = a


class Answered(threading.local):
    """The draws of the shuffle that a proof calls in this thread; None at other times."""
    draws: Optional[Draws] = None


ANSWERED = Answered()


def answering(method: Callable[..., Any], skipped: int) -> Make:
    """Replaces a function by method(draws, ...) for a shuffle that a proof calls, without the first `skipped` arguments."""
    def make(before: Callable[..., Any]) -> Callable[..., Any]:
        def draw(*arguments: Any, **named: Any) -> Any:
            draws = ANSWERED.draws
            return before(*arguments, **named) if draws is None else method(draws, *arguments[skipped:], **named)
        return draw
    return make


METHODS: dict[str, Callable[..., Any]] = {"random": Draws.uniform, "getrandbits": Draws.bits, "_randbelow": Draws.below}
# A proof answers the modules random and secrets within this context.
GENERATORS = Replacements([
    *((owner, name, answering(method, 1)) for owner in (random.Random, random.SystemRandom) for name, method in METHODS.items()),
    *((random, name, answering(METHODS[name], 0)) for name in ("random", "getrandbits")),
    (random.Random, "seed", answering(Draws.seeded, 1)), (random, "seed", answering(Draws.seeded, 0))])


def takes_generator(function: Callable[..., Any]) -> bool:
    """Whether the function takes a random.Random as its second argument: one without a default, or `rng=None`. Any other default
    is what the function means, such as rng=random.random."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1:2]
    except (TypeError, ValueError):  # of a function in C
        return False
    return any(parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
               and (parameter.default is parameter.empty or (parameter.name == "rng" and parameter.default is None))
               for parameter in parameters)
