# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports on matrices of counts from other sources."""
import json
import math
import subprocess
import sys
import unittest
from fractions import Fraction

import program
from program import PROGRAM


# The naive swap's matrix at n = 3 in 27 shuffles, by hand from its 27 series of draws (Wikipedia, Fisher-Yates
# shuffle): of each item how often it comes to each position.
NAIVE = [[9, 9, 9], [10, 8, 9], [8, 10, 9]]


def run(text, *options):
    return program.run("report", "--matrix", "-", *options, text=text)


def report(text, *options):
    return program.report("--matrix", "-", *options, text=text)


def write(rows, separator=","):
    return "".join(separator.join(str(cell) for cell in row) + "\n" for row in rows)


def tail(count, total, p):
    """P(X >= count) and P(X <= count) of a binomial, in fractions."""
    law = [math.comb(total, k) * p ** k * (1 - p) ** (total - k) for k in range(total + 1)]
    return sum(law[count:]), sum(law[:count + 1])


class Recorded(unittest.TestCase):
    def test_the_matrix_test(self):
        rows = [[1000 * cell for cell in row] for row in NAIVE]
        found = report(write(rows))
        (finding,) = [finding for finding in found["findings"] if finding["test"] == "matrix"]
        value = sum(Fraction((cell - 9000) ** 2, 9000) for row in rows for cell in row) * 2 / 3
        self.assertAlmostEqual(finding["value"], float(value), places=9)
        self.assertEqual(finding["dof"], 4)
        # of chi-square with 4 degrees of freedom exp(-x/2) (1 + x/2) is above x
        self.assertAlmostEqual(finding["ln_p"], float(-value / 2) + math.log(float(1 + value / 2)), places=9)
        self.assertAlmostEqual(finding["effect"], float((value - 4) / 26999), places=12)
        self.assertEqual((found["n"], found["deal"], found["evidence"]["total"]), (3, 3, 27000))
        self.assertEqual((found["matrix"], found["verdict"]), (rows, "biased"))

    def test_cells_beyond_their_intervals(self):
        """Those whose exact binomial tail is below alpha/2 over the number of cells, and no others."""
        rows = [[100, 75, 65], [75, 75, 90], [65, 90, 85]]
        found = report(write(rows), "--alpha", "0.1")["places"]
        level = Fraction(1, 10) / 2 / 9
        beyond = {(i + 1, j + 1) for i in range(3) for j in range(3)
                  if min(tail(rows[i][j], 240, Fraction(1, 3))) < level}
        self.assertEqual((found["cells"], found["beyond"]), (9, len(beyond)))
        self.assertEqual({(cell["item"], cell["position"]) for cell in found["farthest"]}, beyond)
        self.assertTrue(beyond)
        for cell in found["farthest"]:
            above, below = tail(cell["count"], 240, Fraction(cell["low"]))[0], tail(cell["count"], 240, Fraction(cell["high"]))[1]
            self.assertAlmostEqual(float(above), float(level), places=9)
            self.assertAlmostEqual(float(below), float(level), places=9)

    def test_a_matrix_of_ours(self):
        """A sample's matrix, written out and read again, has the same finding, also of a deal."""
        for question in (["naive", "-n", "20"], ["naive", "-n", "12", "--deal", "10"]):
            done = subprocess.run([PROGRAM, "report", *question, "--by", "sample", "--samples", "30000", "--statistics", "none",
                                   "--format", "json"], capture_output=True, text=True, timeout=100)
            (ours,) = json.loads(done.stdout)["reports"]
            theirs = report(write(ours["matrix"]), "--deal", str(ours["deal"]))
            for key in ("n", "deal", "matrix", "places", "findings", "verdict"):
                self.assertEqual(ours[key], theirs[key])
            whole = ours["deal"] == ours["n"]  # then a recorded matrix also has the name of the bug
            self.assertEqual(theirs["sentence"].split(" It looks like `naive`"),
                             [ours["sentence"]] + [theirs["sentence"].partition("`naive`")[2]] * whole)
            self.assertEqual(theirs["looks_like"] and theirs["looks_like"]["scheme"], "naive" if whole else None)

    def test_forms(self):
        counts = write(NAIVE)
        for text in (counts, write(NAIVE, ";"), write(NAIVE, "\t"), write(NAIVE, "  "), "# of 27\n\n" + counts,
                     "\ufeff" + counts.replace("\n", "\r\n"), counts[:-1],
                     "top,middle,bottom\n" + counts, "item,1,2,3\n1,9,9,9\n2,10,8,9\n3,8,10,9\n",
                     "1,2,3\n" + counts, ",0,1,2\n0,9,9,9\n1,10,8,9\n2,8,10,9\n",
                     'A,9,9,9\n"B",10,8,9\nC , 8, 10, 9\n', "1,9,9,9\n2,10,8,9\n3,8,10,9\n",
                     "V1 V2 V3\nA 9 9 9\nB 10 8 9\nC 8 10 9\n", '"9" , 9 ,9\n10,"8",9\n8,10,9\n',
                     "song,1st,2nd,total\nTotal eclipse,9,9,9\nAll,10,8,9\nC,8,10,9\n"):
            with self.subTest(text=text):
                self.assertEqual(report(text)["matrix"], NAIVE)

    def test_slips(self):
        for text, *words in [
                ("9,9\n9\n", "line 2", "1 fields", "line 1"),
                ("a,b\n9,9\n9,x9\n", "line 3", "column 2", "x9"),
                ("a,b\n9,9\n9,-9\n", "line 3", "column 2", "-9"),
                ("a,b\n9,9\n9,9.5\n", "line 3", "column 2", "9.5"),
                ("9,9\n9,8\n", "column 2 adds up to 17", "column 1 to 18"),
                ("10,9\n8,9\n", "line 1 adds up to 19", "18"),
                ("9,9,9\n9,9,9\n", "3 columns", "2 lines"),
                ("9,9\n", "a line for each item"), ("", "a line for each item"),
                ("0,0\n0,0\n", "column 1", "nothing"), ("x,y,z\nA,0,0\nB,0,0\n", "column 2", "nothing"),
                ("9,9\n9,\n", "line 2", "column 2", "''"), ("9,9\n\n9,9,9,9\n", "line 3 has 4 fields", "line 1 has 2"),
                ("9007199254740993,9\n9,9\n", "line 1", "column 1", "2^53"),
                ("5,5\n3,4\n2,1\n", "3 lines and 2 columns", "--deal 2", "of 3 items"),
        ]:
            with self.subTest(text=text):
                done = run(text)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr.count("\n"), 1)
                for word in words:
                    self.assertIn(word, done.stderr)

    def test_sums(self):
        """Of the naive swap's matrix: by their names, wherever they stand, and without names by their numbers."""
        rows = [[1000 * cell for cell in row] for row in NAIVE]
        below = rows + [[sum(column) for column in zip(*rows)]]
        beside, both = ([row + [sum(row)] for row in some] for some in (rows, below))
        names = ["A", "B", "C", "Total"]

        def named(some, titles=None):
            lines = [[name] + row for name, row in zip(names, some)]
            return write([titles] + lines if titles else lines)
        hand = [[5, 4], [3, 4], [2, 2], [10, 10]]
        for text, *options, words in [
                (write(below), "line 4 is the sum of the others: leave sums out"),
                (write(beside), "column 4 is the sum of the others: leave sums out"),
                (write(both), "line 4 and column 4 are sums of the others: leave sums out"),
                (named(below), "line 4 is the sum"),
                (named(below, ["item", 1, 2, 3]), "line 5 is the sum"),
                (named(both, ["item", 1, 2, 3, "row total"]), "line 5 and column 5 are sums"),
                (named(beside, ["item", "1st", "2nd", "3rd", "Sum"]), "column 5 is the sum"),
                (write(beside).replace(",", " "), "column 4 is the sum"),
                ("item,1,2,3\ntotal,27000,27000,27000\n" + named(rows), "line 2 is the sum"),
                (write(hand), "line 4 is the sum"),
                (write(hand), "--deal", "2", "line 4 is the sum"),
                ("A,5,4\nB,3,4\nC,2,2\nall,10,10\n", "--deal", "2", "line 4 is the sum"),
                ("x,1,2,all\nA,5,4,9\nB,3,4,7\nC,2,2,4\n", "--deal", "2", "column 4 is the sum"),
                (write([row + [sum(row)] for row in hand[:3]]), "--deal", "2", "column 3 is the sum"),
                ("item,1,all\nA,5,5\nB,3,3\nC,2,2\n", "--deal", "1", "column 3 is the sum"),
        ]:
            with self.subTest(text=text, options=options):
                done = run(text, *options)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words, done.stderr)
        for rows, *options in (([[5, 5], [5, 5]],), ([[3, 0, 0], [0, 2, 1], [0, 1, 2]],), (hand[:3], "--deal", "2")):
            self.assertEqual(report(write(rows), *options)["matrix"], rows)

    def test_deals(self):
        """More items than positions are a deal, which has to be said: else a line too many would be an item."""
        hand = [[5, 4], [3, 4], [2, 2]]
        found = report(write(hand), "--deal", "2")
        self.assertEqual((found["n"], found["deal"]), (3, 2))
        for options, words in ([], "say --deal 2"), (["--deal", "3"], "2 columns of counts, but --deal is 3"), (["--deal", "0"], "--deal 0"):
            done = run(write(hand), *options)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)
        self.assertEqual(report(write(NAIVE), "--deal", "3")["deal"], 3)

    def test_what_does_not_go_with_it(self):
        for options in (["naive"], ["-n", "3"], ["--seed", "2"], ["--by", "exact"], ["--chained"]):
            self.assertEqual(run(write(NAIVE), *options).returncode, 2)
        done = subprocess.run([PROGRAM, "report", "--matrix", "/nowhere/a.csv"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/nowhere/a.csv", done.stderr)

    def test_text(self):
        said = run(write([[1000 * cell for cell in row] for row in NAIVE])).stdout
        self.assertIn("Recorded: 27,000 permutations", said)
        self.assertIn("Places beyond their intervals: 4 of 9", said)
        self.assertRegex(run("1,0\n0,1\n").stdout, r"no\s+outcome\s+of\s+1\s+could\s+reach\s+alpha\s+=\s+0.001,\s+but\s+an\s+outcome\s+of\s+12\s+could")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
