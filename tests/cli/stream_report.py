# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults in the order of permutations, as a report detects them: repeated decks, and increments."""
import csv
import io
import itertools
import math
import random
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from fractions import Fraction

from program import PROGRAM, run, report, lines


def finding(found, statistic, increments=False):
    (one,) = [one for one in found["findings"]
              if one["statistic"] == statistic and one["increments"] == increments and one["test"] != "likelihood-ratio"
              and "lag" not in one]
    return one


def decks_of(kinds, count, n, seed):
    """Decks of n items, each one of so many that were drawn beforehand."""
    source = random.Random(seed)
    kind = [source.sample(range(n), n) for _ in range(kinds)]
    return [source.choice(kind) for _ in range(count)]


def chance(decks, kinds, repeats):
    """P(so many repeats or more) of a fair shuffle, deck by deck, exactly."""
    law = {0: Fraction(1)}
    for t in range(decks):
        after = Counter()
        for r, p in law.items():
            after[r] += p * (1 - Fraction(t - r, kinds))
            after[r + 1] += p * Fraction(t - r, kinds)
        law = after
    return sum(p for r, p in law.items() if r >= repeats)


class Repeats(unittest.TestCase):
    def test_counted_as_by_a_set(self):
        decks = decks_of(30000, 2000, 12, 1)
        found = report("-", "--statistics", "repeat", text=lines(decks))
        again = len(decks) - len(set(map(tuple, decks)))
        self.assertGreater(again, 20)
        pairs = Fraction(2000 * 1999, 2 * math.factorial(12))
        self.assertEqual((found["repeats"]["decks"], found["repeats"]["repeats"]), (2000, again))
        self.assertAlmostEqual(found["repeats"]["expected"], float(pairs), places=15)
        one = finding(found, "repeat")
        self.assertEqual((one["test"], one["value"], one["dof"], one["reliable"]), ("birthday", again, None, True))
        self.assertAlmostEqual(one["effect"] / (again / float(pairs) - 1), 1, places=9)
        self.assertTrue(0 < one["effect_low"] <= one["effect"] <= one["effect_high"])
        self.assertEqual(found["verdict"], "biased")
        self.assertIn("%d of 2,000" % again, found["sentence"])

    def test_the_p_value_is_that_of_the_exact_law(self):
        """Or above it, by the little that few decks are from Poisson's law."""
        decks = decks_of(2000, 60, 11, 3)
        found = report("-", "--statistics", "repeat", text=lines(decks))
        again = found["repeats"]["repeats"]
        self.assertIn(again, (1, 2))
        exact = float(chance(60, math.factorial(11), again))
        self.assertLessEqual(exact, finding(found, "repeat")["p"] * (1 + 1e-9))
        self.assertLess(finding(found, "repeat")["p"], 1.05 * exact)

    def test_deals_of_a_few_cards(self):
        """Five of 52: 311,875,200 deals, of which 20,000 have 0.64 repeats on average; a fair shuffle has as many."""
        found = report("fisher-yates", "-n", "52", "--deal", "5", "--by", "sample", "--samples", "20000")
        self.assertAlmostEqual(found["repeats"]["expected"], 20000 * 19999 / 2 / 311875200, places=12)
        self.assertLess(found["repeats"]["repeats"], 6)

    def test_where_there_is_no_such_test(self):
        for options in (["-n", "10"], ["-n", "52", "--statistics", "none"], ["-n", "12", "--statistics", "cycles"]):
            found = report("fisher-yates", "--by", "sample", "--samples", "1000", *options)
            self.assertIsNone(found["repeats"])
            self.assertNotIn("repeat", [one["statistic"] for one in found["findings"]])

    def test_any_number_of_threads(self):
        for scheme in ("fisher-yates", "sort-quick", "naive/modulo:8"):
            question = ["report", scheme, "-n", "12", "--samples", "150000", "--by", "sample", "--increments", "--format", "json"]
            said = {subprocess.run([PROGRAM, *question, "--threads", threads], capture_output=True, timeout=100, check=True).stdout
                    for threads in "125"}
            self.assertEqual(len(said), 1, scheme)

    def test_formats(self):
        text = lines(decks_of(50, 100, 12, 3))
        found = report("-", text=text)
        rows = list(csv.DictReader(io.StringIO(run("report", "-", "--format", "csv", text=text).stdout)))
        (row,) = [row for row in rows if row["kind"] == "repeats"]
        self.assertEqual((int(row["count"]), int(row["total"])), (found["repeats"]["repeats"], 100))
        (row,) = [row for row in rows if row["statistic"] == "repeat" and row["kind"] == "test"]
        self.assertEqual((row["name"], row["dof"]), ("birthday", ""))
        for form in ("text", "markdown", "html"):
            said = run("report", "-", "--format", form, text=text).stdout
            self.assertIn("Whole decks that came up again", said)
            self.assertIn("birthday", said)


