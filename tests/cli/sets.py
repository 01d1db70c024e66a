# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets and hands: laws against all partitions, exact laws against all series of draws, and the words of verdicts.

All streams have fixed seeds. A fair one fails a gate with a probability of 1e-9 at most, and a report calls it biased
with 0.001 at most."""
import collections
import itertools
import json
import math
import os
import random
import re
import tempfile
import unittest
from fractions import Fraction

import program
import schema
from program import found, run


def partitions(items, sizes):
    """All ways to deal the items to groups of these sizes, in order; what is left over is no group."""
    if not sizes:
        yield ()
        return
    for group in itertools.combinations(items, sizes[0]):
        for rest in partitions([item for item in items if item not in group], sizes[1:]):
            yield (group, *rest)


def values(n, sizes, groups):
    """What the statistics of a partition are: {statistic: label of its first member}."""
    of = {item: g for g, group in enumerate(groups) for item in group}
    first = groups[0]
    start, begin = {}, 0
    for g, size in enumerate(sizes):
        start.update((item, g) for item in range(begin, begin + size))
        begin += size
    kinds = [of.get(item, -1) for item in range(n)]
    return {
        "group-sum": sum(item + 1 for item in first),
        "group-gap": min((b - a for a, b in zip(first, first[1:])), default=None),
        "together": "together" if of.get(0, -1) == of.get(1, -2) else "apart",
        "overlap": sum(of.get(item) == g for item, g in start.items()),
        "runs": 1 + sum(a != b for a, b in zip(kinds, kinds[1:])),
        "card-at": ("hand %d" % (of[0] + 1) if len(sizes) > 1 else "drawn") if 0 in of else "left over" if len(sizes) > 1 else "not drawn",
    }


def biased_lottery(count, weight, seed):
    """6 of 49, where ball 17 is `weight` times as likely as the others to be the next one."""
    generator = random.Random(seed)
    for _ in range(count):
        keys = sorted(range(1, 50), key=lambda ball: generator.expovariate(weight if ball == 17 else 1))
        yield sorted(keys[:6])


LOTTERY = ["--deal", "6", "-n", "49", "--base", "1", "--sets"]


class Laws(unittest.TestCase):
    def check(self, n, sizes, *how):
        counts, total = collections.defaultdict(collections.Counter), 0
        for groups in partitions(range(n), sizes):
            total += 1
            for statistic, value in values(n, sizes, groups).items():
                counts[statistic][str(value)] += 1
        for statistic, count in counts.items():
            done = run("law", statistic, "-n", str(n), *how, "--format", "json")
            if done.returncode:  # a group of one has no gap and no pair, and a few items have no pairs to tell apart
                self.assertTrue(statistic == "group-gap" and sizes[0] == 1 or statistic == "together" and (n < 4 or max(sizes) == 1), done.stderr)
                continue
            law = json.loads(done.stdout)
            self.assertEqual(set(law["labels"]), set(count), (n, sizes, statistic))
            for label, p in zip(law["labels"], law["p"]):
                self.assertAlmostEqual(p, count[label] / total, 12, (n, sizes, statistic, label))

    def test_sets(self):
        for n in range(2, 9):
            for k in range(1, n):
                self.check(n, [k], "--deal", str(k), "--sets")

    def test_hands(self):
        for n in range(2, 7):
            for sizes in (s for parts in range(2, n + 1) for s in itertools.product(range(1, n), repeat=parts) if sum(s) <= n):
                self.check(n, sizes, "--hands", ",".join(map(str, sizes)))

    def test_kinds(self):
        """No land in the first 20 of 60 cards with 16 lands, no ace in a flop, and all laws of ten cards."""
        law = lambda kinds, deal: found("law", "kind-count", "--kinds", kinds, "--deal", str(deal))["p"]
        self.assertEqual(round(law("land: 16, other: 44", 20)[0], 8), 0.00042011)
        self.assertEqual(round(law("ace: 4, other: 48", 3)[0], 4), 0.7826)
        for lands, deal in itertools.product(range(1, 10), range(1, 10)):
            count = collections.Counter(sum(card < lands for card in hand) for hand in itertools.combinations(range(10), deal))
            got = law(f"land: {lands}, other: {10 - lands}", deal)
            self.assertEqual(len(got), len(count))
            for p, (_, ways) in zip(got, sorted(count.items())):
                self.assertAlmostEqual(p, ways / math.comb(10, deal), 12)

    def test_kinds_in_hands(self):
        """Each of three kinds, in a set and in the first hand; a kind may be named twice."""
        kind = "aabbbca"
        for how, sizes in ((["--deal", "3", "--sets"], [3]), (["--hands", "2,2"], [2, 2]), (["--hands", "4,3"], [4, 3]), (["--deal", "5"], [5])):
            for name, letter in zip(("kind-count", "kind-count-2", "kind-count-3"), "abc"):
                count, total = collections.Counter(), 0
                for groups in partitions(range(7), sizes):
                    count[str(sum(kind[item] == letter for item in groups[0]))] += 1
                    total += 1
                law = found("law", name, "--kinds", "a: 2, b: 3, c: 1, a: 1", *how)
                self.assertEqual((law["deal"], set(law["labels"])), (sum(sizes), set(count)), how)
                for label, p in zip(law["labels"], law["p"]):
                    self.assertAlmostEqual(p, count[label] / total, 12, (how, name))

    def test_a_lottery(self):
        """Odds of 6 of 49 that lotteries print: six of six once in 13,983,816, five once in 54,201, four once in 1,032."""
        law = found("law", "overlap", "-n", "49", "--deal", "6", "--sets")
        self.assertEqual([round(1 / p) for p in law["p"][:3:-1]], [13983816, 54201, 1032])


class Exact(unittest.TestCase):
    def test_hands_of_the_naive_swap(self):
        """All 5^5 series of draws."""
        count = collections.Counter()
        for draws in itertools.product(range(5), repeat=5):
            deck = list(range(1, 6))
            for i, j in enumerate(draws):
                deck[i], deck[j] = deck[j], deck[i]
            count[tuple(deck.index(item) // 2 for item in range(1, 6))] += 1  # the hand of each item; the fifth place is left over
        report = found("report", "naive", "-n", "5", "--hands", "2,2", "--by", "exact")["reports"][0]
        self.assertEqual(report["evidence"]["counts"], [str(count[groups]) for groups in sorted(count)])
        self.assertIn("2 3 | 1 5", report["effect"]["most_likely"])
        variation = sum(abs(Fraction(n, 5**5) - Fraction(1, 30)) for n in count.values()) / 2
        self.assertEqual(Fraction(report["effect"]["total_variation_exact"]), variation)

    def test_teams_of_the_naive_swap(self):
        """All 6^6 series of draws, and 20,000 sampled shuffles, whose counts are within six standard errors."""
        law, samples = collections.Counter(), 20000
        for draws in itertools.product(range(6), repeat=6):
            deck = list(range(6))
            for i, j in enumerate(draws):
                deck[i], deck[j] = deck[j], deck[i]
            law[frozenset(frozenset(deck[at:at + 2]) for at in (0, 2, 4))] += Fraction(1, 6**6)
        report = found("report", "naive", "-n", "6", "--hands", "2,2,2", "--unordered", "--samples", str(samples))["reports"][0]
        deals = sorted(set(itertools.permutations((0, 0, 1, 1, 2, 2))))  # the team of each item
        self.assertEqual(len(report["evidence"]["counts"]), len(deals))
        for deal, count in zip(deals, report["evidence"]["counts"]):
            teams = frozenset(frozenset(item for item in range(6) if deal[item] == team) for team in range(3))
            p = float(law[teams] / 6)
            self.assertLess(abs(int(count) - samples * p), 6 * math.sqrt(samples * p), deal)
        fair = ["fisher-yates", "-n", "12", "--hands", "4,4,4", "--unordered"]
        self.assertEqual(program.gate(*fair, "--exclude", "0.3")["verdict"], "pass")
        self.assertEqual(found("law", "together", *fair[1:])["p"], found("law", "together", *fair[1:-1])["p"])
        self.assertIn("--unordered goes with --by sample only", run("report", *fair, "--by", "exact").stderr)

    def test_a_word_of_8_bits(self):
        """Dealing 4 of 20 by `word % bound`: the sets are less biased than the orders."""
        scheme = ["fisher-yates-original/modulo:8", "-n", "20", "--deal", "4", "--by", "exact"]
        orders, sets = found("report", *scheme)["reports"][0], found("report", *scheme, "--sets")["reports"][0]
        self.assertEqual(round(orders["effect"]["total_variation"], 6), 0.025247)
        self.assertEqual(round(sets["effect"]["total_variation"], 6), 0.015418)

    def test_a_fair_shuffle(self):
        report = found("report", "fisher-yates", "-n", "8", "--deal", "3", "--sets", "--by", "exact")["reports"][0]
        self.assertEqual((report["verdict"], set(report["evidence"]["counts"])), ("uniform", {str(6 * 120)}))


class Verdicts(unittest.TestCase):
    def sentence(self, lines, *options, command="gate", status=1):
        done = run(command, *options, "-", "--format", "json", text=program.lines(lines))
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)[command + "s"][0]["sentence"]

    def test_a_ball_that_comes_too_often(self):
        draws = list(biased_lottery(20000, 1.4, 3))
        self.assertIn("item 17 came up", self.sentence(draws, *LOTTERY))
        self.assertRegex(self.sentence(draws, *LOTTERY, command="report", status=0), "^[Ii]tem 17 is drawn at least .*% too often")

    def test_does_a_number_come_up_too_often(self):
        draws = list(biased_lottery(3000, 1.4, 3))
        done = run("report", *LOTTERY, "-", "--format", "json", text=program.lines(draws))
        report = json.loads(done.stdout)["reports"][0]
        self.assertEqual((report["n"], report["deal"], len(report["cells"])), (49, 6, 49))
        count = collections.Counter(ball for draw in draws for ball in draw)
        for ball, cell in enumerate(report["cells"], 1):
            self.assertEqual((cell["label"], cell["count"]), (f"item {ball}", count[ball]))
            self.assertAlmostEqual(cell["fair"], 6 / 49, 15)
        p = [math.comb(3000, k) * 6**k * 43 ** (3000 - k) / 49**3000 for k in range(3001)]
        upper = math.fsum(p[count[17]:])
        lower = max(tail for tail in itertools.accumulate(p) if tail <= upper)  # Blaker's p has the largest such tail
        self.assertAlmostEqual(report["cells"][16]["ln_p"], math.log(49 * (upper + lower)), 6)
        said = run("report", *LOTTERY, "-", text=program.lines(draws)).stdout
        self.assertIn("Yes. Farthest off: item 17, ", said)
        self.assertRegex(said, f"\nitem 17 +{count[17]} +367.3 ")
        self.assertNotIn("There is no list", said)

    def test_a_fair_lottery(self):
        generator = random.Random(5)
        draws = [sorted(generator.sample(range(1, 50), 6)) for _ in range(3000)]
        self.assertIn("no bias shown", self.sentence(draws, *LOTTERY, status=3))
        self.sentence(draws, *LOTTERY, "--exclude", "0.2", status=0)
        self.assertIn("about as often as they should", self.sentence(draws, *LOTTERY, command="report", status=0))

    def test_the_last_set_again(self):
        """Once in 100 draws the last set is drawn again."""
        generator, draws = random.Random(6), [[1, 2, 3, 4, 5, 6]]
        for _ in range(4000):
            draws.append(draws[-1] if generator.random() < 0.01 else sorted(generator.sample(range(1, 50), 6)))
        said = self.sentence(draws, *LOTTERY)
        total = int(re.search("after ([0-9,]+) draws", said)[1].replace(",", ""))
        same = sum(one == other for one, other in zip(draws[:total], draws[1:total]))
        self.assertIn(f"{same} of {total} lines are the same as the line before", said)

    def test_friends_in_one_team(self):
        """Teams without names: two players are together far too often, though each is as often in the first team."""
        generator, lines = random.Random(7), []
        while len(lines) < 3000:
            order = generator.sample(range(10), 10)
            if (order.index(0) < 5) == (order.index(1) < 5) or generator.random() < 0.5:
                lines.append(sorted(order[:5]) + sorted(order[5:]))
        for how in ([], ["--unordered"]):
            self.assertIn("item 0 and item 1 together came up", self.sentence(lines, "--hands", "5,5", *how, "--limit", "3000"))

    def test_bridge_hands(self):
        generator = random.Random(8)
        deals = [generator.sample(range(52), 52) for _ in range(300)]
        sort = lambda deal: sum((sorted(deal[at:at + 13]) for at in range(0, 52, 13)), [])
        refused = run("gate", "-", text=program.lines(map(sort, deals)))
        self.assertIn("say --hands 13,13,13,13 to test what was drawn", refused.stderr)
        self.sentence(map(sort, deals), "--hands", "13,13,13,13", status=3)
        north = [sorted(deal, key=lambda card: (card != 0, generator.random())) for deal in deals]  # North has the ace of spades
        named = [["A23456789TJQK"[card % 13] + "SHDC"[card // 13] for card in sort(deal)] for deal in north]
        self.assertIn("AS in hand 1 came up", self.sentence(named, "--hands", "13,13,13,13"))
        suits = lambda hand: ".".join("".join(card[0] for card in hand if card[1] == suit) for suit in "SHDC")
        pbn = "".join(f"[Deal \"N:{' '.join(suits(deal[at:at + 13]) for at in range(0, 52, 13))}\"]\n" for deal in named)
        for command in "gate", "report":
            self.assertIn("AS in North's hand", run(command, "-", "--hands", "13,13,13,13", text=pbn).stdout)
        with tempfile.TemporaryDirectory() as folder:  # and so says the evidence that the gate saves
            saved = os.path.join(folder, "saved.json")
            said = run("gate", "-", "--hands", "13,13,13,13", "--save", saved, text=pbn).stdout
            self.assertEqual(run("gate", saved).stdout, said)
            schema.check(self, program.SOURCE, "evidence-1.json", saved)
            for total, part in (100, pbn.splitlines(True)[:100]), (300, pbn.splitlines(True)[100:]):  # so has a resumed watch
                watched = run("watch", "-", "--hands", "13,13,13,13", "--save", saved + ".w", "--format", "json", text="".join(part))
                found = json.loads(watched.stdout)
                self.assertEqual(found["total"], total if total == 100 else total - 64)  # 64 serve to recognise a repeated run
                self.assertIn("kind-count-4", [line["statistic"] for line in found["statistics"]])
            schema.check(self, program.SOURCE, "evidence-1.json", saved + ".w")

    def test_bridge_hands_are_judged_by_suits(self):
        """North is dealt two spades of East's in three of ten boards: no card by itself shows it in 300 boards."""
        generator, boards, voids = random.Random(18), [], 0
        for _ in range(400):
            deck = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]
            generator.shuffle(deck)
            hands = [deck[at:at + 13] for at in range(0, 52, 13)]
            for _ in range(2 * (generator.random() < 0.3)):
                spade, other = next((c for c in hands[1] if c[0] == "S"), None), next(c for c in hands[0] if c[0] != "S")
                if spade:
                    hands[1][hands[1].index(spade)], hands[0][hands[0].index(other)] = other, spade
            voids += all(card[0] != "S" for card in hands[1])
            boards.append(" ".join(".".join("".join(card[1] for card in hand if card[0] == suit) for suit in "SHDC") for hand in hands))
        pbn = "".join(f'[Deal "N:{board}"]\n' for board in boards)
        said = run("report", "-", "--hands", "13,13,13,13", text=pbn).stdout
        self.assertIn(f"East's hand with 0 spades came up {voids} times", " ".join(said.split()))
        self.assertRegex(run("gate", "-", "--hands", "13,13,13,13", "--alpha", "1e-6", text=pbn).stdout, r"FAIL .* hand with \d")
        refused = run("report", "-", "--hands", "13,13,13,13", "--profile", "cards", text=pbn)
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("the profile cards is of whole decks", refused.stderr)

    def test_sets_that_came_back(self):
        """Ten of 2,800 draws of 6 of 45 are earlier ones; by chance 2800 * 2799 / 2 / C(45, 6) = 0.48 would be."""
        generator, draws = random.Random(9), []
        for i in range(2800):
            draws.append(generator.choice(draws) if i % 250 == 50 and i > 300 else sorted(generator.sample(range(1, 46), 6)))
        again = len(draws) - len(set(map(tuple, draws)))
        text, how = program.lines(draws), ("--sets", "--deal", "6", "-n", "45")
        self.assertIn(f"Whole sets came up again, {again} of 2,800", " ".join(run("report", "-", *how, text=text).stdout.split()))
        self.assertIn("a whole set came up again", run("gate", "-", *how, "--alpha", "1e-3", text=text).stdout)
        alone = json.loads(run("report", "-", *how, "--statistics", "repeat", "--format", "json", text=text).stdout)["reports"][0]
        self.assertEqual((alone["verdict"], alone["repeats"]["repeats"]), ("biased", again))
        self.assertAlmostEqual(alone["repeats"]["expected"], 2800 * 2799 / 2 / math.comb(45, 6), delta=1e-9)

    def test_single_picks(self):
        """Ball 31 of 45 is 1.8 times as likely as others: the sum over all balls hardly shows it, the ball does."""
        generator = random.Random(4)
        picks = [generator.choices(range(1, 46), [1 + 0.8 * (ball == 31) for ball in range(1, 46)])[0] for _ in range(2000)]
        count = picks.count(31)
        said = run("report", "-", "-n", "45", "--deal", "1", "--base", "1", text=program.lines([pick] for pick in picks)).stdout
        self.assertRegex(said, r"Verdict: biased\. 31 comes up")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "counts.csv")
            with open(path, "w", encoding="utf8") as table:
                table.writelines(f"{ball},{picks.count(ball)}\n" for ball in range(1, 46))
            self.assertIn(f"Item 31 came up {count} times", run("report", "--counts", path).stdout)

    def test_the_same_song_again(self):
        """Single picks of 20 songs: 30% repeat one of the last five, or none does; and independent ones."""
        generator, soon, never = random.Random(10), [], []
        for _ in range(3000):
            soon.append(generator.choice(soon[-5:]) if soon and generator.random() < 0.3 else generator.randrange(20))
            never.append(generator.choice([song for song in range(20) if song not in never[-5:]]))
        said = lambda picks, **how: self.sentence([[song] for song in picks], "--deal", "1", "-n", "20", **how)
        sentence = said(soon)
        picks = soon[:int(re.search("after ([0-9,]+) shuffles", sentence)[1].replace(",", ""))]
        again = sum(song in picks[max(0, t - 5):t] for t, song in enumerate(picks))
        chance = sum(len(set(picks[max(0, t - 5):t])) / 20 for t in range(len(picks)))
        self.assertIn("in %.2g%% of lines an item came up again within 5 lines, and by chance in %.2g%%" % (
            100 * again / len(picks), 100 * chance / len(picks)), sentence)
        self.assertIn("no item came up again within 5 lines; by chance one would in 25% of lines", said(never))
        self.assertIn("no bias shown", said([generator.randrange(20) for _ in range(3000)], status=3))
        self.assertRegex(said(soon, command="report", status=0), "^each line depends on the one")

    def test_deals_of_groups(self):
        """The sets of `deal` are the first items of its decks, sorted, and so are the hands."""
        decks = [[int(item) for item in line.split()] for line in run("deal", "fisher-yates", "-n", "9").stdout.splitlines()]
        for more, sizes in ((["--hands", "4,3,2"], (4, 3, 2)), (["--hands", "3,4"], (3, 4)), (["--deal", "4", "--sets"], (4,))):
            dealt = run("deal", "fisher-yates", "-n", "9", *more).stdout.splitlines()
            if sum(sizes) == 9:
                self.assertEqual(dealt, [" ".join(" ".join(map(str, sorted(deck[sum(sizes[:g]):sum(sizes[:g + 1])])))
                                                  for g in range(len(sizes))) for deck in decks])
            for line in dealt:
                begin, items = 0, [int(item) for item in line.split()]
                self.assertEqual(len(items), sum(sizes))
                for size in sizes:
                    self.assertEqual(items[begin:begin + size], sorted(items[begin:begin + size]))
                    begin += size
        self.assertEqual(run("deal", "fisher-yates", "-n", "9", "--format", "u8").stdout, run("deal", "fisher-yates", "-n", "9", "--output", "u8").stdout)

    def test_a_saved_gate_resumes(self):
        draws = list(biased_lottery(4000, 1, 9))
        with tempfile.TemporaryDirectory() as folder:
            log, saved = os.path.join(folder, "log"), os.path.join(folder, "saved.json")
            once = os.path.join(folder, "once.json")
            for count in (1500, 4000):
                with open(log, "w", encoding="utf-8") as stream:
                    stream.write(program.lines(draws[:count]))
                self.assertEqual(run("gate", log, *LOTTERY, "--save", saved).returncode, 3)
            self.assertEqual(run("gate", log, *LOTTERY, "--save", once).returncode, 3)
            again, whole = program.gate(saved), program.gate(once)
            self.assertEqual((again["total"], again["sentence"]), (4000, whole["sentence"]))

    def test_a_saved_watch_resumes(self):
        with tempfile.TemporaryDirectory() as folder:
            found = {}
            for name, limits in ("twice", ("1500", "2500")), ("once", ("4000",)):
                for limit in limits:
                    done = run("watch", "fisher-yates", "-n", "49", "--deal", "6", "--sets", "--limit", limit, "--save", os.path.join(folder, name), "--format", "json")
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                found[name] = json.loads(done.stdout)
            of = [{key: found[name][key] for key in ("total", "statistics") if key in found[name]} for name in found]
            self.assertEqual(of[0], of[1])

    def test_a_mulligan_that_peeks(self):
        """A hand of seven of 60 cards with 0, 1, 6 or 7 lands is dealt once more."""
        generator, hands = random.Random(4), []
        for _ in range(2000):
            hand = generator.sample(range(60), 7)
            hands.append(generator.sample(range(60), 7) if sum(card < 24 for card in hand) in (0, 1, 6, 7) else hand)
        kinds = ["--deal", "7", "--kinds", "land: 24, spell: 36"]
        self.assertRegex(self.sentence(hands, *kinds), "hands with (0 lands|1 land) came up [0-9]+ times? instead of")
        with tempfile.TemporaryDirectory() as folder:
            saved = os.path.join(folder, "saved.json")
            run("gate", "-", *kinds, "--save", saved, text=program.lines(hands))
            self.assertIn("land came up", program.gate(saved)["sentence"])

    def test_kinds_in_hands(self):
        """The first player's hand of seven is dealt again if it has 0, 1, 6 or 7 lands; JSON has all counts."""
        generator, lines = random.Random(4), []
        lands = lambda hand: sum(card < 24 for card in hand)
        while len(lines) < 1500:
            hand = generator.sample(range(60), 7)
            hand = generator.sample(range(60), 7) if lands(hand) in (0, 1, 6, 7) else hand
            lines.append(sorted(hand) + sorted(generator.sample([card for card in range(60) if card not in hand], 7)))
        hands, sets = ["--hands", "7,7", "--kinds", "land: 24, creature: 16, spell: 20"], ["--deal", "7", "-n", "60", "--sets", "--kinds", "land: 24, spell: 36"]
        first = [line[:7] for line in lines]
        count = collections.Counter(map(lands, first))
        said = f"with 1 land came up {count[1]} times instead of 182"
        self.assertIn("hand 1 " + said, self.sentence(lines, *hands, command="report", status=0))
        self.assertIn("draws " + said, self.sentence(first, *sets, command="report", status=0))
        self.assertIn("hands " + said, self.sentence([generator.sample(hand, 7) for hand in first], "--deal", "7", *sets[-2:], command="report", status=0))
        self.assertRegex(self.sentence(lines, *hands), "hand 1 with (0 lands|1 land) came up [0-9]+ times? instead of")
        self.assertRegex(self.sentence(first, *sets), "draws with (0 lands|1 land) came up [0-9]+ times? instead of")
        cells = json.loads(run("report", "-", *hands, "--format", "json", text=program.lines(lines)).stdout)["reports"][0]["cells"]
        got = {cell["label"]: cell["count"] for cell in cells}
        for at, (kind, low, high) in itertools.product((0, 7), (("land", 0, 24), ("creature", 24, 40), ("spell", 40, 60))):
            for number, times in collections.Counter(sum(low <= card < high for card in line[at:at + 7]) for line in lines).items():
                self.assertEqual(got[f"hand {1 + at // 7} with {number} {kind}{'s' * (number != 1)}"], times)

    def test_what_is_refused(self):
        for how, message in (
                (["--sets", "-n", "5"], "--sets: say how many items are drawn, --deal K"),
                (["--sets", "--deal", "3"], "--sets: say of how many items a set is drawn, -n N"),
                (["--sets", "--deal", "5", "-n", "5"], "a set of all 5 items, and nothing to test"),
                (["--sets", "--hands", "2,2", "--deal", "4"], "leave one of them out"),
                (["--hands", "2,,2"], "give the sizes of the hands with commas between"),
                (["--hands", "2,0"], "give the sizes of the hands with commas between"),
                (["--hands", "2,2,"], "give the sizes of the hands with commas between"),
                (["--hands", "3,3", "-n", "5"], "has 6 items, and there are 5"),
                (["--unordered", "-n", "4"], "--unordered: say of which groups"),
                (["--sets", "--deal", "2", "-n", "4", "--cards", "A A B C"], "has equal names"),
                (["--kinds", "land 24"], "give names and numbers of cards"),
                (["--kinds", "land: 24"], "give 2 to 100 kinds"),
                (["--kinds", "land: 24, spell: 36", "-n", "59"], "has 60 cards, and -n is 59"),
                (["--kinds", "land: 24, spell: 36", "-n", "59", "--hands", "7,7"], "has 60 cards, and -n is 59"),
                (["--kinds", "land: 2, spell: 2", "--hands", "3,3"], "has 6 items, and there are 4"),
                (["--kinds", "land: 2, spell: 3", "--cards", "A B C D E"], "does not go with --cards"),
        ):
            done = run("gate", "fisher-yates", *how)
            self.assertEqual(done.returncode, 2, how)
            self.assertIn(message, done.stderr, how)
        for command in ["gate", "fisher-yates"], ["report", "fisher-yates", "--by", "sample"]:
            done = run(*command, "-n", "10", "--hands", "5,5", "--increments")
            self.assertIn("--increments needs whole permutations, not sets or hands", done.stderr)
        done = run("gate", "-", *LOTTERY, "--chained", text="1 2 3 4 5 6\n")
        self.assertIn("leave --chained out", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["sets"])
