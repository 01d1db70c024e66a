# SPDX-License-Identifier: GPL-3.0-or-later
"""Intended laws: the option `fair`."""
import collections
import fractions
import itertools
import json
import math
import os
import random
import sys
import tempfile
import unittest

from program import found, gate, lines, report, run

RARE = ["--exclude", "0.05", "--limit", "100000"]


def derangement(generator, n):
    while True:
        deck = random_deck(generator, n)
        if all(deck[i] != i for i in range(n)):
            return deck


def random_deck(generator, n):
    deck = list(range(n))
    generator.shuffle(deck)
    return deck


def secret_santa(generator, n):
    """Each in turn takes a slip that is not their own, and all start again if the last one cannot."""
    while True:
        left, deck = list(range(n)), []
        for i in range(n):
            others = [item for item in left if item != i]
            if not others:
                break
            deck.append(generator.choice(others))
            left.remove(deck[-1])
        else:
            return deck


def secret_santa_law(n):
    law = {}
    for deck in itertools.permutations(range(n)):
        share = fractions.Fraction(1)
        for i in range(n):
            others = [item for item in deck[i:] if item != i]
            share = share / len(others) if deck[i] != i else 0
            if not share:
                break
        law[deck] = share
    total = sum(law.values())
    return {deck: share / total for deck, share in law.items()}


def by_keys(key):
    """Sorts the items by keys, the smallest first."""
    return lambda generator, weights: sorted(range(len(weights)), key=lambda i: key(generator.random(), weights[i]))


def resampled(generator, weights):
    """Draws items by weight, with replacement, and skips what was drawn before."""
    deck = []
    while len(deck) < len(weights):
        (item,) = generator.choices(range(len(weights)), weights)
        if item not in deck:
            deck.append(item)
    return deck


def decks(make, argument, count=20000, seed=1):
    generator = random.Random(seed)
    return lines(make(generator, argument) for _ in range(count))


