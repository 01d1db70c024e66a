# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports on tables of counts. Chi-squares, laws and exact p-values are computed here from their definitions; simulated
draws have fixed seeds, and the rates of false alarms that are claimed for them are checked against exact binomial bounds."""
import collections
import csv
import io
import itertools
import json
import math
import random
import sys
import unittest
from fractions import Fraction

import program
from program import run

# J. Atwood, The Danger of Naivete (2007): a million shuffles of three cards by the naive swap.
ATWOOD = {"123": 148281, "132": 185118, "213": 185264, "231": 184997, "312": 148229, "321": 148108}
# docs/wild.md: the orders of three lines to which the 256 seeds of shuf of coreutils 9.1 lead.
SHUF = {"123": 44, "132": 42, "213": 37, "231": 41, "312": 44, "321": 48}


def report(text, *options):
    return program.report("--counts", "-", *options, text=text)


def finding(found, test):
    (one,) = [one for one in found["findings"] if one["test"] == test]
    return one


def pearson(counts, shares):
    total = sum(counts)
    return float(sum((count - total * share) ** 2 / (total * share) for count, share in zip(counts, shares, strict=True)))


def chisq_tail(value, dof):
    """P(X > value) by the recurrence in the degrees of freedom, from those of 1 or 2."""
    tail = math.erfc(math.sqrt(value / 2)) if dof % 2 else math.exp(-value / 2)
    for k in range(1 if dof % 2 else 2, dof, 2):
        tail += math.exp(k / 2 * math.log(value / 2) - value / 2 - math.lgamma(k / 2 + 1))
    return tail


def write(rows, separator=","):
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def refused(text, *options):
    done = run("report", "--counts", "-", *options, text=text)
    assert done.returncode == 2 and not done.stdout, (done.returncode, done.stdout)
    return done.stderr


def tail(count, total, p):
    return sum(math.comb(total, k) * p ** k * (1 - p) ** (total - k) for k in range(count, total + 1))


class Orders(unittest.TestCase):
    def test_published_tables(self):
        for table, verdict in ((ATWOOD, "biased"), (SHUF, "no bias seen")):
            found = report(write(table.items()))
            one = [one for one in found["findings"] if one["test"] == "pearson" and one["statistic"] == "rank"][0]
            self.assertAlmostEqual(one["value"] / pearson(table.values(), [Fraction(1, 6)] * 6), 1, places=12)
            self.assertEqual((one["dof"], found["verdict"]), (5, verdict))
            self.assertEqual(found["evidence"]["counts"], list(table.values()))
            self.assertAlmostEqual(found["effect"]["chi2_per_sample"] * sum(table.values()), one["value"], places=6)
        sentence = report(write(ATWOOD.items()))["sentence"]
        self.assertTrue(sentence.startswith("132, 213 and 231 come up 11% too often; 123, 312 and 321 come up"), sentence)

    def test_ways_to_write_them(self):
        """All say the same as the first, but for the names of the items."""
        letters = str.maketrans("123", "abc")
        first = report(write(ATWOOD.items()))
        for text in (
                write([("order", "count"), *ATWOOD.items()]), write(ATWOOD.items(), "\t"), write(ATWOOD.items(), " "),
                write(reversed(ATWOOD.items()), ";"),
                write(("%7d" % count, order) for order, count in ATWOOD.items()).replace(",", " "),
                write(('"%s"' % " ".join(order), count) for order, count in ATWOOD.items()),
                write(('"(%s)"' % ", ".join(order), '"{:,}"'.format(count)) for order, count in ATWOOD.items()),
                write((*order, count) for order, count in ATWOOD.items()),
                write((" ".join(order), count) for order, count in ATWOOD.items()).replace(",", "  "),
                write((order.translate(letters), count) for order, count in ATWOOD.items()),
                write((order.translate(str.maketrans("123", "012")), count) for order, count in ATWOOD.items())):
            found = report(text)
            self.assertEqual(found["findings"], first["findings"], text)
            self.assertEqual(found["evidence"], first["evidence"], text)
            self.assertEqual(found["looks_like"]["scheme"], "naive", text)
        self.assertIn("acb, bac and bca", report(write((order.translate(letters), count) for order, count in ATWOOD.items()))["sentence"])

    def test_the_same_as_a_stream(self):
        """All statistics of the orders, which need no order of arrival, have the same findings."""
        source = random.Random(7)
        decks = [source.sample(range(1, 6), 5) for _ in range(3000)]
        counts = collections.Counter("".join(map(str, deck)) for deck in decks)
        stream = program.report("-", text=program.lines(decks))["findings"]
        found = report(write(counts.items()))["findings"]
        self.assertEqual(found, [one for one in stream if "lag" not in one and "context" not in one])
        self.assertGreater(len(found), 10)

    def test_orders_that_are_missing_and_deals(self):
        found = report("1234,5\n2143,5\n")
        self.assertEqual((found["n"], len(found["evidence"]["counts"]), sum(found["evidence"]["counts"])), (4, 24, 10))
        deals = {(i, j): 100 + 10 * (i < j) for i in range(1, 6) for j in range(1, 6) if i != j}
        found = report(write(('"%d %d"' % deal, count) for deal, count in deals.items()), "--deal", "2")
        self.assertEqual((found["n"], found["deal"], found["evidence"]["counts"]), (5, 2, [deals[deal] for deal in sorted(deals)]))
        self.assertEqual(report("2431,5\n")["evidence"]["total"], 5)
        self.assertEqual([cell["label"] for cell in report("AsKd,30\nKdAs,40\n")["cells"]], ["AsKd", "KdAs"])  # not letters
        self.assertIn("too many to count", refused("1 2 3 4 5 6 7 8 9 10 11,5\n2 1 3 4 5 6 7 8 9 10 11,7\n"))
        self.assertIn("orders of 3 items, but -n is 4", refused(write(ATWOOD.items()), "-n", "4"))


class Items(unittest.TestCase):
    def test_a_card_on_top(self):
        """12 of 20: for any of ten cards, ten times the exact binomial tail."""
        found = report("12\n1\n0\n0\n0\n1\n0\n0\n0\n6\n")
        self.assertAlmostEqual(finding(found, "exact")["p"] / float(10 * tail(12, 20, Fraction(1, 10))), 1, places=9)
        self.assertEqual(found["sentence"], "item 1 came up 12 times instead of 2 (corrected p = 5.8e-7).")
        self.assertEqual(found["verdict"], "biased")
        named = report("Ace,12\nKing,1\nQueen,0\nJack,0\nTen,7\n")
        self.assertTrue(named["sentence"].startswith("Ace came up 12 times instead of 4"), named["sentence"])

    def test_single_draws(self):
        counts = [1010, 980, 1035, 975, 1000, 1060]
        one = finding(report(write(enumerate(counts, 1))), "pearson")
        value = pearson(counts, [Fraction(1, 6)] * 6)
        self.assertAlmostEqual(one["value"], value, places=9)
        self.assertEqual(one["dof"], 5)
        self.assertAlmostEqual(one["p"], chisq_tail(value, 5), places=9)

    def lottery(self, source, draws):
        counts = [0] * 49
        for _ in range(draws):
            for ball in source.sample(range(49), 6):
                counts[ball] += 1
        return counts

    def test_a_lottery(self):
        """The scaling of sets, its p-value, and what it would be without."""
        counts = self.lottery(random.Random(1), 1500)
        value = pearson(counts, [Fraction(1, 49)] * 49)
        one = finding(report(write([("ball", "drawn"), *enumerate(counts, 1)]), "--deal", "6"), "matrix")
        self.assertAlmostEqual(one["value"], value * 48 / 43, places=9)
        self.assertEqual(one["dof"], 48)
        self.assertAlmostEqual(one["p"], chisq_tail(value * 48 / 43, 48), places=9)
        sets = finding(report(write(enumerate(counts, 1)), "--deal", "6", "--sets"), "matrix")
        self.assertEqual((sets["value"], sets["p"]), (one["value"], one["p"]))
        single = finding(report(write(enumerate(counts, 1))), "pearson")
        self.assertAlmostEqual(single["p"], chisq_tail(value, 48), places=9)
        self.assertGreater(single["p"], one["p"])

    def test_the_law_of_the_scaling(self):
        """Of 2,000 fair lotteries, the scaled sum has the mean and the variance of its chi-square, and the sum without
        scaling has not. Seven standard errors: a false alarm of 10^-11."""
        source, values = random.Random(2), []
        for _ in range(2000):
            counts = [0] * 10
            for _ in range(60):
                for ball in source.sample(range(10), 4):
                    counts[ball] += 1
            values.append(pearson(counts, [Fraction(1, 10)] * 10))
        mean = sum(values) / 2000
        error = math.sqrt(2 * 9 / 2000)
        self.assertLess(abs(mean * 9 / 6 - 9), 7 * error)
        self.assertGreater(abs(mean - 9), 7 * error)
        counts = [24, 25, 23, 26, 22, 24, 24, 24, 24, 24]
        one = finding(report(write(enumerate(counts)), "--deal", "4"), "matrix")
        self.assertAlmostEqual(one["value"], pearson(counts, [Fraction(1, 10)] * 10) * 9 / 6, places=9)

    def test_items_without_a_row(self):
        self.assertEqual([cell["count"] for cell in report("1,30\n3,60\n", "-n", "4")["cells"]], [30, 0, 60, 0])
        self.assertIn("numbers from 1 to 3: say -n 3", refused("1,30\n3,60\n"))
        self.assertIn("no multiple of the 6 items", refused(write((i, 1) for i in range(1, 50)), "--deal", "6"))
        self.assertIn("came up 50 times in 30 draws", refused("1,50\n2,20\n3,20\n", "--deal", "3", "-n", "4"))


class Values(unittest.TestCase):
    LAW = {0: 1, 1: 26, 2: 66, 3: 26, 4: 1}  # descents of five items, of 120

    def test_descents(self):
        counts = [120, 1812, 3900, 1700, 150]
        value = pearson(counts, [Fraction(self.LAW[k], 120) for k in range(5)])
        for text, options in ((write(enumerate(counts)), ("--statistics", "descents")),
                              (write((f"descents {k}", count) for k, count in enumerate(counts)), ()),
                              ("".join(f"descents {k}: {count}\n" for k, count in enumerate(counts)), ())):
            found = report(text, *options, "-n", "5")
            self.assertAlmostEqual(finding(found, "pearson")["value"], value, places=9)
            self.assertEqual((finding(found, "pearson")["dof"], found["verdict"]), (4, "biased"))
            self.assertTrue(found["sentence"].startswith("descents 4 came up 150 times instead of 64, descents 2 3,900"), found["sentence"])

    def test_the_law_of_many_statistics(self):
        """Counts of the decks of five items, each once, have no bias whatever is counted."""
        for name in ("inversions", "fixed-points", "cycles", "records", "parity", "longest-increasing"):
            law = program.found("law", name, "-n", "5")
            rows = [(label, round(120 * p)) for label, p in zip(law.get("labels", law["cells"]), law["p"], strict=True)]
            found = report(write(rows), "--statistics", name, "-n", "5")
            self.assertEqual(found["verdict"], "no bias seen", name)
            self.assertEqual(sum(cell["count"] for cell in found["cells"]), 120, name)

    def test_a_few_counts(self):
        """Six shuffles of eight items in order: no descents."""
        found = report("0,6\n1,0\n", "--statistics", "descents", "-n", "8")
        self.assertEqual(found["verdict"], "biased")
        one = finding(found, "exact")
        self.assertAlmostEqual(one["ln_p"], math.log(2 * 6) - math.lgamma(9), places=9)  # twice a tail, of 6 values

    def test_refusals(self):
        self.assertIn("give -n", refused("0,5\n1,7\n", "--statistics", "descents"))
        self.assertIn("of 5 items is never '5'", refused("0,5\n5,7\n", "--statistics", "descents", "-n", "5"))
        self.assertIn("use --matrix", refused("1,5\n2,7\n", "--statistics", "position", "-n", "5"))
        self.assertIn("name the one statistic", refused("0,5\n1,7\n", "--statistics", "descents,cycles", "-n", "5"))


class Results(unittest.TestCase):
    HANDS = [("high card", 1302540), ("pair", 1098240), ("two pair", 123552), ("three of a kind", 54912), ("straight", 10200),
             ("flush", 5108), ("full house", 3744), ("four of a kind", 624), ("straight flush", 40)]
    ALL = 2598960

    def table(self, counts, share, separator=","):
        return write([("hand", "count", "probability"), *((name, count, share(ways)) for (name, ways), count in zip(self.HANDS, counts, strict=True))], separator)

    def test_poker_hands(self):
        counts = [round(1000000 * ways / self.ALL) for _, ways in self.HANDS]
        counts[5] += 400
        value = pearson(counts, [Fraction(ways, self.ALL) for _, ways in self.HANDS])
        for share in (lambda ways: "%d/%d" % (ways, self.ALL), lambda ways: repr(ways / self.ALL),
                      lambda ways: repr(100 * ways / self.ALL) + "%", lambda ways: repr(sum(counts) * ways / self.ALL)):
            for separator in ",;\t":
                one = finding(report(self.table(counts, share, separator)), "pearson")
                self.assertAlmostEqual(one["value"], value, places=6)
                self.assertEqual(one["dof"], 8)
        found = report(self.table(counts, lambda ways: "%d/%d" % (ways, self.ALL)))
        self.assertTrue(found["sentence"].startswith("flush came up 2,365 times instead of 1,966 (corrected"), found["sentence"])

    def test_a_rare_result(self):
        """12 straight flushes in 100,000 hands, where 1.5 are expected: too rare for a chi-square of its own."""
        counts = [round(100000 * ways / self.ALL) for _, ways in self.HANDS]
        counts[8] = 12
        found = report(self.table(counts, lambda ways: "%d/%d" % (ways, self.ALL)))
        self.assertEqual([one["test"] for one in found["findings"]], ["merged", "exact"])
        mean = sum(counts) * 40 / self.ALL  # Poisson, to a relative error of about the probability
        poisson = sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(12, 60))
        self.assertAlmostEqual(finding(found, "exact")["p"] / (9 * poisson), 1, delta=1e-3)
        self.assertIn("straight flush came up 12 times instead of 1.5", found["sentence"])

    def test_fair_counts_are_not_called_biased(self):
        """At alpha = 0.05, at most as many of 300 fair tables as a binomial count has with probability 1e-6."""
        source, shares, alarms = random.Random(3), [0.6, 0.3, 0.08, 0.019, 0.001], 0
        for _ in range(300):
            counts = collections.Counter(source.choices(range(5), shares, k=400))
            found = report(write((k, counts[k], shares[k]) for k in range(5)), "--alpha", "0.05")
            alarms += found["verdict"] == "biased"
        self.assertLess(alarms, next(k for k in range(301) if tail(k, 300, 0.05) < 1e-6))

    def test_refusals(self):
        self.assertIn("add up to 0.9", refused("a,5,0.5\nb,5,0.4\n"))
        self.assertIn("what has probability 0", refused("a,5,1\nb,5,0.0\n".replace(",1\n", ",1.0\n")))
        self.assertIn("line 2 has no probability", refused("a,5,0.5\nb,5,1\n"))


class Tables(unittest.TestCase):
    def test_refusals(self):
        for text, said in (("a,5\nb,7\ntotal,12\n", "line 3 is the sum of the others: leave sums out"),
                           ("a,5\nb,x\n", "line 2: 'x' is no count"), ("a,5\na,7\n", "lines 1 and 2 both count 'a': add them up"),
                           ("a,5\n", "1 items"), ("", "0 rows that add up to nothing"), ("a,0\nb,0\n", "add up to nothing"), ("a,5\n7\n", "give all rows a label, or none"),
                           ("a,12,10\nb,8,10\n", "has several fields"), ("a,5\nb,99999999999999999999\n", "no count")):
            self.assertIn(said, refused(text), text)
        self.assertEqual(report("hand,count,expected\na,12,10\nb,8,10\n")["cells"][0]["fair"], 0.5)
        self.assertEqual(refused("a,5\nb,7\n", "naive").count("\n"), 1)
        for option in (("--samples", "5"), ("--by", "exact"), ("--input", "u8"), ("--save", "x"), ("--matrix", "y")):
            self.assertIn("leave", refused("a,5\nb,7\n", *option), option)

    def test_formats(self):
        text = "12\n1\n0\n0\n0\n1\n0\n0\n0\n6\n"
        rows = list(csv.DictReader(io.StringIO(run("report", "--counts", "-", "--format", "csv", text=text).stdout)))
        cells = [row for row in rows if row["kind"] == "cell"]
        self.assertEqual([(row["name"], row["count"], row["total"]) for row in cells][0], ("item 1", "12", "20"))
        self.assertEqual(len(cells), 10)
        for form in ("text", "markdown", "html", "junit", "tap"):
            self.assertIn("came up 12 times", run("report", "--counts", "-", "--format", form, text=text).stdout, form)
        found = json.loads(run("report", "--counts", "-", "--format", "json", text=text).stdout)["reports"][0]
        (one,) = itertools.islice(found["cells"], 1)
        self.assertAlmostEqual(float(tail(12, 20, Fraction(one["low"]))), 0.001 / 10 / 2, places=12)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
