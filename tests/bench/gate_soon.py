#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many permutations the gate needs until its verdict: the figures of docs/how-it-decides.md, section "How soon".

    gate_soon.py PROGRAM [SEEDS]      the seeds 1 to 100

Prints the median, the quartiles, the smallest and the largest number, and the largest median that is allowed. The exit status is 1
if a median is larger, or if a run has another verdict.
"""
import json
import statistics
import subprocess
import sys

PROGRAM, SEEDS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100

CASES = [  # the command, the verdict, the most permutations of the median
    ("sattolo -n 52", "fail", 20),
    ("sort-insertion -n 52", "fail", 20),
    ("riffle:7 -n 52", "fail", 300),
    ("fisher-yates-stops-early -n 52", "fail", 700),
    ("naive -n 52", "fail", 2500),
    ("fisher-yates/modulo:8 -n 52", "fail", 40000),
    ("naive -n 3 --alpha 1e-6", "fail", 4000),
    ("fisher-yates -n 3 --exclude 0.02", "pass", 45000),
]


def gate(words, seed):
    done = subprocess.run([PROGRAM, "gate", *words.split(), "--seed", str(seed), "--format", "json"], stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout)["gates"][0]


well = True
for words, verdict, most in CASES:
    found = [gate(words, seed) for seed in range(1, SEEDS + 1)]
    totals = sorted(one["total"] for one in found)
    first, middle, third = statistics.quantiles(totals, n=4, method="inclusive") if SEEDS > 1 else totals * 3
    fine = middle <= most and all(one["verdict"] == verdict for one in found)
    well = well and fine
    print("%s  %-36s %s after %8.1f, quartiles %8.1f and %8.1f, %d to %d; limit %d"
          % ("ok  " if fine else "MISS", words, verdict.upper(), middle, first, third, totals[0], totals[-1], most), flush=True)
sys.exit(not well)
