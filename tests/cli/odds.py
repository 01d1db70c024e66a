# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact odds of given permutations, against a count of every series of draws."""
import collections
import itertools
import os
import sys
import unittest
from fractions import Fraction
from math import factorial

from program import SOURCE, run, found


def odds(*arguments):
    return found("odds", *arguments)


def naive(n):
    counts = collections.Counter()
    for draws in itertools.product(range(n), repeat=n):
        a = list(range(1, n + 1))
        for i, j in enumerate(draws):
            a[i], a[j] = a[j], a[i]
        counts["".join(map(str, a))] += 1
    return counts


class Odds(unittest.TestCase):
    def test_the_tree_is_too_large(self):
        done = run("odds", "sort-merge", ".".join(map(str, range(1, 31))))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("n = 30 is too large for the whole law", done.stderr)

    def test_every_permutation_of_five(self):
        counts = naive(5)
        names = ["".join(p) for p in itertools.permutations("12345")]
        found = odds("naive", *names)
        self.assertEqual(found["denominator"], str(5 ** 5))
        self.assertEqual([line["permutation"] for line in found["permutations"]], names)
        for line in found["permutations"]:
            share = Fraction(counts[line["permutation"]], 5 ** 5)
            self.assertEqual(int(line["count"]), counts[line["permutation"]])
            self.assertEqual(Fraction(line["probability"]), share)
            self.assertAlmostEqual(line["share"], float(share), delta=1e-15)
            self.assertAlmostEqual(line["ratio"], float(share * factorial(5)), delta=1e-12)

    def test_a_biased_draw(self):
        for scheme in ("fisher-yates", "inside-out"):  # undone, and by the tree
            with self.subTest(scheme=scheme):
                found = odds(scheme + "/modulo:4", "123", "132", "213", "231", "312", "321")
                shares = sorted(Fraction(line["probability"]) for line in found["permutations"])
                self.assertEqual(shares, [Fraction(5, 32)] * 4 + [Fraction(6, 32)] * 2)

    def test_crossover(self):
        """Goldstein and Moews: "for n >= 18 the identity is the most likely", and before that the rival is, whose count is
        published up to n = 12."""
        with open(os.path.join(SOURCE, "data/vectors/naive_swap.txt"), encoding="ascii") as file:
            rows = [line.split()[1:] for line in file if line.startswith("naive ")]
        for n, identity, largest in ((int(row[0]), *row[1:]) for row in rows if int(row[0]) > 3):
            m = n // 2
            rival = [*range(2, m + 1), 1, *range(m + 2, n + 1), m + 1]
            found = odds("naive", ".".join(map(str, range(1, n + 1))), ".".join(map(str, rival)))
            own, other = (line["count"] for line in found["permutations"])
            self.assertEqual((found["denominator"], own), (str(n ** n), identity))
            self.assertIn(largest, ("-", other))
            self.assertEqual(int(own) > int(other), n >= 18)

    def test_each_of_52_factorial(self):
        line, = odds("fisher-yates", ".".join(map(str, [*range(2, 53), 1])))["permutations"]
        self.assertEqual(line["probability"], "1/%d" % factorial(52))

    def test_text(self):
        text = run("odds", "naive", "2.3.1").stdout  # dots are as good below ten items
        self.assertIn("231", text)
        self.assertIn("1.1111", text)
        self.assertIn("| 231 |", run("odds", "naive", "231", "--format", "markdown").stdout)
        self.assertEqual(run("odds", "--help").returncode, 0)

    def test_one_item(self):
        line, = odds("naive", "1")["permutations"]
        self.assertEqual((line["count"], line["probability"], line["ratio"]), ("1", "1", 1))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
