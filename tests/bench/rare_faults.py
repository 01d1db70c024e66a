#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How soon the gate fails a shuffle of 52 cards that spoils one deck in a thousand: the table in
rare_faults.md.

    rare_faults.py PROGRAM [--seeds N] [--every N] [--limit N] [FAULT ...]

Fair decks come from `shufflebias deal`; the deck t is faulty with probability 1/every. Prints for each fault how many of the gates
fail, and the medians of the permutations and of the faulty decks until then.
"""
import argparse
import json
import random
import statistics
import subprocess

ITEMS = 52


def riffles(decks, t, draw):
    deck = list(range(ITEMS))
    for _ in range(3):
        cut = sum(draw.random() < 0.5 for _ in range(ITEMS))
        left, right, made = deck[:cut], deck[cut:], []
        while left or right:
            made.append((left if draw.random() * (len(left) + len(right)) < len(left) else right).pop(0))
        deck = made
    return deck


def overhand(decks, t, draw):
    rest, made = list(range(ITEMS)), []
    while rest:
        taken = 1
        while taken < len(rest) and draw.random() > 0.2:
            taken += 1
        made, rest = rest[:taken] + made, rest[taken:]
    return made


def swapped(deck, times, draw):
    deck = list(deck)
    for _ in range(times):
        i, j = draw.sample(range(ITEMS), 2)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def cut(deck, draw):
    at = draw.randrange(1, ITEMS)
    return deck[at:] + deck[:at]


FAULTS = {  # how many decks a fault looks back, and the faulty deck
    "three riffles": (0, riffles),
    "one overhand shuffle": (0, overhand),
    "13 transpositions": (0, lambda decks, t, draw: swapped(range(ITEMS), 13, draw)),
    "the last deck, cut": (1, lambda decks, t, draw: cut(list(decks[t - 1]), draw)),
    "the last deck with five swaps": (1, lambda decks, t, draw: swapped(decks[t - 1], 5, draw)),
    "first 13 cards sorted": (0, lambda decks, t, draw: sorted(decks[t][:13]) + list(decks[t][13:])),
    "identity": (0, lambda decks, t, draw: list(range(ITEMS))),
    "the deck 1,000 before": (1000, lambda decks, t, draw: list(decks[t - 1000])),
    "none": (0, None),
}


def judge(program, fault, seed, every, limit):
    back, make = FAULTS[fault]
    draw = random.Random("%s %d" % (fault, seed))
    dealt = subprocess.run([program, "deal", "fisher-yates", "-n", str(ITEMS), "--samples", str(limit), "--seed", str(seed), "--format", "u8"],
                           stdout=subprocess.PIPE, check=True).stdout
    stream, faulty, t = bytearray(dealt), [], -1

    class Decks:
        def __getitem__(self, k):
            return stream[k * ITEMS : (k + 1) * ITEMS]

    while make:
        t += 1 + int(draw.expovariate(1 / (every - 0.5)))
        if t >= limit:
            break
        if t >= back:
            stream[t * ITEMS : (t + 1) * ITEMS] = bytes(make(Decks(), t, draw))
            faulty.append(t + 1)
    done = subprocess.run([program, "gate", "--input", "u8", "-n", str(ITEMS), "--limit", str(limit), "--exclude", "0.02", "--format", "json",
                           "-"], input=bytes(stream), stdout=subprocess.PIPE, check=False)
    found = json.loads(done.stdout)["gates"][0]
    return found["verdict"], found["total"], sum(place <= found["total"] for place in faulty), found["sentence"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("fault", nargs="*", default=list(FAULTS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--every", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=500000)
    parser.add_argument("--sentence", action="store_true")
    options = parser.parse_args()
    print("| one deck in %s is | gates that fail | permutations, median | faulty decks, median | most |\n|---|---|---|---|---|" % format(options.every, ","))
    for fault in options.fault:
        found = [judge(options.program, fault, seed, options.every, options.limit) for seed in range(1, options.seeds + 1)]
        failed = sum(verdict == "fail" for verdict, *_ in found)
        print("| %s | %d of %d | %s | %s | %d |" % (fault, failed, options.seeds, format(int(statistics.median(total for _, total, _, _ in found)), ","),
                                               statistics.median(count for _, _, count, _ in found), max(count for _, _, count, _ in found)), flush=True)
        if options.sentence:
            print(found[0][3])


main()
