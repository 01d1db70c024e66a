#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How soon `watch --window` detects a shuffle that becomes naive after FAIR fair permutations: n = 3, alpha = 1e-9.

In 99 of 100 seeds, it may take at most three times as many permutations as the gate needs from a fresh start (the
median over the same seeds).

Usage: watch_soon.py SHUFFLEBIAS [FAIR [SEEDS]]
"""
import json
import re
import statistics
import subprocess
import sys

PROGRAM = sys.argv[1]
FAIR = int(float(sys.argv[2])) if len(sys.argv) > 2 else 10 ** 6
SEEDS = int(sys.argv[3]) if len(sys.argv) > 3 else 100
LATE = 40000


def fresh(seed):
    """How many permutations the gate takes from a fresh start."""
    done = subprocess.run([PROGRAM, "gate", "naive", "--seed", str(seed), "--format", "json"], stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout)["gates"][0]["total"]


def deal(scheme, seed, samples):
    return subprocess.run([PROGRAM, "deal", scheme, "--seed", str(seed), "--samples", str(samples), "--format", "u8"],
                          stdout=subprocess.PIPE, check=True).stdout


def soon(seed):
    """How many permutations it takes."""
    done = subprocess.run([PROGRAM, "watch", "-", "--input", "u8", "-n", "3", "--window"],
                          input=deal("fisher-yates", seed, FAIR) + deal("naive", seed, LATE), capture_output=True, check=False)
    alarms = [int(number.replace(",", "")) for number in re.findall(r"^ALARM after ([0-9,]+) ", done.stderr.decode(), re.M)]
    assert all(number > FAIR for number in alarms), "seed %d: a false alarm" % seed
    return alarms[0] - FAIR if alarms else LATE


gate = sorted(fresh(seed) for seed in range(1, SEEDS + 1))
took = sorted(soon(seed) for seed in range(1, SEEDS + 1))
most = 3 * statistics.median(gate)
well = sum(number <= most for number in took)
for name, numbers in ("after the change", took), ("the gate from a fresh start", gate):
    print("%s: fewest %d, median %g, most %d" % (name, numbers[0], statistics.median(numbers), numbers[-1]))
print("at most %g after the change in %d of %d seeds" % (most, well, SEEDS))
sys.exit(0 if well * 100 >= 99 * SEEDS else 1)
