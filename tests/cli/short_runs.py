# SPDX-License-Identifier: GPL-3.0-or-later
"""A fair game whose length depends on its permutations, in many runs that add up: none may raise an alarm.

The game ends after 64 decks of three cards, or as soon as the order before the shuffle has come up 11 times. If the
gate dropped runs of fewer than 64 permutations, the other runs would have that order too rarely, and the verdict
would be FAIL after about 230 runs. The gate counts a run from its 65th permutation on, so a fair game fails with
probability 1e-9 at most. The seeds are fixed."""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM
from saving import flat

ORDERS = [b"%d %d %d\n" % order for order in itertools.permutations((1, 2, 3))]
RUNS = 245


def games(more):
    """Games, each as text; one that goes on to its 64th deck has so many more."""
    generator = random.Random(2)
    for _ in range(RUNS):
        game = []
        while len(game) < 64 and (game.count(ORDERS[0]) < 11):
            game.append(generator.choice(ORDERS))
        yield b"".join(game + (generator.choices(ORDERS, k=more) if len(game) == 64 else []))


class ShortRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def saved(self):
        with open(os.path.join(self.folder, "saved"), encoding="utf-8") as file:
            return flat(json.load(file))

    def play(self, first, later, statuses, more):
        """Plays on; what a run ends with, and how many permutations count."""
        counted = total = 0
        for number, game in enumerate(games(more)):
            length = game.count(b"\n")
            done = subprocess.run([PROGRAM, *(later if number else first)], input=game, cwd=self.folder, capture_output=True,
                                  timeout=100, check=False)
            self.assertIn(done.returncode, statuses, (number, done.stdout, done.stderr))
            counted += length if number == 0 else max(0, length - 64)
            total += length
        return counted, total

    def test_a_gate_that_goes_on(self):
        counted, total = self.play(("gate", "--save", "saved", "-"), ("gate", "--save", "saved", "-"), {3}, 20)
        self.assertEqual(self.saved()["total"], counted)
        self.assertEqual(self.saved()["uncounted"], total - counted)

    def test_a_watch_that_goes_on(self):
        counted, total = self.play(("watch", "--save", "saved", "-"), ("watch", "--save", "saved", "-"), {0}, 20)
        self.assertEqual(self.saved()["total"], counted)
        self.assertEqual(self.saved()["uncounted"], total - counted)

    def test_a_gate_with_a_ledger(self):
        command = ("gate", "--ledger", "ledger", "--save", "saved", "-")
        counted, total = self.play(command, command, {3}, 20)
        self.assertEqual(self.saved()["total"], counted)
        self.assertEqual(self.saved()["uncounted"], total - counted)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