def sticky(n, count, repeat, seed, lag=1):
    """Each deck is that of `lag` lines before with probability `repeat`, or else uniform: each by itself is fair."""
    source, decks = random.Random(seed), []
    for t in range(count):
        again = t >= lag and source.random() < repeat
        decks.append(decks[t - lag] if again else source.sample(range(n), n))
    return decks


def naive(n, source):
    deck = list(range(n))
    for i in range(n):
        j = source.randrange(n)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


class Lags(unittest.TestCase):
    """Lines that depend on each other. The seeds are fixed; by another seed, a stream of independent lines is said to be
    dependent with a probability of at most 0.001 in theory, and its lags have p < 0.001 as often."""

    def lag(self, found):
        (one,) = [one for one in found["findings"] if "lag" in one]
        return one

    def test_lines_that_repeat_the_line_before(self):
        """Uniform orders, of which 95% repeat the last: no single order is wrong, and none is said to be."""
        for n, count in ((4, 20000), (4, 300), (2, 500), (6, 2000), (52, 1000), (70, 500), (300, 300)):
            with self.subTest(n=n, count=count):
                found = report("-", text=lines(sticky(n, count, 0.95, 1)))
                self.assertEqual(found["verdict"], "biased")
                self.assertRegex(found["sentence"], r"^[0-9,]+ of [0-9,]+ lines are the same as the line before \(corrected p = [^)]*\)\. "
                                 r"Is the generator seeded anew each time from a clock, or is each line printed twice\? "
                                 "Counts of single orders and places need independent lines, and are not judged\\.$")
                self.assertEqual((self.lag(found)["lag"], self.lag(found)["dependent"]), (1, True))
                self.assertTrue(all(row["low"] is None and row["high"] is None for row in found["permutations"] or []))
                self.assertTrue(all(one["effect_low"] is None and one["effect_high"] is None for one in found["findings"]))
                self.assertIsNone(found["places"])
                self.assertIsNone(found["looks_like"])

    def test_the_line_that_a_line_depends_on(self):
        for lag in (2, 8, 64):
            found = report("-", text=lines(sticky(5, 3000, 0.5, lag, lag)))
            self.assertIn(f"each line depends on the one {lag} before", found["sentence"])

    def test_a_chain(self):
        """Each line a transposition of the one before."""
        source, deck, decks = random.Random(3), list(range(7)), []
        for _ in range(4000):
            i, j = source.randrange(7), source.randrange(7)
            deck[i], deck[j] = deck[j], deck[i]
            decks.append(tuple(deck))
        self.assertIn("each line depends on the one before", report("-", text=lines(decks))["sentence"])
        # of its steps, each is as likely after any other: they are biased, and do not depend on each other
        steps = report("-", "--chained", text=lines(decks))
        self.assertEqual((steps["verdict"], self.lag(steps)["dependent"]), ("biased", False))

    def test_a_biased_shuffle_is_not_called_dependent(self):
        """Its steps are not uniform either, but those at all lags are alike."""
        source = random.Random(4)
        kinds = {"naive": lambda n: naive(n, source),
                 "rotation": lambda n: [*range(cut := source.randrange(n), n), *range(cut)],
                 "constant": lambda n: list(range(n)),
                 "often left alone": lambda n: list(range(n)) if source.random() < 0.7 else source.sample(range(n), n),
                 "first to anywhere": lambda n: (deck := list(range(1, n))).insert(source.randrange(n), 0) or deck}
        for (kind, deal), n in itertools.product(kinds.items(), (3, 5, 8, 20)):
            with self.subTest(kind=kind, n=n):
                found = report("-", text=lines([deal(n) for _ in range(3000)]))
                self.assertEqual((found["verdict"], self.lag(found)["dependent"]), ("biased", False))
                self.assertNotIn("depends on", found["sentence"])

    def test_the_lags_are_one_test_of_the_report(self):
        """p is the smallest of chi-square over the steps, times the number of lags, counted here by loops."""
        decks = [random.Random(5 + t).sample(range(3), 3) for t in range(400)]
        found = report("-", text=lines(decks))
        least = 1
        for lag in (1, 2, 4, 8, 16, 32, 64):
            steps = Counter(tuple(old.index(item) for item in new) for old, new in zip(decks, decks[lag:]))
            expected = (len(decks) - lag) / 6
            value = sum((steps[order] - expected) ** 2 / expected for order in itertools.permutations(range(3)))
            tail = math.erfc(math.sqrt(value / 2)) + math.sqrt(2 / math.pi) * math.exp(-value / 2) * (
                math.sqrt(value) + value**1.5 / 3)  # of chi-square with five degrees of freedom
            least = min(least, 7 * tail)
        self.assertAlmostEqual(self.lag(found)["p"], least, places=9)
        smallest = min(one["p"] for one in found["findings"])
        words = re.search(r"corrected p = ([\d.e-]+)", found["sentence"]).group(1)
        self.assertAlmostEqual(float(words), min(1, smallest * len(found["findings"])), delta=0.01)

    def test_where_there_are_no_lags(self):
        decks = [random.Random(t).sample(range(4), 4) for t in range(128)]
        self.assertEqual([one for one in report("-", text=lines(decks[:127]))["findings"] if "lag" in one], [])
        dealt = report("-", "-n", "4", "--deal", "2", text=lines(deck[:2] for deck in decks))
        self.assertEqual([one["statistic"] for one in dealt["findings"] if "lag" in one], ["overlap"])
        self.lag(report("-", text=lines(decks)))
        self.assertEqual([one for one in report("naive", "--by", "sample")["findings"] if "lag" in one], [])


