# SPDX-License-Identifier: GPL-3.0-or-later
"""A call of the library, which makes a result; and exceptions meanwhile: Ctrl-C, and those of the program's own handlers of signals.

Python runs the handler of a signal only between its own instructions, which are those of callbacks here. If an exception leaves a
callback, ctypes drops it, and returns an arbitrary number to the library. So during a call, the exception of a handler is kept, and
the library's stop flag is raised. Only within the shuffle under test, whose caller catches it, the exception leaves the handler. The
call raises the exception at its end. A library that works without callbacks of its own reports its progress now and then.
"""
from __future__ import annotations

import contextlib
import inspect
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Optional

from .draws import ANSWERED, Replacements
from .library import Event, Handle, Request, library
from .results import R, result_of
from .shuffle import Shuffle

Handler = Callable[[int, Optional[FrameType]], Any]
RUN = Shuffle.run.__code__


class Innermost(threading.local):
    """The call of the library that this thread is in, the innermost one. It may have ended, if a signal came at its very end."""
    call: Optional[Call] = None

    def active(self) -> Optional[Call]:
        call = self.call
        while call and not call.active:
            call = call.outer
        return call


INNERMOST = Innermost()


def keeping(before: Callable[[Any], Any]) -> Callable[[Any], None]:
    """sys.unraisablehook that keeps what leaves a callback of the library nevertheless: the exception of a handler that the
    shuffle itself installed, or one that another thread raised here with PyThreadState_SetAsyncExc()."""
    def hook(unraisable: Any) -> None:
        call = INNERMOST.active()
        if call and "ctypes callback" in (unraisable.err_msg or "") and not call.tests(inspect.currentframe()):
            call.keep(unraisable.exc_value)
        else:
            before(unraisable)
    return hook


HOOK = Replacements([(sys, "unraisablehook", keeping)])


def shuffles_in(frame: Optional[FrameType]) -> int:
    """How many shuffles under test run in a frame, one within another."""
    count = 0
    while frame:
        count += frame.f_code is RUN
        frame = frame.f_back
    return count


class Call:
    """A run of a request, made within the context: its status and its result. It may test a shuffle. On exit from the context, an
    exception that was kept is raised. Other threads than the main one get no signals. A call within a shuffle under test ends first,
    and then the call that tests the shuffle."""

    def __init__(self, request: Request, shuffle: Optional[Shuffle] = None) -> None:
        self.request = request
        self.shuffle = shuffle
        self.result: Optional[Handle] = None
        self.raised: list[BaseException] = []
        if shuffle:
            shuffle.interrupted = self.raised
        self.handlers: dict[int, Handler] = {}  # those that self.handle() replaces
        self.active = False
        self.depth = 0
        self.undo = contextlib.ExitStack()
        self.outer: Optional[Call] = None
        self.event = Event(lambda *_: 0)  # lets Python run the handlers of signals
        library().sb_on(request, self.event, None)

    def tests(self, frame: Optional[FrameType]) -> bool:
        """Whether a frame belongs to the shuffle that this call tests."""
        return shuffles_in(frame) > self.depth

    def keep(self, error: BaseException) -> None:
        """The call ends with this exception. One from before becomes its context, as that of an exception during its handling."""
        library().sb_stop(self.request)
        if not any(error is kept for kept in self.raised):
            if self.raised:
                error.__context__ = self.raised[-1]
            self.raised.append(error)

    def handle(self, number: int, frame: Optional[FrameType]) -> None:
        """The handler of each signal that has one. A proof does not answer the draws of the program's handler."""
        draws, ANSWERED.draws = ANSWERED.draws, None
        try:
            self.handlers[number](number, frame)
        except BaseException as error:
            if not self.active:
                raise
            self.keep(error)
            if self.tests(frame):
                raise
        finally:
            ANSWERED.draws = draws

    def replace_handlers(self) -> None:
        for number in range(1, signal.NSIG):
            handler: Any = signal.getsignal(number)
            while isinstance(owner := getattr(handler, "__self__", None), Call) and not owner.active:
                handler = owner.handlers[number]  # of a call that has ended, which the program has put back
            if callable(handler):
                self.handlers[number] = handler
                signal.signal(number, self.handle)

    def restore_handlers(self) -> None:
        for number, handler in self.handlers.items():
            try:
                if signal.getsignal(number) == self.handle:  # the shuffle may have installed another one
                    signal.signal(number, handler)
            except BaseException as error:  # of a handler that is back
                self.keep(error)

    def __enter__(self) -> Call:
        self.depth = shuffles_in(inspect.currentframe())
        self.outer, INNERMOST.call = INNERMOST.active(), self
        try:
            if threading.current_thread() is threading.main_thread():
                self.undo.callback(self.restore_handlers)
                self.replace_handlers()
            self.active = True  # from now on, no handler raises an exception here
            self.undo.enter_context(HOOK)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        try:
            self.undo.close()
        finally:  # Python runs handlers after calls of functions, so there are none from here on
            INNERMOST.call, self.active = self.outer, False
            if self.raised:
                raise self.raised[-1]

    def run(self) -> None:
        self.result = library().sb_run(self.request)

    def finish(self, kind: type[R], part: Optional[str] = None) -> R:
        """The result: the first element of the list `part` of its JSON, or all of it. Raises what ended the call instead, in the
        library or in the shuffle."""
        if self.shuffle:
            self.shuffle.raise_failure(self.request.status() == "subject")
        if not self.result:
            self.request.fail()
        assert self.result
        return result_of(kind, self.result, part)


def run(request: Request, kind: type[R], part: Optional[str] = None, shuffle: Optional[Shuffle] = None) -> R:
    """Runs a request."""
    with Call(request, shuffle) as call:
        call.run()
    return call.finish(kind, part)
