# SPDX-License-Identifier: GPL-3.0-or-later
"""The statistics of playing cards: `--profile cards`."""
import json
import random
import sys
import unittest

from program import run, gate

CARDS = {"suit-at", "rank-at", "poker", "suit-length"}


def decks(shuffle, count, seed):
    generator = random.Random(seed)
    return "".join(" ".join(map(str, shuffle(generator))) + "\n" for _ in range(count))


def pairs_on_top(generator):
    """Every other deck has a pair on top; no card by itself is favoured."""
    deck = list(range(52))
    generator.shuffle(deck)
    if generator.random() < 0.5:
        twin = next(j for j in range(1, 52) if deck[j] % 13 == deck[0] % 13)
        deck[1], deck[twin] = deck[twin], deck[1]
    return deck


class Profile(unittest.TestCase):
    def test_in_play_when_asked_for(self):
        plain = gate("fisher-yates", "-n", "52", "--limit", "100")
        cards = gate("fisher-yates", "-n", "52", "--limit", "100", "--profile", "cards")
        families = [{line["statistic"] for line in found["statistics"]} for found in (plain, cards)]
        self.assertEqual(families[1] - families[0], CARDS)
        members = {name: sum(line["statistic"] == name for line in cards["statistics"]) for name in CARDS}
        self.assertEqual(members, {"suit-at": 52, "rank-at": 52, "poker": 1, "suit-length": 4})

    def test_a_bias_of_hands(self):
        found = gate("-", "--profile", "cards", text=decks(pairs_on_top, 1000, 1))
        self.assertEqual(found["verdict"], "fail")
        self.assertIn("poker", {line["statistic"] for line in found["statistics"] if line["named"]})
        self.assertIn("poker hand", found["sentence"])

    def test_report(self):
        question = ["report", "fisher-yates", "-n", "52", "--by", "sample", "--samples", "20000", "--statistics", "none"]
        (found,) = json.loads(run(*question, "--profile", "cards", "--format", "json").stdout)["reports"]
        self.assertEqual({finding["statistic"] for finding in found["findings"]}, CARDS | {"position"})
        self.assertEqual(found["verdict"], "no bias seen")
        (found,) = json.loads(run("report", "-", "--profile", "cards", "--statistics", "none", "--format", "json",
                                  text=decks(pairs_on_top, 2000, 2)).stdout)["reports"]
        self.assertEqual(found["verdict"], "biased")
        p = {finding["statistic"]: finding["p"] for finding in found["findings"]}
        self.assertLess(p["poker"], 1e-9)
        self.assertGreater(p["suit-at"], 1e-4)

    def test_slips(self):
        for question in (["gate", "naive", "-n", "51"], ["report", "naive", "-n", "5"]):
            done = run(*question, "--profile", "cards")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("52 playing cards", done.stderr)
        self.assertIn("there is cards", run("gate", "naive", "-n", "52", "--profile", "dice").stderr)

    def test_law(self):
        law = json.loads(run("law", "poker", "-n", "52", "--format", "json").stdout)
        self.assertAlmostEqual(law["p"][0] * 2598960, 40, places=9)
        self.assertAlmostEqual(sum(law["p"]), 1, places=14)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
