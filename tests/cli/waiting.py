# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits until a process has reached a state, instead of for a fixed time, so that tests also pass on a busy machine."""
import os
import signal
import time

LONG = 100  # seconds after which it is waited in vain
USUAL = 0.06  # seconds of processor time for the sum below, on a machine of the year 2022


def slowness():
    """How many times more processor time than usual work takes at the moment, beside that of others; at least 1."""
    began = time.process_time()
    sum(i * i for i in range(10 ** 6))
    return max(1, (time.process_time() - began) / USUAL)


def until(holds, what):
    """Waits until it holds."""
    end = time.monotonic() + LONG
    while not holds():
        if time.monotonic() > end:
            raise AssertionError("waited in vain: " + what)
        time.sleep(0.01)


def process_state(number):
    """The fields of /proc/NUMBER/stat behind the name, from the state on; a zombie's where it is gone."""
    try:
        with open("/proc/%d/stat" % number, encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["Z"] + ["0"] * 20


def alive(number):
    """Whether it runs: it may be left as a zombie to a parent that does not look after it."""
    return process_state(number)[0] != "Z"


def listens(number):
    """Whether it handles Ctrl-C, which until then ends it at once: a program with sanitizers takes a while until main()."""
    try:
        with open("/proc/%d/status" % number, encoding="ascii", errors="replace") as file:
            caught = next((int(line.split()[1], 16) for line in file if line.startswith("SigCgt:")), 0)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return bool(caught >> signal.SIGINT - 1 & 1)


def until_listens(number):
    """Waits until it handles Ctrl-C, or it has ended."""
    until(lambda: not alive(number) or listens(number), "it does not handle Ctrl-C")


def until_asleep(child):
    """Waits until it handles Ctrl-C and waits: whoever has something to read is awake as soon as it was written."""
    until_listens(child.pid)
    until(lambda: process_state(child.pid)[0] in "SZ", "it does not come to rest")


def until_worked(child, seconds):
    """Waits until it handles Ctrl-C and all its threads together have had so much of processors, or it has ended."""
    def worked():
        state = process_state(child.pid)
        return state[0] == "Z" or int(state[11]) + int(state[12]) >= seconds * os.sysconf("SC_CLK_TCK")
    until_listens(child.pid)
    until(worked, "it does not work")


def interrupt_until_it_ends(child):
    """Ctrl-C as often as it takes; those that come within a quarter of a second after the first one do not count."""
    end = time.monotonic() + LONG
    while child.poll() is None:
        if time.monotonic() > end:
            raise AssertionError("waited in vain: it does not end")
        child.send_signal(signal.SIGINT)
        time.sleep(0.3)
