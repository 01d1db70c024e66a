# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of 'plan': the numbers of shuffles, for scripts and for programs, and the check of these numbers by
'report'."""
import itertools
import json
import math
import random
import re
import sys
import unittest
from collections import Counter
from fractions import Fraction

from program import run, found


# Noncentralities at alpha = 0.001 and power = 0.9 by mpmath (Poisson mixture, 40 digits): degrees of freedom -> lambda
LAMBDA = {4: 27.68269632794912, 5: 29.205766292375344, 119: 83.463188266715012}


def plan(*arguments):
    return found("plan", *arguments)


class Plan(unittest.TestCase):
    def test_the_founding_example(self):
        tests = {test["test"]: test for test in plan("naive")["tests"]}
        kl = (12 * math.log(8 / 9) + 15 * math.log(10 / 9)) / 27  # counts 4 5 5 5 4 4 of 27
        self.assertEqual(list(tests), ["pearson", "likelihood-ratio", "matrix", "known-alternative"])
        self.assertEqual(tests["pearson"]["samples"], math.ceil(LAMBDA[5] * 81))
        self.assertEqual(tests["likelihood-ratio"]["samples"], math.ceil(LAMBDA[5] / (2 * kl)))
        self.assertEqual(tests["matrix"]["samples"], math.ceil(LAMBDA[4] * 729 / 8))
        self.assertAlmostEqual(tests["known-alternative"]["samples"], math.log(1000) / kl, places=8)
        self.assertEqual([test["dof"] for test in tests.values()], [5, 5, 4, None])
        self.assertAlmostEqual(tests["pearson"]["effect"], 1 / 81, 15)
        self.assertAlmostEqual(tests["pearson"]["expected_least"], tests["pearson"]["samples"] / 6, 9)
        self.assertTrue(all(test["warning"] is None for test in tests.values()))

    def test_an_intended_law(self):
        """Fisher-Yates where the naive swap is meant, whose counts are 4, 5, 5, 5, 4 and 4 of 27; in 1,000 simulated runs, the power
        of Pearson's test at level 0.05 is within four standard errors of the plan's. And orders that the intended law forbids."""
        q, p, options = [Fraction(ways, 27) for ways in (4, 5, 5, 5, 4, 4)], Fraction(1, 6), ("--alpha", "0.05", "--power", "0.8")
        found = plan("fisher-yates", "--fair", "naive", *options)
        tests = {test["test"]: test for test in found["tests"]}
        self.assertEqual((found["fair"], list(tests)), ("the law of naive", ["pearson", "likelihood-ratio", "known-alternative"]))
        self.assertAlmostEqual(tests["pearson"]["effect"], float(sum((p - x) ** 2 / x for x in q)), 15)
        self.assertAlmostEqual(tests["pearson"]["total_variation"], 1 / 18, 15)
        kl = sum(math.log(p / x) for x in q) / 6
        self.assertAlmostEqual(tests["likelihood-ratio"]["effect"], 2 * kl, 15)
        self.assertAlmostEqual(tests["known-alternative"]["samples"], math.log(20) / kl, 8)
        shuffles, generator, rejected = int(tests["pearson"]["samples"]), random.Random(1), 0
        for _ in range(1000):
            counts = Counter(generator.choices(range(6), k=shuffles))
            rejected += sum((counts[i] - shuffles * x) ** 2 / (shuffles * x) for i, x in enumerate(map(float, q))) > 11.0705
        self.assertLess(abs(rejected / 1000 - 0.8), 4 * math.sqrt(0.16 / 1000))
        (test,) = plan("fisher-yates", "--fair", "derangement", "-n", "4", "--samples", "2")["tests"]
        self.assertEqual((test["test"], test["effect"], test["samples"]), ("forbidden", 15 / 24, math.ceil(math.log(0.1) / math.log(9 / 24))))
        self.assertAlmostEqual(test["power"], 1 - (9 / 24) ** 2, 12)
        for words, said in ((["naive", "--fair", "naive"], "no number of shuffles would show a bias: naive has the law"),
                            (["--fair", "cycle"], "name a scheme"), (["sattolo", "--fair", "cycle", "-n", "9"], "use n <= 8"),
                            (["naive", "--fair", "cycle", "--tolerance", "rank:0.1", "--samples", "9"], "leave --tolerance out")):
            done = run("plan", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)

    def test_text_has_the_numbers_alone_between_blanks(self):
        tests = {test["test"]: test for test in plan("fisher-yates/modulo:15", "-n", "4")["tests"]}
        text = run("plan", "fisher-yates/modulo:15", "-n", "4").stdout
        for name, test in tests.items():
            (line,) = [line.split() for line in text.splitlines() if line.split()[:1] == [name] and ":" not in line]
            self.assertEqual(line[1], str(int(test["samples"])))  # some 10^10 of them, without separators
            self.assertGreater(test["samples"], 10**9)

    def test_a_power_that_the_level_has_takes_no_bias(self):
        tests = plan("--samples", "1000", "--alpha", "0.5", "--power", "0.4")["tests"]
        self.assertEqual([(test["total_variation"], test["warning"]) for test in tests], [(0, "any: the level is this high")] * 2)

    def test_the_power_of_pearson_in_simulated_runs(self):
        """The naive swap of five cards, whose law is counted here. Of 10,000 runs a power of 0.9 has a standard error of
        0.003, so with another seed this would fail with probability 0.0004. The noncentral law alone has a power of 0.881."""
        law = Counter()
        for answers in itertools.product(range(5), repeat=5):
            deck = list(range(5))
            for i, j in enumerate(answers):
                deck[i], deck[j] = deck[j], deck[i]
            law[tuple(deck)] += 1
        orders, runs = len(law), 10000
        weights, source = list(itertools.accumulate(law.values())), random.Random(37)
        samples = plan("naive", "-n", "5")["tests"][0]["samples"]
        critical, seen = 172.417682, 0  # of chi-square with 119 degrees of freedom, at 0.001
        for _ in range(runs):
            counts = Counter(source.choices(range(orders), cum_weights=weights, k=samples)).values()
            seen += sum(count * count for count in counts) * 120 / samples - samples > critical
        self.assertEqual(orders, 120)
        self.assertGreater(seen / runs, 0.89)
        self.assertLess(seen / runs, 0.91)

    def test_the_average_of_the_known_alternative_is_not_rounded_up(self):
        """Of three equal orders of six, a shuffle shows ln 2: ln(1000)/ln(2) is 9.97, and ln(25)/ln(2) is 4.64."""
        for alpha, said in (("0.001", "9.96"), ("0.04", "4.64")):
            known = plan("fisher-yates-stops-early", "--alpha", alpha)["tests"][-1]
            self.assertAlmostEqual(known["samples"], -math.log(float(alpha)) / math.log(2), places=12)
            self.assertRegex(run("plan", "fisher-yates-stops-early", "--alpha", alpha).stdout, rf"known-alternative +{re.escape(said)} ")

    def test_a_number_of_samples_has_a_power(self):
        for samples in ("2366", "2365", "1000"):
            done = plan("naive", "--samples", samples)
            (pearson,) = [test for test in done["tests"] if test["test"] == "pearson"]
            self.assertEqual(done["samples"], int(samples))
            self.assertEqual(pearson["samples"], 2366)
            self.assertEqual(pearson["power"] >= 0.9, samples == "2366")
        self.assertAlmostEqual(plan("naive", "--samples", "2366")["tests"][0]["power"], 0.9, 3)

    def test_one_shuffle_and_a_power_near_one(self):
        for arguments, words in ((("--samples", "1"), "with power 0.9 in 1 shuffle:"),
                                 (("naive", "--samples", "1"), "is that of 1 shuffle."),
                                 (("naive", "--power", "0.999999999"), "with power 0.999999999:")):
            self.assertIn(words, " ".join(run("plan", *arguments).stdout.split()))

    def test_the_average_of_the_known_alternative(self):
        """The number is a lower bound of the average, by Wald's identity: the ratio ends at 1/alpha or above."""
        steps = [(math.log(8 / 9), 12 / 27), (math.log(10 / 9), 15 / 27)]
        reached, alive, average = math.log(1000), {0: 1.0}, 0.0
        for shuffles in range(20000):  # alive[rising steps] is the probability of this number without an end so far
            average += sum(alive.values())
            following = {}
            for rising, p in alive.items():
                for more, (_, share) in enumerate(steps):
                    if (rising + more) * steps[1][0] + (shuffles + 1 - rising - more) * steps[0][0] < reached and p > 1e-13:
                        following[rising + more] = following.get(rising + more, 0) + p * share
            alive = following
        (known,) = [test for test in plan("naive")["tests"] if test["test"] == "known-alternative"]
        self.assertEqual((round(known["samples"], 2), round(average)), (1116.75, 1125))
        self.assertIn("which takes at least this number of shuffles on average", " ".join(run("plan", "naive").stdout.split()))

    def test_sizes_and_what_samples_see_are_inverse(self):
        for n, dof, odd in (("3", 5, 1), ("5", 119, 1)):
            worst, typical = plan("--detect", "0.01", "-n", n)["tests"]
            self.assertEqual((worst["direction"], typical["direction"]), ("worst", "typical"))
            self.assertEqual(worst["samples"], math.ceil(LAMBDA[dof] / (4 * odd * 1e-4)))
            coordinate = math.gamma(dof / 2) / math.gamma((dof + 1) / 2) / math.sqrt(math.pi)  # of a random point on a sphere
            self.assertEqual(typical["samples"], math.ceil(LAMBDA[dof] / (4 / (dof * coordinate**2) * 1e-4)))
            back, _ = plan("--samples", str(worst["samples"]), "-n", n)["tests"]
            self.assertAlmostEqual(back["total_variation"], 0.01, 7)
            self.assertLessEqual(back["total_variation"], 0.01)
        (odd_worst, _) = plan("--detect", "0.01", "-n", "5", "--deal", "1")["tests"]
        self.assertAlmostEqual(odd_worst["effect"], 4 * 25 / 24 * 1e-4, 15)
        both = plan("--detect", "0.01", "--samples", "1e5")["tests"]
        self.assertTrue(0 < both[0]["power"] < both[1]["power"] < 1)

    def test_warnings_stand_beside_the_figure(self):
        few, _, blind, known = plan("rotate", "-n", "4")["tests"]
        self.assertEqual(few["warning"], "expected counts below 5")
        self.assertLess(few["expected_least"], 5)
        self.assertIsNone(blind["samples"])
        self.assertIsNone(blind["power"])
        self.assertIn("uniform", blind["warning"])
        self.assertAlmostEqual(known["samples"], math.log(1000) / math.log(6), places=12)
        line = re.search(r"^pearson .*$", run("plan", "rotate", "-n", "4").stdout, re.M).group()
        self.assertIn("expected counts below 5", line)

    def test_large_decks_have_their_matrix(self):
        done = plan("fisher-yates/modulo:15", "-n", "52")
        (matrix,) = [test for test in done["tests"] if test["test"] == "matrix"]
        self.assertEqual(matrix["dof"], 51**2)
        # scipy's chi2.isf and ncx2.sf: 331.66 at 2601 degrees of freedom
        self.assertAlmostEqual(matrix["samples"] * matrix["effect"] / 331.66026954252783, 1, 6)

    def test_large_decks_against_the_known_alternative(self):
        kl = 0.0  # Kullback and Leibler's divergence adds over the draws: of 2^15 words modulo k, for k = 2..52
        for bound in range(2, 53):
            for answer in range(bound):
                share = ((2**15 - answer + bound - 1) // bound) / 2**15
                kl += share * math.log(share * bound)
        known = plan("fisher-yates/modulo:15", "-n", "52", "--alpha", "1e-6")["tests"][-1]
        self.assertEqual(known["test"], "known-alternative")
        self.assertAlmostEqual(known["effect"] / kl, 1, 9)
        self.assertAlmostEqual(known["samples"] / (math.log(1e6) / kl), 1, 6)
        riffles = plan("riffle:7", "-n", "52")["tests"]
        self.assertEqual([test["test"] for test in riffles], ["matrix", "known-alternative"])
        keys = plan("sort-by-key", "-n", "52")["tests"]  # without a matrix
        self.assertEqual([test["test"] for test in keys], ["known-alternative"])

    def test_tiny_biases_have_large_numbers(self):
        (pearson, *_) = plan("fisher-yates/modulo:64")["tests"]
        # 2^64 words over 3: 64 = 0 mod 2 is fair, and one remainder of three has a word more
        deviation = [2 / 3 * 2.0**-64 * 3 / 3, -1 / 3 * 2.0**-64]
        effect = 3 * (deviation[0] ** 2 + 2 * deviation[1] ** 2)
        self.assertAlmostEqual(pearson["effect"] / effect, 1, 9)
        self.assertAlmostEqual(pearson["samples"] * effect / LAMBDA[5], 1, 9)

    def test_biases_that_doubles_do_not_show(self):
        """3 does not divide 2^60. From ten items on, the law is in doubles, and its effects have a closed form."""
        chi_square = Fraction(1)  # of independent draws: 1 + chi-square is a product
        for bound in range(2, 12):
            words = [Fraction(2**60 // bound + (answer < 2**60 % bound), 2**60) for answer in range(bound)]
            chi_square *= bound * sum(share**2 for share in words)
            if bound > 8:
                (pearson, _, matrix, _) = plan("fisher-yates/modulo:60", "-n", str(bound))["tests"]
                self.assertAlmostEqual(pearson["effect"] / float(chi_square - 1), 1, 9)
        self.assertEqual(matrix["warning"], "the matrix is uniform as far as doubles can tell")
        done = run("plan", "fisher-yates/modulo:60", "-n", "11", "--deal", "9")  # without a closed form, too many for fractions
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("doubles show no bias of fisher-yates/modulo:60 at n = 11, ", done.stderr)
        self.assertIn("use a smaller n", done.stderr)

    def test_the_planned_number_shows_the_bias(self):
        # power 0.9999: with this seed, and nearly any other
        samples = str(plan("naive", "-n", "4", "--power", "0.9999", "--alpha", "1e-4")["tests"][0]["samples"])
        done = run("report", "naive", "-n", "4", "--by", "sample", "--samples", samples, "--format", "json")
        self.assertEqual(json.loads(done.stdout)["reports"][0]["verdict"], "biased")

    def test_formats_and_files(self):
        self.assertIn("| pearson | 2366 |", run("plan", "naive", "--format", "markdown").stdout)
        self.assertEqual(run("plan", "naive", "-o", "-").stdout, run("plan", "naive").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