class Laws(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        return path

    def judge(self, law, text, *more):
        return gate("-", "--fair", law, "--base", "0", *RARE, *more, text=text)

    @staticmethod
    def watch(law, text, *more):
        return json.loads(run("watch", "-", "--format", "json", "--fair", law, "--base", "0", *more, text=text).stdout)

    def test_derangement(self):
        judged = self.judge("derangement", decks(derangement, 4))
        self.assertEqual(judged["verdict"], "pass", judged["sentence"])
        self.assertIn("bias from a uniform derangement below 5%, after ", judged["sentence"])
        self.assertEqual(judged["fair"], "a uniform derangement")
        self.assertEqual(judged["left_out"], ["lags", "repeat", "bettor", "catalogue"])

    def test_secret_santa(self):
        law = secret_santa_law(4)
        self.assertEqual(sum(abs(share - fractions.Fraction(1, 9)) for share in law.values() if share) / 2,
                         fractions.Fraction(11, 93))
        judged = self.judge("derangement", decks(secret_santa, 4))
        self.assertEqual(judged["verdict"], "fail")
        self.assertIn("this is not a uniform derangement: ", judged["sentence"])

    def test_what_is_forbidden(self):
        for law, text, said in (
                ("derangement", "1 2 3 0\n3 0 2 1\n", "this is not a uniform derangement: item 2 "
                 "stayed at its place, which a uniform derangement never does"),
                ("cycle", "1 0 3 2\n",
                 "\"how many cycles there are: 2\" came up, which a uniform cycle of all items never"),
                ("fixed:1@2", "0 1 2 3\n0 2 1 3\n",
                 "this is not a uniform shuffle with item 1 at "
                 "position 2: item 1 at position 3 came up, which"),
        ):
            judged = self.judge(law, text)
            self.assertEqual((judged["verdict"], judged["ln_e"]), ("fail", None), law)
            self.assertIn(said, judged["sentence"])

    def test_many_items(self):
        judged = self.judge("derangement", decks(derangement, 20, 16000))
        self.assertEqual(judged["verdict"], "pass", judged["sentence"])
        self.assertIn("position", {line["statistic"] for line in judged["statistics"]})
        self.assertIn("inversions", judged["left_out"])
        self.assertNotIn("repeat", judged["left_out"])
        again = decks(derangement, 20, 400)
        judged = self.judge("derangement", again + again)
        self.assertEqual(judged["verdict"], "fail")
        self.assertIn("a whole deck came up again", judged["sentence"])
        for scheme, n, law, verdict, said in (
                ("sattolo", 52, "cycle", "pass", "from a uniform cycle of all items"),
                ("sattolo", 12, "derangement", "fail", "not a uniform derangement"),
                ("fisher-yates", 52, "cycle", "fail", "which a uniform cycle of all items never does"),
                ("fisher-yates", 30, "fixed:7@1", "fail",
                 "which a uniform shuffle with item 7 at position 1 never does")):
            judged = gate(scheme, "-n", str(n), "--fair", law, *RARE)
            self.assertEqual(judged["verdict"], verdict, (scheme, law, judged["sentence"]))
            self.assertIn(said, judged["sentence"])

    def test_fixed(self):
        def first_is_chosen(generator, n):
            deck = random_deck(generator, n - 1)
            return [n - 1] + deck
        judged = self.judge("fixed:19@1", decks(first_is_chosen, 20, 16000))
        self.assertEqual(judged["verdict"], "pass", judged["sentence"])

    def test_many_weights(self):
        weights = [1 + i % 7 for i in range(30)]
        path = self.file("weights.txt", "".join(f"{weight}\n" for weight in weights))
        for make, verdict, said in (
                (by_keys(lambda u, w: -math.log(u) / w), "pass", "bias from the weighted shuffle of "),
                (by_keys(lambda u, w: -u * w), "fail", "not the weighted shuffle of"),
                (by_keys(lambda u, w: u / w), "fail", "as if weights mattered more"),
                (by_keys(lambda u, w: u), "fail", "as if all weights were equal"),
                (by_keys(lambda u, w: math.log(u) / w), "fail", "as if the last items came first")):
            judged = gate("-", "--fair", f"weights:{path}", "--base", "0", "--exclude", "0.1",
                         text=decks(make, weights, 4000))
            self.assertEqual(judged["verdict"], verdict, judged["sentence"])
            self.assertIn(said, judged["sentence"])

        def heavy(generator, weights):
            """The weight of the last item is twice what it should be."""
            return by_keys(lambda u, w: -math.log(u) / w)(generator, weights[:-1] + [2 * weights[-1]])
        names = [f"song-{i}" for i in range(30)]
        path = self.file("named.txt", "".join(f"{name} {weight}\n" for name, weight in zip(names, weights)))
        generator = random.Random(2)
        text = "".join(" ".join(names[i] for i in heavy(generator, weights)) + "\n" for _ in range(2000))
        judged = gate("-", "--fair", f"weights:{path}", "--cards", " ".join(names), text=text)
        self.assertIn("the items come as if the weight of song-29 was larger", judged["sentence"])

    def test_deals(self):
        """A raffle with weights, single picks, and the first three of a derangement."""
        weights = [1 + i % 7 for i in range(10)]
        path = self.file("weights.txt", "".join(f"{weight}\n" for weight in weights))
        few = self.file("few.txt", "60\n30\n9\n1\n")
        for make, law, argument, deal, verdict in (
                (lambda generator, w: resampled(generator, w)[:2], path, weights, 2, "pass"),
                (lambda generator, w: by_keys(lambda u, x: u)(generator, w)[:2], path, weights, 2, "fail"),
                (lambda generator, w: generator.choices(range(4), w), few, [60, 30, 9, 1], 1, "pass"),
                (lambda generator, w: generator.choices(range(4), w), few, [40, 30, 20, 10], 1, "fail")):
            judged = gate("-", "--fair", f"weights:{law}", "--base", "0", "--exclude", "0.1", "--deal", str(deal), "-n",
                          str(len(argument)), text=decks(make, argument, 8000))
            self.assertEqual(judged["verdict"], verdict, judged["sentence"])
        text = decks(lambda generator, n: derangement(generator, n)[:3], 5)
        self.assertEqual(self.judge("derangement", text, "--deal", "3", "-n", "5")["verdict"], "pass")
        text = decks(lambda generator, n: random_deck(generator, n)[:3], 5)
        self.assertIn("stayed at its place", self.judge("derangement", text, "--deal", "3", "-n", "5")["sentence"])

    def test_no_adjacent(self):
        def apart(generator, names):
            while True:
                deck = generator.sample(names, len(names))
                if all(a != b for a, b in zip(deck, deck[1:])):
                    return deck
        names = ["Ada", "Ada", "Bo", "Bo", "Cy"]
        judged = gate("-", "--fair", "no-adjacent", "--cards", " ".join(names), *RARE, text=decks(apart, names))
        self.assertEqual(judged["verdict"], "pass", judged["sentence"])
        songs = list("AAABBBCCC")
        judged = gate("-", "--fair", "no-adjacent", "--cards", " ".join(songs), "--exclude", "0.1", text=decks(apart,
                                                                                                               songs,
                                                                                                               10000))
        self.assertEqual(judged["verdict"], "pass", judged["sentence"])
        def greedy(generator, names):
            while True:
                left, deck = list(names), []
                while any(song != deck[-1] for song in left) if deck else left:
                    deck.append(generator.choice([song for song in left if not deck or song != deck[-1]]))
                    left.remove(deck[-1])
                if not left:
                    return deck
        judged = gate("-", "--fair", "no-adjacent", "--cards", " ".join(songs + list("DDD")),
                      text=decks(greedy, songs + list("DDD"), 3000))
        self.assertIn("as if each next card was drawn from the cards that fit", judged["sentence"])
        judged = gate("-", "--fair", "no-adjacent", "--cards", " ".join(names),
                      text="Ada Bo Ada Bo Cy\nBo Ada Ada Cy Bo\n")
        self.assertIn("Ada was followed by Ada, which a uniform order without equal neighbours never does",
                      judged["sentence"])

    def test_built_in(self):
        for scheme, law, verdict in (("sattolo", "cycle", "pass"), ("naive", "naive", "pass"),
                                     ("naive-no-self", "cycle", "fail"), ("fisher-yates", "naive", "fail"),
                                     ("fisher-yates", "derangement", "fail"), ("naive/modulo:2", "naive/modulo:2",
                                                                               "pass"),
                                     ("naive/modulo:2", "naive", "fail")):
            judged = gate(scheme, "-n", "3" if "modulo" in scheme else "4", "--fair", law, *RARE)
            self.assertEqual(judged["verdict"], verdict, (scheme, law, judged["sentence"]))

    def test_keys_by_integration(self):
        """The total variation of sorting by u w, the largest first, or by u/w, from Plackett and Luce: 7/45 and 41/300 of the
        weights 5, 3 and 1. Keys are uniform on [0, top]: the probability of an order is an integral over the second key."""
        weights, steps = (5, 3, 1), 9000
        for key, variation in ((lambda w: w, fractions.Fraction(7, 45)), (lambda w: 1 / w, fractions.Fraction(41, 300))):
            tops, largest, total = [key(w) for w in weights], key(2) > key(1), 0
            for order in itertools.permutations(range(3)):
                low, middle, high = (tops[item] for item in (order[::-1] if largest else order))
                share = sum(min(x / low, 1) * max(1 - x / high, 0) for x in (middle * (i + 0.5) / steps for i in range(steps)))
                total += abs(share / steps - weights[order[0]] / 9 * weights[order[1]] / (9 - weights[order[0]])) / 2
            self.assertAlmostEqual(total, float(variation), delta=1e-6)

    def test_weights(self):
        weights = [5, 3, 1]
        path = self.file("weights.txt", "# weights of songs\n0 5\n2, 1\n1; 3\n")
        for make, verdict in ((by_keys(lambda u, w: -math.log(u) / w), "pass"), (resampled, "pass"),
                              (by_keys(lambda u, w: -u * w), "fail"), (by_keys(lambda u, w: u / w), "fail")):
            judged = self.judge(f"weights:{path}", decks(make, weights))
            self.assertEqual(judged["verdict"], verdict, judged["sentence"])
        self.assertIn("this is not the weighted shuffle of ", judged["sentence"])

    def test_file(self):
        path = self.file("naive", "123 4/27\n132 5/27\n213 5/27\n231 5/27\n312 4/27\n321 4/27\n")
        self.assertEqual(gate("naive", "--fair", path, *RARE)["verdict"], "pass")
        self.assertEqual(gate("fisher-yates", "--fair", path, *RARE)["verdict"], "fail")
        # in its folder, the name is that of a scheme, but ./naive is the file
        done = run("gate", "naive", "--fair", "./naive", *RARE, cwd=self.folder.name)
        self.assertIn("bias from the law in ./naive below 5%", " ".join(done.stdout.split()))
        rotation = self.file("rotation.csv", "1.2.3,0.333333333\n2.3.1,0.333333333\n3.1.2,0.333333334\n")
        self.assertEqual(gate("rotate", "--fair", rotation, *RARE)["verdict"], "pass")
        judged = gate("naive", "--fair", rotation, *RARE)
        self.assertIn("came up, which the law in", judged["sentence"])

    def test_saved_runs(self):
        path = os.path.join(self.folder.name, "run.json")
        first = gate("sattolo", "-n", "4", "--fair", "cycle", "--save", path, "--exclude", "0.05", "--limit", "200")
        self.assertEqual(first["verdict"], "inconclusive")
        second = gate("sattolo", "-n", "4", "--fair", "cycle", "--save", path)
        self.assertEqual((second["verdict"], second["fair"]), ("inconclusive", "a uniform cycle of all items"))
        self.assertEqual(gate(path)["sentence"], second["sentence"])
        done = run("gate", "sattolo", "-n", "4", "--fair", "derangement", "--save", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("fair", done.stderr)

    def test_law(self):
        # d(6, k) = 120, 130, 15 derangements of six items have one, two and three cycles
        law = found("law", "cycles", "-n", "6", "--fair", "derangement")
        self.assertEqual(law["cells"], [1, 2, 3])
        for share, ways in zip(law["p"], (120, 130, 15)):
            self.assertAlmostEqual(share, ways / 265, places=15)
        law = found("law", "position", "-n", "20", "--fair", "derangement", "--member", "4")
        self.assertEqual((law["fair"], law["cells"]), ("a uniform derangement", [i for i in range(20) if i != 3]))
        self.assertTrue(all(abs(p - 1 / 19) < 1e-15 for p in law["p"]))
        law = found("law", "rank", "--fair", "naive")
        self.assertTrue(all(abs(p - ways / 27) < 1e-15 for p, ways in zip(law["p"], (4, 5, 5, 5, 4, 4))))
        self.assertIn("Fair means: a uniform cycle of all items.", run("law", "parity", "-n", "5", "--fair",
                                                                       "cycle").stdout)
        done = run("law", "inversions", "-n", "20", "--fair", "cycle")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("use n <= 8", done.stderr)

    def test_report(self):
        many, few = decks(derangement, 5, 2000), decks(derangement, 5, 12)
        for text, law, verdict, said in (
                (many, "derangement", "no bias seen",
                 "no deviation from a uniform derangement was seen in 2,000 permutations."),
                (few, "derangement", "no bias seen",
                 "no deviation from a uniform derangement was seen in 12 permutations."),
                (many, "cycle", "biased",
                 "this is not a uniform cycle of all items: \"how many cycles there are: 2\" came up"),
                (decks(random_deck, 12, 5), "derangement", "biased",
                 "stayed at its place, which a uniform derangement never"),
                (decks(secret_santa, 4), "derangement", "biased", "this is not a uniform derangement: "),
                ("0 1 2 3\n", "derangement", "biased", "item 0 stayed at its place"),
                ("0 2 1\n0 2 1\n", "naive", "inconclusive", "too few")):
            judged = report("--fair", law, "--base", "0", "-", text=text)
            self.assertEqual(judged["verdict"], verdict, (law, judged["sentence"]))
            self.assertIn(said, judged["sentence"])
            self.assertIsNone(judged["matrix"])
        path = self.file("weights.txt", "".join(f"{1 + i % 7}\n" for i in range(30)))
        for make, verdict in ((by_keys(lambda u, w: -math.log(u) / w), "no bias seen"), (by_keys(lambda u, w: u),
                                                                                         "biased")):
            text = decks(make, [1 + i % 7 for i in range(30)], 300)
            self.assertEqual(report("--fair", f"weights:{path}", "--base", "0", "-", text=text)["verdict"], verdict)

    def test_watch(self):
        path = self.file("weights.txt", "".join(f"{1 + i % 7}\n" for i in range(30)))
        weights = [1 + i % 7 for i in range(30)]
        fair, wrong = by_keys(lambda u, w: -math.log(u) / w), by_keys(lambda u, w: u / w)
        for more in ((), ("--window",)):
            for law, text, words, alarm in (
                    ("derangement", decks(derangement, 4, 3000), "a uniform derangement", False),
                    ("derangement", decks(secret_santa, 4, 6000), "a uniform derangement", True),
                    ("derangement", decks(derangement, 12, 3000), "a uniform derangement", False),
                    ("cycle", decks(derangement, 12, 100), "a uniform cycle of all items", True),
                    (f"weights:{path}", decks(fair, weights, 1000), "the weighted shuffle of", False),
                    (f"weights:{path}", decks(wrong, weights, 100), "the weighted shuffle of", True)):
                watched = self.watch(law, text, *more)
                self.assertEqual(watched["alarms"] > 0, alarm, (law, watched["sentence"]))
                self.assertIn(words, watched["fair"])
                self.assertIn("total variation from the intended law is between ", watched["sentence"])
                self.assertEqual(watched["left_out"][-4:], ["lags", "repeat", "bettor", "catalogue"])
        done = run("watch", "-", "--fair", "cycle", "--base", "0", text="1 2 0\n0 1 2\n")
        self.assertIn("ALARM after 2 permutations: this is not a uniform cycle of all items: item 0 stayed at its place, "
                      "which a uniform cycle of all items never does. A shuffle of this law alarms at most once in ",
                      " ".join(done.stderr.split()))
        done = run("watch", "-", "--fair", f"weights:{path}", "--window", "--base", "0",
                   text=decks(fair, weights, 500) + decks(wrong, weights, 50))
        self.assertIn("the items come as if they had another law", done.stderr)
        path = os.path.join(self.folder.name, "watch.json")
        for total in (3000, 6000):
            watched = found("watch", "sattolo", "-n", "12", "--fair", "cycle", "--save", path, "--limit", "3000")
            self.assertEqual((watched["total"], watched["alarms"]), (total, 0))
        done = run("watch", "sattolo", "-n", "12", "--fair", "derangement", "--save", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--fair derangement: differs from that of", done.stderr)

    def test_alarms_of_watches(self):
        """Of 40 fair watches at alpha = 0.05, two alarm on average, at most, and more than 8 with probability 2e-4."""
        alarms = 0
        for seed in range(40):
            alarms += self.watch("derangement", decks(derangement, 4, 300, seed), "--alpha", "0.05")["alarms"]
        self.assertLessEqual(alarms, 8)

    def test_report_of_schemes(self):
        """The total variation is that of the exact laws: 1/3 of all derangements of four items are no cycles, and the
        naive swap has the counts 4, 5, 5, 5, 4 and 4 of 27."""
        for scheme, n, law, verdict, variation in (
                ("sattolo", 4, "cycle", "no bias seen", 0), ("naive", 3, "naive", "no bias seen", 0),
                ("sattolo", 4, "derangement", "biased", 1 / 3), ("fisher-yates", 3, "naive", "biased", 1 / 18),
                ("naive", 3, "cycle", "biased", 2 / 3), ("sattolo", 12, "cycle", "no bias seen", None),
                ("naive/ideal/msvc-rand", 3, "naive", "no bias seen", None), ("sattolo", 12, "derangement", "biased", None)):
            judged = report(scheme, "-n", str(n), "--fair", law, "--samples", "20000")
            self.assertEqual((judged["verdict"], judged["subject"]["name"]), (verdict, scheme), judged["sentence"])
            if variation is None:
                self.assertIsNone(judged["fair_total_variation"])
            else:
                self.assertAlmostEqual(judged["fair_total_variation"], variation, delta=1e-12)
            self.assertEqual(judged["left_out"][-4:], ["lags", "repeat", "bettor", "catalogue"])
        text = " ".join(run("report", "sattolo", "fisher-yates", "-n", "4", "--fair", "cycle").stdout.split())
        self.assertIn("Verdict: no bias seen. The exact law is the intended one: a uniform cycle of all items.", text)
        self.assertIn("Verdict: biased. The exact law is not a uniform cycle of all items (total variation 0.750): ", text)
        self.assertIn("Left out: lags, repeat, bettor, catalogue. Their law is known only if", text)

    def test_two_samples(self):
        """A law that only a sample knows: a table of counts, or a scheme of many items."""
        coding_horror = self.file("counts.csv", "order,count\n123,148281\n132,185282\n213,184808\n231,184729\n"
                                                "312,148160\n321,148740\n")
        many = self.file("many", "".join(f"{'.'.join(str((i + r) % 12 + 1) for i in range(12))} {900 + r}\n" for r in range(12)))
        for scheme, n, law, verdict in (("naive", 3, coding_horror, "no bias seen"), ("fisher-yates", 3, coding_horror, "biased"),
                                        ("rotate", 12, many, "no bias seen"), ("fisher-yates", 12, many, "biased"),
                                        ("sort-merge", 20, "sort-merge", "no bias seen"),
                                        ("fisher-yates", 20, "sort-merge", "biased"),
                                        ("naive", 52, "naive", "no bias seen"), ("fisher-yates", 52, "naive", "biased"),
                                        ("naive", 4, "naive/ideal/msvc-rand", "no bias seen")):
            judged = report(scheme, "-n", str(n), "--fair", law, "--samples", "20000")
            self.assertEqual(judged["verdict"], verdict, (scheme, law, judged["sentence"]))
            self.assertEqual(judged["left_out"], ["lags", "repeat", "bettor", "catalogue"])
            self.assertEqual(judged["fair_sample"], 1000000 if law == coding_horror else
                             sum(900 + r for r in range(12)) if law == many else 100000)
            tests = {line["statistic"]: line["test"] for line in judged["findings"]}
            self.assertEqual(tests["position"], "merged" if law == "naive" else "two-sample")
        self.assertIn("Compared with: 1,000,000 permutations of this law, in the tests of two samples.",
                      run("report", "naive", "--fair", coding_horror).stdout)
        judged = report("--fair", coding_horror, "-", text="1 2 3\n")
        self.assertEqual((judged["verdict"], judged["sentence"]), ("inconclusive", "1 permutation is too few for a test."))

    def test_p_of_two_samples(self):
        """Of 60 reports on the law of the sample, p is below 0.05 in 3 at most, on average, and in more than 10 with probability
        3e-4. The chi-square of homogeneity is that of the two samples, by hand."""
        low = 0
        for seed in range(60):
            counts = collections.Counter(tuple(derangement(random.Random(seed * 1000 + i), 4)) for i in range(500))
            path = self.file("sample", "".join(f"{''.join(str(item + 1) for item in order)} {count}\n"
                                               for order, count in counts.items()))
            low += report("--fair", path, "--base", "0", "--alpha", "0.05", "-",
                          text=decks(derangement, 4, 300, seed))["verdict"] == "biased"
        self.assertLessEqual(low, 10)
        path, one, other = self.file("counts", "12 30\n21 90\n"), (40, 60), (30, 90)
        value = sum((a * 120 - b * 100) ** 2 / (100 * 120 * (a + b)) for a, b in zip(one, other))
        finding, *_ = report("--fair", path, "-", text="1 2\n" * 40 + "2 1\n" * 60)["findings"]
        self.assertAlmostEqual(finding["value"], value, delta=1e-12)
        self.assertEqual((finding["statistic"], finding["dof"]), ("rank", 1))

    def test_many_items_of_schemes_and_files(self):
        """The position of each item after the naive swap, as a Markov chain; and the laws of a list of orders."""
        n = 9
        for member in (1, 5):
            at = [float(i == member - 1) for i in range(n)]
            for i in range(n):  # position i is swapped with each j
                now = list(at)
                now[i] = sum(at) / n
                for j in range(n):
                    if j != i:
                        now[j] = at[j] * (n - 1) / n + at[i] / n
                at = now
            law = found("law", "position", "-n", str(n), "--fair", "naive", "--member", str(member))
            for p, expected in zip(law["p"], at):
                self.assertAlmostEqual(p, expected, delta=1e-14)
        generator = random.Random(1)
        orders = [random_deck(generator, n) for _ in range(20)]
        path = self.file("orders", "".join(f"{'.'.join(str(item + 1) for item in order)} {i + 1}/210\n"
                                           for i, order in enumerate(orders)))
        inversions = collections.Counter()
        for i, order in enumerate(orders):
            inversions[sum(a > b for a, b in itertools.combinations(order, 2))] += (i + 1) / 210
        law = found("law", "inversions", "-n", str(n), "--fair", path)
        self.assertEqual(law["cells"], sorted(inversions))
        for cell, p in zip(law["cells"], law["p"]):
            self.assertAlmostEqual(p, inversions[cell], delta=1e-14)
        dealt = run("deal", "--fair", path, "-n", str(n), "--samples", "5000").stdout
        self.assertLessEqual({tuple(map(int, line.split())) for line in dealt.splitlines()}, set(map(tuple, orders)))
        self.assertEqual(gate("-", "--fair", path, "--exclude", "0.2", text=dealt)["verdict"], "pass")
        judged = gate("naive", "-n", "20", "--fair", "naive", "--exclude", "0.2")
        self.assertEqual((judged["verdict"], {line["statistic"] for line in judged["statistics"]}), ("pass", {"position"}))
        self.assertIn("inversions", judged["left_out"])
        self.assertEqual(gate("fisher-yates", "-n", "52", "--fair", "naive", "--exclude", "0.1")["verdict"], "fail")
        done = run("deal", "--fair", "naive", "-n", "20")
        self.assertIn("decks of a scheme need no law", done.stderr)

    def test_deal(self):
        """Each order is dealt as often as the law says: within 5 standard deviations, which one of 20,000 seeds exceeds."""
        weights = [5, 3, 1]
        path = self.file("weights.txt", "5\n3\n1\n")
        places = self.file("law", "123 1/2\n312 1/4\n321 1/4\n")

        def plackett_luce(order):
            left, share = sum(weights), 1
            for item in order:
                share, left = share * weights[item] / left, left - weights[item]
            return share
        laws = (
            ("derangement", 4, lambda order: all(item != i for i, item in enumerate(order))),
            ("cycle", 4, lambda order: len({0, order[0], order[order[0]], order[order[order[0]]]}) == 4),
            ("fixed:2@1", 4, lambda order: order[0] == 2),
            (f"weights:{path}", 3, plackett_luce),
            (places, 3, lambda order: {(0, 1, 2): 2, (2, 0, 1): 1, (2, 1, 0): 1}.get(order, 0)),
            ("naive", 3, lambda order: 4 if order in ((0, 1, 2), (2, 0, 1), (2, 1, 0)) else 5))
        for law, n, weight in laws:
            shares = {order: float(weight(order)) for order in itertools.permutations(range(n))}
            dealt = run("deal", "--fair", law, "-n", str(n), "--samples", "20000").stdout.splitlines()
            counts = collections.Counter(tuple(map(int, line.split())) for line in dealt)
            for order, share in shares.items():
                p = share / sum(shares.values())
                self.assertLessEqual(abs(counts[order] - 20000 * p), 5 * math.sqrt(20000 * p * (1 - p)), (law, order))
        for words in (["derangement", "-n", "40"], ["cycle", "-n", "40"], ["fixed:3@2", "-n", "40"], ["no-adjacent", "--cards",
                                                                                                  "A A A B B B C C D"]):
            text = run("deal", "--fair", *words, "--samples", "3000").stdout
            judged = gate("-", "--fair", words[0], *(words[1:] if "--cards" in words else []), "--exclude", "0.5", text=text)
            self.assertEqual(judged["verdict"], "pass", judged["sentence"])
        self.assertEqual(run("deal", "--fair", "fixed:Bob@2", "--cards", "Ann Bob", "--samples", "1").stdout, "Ann Bob\n")
        self.assertEqual(run("deal", "--fair", "fixed:1@1", "--deal", "1", "-n", "50", "--samples", "2").stdout, "1\n1\n")

    def test_p_of_reports(self):
        """Of 50 fair samples, p is below 0.05 in 2.5 at most, on average, and in more than 10 with probability 5e-5."""
        low = 0
        for seed in range(50):
            judged = report("--fair", "derangement", "--base", "0", "--alpha", "0.05", "-", text=decks(derangement, 4,
                                                                                                       300, seed))
            low += judged["verdict"] == "biased"
        self.assertLessEqual(low, 10)

    def test_slips(self):
        short, wrong = self.file("short", "5\n3\n"), self.file("wrong", "231 0.5\n312 0.4\n")
        many = self.file("many", "2\n" * 20)
        counts, negative = self.file("counts", "123 148281\n132 185282\n"), self.file("negative", "123 -1\n")
        for words, said in (
                (["--fair", "derangment"], "did you mean derangement?"),
                (["--fair", "nothing-like-it"], "is no law, no scheme and no file: use derangement, cycle"),
                (["--fair", "fixed"], "use fixed:ITEM@PLACE"),
                (["--fair", "cycle:2"], "cycle takes no argument"),
                (["--fair", "fixed:4@1"], "use one of the 3 items, and a place from 1 to 3"),
                (["--fair", "fixed:1@1,2@1"], "names an item or a place twice"),
                (["--fair", "fixed:1"], "has no @"),
                (["--fair", "no-adjacent", "--cards", "A A A A B B B B C C C C D D D D"],
                 "more than 1048576 arrangements"),
                (["--fair", "no-adjacent"], "name them in --cards"),
                (["--fair", "derangement", "--cards", "A A B"], "is of items that differ"),
                (["--fair", "cycle", "-n", "6", "--hands", "3,3"], "fair = cycle is of orders, and not of sets or hands"),
                (["--fair", "cycle", "--kinds", "a: 2, b: 2"], "not of equal --cards or --kinds"),
                (["--fair", "no-adjacent", "--cards", "A A A B"], "no order of these 4 items is possible"),
                (["--fair", "derangement", "--deal", "2", "-n", "9"], "is known for weights alone: use n <= 8"),
                (["--fair", "derangement", "--seeds", "5"], "the number of decks is judged only if"),
                (["--fair", "derangement", "--increments"], "leave one of them out"),
                (["--fair", "sort-merge", "-n", "20"],
                 "fair = sort-merge has no exact law at n = 20: use fewer items, or a report, which compares two samples"),
                (["--fair", "naive", "-n", "1001"], "n = 1001 is too large for fair = naive: use n <= 1000"),
                (["--fair", "cycle", "-n", "1001"], "use n <= 1000"),
                (["--fair", "fixed:" + ",".join(f"{i}@{i}" for i in range(1, 10)), "-n", "10"], "fix fewer"),
                (["--fair", f"weights:{many}", "-n", "20", "--save", short + ".json"], "cannot be resumed"),
                (["--fair", f"weights:{short}"], "has no weight of item 3"),
                (["--fair", "weights:/no/such/file"], "/no/such/file"),
                (["--fair", wrong], "add up to 0.9, not to 1"),
                (["--fair", counts], "counts are no exact law: use a report, which compares two samples"),
                (["--fair", negative], "-1 is no probability and no count"),
                (["--fair", "naive/ideal/msvc-rand"], "without the faults of a generator"),
        ):
            done = run("gate", "naive", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(said, done.stderr)
        for words, said in ((["--hands", "3,3"], "not of sets or hands"), (["--increments"], "leave one of them out"),
                            (["--chained"], "only goes with"), (["--profile", "cards"], "leave one of them out")):
            done = run("watch", "sattolo", "-n", "6", "--fair", "cycle", "--limit", "100", *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), words)
            self.assertIn(said, done.stderr)
        for words, said in ((["naive", "--fair", "naive", "--by", "exact"], "samples, and adds the exact law of few items"),
                            (["--fair", "naive"], "name the schemes to compare with this law"),
                            (["-", "--fair", "naive", "--increments"], "leave one of them out")):
            done = run("report", *words, text="0 1\n")
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
