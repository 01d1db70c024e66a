#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gates on many items: the permutations until FAIL, and the time and the memory of fair streams.

Usage: large.py SHUFFLEBIAS [SEEDS [N]]      (20 seeds, n = 100,000; the fair streams have n = 100,000 and 1,000,000)
"""
import json
import os
import statistics
import subprocess
import sys
import time

PROGRAM = sys.argv[1]
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
ITEMS = int(float(sys.argv[3])) if len(sys.argv) > 3 else 100000
SUBJECTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/subjects")


def total(*words):
    """The permutations until the gate fails."""
    done = subprocess.run([PROGRAM, "gate", "--limit", "200", "--format", "json", *words], stdout=subprocess.PIPE, check=False)
    gate = json.loads(done.stdout)["gates"][0]
    assert gate["verdict"] == "fail", gate["sentence"]
    return gate["total"]


def faults():
    def command(name, *arguments):
        return lambda seed: total("--", sys.executable, os.path.join(SUBJECTS, name), str(ITEMS), *arguments, str(seed))

    yield "naive", lambda seed: total("naive", "-n", str(ITEMS), "--seed", str(seed))
    yield "sattolo", lambda seed: total("sattolo", "-n", str(ITEMS), "--seed", str(seed))
    yield "riffle:7", lambda seed: total("riffle:7", "-n", str(ITEMS), "--seed", str(seed))
    for share in 100, 10, 2:
        yield "buffer of n/%d" % share, command("buffer_shuffle.py", str(ITEMS // share))
        yield "chunks of n/%d" % share, command("chunk_shuffle.py", str(ITEMS // share))


def fair(n, permutations):
    start = time.monotonic()
    done = subprocess.Popen([PROGRAM, "gate", "fisher-yates", "-n", str(n), "--limit", str(permutations), "--quiet"],
                            stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    print("gate fisher-yates, n = %s, %d permutations: %.1f s of processor time, %.1f s, %.0f MB" %
          (format(n, ","), permutations, usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1000))


for what, run in faults():
    took = sorted(run(seed) for seed in range(1, SEEDS + 1))
    print("%s, n = %s: FAIL after %d to %d permutations, median %g" %
          (what, format(ITEMS, ","), took[0], took[-1], statistics.median(took)), flush=True)
if ITEMS >= 100000:
    for n in 100000, 1000000:
        fair(n, 1)
        fair(n, 100)
