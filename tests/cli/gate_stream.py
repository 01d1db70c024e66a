#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate on what no single permutation shows: decks that come up again, and steps from one to the next.

Usage: gate_stream.py SHUFFLEBIAS SOURCE
"""
import json
import random
import subprocess
import sys
import unittest

PROGRAM = sys.argv[1]


def judge(decks, *options):
    text = "".join(" ".join(map(str, deck)) + "\n" for deck in decks)
    done = subprocess.run([PROGRAM, "gate", "--format", "json", *options, "-"], input=text, capture_output=True,
                          text=True, timeout=100)
    assert done.stdout, done.stderr
    (found,) = json.loads(done.stdout)["gates"]
    return found


def shuffled(n, generator):
    deck = list(range(n))
    generator.shuffle(deck)
    return deck


class Stream(unittest.TestCase):
    def test_a_short_seed(self):
        """16 bits: about 300 decks until one comes up again, and that is enough. The statistics see nothing."""
        seeds = random.Random(2)
        found = judge(shuffled(52, random.Random(seeds.getrandbits(16))) for _ in range(2000))
        self.assertEqual((found["verdict"], found["repeats"]), ("fail", 1))
        self.assertLess(found["total"], 1000)
        self.assertEqual([line["statistic"] for line in found["statistics"] if line["named"]], ["repeat"])
        self.assertIn("a whole deck came up again 1 time,", found["sentence"])

    def test_no_repeats(self):
        seed = random.Random(3)
        found = judge((shuffled(20, seed) for _ in range(1000)), "--limit", "1000")
        self.assertEqual((found["verdict"], found["repeats"]), ("inconclusive", 0))
        (line,) = [line for line in found["statistics"] if line["statistic"] == "repeat"]
        self.assertEqual((line["cells"], line["tv_high"]), (0, None))
        families = {line["statistic"] for line in found["statistics"]}
        self.assertAlmostEqual(line["weight"], 1 / len(families))
        self.assertAlmostEqual(sum(line["weight"] for line in found["statistics"]), 1)
        self.assertIsNone(judge([[0, 1, 2], [1, 2, 0]])["repeats"])

    def test_increments(self):
        """Every second deck has the top card of the one before: each by itself is fair."""
        def decks():
            generator = random.Random(4)
            for _ in range(200):
                deck = shuffled(12, generator)
                rest = deck[1:]
                generator.shuffle(rest)
                yield deck
                yield deck[:1] + rest
        self.assertEqual(judge(decks())["verdict"], "inconclusive")
        found = judge(decks(), "--increments")
        self.assertEqual(found["verdict"], "fail")
        self.assertTrue(any(line["named"] and line["increments"] for line in found["statistics"]))
        self.assertIn("in the step to the next", found["sentence"])

    def test_increments_are_as_chained(self):
        """E of the increments is what a chained stream has."""
        decks = [shuffled(12, random.Random(seed)) for seed in range(500)]
        beside = {(line["statistic"], line["member"]): line["ln_e"]
                  for line in judge(decks, "--increments", "--exclude", "0.3")["statistics"] if line["increments"]}
        chained = {(line["statistic"], line["member"]): line["ln_e"]
                   for line in judge(decks, "--chained", "--exclude", "0.3")["statistics"] if line["statistic"] != "repeat"}
        self.assertEqual(beside, chained)

    def test_whole_permutations(self):
        done = subprocess.run([PROGRAM, "gate", "fisher-yates", "-n", "5", "--deal", "2", "--increments"],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--increments needs whole permutations", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
