# SPDX-License-Identifier: GPL-3.0-or-later
"""The shuffles that are used by their names, against other programs of the same shuffles: the buffer and the chunks of
data/subjects, and Ethereum's shuffle with SHA-256.

All seeds are fixed. Each comparison is a chi-square test by Wilson and Hilferty's approximation, at 6 standard deviations on
both sides: with other seeds, one of the tests of this file would fail with a probability of about 3e-7."""
import hashlib
import json
import os
import subprocess
import sys
import unittest
from collections import Counter
from fractions import Fraction
from itertools import permutations

from program import SOURCE, run, report

NAMES = ["shuffle-buffer", "chunks", "insertion", "identity", "fisher-yates-starts-late", "forward-stops-early",
         "swap-or-not", "floyd", "array-rand"]


def exact(scheme, n):
    return report(scheme, "-n", str(n), "--by", "exact")


def decks_of(name, decks, *arguments):
    """The first decks of an endless program of data/subjects, with the items from 0."""
    command = [sys.executable, os.path.join(SOURCE, "data", "subjects", name), *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        dealt = [[int(item) for item in program.stdout.readline().split()] for _ in range(decks)]
        program.stdout.close()
    return dealt


class NamedShuffles(unittest.TestCase):
    def assert_fits(self, counts, shares):
        """Counts of the cells of one law, none of which can be a cell of probability 0."""
        total, square, cells = sum(counts), 0.0, 0
        for count, share in zip(counts, shares):
            if share == 0:
                self.assertEqual(count, 0)
            else:
                self.assertGreater(total * share, 10)
                square += (count - total * share) ** 2 / (total * share)
                cells += 1
        if cells > 1:
            variance = 2 / (9 * (cells - 1))
            self.assertLess(abs((square / (cells - 1)) ** (1 / 3) - 1 + variance) / variance ** 0.5, 6)

    def assert_matrix(self, decks, scheme):
        n = len(decks[0])
        matrix = exact(scheme, n)["matrix"]
        counts = [[0] * n for _ in range(n)]
        for deck in decks:
            for position, item in enumerate(deck):
                counts[item][position] += 1
        for item in range(n):
            self.assert_fits(counts[item], [float(Fraction(cell)) for cell in matrix[item]])

    def test_the_buffer_of_a_program(self):
        self.assert_matrix(decks_of("buffer_shuffle.py", 12000, 40, 7, 1), "shuffle-buffer:7")

    def test_the_chunks_of_a_program(self):
        self.assert_matrix(decks_of("chunk_shuffle.py", 12000, 20, 6, 1), "chunks:6")

    def test_swap_or_not_of_ethereum(self):
        """compute_shuffled_index() of the consensus specifications, with fewer rounds, for 30,000 seeds."""
        def shuffled(index, count, seed, rounds):
            for r in range(rounds):
                pivot = int.from_bytes(hashlib.sha256(seed + bytes([r])).digest()[:8], "little") % count
                flip = (pivot + count - index) % count
                position = max(index, flip)
                source = hashlib.sha256(seed + bytes([r]) + (position // 256).to_bytes(4, "little")).digest()
                if source[position % 256 // 8] >> position % 8 & 1:
                    index = flip
            return index

        for n, rounds in ((4, 1), (4, 3), (3, 2)):
            evidence = exact("swap-or-not:%d" % rounds, n)["evidence"]
            shares = [int(count) / int(evidence["denominator"]) for count in evidence["counts"]]
            seen = Counter(tuple(shuffled(i, n, hashlib.sha256(b"%d" % k).digest(), rounds) for i in range(n)) for k in range(30000))
            self.assert_fits([seen[order] for order in permutations(range(n))], shares)

    def test_used_only_by_their_names(self):
        listed = [line.split()[0].partition(":")[0] for line in run("list", "shuffles").stdout.splitlines()[1:]]
        self.assertEqual(listed[-len(NAMES):], NAMES)
        reports = json.loads(run("report", "--by", "exact", "--format", "json").stdout)["reports"]
        self.assertEqual([report["subject"]["name"] for report in reports if report["subject"]["shuffle"].partition(":")[0] in NAMES], [])
        self.assertGreater(len(reports), 25)
        for name in NAMES:
            self.assertEqual(run("report", name, "--samples", "1000").returncode, 0)

    def test_a_bias_that_doubles_cannot_hold(self):
        """2^-90 of the fair share: the fractions of the matrix differ, and their quotient is 1 in doubles."""
        done = json.loads(run("report", "swap-or-not", "-n", "8", "--by", "exact", "--format", "json").stdout)["reports"][0]
        self.assertEqual(done["verdict"], "biased")
        self.assertEqual(Fraction(done["matrix"][2][2]) - Fraction(1, 8), Fraction(7, 8) / 2 ** 90)
        self.assertIn("up to one part in 10^12", done["sentence"])

    def test_a_parameter_out_of_range(self):
        for scheme, said in (("shuffle-buffer:0", "items of the buffer"), ("swap-or-not:256", "rounds"), ("floyd:2", "floyd")):
            done = run("report", scheme)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
