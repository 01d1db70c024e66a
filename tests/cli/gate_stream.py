# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate on faults that no single permutation shows: repeated decks, and steps from one permutation to the next."""
import collections
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, gate, lines


def judge(decks, *options):
    return gate(*options, "-", text=lines(decks))


def shuffled(n, generator):
    deck = list(range(n))
    generator.shuffle(deck)
    return deck


class Stream(unittest.TestCase):
    def test_a_short_seed(self):
        """16 bits: about 300 decks until one comes up again, and that is enough. The statistics see nothing."""
        seeds = random.Random(2)
        found = judge(shuffled(52, random.Random(seeds.getrandbits(16))) for _ in range(2000))
        self.assertEqual((found["verdict"], found["repeats"]), ("fail", 1))
        self.assertLess(found["total"], 1000)
        self.assertEqual([line["statistic"] for line in found["statistics"] if line["named"]], ["repeat"])
        self.assertIn("a whole deck came up again 1 time: deck ", found["sentence"])

    def test_a_first_line_that_was_not_shuffled(self):
        """A header with the numbers of columns, or the order before the shuffle: it does not count, unless it comes again or alone."""
        generator = random.Random(3)
        fair, start = [shuffled(20, generator) for _ in range(50)], list(range(20))
        self.assertEqual(judge([start, *fair]), judge(fair))
        found = judge([fair[0], start, *fair[1:]])
        self.assertEqual((found["verdict"], found["outlier"]["deck"], found["outlier"]["alike"]), ("fail", 2, 1))
        for again in 1, 2, 3:
            found = judge([start] * again)
            self.assertEqual((found["verdict"], found["total"]), ("fail", 1))
            self.assertIn("the items came back in their original order", found["sentence"])
        for count in 1, 2, 50:
            for lines, counted in (([start, *fair[:count]], count), ([start, start, *fair[:count]], count + 2)):
                text = "".join(" ".join(map(str, line)) + "\n" for line in lines)
                done = subprocess.run([PROGRAM, "report", "--format", "json", "-"], input=text, capture_output=True, text=True)
                self.assertEqual(json.loads(done.stdout)["reports"][0]["evidence"]["total"], counted, done)
                self.assertEqual("the first line is the order before the shuffle: it was left out" in done.stderr, counted == count)

    def test_the_same_deck_each_time(self):
        """As of a program that seeds itself anew with the time: this comes before any statistic."""
        found = judge([[0, 3, 7, 2, 5, 9, 8, 1, 6, 4]] * 20)
        self.assertEqual((found["verdict"], found["total"]), ("fail", 7))
        self.assertIn("FAIL  every result was the same: 0 3 7 2 5 9 8 1 6 4, after 7 shuffles", found["sentence"])
        self.assertIn("Is the random generator seeded ", found["details"])

    def test_as_many_repeats_as_of_a_fair_shuffle_are_not_blamed(self):
        """Of 80,535 fair decks of nine items 8,311 equal an earlier one, on average. Only the catalogue sees the bias of 8-bit words."""
        done = subprocess.run([PROGRAM, "gate", "fisher-yates/modulo:8", "-n", "9", "--exclude", "0.005", "--format", "json"],
                              capture_output=True, text=True)
        found = json.loads(done.stdout)["gates"][0]
        self.assertEqual([line["statistic"] for line in found["statistics"] if line["named"]], ["catalogue"])
        orders = math.factorial(9)
        fair = found["total"] - orders * (1 - (1 - 1 / orders) ** found["total"])
        self.assertLess(abs(found["repeats"] - fair), 3 * fair ** 0.5)
        self.assertNotIn("came up again", found["sentence"])

    def test_short_seeds_take_their_time(self):
        """2^20 seeds, so that the figures are small: 2^32 take 64 times as many decks."""
        def decks(count):
            seeds = random.Random(5)
            return (shuffled(52, random.Random(seeds.getrandbits(20))) for _ in range(count))
        few = judge(decks(600), "--exclude", "0.4")
        self.assertEqual((few["verdict"], few["terms"]["seeds"]), ("pass", None))
        self.assertLess(few["seeds_low"], 2 ** 14)
        self.assertIn("No deck came up twice: fewer than 2^10 equally likely decks are ruled out, ", few["details"])
        found = judge(decks(6000), "--exclude", "0.4", "--seeds", "2^20")
        self.assertEqual((found["verdict"], found["terms"]["seeds"], found["seeds_low"]), ("fail", 2 ** 20, None))
        self.assertEqual([line["statistic"] for line in found["statistics"] if line["named"]], ["repeat"])
        open_still = judge(decks(700), "--exclude", "0.4", "--seeds", "1048576")
        self.assertEqual(open_still["verdict"], "inconclusive")
        self.assertIn("decks are ruled out, not 1,048,576.", open_still["details"])
        self.assertAlmostEqual(open_still["total"] + open_still["needed"], 5384, delta=2)

    def test_seeds_of_fair_decks(self):
        for seeds in ("2^20", "1048576"):
            done = subprocess.run([PROGRAM, "gate", "fisher-yates", "-n", "52", "--exclude", "0.4", "--seeds", seeds, "--format", "json"],
                                  capture_output=True, text=True)
            (found,) = json.loads(done.stdout)["gates"]
            self.assertEqual((done.returncode, found["verdict"]), (0, "pass"))
            self.assertGreater(found["total"], 5383)
            self.assertAlmostEqual(found["seeds_low"], found["total"] * (found["total"] - 1) / 2 / math.log(1e6), delta=1)
        for n, seeds, line in (("5", "2^32", "min_decks = 4294967296: there are only 120 orders: "),
                               ("5", "100", "no whole decks are compared where there are so few orders: "),
                               ("52", "2^60", "to rule out fewer takes 949403044993 permutations, more than the limit of 2000000: "),
                               ("52", "2^64", "--min-decks 2^64: must be a whole number from 1 to 9223372036854775807, or a power of two"),
                               ("52", "-1", "--min-decks -1: must be a whole number from 1 to ")):
            done = subprocess.run([PROGRAM, "gate", "fisher-yates", "-n", n, "--seeds", seeds], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(line, done.stderr)

    def test_no_repeats(self):
        seed = random.Random(3)
        found = judge((shuffled(20, seed) for _ in range(1000)), "--limit", "1000")
        self.assertEqual((found["verdict"], found["repeats"]), ("inconclusive", 0))
        (line,) = [line for line in found["statistics"] if line["statistic"] == "repeat"]
        self.assertEqual((line["cells"], line["tv_high"]), (0, None))
        families = {line["statistic"] for line in found["statistics"] if not line["lag"]} - {"bettor", "catalogue", "outliers", "step-outliers"}
        self.assertAlmostEqual(line["weight"], 0.86 / len(families))
        self.assertEqual([line["weight"] for line in found["statistics"] if line["statistic"] == "bettor"], [0.01])
        self.assertAlmostEqual(sum(line["weight"] for line in found["statistics"] if line["lag"]), 0.02)
        self.assertAlmostEqual(sum(line["weight"] for line in found["statistics"]), 1)
        self.assertIsNone(judge([[0, 1, 2], [1, 2, 0]])["repeats"])

    def test_increments(self):
        """Every second deck has the top card of the one before: each by itself is fair."""
        def decks():
            generator = random.Random(4)
            for _ in range(200):
                deck = shuffled(12, generator)
                rest = deck[1:]
                generator.shuffle(rest)
                yield deck
                yield deck[:1] + rest
        later = judge(decks())
        self.assertIn("each line depends on the one before; in the step to the next, from position 1 to position 1 came up ", later["sentence"])
        found = judge(decks(), "--increments")
        self.assertEqual(found["verdict"], "fail")
        self.assertLess(found["total"], later["total"])
        self.assertTrue(any(line["named"] and line["increments"] for line in found["statistics"]))
        self.assertIn("in the step to the next", found["sentence"])

    def test_dependent_streams(self):
        """The naive swap of the last result, or of the one before that: each deck by itself is nearly fair."""
        def decks(n, lag):
            generator = random.Random(100 * n + lag)
            chains = [list(range(n)) for _ in range(lag)]
            for t in range(20000):
                deck = chains[t % lag]
                for i in range(n):
                    j = generator.randrange(n)
                    deck[i], deck[j] = deck[j], deck[i]
                yield list(deck)
        for n, lag, most in ((3, 1, 15000), (3, 2, 15000), (4, 2, 15000), (5, 2, 15000), (52, 1, 3000), (52, 2, 3000), (52, 64, 3000)):
            with self.subTest(n=n, lag=lag):
                found = judge(decks(n, lag))
                said = "each line depends on the one %d before; " % lag
                self.assertIn("each line looks like a shuffle of the one before; " if lag == 1 else said, found["sentence"])
                self.assertLess(found["total"], most)
                self.assertTrue(all(line["lag"] for line in found["statistics"] if line["named"]))
                self.assertIn("in the step to the ", found["cells"][0]["where"])

    def test_a_chain_of_any_shuffle(self):
        """Each deck shuffles the last one, which is random at first. Bets on the cards end most of these runs, before any lag does."""
        def riffle(deck, generator):
            key = [generator.randrange(2) for _ in deck]
            return [card for card, bit in zip(deck, key) if bit == 0] + [card for card, bit in zip(deck, key) if bit]

        def two_swaps(deck, generator):
            deck = list(deck)
            for _ in range(len(deck) // 2):
                i, j = generator.randrange(len(deck)), generator.randrange(len(deck))
                deck[i], deck[j] = deck[j], deck[i]
            return deck

        def all_but_one_step(deck, generator):
            deck = list(deck)
            for i in range(len(deck) - 1, 1, -1):
                j = generator.randrange(i + 1)
                deck[i], deck[j] = deck[j], deck[i]
            return deck

        def decks(shuffle, n):
            generator = random.Random(n)
            deck = shuffled(n, generator)
            for _ in range(3000):
                deck = shuffle(deck, generator)
                yield deck
        for n in 4, 8, 20:
            for shuffle in riffle, two_swaps, all_but_one_step:
                if (n, shuffle) != (20, all_but_one_step):  # a single exchange of 20 takes longer
                    with self.subTest(n=n, shuffle=shuffle.__name__):
                        found = judge(decks(shuffle, n))
                        self.assertIn("each line looks like a shuffle of the one before; ", found["sentence"])

    def test_a_shuffle_that_starts_anew_is_not_called_chained(self):
        """Neighbours stay together, so that the step between any two decks is biased, too."""
        for n in 6, 8, 10, 20, 52:
            for seed in 1, 2, 3:
                with self.subTest(n=n, seed=seed):
                    deal = subprocess.run([PROGRAM, "deal", "chunks:2", "-n", str(n), "--samples", "3000", "--seed", str(seed)],
                                          capture_output=True, text=True)
                    done = subprocess.run([PROGRAM, "gate", "--format", "json", "-"], input=deal.stdout, capture_output=True, text=True)
                    (found,) = json.loads(done.stdout)["gates"]
                    self.assertIn("the shuffle is not fair: ", found["sentence"])
                    self.assertNotIn("chained", found["sentence"] + found["details"])
                    self.assertNotIn("one deck ago", found["sentence"])

    def test_lines_that_are_the_same_as_the_line_before(self):
        """Fair decks that come several times in a row, or now and then once more. The gate reads seven before it says that all are the same."""
        def decks(n, runs):
            generator = random.Random(n)
            for t in range(2000):
                deck = shuffled(n, generator)
                for _ in range(runs(generator)):
                    yield deck
        for n in 3, 4, 5, 8, 13, 52, 200:
            for runs in (lambda _: 2), (lambda generator: generator.randrange(2, 5)), (lambda generator: 1 + (generator.random() < 0.45) + (n > 50)):
                with self.subTest(n=n):
                    found = judge(decks(n, runs))
                    self.assertEqual((found["verdict"], found["always"]), ("fail", None))
                    self.assertRegex(found["sentence"], f"^FAIL  [0-9]+ of {found['total']} lines are the same as the line before, after ")
                    self.assertRegex(found["details"], r"^Is the generator seeded anew each time from a clock, or is each line printed twice\? A fair")
        found = judge([list(range(51, 0, -2)) + list(range(0, 52, 2))] * 100)
        self.assertEqual(found["total"], 7)
        self.assertIn("every result was the same", found["sentence"])

    def test_a_deck_and_its_reverse_are_not_called_chained(self):
        generator = random.Random(8)
        decks = [shuffled(8, generator) for _ in range(200)]
        found = judge([deck for one in decks for deck in (one, one[::-1])])
        self.assertEqual(found["verdict"], "fail")
        self.assertNotIn("chained", found["sentence"] + found["details"])

    def test_a_few_long_lists_in_which_a_report_shows_a_bias(self):
        """The gate fails one list if a single number is too unlikely. Otherwise it may not say that no bias was shown."""
        def blocks(n, size, generator):
            return [item for first in range(0, n, size) for item in generator.sample(range(first, first + size), size)]
        for n, count, size in ((300, 1, 10), (300, 3, 10), (800, 1, 10), (10000, 1, 10), (300, 1, 100), (300, 3, 100)):
            generator = random.Random(n + count)
            found = judge(blocks(n, size, generator) for _ in range(count))
            if size == 10:
                self.assertEqual((found["verdict"], found["outlier"]["lag"], found["outlier"]["tail"]), ("fail", 0, "high"))
                continue
            self.assertEqual(found["verdict"], "inconclusive")
            self.assertRegex(found["sentence"], r"^INCONCLUSIVE  a report on these shuffles shows a bias \(p = [0-9.]+e-[0-9]+\), but a gate proves it only with more")
            self.assertIn("no bias shown", judge(shuffled(n, generator) for _ in range(count))["sentence"])

    def test_a_run_of_eight_items_twice(self):
        """There are too few orders for single decks that come again to be odd, but not for a run of them."""
        generator = random.Random(1)
        decks = [shuffled(8, generator) for _ in range(200)]
        found = judge(decks + decks)
        self.assertRegex(found["sentence"], r"^FAIL  the shuffle is not fair: decks 201 to 20[0-9] are decks 1 to [0-9] again, after ")

    def test_each_fail_has_a_reason(self):
        """The catalogue alone has no cells; and an item that stays at its place is not told as a cycle of length 1."""
        generator = random.Random(5)
        rotated = judge([[(item + cut) % 10 for item in range(10)] for cut in (generator.randrange(10) for _ in range(30))])
        self.assertRegex(rotated["sentence"], r"the shuffle is not fair: known faulty shuffles make these shuffles [0-9.]+e[0-9]+ times as likely as a fair one does, on average, after ")
        for n in 5, 8:
            self.assertIn(": item 0 at position 1 came up ", judge([0] + [item + 1 for item in shuffled(n - 1, generator)] for _ in range(100))["sentence"])

    def test_other_dependence_is_not_called_chained(self):
        """A fair deck, whose first card is not the first, or not the last, card of the deck before."""
        def decks(n, place):
            generator, before = random.Random(10 * n + place), None
            for _ in range(20000):
                deck = shuffled(n, generator)
                while before == deck[0]:
                    deck = shuffled(n, generator)
                before = deck[place]
                yield deck
        for n, place in ((3, 0), (4, 0), (4, 3), (5, 0), (8, 0), (8, 7)):
            with self.subTest(n=n, place=place):
                found = judge(decks(n, place))
                self.assertEqual(found["verdict"], "fail")
                self.assertNotIn("chained", found["sentence"] + found["details"])
                self.assertIn("each line depends on the one before; in the step to the next, ", found["sentence"])

    def test_a_dependent_scheme_is_not_called_chained(self):
        """The generator's words depend on each other, and a scheme takes no --chained."""
        done = subprocess.run([PROGRAM, "gate", "fisher-yates/modulo:4", "-n", "52", "--seed", "7", "--format", "json"], capture_output=True, text=True)
        found = json.loads(done.stdout)["gates"][0]
        self.assertIn("each shuffle depends on the one before; ", found["sentence"])
        self.assertNotIn("chained", found["sentence"] + found["details"])

    def test_a_pass_says_what_it_assumes(self):
        """A tolerated bias shows in steps, too."""
        for terms, said in (((), "Independence was tested at lags 1 to 64 only."),
                            (("--increments",), "Independence was tested at lags 1 to 64 only."),
                            (("--increments", "--tolerate", "0.2"), "Independence was tested from each shuffle to the next only."),
                            (("--tolerate", "0.2"), "Independence was not tested."),
                            (("--deal", "2"), "Independence was tested at lags 1 to 64 only.")):
            done = subprocess.run([PROGRAM, "gate", "fisher-yates", "-n", "4", "--exclude", "0.2", "--format", "json", *terms],
                                  capture_output=True, text=True)
            (found,) = json.loads(done.stdout)["gates"]
            self.assertEqual((done.returncode, found["details"][-len(said):]), (0, said))

    def test_a_pass_says_how_far_lags_were_tested(self):
        """A lag counts 2^20 steps. So a pass of decks that become a chain after them may not claim more."""
        for terms, said in (((), "Independence was tested at lags 1 to 64 only, among the first 1,048,576."),
                            (("--increments",), "Independence was tested at lags 1 to 64 only, beyond lag 1 among the first 1,048,576.")):
            done = subprocess.run([PROGRAM, "gate", "fisher-yates", "-n", "3", "--exclude", "0.003", "--limit", "1e7", "--format", "json",
                                   *terms], capture_output=True, text=True)
            (found,) = json.loads(done.stdout)["gates"]
            self.assertGreater(found["total"], 2 ** 20)
            self.assertEqual((done.returncode, found["details"][-len(said):]), (0, said))

    def test_the_mean_of_e_over_all_series_is_one(self):
        """All 6^3 series of three decks are equally likely under a fair shuffle. So the mean of each E, and of their weighted
        average, is 1, although the lags, the increments and the catalogue depend on the decks themselves. Of equal cards that
        are numbered at random, only what does not need the numbers has exactly this mean. Of saved evidence, the rank is tested."""
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None  # a disk would take a minute

        def decks_of(cards):
            return sorted(set(itertools.permutations(cards)))

        for decks, terms, numbered in ((decks_of(("0", "1", "2")), ("--increments",), False),
                                       (decks_of("AABB"), ("--cards", "A A B B"), True)):
            sums = collections.Counter()
            for series in itertools.product(decks, repeat=3):
                with tempfile.TemporaryDirectory(dir=memory) as folder:
                    done = subprocess.run([PROGRAM, "gate", "-", "--save", os.path.join(folder, "saved"), "--limit", "3",
                                           "--format", "json", *terms], input="".join(" ".join(deck) + "\n" for deck in series),
                                          capture_output=True, text=True)
                (found,) = json.loads(done.stdout)["gates"]
                sums["average", None, 0, False] += math.exp(found["ln_e"])
                for line in found["statistics"]:
                    sums[line["statistic"], line["member"], line["lag"], line["increments"]] += math.exp(line["ln_e"])
            exact = [line for line in sums if not numbered or line[0] in ("rank", "card-at", "runs") and not line[2]]
            for line in exact:
                self.assertAlmostEqual(sums[line] / len(decks) ** 3, 1, 8, line)
            self.assertEqual(len(exact), 6 if numbered else 17)

    def test_a_chained_subject_has_steps(self):
        decks = [shuffled(12, random.Random(seed)) for seed in range(6000)]
        found = judge(decks, "--chained", "--exclude", "0.1")
        self.assertIn("No step came up twice: fewer than 2^", found["details"])
        self.assertIn(" equally likely steps are ruled out, ", found["details"])
        self.assertIn("if steps are independent", found["sentence"])

    def test_increments_are_as_chained(self):
        """E of the increments is what a chained stream has."""
        decks = [shuffled(12, random.Random(seed)) for seed in range(500)]
        beside = {(line["statistic"], line["member"]): line["ln_e"]
                  for line in judge(decks, "--increments", "--exclude", "0.05")["statistics"] if line["increments"]}
        chained = {(line["statistic"], line["member"]): line["ln_e"]
                   for line in judge(decks, "--chained", "--exclude", "0.05")["statistics"] if line["statistic"] not in ("repeat", "bettor", "catalogue", "outliers", "step-outliers") and not line["lag"]}
        self.assertEqual(beside, chained)

    def test_a_process_that_leaves_its_group_is_reported(self):
        """The end of the gate cannot end it. It holds both pipes of the command, or either of them, or has ended itself."""
        command = ("import os, sys, time\n"
                   "ready, begun = os.pipe()\n"
                   "if os.fork() == 0:\n"
                   "    if sys.argv[1] != 'stays': os.setsid()\n"
                   "    for closed in sys.argv[3:]: os.close(int(closed))\n"
                   "    os.write(begun, b'.')\n"
                   "    time.sleep(float(sys.argv[2]))\n"
                   "    os._exit(0)\n"
                   "os.read(ready, 1)\n"
                   "sys.stdout.write('2 1 3\\n' * 5000)\n"
                   "sys.stdout.flush()\n"
                   "time.sleep(100)\n")
        for arguments, left in ((("leaves", "4"), 1), (("leaves", "4", "1"), 1), (("leaves", "4", "2"), 1), (("stays", "4"), 0), (("leaves", "0"), 0)):
            done = subprocess.run([PROGRAM, "gate", "--quiet", "--", sys.executable, "-c", command, *arguments], capture_output=True, text=True,
                                  timeout=100, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr.count("\n"), left, (arguments, done.stderr))
            self.assertEqual(done.stderr.count("a process that it started has left its process group and still runs: end that process\n"), left)

    def test_whole_permutations(self):
        done = subprocess.run([PROGRAM, "gate", "fisher-yates", "-n", "5", "--deal", "2", "--increments"],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--increments needs whole permutations", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
