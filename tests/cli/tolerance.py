# SPDX-License-Identifier: GPL-3.0-or-later
"""plan --tolerance: the false alarms of a test that tolerates counts near their expectation, against enumeration, against
simulated shuffles with fixed seeds, and against binomial laws in fractions."""
import collections
import itertools
import json
import math
import random
import sys
import time
import unittest
from fractions import Fraction

import program
from program import run


def plan(*arguments):
    return program.found("plan", *arguments)["tolerance"]


def limits(total, cells, share):
    mean, share = Fraction(total, cells), Fraction(share)
    return math.ceil(mean * (1 - share)), math.floor(mean * (1 + share))


def outside(total, p, low, high):
    return 1 - sum(math.comb(total, k) * p ** k * (1 - p) ** (total - k) for k in range(max(low, 0), high + 1))


def compositions(total, cells):
    for bars in itertools.combinations(range(total + cells - 1), cells - 1):
        ends = (-1, *bars, total + cells - 1)
        yield tuple(ends[i + 1] - ends[i] - 1 for i in range(cells))


ORDERS = list(itertools.permutations(range(3)))


def enumerate_three(total, share):
    """The probabilities that a fair shuffle of three items fails: by orders, and by items at positions."""
    low, high = limits(total, 6, share)
    least, most = limits(total, 3, share)
    rank = place = Fraction(0)
    for counts in compositions(total, 6):
        ways = math.factorial(total)
        for count in counts:
            ways //= math.factorial(count)
        rank += ways * any(not low <= count <= high for count in counts)
        cells = collections.Counter()
        for order, count in zip(ORDERS, counts):
            for position, item in enumerate(order):
                cells[item, position] += count
        place += ways * any(not least <= cells[cell] <= most for cell in itertools.product(range(3), repeat=2))
    return rank / 6 ** total, place / 6 ** total