class Outliers(unittest.TestCase):
    """Single decks, and steps, that a fair shuffle hardly ever deals."""

    def findings(self, decks, *arguments):
        found = report("-", *arguments, text=lines(decks))
        return found, {one["statistic"]: one for one in found["findings"] if one["test"] == "smallest"}

    def test_a_deck(self):
        source = random.Random(5)
        decks = [source.sample(range(30), 30) for _ in range(1000)]
        decks[700] = decks[700][:10] + sorted(decks[700][10:])
        rising = 20 + (decks[700][9] < decks[700][10])
        found, of = self.findings(decks)
        odd = of["outliers"]["outlier"]
        self.assertEqual((odd["deck"], odd["lag"], odd["what"], odd["value"]), (701, 0, "how many items rise at the end", rising))
        self.assertAlmostEqual(odd["ln_p"], -math.lgamma(rising + 1), 6)
        tails = math.exp(of["outliers"]["ln_p"] - odd["ln_p"]) / 1000  # the p is times the number of decks and of tails
        self.assertAlmostEqual(tails, round(tails), 6)
        self.assertTrue(15 < tails < 60)
        self.assertEqual(found["verdict"], "biased")
        self.assertIn(f'in deck 701 "how many items rise at the end" is {rising}; a fair deck has {rising} or more', found["sentence"])
        self.assertIsNone(found["looks_like"])
        self.assertGreater(of["step-outliers"]["p"], 1e-3)
        self.assertEqual(self.findings(decks, "--statistics", "descents")[1], {})
        self.assertEqual(self.findings(decks[600:720])[1], {})

    def test_a_step(self):
        source = random.Random(6)
        decks = [source.sample(range(30), 30) for _ in range(1000)]
        decks[300] = decks[298][11:] + decks[298][:11]
        found, of = self.findings(decks)
        odd = of["step-outliers"]["outlier"]
        self.assertEqual((odd["deck"], odd["lag"], odd["value"]), (301, 2, 28))
        self.assertIn("in deck 301, compared with deck 299, ", found["sentence"])
        text = re.sub(r"\s+", " ", run("report", "-", "--details", text=lines(decks)).stdout)
        self.assertIn("The least likely step: in deck 301, compared with deck 299, ", text)

    def test_of_a_biased_shuffle_other_tests_say_more(self):
        decks = [line.split() for line in run("deal", "riffle:4", "-n", "52", "--samples", "300").stdout.splitlines()]
        found, of = self.findings(decks)
        self.assertLess(of["outliers"]["p"], 1e-9)
        self.assertEqual(found["looks_like"]["scheme"], "riffle:4")
        self.assertNotIn("in deck", found["sentence"])


