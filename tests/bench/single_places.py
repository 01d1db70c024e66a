#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How soon the gate fails a shuffle of 52 cards that is fair but for one place: the table in single_places.md.

    single_places.py PROGRAM [--seeds N] [--limit N] [--sentence] [FAULT ...]

Fair decks come from `shufflebias deal`. Prints for each fault the median of the permutations until FAIL, beside the bound
ln(1/alpha)/KL: what a test that knows the fault beforehand takes.
"""
import argparse
import json
import math
import random
import statistics
import subprocess

ITEMS = 52
ALPHA = 1e-9


def swap(deck, i, j):
    deck[i], deck[j] = deck[j], deck[i]


def sort_pair(i):
    def make(deck, last, draw):
        if deck[i] > deck[i + 1]:
            swap(deck, i, i + 1)
    return make


def sometimes(share, make):
    def perhaps(deck, last, draw):
        if draw.random() < share:
            make(deck, last, draw)
    return perhaps


def sort_three(deck, last, draw):
    deck[:3] = sorted(deck[:3])


def first_not_again(deck, last, draw):
    if last and deck[0] == last[0]:
        swap(deck, 0, draw.randrange(1, ITEMS))


def never_on_top(deck, last, draw):
    if deck[0] == 0:
        swap(deck, 0, draw.randrange(1, ITEMS))


def sticks(deck, last, draw):
    swap(deck, ITEMS - 1, deck.index(ITEMS - 1))


def at_even(deck, last, draw):
    at = deck.index(0)
    if at % 2:
        swap(deck, at, at - 1)


def kl(p, q):
    return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


STICKS = 0.1 + 0.9 / ITEMS
FAULTS = {  # what is done to a fair deck, and the Kullback-Leibler divergence per deck
    "the last two cards sorted": (sort_pair(ITEMS - 2), math.log(2)),
    "the two middle cards sorted": (sort_pair(ITEMS // 2 - 1), math.log(2)),
    "the last two cards sorted in 42% of decks": (sometimes(0.42, sort_pair(ITEMS - 2)), kl(0.71, 0.5)),
    "the first three cards sorted": (sort_three, math.log(6)),
    "the first card never the last deck's first": (first_not_again, kl(0, 1 / ITEMS)),
    "card 1 never on top": (never_on_top, kl(0, 1 / ITEMS)),
    "the bottom card sticks in 10% of decks": (sometimes(0.1, sticks), kl(STICKS, 1 / ITEMS)),
    "card 1 swapped to an odd place": (at_even, math.log(2)),
    "none": (lambda deck, last, draw: None, 0),
}


def judge(program, fault, seed, limit):
    make, draw = FAULTS[fault][0], random.Random("%s %d" % (fault, seed))
    dealt = subprocess.run([program, "deal", "fisher-yates", "-n", str(ITEMS), "--samples", str(limit), "--seed", str(seed), "--format", "u8"],
                           stdout=subprocess.PIPE, check=True).stdout
    stream, last = bytearray(dealt), None
    for t in range(0, len(stream), ITEMS):
        deck = list(stream[t : t + ITEMS])
        make(deck, last, draw)
        last = deck
        stream[t : t + ITEMS] = bytes(deck)
    done = subprocess.run([program, "gate", "--input", "u8", "-n", str(ITEMS), "--limit", str(limit), "--exclude", "0.02", "--format", "json", "-"],
                          input=bytes(stream), stdout=subprocess.PIPE, check=False)
    found = json.loads(done.stdout)["gates"][0]
    return found["verdict"], found["total"], found["sentence"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("fault", nargs="*", default=[fault for fault in FAULTS if fault != "none"])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=int, default=10000)
    parser.add_argument("--sentence", action="store_true")
    options = parser.parse_args()
    print("| fault | bound | gates that fail | permutations, median | times the bound |\n|---|---|---|---|---|")
    for fault in options.fault:
        found = [judge(options.program, fault, seed, options.limit) for seed in range(1, options.seeds + 1)]
        bound = -math.log(ALPHA) / FAULTS[fault][1] if FAULTS[fault][1] else math.inf
        median = int(statistics.median(total for _, total, _ in found))
        print("| %s | %s | %d of %d | %s | %.1f |" % (fault, format(bound, ",.0f"), sum(verdict == "fail" for verdict, *_ in found), options.seeds,
                                                format(median, ","), median / bound), flush=True)
        if options.sentence:
            print(found[0][2])


main()
