#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares ranks with threads on the same processors, in turn: the seconds of a sample in one process with T threads,
and in T processes that mpirun starts, with one thread each. Both times are without the start, which is measured by
the time for a single deck.

Usage: ranks.py SHUFFLEBIAS [T [TURNS]]
"""
import os
import statistics
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from mpirun import launcher  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
MEMBERS = int(sys.argv[2]) if len(sys.argv) > 2 else len(os.sched_getaffinity(0))
TURNS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
MPIRUN = launcher(PROGRAM)

# Decks side by side, counted by rank; decks of 52 into the matrix; with all statistics of 52 cards; seeds.
WORK = (("naive", "-n", "5", "--by", "sample", "--samples", "1e10"),
        ("naive", "-n", "52", "--by", "sample", "--statistics", "none", "--samples", "2e8"),
        ("naive", "-n", "52", "--by", "sample", "--samples", "3e6"),
        ("naive/modulo/msvc-rand", "-n", "8", "--by", "seeds", "--seeds", "0..49999999"))


def seconds(command):
    began = time.monotonic()
    subprocess.run([*command, "--quiet", "--format", "json", "-o", "/dev/null"], check=True, stdin=subprocess.DEVNULL)
    return time.monotonic() - began


def little(work):
    """The same with one deck."""
    return (*work[:-1], "0..0" if work[-2] == "--seeds" else "1")


def main():
    if MPIRUN is None:
        print("no MPI: skipped")
        sys.exit(77)
    threads = [PROGRAM, "report", "--threads", str(MEMBERS)]
    ranks = [*MPIRUN, "-n", str(MEMBERS), PROGRAM, "report", "--threads", "1"]
    for work in WORK:
        took = {"threads": [], "ranks": []}
        for _ in range(TURNS):
            for name, command in (("threads", threads), ("ranks", ranks)):
                took[name].append(seconds([*command, *work]) - seconds([*command, *little(work)]))
        by_threads, by_ranks = (statistics.median(took[name]) for name in ("threads", "ranks"))
        print("%-60s %d threads %6.2f s, %d ranks %6.2f s, ratio %.3f" % (
            " ".join(work), MEMBERS, by_threads, MEMBERS, by_ranks, by_ranks / by_threads), flush=True)


if __name__ == "__main__":
    main()
