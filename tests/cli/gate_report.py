# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate on the saved counts of a report."""
import json
import math
import os
import re
import subprocess
import sys
import unittest

from saving import PROGRAM, Saving, aged, damaged, sealed

# Counted by rank; a matrix and tallies; some of the items; items whose positions are merged; steps; a generator without a
# counter. Of 52 items a block has 16,384 permutations, so that the last are of several.
RUNS = (("naive", "-n", "4"), ("fisher-yates", "-n", "6"), ("fisher-yates", "-n", "12"), ("splice", "-n", "9", "--deal", "2"),
        ("inside-out", "-n", "20", "--deal", "3"), ("fisher-yates", "-n", "100"), ("sort-by-key", "-n", "5", "--increments"),
        ("naive", "-n", "11", "--increments"), ("overhand/ideal/mt19937", "-n", "12", "--seed", "7"), ("naive", "-n", "52"),
        ("fisher-yates", "-n", "52", "--profile", "cards"))
DECKS = "20011"


def ln_e(count, p):
    """ln E of a statistic of at most six cells, by the Gamma functions of its definition: docs/how-it-decides.md."""
    total, each = sum(count), []
    for concentration in (len(count) * 10 ** k for k in range(6)):
        ln = math.lgamma(concentration) - math.lgamma(concentration + total)
        for c, q in zip(count, p):
            ln += math.lgamma(concentration * q + c) - math.lgamma(concentration * q) - c * math.log(q)
        each.append(ln)
    return max(each) + math.log(sum(math.exp(ln - max(each)) for ln in each) / len(each))


