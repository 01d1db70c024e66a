# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of items in every format, titles, and decks with equal cards."""
import collections
import csv
import io
import itertools
import json
import os
import random
import re
import sys
import tempfile
import unittest
from fractions import Fraction

from program import run, lines

NEW_DECK = [rank + suit for suit in "SHDC" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split()]
RED_BLACK = ["R"] * 26 + ["B"] * 26
FORMATS = ("text", "markdown", "json", "junit", "tap", "html", "svg")


def naive(deck, rng):
    """The naive swap."""
    deck = list(deck)
    for i in range(len(deck)):
        j = rng.randrange(len(deck))
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def naive_law(deck):
    """The law of the naive swap on arrangements: every series of draws."""
    count = collections.Counter()
    for draws in itertools.product(range(len(deck)), repeat=len(deck)):
        a = list(deck)
        for i, j in enumerate(draws):
            a[i], a[j] = a[j], a[i]
        count["".join(a)] += 1
    return count


class Names(unittest.TestCase):
    def test_a_fail_names_cards(self):
        rng = random.Random(1)
        top = []  # the five of diamonds is always at position 10
        for _ in range(500):
            others = rng.sample([card for card in NEW_DECK if card != "5D"], 51)
            top.append(others[:9] + ["5D"] + others[9:])
        for options in (["--cards", " ".join(NEW_DECK)], []):  # the names of playing cards are known
            done = run("gate", *options, "-", text=lines(top))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("5D at position 10 came up", done.stdout.replace("\n", " "))
            self.assertNotIn("item 31", done.stdout)
        for form in FORMATS:
            figure = ["--figure", "matrix"] if form == "svg" else []
            done = run("gate", "--format", form, *figure, "--cards", " ".join(NEW_DECK), "-", text=lines(top))
            self.assertIn("5D", done.stdout, form)
        found = json.loads(run("gate", "--format", "json", "--cards", " ".join(NEW_DECK), "-", text=lines(top)).stdout)
        self.assertEqual(found["gates"][0]["items"], NEW_DECK)
        self.assertTrue(any(cell["where"] == "5D at position 10" for cell in found["gates"][0]["cells"]))

    def test_reports_name_cards(self):
        for form, wanted in (("text", "BAC"), ("markdown", "BAC"), ("csv", "permutation,BAC,"), ("html", "BAC"), ("svg", "BAC"),
                             ("json", '"label": "BAC"'), ("junit", "BAC"), ("tap", "BAC")):
            done = run("report", "naive", "--cards", "A B C", "--by", "exact", "--format", form)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertIn(wanted, done.stdout, form)
        self.assertIn(",matrix,,,C,3,", run("report", "naive", "--cards", "A B C", "--by", "exact", "--format", "csv").stdout)
        self.assertIn("Ace Trey Deuce, Deuce Ace Trey and Deuce Trey Ace",  # 5 of 27 each
                      run("report", "naive", "--cards", "Ace Deuce Trey", "--by", "exact").stdout.replace("\n", " "))
        dealt = run("report", "naive", "--cards", "A A B B C", "--deal", "2", "--by", "exact").stdout.replace("\n", " ")
        self.assertIn("Deals with equal items: even a fair shuffle gives some of them more often than others", dealt)

    def test_fair_deals_of_equal_cards_are_not_equally_likely(self):
        """Of AAB, the fair deals AA, AB and BA have 1/3 each, but those of AAAB have 1/2, 1/4 and 1/4."""
        equal, different = "A A A B " + "C " * 48, " ".join(f"c{i}" for i in range(52))
        for cards, deal, wanted in (("A A A B", 2, "as likely as it should be"), (equal, 4, "as likely as it should be"),
                                    (different, 4, "equally likely")):
            done = run("report", "fisher-yates", "--cards", cards, "--deal", str(deal), "--by", "exact")
            self.assertIn(f"Every deal is {wanted}: this shuffle is proven fair", done.stdout.replace("\n", " "))

    def test_a_large_deal_of_equal_cards(self):
        """Only the matrix is shown, so a law that takes seconds is not worth it: the position of one card suffices."""
        for cards, engine in ((10, "deals"), (400, "position")):
            deck = " ".join(["A", *(f"c{i // 2}" for i in range(1, cards))])  # c0 once, the others twice
            done = run("report", "naive", "--cards", deck, "--deal", "2", "--by", "exact", "--format", "json")
            (found,) = json.loads(done.stdout)["reports"]
            self.assertEqual(found["evidence"]["engine"], engine)
            self.assertIsNone(found["evidence"]["counts"])
            self.assertAlmostEqual(float(Fraction(found["matrix"][0][0])), 1 / cards, places=12)  # the naive swap is fair to item 1

    def test_a_matrix_of_equal_cards(self):
        """X lies on top in 1000 of 1000 shuffles instead of two in three, and Y is always last: chi-square is 500 for the first, 2000 for
        the last, with one degree of freedom."""
        done = run("report", "--matrix", "-", "--cards", "X X Y", "--format", "json", text="1000,0,0\n0,1000,0\n0,0,1000\n")
        (found,) = json.loads(done.stdout)["reports"]
        (finding,) = found["findings"]
        self.assertEqual((finding["statistic"], finding["dof"], found["verdict"]), ("card-at", 1, "biased"))
        self.assertAlmostEqual(finding["value"], 2000, places=9)
        # equal rows of X make up for each other, so each place has its fair share
        done = run("report", "--matrix", "-", "--cards", "X X Y", text="900,100,500\n100,900,500\n500,500,500\n")
        self.assertIn("no bias seen. 1,500 shuffles bring every card to every position about as often as they should", done.stdout.replace("\n", " "))

    def test_what_is_not_tested_is_not_said_to_be_fair(self):
        done = run("report", "--matrix", "-", "--cards", "X X X", text="1000,0,0\n0,1000,0\n0,0,1000\n")
        self.assertIn("Verdict: inconclusive. Nothing was tested, since all cards are equal.", done.stdout)

    def test_row_titles(self):
        matrix = "song,first,second\nHey Jude,40,60\nYesterday,60,40\n"
        done = run("report", "--matrix", "-", text=matrix)
        self.assertIn("Hey Jude", done.stdout)
        self.assertIn("Yesterday", done.stdout)
        done = run("report", "--matrix", "-", "--cards", "H Y", "--title", "Songs", text=matrix)
        self.assertNotIn("Hey Jude", done.stdout)
        self.assertTrue(done.stdout.startswith("Songs: n = 2"), done.stdout)
        done = run("report", "--matrix", "-", "--cards", "H Y Z", text=matrix)
        self.assertIn("--cards has 3 names, and standard input has 2 items: give a name for each", done.stderr)

    def test_cells_of_a_spreadsheet_are_no_formulas(self):
        """A text that a spreadsheet would run begins with an apostrophe; a negative number stays a number."""
        titles = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "-5", "+1.5e3", "-", "a=b", "-.", "--1", "-inf"]
        matrix = "song," + ",".join("p%d" % i for i in range(len(titles))) + "\n"
        for title in titles:
            matrix += title + "," + ",".join(["60"] * len(titles)) + "\n"
        done = run("report", "--matrix", "-", "--format", "csv", text=matrix)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["kind"] == "matrix"]
        cells = [row["item"] for row in rows if row["position"] == "1"]
        self.assertEqual(cells, [title if title in ("-5", "+1.5e3", "a=b") else "'" + title for title in titles])
        for row in rows:
            self.assertEqual(float(row["count"]), 60)
        header, first = done.stdout.split("\n")[:2]
        self.assertEqual(len(header.split(",")), len(first.split(",")))

    def test_numbers_from_zero(self):
        rng = random.Random(2)
        decks = lines([naive("01234", rng) for _ in range(30000)])
        done = run("report", "-", text=decks)
        self.assertIn("\n0 ", done.stdout)  # the first row of the matrix
        found = json.loads(run("report", "-", "--format", "json", text=decks).stdout)["reports"][0]
        self.assertEqual(found["base"], 0)
        self.assertNotIn("0", "".join(found["effect"]["most_likely"]))  # notation counts from 1, as the schema says
        self.assertIn("0", found["permutations"][0]["label"])

    def test_titles(self):
        for command in (["gate", "naive"], ["report", "naive", "--by", "exact"]):
            for form in ("text", "markdown", "html", "json"):
                self.assertIn("Our <&> table", run(*command, "--title", "Our <&> table", "--format", form).stdout
                              .replace("&lt;&amp;&gt;", "<&>").replace("\\&", "&").replace("\\<", "<").replace("\\>", ">"), form)
        self.assertIn('name="Our table"', run("gate", "naive", "--title", "Our table", "--format", "junit").stdout)

    def test_hostile_names(self):
        name = "::error::<b>\u202e"
        done = run("gate", "--cards", name + " b c", "-", text=lines([[name, "b", "c"]] * 200))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotIn("\u202e", done.stdout)
        self.assertNotIn("<b>", run("gate", "--cards", name + " b c", "--format", "svg", "-", text=lines([[name, "b", "c"]] * 200)).stdout)


