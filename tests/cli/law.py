# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of 'law': null laws against a count of all permutations, and published figures of 52 cards."""
import collections
import csv
import io
import itertools
import json
import math
import os
import subprocess
import sys
import unittest

from program import PROGRAM


def run(*arguments):
    return subprocess.run([PROGRAM, "law", *arguments], capture_output=True, text=True, timeout=100,
                          env={**os.environ, "LC_ALL": "C"})


def law(*arguments):
    done = run(*arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def cycles(a):
    left, lengths = set(a), []
    while left:
        at, length = min(left), 0
        while at in left:
            left.remove(at)
            at, length = a[at], length + 1
        lengths.append(length)
    return lengths


# Permutations of 0..n-1 to what people would say of them
DEFINITIONS = {
    "rank": lambda a: "".join(str(item + 1) for item in a),
    "position": lambda a: str(a.index(0) + 1),
    "successor": lambda a: str(([item + 1 for item in a] + ["nobody"])[a.index(0) + 1]),
    "adjacent": lambda a: str(sum(y == x + 1 for x, y in zip(a, a[1:]))),
    "fixed-points": lambda a: str(sum(i == item for i, item in enumerate(a))),
    "cycles": lambda a: str(len(cycles(a))),
    "cycle-of-first": lambda a: str(cycles(a)[0]),
    "parity": lambda a: ("even", "odd")[sum(x > y for x, y in itertools.combinations(a, 2)) % 2],
    "records": lambda a: str(len(set(itertools.accumulate(a, max)))),
    "descents": lambda a: str(sum(x > y for x, y in zip(a, a[1:]))),
    "rising-sequences": lambda a: str(1 + sum(a.index(i + 1) < a.index(i) for i in range(len(a) - 1))),
    "inversions": lambda a: str(sum(x > y for x, y in itertools.combinations(a, 2))),
    "longest-increasing": lambda a: str(max(size for size in range(1, len(a) + 1)
                                            if any(list(part) == sorted(part)
                                                   for part in itertools.combinations(a, size)))),
    "displacement": lambda a: str(sum(abs(i - item) for i, item in enumerate(a))),
    "first-k": lambda a: "".join(str(item + 1) for item in a[:2]),
    "first-k-set": lambda a: "".join(str(item + 1) for item in sorted(a[:2])),
}


class Law(unittest.TestCase):
    def test_every_statistic_of_five_items(self):
        listed = subprocess.run([PROGRAM, "list", "statistics"], capture_output=True, text=True, timeout=100).stdout
        for name in {line.split()[0] for line in listed.splitlines()[1:]} - set(DEFINITIONS):
            self.assertNotEqual(subprocess.run([PROGRAM, "law", name, "-n", "5"], capture_output=True, timeout=100).returncode, 0,
                                f"{name} has a law: add its definition to DEFINITIONS")
        for statistic, define in DEFINITIONS.items():
            counts = collections.Counter(define(list(a)) for a in itertools.permutations(range(5)))
            found = law(statistic, "-n", "5")
            with self.subTest(statistic=statistic):
                self.assertEqual(set(found["labels"]), set(counts))
                for label, p, ln_p in zip(found["labels"], found["p"], found["ln_p"]):
                    self.assertAlmostEqual(120 * p, counts[label], 12)
                    self.assertAlmostEqual(math.exp(ln_p), p, 15)

    def test_fifty_two_cards_to_twelve_digits(self):
        for statistic, value, p in (("fixed-points", 0, 0.367879441171442322), ("cycles", 4, 0.232821143281887),
                                    ("descents", 25, 0.184067094496558), ("inversions", 663, 0.00626342730453421),
                                    ("longest-increasing", 11, 0.279613876333557)):
            found = law(statistic, "-n", "52")
            self.assertAlmostEqual(found["p"][found["cells"].index(value)] / p, 1, 12)
        self.assertEqual(law("fixed-points", "-n", "52")["obtained"], "closed form")

    def test_moments(self):
        found = law("displacement", "-n", "52")
        self.assertAlmostEqual(found["mean"], 901, 9)
        self.assertAlmostEqual(found["variance"], 6377 + 2 / 3, 8)
        self.assertTrue(all(cell % 2 == 0 for cell in found["cells"]))  # no others can occur
        self.assertIn("Mean: 901, variance 6377.66666667.", run("displacement", "-n", "52").stdout)
        self.assertIsNone(law("successor")["mean"])

    def test_mean_and_variance_where_end_cells_hold_several_values(self):
        """Of 1,001 items and more, by the textbook formulas: (n + 1)/12 for descents, and those of a hypergeometric law."""
        for n in (1001, 65535):
            for statistic, mean in (("descents", (n - 1) / 2), ("rising-sequences", (n + 1) / 2)):
                found = law(statistic, "-n", str(n))
                self.assertAlmostEqual(found["mean"] / mean, 1, 13)
                self.assertAlmostEqual(found["variance"] / ((n + 1) / 12), 1, 13)
            found, share = law("eighths", "-n", str(n)), n // 8 / n
            self.assertAlmostEqual(found["mean"] / (n * share**2), 1, 13)
            self.assertAlmostEqual(found["variance"] / (n * n * (share * (1 - share))**2 / (n - 1)), 1, 13)
            found = law("cycles", "-n", str(n))
            self.assertAlmostEqual(found["mean"] / math.fsum(1 / i for i in range(1, n + 1)), 1, 13)

    def test_a_thousand_cards(self):
        found = law("cycles", "-n", "1000")
        self.assertEqual(found["p"][-1], 0)
        self.assertAlmostEqual(found["ln_p"][-1], -math.lgamma(1001), 9)
        self.assertAlmostEqual(math.fsum(found["p"]), 1, 12)

    def test_members_and_deals(self):
        self.assertEqual(law("successor", "-n", "4", "--member", "3")["labels"], ["4", "1", "2", "nobody"])
        found = law("position", "-n", "5", "--deal", "2")
        self.assertEqual(found["labels"], ["1", "2", "not dealt"])
        self.assertAlmostEqual(found["p"][2], 3 / 5, 15)
        self.assertEqual(law("inversions", "-n", "52", "--deal", "4")["p"], law("inversions", "-n", "4")["p"])

    def test_csv_has_the_same(self):
        found = law("successor", "-n", "7", "--member", "2")
        rows = list(csv.DictReader(io.StringIO(run("successor", "-n", "7", "--member", "2", "--format", "csv").stdout)))
        self.assertEqual([int(row["cell"]) for row in rows], found["cells"])
        self.assertEqual([row["label"] for row in rows], found["labels"])
        self.assertEqual([float(row["p"]) for row in rows], found["p"])
        self.assertEqual([float(row["ln_p"]) for row in rows], found["ln_p"])
        self.assertEqual({(row["statistic"], row["n"], row["deal"], row["member"]) for row in rows},
                         {("successor", "7", "7", "2")})

    def test_text(self):
        text = run("descents", "-n", "52").stdout
        self.assertRegex(text, r"(?m)^ +25 +0\.184067094497 +#")
        self.assertRegex(run("cycles", "-n", "200").stdout, r"(?m)^ +200 +1\.\d+e-375")
        self.assertIn("| 25 | 0.184067094497 |", run("descents", "-n", "52", "--format", "markdown").stdout)

    def test_long_laws_show_their_middle(self):
        text = run("inversions", "-n", "200").stdout
        self.assertIn("1,000 of 19,901 cells, the likeliest", text)
        self.assertRegex(text, r"(?m)^ +9950 ")
        self.assertNotRegex(text, r"(?m)^ +9000 ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
