# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact matrices of items by positions, for decks that are too large for the law itself."""
import json
import os
import subprocess
import sys
import unittest
from fractions import Fraction

from program import PROGRAM


def run(*arguments, **environment):
    done = subprocess.run([PROGRAM, "report", *arguments], capture_output=True, text=True, timeout=100,
                          env={**os.environ, **environment})
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def reports(*arguments):
    return json.loads(run(*arguments, "--format", "json"))["reports"]


def naive(n):
    """The naive swap's matrix by its definition, row by row in fractions."""
    rows = []
    for item in range(n):
        row = [Fraction(item == j) for j in range(n)]
        for i in range(n):
            there = row[i]
            row = [(p * (n - 1) + there) / n for p in row]
            row[i] = Fraction(1, n)  # whatever the item was before, it is now anywhere
        rows.append(row)
    return rows


class Matrix(unittest.TestCase):
    def test_fractions(self):
        report, = reports("naive", "-n", "14", "--by", "exact")
        self.assertEqual(report["evidence"], {"by": "exact", "engine": "position", "denominator": str(14 ** 14),
                                              "error": None, "unresolved": "0", "paths": None,
                                              "counts": None})
        self.assertEqual([[Fraction(cell) for cell in row] for row in report["matrix"]], naive(14))
        self.assertIsNone(report["effect"]["total_variation"])
        self.assertEqual(report["verdict"], "biased")
        self.assertEqual(report["permutations"], [])

    def test_doubles_bound_the_total_variation_of_a_tiny_bias(self):
        """The law of ten items with words of 45 bits is in doubles. The ratio of an order is a product of a ratio for
        each draw: `over` of its answers come from one word more than the others do."""
        ratios = {Fraction(1): 1}
        for bound in range(2, 11):
            each, over = divmod(2 ** 45, bound)
            answers = {Fraction((each + 1) * bound, 2 ** 45): over, Fraction(each * bound, 2 ** 45): bound - over}
            products = {}
            for ratio, orders in ratios.items():
                for factor, count in answers.items():
                    products[ratio * factor] = products.get(ratio * factor, 0) + orders * count
            ratios = products
        exact = sum(orders * abs(ratio - 1) for ratio, orders in ratios.items()) / (2 * sum(ratios.values()))
        report, = reports("fisher-yates/modulo:45", "-n", "10", "--by", "exact")
        effect = report["effect"]
        self.assertIsNone(report["evidence"]["denominator"])
        self.assertLess(effect["total_variation_high"] - effect["total_variation_low"], 1e-13)
        self.assertTrue(effect["total_variation_low"] <= exact <= effect["total_variation_high"], float(exact))

    def test_thirteen_items(self):
        """The law of 13 items takes minutes. It is not computed if there is a formula, or for a report on all shuffles."""
        report, = reports("fisher-yates", "-n", "13", "--by", "exact")
        self.assertEqual(report["evidence"]["engine"], "closed form, position")
        self.assertEqual(report["effect"]["total_variation"], 0)
        engines = {report["subject"]["name"]: report["evidence"]["engine"] for report in reports("-n", "13", "--by", "exact")}
        self.assertEqual(engines["naive"], "position")
        self.assertEqual(engines["transpositions"], "position")

    def test_doubles(self):
        report, = reports("naive", "-n", "65", "--by", "exact")
        self.assertIsNone(report["evidence"]["denominator"])
        error = report["evidence"]["error"]
        self.assertLess(error, 1e-12)
        for row, expected in zip(report["matrix"], naive(65)):
            for cell, fraction in zip(row, expected):
                self.assertLessEqual(abs(Fraction(cell) - fraction), Fraction(error) * fraction)

    def test_a_deal(self):
        report, = reports("naive", "-n", "65", "--deal", "5", "--by", "exact")
        self.assertEqual({len(row) for row in report["matrix"]}, {5})
        self.assertAlmostEqual(report["matrix"][1][0], float(naive(65)[1][0]))

    def test_verdicts(self):
        for scheme, verdict, words in [("fisher-yates", "uniform", "proven fair"),
                                       ("fisher-yates/lemire:16", "uniform", "proven fair"),
                                       ("fisher-yates/modulo:15", "biased", "2.3% too often"),
                                       ("sattolo", "biased", "item 1 never lands at position 1"),
                                       ("naive", "biased", "item 2 lands 35% too often at position 1")]:
            with self.subTest(scheme=scheme):
                report, = reports(scheme, "-n", "52", "--by", "exact")
                self.assertEqual(report["verdict"], verdict)
                self.assertIn(words, report["sentence"])

    def test_by_default_beside_the_sample(self):
        both = reports("naive", "-n", "52", "--samples", "1000")
        self.assertEqual([report["evidence"]["by"] for report in both], ["exact", "sample"])
        both = reports("naive", "-n", "10", "--samples", "1000")
        self.assertIsNone(both[0]["evidence"]["counts"])
        self.assertGreater(len(both[1]["permutations"]), 0)
        self.assertEqual(len(reports("naive", "-n", "201", "--samples", "100")), 1)

    def test_csv(self):
        lines = run("naive", "-n", "65", "--by", "exact", "--format", "csv").splitlines()
        cells = [line.split(",") for line in lines if ",matrix," in line]
        self.assertEqual(len(cells), 65 * 65)
        self.assertEqual(cells[0][9:11], ["", ""])
        self.assertAlmostEqual(float(cells[0][11]), 1 / 65)

    def test_picture(self):
        text = run("naive", "-n", "52", "--by", "exact", LC_ALL="C")
        rows = [line for line in text.splitlines() if line.endswith("|")]
        self.assertEqual((len(rows), {len(row) for row in rows}), (26, {7 + 52 + 1}))
        self.assertIn("#", rows[-1])
        self.assertNotIn("|", run("fisher-yates", "-n", "52", "--by", "exact", LC_ALL="C"))
        self.assertIn("```\n", run("naive", "-n", "70", "--by", "exact", "--format", "markdown"))
        fair = run("fisher-yates", "-n", "52", "--by", "sample", "--samples", "10000", LC_ALL="C")
        self.assertEqual(sum(line.count(":" * 52) for line in fair.splitlines()), 26)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
