# SPDX-License-Identifier: GPL-3.0-or-later
"""The bettor of a report on a stream: what it finds, where it takes part, and what it costs the other tests."""
import csv
import io
import json
import math
import os
import re
import sys
import unittest

import schema
from faulty import chains
from saving import PROGRAM, SOURCE, Saving

SAID = "can be predicted from where each card was three decks ago: bets on such predictions multiplied a stake by "


class Bettor(Saving):
    def report(self, *arguments, status=0, **more):
        return self.call("report", *arguments, status=status, **more)

    def found(self, *arguments, **more):
        (found,) = json.loads(self.report("--format", "json", *arguments, **more))["reports"]
        return found

    def fair(self, n, count, *arguments):
        self.put("fair", self.call("deal", "fisher-yates", "-n", str(n), "--samples", str(count), *arguments))
        return "fair"

    def test_what_no_other_statistic_sees(self):
        """Three chains: no other test comes near, and all formats show the context."""
        self.put("decks", "\n".join(chains(12, 4000, 3, 1)) + "\n")
        found = self.found("decks")
        tests = found["findings"]
        (bettor,) = [one for one in tests if one["statistic"] == "bettor"]
        self.assertEqual((found["verdict"], bettor["test"], bettor["context"]),
                         ("biased", "betting", "where each card was three decks ago"))
        self.assertEqual((bettor["dof"], bettor["effect"], bettor["reliable"]), (None, None, True))
        self.assertGreater(bettor["value"], 30)
        self.assertEqual(bettor["ln_p"], -bettor["value"])
        self.assertAlmostEqual(bettor["p"] / math.exp(bettor["ln_p"]), 1, places=12)
        self.assertGreater(min(one["p"] for one in tests if one is not bettor), 1e-4)
        self.assertEqual([one["statistic"] for one in tests if "context" in one], ["bettor"])
        self.assertIn(SAID, found["sentence"])
        # bets on one deck after another say nothing of the shuffle of a single deck
        self.assertNotIn("catalogue", found["sentence"])
        for form in ("text", "markdown", "html", "junit", "tap"):
            with self.subTest(form=form):
                self.assertIn(SAID, " ".join(self.report("decks", "--format", form).split()))
        self.assertIn("Bets on the next card: best predicted from where each card was three decks ago.",
                      " ".join(self.report("decks").split()))
        with open(os.path.join(SOURCE, "docs", "report.md"), encoding="utf-8") as page:
            (shown,) = re.findall(r"^```text\n(Verdict: biased\. The next card.*?)```$", page.read(), re.M | re.S)
        shown, printed = (re.sub(r"corrected p = [\d.e-]+", "", text) for text in (shown, self.report("decks")))  # for all statistics
        self.assertTrue(shown in printed, "docs/report.md: the verdict on the next card is not what the program prints")
        rows = list(csv.DictReader(io.StringIO(self.report("decks", "--format", "csv"))))
        (test,) = [row for row in rows if row["statistic"] == "bettor" and row["kind"] == "test"]
        (context,) = [row for row in rows if row["kind"] == "context"]
        self.assertEqual((test["name"], float(test["ln_p"])), ("betting", bettor["ln_p"]))
        self.assertEqual((context["statistic"], context["name"]), ("bettor", bettor["context"]))
        schema.check(self, SOURCE, "report-2.json", "--", PROGRAM, "report", self.path("decks"), "--format", "json")

    def test_a_pipe_and_a_command_say_the_same(self):
        """However the stream arrives, the looks come at the same totals."""
        self.put("decks", "\n".join(chains(12, 700, 3, 2)) + "\n")
        with open(self.path("decks"), encoding="utf-8") as decks:
            piped = self.found("-", stdin=decks)
        slow = "import sys,time\nfor i,line in enumerate(open(sys.argv[1])):\n print(line,end='',flush=i%7==0)\n"
        commanded = self.found("--", sys.executable, "-c", slow, self.path("decks"))
        self.assertEqual(piped["findings"], self.found("decks")["findings"])
        self.assertEqual(piped["findings"], commanded["findings"])

    def test_a_pause_changes_nothing(self):
        """Nor does it matter how many decks have arrived when the run starts."""
        self.fair(52, 80)
        paused = self.found("--", "sh", "-c", "head -n 2 fair; sleep 0.3; tail -n +3 fair")
        self.assertEqual(paused["findings"], self.found("fair")["findings"])

    def test_where_it_takes_part(self):
        """In streams of 6 to 128 items, unless other statistics are named; in no scheme."""
        for n, arguments, there in ((5, (), False), (6, (), True), (11, (), True), (128, (), True), (129, (), False),
                                    (52, ("--statistics", "none"), False), (52, ("--statistics", "repeat,cycles"), False),
                                    (52, ("--statistics", "bettor"), True)):
            with self.subTest(n=n, arguments=arguments):
                found = self.found(self.fair(n, 40), *arguments)
                self.assertEqual("bettor" in [one["statistic"] for one in found["findings"]], there)
                self.assertNotEqual(found["verdict"], "biased")
        hands = self.found(self.fair(12, 100, "--deal", "5"), "-n", "12", "--deal", "5")
        self.assertIn("bettor", [one["statistic"] for one in hands["findings"]])
        scheme = self.found("fisher-yates", "-n", "12", "--samples", "1000", "--by", "sample")
        self.assertNotIn("bettor", [one["statistic"] for one in scheme["findings"]])
        for arguments, said in ((("fisher-yates", "-n", "12"), "bettor is for streams"),
                                ((self.fair(5, 10),), "6 to 128 items, not 5 of 5")):
            self.assertIn(said, self.report(*arguments, "--statistics", "bettor", status=2))

    def test_alone_it_settles_nothing(self):
        """No outcome of one permutation could reach alpha in a test with cells: inconclusive."""
        found = self.found(self.fair(52, 1), "--statistics", "bettor")
        self.assertEqual(found["verdict"], "inconclusive")
        self.assertEqual({one["statistic"] for one in found["findings"] if one["reliable"]}, {"bettor"})

    def test_the_correction(self):
        """The smallest p times the number of tests, of which the bettor is one."""
        for form, arguments in (("decks", chains(12, 2500, 3, 1)), ("few", chains(12, 120, 3, 1))):
            self.put(form, "\n".join(arguments) + "\n")
            rows = list(csv.DictReader(io.StringIO(self.report(form, "--format", "csv"))))
            reliable = [one["ln_p"] for one in self.found(form)["findings"] if one["reliable"]]
            (verdict,) = [row for row in rows if row["kind"] == "verdict"]
            self.assertAlmostEqual(float(verdict["ln_p"]), min(0, min(reliable) + math.log(len(reliable))), places=9)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
