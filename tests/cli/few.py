# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports on a few shuffles: exact p-values, verdicts that are not weaker than the intervals beside them, and "too few" only
where no outcome could have been called biased.

Expected numbers are computed here, by enumeration and in fractions. Nothing is random but the tables of Intervals, whose
seed is fixed; what these tests claim holds for every table."""
import collections
import itertools
import math
import random
import re
import sys
import unittest
from fractions import Fraction

from program import run, report, lines

TOO_FEW = re.compile(r"Too few shuffles to say: no outcome of (\d+) could reach alpha = ([\d.e-]+)"
                     r"(?:, but an outcome of (\d+) could)?\.", re.IGNORECASE)


def printed(*arguments, text):
    return run("report", *arguments, text=text).stdout


def table(counts):
    """A line for each item; the largest count first, so that no line is the sum of those before."""
    return "".join("%d\n" % count for count in sorted(counts, reverse=True))


def finding(found, statistic, test="exact"):
    (one,) = [one for one in found["findings"] if one["statistic"] == statistic and one["test"] == test]
    return one


def binomial(total, p):
    return [math.comb(total, x) * p**x * (1 - p)**(total - x) for x in range(total + 1)]


def two_sided(count, total, p):
    """The probability of a count whose smaller tail is at most that of the observed count (Blaker, 2000)."""
    law = binomial(total, p)
    smaller = [min(sum(law[:x + 1]), sum(law[x:])) for x in range(total + 1)]
    return sum(law[x] for x in range(total + 1) if smaller[x] <= smaller[count])


def outcomes(total, cells):
    """The counts of so many samples of equally likely cells, each with its probability."""
    for places in itertools.combinations_with_replacement(range(cells), total):
        counts = [places.count(cell) for cell in range(cells)]
        ways = math.factorial(total)
        for count in counts:
            ways //= math.factorial(count)
        yield tuple(counts), Fraction(ways, cells**total)


class Overwhelming(unittest.TestCase):
    """Few data that chance does not explain."""

    def test_a_list_that_was_not_shuffled(self):
        for n in (10, 52, 300, 800):
            found = report("-", text=lines([range(1, n + 1)]))
            self.assertEqual(found["verdict"], "biased", n)
            for statistic in ("inversions", "descents", "fixed-points") if n > 10 else ("inversions", "descents"):
                ln_p = finding(found, statistic)["ln_p"]
                self.assertAlmostEqual(ln_p, math.log(2) - math.lgamma(n + 1), delta=1e-9 * abs(ln_p), msg=(n, statistic))

    def test_a_list_of_thousands(self):
        found = report("-", text=lines([range(1, 5001)]))
        self.assertEqual(found["verdict"], "biased")
        self.assertIsNone(finding(found, "fixed-points")["value"])  # the law only counts up to 64

    def test_five_equal_orders_of_eight(self):
        found = report("-", text=lines([[8, 3, 1, 7, 5, 2, 6, 4]] * 5))
        self.assertEqual(found["verdict"], "biased")
        one = finding(found, "rank")
        self.assertEqual(one["value"], 5)
        self.assertAlmostEqual(one["p"] / 40320.0**-4, 1, places=9)
        self.assertIn("83175264", found["sentence"])

    def test_a_card_that_lies_on_top_in_12_of_20(self):
        counts = [12, 1, 0, 0, 0, 1, 0, 0, 0, 6]
        found = report("--matrix", "-", "--deal", "1", text=table(counts))
        tail = sum(binomial(20, Fraction(1, 10))[12:])
        self.assertAlmostEqual(float(tail), 5.8e-8, delta=0.1e-8)
        self.assertAlmostEqual(finding(found, "position")["p"] / float(10 * tail), 1, places=9)
        self.assertEqual(found["verdict"], "biased")
        self.assertIn("(corrected p = 5.8e-7)", found["sentence"])
        self.assertIn("at position 1", found["sentence"])

    def test_inversions_far_from_the_mean(self):
        """One list of 500 with 11,995 inversions, which is z = -27. The law is sub-Gaussian: p <= 2 exp(-z^2/2)."""
        items, left, order = list(range(500)), 11995, []
        while items:
            code = min(left, len(items) - 1)
            left -= code
            order.append(items.pop(code))
        z = (11995 - 500 * 499 / 4) / math.sqrt(500 * 499 * 1005 / 72)
        self.assertAlmostEqual(z, -27, delta=0.01)
        found = report("-", text=lines([order]))
        one = finding(found, "inversions")
        self.assertEqual((found["verdict"], one["value"]), ("biased", 11995))
        self.assertLess(one["ln_p"], math.log(2) - z * z / 2)

    def test_the_median_split_of_many_lists(self):
        """38 lists of 52 without a fixed point: the value is common, that it never varies is not."""
        source = random.Random(1)
        decks = []
        while len(decks) < 38:
            deck = source.sample(range(52), 52)
            if all(card != place for place, card in enumerate(deck)):
                decks.append(deck)
        one = finding(report("-", text=lines(decks)), "fixed-points", "halves")
        self.assertEqual(one["value"], 38)
        self.assertAlmostEqual(one["p"] / (2 * math.exp(-38)), 1, places=6)  # times 2 parts; derangements are 1/e of all

    def test_many_pairs_of_equal_orders(self):
        """60 lists of 10, each of 30 orders twice. 10! = 3,628,800 orders are possible."""
        source = random.Random(2)
        decks = [source.sample(range(10), 10) for _ in range(30)]
        one = finding(report("-", text=lines(decks + decks)), "rank", "birthday")
        self.assertEqual(one["value"], 30)
        mean = 60 * 59 / 2 / 3628800
        self.assertAlmostEqual(one["ln_p"], 30 * math.log(mean) - mean - math.lgamma(31), delta=0.01)


class Possible(unittest.TestCase):
    """No p is below the probability of the least likely sample."""

    def test_200_equal_decks_of_four(self):
        found = report("-", text="1 2 3 4\n" * 200)
        for one in found["findings"]:
            if one["ln_p"] is not None:
                self.assertGreaterEqual(one["ln_p"], -200 * math.log(24) * (1 + 1e-12), one["statistic"])
        self.assertAlmostEqual(finding(found, "rank", "pearson")["ln_p"], -200 * math.log(24), places=6)
        self.assertAlmostEqual(finding(found, "position", "matrix")["ln_p"], -200 * math.log(24), places=6)

    def test_rotations(self):
        found = report("rotate", "-n", "52", "--samples", "2e5", "--by", "sample", text="")
        for one in found["findings"]:
            if one["ln_p"] is not None:
                self.assertGreaterEqual(one["ln_p"], -2e5 * math.lgamma(53) * (1 + 1e-12), one["statistic"])

    def test_a_single_large_permutation(self):
        found = report("-", text=lines([range(8193)]))
        for one in found["findings"]:
            self.assertGreaterEqual(one["ln_p"], -math.lgamma(8194) * (1 + 1e-12), one["statistic"])


class Enumerated(unittest.TestCase):
    """All outcomes of a few shuffles of three cards, and of a few draws of one card."""
    ORDERS = list(itertools.permutations((1, 2, 3)))

    def verdicts(self, total, alpha):
        for counts, p in outcomes(total, 6):
            decks = [order for order, count in zip(self.ORDERS, counts) for _ in range(count)]
            yield report("-", "--alpha", str(alpha), text=lines(decks)), p

    def test_false_alarms_and_too_few(self):
        """P(biased) is at most alpha. "Too few" is said of all outcomes or of none, and only if none is biased."""
        for alpha in (0.05, 0.01, 0.001):
            said = {}
            for total in range(1, 6):
                biased, few, more = Fraction(0), set(), set()
                for found, p in self.verdicts(total, alpha):
                    biased += p * (found["verdict"] == "biased")
                    match = TOO_FEW.match(found["sentence"])
                    few.add(bool(match))
                    self.assertEqual(bool(match), found["verdict"] == "inconclusive")
                    if match:
                        self.assertEqual((int(match[1]), float(match[2])), (total, alpha))
                        more.add(int(match[3]))
                self.assertLessEqual(biased, Fraction(str(alpha)))
                self.assertEqual(few, {biased == 0}, (alpha, total))
                said[total] = (biased, more)
            first = min(total for total in said if said[total][0] > 0)  # of which an outcome is biased
            for total in range(1, first):
                self.assertEqual(said[total][1], {first}, (alpha, total))

    def test_p_of_the_cells(self):
        """p is that of the definition, and P(p <= x) <= x for every x."""
        for cells, total in ((3, 5), (4, 6), (5, 7)):
            law = collections.Counter()
            for counts, p in outcomes(total, cells):
                found = report("--matrix", "-", "--deal", "1", "--alpha", "0.5", text=table(counts))
                one = finding(found, "position")
                expected = min(1, cells * min(two_sided(count, total, Fraction(1, cells)) for count in counts))
                self.assertAlmostEqual(one["p"], float(expected), places=9)
                law[expected] += p
            below = Fraction(0)
            for value in sorted(law):
                below += law[value]
                self.assertLessEqual(below, value)


class Intervals(unittest.TestCase):
    def test_no_interval_says_more_than_the_verdict(self):
        """Tables of one card of 2 to 12, some fair and some not, of up to 200 draws; all orders of three and four."""
        source = random.Random(3)
        verdicts = collections.Counter()
        for _ in range(200):
            n, total = source.randint(2, 12), source.randint(1, 200)
            weights = [1 + source.choice((0, 1, 5)) * source.random() for _ in range(n)]
            draws = source.choices(range(n), weights, k=total)
            alpha = source.choice(("0.05", "0.001"))
            found = report("--matrix", "-", "--deal", "1", "--alpha", alpha, text=table(map(draws.count, range(n))))
            self.said(found, 1 / n, found["places"], verdicts)
        for _ in range(200):
            n, total = source.randint(3, 4), source.randint(1, 150)
            orders = list(itertools.permutations(range(n)))
            decks = source.choices(orders, [1 + source.choice((0, 0, 3)) for _ in orders], k=total)
            found = report("-", "--alpha", source.choice(("0.05", "0.001")), text=lines(decks))
            self.said(found, 1 / len(orders), None, verdicts)
        self.assertGreater(min(verdicts["biased"], verdicts["no bias seen"]), 50)

    def said(self, found, fair, places, verdicts):
        verdicts[found["verdict"]] += 1
        if found["verdict"] == "biased":
            return
        self.assertEqual(places["beyond"] if places else 0, 0)
        for row in found["permutations"]:
            self.assertLessEqual(row["low"], fair * (1 + 1e-12), found["sentence"])
            self.assertGreaterEqual(row["high"], fair * (1 - 1e-12), found["sentence"])
        for one in found["findings"]:
            self.assertFalse((one["effect_low"] or 0) > 0, one)


class Words(unittest.TestCase):
    def test_no_option_makes_an_ended_file_longer(self):
        """A stream that has ended, and a table, get no advice to use an option."""
        self.assertNotIn("--samples", printed("-", text="1 2 3\n" * 2))
        self.assertNotIn("--samples", printed("-", text=lines(itertools.islice(itertools.cycle(Enumerated.ORDERS), 50))))
        self.assertNotIn("--samples", printed("--matrix", "-", "--deal", "1", text="1\n1\n1\n"))
        more = printed("--samples", "50", "-", text=lines(itertools.islice(itertools.cycle(Enumerated.ORDERS), 60)))
        self.assertIn("use --samples 120 or more", more)  # 20 of each order, for the likelihood ratio

    def test_one_fair_list_is_not_too_few(self):
        source = random.Random(4)
        found = report("-", text=lines([source.sample(range(52), 52)]))
        self.assertEqual(found["verdict"], "no bias seen")
        self.assertIn("1 shuffle is too few to compare all positions", found["sentence"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
