#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares decks and hands with other languages: with node and the founding article's methods, and with NumPy. The
programs run in turn.

Usage: beside.py BENCH_DECKS [REPETITIONS]

Prints the medians of nanoseconds of processor time per deal (of the sampler's by the clock), and of the ratio of neighbours in time. Who is not installed
is left out; lodash (npm install lodash) is found by NODE_PATH.
"""
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NODE = ["node", os.path.join(HERE, "node_deal.js")]
NUMPY = ["/usr/bin/python3", os.path.join(HERE, "numpy_decks.py")]  # where distributions install it
BENCH = [sys.argv[1]]
REPETITIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 5

# what, the peer's command and decks, ours and decks
PAIRS = [
    ("full shuffle, plain C", NODE + ["full", "500000"], BENCH + ["full", "1000000"]),
    ("partial, plain C", NODE + ["partial", "1000000"], BENCH + ["partial", "3000000"]),
    ("inside-out, plain C", NODE + ["inside-out", "500000"], BENCH + ["inside-out", "1000000"]),
    ("partial, side by side and tallied", NODE + ["partial", "1000000"], BENCH + ["tallied-hands", "30000000"]),
    ("the same by the sampler, all threads", NODE + ["partial", "1000000"], BENCH + ["sampled-hands", "100000000"]),
    ("decks of 52 into the matrix, NumPy", NUMPY + ["100000"], BENCH + ["tallied-decks", "3000000"]),
]
PARTS = [NODE + [part, "1000000"] for part in ("draws", "allocate", "fill", "range")]


def measure(command):
    """The figure that the command prints; None where it is not installed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    if done.returncode == 77:
        return None
    done.check_returncode()
    return float(done.stdout)


def main():
    print("%-36s %10s %10s %8s" % ("ns per deal", "theirs", "ours", "ratio"))
    for name, peer, ours in PAIRS:
        times = [(measure(peer), measure(ours)) for _ in range(REPETITIONS)]
        if any(theirs is None for theirs, _ in times):
            print("%-36s left out: not installed" % name)
            continue
        print("%-36s %10.2f %10.2f %8.1f" % (name, statistics.median(t for t, _ in times), statistics.median(t for _, t in times),
                                             statistics.median(theirs / ours for theirs, ours in times)))
    for part in PARTS:
        times = [measure(part) for _ in range(REPETITIONS)]
        if None not in times:
            print("%-36s %10.2f" % ("node's part: " + part[2], statistics.median(times)))


if __name__ == "__main__":
    main()
