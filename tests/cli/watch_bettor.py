# SPDX-License-Identifier: GPL-3.0-or-later
"""The bettor of a watch: what it finds, in which rounds and levels, and its wealth across restarts."""
import json
import os
import re
import sys
import unittest

import metrics_format
import schema
from faulty import chains
from saving import SOURCE, Saving, sealed

ROUND = 65536
CONTEXT = "where each card was three decks ago"


def bettors(watch):
    return [line for line in watch["statistics"] if line["statistic"] == "bettor"]


class Bettor(Saving):
    def watch(self, *arguments, alarms=0, **more):
        """What is printed as JSON, and the alarms as JSON."""
        with self.start("--format", "json", "--on-alarm", "cat >alarm.$$", *arguments, command="watch", **more) as child:
            printed, line = child.communicate(timeout=200)
        self.assertEqual(child.returncode, alarms > 0, line)
        names = [name for name in os.listdir(self.folder.name) if name.startswith("alarm.")]
        found = sorted((json.loads(self.text(name)) for name in names), key=lambda alarm: alarm["alarm"])
        for name in names:
            self.validate("alarm-1.json", name)
            os.remove(self.path(name))
        self.assertGreaterEqual(len(found), alarms)
        return json.loads(printed), found

    def validate(self, kind, name):
        schema.check(self, SOURCE, kind, self.path(name))

    def fair(self, n, count, seed=1):
        return self.call("deal", "fisher-yates", "-n", str(n), "--samples", str(count), "--seed", str(seed))

    def is_named(self, alarm):
        self.assertEqual([line["statistic"] for line in alarm["statistics"]], ["bettor"])
        self.assertEqual(alarm["statistics"][0]["context"], CONTEXT)
        self.assertIn("its cards can be predicted from %s: such bets turned 1 into " % CONTEXT, alarm["sentence"])
        self.assertEqual(alarm["cells"], [])

    def test_what_no_other_statistic_sees(self):
        """Three chains, with and without a window."""
        self.put("decks", "\n".join(chains(12, 2000, 3, 1)) + "\n")
        found, (alarm,) = self.watch("decks", "--metrics", "prom", alarms=1)
        self.is_named(alarm)
        with open(os.path.join(SOURCE, "docs", "watch.md"), encoding="utf-8") as page:
            self.assertIn("```text\n%s\n```" % alarm["sentence"], page.read())
        self.assertEqual((found["alarms"], bettors(found)[0]["context"]), (1, CONTEXT))
        self.assertIn("Whether permutations depend on each other was tested by bets on each card alone.", found["sentence"])
        self.put("watch", json.dumps(found))
        self.validate("watch-1.json", "watch")
        metrics = metrics_format.read(self.text("prom"))
        (value,) = [value for (name, labels), value in metrics.items()
                    if name == "shufflebias_statistic_ln_e" and ("statistic", "bettor") in labels]
        self.assertAlmostEqual(value, bettors(found)[0]["ln_e"])
        _, alarms = self.watch("decks", "--window", alarms=1)
        self.is_named(alarms[0])

    def test_a_fault_that_begins_late(self):
        """In the second round, after 70,000 fair decks: the first round's wealth is lost, and the second has its own share."""
        self.put("decks", self.fair(12, 70000) + "\n".join(chains(12, 6000, 3, 1)) + "\n")
        for window in ((), ("--window",)):
            with self.subTest(window=window):
                _, alarms = self.watch("decks", *window, alarms=1)
                self.is_named(alarms[0])
                self.assertGreater(alarms[0]["total"], 70000)
                self.assertGreaterEqual(alarms[0]["since"], 65536 if window else 0)

    def test_where_it_takes_part(self):
        """In deals, and in whole permutations of 7 to 128 items, whose rank is not tested."""
        for n, arguments, there in ((6, (), False), (7, (), True), (128, (), True), (129, (), False), (52, ("--deal", "51"), True)):
            for window in ((), ("--window",)):
                with self.subTest(n=n, arguments=arguments, window=window):
                    found, alarms = self.watch("fisher-yates", "-n", str(n), "--limit", "200", *arguments, *window)
                    self.assertEqual((len(bettors(found)), alarms), (there, []))

    def test_a_scheme_in_pieces_is_the_same(self):
        """The bettor learns again from the permutations of its round, also of the second one."""
        for window in ((), ("--window",)):
            for name, limits in (("whole", (70000,)), ("parts", (10, 4990, 60536, 1, 999, 3464))):
                self.assertEqual(sum(limits), 70000)
                for limit in limits:
                    self.watch("fisher-yates", "-n", "7", "--limit", str(limit), "--save", name, *window)
            whole, parts = json.loads(self.text("whole")), json.loads(self.text("parts"))
            self.validate("evidence-1.json", "parts")
            self.assertEqual((whole["bettor"]["decks"], whole["bettor"]["round"]), (70000, 2))
            for saved in whole, parts:
                del saved["run"]["last"], saved["checksum"]
                for part in (saved, *saved["run"].get("starts", ())):
                    del part["repeats"]  # a piece does not remember the decks of those before it
            self.assertEqual(whole, parts)
            os.remove(self.path("whole"))
            os.remove(self.path("parts"))

    def test_a_pipe_adds_up(self):
        """Each run learns anew, and bets what the runs before it have won."""
        wealth = []
        for run in range(3):
            self.put("decks", "\n".join(chains(12, 400, 3, run)) + "\n")
            with open(self.path("decks"), encoding="utf-8") as decks:
                found, _ = self.watch("-", "--save", "saved", stdin=decks)
            (line,) = bettors(found)
            wealth.append(line["ln_e"])
            self.assertEqual(json.loads(self.text("saved"))["bettor"]["decks"], found["total"])
        self.assertEqual(wealth, sorted(wealth))
        self.assertGreater(wealth[2], wealth[0] + 1)

    def test_evidence_without_it(self):
        """Of an earlier version: the watch continues as it is."""
        for window in ((), ("--window",)):
            self.watch("fisher-yates", "-n", "12", "--limit", "3000", "--save", "saved", *window)
            old = re.sub(r'  "bettor": \{.*?\n  \},\n', "", self.text("saved"), flags=re.S)
            old = re.sub(r'  "outliers": \{.*?\n  \},\n', "", old, flags=re.S)
            old = re.sub(r'  "places": \[.*?\],\n', "", old, flags=re.S)
            old = re.sub(r',\s*"bets": \[.*?\]', "", old, flags=re.S)
            self.assertNotIn("bet", old)
            self.put("old", sealed(old))
            found, _ = self.watch("fisher-yates", "-n", "12", "--limit", "10", "--save", "old", *window)
            self.assertEqual((found["total"], bettors(found)), (3010, []))
            found, _ = self.watch("fisher-yates", "-n", "12", "--limit", "10", "--save", "saved", *window)
            self.assertEqual((found["total"], len(bettors(found))), (3010, 1))
            os.remove(self.path("saved"))

    def test_evidence_that_is_wrong(self):
        self.watch("fisher-yates", "-n", "12", "--limit", "3000", "--save", "saved", "--window")
        for before, after, said in ((r'("bettor": \{\s*"decks": )3000', r"\g<1>2999", "bettor.decks"),
                                    (r'("round": )1', r"\g<1>2", "bettor.round"),
                                    (r'("won": )null', r"\g<1>0.5", "bettor.won"),
                                    (r'("bets": \[)[^,]*', r"\g<1>true", "bets"),
                                    (r'("bets": \[)[^,]*, ', r"\g<1>", "no sound evidence"),
                                    (r',\s*"round": 1,\s*"won": null', "", "no sound evidence"),
                                    (r'  "bettor": \{.*?\n  \},\n', "", "no sound evidence")):
            with self.subTest(after=after):
                text = re.sub(before, after, self.text("saved"), count=1, flags=re.S)
                self.assertNotEqual(text, self.text("saved"))
                self.put("wrong", sealed(text))
                self.assertIn(said, self.call("watch", "fisher-yates", "-n", "12", "--limit", "10", "--save", "wrong", "--window", status=4))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
