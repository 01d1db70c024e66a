# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the course that readers and teachers use: questions, notes and worksheet, curves, and paths step by step.
Their answers are found here again, or published."""
import itertools
import math
import re
import sys
import unittest
from fractions import Fraction

from lesson import LESSONS, Built, plain, rows, words
from program import found as answer


class Questions(Built):
    """Each lesson asks one question. Which option is right is found here without the program, or published."""

    def ask(self, name):
        (ask,) = self.pages[name].findall(".//section[@class='ask']")
        options = ask.findall("ul/li")
        self.assertGreaterEqual(len(options), 3)
        for option in options:
            self.assertRegex(option.get("data-why"), r"^[A-Z0-9].*\.$")
        right = [words(option) for option in options if option.get("data-right") == "yes"]
        self.assertTrue(words(ask.find("details/p")).startswith("".join(right) + ". "), words(ask.find("details")))
        return right, {words(option): option.get("data-why") for option in options}

    def test_questions(self):
        paths = [0] * 6
        orders = list(itertools.permutations((1, 2, 3)))
        for answers in itertools.product(range(3), repeat=3):
            deck = [1, 2, 3]
            for i, j in enumerate(answers):
                deck[i], deck[j] = deck[j], deck[i]
            paths[orders.index(tuple(deck))] += 1
        right, why = self.ask("three-cards")
        listed = ["%d%d%d" % order for order in orders[:4]]
        self.assertEqual(list(why), [*listed, "none: it is fair"])
        self.assertEqual(right, [order for order, count in zip(listed, paths) if count == min(paths)])
        for order, count in zip(listed, paths):
            self.assertTrue(why[order].startswith("%d of the 27 paths" % count))
        self.assertEqual(self.ask("comparator")[0], ["123"])  # 6 1 2 1 1 5 of 16, data/articles/comparator.js
        self.assertEqual(self.ask("modulo")[0], ["%d and %d" % tuple(
            answer for answer in range(6) if len(range(answer, 32768, 6)) > 32768 // 6)])
        exponent = math.floor(math.log10(math.factorial(52) / 2 ** 32))
        (share,) = self.ask("seed")[0]
        self.assertRegex(share, r"^1 in 1\.88.*%d$" % exponent if share.isascii() else "^1 in 1\\.88")
        self.assertEqual(self.ask("riffles")[0], ["7"])  # Bayer and Diaconis (1992), table 1: 0.614 and 0.334
        self.assertEqual(self.ask("blind")[0], [str(len({tuple((i + r) % 4 for i in range(4)) for r in range(4)}))])
        self.assertEqual(self.ask("chi-square")[0], ["in more than a third of all cases"])  # Armitage and others: 0.374
        (seen,) = [test["power"] for test in answer("plan", "naive", "--samples", "100")["tests"] if test["test"] == "pearson"]
        right, why = self.ask("how-many")
        self.assertEqual(right, ["less than once in a hundred times"])
        self.assertLess(seen, 0.01)
        self.assertIn("in %.1f%% of all cases" % (100 * seen), why[right[0]])


class Teaching(Built):
    """The teacher's notes and the worksheet."""

    def test_notes(self):
        text = self.text("teacher")
        minutes = list(map(int, re.findall(r"(\d+) minutes\. Lesson", text)))
        self.assertEqual(len(minutes), len(LESSONS))
        self.assertIn("%d lessons, which take %d minutes altogether" % (len(LESSONS), sum(minutes)), text)
        goals = self.pages["teacher"].findall(".//ul[@class='goals']")
        self.assertEqual([len(each) for each in goals], [3] * len(LESSONS))
        titles = [words(title) for title in self.pages["teacher"].iter("h2")]
        self.assertEqual(titles, ["One lesson of 45 minutes"] + [words(self.pages[name].find(".//h1")) for name in LESSONS])
        starts = list(map(int, re.findall(r"Minute (\d+):", text)))
        self.assertEqual((starts, starts[0], starts[-1] < 45), (sorted(set(starts)), 0, True))
        plan = answer("plan", "naive", "--samples", "200", "--alpha", "0.05")["tests"]
        (power,) = [test["power"] for test in plan if test["test"] == "pearson"]
        self.assertIn("With 200, chi-square exceeds 11.1 in %.0f%% of all classes, and in 5%%" % (100 * power), text)  # 11.07: any table

    def test_kit(self):
        """The table has all paths, and the answers are found here again."""
        page, ends = self.pages["kit"], {order: [] for order in itertools.permutations((1, 2, 3))}
        for path in itertools.product((1, 2, 3), repeat=3):
            deck = [1, 2, 3]
            for i, j in enumerate(path):
                deck[i], deck[j - 1] = deck[j - 1], deck[i]
            ends[tuple(deck)].append("%d %d %d" % path)
        table, solved = page.find(".//table[@class='fill paths']"), page.find(".//table[@class='ends']")
        self.assertEqual([row[0] for row in rows(table)], ["%d %d %d" % path for path in itertools.product((1, 2, 3), repeat=3)])
        self.assertEqual({cell for row in rows(table) for cell in row[1:]}, {""})
        self.assertEqual(rows(solved), [["%d%d%d" % order, str(len(paths)), ", ".join(paths)] for order, paths in ends.items()])
        for row, paths in zip(page.findall(".//div[@class='tally']//tbody/tr"), ends.values(), strict=True):
            self.assertEqual((row.get("data-fair"), row.get("data-naive"), len(row.findall("td[@class='count']"))), ("1/6", "%d/27" % len(paths), 8))
        answers = [words(one) for one in page.findall(".//section[@class='kit']/details/ol/li")]
        self.assertEqual(len(answers), len(page.findall(".//section[@class='kit']/ol/li")))
        self.assertEqual(answers[2], "0 has 3, 1 has 3 and 2 has 2.")
        self.assertIn("%d = %d × 24 + %d: %d" % (4 ** 4, *divmod(4 ** 4, 24), 4 ** 4 % 24), answers[3])
        self.assertTrue(answers[5].startswith("%d, " % (math.factorial(20) - 1).bit_length()))
        self.assertIn("Only 231 312 are left", answers[7])  # the cycles of three cards
        self.assertIn("4 of 24 orders", answers[8])

    def test_worksheet(self):
        """It asks what the lessons ask, and its solutions are found here again."""
        page = self.pages["worksheet"]
        sheets = page.findall(".//section[@class='sheet']")
        answers = page.findall(".//div[@class='answers']/ol/li")
        self.assertEqual((len(sheets), len(answers)), (len(LESSONS), len(LESSONS)))
        for name, sheet, solved in zip(LESSONS, sheets, answers):
            (ask,) = self.pages[name].findall(".//section[@class='ask']")
            self.assertEqual(words(sheet.find("p")), words(ask.find("p")))
            self.assertEqual([words(box) for box in sheet.findall("ul/li")], ["\u2610 " + words(one) for one in ask.findall("ul/li")])
            (right,) = [one for one in ask.findall("ul/li") if one.get("data-right") == "yes"]
            self.assertEqual(words(solved.find("p")), words(right) + ": " + plain(right.get("data-why")))
        solution = dict(zip(LESSONS, (words(solved.findall("p")[1]) for solved in answers)))
        deck = [1, 2, 3]
        for i, j in enumerate((1, 2, 0)):
            deck[i], deck[j] = deck[j], deck[i]
        self.assertTrue(solution["three-cards"].startswith("Task: As %d%d%d, " % tuple(deck)), solution)
        nearest = min((Fraction(k, 16) for k in range(17)), key=lambda share: abs(share - Fraction(1, 6)))
        self.assertEqual(solution["comparator"], "Task: %s is %s too much: no whole number fits." % (nearest, nearest - Fraction(1, 6)))
        self.assertIn("32,768 = %d × 52 + %d: the answers 0 to %d " % (*divmod(32768, 52), 32768 % 52 - 1), solution["modulo"])
        first = next(n for n in range(60) if math.factorial(n) > 2 ** 32)
        self.assertIn("From %d cards on: %d! = %s" % (first, first, "{:,}".format(math.factorial(first))), solution["seed"])
        ends = [tuple(i for coin in (0, 1) for i in range(3) if coins[i] == coin) for coins in itertools.product((0, 1), repeat=3)]
        reversed_ends = ends.count((2, 1, 0))  # the inverse of a riffle sorts by coins, and the reversal is its own inverse
        self.assertEqual(solution["riffles"], "Task: It has 3. One riffle leaves at most 2: %d of the 8 series of coins lead to it." % reversed_ends)
        self.assertTrue(solution["chi-square"].startswith("Task: It is %d." % sum((count - 12) ** 2 / 12 for count in (10, 10, 10, 10, 10, 22))))
        self.assertIn("{:,}".format(4 * 2366), solution["how-many"])  # docs/plan.md
        rotations = ["".join(map(str, [(i + r) % 4 + 1 for i in range(4)])) for r in range(4)]
        self.assertEqual(solution["blind"], "Task: These: " + " ".join(rotations))


