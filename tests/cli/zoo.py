# SPDX-License-Identifier: GPL-3.0-or-later
"""The zoo: which statistic sees which bias, and how good a test of the user's own is."""
import csv
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from fractions import Fraction

from program import PROGRAM, run, found


# Fails where item 1 is at the top too rarely or too often: by 4 standard deviations.
TOP = "import sys\nd = [l.split()[0] == '1' for l in sys.stdin]\nm = len(d)\nsys.exit(abs(sum(d) - m / 4) > 4 * (m * 3 / 16) ** 0.5)"


def traced(*arguments):
    """A command under strace, which may make its calls to the system fail. Without strace, an exit status of 127. The leak
    sanitizer does not run under strace."""
    try:
        return subprocess.run(["strace", "-qq", "-o", os.devnull, *arguments], capture_output=True, text=True, timeout=100,
                              env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    except FileNotFoundError:
        return subprocess.CompletedProcess(arguments, 127, "", "")


def zoo(*arguments):
    return found("zoo", *arguments)


def table(found):
    """needed[shuffle][statistic]"""
    return {row["shuffle"]: dict(zip(found["statistics"], row["needed"])) for row in found["shuffles"]}


def naive(n):
    for draws in itertools.product(range(n), repeat=n):
        deck = list(range(n))
        for i, j in enumerate(draws):
            deck[i], deck[j] = deck[j], deck[i]
        yield tuple(deck)


def sattolo(n):
    for draws in itertools.product(*(range(i) for i in range(n - 1, 0, -1))):
        deck = list(range(n))
        for i, j in zip(range(n - 1, 0, -1), draws):
            deck[i], deck[j] = deck[j], deck[i]
        yield tuple(deck)


def rotate(n):
    for k in range(n):
        yield tuple((i + k) % n for i in range(n))


def swaps(n, steps):
    """Decks of a series of exchanges of i with one of 0..i."""
    for draws in itertools.product(*(range(i + 1) for i in steps)):
        deck = list(range(n))
        for i, j in zip(steps, draws):
            deck[i], deck[j] = deck[j], deck[i]
        yield tuple(deck)


# Three of five cards, dealt wrongly: as they are described, and not as they are written in src/shuffle.
DEALS = {
    "inside-out-truncated": lambda: (deck[:3] for deck in swaps(5, [1, 2])),
    "fisher-yates-partial-head": lambda: (deck[:3] for deck in swaps(5, [4, 3, 2])),
    "reservoir": lambda: (deck[:3] for deck in swaps(5, [3, 4])),
}


def cycles(deck):
    left, count = set(range(len(deck))), 0
    while left:
        at, count = min(left), count + 1
        while at in left:
            left.remove(at)
            at = deck[at]
    return count


STATISTICS = {
    "fixed-points": lambda d: sum(i == x for i, x in enumerate(d)),
    "cycles": cycles,
    "parity": lambda d: (len(d) - cycles(d)) % 2,
    "records": lambda d: sum(x == max(d[:i + 1]) for i, x in enumerate(d)),
    "descents": lambda d: sum(a > b for a, b in zip(d, d[1:])),
    "inversions": lambda d: sum(a > b for a, b in itertools.combinations(d, 2)),
    "displacement": lambda d: sum(abs(i - x) for i, x in enumerate(d)),
}


def law(decks, statistic):
    decks = list(decks)
    return {cell: Fraction(count, len(decks)) for cell, count in Counter(map(statistic, decks)).items()}


class Zoo(unittest.TestCase):
    def test_blind_spots(self):
        """A statistic never sees a shuffle under which its law, from all series of draws, is that of a fair one."""
        for n in (4, 5):
            found = zoo("-n", str(n))
            needed = table(found)
            self.assertEqual({row["shuffle"]: row["by"] for row in found["shuffles"]}["naive"], "law")
            for name, shuffle in (("naive", naive), ("sattolo", sattolo), ("rotate", rotate)):
                for statistic, value in STATISTICS.items():
                    fair = law(itertools.permutations(range(n)), value)
                    self.assertEqual(needed[name][statistic] is None, law(shuffle(n), value) == fair, (n, name, statistic))
        self.assertEqual(set(needed["fisher-yates"].values()), {None})
        self.assertIsNone(needed["rotate"]["position"])

    def test_a_coin_in_merge_sort_has_a_perfect_matrix(self):
        needed = table(zoo("-n", "4"))["sort-merge"]
        self.assertIsNone(needed["position"])
        self.assertIsNotNone(needed["rank"])

    def test_blind_spots_of_deals(self):
        needed = table(zoo("-n", "5", "--deal", "3"))
        statistics = {name: STATISTICS[name] for name in ("records", "descents", "inversions")}
        statistics["first-k"] = lambda d: d[:2]
        statistics["first-k-set"] = lambda d: frozenset(d[:2])
        for name, deals in DEALS.items():
            for statistic, value in statistics.items():
                fair = law(itertools.permutations(range(5), 3), value)
                self.assertEqual(needed[name][statistic] is None, law(deals(), value) == fair, (name, statistic))
            self.assertIsNotNone(needed[name]["rank"])
        self.assertEqual(set(needed["fisher-yates"].values()), {None})
        plan = json.loads(run("plan", "reservoir", "-n", "5", "--deal", "3", "--alpha", "1e-6", "--power", "0.5",
                              "--format", "json").stdout)
        lines = {line["test"]: line["samples"] for line in plan["tests"]}
        self.assertLessEqual(abs(needed["reservoir"]["position"] - lines["matrix"]), 1)
        self.assertLessEqual(abs(needed["reservoir"]["rank"] - lines["pearson"]), 1)

    def test_fair_first_cards(self):
        """Of decks of any size: the first card after these shuffles is fair, so a test that passes them misses nothing."""
        for n in ("12", "300"):
            rows = zoo("-n", n, "--deal", "1", "--samples", "2", "--seeds", "1", "--test", "cat > /dev/null")["shuffles"]
            self.assertEqual([row["shuffle"] for row in rows if row["fair"]],
                             ["fisher-yates", "naive-backward", "rotate", "reservoir"])

    def test_deals_of_large_decks(self):
        found = zoo("-n", "52", "--deal", "9", "--samples", "1000", "--seeds", "1")
        self.assertEqual((found["n"], found["deal"]), (52, 9))
        needed = table(found)
        for name in DEALS:
            self.assertLess(needed[name]["position"], 200)
        self.assertEqual(set(needed["fisher-yates"].values()), {None})

    def test_numbers_are_those_of_the_plan(self):
        needed = table(zoo("-n", "4", "--alpha", "1e-4"))
        for name in ("naive", "planet-poker", "fisher-yates/modulo:8"):
            plan = json.loads(run("plan", name, "-n", "4", "--alpha", "1e-4", "--power", "0.5", "--format", "json").stdout)
            lines = {line["test"]: line["samples"] for line in plan["tests"]}
            for zoo_name, plan_name in (("position", "matrix"), ("rank", "pearson")):
                # the plan knows the variance under the law, and never says fewer
                self.assertGreaterEqual(lines[plan_name], needed[name][zoo_name] - 1)
                self.assertLessEqual(lines[plan_name], 1.02 * needed[name][zoo_name] + 1)

    def test_short_seeds_show_in_repeats_alone(self):
        question = ["-n", "12", "--samples", "1500", "--seeds", "1"]
        found = zoo(*question, "--threads", "1")
        short = table(found)["fisher-yates, seeds of 16 bits"]
        self.assertEqual([name for name, needed in short.items() if needed], ["repeat"])
        self.assertEqual(set(table(found)["fisher-yates"].values()), {None})
        self.assertLess(table(found)["sattolo"]["cycles"], 30)
        self.assertEqual(found, zoo(*question, "--threads", "3"))

    def test_formats(self):
        found = table(zoo("-n", "4"))
        lines = list(csv.DictReader(io.StringIO(run("zoo", "-n", "4", "--format", "csv").stdout)))
        self.assertEqual(len(lines), sum(map(len, found.values())))
        for line in lines:
            needed = found[line["shuffle"]][line["statistic"]]
            self.assertEqual(line["needed"] and float(line["needed"]), needed or "")
        self.assertIn("| **rotate** |", run("zoo", "-n", "4", "--format", "markdown").stdout.replace("| rotate", "| **rotate**"))
        self.assertIn("a rank, b position", run("zoo", "-n", "4").stdout)

    def test_slips(self):
        for slip in (["naive"], ["-n", "1"], ["-n", "1001"], ["--seeds", "0"], ["--deal", "9"], ["--deal", "0"], ["--alpha", "2"], ["--format", "xml"]):
            self.assertEqual(run("zoo", *slip).returncode, 2, slip)


class Jury(unittest.TestCase):
    """Somebody's own test."""

    def ask(self, command, *options):
        found = zoo("-n", "4", "--seeds", "1", "--samples", "2000", "--test", command, *options)
        self.assertEqual((found["statistics"], found["alpha"], found["test"]), ([], None, command))
        return {row["shuffle"]: (row["passed"], row["runs"]) for row in found["shuffles"]}

    def test_a_test_of_one_place(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "top.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TOP)
            said = self.ask("%s %s" % (sys.executable, path))
        self.assertEqual(said["fisher-yates"], (4, 4))
        for name in ("rotate", "sort-merge"):  # their matrices are perfect
            self.assertEqual(said[name], (1, 1))
        for name in ("sattolo", "cut", "sort-insertion"):
            self.assertEqual(said[name], (0, 1))

    def test_what_it_gets(self):
        """Permutations from 1, as many as were asked for; it may stop reading, and print what it likes."""
        self.assertEqual(self.ask("awk 'NF != 2 { exit 1 }'", "--deal", "2", "--samples", "50")["naive"], (1, 1))
        for command in ("test $(wc -l) -eq 50", "grep -qvE '[^1-4 ]'", "awk 'NF != 4 { exit 1 }'", "head -n 1; echo"):
            self.assertEqual(self.ask(command, "--samples", "50")["naive"], (1, 1), command)
        self.assertEqual(self.ask("exit 1", "--samples", "5")["fisher-yates"], (0, 4))

    def test_one_that_does_not_run(self):
        for command in ("no-such-command-here", "kill -9 $$"):
            done = run("zoo", "-n", "3", "--test", command)
            self.assertEqual((done.returncode, done.stdout), (4, ""))
            self.assertIn(command, done.stderr)

    def test_text(self):
        said = run("zoo", "-n", "4", "--samples", "5", "--seeds", "1", "--test", "true").stdout
        self.assertIn("let through", said)
        self.assertIn("4 of 4", said)

    def test_no_test_lets_a_fair_shuffle_through(self):
        """A swap of two items by a coin is fair, and so is the top card after a rotation."""
        for question, fair in ((["-n", "2"], ["naive", "rotate", "cut", "sort-merge", "fisher-yates/modulo:15"]), (["-n", "5", "--deal", "1"], ["rotate", "reservoir"])):
            said = run("zoo", *question, "--seeds", "1", "--samples", "5", "--test", "true").stdout
            for name in fair:
                self.assertRegex(said, f"(?m)^{name} +4 of 4  fair$")
            self.assertRegex(said, "(?m)^sattolo +1 of 1  let through$")
            biased = said.count("let through\n")
            self.assertIn(f"Of {biased} shuffles with a bias, or with too few decks, the test lets {biased} through", " ".join(said.split()))

    @unittest.skipUnless(traced("true").returncode == 0, "strace is missing, or may not trace here")
    def test_permutations_that_are_not_written_are_an_error(self):
        """One write fails, and all others succeed: the test would get too few permutations."""
        done = traced("-f", "-e", "inject=write,writev:error=ENOSPC:when=1", PROGRAM, "zoo", "-n", "3", "--samples", "5000", "--seeds", "1",
                      "--quiet", "--test", "cat")
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("cannot write permutations to /tmp: No space left on device", done.stderr)

    def test_a_fair_shuffle_is_called_fair(self):
        """The two cards of every shuffle below come first equally often; the naive swap of three cards prefers three orders."""
        for n, fair in (("2", True), ("3", False)):
            found = json.loads(run("zoo", "-n", n, "--samples", "1", "--seeds", "1", "--format", "json").stdout)
            rows = {row["shuffle"]: row["fair"] for row in found["shuffles"]}
            self.assertEqual([rows[name] for name in ("naive", "rotate", "cut", "fisher-yates/modulo:15")], 4 * [fair])
            self.assertFalse(rows["sattolo"])

    def test_one_is_singular(self):
        one = ["-n", "2", "--samples", "1", "--seeds", "1"]
        self.assertIn("the median of 1 seed; a \".\" where 1 permutation was not enough.", " ".join(run("zoo", *one).stdout.split()))
        self.assertIn("n = 2, 1 permutation a run", run("zoo", *one, "--test", "true").stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
