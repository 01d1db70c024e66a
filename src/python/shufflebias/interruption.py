# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C during a call of the library.

Python runs the handler of a signal only between its own instructions, which are those of callbacks here. An exception must not
leave a callback. So the handler raises the library's stop flag, and raises KeyboardInterrupt only within the shuffle under test,
whose caller keeps it. A library that works without callbacks of its own reports its progress now and then.
"""
from __future__ import annotations

import ctypes
import inspect
import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Optional, TypeVar

from . import structs
from .shuffle import Shuffle

I = TypeVar("I", bound="Interruption")
RUN = Shuffle.run.__code__


def shuffles_below(frame: Optional[FrameType]) -> int:
    """How many shuffles under test have called for what a frame runs, one within another."""
    count = 0
    while frame:
        frame = frame.f_back
        count += frame is not None and frame.f_code is RUN
    return count


class Interruption:
    """The stop flag and the progress of a call with `options`, a struct that has both. On exit from the context, Ctrl-C becomes
    KeyboardInterrupt. Other threads than the main one get no signals, and a handler of the program's own stays. A call within a
    shuffle under test ends first, and then the call that tests the shuffle."""

    def __init__(self, options: Any) -> None:
        self.stop = ctypes.c_int(0)
        self.interrupted = False
        self.outer: Any = None  # the handler that this one replaces
        self.depth = 0
        self.progress = structs.Progress(lambda *_: None)
        options.stop = ctypes.pointer(self.stop)
        options.progress = self.progress

    def handle(self, _number: int, frame: Optional[FrameType]) -> None:
        self.interrupted = True
        self.stop.value = 1
        if shuffles_below(frame) > self.depth:
            raise KeyboardInterrupt

    def __enter__(self: I) -> I:
        handler = signal.getsignal(signal.SIGINT)
        ours = handler is signal.default_int_handler or isinstance(getattr(handler, "__self__", None), Interruption)
        if ours and threading.current_thread() is threading.main_thread():
            self.depth = shuffles_below(inspect.currentframe())
            self.outer = signal.signal(signal.SIGINT, self.handle)
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self.outer:
            signal.signal(signal.SIGINT, self.outer)
        if self.interrupted and kind is None:
            raise KeyboardInterrupt
