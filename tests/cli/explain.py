#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of 'explain': its tree against the exact report and against loops in this file, its sentences, its look.

If the look changes, a person reads it and then renews the golden files, for naive and for fisher-yates:

    LC_ALL=C.UTF-8 build/shufflebias explain naive > data/golden/explain-naive.txt
    LC_ALL=C build/shufflebias explain naive > data/golden/explain-naive-ascii.txt

Usage: explain.py SHUFFLEBIAS SOURCE
"""
import collections
import itertools
import json
import os
import subprocess
import sys
import unittest
from fractions import Fraction

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]


def run(*arguments, locale="C.UTF-8"):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, encoding="utf-8", timeout=100,
                          env={**os.environ, "LC_ALL": locale})


def explain(*arguments):
    done = run("explain", *arguments, "--format", "json")
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def shuffles():
    """All shuffles; of the 90 usual rounds of swap-or-not, the tree has too many paths."""
    names = [line.split()[0].split(":")[0] for line in run("list", "shuffles").stdout.splitlines()[1:]]
    return [name + ":2" * (name == "swap-or-not") for name in names]


class Explain(unittest.TestCase):
    def test_the_orders_are_those_of_the_exact_report(self):
        self.assertGreater(len(shuffles()), 25)
        for shuffle in shuffles():
            with self.subTest(shuffle=shuffle):
                (report,) = json.loads(run("report", shuffle, "--by", "exact", "--format", "json").stdout)["reports"]
                evidence, found = report["evidence"], explain(shuffle)
                self.assertEqual([Fraction(order["probability"]) for order in found["orders"]],
                                 [Fraction(int(count), int(evidence["denominator"])) for count in evidence["counts"]])
                sums = collections.Counter()
                for path in found["paths"] or []:
                    sums[path["order"]] += Fraction(path["probability"])
                for order in found["orders"] if found["paths"] else []:
                    self.assertEqual(sums[order["order"]], Fraction(order["probability"]))
                self.assertEqual(sum(group["orders"] for group in found["groups"]), 6)

    def test_every_path_of_the_naive_swap(self):
        for n in (2, 3, 4):
            expected = {}
            for answers in itertools.product(range(n), repeat=n):
                a = list(range(1, n + 1))
                for i, j in enumerate(answers):
                    a[i], a[j] = a[j], a[i]
                expected[answers] = "".join(map(str, a))
            found = explain("naive", "-n", str(n))
            self.assertEqual({tuple(path["answers"]): path["order"] for path in found["paths"]}, expected)
            self.assertEqual({path["probability"] for path in found["paths"]}, {"1/%d" % n ** n})
            self.assertEqual((found["series"], len(found["paths"])), (str(n ** n), n ** n))

    def test_weights_of_a_draw(self):
        """rand() % 3 with 4 words: 0 from two of them."""
        for path in explain("naive/modulo:2")["paths"]:
            shares = [Fraction(1, 2) if answer == 0 else Fraction(1, 4) for answer in path["answers"]]
            self.assertEqual([Fraction(share) for share in path["shares"]], shares)
            self.assertEqual(Fraction(path["probability"]), shares[0] * shares[1] * shares[2])

    def test_a_walk(self):
        walk = explain("fisher-yates", "-n", "4", "--path", "1,0,1")["walk"]
        self.assertEqual([step["deck"] for step in walk["steps"]], [[1, 4, 3, 2], [3, 4, 1, 2], [3, 4, 1, 2]])
        self.assertEqual([step["swap"] for step in walk["steps"]], [[3, 1], [2, 0], [1, 1]])
        self.assertEqual([step["open"] for step in walk["steps"]], [6, 2, 1])
        self.assertEqual((walk["deal"], walk["probability"]), ([3, 4, 1, 2], "1/24"))
        pieces = explain("splice", "-n", "4", "--path", "3,0,1")["walk"]
        self.assertEqual(pieces["deal"], [4, 1, 3, 2])
        self.assertIsNone(explain("naive")["walk"])
        self.assertEqual(explain("naive", "--step")["walk"]["answers"], [0, 0, 0])

    def test_the_text_of_a_walk(self):
        text = run("explain", "naive", "--path", "0,2,1").stdout
        for words in ("a[0] stays", "a[1], a[2]", "123 132 231", "ends in 123", "Of the 27 paths 4 lead there"):
            self.assertIn(words, text)
        self.assertIn("in pieces", run("explain", "splice", "--step").stdout)

    def test_few_paths_among_many_orders(self):
        """A rotation of nine items has nine paths, which lead to nine of the 362,880 orders."""
        text = " ".join(run("explain", "rotate", "-n", "9").stdout.split())
        self.assertIn("There are more than 4096 paths, or more than 40320 orders: too many", text)

    def test_the_likeliest_and_the_rarest_of_many_kinds(self):
        groups = explain("naive", "-n", "6")["groups"]
        text = run("explain", "naive", "-n", "6").stdout
        self.assertIn("There are 67 kinds of orders: only the 10 likeliest and the 10 rarest are listed.", text)
        shown = [line.split()[-1] for line in text.splitlines() if line[-6:].isdigit() and line.count(".") == 1]
        self.assertEqual(len(groups), 67)
        self.assertEqual(shown, [group["first"] for group in groups[:10] + groups[-10:]])

    def test_all_shuffles_in_all_formats(self):
        for shuffle in shuffles():
            for question in (["-n", "4", "--deal", "2", "--draw", "modulo:15"], ["-n", "52"], ["--format", "markdown"]):
                with self.subTest(shuffle=shuffle, question=question):
                    done = run("explain", shuffle, *question, locale="C")
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    if "markdown" not in question:
                        self.assertTrue(done.stdout.isascii())
                        self.assertNotRegex(done.stdout, r"(?m)[^ ]\?[^ ]| $")
                        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)

    def test_golden(self):
        for scheme in ("naive", "fisher-yates"):
            for locale, suffix in (("C.UTF-8", ""), ("C", "-ascii")):
                with open(os.path.join(SOURCE, "data", "golden", f"explain-{scheme}{suffix}.txt"), encoding="utf-8") as file:
                    self.assertEqual(run("explain", scheme, locale=locale).stdout, file.read())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
