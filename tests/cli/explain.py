# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of 'explain': its tree against the exact report and against loops in this file, its sentences, its look.

If the look changes, a person reads it and then renews the golden files, for naive and for fisher-yates:

    LC_ALL=C.UTF-8 build/shufflebias explain naive > data/golden/explain-naive.txt
    LC_ALL=C build/shufflebias explain naive > data/golden/explain-naive-ascii.txt"""
import collections
import functools
import itertools
import json
import math
import os
import re
import subprocess
import sys
import unittest
from fractions import Fraction

from program import PROGRAM, SOURCE


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


DRAWS = ("ideal", "lemire:8", "java-nextint", "byte-modulo", "float24", "modulo:1", "modulo:8", "modulo:15", "multiply:8",
         "multiply:15", "round:8", "round:15")


@functools.lru_cache(maxsize=None)
def draw_law(draw, bound):
    """The probability of each answer below the bound, from its formula in JavaScript or C, over all words."""
    kind, _, bits = draw.partition(":")
    if kind in ("ideal", "lemire", "java-nextint"):
        return [Fraction(1, bound)] * bound
    span = 2 ** (24 if kind == "float24" else int(bits or 8))
    pick = {"modulo": lambda word: word % bound, "byte-modulo": lambda word: word % bound,
            "multiply": lambda word: word * bound // span, "float24": lambda word: word * bound // span,
            "round": lambda word: (2 * word * (bound - 1) + span) // (2 * span)}[kind]
    if kind == "float24":  # for bounds up to 4 the product is exact, or rounds down: only the ends of runs matter
        ends = [-(-answer * span // bound) for answer in range(bound + 1)]
        return [Fraction(ends[j + 1] - ends[j], span) for j in range(bound)]
    times = collections.Counter(pick(word) for word in range(span))
    return [Fraction(times[answer], span) for answer in range(bound)]


def uniform(draw, bound):
    return len(set(draw_law(draw, bound))) == 1


def swapped(n, steps, draw):
    """The law of a series of swaps of a[at] and a[from + draw(bound)], by all answers."""
    law = collections.Counter()
    for answers in itertools.product(*(range(bound) for _, _, bound in steps)):
        a, mass = list(range(1, n + 1)), Fraction(1)
        for (at, low, bound), answer in zip(steps, answers):
            a[at], a[low + answer] = a[low + answer], a[at]
            mass *= draw_law(draw, bound)[answer]
        law["".join(map(str, a))] += mass
    return law


def rotated(n, draw):
    law = collections.Counter()
    for answer, mass in enumerate(draw_law(draw, n)):
        a = [str(1 + (j + answer) % n) for j in range(n)]
        law["".join(a)] += mass
    return law


def deck_law(shuffle, n, draw):
    """The law of four shuffles, without the program."""
    if shuffle == "rotate":
        return rotated(n, draw)
    return swapped(n, {"naive": [(i, 0, n) for i in range(n)],
                       "fisher-yates": [(i, 0, i + 1) for i in range(n - 1, 0, -1)],
                       "sattolo": [(i, 0, i) for i in range(n - 1, 0, -1)]}[shuffle], draw)


def position_law(law, n):
    """By item and position, from 1."""
    matrix = collections.Counter()
    for order, mass in law.items():
        for position, item in enumerate(order, start=1):
            matrix[int(item), position] += mass
    return {(i, j): matrix[i, j] for i in range(1, n + 1) for j in range(1, n + 1)}


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

    def bounds(self, found, shuffle, n):
        """The bounds of all draws; the first path has them all where the tree is too large. Keys have no bound."""
        if shuffle == "sort-by-key":
            return set()
        if found["paths"]:
            return {bound for path in found["paths"] for bound in path["bounds"]}
        return set(explain(shuffle, "-n", str(n), "--step")["walk"]["bounds"])

    def check_claims(self, text, law, n, conditional):
        """Each claim about orders and positions that a text makes without a condition."""
        matrix = position_law(law, n)
        far = max(abs(share - Fraction(1, n)) for share in matrix.values())
        fair = len(set(law.values())) == 1
        if "all orders are equally likely, too" in text:
            self.assertTrue(fair)
        if re.search(r"each item comes to each position equally often", text) and "If C divides n" not in text \
                and "of four items" not in text:
            self.assertEqual(far, 0)
        for item, position, share in re.findall(r"item (\d+) comes to position (\d+) with probability ([\d/]+)", text):
            self.assertEqual(matrix[int(item), int(position)], Fraction(share))
            self.assertEqual(abs(Fraction(share) - Fraction(1, n)), far)
            self.assertGreater(far, 0)
        for likelier, other in re.findall(r"(\d+) is likelier than (\d+)\.$", text):
            self.assertEqual((law[likelier], law[other]), (max(law.values()), min(law.values())))
        for most, least in re.findall(r"likeliest order has probability ([\d/]+), the rarest ([\d/]+)[;.](?!\d)", text):
            self.assertEqual((Fraction(most), Fraction(least)), (max(law.values()), min(law.values())))
        if re.search(r"Each of the \d+ orders has probability|orders: (one|\d+) for each\.", text):
            self.assertTrue(fair)
        if conditional:
            for words in ("equally likely", "equally often", "one for each", "is exact", "is fair"):
                self.assertNotIn(words, re.sub(r"all orders are equally likely, too|each item comes to each position "
                                               "equally often, but|series of words, all equally likely|with n = 2, .*", "", text))

    def test_no_page_states_facts_of_fair_draws_for_biased_draws(self):
        """Each shuffle with each draw: what the text says without a condition holds in the law of all answers."""
        for shuffle, draw, n in itertools.product(shuffles(), DRAWS, (3, 4)):
            if (shuffle, draw) == ("redraw", "modulo:1"):
                continue  # never ends
            with self.subTest(shuffle=shuffle, draw=draw, n=n):
                found = explain(f"{shuffle}/{draw}", "-n", str(n))
                law = {order["order"]: Fraction(order["probability"]) for order in found["orders"]}
                if shuffle in ("rotate", "naive", "fisher-yates", "sattolo"):
                    own = deck_law(shuffle, n, draw)
                    self.assertEqual(law, {order: own[order] for order in law})
                notes = {note["about"]: note["text"] for note in found["argument"]}
                biased = not all(uniform(draw, bound) for bound in self.bounds(found, shuffle, n))
                self.assertEqual(notes["shuffle"].startswith("With uniform draws, this holds: "), biased)
                here = notes["shuffle"].partition(" With the draws here, which are not uniform,")[2]
                self.assertEqual(bool(here), biased)
                self.check_claims(here if biased else notes["shuffle"], law, n, biased)
                self.check_claims(notes["counting"], law, n, biased)

    def test_what_shuffles_never_do(self):
        """Half of the orders of a whole deck, and none of a deal."""
        for shuffle in ("naive-no-self", "fisher-yates-stops-early"):
            for n in (2, 3, 4, 5):
                found = explain(shuffle, "-n", str(n))
                self.assertEqual(2 * sum(order["probability"] == "0" for order in found["orders"]), math.factorial(n))
            self.assertRegex(run("explain", shuffle, "-n", "4", "--deal", "2").stdout.replace("\n", " "),
                             "half of all orders of the deck never comes? up")

    def test_the_claims_of_a_large_deck_depend_on_the_draw(self):
        text = " ".join(run("explain", "rotate/round:8", "-n", "52").stdout.split())
        self.assertIn("With uniform draws, this holds: One draw below n", text)
        self.assertIn("The draws here are not uniform, so it need not hold.", text)
        self.assertNotIn("With uniform", run("explain", "rotate", "-n", "52").stdout)

    def test_few_paths_among_many_orders(self):
        """A rotation of nine items has nine paths, which lead to nine of the 362,880 orders."""
        text = " ".join(run("explain", "rotate", "-n", "9").stdout.split())
        self.assertIn("There are more than 4,096 paths, or more than 40,320 orders: too many", text)

    def test_the_likeliest_and_the_rarest_of_many_kinds(self):
        groups = explain("naive", "-n", "6")["groups"]
        text = run("explain", "naive", "-n", "6").stdout
        self.assertIn("have 67 different probabilities; the 10 highest and the 10 lowest are listed", text)
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

    def test_a_deal_is_the_order_of_the_items_that_are_dealt(self):
        text = " ".join(run("explain", "riffle", "-n", "30", "--deal", "12").stdout.split())
        self.assertIn("Here, an order is that of the 12 items that are dealt.", text)
        self.assertIn("'shufflebias report riffle:7 -n 30 --deal 12' says what can be known of them", text)
        self.assertNotIn("are dealt", run("explain", "naive").stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
