# SPDX-License-Identifier: GPL-3.0-or-later
"""Fair draws whose lines are sorted: gate, watch and report do not call them biased, but end with status 4.

Every draw is fair and has a fixed seed. With another seed, a fair draw in its own order would fail the gate with a
probability of 1e-9 at most."""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

import program
from program import PROGRAM

REFUSED = 4
SONGS = "Angie Blackbird Changes Dakota Elise faith Gloria help Imagine jolene Kashmir lola Misty Naima oblivion Paranoid".split()
SUITS, RANKS = "SHDC", "23456789TJQKA"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
LOTTERY = ["--deal", "6", "-n", "49", "--base", "1"]


def run(command, lines, *options):
    return program.run(command, *options, "-", text=program.lines(lines))


def draws(items, deal, count, seed=1):
    """Fair draws in their own order."""
    generator = random.Random(seed)
    return [generator.sample(items, deal) for _ in range(count)]


def hands(size, key, count=20):
    """Fair deals of the whole pack, whose hands are sorted by the key."""
    return [[card for at in range(0, 52, size) for card in sorted(deck[at:at + size], key=key)] for deck in draws(PACK, 52, count)]


def fair_lottery(reverse=False):
    return [sorted(line, reverse=reverse) for line in draws(range(1, 50), 6, 2000)]


