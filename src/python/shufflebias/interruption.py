# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C during a call of the library.

Python runs the handler of a signal only between its own instructions, which are those of callbacks here. An exception must not
leave a callback. So the handler raises the library's stop flag, and raises KeyboardInterrupt only within the shuffle under test,
whose caller keeps it. A library that works without callbacks of its own reports its progress now and then.
"""
from __future__ import annotations

import ctypes
import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Optional, TypeVar

from . import structs
from .shuffle import Shuffle

I = TypeVar("I", bound="Interruption")
RUN = Shuffle.run.__code__


def within_shuffle(frame: Optional[FrameType]) -> bool:
    while frame and frame.f_code is not RUN:
        frame = frame.f_back
    return frame is not None


class Interruption:
    """The stop flag and the progress of a call with `options`, a struct that has both. On exit from the context, Ctrl-C becomes
    KeyboardInterrupt. Other threads than the main one get no signals, and a handler of the program's own stays."""

    def __init__(self, options: Any) -> None:
        self.stop = ctypes.c_int(0)
        self.interrupted = False
        self.installed = False
        self.progress = structs.Progress(lambda *_: None)
        options.stop = ctypes.pointer(self.stop)
        options.progress = self.progress

    def handle(self, _number: int, frame: Optional[FrameType]) -> None:
        self.interrupted = True
        self.stop.value = 1
        if frame and within_shuffle(frame.f_back):
            raise KeyboardInterrupt

    def __enter__(self: I) -> I:
        if (threading.current_thread() is threading.main_thread()
                and signal.getsignal(signal.SIGINT) is signal.default_int_handler):
            signal.signal(signal.SIGINT, self.handle)
            self.installed = True
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self.installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.interrupted and kind is None:
            raise KeyboardInterrupt