class Curves(Built):
    """The points that are drawn, read back from the picture, and the data below it."""

    BAYER_DIACONIS = [1.000, 1.000, 1.000, 1.000, 0.924, 0.614, 0.334, 0.167, 0.085, 0.043]  # 1992, table 1, m = 1 to 10
    HEIGHT, BOTTOM = 190, 220  # of the plot, in pixels

    def curve(self, name):
        (figure,) = self.pages[name].findall(".//figure[@class='of-chart']")
        dots = figure.findall("svg/g/circle")
        data = [(int(x.replace(",", "")), y) for x, y in rows(figure.find(".//table"))]
        self.assertEqual(len(dots), len(data))
        self.assertEqual(figure.find("svg/polyline").get("points"), " ".join("%s,%s" % (dot.get("cx"), dot.get("cy")) for dot in dots))
        for dot, (x, y) in zip(dots, data):
            title = dot.findtext("title")
            self.assertTrue(title.startswith("{:,} ".format(x)) and title.endswith(" " + y), title)
        return [(x, (self.BOTTOM - float(dot.get("cy"))) / self.HEIGHT, y, float(dot.get("cx"))) for dot, (x, y) in zip(dots, data)]

    def test_riffles(self):
        found = self.curve("riffles")
        self.assertEqual([x for x, *_ in found], list(range(1, 11)))
        for (_, drawn, written, _), published in zip(found, self.BAYER_DIACONIS, strict=True):
            self.assertEqual(float(written), published)
            self.assertAlmostEqual(drawn, published, delta=0.0006)
        steps = [b[3] - a[3] for a, b in zip(found, found[1:])]
        self.assertLess(max(steps) - min(steps), 0.02)

    def test_repeats(self):
        found = self.curve("seed")
        self.assertEqual((found[0][0], found[-1][0]), (0, 250000))
        for decks, drawn, written, _ in found:
            repeat = -math.expm1(math.fsum(math.log1p(-i / 2 ** 32) for i in range(decks)))
            self.assertAlmostEqual(float(written.rstrip("%")) / 100, repeat, delta=0.00006)
            self.assertAlmostEqual(drawn, repeat, delta=0.0001)

    def test_looks(self):
        table = {looks: p for looks, p, _ in self.table("chi-square", "looks")}
        for looks, drawn, written, _ in self.curve("chi-square"):
            self.assertAlmostEqual(drawn, float(written.rstrip("%")) / 100, delta=0.0001)
            if str(looks) in table:
                self.assertAlmostEqual(drawn, float(table[str(looks)].rstrip("%")) / 100, delta=0.00055)

    def test_power(self):
        found = self.curve("how-many")
        self.assertGreaterEqual(len(found), 10)
        for x, drawn, written, across in found:
            self.assertAlmostEqual(float(written.rstrip("%")) / 100, power(x), delta=0.0006)
            self.assertAlmostEqual(drawn, power(x), delta=0.0006)
            self.assertAlmostEqual((across - 48) / 284, math.log10(x / 100) / 2, delta=0.0001)  # 100 to 10,000


