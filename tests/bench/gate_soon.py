#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many permutations the gate needs until its verdict: the figures of gate_soon.md.

    gate_soon.py PROGRAM [SEEDS]      the seeds 1 to 20

Prints the median, the quartiles, the smallest and the largest number, and the largest median that is allowed. The exit status is 1
if a median is larger, or if a run has another verdict.
"""
import contextlib
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile

PROGRAM, SEEDS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
LOTTERY = "- --sets --deal 6 -n 49 --base 1 --limit 2e5"


def heavy_ball(generator):
    """Ball 17 is 10% too likely: a ball that is drawn already is drawn anew."""
    weights = [1.1 if ball == 17 else 1 for ball in range(1, 50)]
    reach = list(itertools.accumulate(weights))
    while True:
        draw = set()
        while len(draw) < 6:
            draw.update(generator.choices(range(1, 50), cum_weights=reach, k=1))
        yield draw


def last_set_again(generator):
    """One draw in 200 is the draw before."""
    draw = None
    while True:
        draw = draw if draw and generator.random() < 1 / 200 else generator.sample(range(1, 50), 6)
        yield draw


CASES = [  # the command, the verdict, the most permutations of the median, who draws if it is not a scheme
    ("sattolo -n 52", "fail", 20, None),
    ("sort-insertion -n 52", "fail", 20, None),
    ("riffle:7 -n 52", "fail", 300, None),
    ("fisher-yates-stops-early -n 52", "fail", 700, None),
    ("naive -n 52", "fail", 2500, None),
    ("fisher-yates/modulo:8 -n 52", "fail", 40000, None),
    ("naive -n 3 --alpha 1e-6", "fail", 4000, None),
    ("fisher-yates -n 3", "pass", 45000, None),
    ("fisher-yates-original/modulo:8 -n 20 --deal 4 --sets --max-bias 0.001", "fail", 150000, None),
    (LOTTERY + " --max-bias 0.001", "fail", 150000, heavy_ball),
    (LOTTERY, "fail", 3000, last_set_again),
]


def gate(words, seed, draws):
    command = [PROGRAM, "gate", *words.split(), "--format", "json", *([] if draws else ["--seed", str(seed)])]
    with tempfile.TemporaryFile("w+") as found:  # a pipe could be full while the gate does not read
        with contextlib.suppress(BrokenPipeError), subprocess.Popen(command, stdin=subprocess.PIPE, stdout=found, text=True) as child:
            for draw in draws(random.Random(seed)) if draws else ():
                child.stdin.write("%s\n" % " ".join(map(str, sorted(draw))))
        found.seek(0)
        return json.load(found)["gates"][0]


well = True
for words, verdict, most, draws in CASES:
    found = [gate(words, seed, draws) for seed in range(1, SEEDS + 1)]
    totals = sorted(one["total"] for one in found)
    first, middle, third = statistics.quantiles(totals, n=4, method="inclusive") if SEEDS > 1 else totals * 3
    fine = middle <= most and all(one["verdict"] == verdict for one in found)
    well = well and fine
    print("%s  %-70s %-14s %s after %8.1f, quartiles %8.1f and %8.1f, %d to %d; limit %d"
          % ("ok  " if fine else "MISS", words, draws.__name__ if draws else "", verdict.upper(), middle, first, third, totals[0], totals[-1], most),
          flush=True)
sys.exit(not well)