class EqualCards(unittest.TestCase):
    def test_exact_laws(self):
        """Against every series of draws."""
        for deck in ("AAB", "ABA", "AABB", "AAAB", "AABBC", "ABCBA"):
            law, total = naive_law(deck), len(deck) ** len(deck)
            found = json.loads(run("report", "naive", "--cards", " ".join(deck), "--by", "exact", "--all-counts", "--format", "json").stdout)
            (found,) = found["reports"]
            words = sorted(set(map("".join, itertools.permutations(deck))), key=lambda word: [deck.index(c) for c in word])
            counts = [Fraction(int(count), int(found["evidence"]["denominator"])) for count in found["evidence"]["counts"]]
            self.assertEqual(counts, [Fraction(law[word], total) for word in words])
            variation = sum(abs(Fraction(law[word], total) - Fraction(1, len(words))) for word in words) / 2
            self.assertEqual(Fraction(found["effect"]["total_variation_exact"]), variation)
            kinds = list(dict.fromkeys(deck))
            matrix = [[Fraction(sum(law[word] for word in words if word[j] == kind), total) for j in range(len(deck))] for kind in kinds]
            self.assertEqual([[Fraction(cell) for cell in row] for row in found["matrix"]], matrix)
            self.assertLessEqual({row["label"] for row in found["permutations"]}, set(words))

    def test_exact_laws_of_ten_cards(self):
        """Ratios are in doubles, or in fractions where they differ from 1 by less than 10 * 10 / 2^60 only."""
        for scheme, deck in (("naive/modulo:15", "AAAAABBBBB"), ("fisher-yates/modulo:60", "AAAAABBBBB"),
                             ("fisher-yates/modulo:60", "AAAAAAAAAA")):
            bits, law = int(scheme.split(":")[1]), {deck: Fraction(1)}
            steps = [(i, 10) for i in range(10)] if "naive" in scheme else [(i, i + 1) for i in range(9, 0, -1)]
            for i, bound in steps:
                after = collections.Counter()
                for word, share in law.items():
                    for j in range(bound):
                        swapped = list(word)
                        swapped[i], swapped[j] = word[j], word[i]
                        after["".join(swapped)] += share * (2**bits // bound + (j < 2**bits % bound)) / 2**bits
                law = after
            excess = [share * len(law) - 1 for share in law.values()]
            done = run("report", scheme, "--cards", " ".join(deck), "--by", "exact", "--format", "json")
            (found,) = json.loads(done.stdout)["reports"]
            variation = sum(map(abs, excess)) / len(law) / 2
            if found["evidence"]["denominator"]:
                self.assertEqual(Fraction(found["effect"]["total_variation_exact"]), variation)
            self.assertEqual(bool(found["evidence"]["denominator"]), "naive" not in scheme)
            self.assertAlmostEqual(found["effect"]["total_variation"], float(variation), delta=1e-12 * float(variation))
            square = float(sum(d**2 for d in excess) / len(law))
            self.assertAlmostEqual(found["effect"]["chi2_per_sample"], square, delta=1e-12 * square)
            self.assertEqual(found["verdict"], "biased" if square else "uniform")

    def test_a_single_kind(self):
        """Equal cards have one order, also if there are too many for a count of all permutations."""
        for scheme, n in ("naive", 5), ("naive", 25), ("overhand:3", 12):
            found = run("report", scheme, "-n", str(n), "--by", "exact", "--cards", " ".join(["A"] * n))
            self.assertIn("Verdict: uniform", found.stdout)

    def test_a_stream(self):
        rng = random.Random(3)
        decks = lines([naive("AAB", rng) for _ in range(30000)])
        count = collections.Counter(line.replace(" ", "") for line in decks.splitlines())
        found = json.loads(run("report", "--cards", "A A B", "-", "--format", "json", text=decks).stdout)["reports"][0]
        self.assertEqual(found["evidence"]["counts"], [count["AAB"], count["ABA"], count["BAA"]])
        self.assertEqual(found["verdict"], "biased")
        done = run("gate", "--cards", "A A B", "-", text=decks)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ABA came up", done.stdout)
        self.assertNotIn("It looks like", done.stdout)

    def test_seeds_of_equal_cards(self):
        """A E E has three arrangements, and forty of 26 red and 26 black cards have far more than 2^20."""
        for words, message in ((("--cards", "A E E", "--seeds", "5"), "equal cards leave only 3 different orders"),
                               (("--cards", "A E E", "--seeds", "2^16"), "equal cards leave only 3 different orders"),
                               (("--cards", " ".join(RED_BLACK), "--deal", "40", "--seeds", "2^20"),
                                "deals of a deck with equal cards are not compared with each other")):
            done = run("gate", "fisher-yates", *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_statistics_of_equal_cards_by_name(self):
        done = run("report", "naive", "--cards", "A A B", "--samples", "20000", "--statistics", "card-at,runs", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        for found in json.loads(done.stdout)["reports"]:
            if found["evidence"]["by"] == "sample":
                self.assertLessEqual({"card-at", "runs"}, {finding["statistic"] for finding in found["findings"]})

    def test_fair_decks_pass(self):
        for scheme, deck, status in (("fisher-yates", "AAB", 0), ("fisher-yates", "AABBCD", 0), ("naive", "AAB", 1), ("naive", RED_BLACK, 1),
                                     ("cut", RED_BLACK, 1)):
            done = run("gate", scheme, "--cards", " ".join(deck), "--exclude", "0.1" if status == 0 else "0.01")
            self.assertEqual(done.returncode, status, (scheme, deck, done.stdout))

    def test_the_p_values_of_fair_decks(self):
        """Of 26 and 26 cards: the smallest p, times the number of tests, is 0.01 or less in 1% of fair reports at most. Of 40 reports
        with fixed seeds, 4 or more are with probability 0.0007."""
        low = 0
        for seed in range(40):
            found = json.loads(run("report", "fisher-yates", "--cards", " ".join(RED_BLACK), "--samples", "4000", "--by", "sample", "--seed",
                                   str(seed), "--format", "json").stdout)["reports"][0]
            smallest = min(finding["p"] for finding in found["findings"] if finding["reliable"])
            low += smallest * len(found["findings"]) <= 0.01
        self.assertLess(low, 4)

    def test_repeated_decks(self):
        """A generator with 2^12 seeds: whole decks that look the same come again."""
        decks = []
        for i in range(2000):
            deck = RED_BLACK[:]
            random.Random(random.Random(i).randrange(4096)).shuffle(deck)
            decks.append(deck)
        found = json.loads(run("gate", "--cards", " ".join(RED_BLACK), "-", "--format", "json", text=lines(decks)).stdout)["gates"][0]
        self.assertEqual(found["verdict"], "fail")
        self.assertEqual([line["statistic"] for line in found["statistics"] if line["named"]], ["repeat"])
        self.assertEqual(found["repeats"], found["total"] - len(set(map(tuple, decks[:found["total"]]))))

    def test_dependent_decks(self):
        """All orders in turn: each is as frequent as the others, but steps show the turn. Equal cards are numbered for the steps, so
        a step is one of n! and has numbers."""
        for cards in ("AAB", "ABBB", "AABB", "AABBC"):
            orders = sorted(set(itertools.permutations(cards)))
            random.Random(6).shuffle(orders)
            decks = lines(orders * (3000 // len(orders)))
            done = run("gate", "--cards", " ".join(cards), "--format", "json", "-", text=decks)
            self.assertEqual(done.returncode, 1, done.stderr)
            found = json.loads(done.stdout)["gates"][0]
            self.assertIn("depends on the one", found["sentence"])
            for cell in found["cells"]:
                step = re.fullmatch(r"in the step to the (?:next|one \d+ later), (\d+)", cell["where"])
                self.assertEqual(sorted(step[1]), list("12345"[:len(cards)]), cell)

    def test_the_same_bytes(self):
        decks = lines([naive(RED_BLACK, random.Random(i)) for i in range(500)])
        one, other = (run("gate", "--cards", " ".join(RED_BLACK), "--format", "json", "-", text=decks).stdout for _ in range(2))
        self.assertEqual(one, other)

    def test_errors(self):
        done = run("gate", "--cards", "A A B", "-", text="A A B\nA A A\n")
        self.assertEqual(done.returncode, 4)
        self.assertIn("line 2: more than 2 times 'A': print each card as often as --cards names it", done.stderr)
        for options, message in ((["--save", "x"], "equal cards, sets and hands cannot have --save"),
                                 (["--by", "seeds"], "equal cards, sets and hands cannot have --by seeds"),
                                 (["-n", "4"], "--cards has 3 names, and -n is 4: leave -n out")):
            done = run("report", "naive", "--cards", "A A B", *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)
        self.assertIn("all cards are equal", run("gate", "naive", "--cards", "A A").stderr)
        self.assertIn("use card-at", run("law", "position", "--cards", "A A B").stderr)
        self.assertIn("with equal cards, which --cards names", run("law", "runs", "-n", "3").stderr)

    def test_saved_evidence(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "saved")
            options = ["gate", "naive", "--cards", "A A B", "--limit"]
            whole = run(*options, "2000", "--save", path + "2").stdout
            run(*options, "2000", "--save", path)
            shown = run("gate", path)
            self.assertEqual(shown.stdout, whole)
            for cards in ("A B B", "A B C"):
                done = run("gate", "--save", path, "--cards", cards)
                self.assertEqual(done.returncode, 2)
                self.assertIn("--cards", done.stderr)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["options"]["cards"], "A A B")
            named = os.path.join(folder, "report")
            run("report", "naive", "--cards", "X Y Z", "--samples", "1e5", "--save", named)
            self.assertIn("XZY", run("report", named).stdout)
            self.assertIn("--cards", run("report", "--save", named, "--cards", "X Y W").stderr)
            zero = os.path.join(folder, "zero")
            with open(zero + ".txt", "w", encoding="ascii") as file:
                file.write("0 1 2\n" * 50)
            live = run("gate", zero + ".txt", "--save", zero)
            self.assertIn("in their original order: 0 1 2, ", live.stdout)
            self.assertEqual(run("gate", zero).stdout, live.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