class SortedLines(unittest.TestCase):
    def refuses(self, lines, *options, by, command="gate"):
        done = run(command, lines, *options)
        self.assertEqual((done.returncode, done.stdout), (REFUSED, ""), done)
        self.assertIn("do not show the order of the draw", done.stderr)
        self.assertIn(by, done.stderr)
        self.assertIn("--ordered", done.stderr)
        return done.stderr

    def fails(self, lines, *options):
        done = run("gate", lines, *options)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("FAIL", done.stdout)

    def test_a_lottery(self):
        """Chance sorts one draw of six numbers with probability 1/720. Several orders are tried, but fewer than 1,000."""
        told = self.refuses(fair_lottery(), *LOTTERY, by="all 9 lines are in ascending order by number")
        exponent = int(re.search(r"probability 1e(-\d+) at most", told).group(1))
        exact = -9 * math.log10(720)
        self.assertTrue(exact <= exponent <= exact + 3, told)
        self.refuses(fair_lottery(reverse=True), *LOTTERY, by="descending order by number")

    def test_each_command(self):
        for command in "gate", "watch", "report":
            with self.subTest(command):
                self.refuses(fair_lottery(), *LOTTERY, command=command, by="ascending order by number")
        self.refuses(fair_lottery(), *LOTTERY, "--window", command="watch", by="ascending order by number")

    def test_the_order_is_meant(self):
        self.fails(fair_lottery(), *LOTTERY, "--ordered")
        done = run("report", fair_lottery(), *LOTTERY, "--ordered", "--format", "html")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(re.sub("<[^>]*>", "", done.stdout), "shufflebias report .*--deal 6 .*--ordered .*--format html")
        done = run("watch", fair_lottery(), *LOTTERY, "--ordered")
        self.assertIn("ALARM", done.stderr)

    def test_hole_cards_with_the_high_card_first(self):
        """Cards of the same rank come in either order."""
        lines = [sorted(line, key=lambda card: -RANKS.index(card[0])) for line in draws(PACK, 2, 2000)]
        self.refuses(lines, "--deal", "2", "-n", "52", by="descending order by rank")
        self.refuses(lines, "--deal", "2", "--cards", " ".join(PACK), by="descending order by rank")
        lines = [sorted(line, key=lambda card: "A23456789TJQK".index(card[0])) for line in draws(PACK, 2, 2000)]
        self.refuses(lines, "--deal", "2", "-n", "52", by="ascending order by rank")

    def test_a_draw_of_two_suits_knows_ties(self):
        """Of 24 cards with two ranks, ten are drawn. Chance sorts five of each by rank with probability 5! 5!/10! = 1/252, and
        not with probability 1/10!: few lines are not rare."""
        cards = [rank + suit for rank in "23" for suit in SUITS] * 3
        lines = [sorted(line, key=lambda card: card[0]) for line in draws(cards, 10, 400)]
        told = self.refuses(lines, "--deal", "10", "--cards", " ".join(cards), by="ascending")
        count, exponent = map(int, re.search(r"all (\d+) lines are .* 1e(-\d+) at most", told).groups())
        exact = sum(math.log10(math.factorial(twos) * math.factorial(10 - twos) / math.factorial(10))
                    for twos in (sum(card[0] == "2" for card in line) for line in lines[:count]))
        self.assertTrue(exact <= exponent <= exact + 4, (told, exact))

    def test_bridge_hands(self):
        self.refuses(hands(13, PACK.index), "--cards", " ".join(PACK), by="in hands of 13")
        self.refuses(hands(26, PACK.index), "--cards", " ".join(PACK), by="in hands of 26")
        numbers = [[PACK.index(card) for card in deck] for deck in hands(13, PACK.index)]
        self.refuses(numbers, by="ascending order by number, in hands of 13")
        for suits in "SHDC", "SHCD", "CDHS":
            with self.subTest(suits):
                held = hands(13, lambda card, suits=suits: (suits.index(card[1]), -RANKS.index(card[0])))
                self.refuses(held, by="order by suit and rank, in hands of 13,")

    def test_groups_of_unequal_size(self):
        """A bonus ball, a class in two teams, Skat, hole cards before the board, and a division for a test."""
        names = "Ann Ben Cara Dan Eve Fay Gus".split()
        skat = [suit + rank for suit in SUITS for rank in "789TJQKA"]
        for items, deal, ends, options in (
                (range(1, 50), 7, (0, 6, 7), ["--deal", "7", "-n", "49", "--base", "1"]),
                (range(52), 7, (0, 2, 3, 4, 5, 6, 7), ["--deal", "7", "-n", "52"]),
                (names, 7, (0, 4, 7), ["--cards", " ".join(names)]),
                (skat, 32, (0, 10, 20, 30, 32), ["--cards", " ".join(skat)]),
                (range(10), 10, (0, 7, 10), [])):
            sizes = [b - a for a, b in zip(ends, ends[1:])]
            groups = f"in groups of {', '.join(map(str, sizes[:-1]))} and {sizes[-1]},"
            lines = [[item for a, b in zip(ends, ends[1:]) for item in sorted(line[a:b], key=list(items).index)]
                     for line in draws(items, deal, 900)]
            for command in "gate", "report":
                with self.subTest(groups, command=command):
                    self.refuses(lines, *options, command=command, by=groups)

    def test_a_single_line_in_two_groups(self):
        line = draws(range(100), 100, 1)[0]
        self.refuses([sorted(line[:80]) + sorted(line[80:])], by="the only line is in ascending order by number, in groups of 80 and 20,")

    def test_shuffles_that_leave_some_order(self):
        """These are not fair, and no hands: a cut, a random bit as key, some swaps, half a list, the top card, the first two."""
        generator = random.Random(5)

        def by_bits(deck):
            return sorted(deck, key=lambda _: generator.getrandbits(1))

        def cut(deck):
            at = generator.randrange(1, len(deck))
            return deck[at:] + deck[:at]

        def swaps(deck):
            for _ in range(10):
                i, j = generator.sample(range(len(deck)), 2)
                deck[i], deck[j] = deck[j], deck[i]
            return deck

        def half(deck):
            return deck[:len(deck) // 2] + generator.sample(deck[len(deck) // 2:], len(deck) - len(deck) // 2)

        def top(deck):
            return [deck.pop(generator.randrange(len(deck)))] + deck

        def all_but_the_first(deck):
            return deck[:1] + generator.sample(deck[1:], len(deck) - 1)

        def two_sorted(deck):
            deck = generator.sample(deck, len(deck))
            return sorted(deck[:2]) + deck[2:]

        for shuffle, n, count in ((by_bits, 52, 30), (by_bits, 20, 30), (cut, 52, 1), (cut, 52, 3), (swaps, 200, 1), (half, 200, 1), (half, 20, 20),
                                  (top, 6, 60), (top, 52, 1), (top, 52, 10), (all_but_the_first, 4, 200), (all_but_the_first, 8, 200),
                                  (two_sorted, 4, 900), (two_sorted, 3, 900)):
            with self.subTest(shuffle.__name__, n=n, count=count):
                self.fails([shuffle(list(range(n))) for _ in range(count)])

    def test_names(self):
        for key in str, str.lower:
            lines = [sorted(line, key=key) for line in draws(SONGS, 5, 200)]
            generator = random.Random(2)
            shelf = generator.sample(SONGS, len(SONGS))
            self.refuses(lines, "--deal", "5", "--cards", " ".join(shelf), by="ascending order by name")

    def test_binary_input_and_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "draws")
            with open(path, "wb") as file:
                file.write(b"".join(bytes(number - 1 for number in line) for line in fair_lottery()))
            done = subprocess.run([PROGRAM, "gate", "--input", "u8", "--deal", "6", "-n", "49", "--", "cat", path],
                                  capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(done.returncode, REFUSED, done)

    def test_the_sets_are_fair(self):
        """The remedy of the message: a letter for each ball."""
        def letters(lines):
            return [["i" if ball in line else "o" for ball in range(1, 50)] for line in lines]
        cards = ["--cards", " ".join("i" * 6 + "o" * 43)]
        done = run("gate", letters(fair_lottery()), *cards, "--exclude", "0.3")
        self.assertEqual(done.returncode, 0, done)
        self.fails(letters(sorted(line) for line in draws(range(1, 49), 6, 20000)), *cards)

    def test_unsorted_lines_have_a_verdict(self):
        done = run("gate", draws(range(1, 50), 6, 2000), *LOTTERY, "--exclude", "0.3")
        self.assertEqual(done.returncode, 0, done)
        self.fails([line[::-1] if i == 5 else line for i, line in enumerate(fair_lottery())], *LOTTERY)
        self.fails(draws(range(1, 40), 6, 2000), *LOTTERY)

    def test_few_lines_may_be_sorted_by_chance(self):
        """Two cards of 52 that are always among the first three: the gate fails before eight of them are rare."""
        pairs = [(1, 2), (1, 3), (2, 3)]
        lines = random.Random(3).choices(pairs, k=8)
        self.fails(lines, "--deal", "2", "-n", "52", "--base", "1")

    def test_results_that_are_always_the_same(self):
        self.fails([(1, 2, 3, 4, 5, 6)] * 100, *LOTTERY)
        self.fails([range(52)] * 100)

    def test_a_whole_deck_that_is_sorted_by_rank(self):
        """A sort that ignores suits, after a fair shuffle. Each line has all cards, so the lines show no sets."""
        self.fails([sorted(deck, key=lambda card: RANKS.index(card[0])) for deck in draws(PACK, 52, 100)])

    def test_pairs_that_stay_together(self):
        """A shuffle that takes two neighbours for one item."""
        self.fails([[card for pair in line for card in (pair, pair + 1)] for line in draws(range(0, 52, 2), 26, 100)])

    def test_a_chain(self):
        self.refuses([[PACK.index(card) for card in deck] for deck in hands(13, PACK.index)], "--chained", by="in hands of 13")

    def test_a_suite(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "draws.txt"), "w", encoding="utf-8") as file:
                file.writelines(" ".join(map(str, line)) + "\n" for line in fair_lottery())
            subject = {"file": "draws.txt", "deal": 6, "n": 49, "base": 1}
            with open(os.path.join(folder, "suite.json"), "w", encoding="utf-8") as file:
                json.dump([{"name": "as it is", **subject}, {"name": "meant", "ordered": True, **subject}], file)
            done = subprocess.run([PROGRAM, "gate", "--suite", "suite.json", "--format", "json"], cwd=folder, capture_output=True,
                                  text=True, timeout=100, check=False)
        self.assertEqual(done.returncode, REFUSED, done)
        gates = json.loads(done.stdout)["gates"]
        self.assertEqual([gate["verdict"] for gate in gates], ["broken", "fail"], done)

    def test_saved_evidence_does_not_fail_either(self):
        """The evidence of sorted lines is not kept: not in a file, and not under a key of a ledger."""
        with tempfile.TemporaryDirectory() as folder:
            saved, ledger = os.path.join(folder, "saved"), os.path.join(folder, "ledger")
            self.refuses(fair_lottery(), *LOTTERY, "--save", saved, by="ascending")
            done = subprocess.run([PROGRAM, "gate", saved], capture_output=True, text=True, timeout=100, check=False)
            self.assertEqual(done.returncode, 3, done)
            for _ in range(2):
                self.refuses(fair_lottery(), *LOTTERY, "--ledger", ledger, by="ascending")
            for _ in range(2):
                self.refuses(fair_lottery(), *LOTTERY, "--save", saved + "2", command="watch", by="ascending")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
