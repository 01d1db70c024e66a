#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single unlikely decks and steps in a log: what a watch says of them, and that it resumes.

    watch_outliers.py PROGRAM SOURCE
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def fair(total, seed):
    generator = random.Random(seed)
    return [generator.sample(range(52), 52) for _ in range(total)]


def entry(at, deck):
    """Every line of the log with a deck comes after one without."""
    return f"2026-03-01 {at // 60:02}:{at % 60:02} game {at}\n2026-03-01T{at // 60:02}:{at % 60:02}:30 deck: {' '.join(map(str, deck))}\n"


class Outliers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def watch(self, *arguments, data=None):
        """The alarms, and their sentences."""
        done = subprocess.run([PROGRAM, "watch", "--on-alarm", "cat >alarm.$$", *arguments], input=data, cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        alarms = []
        for name in os.listdir(self.folder):
            if name.startswith("alarm."):
                path = os.path.join(self.folder, name)
                with open(path, encoding="utf-8") as file:
                    alarms.append(json.load(file))
                if len(alarms) > 1:
                    continue
                check = [sys.executable, os.path.join(SOURCE, "tests", "unit", "validate_schema.py"),
                         os.path.join(SOURCE, "data", "schema", "alarm-1.json"), "--", "cat", path]
                self.assertIn(subprocess.run(check, capture_output=True, check=False).returncode, (0, 77))  # 77: no jsonschema
        for name in os.listdir(self.folder):
            if name.startswith("alarm."):
                os.remove(os.path.join(self.folder, name))
        return sorted(alarms, key=lambda alarm: alarm["alarm"]), done.stderr

    def test_a_deck(self):
        decks = fair(700, 1)
        decks[499] = decks[499][:12] + sorted(decks[499][12:])
        text = "".join(" ".join(map(str, deck)) + "\n" for deck in decks)
        (alarm,), said = self.watch("-", data=text)
        ascending = 40 + (decks[499][11] < decks[499][12])
        odd = alarm["outlier"]
        self.assertEqual((odd["deck"], odd["lag"], odd["what"], odd["value"]), (500, 0, "how many items rise at the end", ascending))
        self.assertEqual(odd["items"], " ".join(map(str, decks[499])))
        self.assertAlmostEqual(odd["ln_p"], -math.lgamma(ascending + 1), 6)
        self.assertEqual(odd["where"], "line 500 of standard input")
        self.assertIn(f': in deck 500 (line 500 of standard input) "how many items rise at the end" is {ascending}; a fair deck has ', said)
        self.assertEqual([line["statistic"] for line in alarm["statistics"]], ["outliers"])

    def test_each_step_of_a_log(self):
        """One deck in 200 is the deck before, cut; the watch also stops between the two."""
        decks = fair(1000, 2)
        for at in range(199, 1000, 200):
            decks[at] = decks[at - 1][17:] + decks[at - 1][:17]
        lines = [entry(at, deck) for at, deck in enumerate(decks)]
        path = os.path.join(self.folder, "game.log")
        match = ("--match", "deck: ([0-9 ]*)", "--window")
        found = []
        for ends in ((1000,), (199, 200, 1000)):
            alarms = []
            for end in ends:
                with open(path, "w", encoding="ascii") as file:
                    file.write("".join(lines[:end]))
                alarms += self.watch("game.log", "--save", f"saved{len(ends)}", *match)[0]
            found.append([(alarm["total"], alarm["since"], alarm["ln_e"], alarm["outlier"]["deck"]) for alarm in alarms])
            self.assertEqual([alarm["outlier"]["deck"] for alarm in alarms], [200, 400, 600, 800, 1000])
            self.assertEqual([alarm["total"] for alarm in alarms], [200, 400, 600, 800, 1000])
            self.assertEqual({(alarm["outlier"]["lag"], alarm["outlier"]["value"]) for alarm in alarms}, {(1, 50)})
            if len(ends) == 1:
                self.assertEqual(alarms[1]["outlier"]["where"], "line 800 of game.log, 2026-03-01T06:39:30")
        self.assertEqual(*found)

    def test_all_decks_are_faulty(self):
        """Then the watch waits for 30 of them, as other statistics may say more."""
        (alarm,), _ = self.watch("sattolo", "-n", "52", "--limit", "2000")
        self.assertNotIn("outlier", alarm)
        decks = [list(range(52)), *fair(40, 3)]
        (alarm,), _ = self.watch("--ordered", "-", data="".join(" ".join(map(str, deck)) + "\n" for deck in reversed(decks[:11])) +
                                 "".join(" ".join(map(str, deck)) + "\n" for deck in decks[11:]))
        self.assertEqual((alarm["total"], alarm["outlier"]["deck"]), (30, 11))

    def test_rounds(self):
        """A fault long after the first round of 65,536 decks."""
        deal = [PROGRAM, "deal", "fisher-yates", "-n", "24", "--samples", "70000", "--output", "u8"]
        decks = bytearray(subprocess.run(deal, capture_output=True, check=True).stdout)
        at = 65537 * 24
        decks[at : at + 24] = decks[at - 17 : at] + decks[at - 24 : at - 17]
        with open(os.path.join(self.folder, "decks"), "wb") as file:
            file.write(decks)
        for window in (), ("--window",):
            (alarm,), _ = self.watch("decks", "--input", "u8", "-n", "24", *window)
            self.assertEqual((alarm["outlier"]["deck"], alarm["outlier"]["lag"]), (65538, 1))
            self.assertLessEqual(alarm["total"], 66560)  # the first look after it


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