def tail(x, dof):
    """The tail of chi-square with an odd number of degrees of freedom (Abramowitz and Stegun 26.4.4)."""
    term, total = math.sqrt(2 * x / math.pi) * math.exp(-x / 2), math.erfc(math.sqrt(x / 2))
    for r in range(1, (dof - 1) // 2 + 1):
        total += term
        term *= x / (2 * r + 1)
    return total


def critical(alpha, dof=5):
    low, high = 0.0, 500.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, dof) > alpha else (low, middle)
    return low


def power(shuffles, alpha=1e-3):
    """Pearson's test on three naive cards has 5 degrees of freedom. A noncentral chi-square is a Poisson mixture of central
    ones (Cohen 1988)."""
    excess = shuffles * sum((count / 27 - 1 / 6) ** 2 * 6 for count in (4, 5, 5, 5, 4, 4)) / 2
    return sum(math.exp(j * math.log(excess) - excess - math.lgamma(j + 1)) * tail(critical(alpha), 5 + 2 * j) for j in range(300))


class Chance(Built):
    """Chi-square, peeks, the ruler and the game."""

    @staticmethod
    def runs(scheme, seed):
        (report,) = answer("report", scheme, "--by", "sample", "--samples", "2000", "--seed", str(seed))["reports"]
        return next(finding["value"] for finding in report["findings"] if finding["test"] == "pearson")

    def test_histogram(self):
        (figure,) = self.pages["chi-square"].findall(".//figure[@class='of-runs']")
        self.assertAlmostEqual(float(figure.get("data-level")), critical(0.05), delta=1e-9)
        self.assertEqual(figure.get("data-law"), "4 5 5 5 4 4")
        data = rows(figure.find(".//table"))
        curves = [[float(point.split(",")[1]) for point in line.get("points").split()] for line in figure.iter("polyline")]
        for i, (_, _, _, law) in enumerate(data):
            expected = (tail(2 * i, 5) if i else 1) - tail(2 * i + 2, 5)
            self.assertAlmostEqual(float(law.rstrip("%")) / 100, expected, delta=0.00006)
            for base, curve in zip((130, 270), curves, strict=True):
                self.assertAlmostEqual((base - curve[i]) / 250, expected, delta=0.0001)
        for column, scheme in (1, "fisher-yates"), (2, "naive"):
            values = [self.runs(scheme, seed) for seed in range(1, 41)]
            group = figure.findall(".//g")[column - 1]
            self.assertEqual([int(row[column]) for row in data], [sum(min(29, value // 2) == i for value in values) for i in range(30)])
            self.assertEqual([row[column] for row in data], [bar.get("data-count") for bar in group])
            self.assertEqual(int(group.get("data-beyond")), sum(value > critical(0.05) for value in values))

    def test_levels(self):
        table = self.table("chi-square", "p-value")
        self.assertEqual([row[0] for row in table], ["0.1", "0.05", "0.01", "0.001"])
        for level, value, fair, naive in table:
            self.assertEqual(value, "%.2f" % critical(float(level)))
            self.assertAlmostEqual(float(fair.rstrip("%")), 100 * float(level), delta=1e-9)
            self.assertAlmostEqual(float(naive.rstrip("%")) / 100, power(2000, float(level)), delta=0.00051)
        counts = self.table("chi-square", "order")
        self.assertAlmostEqual(sum(float(row[3]) for row in counts), self.runs("fisher-yates", 1), delta=0.03)

    @staticmethod
    def peeks(looks, accuses):
        """How often `accuses` is true of a fair coin at one of the looks so far, each after 100 tosses."""
        share, accused, found = [1.0], 0.0, []
        for total in range(1, 100 * looks + 1):
            share = [(a + b) / 2 for a, b in zip([*share, 0.0], [0.0, *share])]
            if total % 100 == 0:
                hit = [i for i in range(total + 1) if share[i] and accuses(i, total)]
                accused += sum(share[i] for i in hit)
                share = [0.0 if i in set(hit) else each for i, each in enumerate(share)]
                found.append(accused)
        return found

    @staticmethod
    def evidence(heads, total):
        """E of two cells: the average over six symmetric beta laws, see docs/how-it-decides.md."""
        beta = lambda a, b: math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
        return sum(math.exp(beta(g + heads, g + total - heads) - beta(g, g) + total * math.log(2)) for g in (1, 10, 100, 1e3, 1e4, 1e5)) / 6

    def test_peeks(self):
        """Ten looks are counted here; those of a normal variable are published: Armitage, McPherson and Rowe (1969), table 2."""
        table = {int(looks): (float(p.rstrip("%")) / 100, float(e.rstrip("%")) / 100) for looks, p, e in self.table("chi-square", "looks")}
        by_p = self.peeks(10, lambda heads, total: math.erfc(math.sqrt((2 * heads - total) ** 2 / total / 2)) < 0.05)
        by_e = self.peeks(10, lambda heads, total: self.evidence(heads, total) >= 20)
        for looks in 1, 2, 5, 10:
            self.assertAlmostEqual(table[looks][0], by_p[looks - 1], delta=0.00051)
            self.assertAlmostEqual(table[looks][1], by_e[looks - 1], delta=0.000051)
        for looks, normal in (1, 0.050), (2, 0.083), (5, 0.142), (10, 0.193), (20, 0.248), (50, 0.320), (100, 0.374):
            self.assertAlmostEqual(table[looks][0], normal, delta=0.015)
            self.assertLess(table[looks][1], 0.05)

    def test_ruler(self):
        (figure,) = self.pages["seed"].findall(".//figure[@class='of-ruler']")
        numbers = [86400000, 2 ** 32, 2 ** 64, 2 ** 128, math.factorial(52)]
        for number, bar, (_, short, bits) in zip(numbers, figure.iter("rect"), rows(figure.find(".//table")), strict=True):
            self.assertAlmostEqual(float(bar.get("width")) / 1.5, math.log2(number), delta=0.01)
            self.assertEqual(bits, "%.1f" % math.log2(number))
            self.assertAlmostEqual(float(short.replace(",", "")) / number, 1, delta=0.005)
        self.assertIn("would be %.1fe39 light-years long" % (math.factorial(52) / 2 ** 32 / 9.4607e18 / 1e39), words(figure))

    def test_game(self):
        (figure,) = self.pages["how-many"].findall(".//figure[@class='of-game']")
        counts = [answer("report", scheme, "-n", "4", "--by", "sample", "--samples", "200", "--seed", "1")["reports"][0]["evidence"]["counts"]
                  for scheme in ("fisher-yates", "naive")]
        self.assertEqual([list(map(int, row[1:])) for row in rows(figure.find(".//table"))], [list(pair) for pair in zip(*counts)])
        (law,) = answer("report", "naive", "-n", "4", "--by", "exact")["reports"]
        self.assertEqual(figure.get("data-law").split(), law["evidence"]["counts"])
        for group, shown in zip(figure.findall(".//g"), counts, strict=True):
            for bar, count in zip(group, shown, strict=True):
                self.assertAlmostEqual(float(bar.get("height")), 110 * count / max(map(max, counts)), delta=0.01)


class Walks(Built):
    """One path, step by step, against the program and, for swaps, against swaps made here."""

    WALKS = {"three-cards": [("naive", "3", "2 0 1"), ("fisher-yates", "3", "0 1")], "comparator": [("sort-timsort", "3", "1 0 0 0")],
             "riffles": [("riffle:1", "4", "1 0 1 0")]}

    def test_walks(self):
        for name in LESSONS:
            walks = self.pages[name].findall(".//div[@class='walk']")
            found = [(walk.get("data-scheme"), walk.get("data-n"), walk.findall(".//tbody/tr")[-1].get("data-path")) for walk in walks]
            self.assertEqual(found, self.WALKS.get(name, []))
            for walk, (scheme, n, path) in zip(walks, found):
                steps = answer("explain", scheme, "-n", n, "--path", path.replace(" ", ","))["walk"]["steps"]
                decks = [list(map(int, row.get("data-items").split())) for row in walk.findall(".//tbody/tr")]
                self.assertEqual(decks, [list(range(1, int(n) + 1))] + [step["deck"] for step in steps])
                orders = answer("explain", scheme, "-n", n)["orders"]
                self.assertEqual(words(walk.findall(".//tbody/tr")[0][2]), "%d orders" % len([one for one in orders if one["ratio"]]))
                for before, row, after in zip(decks, walk.findall(".//tbody/tr")[1:], decks[1:]):
                    moved = [i for i in range(int(n)) if before[i] != after[i]]
                    self.assertEqual(list(map(int, row.get("data-moved").split())), moved)

    def test_swaps(self):
        swaps = {"naive": lambda answers: enumerate(answers), "fisher-yates": lambda answers: zip((2, 1), answers)}
        for walk in self.pages["three-cards"].findall(".//div[@class='walk']"):
            table = walk.findall(".//tbody/tr")
            deck = [1, 2, 3]
            for row, (i, j) in zip(table[1:], swaps[walk.get("data-scheme")](map(int, table[-1].get("data-path").split()))):
                deck[i], deck[j] = deck[j], deck[i]
                self.assertEqual(row.get("data-items"), " ".join(map(str, deck)))
                self.assertIn("gives %d" % j, words(row[0]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
