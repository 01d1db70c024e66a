#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names for shuffles that are in no catalogue: a gate may say what such a shuffle looks like only if it is true.

    named_outsiders.py SHUFFLEBIAS SOURCE OUTSIDERS [-n N] [--seeds S] [--table]

OUTSIDERS is the program of outsiders.c, which shares no code with shufflebias. The gate judges each of its shuffles with the seeds
1 to S, of 4 and of 52 items, or of N. A name is wrong if it is stated as a fact (`sure`), and 10^6 further decks of four items reject
its law by chi-square at 10^-6; of more items, any name stated as a fact counts as wrong. The program fails if more than one run in
100 has a wrong name. With three seeds, as in the test suite, that is one run of 120. --table prints the table of tests/bench/names.md.
"""
import argparse
import collections
import itertools
import json
import statistics
import subprocess
import sys
from fractions import Fraction

FORMS = {"plain": lambda deck: deck, "inverted": lambda deck: inverse(deck), "reversed": lambda deck: deck[::-1],
         "inverted and reversed": lambda deck: inverse(deck)[::-1]}


def inverse(deck):
    return tuple(sorted(range(len(deck)), key=deck.__getitem__))


def gate(options, name, n, seed):
    with subprocess.Popen([options.outsiders, name, str(n), str(seed)], stdout=subprocess.PIPE) as decks:
        done = subprocess.run([options.program, "gate", "-n", str(n), "--input", "u8", "--limit", "300000", "--format", "json", "-"],
                              stdin=decks.stdout, capture_output=True, text=True, check=False)
        decks.stdout.close()
        decks.kill()
    if not done.stdout:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["gates"][0]


def law(program, scheme, form, n):
    """The exact law of a scheme as it is printed in this form."""
    done = subprocess.run([program, "report", scheme, "-n", str(n), "--by", "exact", "--all-counts", "--format", "json"],
                          capture_output=True, text=True, check=True)
    evidence = json.loads(done.stdout)["reports"][0]["evidence"]
    shares = [Fraction(int(count), int(evidence["denominator"])) for count in evidence["counts"]]
    return {FORMS[form](deck): share for deck, share in zip(itertools.permutations(range(n)), shares)}


def rejected(options, name, n, looks):
    """Whether 10^6 further decks reject the law of the name. 6 standard deviations of chi-square by Wilson and Hilferty: 1e-9."""
    if n > 4:
        return True
    decks = subprocess.run([options.outsiders, name, str(n), "1000", "1000000"], capture_output=True, check=True).stdout
    count = collections.Counter(decks[i:i + n] for i in range(0, len(decks), n))
    total, square, cells = sum(count.values()), 0.0, 0
    for deck, share in law(options.program, looks["scheme"], looks["form"], n).items():
        seen = count[bytes(deck)]
        if share == 0 and seen:
            return True
        if share:
            square += (seen - total * float(share)) ** 2 / (total * float(share))
            cells += 1
    variance = 2 / (9 * max(1, cells - 1))
    return ((square / max(1, cells - 1)) ** (1 / 3) - 1 + variance) / variance ** 0.5 > 6


def row(options, name, n):
    """The number of runs with a wrong name; prints the row of the table."""
    found = [gate(options, name, n, seed) for seed in range(1, options.seeds + 1)]
    failed = [one for one in found if one["verdict"] == "fail"]
    named = [one["looks_like"] for one in failed if one["looks_like"]]
    sure = [looks for looks in named if looks["sure"]]
    wrong = sum(rejected(options, name, n, looks) for looks in sure)
    common = collections.Counter(" or ".join(f"`{part}`" for part in [looks["scheme"], *looks["others"]]) for looks in named if not looks["sure"])
    may_be = ", ".join(f"{words} {times}" for words, times in common.most_common(2)) or "–"
    facts = ", ".join(f"`{scheme}` {times}" for scheme, times in collections.Counter(looks["scheme"] for looks in sure).most_common()) or "–"
    if options.table or wrong:
        median = f"{statistics.median(one['total'] for one in found):,.0f}"
        print(f"| `{name}` | {n} | {len(failed)} | {median} | {facts} | {len(named) - len(sure)} | {may_be} |", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("source")
    parser.add_argument("outsiders")
    parser.add_argument("-n", type=int)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    names = subprocess.run([options.outsiders], capture_output=True, text=True, check=True).stdout.split()
    if options.table:
        print("| shuffle | n | failures | permutations, median | as a fact | as a possibility | most often |")
        print("|---|---|---|---|---|---|---|")
    sizes = [options.n] if options.n else [4, 52]
    wrong = sum(row(options, name, n) for n in sizes for name in names)
    runs = len(sizes) * len(names) * options.seeds
    print(f"{wrong} wrong names in {runs} runs")
    return wrong * 100 > runs


if __name__ == "__main__":
    sys.exit(main())
