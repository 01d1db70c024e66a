#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single unlikely decks and steps: what a gate says of them, and that its evidence resumes.

    gate_outliers.py PROGRAM SOURCE
"""
import json
import math
import os
import random
import string
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]


def shuffled(items, generator):
    deck = list(items)
    generator.shuffle(deck)
    return deck


def text(decks):
    return "".join(" ".join(map(str, deck)) + "\n" for deck in decks)


def run(*arguments, decks=None):
    return subprocess.run([PROGRAM, "gate", *arguments], input=None if decks is None else text(decks), capture_output=True, text=True)


def judge(decks, *arguments):
    (found,) = json.loads(run("--format", "json", *arguments, "-", decks=decks).stdout)["gates"]
    return found


class Outliers(unittest.TestCase):
    def test_a_deck(self):
        generator = random.Random(1)
        decks = [shuffled(range(52), generator) for _ in range(1500)]
        decks[999] = decks[999][:9] + sorted(decks[999][9:])
        found = judge(decks)
        ascending = 43 + (decks[999][8] < decks[999][9])
        self.assertEqual(found["verdict"], "fail")
        self.assertLess(found["total"], 1030)
        odd = found["outlier"]
        self.assertEqual((odd["deck"], odd["lag"], odd["tail"], odd["alike"]), (1000, 0, "high", 1))
        self.assertEqual(odd["items"], " ".join(map(str, decks[999])))
        self.assertEqual((odd["what"], odd["value"]), ("how many items rise at the end", ascending))
        self.assertAlmostEqual(odd["ln_p"], -math.lgamma(ascending + 1), 6)
        said = run("-", decks=decks).stdout.replace("\n", " ")
        self.assertIn(f': in deck 1,000 "how many items rise at the end" is {ascending}; a fair deck has {ascending} or more with probability ', said)
        self.assertIn(" Deck 1,000: " + odd["items"], said)
        self.assertNotEqual(judge(decks, "--tolerate", "0.01", "--exclude", "0.2")["verdict"], "fail")

    def test_a_step(self):
        """Deck 500 is deck 496 but for three cards."""
        generator = random.Random(2)
        names = list(string.ascii_uppercase)
        decks = [shuffled(names, generator) for _ in range(700)]
        deck = list(decks[495])
        deck[3], deck[7], deck[11] = deck[7], deck[11], deck[3]
        decks[499] = deck
        found = judge(decks, "--cards", " ".join(names))
        odd = found["outlier"]
        self.assertEqual((found["verdict"], odd["deck"], odd["lag"], odd["what"], odd["value"]),
                         ("fail", 500, 4, "how many items are where they were", 23))
        self.assertEqual(odd["items"], " ".join(deck))
        self.assertAlmostEqual(math.exp(odd["ln_p"]) * math.factorial(26) / (math.comb(26, 3) * 2 + math.comb(26, 2) + 1), 1, 9)
        self.assertIn(": in deck 500, compared with deck 496, ", found["sentence"])
        self.assertEqual([line["statistic"] for line in found["statistics"] if line["named"]], ["step-outliers"])

    def test_a_shuffle_that_is_always_faulty_is_named(self):
        """Although its first deck is an outlier."""
        (found,) = json.loads(run("transpositions", "-n", "52", "--format", "json").stdout)["gates"]
        self.assertEqual(found["looks_like"]["scheme"], "transpositions")
        self.assertNotIn("outlier", found)

    def test_evidence_resumes(self):
        """A recording that has grown ends as if it had been read at once: to the byte."""
        generator = random.Random(3)
        decks = [shuffled(range(40), generator) for _ in range(900)]
        for t in 300, 600:
            decks[t] = decks[t - 1][15:] + decks[t - 1][:15]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "decks")
            saved = [os.path.join(folder, name) for name in ("parts", "once")]
            results = []
            for name, counts in zip(saved, ((350, 900), (900,))):
                for count in counts:
                    with open(path, "w") as file:
                        file.write(text(decks[:count]))
                    done = run("--alpha", "1e-60", "--save", name, path)
                results.append(done.stdout)
            self.assertEqual(results[0], results[1])
            self.assertIn("in deck 301, compared with deck 300, ", results[0].replace("\n", " "))
            self.assertIn("About 2 decks of ", results[0])
            with open(saved[0], "rb") as first, open(saved[1], "rb") as second:
                self.assertEqual(first.read(), second.read())
            self.assertEqual(run(saved[0]).stdout.split("\n\n")[0], results[0].split("\n\n")[0])
            for schema, command in (("evidence-1.json", ["cat", saved[0]]), ("gate-2.json", [PROGRAM, "gate", "--format", "json", path])):
                check = [sys.executable, os.path.join(SOURCE, "tests", "unit", "validate_schema.py"),
                         os.path.join(SOURCE, "data", "schema", schema), "--", *command]
                done = subprocess.run(check, capture_output=True, text=True)
                self.assertIn(done.returncode, (0, 77), done)  # 77: without python3-jsonschema


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
