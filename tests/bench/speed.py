#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast whole commands are, beside other programs: the figures of docs/speed.md, docs/bench.md and docs/long-runs.md.

    speed.py PROGRAM [--std STD_SHUFFLE] [--repeat N] [NAME...]      all lines of the table, or those named

A command and its peer run in turn, N times (5), on one thread. Both times are without the start, which is the time of the same
command with next to no work. The medians of nanoseconds of processor time per unit (by the clock where several processors
share the work) are printed, and those of the ratio of neighbours in time. What is not installed is left out; node finds lodash
(npm install lodash) by NODE_PATH.
"""
import argparse
import collections
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../cli"))
from mpirun import launcher  # noqa: E402

# What is timed, for how many units; the command and its peer, in which {} is the number of units; `clock`: wall time.
Line = collections.namedtuple("Line", "name units ours theirs clock", defaults=(None, False))
CPUS = len(os.sched_getaffinity(0))
SAMPLE = "report {} --by sample --statistics none --threads 1 --samples {{}}"

LINES = [
    *(Line(f"ranks of {n} items, std::shuffle", units, SAMPLE.format(f"fisher-yates -n {n}"), f"std {n} {{}}")
      for n, units in ((3, 100000000), (5, 100000000), (8, 30000000), (10, 30000000))),
    Line("decks of 52 into the matrix, NumPy", 3000000, SAMPLE.format("fisher-yates -n 52"), "numpy {}"),
    Line("hands of 9, node's partial shuffle", 30000000, SAMPLE.format("fisher-yates-forward -n 52 --deal 9"), "node partial {}"),
    Line("plain C: decks, lodash's shuffle", 1000000, "bench fisher-yates --decks {}", "node full {}"),
    Line("plain C: hands of 9, node", 3000000, "bench fisher-yates-forward --deal 9 --decks {}", "node partial {}"),
    Line("plain C: inside-out, node", 1000000, "bench inside-out --decks {}", "node inside-out {}"),
    Line("plain C: riffle:7 of 5 items, ranked", 10000000, SAMPLE.format("riffle:7 -n 5")),
    Line("plain C: sort-merge of 5 items, ranked", 10000000, SAMPLE.format("sort-merge -n 5")),
    Line("all statistics of 52 items", 1000000, "report fisher-yates -n 52 --by sample --threads 1 --samples {}"),
    Line("seeds of msvc-rand, 8 items", 10000000, "report fisher-yates/modulo/msvc-rand -n 8 --by seeds --threads 1 --seeds 1..{}"),
    Line("seeds of glibc-rand, 8 items", 3000000, "report fisher-yates/modulo/glibc-rand -n 8 --by seeds --threads 1 --seeds 1..{}"),
    Line("gate on decks of 52 as text", 1000000, "gate FILE.text -n 52 --exclude 0.0001 --limit {}"),
    Line("gate on decks of 52 as bytes", 1000000, "gate FILE.u8 --input u8 -n 52 --exclude 0.0001 --limit {}"),
    Line("exact law of naive, n = 11", 1, "report naive -n 11 --by exact --threads 1"),
    Line("exact matrix of naive, n = 1000", 1, "report naive -n 1000 --by exact --threads 1"),
    *(Line(f"all processors and ranks: {work}", units, f"report {work} --threads {CPUS}", f"mpi report {work} --threads 1", True)
      for work, units in (("naive -n 5 --by sample --samples {}", 10000000000),
                          ("naive -n 52 --by sample --statistics none --samples {}", 200000000),
                          ("naive -n 52 --by sample --samples {}", 3000000),
                          ("naive/modulo/msvc-rand -n 8 --by seeds --seeds 1..{}", 50000000))),
]


def seconds(command, clock):
    """The processor time of the command, or its time by the clock; None where it is not installed."""
    began = time.monotonic()
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    except FileNotFoundError:
        return None
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode == 77:
        return None
    if child.returncode not in (0, 1, 3):
        sys.exit("%s: status %d" % (" ".join(command), child.returncode))
    return time.monotonic() - began if clock else used.ru_utime + used.ru_stime


def measure(command, units, clock):
    """Nanoseconds per unit; None where the command is not installed."""
    full = seconds([word.replace("{}", str(units)) for word in command], clock)
    start = seconds([word.replace("{}", "1") for word in command], clock) if units > 1 else 0
    return None if full is None else (full - start) * 1e9 / units


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--std", default="std_shuffle")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_intermixed_args()
    peers = {"std": [options.std], "numpy": ["/usr/bin/python3", os.path.join(HERE, "numpy_decks.py")],
             "node": ["node", os.path.join(HERE, "node_deal.js")],
             "mpi": (launcher(options.program) or ["no-mpirun"]) + ["-n", str(CPUS), options.program]}
    lines = [line for line in LINES if not options.names or any(name in line.name for name in options.names)]
    print("%-76s %14s %14s %8s" % ("nanoseconds per unit", "ours", "theirs", "ratio"))
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for form in ("text", "u8"):
            if any("FILE." + form in line.ours for line in lines):
                with open(os.path.join(folder, form), "wb") as file:
                    subprocess.run([options.program, *"deal fisher-yates -n 52 --samples 1000000 --output".split(), form], stdout=file, check=True)
        for line in lines:
            ours = [options.program, *line.ours.replace("FILE.", folder + "/").split()]
            peer = peers[line.theirs.split()[0]] + line.theirs.split()[1:] if line.theirs else ["no-peer"]
            times = [(measure(ours, line.units, line.clock), measure(peer, line.units, line.clock)) for _ in range(options.repeat)]
            middle = statistics.median(mine for mine, _ in times)
            if None in times[0]:
                print("%-76s %14.2f" % (line.name, middle), flush=True)
                continue
            print("%-76s %14.2f %14.2f %8.2f" % (line.name, middle, statistics.median(theirs for _, theirs in times),
                                                 statistics.median(theirs / mine for mine, theirs in times)), flush=True)


if __name__ == "__main__":
    main()