class GateReport(Saving):
    def gate(self, *arguments, status=(0, 1, 3)):
        return self.call("gate", *arguments, status=status)

    def found(self, *arguments, **more):
        (found,) = json.loads(self.gate(*arguments, "--format", "json", **more))["gates"]
        return found

    def text_of(self, *arguments, **more):
        return " ".join(self.gate(*arguments, **more).split())

    def last_look(self, *run):
        """A gate that tries the subject, and looks at the end of as many permutations as it has asked for, and not before."""
        found = self.found(*run, "--limit", DECKS)
        while found["total"] < found["terms"]["limit"]:  # the limit has a say in what is in play
            found = self.found(*run, "--limit", str(found["total"]))
        return found

    def test_what_a_gate_finds(self):
        """That tries the same permutations itself, up to the same look: to the bit, but for whole decks that come up again."""
        for number, run in enumerate(RUNS):
            with self.subTest(run=run):
                tried, name = self.last_look(*run), str(number)
                self.report(*run, "--samples", str(tried["total"]), "--save", name)
                counted = self.found(name)
                seen = [line for line in tried["statistics"] if line["increments"] or not line["lag"]]
                gated = ("descent-at", "descent-at-2", "first-run", "last-run")  # which a report tallies only if it names them
                missing = ("repeat", "bettor", "outliers", "step-outliers", *gated) + (() if tried["counts"] else ("catalogue",))
                lines = [line for line in seen if line["statistic"] not in missing]
                others = {line["statistic"] for line in seen} - {line["statistic"] for line in lines}
                without = ["statistic", "member", "increments", "cells", "ln_e"]
                if len(lines) == len(tried["statistics"]):  # the same weights
                    without = lines[0].keys()
                    for field in ("ln_e", "tv_low", "tv_high", "needed", "jointly"):
                        self.assertEqual(counted[field], tried[field])
                self.assertEqual([[line[key] for key in without] for line in counted["statistics"]],
                                 [[line[key] for key in without] for line in lines])
                self.assertAlmostEqual(sum(line["weight"] for line in counted["statistics"]), 1)
                if not others - {"repeat"}:  # else their E may have made the difference
                    self.assertEqual(counted["verdict"], tried["verdict"])
                for field in ("subject", "n", "deal", "terms", "interrupted", "total", "whole", "counts", "matrix"):
                    self.assertEqual(counted[field], tried[field])
                left_out = ([name for name in gated if name in others] + ["repeat"] * ("repeat" in others) + ["lags"] * (len(seen) < len(tried["statistics"])) +
                            ["bettor"] * ("bettor" in others) + ["catalogue"] * ("catalogue" in others) + ["outliers"] * ("outliers" in others))
                self.assertEqual((tried["report"], counted["report"]), (None, {"part": None, "left_out": left_out}))
                self.assertEqual(counted["looks"]["total"], [tried["total"]])
        self.assertEqual({self.found(str(number))["verdict"] for number in range(len(RUNS))}, {"fail", "inconclusive"})

    def test_steps_over_blocks(self):
        """They begin anew with each block; counted here from the permutations themselves."""
        self.report("naive", "-n", "4", "--samples", "70000", "--increments", "--save", "steps")
        decks = subprocess.run([PROGRAM, "deal", "naive", "-n", "4", "--samples", "70000"], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        decks = [[int(item) for item in deck.split()] for deck in decks]
        odd = []
        for begin in range(0, len(decks), 65536):
            block = decks[begin:begin + 65536]
            for one, other in zip(block, block[1:]):
                step = [one.index(item) for item in other]
                odd.append(sum(step[i] > step[j] for j in range(4) for i in range(j)) % 2)
        (line,) = [line for line in self.found("steps")["statistics"] if line["statistic"] == "parity" and line["increments"]]
        self.assertEqual(len(odd), 69998)
        self.assertAlmostEqual(line["ln_e"], ln_e((len(odd) - sum(odd), sum(odd)), (0.5, 0.5)), delta=1e-7)

    def test_as_many_as_a_cluster_counts(self):
        """10^12, in a file made by hand; ln E is that of mpmath with 60 digits."""
        self.report("fisher-yates", "--samples", "1000", "--save", "few")
        count = [166666666666, 166666866666, 166666466666, 166667166666, 166666166666, 166666666670]
        many = re.sub(r'"counts": \[[^]]*\]', '"counts": %s' % count, self.text("few"))
        many = many.replace('"samples": "1000",', '"samples": "1000000000000",').replace('"total": 1000,', '"total": 1000000000000,')
        self.put("many", sealed(many))
        found = self.found("many", "--exclude", "1e-5", status=0)
        (rank,) = [line for line in found["statistics"] if line["statistic"] == "rank"]
        self.assertAlmostEqual(rank["ln_e"], -35.864440176000697743, delta=1e-8)
        self.assertTrue(found["whole"] and found["tv_high"] < 1e-5)

    def test_parts_are_judged_as_the_whole(self):
        for run, status in ((("naive", "-n", "4", "--samples", "300001"), 1), (("fisher-yates", "-n", "12", "--samples", "1500001"), 0)):
            with self.subTest(run=run):
                for part in "123":
                    self.report(*run, "--shard", part + "/3", "--save", part)
                self.report(*run, "--save", "whole")
                self.call("merge", "3", "1", "2", "-o", "all")
                self.call("merge", "--partial", "3", "1", "-o", "some")
                for form in ("text", "markdown", "json", "junit", "tap", "html", "svg"):
                    whole, parts = (self.gate(name, "--format", form, status=status) for name in ("whole", "all"))
                    self.assertEqual(self.without_its_command(parts), self.without_its_command(whole))
                whole, some, part = self.found("whole"), self.found("some"), self.found("2")
                self.assertEqual([found["report"]["part"] for found in (whole, some, part)],
                                 [None, "parts 1 and 3 of 3", "part 2 of 3"])
                self.assertEqual(some["total"] + part["total"], whole["total"])
                self.assertEqual(some["terms"], whole["terms"])  # and so is what is in play
                self.assertEqual([line["weight"] for line in part["statistics"]], [line["weight"] for line in whole["statistics"]])
                self.assertIn("Counted by: a report, part 2 of 3; looked at once", self.text_of("2"))
                for name in ("1", "2", "3", "all", "some", "whole"):
                    os.remove(self.path(name))

    def test_what_was_counted_until_now(self):
        """Also while the run goes on, which it does not notice."""
        with self.start("fisher-yates", "-n", "4", "--samples", "1e12", "--save", "long", "--checkpoint", "0.02") as child:
            self.until_done("long", 1)
            earlier = self.found("long", "--exclude", "1e-8", status=3)
            child.kill()
        found = self.found("long", "--exclude", "1e-8", status=3)
        self.assertGreaterEqual(found["total"], earlier["total"])
        self.assertEqual((found["interrupted"], found["terms"]["limit"]), (True, 10 ** 12))
        self.assertIn("It was interrupted before the question was settled", self.text_of("long", "--exclude", "1e-8"))

    def test_terms_are_those_of_the_gate(self):
        self.report("naive", "--samples", "100000", "--save", "three")  # 1/18 from fair
        for terms, verdict, status in (((), "fail", 1), (("--tolerate", "0.1", "--exclude", "0.1"), "pass", 0),
                                       (("--alpha", "1e-100", "--tolerate", "0.055", "--exclude", "0.0555"), "inconclusive", 3)):
            found = self.found("three", *terms, status=status)
            self.assertEqual((found["verdict"], found["terms"]["limit"]), (verdict, 100000))
        self.assertIn("The run ended before the question was settled", self.text_of("three", *terms))
        whole = self.found("three")
        for said in (("-n", "3"), ("--deal", "3"), ("--seed", "1"), ("--rng", "philox")):
            self.assertEqual(self.found("three", *said), whole)

    def test_statistics_that_are_not_there(self):
        """Of up to ten items all follow from the counts."""
        self.report("naive", "-n", "12", "--samples", "5000", "--statistics", "cycles,parity", "--save", "some")
        self.report("naive", "-n", "6", "--samples", "5000", "--statistics", "none", "--save", "none")
        self.report("naive", "-n", "6", "--samples", "5000", "--save", "all")
        self.report("naive", "-n", "6", "--samples", "5000", "--increments", "--statistics", "parity", "--save", "steps")
        found = self.found("some")
        self.assertEqual({line["statistic"] for line in found["statistics"]}, {"position", "cycles", "parity"})
        self.assertEqual(found["report"]["left_out"][:2] + found["report"]["left_out"][-5:],
                         ["successor", "adjacent", "repeat", "lags", "bettor", "catalogue", "outliers"])
        self.assertIn("; looked at once, without what it does not record: successor, adjacent, ", self.text_of("some"))
        self.assertEqual(self.found("none"), self.found("all"))
        self.assertIn("Counted by: a report; looked at once, without what it does not record: repeat, lags, bettor, catalogue. ", self.text_of("none"))
        self.assertEqual({(line["statistic"], line["increments"]) for line in self.found("steps")["statistics"]},
                         {(name, step) for name in ("position", "parity") for step in (False, True)})

    def test_nothing_counted_yet(self):
        """The last of many parts of a short run has no permutation."""
        for n in ("3", "11"):
            self.report("naive", "-n", n, "--samples", "100", "--shard", "1/7", "--save", n)
            found = self.found(n, status=3)
            self.assertEqual((found["total"], found["ln_e"], found["looks"]["total"]), (0, 0, []))
            text = self.text_of(n)
            self.assertIn("INCONCLUSIVE no bias shown, and none ruled out, after 0 shuffles", text)
            self.assertIn("These parts of the run ended before the question was settled", text)
            for form in ("html", "svg", "junit", "tap", "markdown"):
                self.gate(n, "--format", form, status=3)

    def test_its_json(self):
        self.report("naive", "-n", "12", "--samples", "5000", "--shard", "1/1", "--save", "saved")
        before = self.text("saved")
        self.put("found", self.gate("saved", "--format", "json"))
        self.valid("found", "gate-2.json")
        self.assertEqual(self.text("saved"), before)

    def test_what_does_not_go_together(self):
        self.report("naive", "--samples", "1000", "--save", "saved")
        self.report("naive", "--samples", "1000", "--shard", "1/2", "--save", "part")
        self.report("naive", "-n", "1", "--samples", "1000", "--save", "one")
        self.put("suite.json", '[{"name": "a", "scheme": "naive"}]')
        before = self.text("saved")
        for arguments, line in (
                (("saved", "--limit", "1000"), "--limit 1000: 'saved' is a report's evidence, and all that was counted is looked at, once: leave it out"),
                (("saved", "--save", "new"), "'saved' is saved evidence: leave --save out"),
                (("--save", "saved"), "a report's evidence, which a gate cannot resume: resume it with 'shufflebias report'"),
                (("saved", "--ledger", "new"), "--ledger new: a ledger is for runs, and 'saved' is only judged: leave --ledger out"),
                (("saved", "--checkpoint", "3"), "--checkpoint 3: only goes with --save"),
                (("saved", "--suite", "suite.json"), "leave 'saved' or --suite out"),
                (("saved", "--jobs", "2"), "--jobs 2: only goes with --suite"),
                (("saved", "--chained"), "--chained: only goes with"),
                (("saved", "part"), "'saved' is saved evidence: give one file of it and nothing else; parts of a run are added up with"),
                (("saved", "-o", "saved"), "'saved' is the evidence, and cannot take the text"),
                (("one",), "'one' is evidence of n = 1: there is only one order, and nothing to test")):
            with self.subTest(arguments=arguments):
                self.assertIn(line, self.gate(*arguments, status=2))
                self.assertFalse(os.path.exists(self.path("new")))
        for typed, was in (("-n 4", "3"), ("--seed 2", "1"), ("--increments given", "not given"), ("--profile cards", "not given"),
                           ("--draw modulo:15", "ideal")):
            self.assertIn("%s: differs from that of 'saved', %s: leave it out" % (typed, was),
                          self.gate("saved", *typed.removesuffix(" given").split(), status=2))
        self.assertEqual(self.text("saved"), before)

    def test_what_is_unsound(self):
        self.report("naive", "-n", "12", "--samples", "100", "--statistics", "parity", "--increments", "--save", "saved")
        whole = self.text("saved")
        for bad in list(damaged(whole, 197))[2:]:  # what does not begin as evidence is read as a recording
            with self.subTest(bad=bad):
                self.put("bad", bad)
                self.assertIn("'bad' is no sound evidence: ", self.gate("bad", status=4))
        self.refused_edited(self.gate, (
            ("saved", "evidence/1", "evidence/2", 'schema must be "shufflebias.evidence/1"'),
            ("saved", '"n": "12"', '"n": "13"', "matrix must be"),
            ("saved", '"total": 100', '"total": 99', "total must be"),
            ("saved", '"statistic": "parity"', '"statistic": "luck"', "tallies are of other statistics"),
            ("saved", '"statistics": "parity"', '"statistics": "cycles"', "tallies are of other statistics"),
            ("saved", '"increments": "true"', '"increments": "false"', "tallies are of other statistics")))

    def test_another_version(self):
        """Is looked at, as a report is made on it."""
        self.report("naive", "-n", "12", "--samples", "1000", "--save", "saved")
        before = self.gate("saved")
        self.put("saved", aged(self.text("saved")))
        self.assertEqual(self.gate("saved"), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