class Increments(unittest.TestCase):
    def steps(self, decks):
        """X[t-1]^-1 X[t]: where each item stood before."""
        return [tuple(last.index(item) for item in now) for last, now in zip(decks, decks[1:])]

    def test_against_the_steps_themselves(self):
        """The tests of the increments are those of the plain statistics on the increments."""
        source = random.Random(9)
        for n, count in ((4, 500), (12, 300)):
            decks = [source.sample(range(n), n) for _ in range(count)]
            found = report("-", "--increments", text=lines(decks))
            plain = report("-", text=lines(self.steps(decks)))
            for one in plain["findings"]:
                if one["statistic"] in ("repeat", "bettor", "outliers", "step-outliers") or "lag" in one:  # of whole decks alone
                    continue
                (other,) = [other for other in found["findings"] if other["increments"] and
                            (other["statistic"], other["test"]) == (one["statistic"], one["test"])]
                for name, value in one.items():  # but for the last digits: there the law of positions is in logarithms
                    if isinstance(value, float):
                        self.assertAlmostEqual(other[name], value, delta=1e-12 * (1 + abs(value)))
                    else:
                        self.assertEqual(other[name], True if name == "increments" else value)
            self.assertEqual([one for one in found["findings"] if not one["increments"]], report("-", text=lines(decks))["findings"])

    def test_a_chain_that_looks_fair(self):
        """One exchange after another of two random items: over time every order comes up as often."""
        source = random.Random(2)
        deck, decks = list(range(4)), []
        for _ in range(4000):
            i, j = source.randrange(4), source.randrange(4)
            deck[i], deck[j] = deck[j], deck[i]
            decks.append(tuple(deck))
        found = report("-", "--increments", text=lines(decks))
        self.assertLess(finding(found, "rank", increments=True)["p"], 1e-100)
        chained = report("-", "--chained", text=lines(decks))
        self.assertEqual(finding(found, "rank", increments=True)["value"], finding(chained, "rank")["value"])
        self.assertEqual(chained["evidence"]["total"], 3999)
        law = Counter(self.steps(decks))
        counts = [law[order] for order in itertools.permutations(range(4))]
        self.assertEqual(chained["evidence"]["counts"], counts)

    def test_of_a_scheme(self):
        found = report("naive", "-n", "3", "--by", "sample", "--samples", "65536", "--increments")
        dealt = subprocess.run([PROGRAM, "deal", "naive", "-n", "3", "--samples", "65536"], capture_output=True, text=True,
                               timeout=100, check=True)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:  # one block
            file.write(dealt.stdout)
            file.flush()
            read = report(file.name, "--increments")["findings"]
            self.assertEqual(found["findings"], [one for one in read if "lag" not in one])  # a scheme needs no lags

    def test_of_one_permutation(self):
        found = report("-", "--increments", text="1 2 3\n")
        self.assertEqual([one for one in found["findings"] if one["increments"]], [])

    def test_slips(self):
        for words, slip in (("whole permutations", ["naive", "-n", "5", "--deal", "2", "--increments"]),
                            ("drop --by exact", ["naive", "--by", "exact", "--increments"]),
                            ("leave --increments out", ["--matrix", "x", "--increments"])):
            done = run("report", *slip)
            self.assertEqual((done.returncode, done.stdout), (2, ""), slip)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