class Tolerance(unittest.TestCase):
    def test_all_outcomes_of_three_items(self):
        for total, share in ((12, "1/2"), (15, "3/5"), (18, "9/10")):
            rank, place = enumerate_three(total, share)
            text = str(float(Fraction(share)))
            one = plan("--tolerance", "rank:" + text, "--samples", str(total))
            self.assertEqual((one["least"], one["most"]), limits(total, 6, share))
            self.assertEqual(one["alarm_low"], one["alarm_high"] if total > 15 else one["alarm_low"])
            self.assertAlmostEqual(one["alarm_low"], float(rank), places=11)  # one column: Levin's formula is exact
            self.assertAlmostEqual(one["cell_alarm"], float(outside(total, Fraction(1, 6), *limits(total, 6, share))), places=12)
            one = plan("--tolerance", "position:" + text, "--samples", str(total))
            self.assertLessEqual(one["alarm_low"], float(place) * (1 + 1e-12))
            self.assertGreaterEqual(one["alarm_high"], float(place) * (1 - 1e-12))
            self.assertAlmostEqual(one["cell_alarm"], float(outside(total, Fraction(1, 3), *limits(total, 3, share))), places=12)

    def test_simulated_shuffles(self):
        """Of 2,000 experiments, the share that fails is within five standard errors (a false alarm of 10^-6)."""
        source, orders = random.Random(40), list(itertools.permutations(range(4)))
        total, runs = 300, 2000
        for statistic, share in (("position", 0.2), ("position", 0.35), ("rank", 0.9)):
            found = plan("--tolerance", f"{statistic}:{share}", "-n", "4", "--samples", str(total))
            failed = 0
            for _ in range(runs):
                counts = [0] * 24
                for order in source.choices(range(24), k=total):
                    counts[order] += 1
                if statistic == "position":
                    cells = [0] * 16
                    for order, count in zip(orders, counts):
                        for position, item in enumerate(order):
                            cells[4 * item + position] += count
                    counts = cells
                failed += not found["least"] <= min(counts) <= max(counts) <= found["most"]
            error = 5 * math.sqrt(max(failed, 25) * 1.0) / runs
            self.assertLess(found["alarm_low"] - error, failed / runs, (statistic, share))
            self.assertGreater(found["alarm_high"] + error, failed / runs, (statistic, share))

    def test_the_example(self):
        begin = time.monotonic()
        one = plan("--tolerance", "position:0.05", "-n", "10", "--samples", "10000")
        self.assertLess(time.monotonic() - begin, 5)
        cell = float(outside(10000, Fraction(1, 10), 950, 1050))
        self.assertAlmostEqual(one["cell_alarm"], cell, places=12)
        self.assertEqual((one["cells"], one["expected"], one["least"], one["most"]), (100, 1000, 950, 1050))
        self.assertLess(0.89, one["alarm_low"])  # 100 times 9% is no bound; pairs say more than one position does
        self.assertEqual((one["alarm_high"], one["missed"]), (1, None))

    def test_large_and_small_probabilities_are_quick(self):
        begin = time.monotonic()
        for arguments in (("position:0.2", "-n", "52", "--samples", "1e6"), ("position:0.01", "-n", "52", "--samples", "1e9"),
                          ("rank:0.5", "-n", "8", "--samples", "1e7"), ("rank:1", "-n", "52", "--samples", "1000"),
                          ("position:0.3", "-n", "52", "--deal", "5", "--samples", "1e5"), ("position:1", "-n", "2", "--samples", "1")):
            one = plan("--tolerance", *arguments)
            self.assertLessEqual(0, one["alarm_low"], arguments)
            self.assertLessEqual(one["alarm_low"], one["alarm_high"] * (1 + 1e-12), arguments)
            self.assertLessEqual(one["alarm_high"], 1, arguments)
        self.assertLess(time.monotonic() - begin, 20)

    def test_small_alarms_have_close_bounds(self):
        """Where false alarms are rare, the bounds are the sum over the cells, less hardly anything."""
        one = plan("--tolerance", "position:0.2", "-n", "10", "--samples", "10000")
        self.assertLess(one["alarm_high"], 1e-6)
        self.assertAlmostEqual(one["alarm_low"] / one["alarm_high"], 1, places=3)
        self.assertAlmostEqual(one["alarm_high"] / (100 * one["cell_alarm"]), 1, places=6)

    @staticmethod
    def beyond(total, p, low, high):
        """As outside(), in doubles, for a p with many digits."""
        return sum(math.exp(math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1)
                            + k * math.log(p) + (total - k) * math.log1p(-p)) for k in range(total + 1) if not low <= k <= high)

    def test_what_it_sees_and_misses(self):
        one = plan("--tolerance", "position:0.2", "-n", "5", "--samples", "5000")
        for share, power in ((1 + one["seen_over"], 0.9), (1 - one["seen_under"], 0.9)):
            self.assertAlmostEqual(self.beyond(5000, share / 5, 800, 1200), power, places=6)
        worst = max(self.beyond(5000, (1 + side * one["missed"]) / 5, 800, 1200) for side in (1, -1))
        self.assertAlmostEqual(25 * worst, 0.1, places=6)
        at = plan("--tolerance", "position:%r" % one["tolerance_needed"], "-n", "5", "--samples", "5000")
        self.assertLessEqual(25 * at["cell_alarm"], 0.001)
        less = plan("--tolerance", "position:%r" % (one["tolerance_needed"] - 2e-3), "-n", "5", "--samples", "5000")
        self.assertGreater(25 * less["cell_alarm"], 0.001)

    def test_a_scheme(self):
        """The naive swap of three cards: orders of 4/27 and of 5/27."""
        one = plan("naive", "--tolerance", "rank:0.15", "--samples", "2000")
        low, high = limits(2000, 6, "0.15")
        rare, often = (float(outside(2000, Fraction(ways, 27), low, high)) for ways in (4, 5))
        self.assertAlmostEqual(one["fails_low"], max(rare, often), places=9)
        self.assertAlmostEqual(one["fails_high"], min(1, 3 * (rare + often)), places=9)
        text = run("plan", "naive", "--tolerance", "rank:0.15", "--samples", "2000").stdout
        self.assertIn("naive fails with a probability of", text)
        self.assertIsNone(plan("--tolerance", "rank:0.15", "--samples", "2000")["fails_low"])

    def test_refusals_and_formats(self):
        for arguments, said in ((["--tolerance", "rank:0.1"], "say how many shuffles the test counts with --samples"),
                                (["--tolerance", "cycles:0.1", "--samples", "5"], "write position:T or rank:T"),
                                (["--tolerance", "rank:0", "--samples", "5"], "above 0"), (["--tolerance", "rank", "--samples", "5"], "position:T"),
                                (["--tolerance", "rank:0.1", "--samples", "5", "--detect", "0.1"], "leave one of them out")):
            done = run("plan", *arguments)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(said, done.stderr)
        text = run("plan", "--tolerance", "order:0.1", "--samples", "500", "--format", "csv").stdout.splitlines()
        self.assertEqual(len(text), 2)
        self.assertEqual(len(text[0].split(",")), len(text[1].split(",")))
        self.assertIsNone(json.loads(run("plan", "naive", "--format", "json").stdout)["tolerance"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
