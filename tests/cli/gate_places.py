#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shuffles of 12 cards that are fair but for one place: how soon a gate fails them, and what it says.

    gate_places.py PROGRAM SOURCE
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM, ITEMS = os.path.abspath(sys.argv[1]), 12


def run(*arguments, decks=None):
    text = None if decks is None else "".join(" ".join(map(str, deck)) + "\n" for deck in decks)
    return subprocess.run([PROGRAM, "gate", *arguments], input=text, capture_output=True, text=True)


def judge(decks, *arguments):
    (found,) = json.loads(run("--format", "json", *arguments, "-", decks=decks).stdout)["gates"]
    return found


def stream(count, seed, spoil):
    generator, decks = random.Random(seed), []
    for _ in range(count):
        deck = list(range(1, ITEMS + 1))
        generator.shuffle(deck)
        spoil(deck, decks, generator)
        decks.append(deck)
    return decks


def sort_last(share):
    def spoil(deck, _, generator):
        if generator.random() < share:
            deck[-2:] = sorted(deck[-2:])
    return spoil


def swap_first(deck, generator):
    at = generator.randrange(1, ITEMS)
    deck[0], deck[at] = deck[at], deck[0]


def not_again(deck, decks, generator):
    if decks and deck[0] == decks[-1][0]:
        swap_first(deck, generator)


def never_on_top(deck, _, generator):
    if deck[0] == 1:
        swap_first(deck, generator)


class Places(unittest.TestCase):
    def test_the_last_two_sorted(self):
        found = judge(stream(1000, 1, sort_last(1)))
        self.assertEqual(found["verdict"], "fail")
        self.assertLess(found["total"], 70)
        self.assertIn("not fair: the last two items are in order 100% of the time instead of 50%", found["sentence"])
        found = judge(stream(1000, 2, sort_last(0.5)))
        self.assertRegex(found["sentence"], r"^FAIL  the shuffle is not fair: the last two items are in order 7\d% of the time instead of 50%, after [1-4]\d\d shuffles$")

    def test_the_first_is_never_the_last_first(self):
        found = judge(stream(2000, 3, not_again))
        self.assertEqual(found["verdict"], "fail")
        self.assertLess(found["total"], 4 * 238)
        self.assertIn("each line depends on the one before; in the step to the next, from position 1 to position 1 came up 0 times", found["sentence"])
        found = judge(stream(2000, 3, not_again), "--tolerate", "0.01", "--exclude", "0.2")
        self.assertNotEqual(found["verdict"], "fail")
        self.assertFalse(any(line["lag"] for line in found["statistics"]))

    def test_a_card_is_never_on_top(self):
        found = judge(stream(2000, 4, never_on_top))
        self.assertEqual(found["verdict"], "fail")
        self.assertLess(found["total"], 4 * 238)
        self.assertIn("item 1 at position 1 came up 0 times", found["sentence"])

    def test_a_biased_shuffle_is_not_called_dependent(self):
        """Of a biased shuffle the steps are biased, too, in any order of the permutations."""
        def stays(deck, _, generator):
            if generator.random() < 0.4:
                at = deck.index(deck[0] % ITEMS + 1)
                deck[1], deck[at] = deck[at], deck[1]
        for seed in range(5, 9):
            self.assertNotIn("depends", judge(stream(1500, seed, stays))["sentence"])

    def test_evidence_resumes(self):
        """The positions of steps go on as if the recording had been read at once: to the byte."""
        decks = stream(400, 9, not_again)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "decks")
            saved = [os.path.join(folder, name) for name in ("parts", "once")]
            for name, counts in zip(saved, ((150, 400), (400,))):
                for count in counts:
                    with open(path, "w") as file:
                        file.write("".join(" ".join(map(str, deck)) + "\n" for deck in decks[:count]))
                    run("--alpha", "1e-60", "--save", name, path)
            with open(saved[0], "rb") as first, open(saved[1], "rb") as second:
                self.assertEqual(first.read(), second.read())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
