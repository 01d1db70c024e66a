# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate's bettor: what it names, where it takes part, and its wealth in saved evidence and under a ledger's key."""
import json
import random
import re
import subprocess
import sys
import unittest

import schema
from faulty import chains
from saving import PROGRAM, SOURCE, Saving, sealed


def bettors(gate):
    return [line for line in gate["statistics"] if line["statistic"] == "bettor"]


class Bettor(Saving):
    def gate(self, *arguments, status=3, **more):
        return self.call("gate", *arguments, status=status, **more)

    def found(self, *arguments, **more):
        (found,) = json.loads(self.gate(*arguments, "--format", "json", **more))["gates"]
        return found

    def test_what_no_other_statistic_sees(self):
        """Three chains: the other statistics test lags of 1, 2, 4, ..., and do not see it."""
        self.put("decks", "\n".join(chains(12, 4000, 3, 1)) + "\n")
        found = self.found("decks", status=1)
        self.assertEqual(found["verdict"], "fail")
        self.assertEqual([line["statistic"] for line in found["statistics"] if line["named"]], ["bettor"])
        (line,) = bettors(found)
        self.assertEqual((line["weight"], line["cells"], line["tv_high"], line["context"]),
                         (0.01, 0, None, "where each card was three decks ago"))
        self.assertEqual({line["context"] for line in found["statistics"]}, {None, line["context"]})
        said = "the shuffle is not fair: its cards can be predicted from where each card was three decks ago: such bets turned 1 into "
        self.assertIn(said, found["sentence"])
        text = " ".join(self.gate("decks", "--details", status=1).split())
        self.assertIn(said, text)
        self.assertIn("bettor: where each card was three decks ago predictions 0.0100 ", text)
        schema.check(self, SOURCE, "gate-2.json", "--", PROGRAM, "gate", self.path("decks"), "--format", "json")

    def test_a_ball_that_stays_away_three_draws(self):
        """Every second draw has a ball of the draw three before, which no other statistic sees."""
        generator, draws = random.Random(5), []
        for t in range(2000):
            draw = generator.sample(range(1, 50), 6)
            if t > 2 and t % 2 and (kept := generator.choice(draws[-3])) not in draw:
                draw[0] = kept
            draws.append(sorted(draw))
        self.put("draws", "".join(f"{' '.join(map(str, draw))}\n" for draw in draws))
        lottery = ["--sets", "--deal", "6", "-n", "49", "--base", "1"]
        found = self.found("draws", *lottery, status=1)
        self.assertEqual([line["statistic"] for line in found["statistics"] if line["named"]], ["bettor"])
        self.assertIn("its items can be predicted from the third last line: such bets", found["sentence"])
        self.assertIn("predicted from the third last line", subprocess.run([PROGRAM, "watch", self.path("draws"), *lottery], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=False).stderr)
        self.put("draws", "".join(f"{' '.join(map(str, draw))}\n" for draw in draws[:150]))
        before = self.found("draws", *lottery, "--save", "saved")
        self.put("draws", "".join(f"{' '.join(map(str, draw))}\n" for draw in draws))
        resumed = self.found("draws", *lottery, "--save", "saved", status=1)
        self.assertEqual((before["verdict"], resumed["sentence"]), ("inconclusive", found["sentence"]))

    def test_deals(self):
        """In three of ten hands the first card is that of three hands before: each hand by itself is fair."""
        generator, hands = random.Random(12), [list(range(5)) for _ in range(3)]
        for _ in range(2000):
            hand = generator.sample(range(20), 5)
            if generator.random() < 0.3:
                card = hands[-3][0]
                if card in hand:
                    hand[hand.index(card)] = hand[0]
                hand[0] = card
            hands.append(hand)
        self.put("hands", "".join(f"{' '.join(map(str, hand))}\n" for hand in hands[3:]))
        found = self.found("hands", "--deal", "5", "-n", "20", "--base", "0", status=1)
        self.assertIn("its cards can be predicted from the third last line", found["sentence"])
        for command in "report", "watch":
            done = subprocess.run([PROGRAM, command, "--deal", "5", "-n", "20", "--base", "0", self.path("hands")], capture_output=True, text=True, check=False)
            self.assertIn("predicted from the third last line", done.stderr if command == "watch" else " ".join(done.stdout.split()))

    def test_where_it_takes_part(self):
        """Of deals, sets, and whole permutations whose rank is not tested, of 6 to 128 items, unless a bias is tolerated."""
        for arguments, there in ((("-n", "5"), False), (("-n", "6"), True), (("-n", "6", "--exclude", "0.02"), False), (("-n", "128"), True),
                                 (("-n", "129"), False), (("-n", "52", "--deal", "51"), True), (("-n", "20", "--deal", "1"), True), (("-n", "52", "--tolerate", "0.005"), False),
                                 (("-n", "49", "--deal", "6", "--sets"), True), (("-n", "5", "--deal", "2", "--sets"), False), (("--hands", "13,13,13,13"), True),
                                 (("-n", "60", "--hands", "6,6,6,6,6,6,6,6"), False)):
            with self.subTest(arguments=arguments):
                self.assertEqual(len(bettors(self.found("fisher-yates", *arguments, "--limit",
                                                        "2e6" if "0.02" in arguments else "100",
                                                        status=0 if "0.02" in arguments else 3))), there)

    def test_a_pass_claims_nothing_about_it(self):
        found = self.found("fisher-yates", "-n", "20", "--exclude", "0.1", status=0)
        self.assertEqual(len(bettors(found)), 1)
        self.assertNotIn("predict", found["sentence"])

    def test_evidence_without_it(self):
        """Of an earlier version: it is shown, and resumed, as it is."""
        self.gate("fisher-yates", "-n", "12", "--limit", "3000", "--save", "new")
        old = re.sub(r'    "bettor": \{.*?\},\n', "", self.text("new"), flags=re.S)
        old = re.sub(r'  "bettor": \{.*?\n  \},\n', "", old, flags=re.S)
        self.assertNotIn("bettor", old)
        self.put("old", sealed(old))
        self.assertEqual(len(bettors(self.found("new"))), 1)
        self.assertEqual(bettors(self.found("old")), [])

    def test_evidence_that_is_wrong(self):
        self.gate("fisher-yates", "-n", "12", "--limit", "300", "--save", "new")
        saved = json.loads(self.text("new"))["bettor"]
        self.assertEqual((saved["decks"], len(saved["parts"]), len(saved["powers"])), (300, 36, 36))
        for before, after, said in ((r'("bettor": \{\s*"decks": )300', r"\g<1>299", "bettor.decks"),
                                    (r'("parts": \[)[^,]*', r"\g<1>1.5", "bettor.parts"),
                                    (r'("powers": \[)[^,]*', r"\g<1>0.5", "bettor.powers must be 16 hexadecimal"),
                                    (r'("powers": \[)[^,]*', r'\g<1>"7000000000000000"', "bettor.parts"),
                                    (r'("powers": \[)[^,]*, ', r"\g<1>", "bettor.powers has too few values")):
            self.put("wrong", sealed(re.sub(before, after, self.text("new"), count=1)))
            self.assertIn(said, self.gate("wrong", status=4))

    def test_wealth_adds_up(self):
        """Each run learns anew, its first 64 decks without a bet, and bets what the runs before it have won."""
        wealth = []
        for run in range(4):
            self.put("decks", "\n".join(chains(12, 400, 3, run)) + "\n")
            with open(self.path("decks"), encoding="utf-8") as decks:
                found = self.found("--save", "saved", "-", stdin=decks)
            (line,) = bettors(found)
            self.assertEqual(found["total"], 400 + 336 * run)
            wealth.append(line["ln_e"])
            self.assertEqual(json.loads(self.text("saved"))["bettor"]["decks"], found["total"])
        self.assertGreater(min(b - a for a, b in zip(wealth, wealth[1:])), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
