#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How soon the gate fails a fair shuffle whose generator is seeded again from few seeds: the table in reseeding.md.

    reseeding.py PROGRAM ... [--seeds N] [--items N ...] [--limit N]

Each start takes one of the seeds, and deals a number of decks. Prints for each case and program the median of the decks before the first
start that repeats one, how many gates fail, and the median of the decks until then.
"""
import argparse
import json
import random
import statistics
import subprocess

CASES = {  # seeds, decks of each start, whether only the first deck comes from the seed
    "one of 365 seeds every 100 decks": (365, 100, False),
    "one of 86,400 seeds every 10 decks": (86400, 10, False),
    "one of 32,768 seeds every 20 decks": (32768, 20, False),
    "the same seed every 50 decks": (1, 50, False),
    "the same first deck every 50 decks": (1, 50, True),
}


def deal(items, case, seed, limit):
    """The decks as bytes, and how many come before the first start that repeats one."""
    seeds, every, first = CASES[case]
    starts, fresh, known, stream, before = random.Random("starts %d" % seed), random.Random("fresh %d" % seed), {}, bytearray(), None
    deck = list(range(items))
    while len(stream) < limit * items:
        start = starts.randrange(seeds)
        if start in known and before is None:
            before = len(stream) // items
        if start not in known:
            seeded = random.Random("%d %d" % (seed, start))
            known[start] = b"".join(bytes(seeded.sample(deck, items)) for _ in range(1 if first else every))
        stream += known[start]
        if first:
            stream += b"".join(bytes(fresh.sample(deck, items)) for _ in range(every - 1))
    return bytes(stream[: limit * items]), before


def judge(program, items, stream):
    done = subprocess.run([program, "gate", "--input", "u8", "-n", str(items), "--format", "json", "-"], input=stream, stdout=subprocess.PIPE,
                          check=False)
    found = json.loads(done.stdout)["gates"][0]
    return found["total"] if found["verdict"] == "fail" else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="+")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--items", type=int, nargs="*", default=[5, 8, 52])
    parser.add_argument("--limit", type=int, default=150000)
    options = parser.parse_args()
    print("| items | seeded with | first start again after | gates that fail | after decks, median |\n|---|---|---|---|---|")
    for items in options.items:
        for case in CASES:
            found, again = [[] for _ in options.program], []
            for seed in range(1, options.seeds + 1):
                stream, before = deal(items, case, seed, options.limit if items <= 8 else 20000)
                again.append(before)
                for k, program in enumerate(options.program):
                    found[k].append(judge(program, items, stream))
            for totals in found:
                failed = [total for total in totals if total]
                print("| %d | %s | %s | %d of %d | %s |" % (items, case, format(int(statistics.median(again)), ","), len(failed), len(totals),
                                                      format(int(statistics.median(failed)), ",") if failed else "-"), flush=True)


main()
