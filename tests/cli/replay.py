#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A generator that is seeded again from few seeds: what gate, watch and report say of the decks that come again.

    replay.py PROGRAM SOURCE

A fair gate of these seeds fails with a probability of at most 1e-9.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SAYS = re.compile(r"(?:deck|line)s? ([\d,]+)(?: to ([\d,]+))? (?:is|are) (?:deck|line)s? ([\d,]+)(?: to ([\d,]+))? again")


def stream(items, seeds, every, count, first_only=False):
    """The decks of starts with one of `seeds` seeds, each of `every` decks; 0: fair."""
    starts, fair, decks = random.Random(f"starts {items}"), random.Random(f"fair {items}"), []
    while len(decks) < count:
        seeded = random.Random(f"{items} {starts.randrange(seeds)}") if seeds else fair
        for k in range(every):
            deck = list(range(items))
            (fair if k and first_only else seeded).shuffle(deck)
            decks.append(bytes(deck))
    return decks[:count]


def first_copy(decks, every):
    """After how many decks the first start with a seed that came before begins."""
    seen = set()
    for start in range(0, len(decks), every):
        if tuple(decks[start : start + every]) in seen:
            return start
        seen.add(tuple(decks[start : start + every]))
    return None


def run(command, items, decks, *options):
    return subprocess.run([PROGRAM, command, "--input", "u8", "-n", str(items), *options, "-"], input=b"".join(decks), capture_output=True)


def judge(items, decks, *options):
    (found,) = json.loads(run("gate", items, decks, "--format", "json", *options).stdout)["gates"]
    return found


class Replay(unittest.TestCase):
    def copied(self, said, decks):
        """The run that a sentence names is a run of these decks."""
        match = SAYS.search(said.replace("\n", " "))
        self.assertTrue(match, said)
        again, until, first, to = (number and int(number.replace(",", "")) for number in match.groups())
        until, to = until or again, to or first
        self.assertEqual(decks[again - 1 : until], decks[first - 1 : to])
        self.assertEqual((until - again, first < again), (to - first, True))
        return again, until

    def test_few_seeds(self):
        for items in (4, 6, 8, 52):
            for seeds, every in ((365, 100), (3000, 20), (1, 50)):
                decks = stream(items, seeds, every, 4000)
                copy = first_copy(decks, every)
                found = judge(items, decks)
                self.assertEqual(found["verdict"], "fail", (items, seeds))
                self.assertLess(found["total"], 2 * (copy + every), (items, seeds))
                if items >= 6:
                    again, _ = self.copied(found["sentence"], decks)
                    self.assertEqual(again, copy + 1)
                    self.assertLess(found["total"], 1.02 * (copy + 12))

    def test_the_first_deck_after_a_start(self):
        decks = stream(52, 1, 50, 1000, first_only=True)
        found = judge(52, decks)
        self.assertEqual((found["verdict"], found["total"]), ("fail", 51))
        self.assertIn("a whole deck came up again 1 time: deck 51 is deck 1 again", found["sentence"])

    def test_fair(self):
        for items in (3, 6, 8):
            found = judge(items, stream(items, 0, 1, 6000), "--exclude", "0.1")
            self.assertIn(found["verdict"], ("pass", "inconclusive"), items)
            self.assertNotIn("again", found["sentence"])
            said = run("report", items, stream(items, 0, 1, 6000)).stdout.decode()
            self.assertIsNone(SAYS.search(said.replace("\n", " ")))

    def test_tolerated(self):
        decks = stream(6, 3000, 20, 6000)
        found = judge(6, decks, "--tolerate", "0.1", "--exclude", "0.4")
        self.assertEqual(found["verdict"], "pass")
        self.assertNotIn("repeat", [line["statistic"] for line in found["statistics"]])

    def test_biased_shuffles_keep_their_names(self):
        for scheme in ("naive", "sattolo", "rotate", "overhand"):
            for items in (3, 5, 6):
                found = json.loads(subprocess.run([PROGRAM, "gate", scheme, "-n", str(items), "--format", "json"], capture_output=True).stdout)["gates"][0]
                self.assertEqual(found["verdict"], "fail")
                self.assertIsNone(SAYS.search(found["sentence"]), found["sentence"])

    def test_watch(self):
        for items in (6, 8, 52):
            decks = stream(items, 365, 100, 4000)
            for options in ((), ("--window",)) if items < 52 else ((),):
                done = run("watch", items, decks, *options)
                alarm = re.search(r"ALARM after ([\d,]+) permutations: .*", done.stderr.decode())
                self.assertTrue(alarm, items)
                again, until = self.copied(alarm[0], decks)
                self.assertEqual(again, first_copy(decks, 100) + 1)
                self.assertLess(int(alarm[1].replace(",", "")), until + 40)

    def test_report(self):
        for items in (6, 8, 52):
            decks = stream(items, 3000, 20, 4000)
            said = run("report", items, decks).stdout.decode()
            self.copied(said, decks)
            self.assertIn("by chance with a probability below 1e-6", said.replace("\n", " "))

    def test_resumed(self):
        """A recording that has grown: the second run remembers the decks of the first."""
        for items in (6, 52):
            decks = stream(items, 365, 100, 4000)
            copy = first_copy(decks, 100)
            with tempfile.TemporaryDirectory() as folder:
                recording, saved = os.path.join(folder, "decks"), os.path.join(folder, "saved")
                for count, verdict in ((copy - 50, "inconclusive"), (4000, "fail")):
                    with open(recording, "wb") as file:
                        file.write(b"".join(decks[:count]))
                    done = subprocess.run([PROGRAM, "gate", "--input", "u8", "-n", str(items), "--save", saved, "--format", "json", recording],
                                          capture_output=True)
                    (found,) = json.loads(done.stdout)["gates"]
                    self.assertEqual(found["verdict"], verdict, done.stderr)
                self.assertEqual(found["total"], judge(items, decks)["total"])
                self.copied(found["sentence"], decks)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
