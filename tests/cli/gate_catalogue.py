# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of the bug: what a failed gate, or a report, says that the permutations look like."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM
from saving import sealed

FOOT = " A fair shuffle fails in at most 1 of 1,000,000,000 runs."


def run(*arguments, decks=None):
    text = decks and "".join(" ".join(map(str, deck)) + "\n" for deck in decks)
    done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True, timeout=200)
    if done.returncode not in (0, 1, 3):
        raise AssertionError(done.stderr)
    return done.stderr if arguments[0] == "watch" else done.stdout  # each alarm is a line


def gate(*arguments, decks=None):
    (found,) = json.loads(run("gate", *arguments, "--format", "json", decks=decks))["gates"]
    return found


def report(*arguments, decks=None):
    (found,) = json.loads(run("report", *arguments, "--format", "json", decks=decks))["reports"]
    return found


def early(n, generator, first=None, last=1):
    """Fisher-Yates whose loop ends one step short."""
    deck = list(range(n))
    for i in range(n - 1 if first is None else first, last, -1):
        j = generator.randrange(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def modulo(n, generator):
    """Fisher-Yates with bytes modulo i + 1."""
    deck = list(range(n))
    for i in range(n - 1, 0, -1):
        j = generator.randrange(256) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def buffered(n, generator):
    """A buffer of seven items, from which a random one comes out."""
    stream, held, out = list(range(n)), [], []
    while stream or held:
        while stream and len(held) < 7:
            held.append(stream.pop(0))
        out.append(held.pop(generator.randrange(len(held))))
    return out


def fair(n, generator):
    deck = list(range(n))
    generator.shuffle(deck)
    return deck


def inverse(deck):
    return sorted(range(len(deck)), key=deck.__getitem__)


def overhand(cards):
    def shuffle(n, generator):
        deck, packet = [], []
        for item in range(n):
            packet.append(item)
            if generator.randrange(cards) == 0 or item + 1 == n:
                deck, packet = packet + deck, []
        return deck
    return shuffle


def riffled(n, generator, packets):
    """Cuts the deck into packets and drops cards at random: the inverse of a stable sort by keys."""
    return inverse(sorted(range(n), key=[generator.randrange(packets) for _ in range(n)].__getitem__))


def dealt(scheme, n, count):
    return [line.split() for line in run("deal", scheme, "-n", str(n), "--samples", str(count), "--seed", "5").splitlines()]


def decks_of(shuffle, n, count, form=lambda deck: deck):
    generator = random.Random(7)
    return [form(shuffle(n, generator)) for _ in range(count)]


class Names(unittest.TestCase):
    def test_by_law(self):
        """A plain scheme needs no form in the sentence."""
        found = gate("sattolo", "-n", "4")
        looks = found["looks_like"]
        self.assertEqual(looks, {"scheme": "sattolo", "form": "plain", "equivalent": looks["equivalent"], "others": [], "sure": True, "by": "law"})
        self.assertIn("sattolo, inverted", looks["equivalent"])  # the inverse of a cycle is a cycle
        self.assertIn("It looks like `sattolo` (Sattolo's algorithm: a random cycle)", found["details"])
        self.assertTrue(found["details"].endswith(FOOT))

    def test_each_form_of_a_few_items(self):
        forms = {"plain": lambda deck: deck, "inverted": inverse, "reversed": lambda deck: deck[::-1],
                 "inverted and reversed": lambda deck: inverse(deck)[::-1]}
        for form, written in forms.items():
            with self.subTest(form=form):
                decks = decks_of(early, 5, 3000, written)
                for found in gate("-", "--limit", "10000000", decks=decks), report("-", decks=decks):
                    looks = found["looks_like"]
                    names = [looks["scheme"] + (", " + looks["form"]) * (looks["form"] != "plain"), *looks["equivalent"]]
                    self.assertIn("fisher-yates-stops-early" + (", " + form) * (form != "plain"), names)
                    self.assertEqual(looks["by"], "law")

    def test_whole_decks(self):
        for form, written in ("plain", lambda deck: deck), ("inverted", inverse):
            found = gate("-", decks=decks_of(modulo, 52, 3000, written))
            looks = found["looks_like"]
            self.assertEqual((looks["scheme"], looks["form"], looks["by"]), ("fisher-yates/modulo:8", form, "law"))
            self.assertLess(found["total"], 1500)
            self.assertEqual([line["weight"] for line in found["statistics"] if line["statistic"] == "catalogue"], [0.05])

    def test_when_it_takes_part(self):
        """Of 7 items by decks, though the rank is tested; not with a tolerated bias, nor in deals, nor above 256 items."""
        for options, takes_part in ((("-n", "7", "--exclude", "0.3"), True), (("-n", "256", "--limit", "200"), True),
                                    (("-n", "257", "--limit", "200"), False), (("-n", "4", "--tolerate", "0.1", "--exclude", "0.3"), False),
                                    (("-n", "6", "--deal", "3", "--limit", "200"), False)):
            found = gate("fisher-yates", *options)
            self.assertEqual("catalogue" in [line["statistic"] for line in found["statistics"]], takes_part, options)

    def test_by_positions(self):
        """The catalogue has no law of the naive swap of 52, but its matrix."""
        found = gate("naive", "-n", "52")
        self.assertEqual(found["looks_like"], {"scheme": "naive", "form": "plain", "equivalent": ["naive-backward, inverted"], "others": [],
                                               "sure": True, "by": "positions"})
        self.assertIn("It looks like `naive` (the naive swap: each position in turn with any).", found["details"])

    def test_by_positions_when_bets_decide(self):
        """Bets on the place in the deck concern single decks, so the name is looked for. Seeds 1 to 10: three runs in four were without a name."""
        for n in "8", "12", "20":
            named = [gate("naive", "-n", n, "--seed", str(seed))["looks_like"] for seed in range(1, 11)]
            right = [looks for looks in named if looks and "naive" in (looks["scheme"], *looks["equivalent"], *looks["others"])]
            same = [looks for looks in named if looks and (looks["scheme"], looks["form"]) == ("naive-backward", "inverted")]  # the same law
            self.assertGreaterEqual(len(right) + len(same), 9)

    def test_a_few_permutations(self):
        """Below three, only laws of which each possible order is equally likely have names; a deck by suit and rank was called overhand:5."""
        suits = [rank + suit for suit in "CDHS" for rank in "2 3 4 5 6 7 8 9 10 J Q K A".split()]
        for decks in [suits], decks_of(overhand(5), 52, 2), [[0, 1]] * 65 + [[1, 0]] * 35:
            for found in gate("-", decks=decks), report("-", decks=decks):
                self.assertIsNone(found["looks_like"])
                self.assertNotIn("compared", found["sentence"] + found.get("details", ""))
        for seed in "1", "2":
            looks = gate("rotate", "-n", "52", "--seed", seed)["looks_like"]
            self.assertIn("rotate", [looks["scheme"], *looks["others"]])
            self.assertFalse(looks["sure"])

    def test_whole_decks_in_a_report(self):
        """A rotation has a uniform matrix: the report denied that it is in the catalogue."""
        for scheme, n in ("rotate", 10), ("riffle:3", 20), ("cut", 20), ("riffle:7", 52), ("sattolo", 52), ("overhand:3", 8):
            found = report("-", decks=dealt(scheme, n, 3000))
            looks = found["looks_like"]
            self.assertEqual((looks and looks["scheme"], looks and looks["form"], looks and looks["sure"]), (scheme, "plain", True))

    def test_sure_of_what_many_permutations_show(self):
        """The permutations were "too few to be sure": evidence from positions met that of parity, and riffles were never sure."""
        for scheme, n in ("naive-no-self", 8), ("naive-no-self", 52), ("sort-merge", 8), ("sort-by-key:4", 5):
            looks = report("-", decks=dealt(scheme, n, 30000))["looks_like"]
            self.assertEqual((looks and looks["scheme"], looks and looks["sure"]), (scheme, True))

    def test_a_riffle_between_two(self):
        """Three packets, where riffle:1 has two and riffle:2 has four: never a fact."""
        for n, count in (4, 100), (8, 40), (8, 3000), (52, 20):
            found = report("-", decks=decks_of(lambda n, generator: riffled(n, generator, 3), n, count))
            self.assertFalse(found["looks_like"] and found["looks_like"]["sure"], (n, count))

    def test_a_plain_name(self):
        """Of several names of one law, that of the shuffle as it is; bubble sort of five was called `insertion`, inverted."""
        for scheme, n in ("naive-backward", 5), ("riffle:2", 5), ("sort-bubble", 5), ("sort-bubble", 6), ("sort-heap", 3), ("naive-backward", 20):
            looks = report("-", decks=dealt(scheme, n, 20000))["looks_like"]
            self.assertEqual((looks and looks["scheme"], looks and looks["form"]), (scheme, "plain"), n)

    def test_the_size_of_a_shuffle_buffer(self):
        looks = report("-", decks=decks_of(buffered, 40, 300))["looks_like"]
        self.assertEqual((looks["scheme"], looks["form"], looks["by"]), ("shuffle-buffer:7", "plain", "positions"))

    def test_shuffles_without_a_bet(self):
        """They have names, but are not among the candidates of the gate's own e-process."""
        for scheme, n in (("insertion", "4"), ("insertion", "5"), ("shuffle-buffer:2", "4"), ("chunks:2", "5")):
            looks = gate(scheme, "-n", n)["looks_like"]
            self.assertEqual((looks["scheme"], looks["by"]), (scheme, "law"))

    def test_two_that_are_hard_to_tell_apart(self):
        """Both only rotate; 15 permutations of four cannot say how evenly."""
        found = gate("rotate", "-n", "4", "--seed", "1")
        looks = found["looks_like"]
        self.assertLessEqual({"rotate", "cut"}, {looks["scheme"], *looks["others"]})
        self.assertFalse(looks["sure"])
        self.assertIn("It may be `%s`" % looks["scheme"], found["details"])
        self.assertIn(" or `%s`; these permutations do not tell which. " % looks["others"][-1], found["details"])
        self.assertNotIn("Cause:", run("gate", "rotate", "-n", "4", "--seed", "1"))

    def test_what_the_law_of_whole_decks_rules_out(self):
        """Decks that are reversed by a coin have the matrix of no riffle, and random derangements are not cycles."""
        generator = random.Random(3)
        coins = [list(range(52))[::generator.choice((1, -1))] for _ in range(40)]
        coins[0], coins[1] = list(range(52)), list(range(51, -1, -1))
        derangements = [deck for deck in decks_of(fair, 4, 3000) if all(deck[i] != i for i in range(4))]
        for decks in coins, derangements:
            for found in gate("-", decks=decks), report("-", decks=decks):
                self.assertIsNone(found["looks_like"])

    def test_new_names(self):
        """A loop that starts one late, one from the front that ends one early, and rounded draws, in Python."""
        def late(n, generator):
            return early(n, generator, n - 2, 0)

        def forward(n, generator):
            deck = list(range(n))
            for i in range(n - 2):
                j = generator.randrange(i, n)
                deck[i], deck[j] = deck[j], deck[i]
            return deck

        def rounded(n, generator):
            deck = list(range(n))
            for i in range(n - 1, 0, -1):
                j = int(generator.random() * i + 0.5)  # Math.round(Math.random() * i)
                deck[i], deck[j] = deck[j], deck[i]
            return deck
        for shuffle, name in (late, "fisher-yates-starts-late"), (forward, "forward-stops-early"), (rounded, "fisher-yates/round"):
            for n in 4, 20:
                looks = gate("-", decks=decks_of(shuffle, n, 3000))["looks_like"]
                self.assertIn(name, [looks["scheme"], *looks["equivalent"]], (name, n))

    def test_none_fits(self):
        """One order comes up too rarely and another too often: biased, but no shuffle of the catalogue."""
        decks = [[2, 0, 3, 1] if deck == [1, 3, 0, 2] and t % 8 else deck for t, deck in enumerate(decks_of(fair, 4, 5000))]
        for found in gate("-", decks=decks), report("-", decks=decks):
            self.assertIsNone(found["looks_like"])
            self.assertIn("It matches none of the shuffles that were compared.", found.get("details", found["sentence"]))

    def test_nothing_to_say(self):
        """A pass; decks that repeat, and chained ones, which have tests of their own; a report on a scheme, or of what may be fair."""
        seeds = random.Random(2)
        repeated = [fair(52, random.Random(seeds.getrandbits(8))) for _ in range(300)]
        for found in (gate("fisher-yates", "--exclude", "0.2"), gate("-", decks=repeated),
                      report("naive", "-n", "4", "--by", "sample"), report("-", decks=decks_of(fair, 5, 3000))):
            self.assertIsNone(found["looks_like"])
            self.assertNotIn("compared", found["sentence"] + found.get("details", ""))


class Always(unittest.TestCase):
    """Results that are all the same have their own words, before any statistic."""

    def test_the_original_order(self):
        for n, written in (4, "0 1 2 3"), (52, "0 1 2 3 4 5 6 7 ... 51"), (800, "0 1 2 3 4 5 6 7 ... 799"):
            for found in gate("-", decks=[list(range(n))] * 200), report("-", decks=[list(range(n))] * 200):
                self.assertIn("he items came back in their original order: %s" % written, found["sentence"])
                self.assertIn("Is the shuffled copy returned, ", found.get("details", found["sentence"]))
                self.assertEqual((found["always"], found["looks_like"]), (written, None))
                self.assertNotIn("after 200", found["sentence"])

    def test_another_order(self):
        for deck, words in ([2, 0, 1, 3], "very result was the same: 2 0 1 3"), ([3, 2, 1, 0], "he items came back in reverse order: 3 2 1 0"):
            for found in gate("-", decks=[deck] * 200), report("-", decks=[deck] * 200):
                self.assertIn(words, found["sentence"])
                self.assertNotIn("chained", found["sentence"])

    def test_names_deals_and_equal_cards(self):
        for options, decks, words in ((("--cards", "A B C D"), ["CABD"], "every result was the same: C A B D, after "),
                                      (("--cards", "R R B B"), ["BRRB"], "every result was the same: B R R B, after "),
                                      (("--cards", "R R B B"), ["RRBB"], "the items came back in their original order: R R B B, after "),
                                      (("-n", "12", "--deal", "2"), [[5, 3]], "every result was the same: 5 3, after ")):
            self.assertIn(words, gate("-", *options, decks=decks * 300)["sentence"])

    def test_subjects(self):
        self.assertIn("the items came back in their original order: 1 2 3 4, after ", gate("identity", "-n", "4")["sentence"])
        (found,) = json.loads(run("gate", "--format", "json", "--", "sh", "-c", "while :; do echo 3 1 2; done"))["gates"]
        self.assertIn("FAIL  every result was the same: 3 1 2, after ", found["sentence"])
        self.assertIn("Is the random generator seeded ", found["details"])
        alarm = run("watch", "--alpha", "1e-6", "-", decks=[[2, 0, 1]] * 50)
        self.assertIn("every result was the same: 2 0 1. Is the random generator seeded anew each time, or", alarm)

    def test_one_result_is_not_every_result(self):
        """A single deck of 52 in its original order fails; a single random rotation is no constant."""
        self.assertIn("FAIL  the items came back in their original order: 0 1 2 ", gate("-", decks=[list(range(52))])["sentence"])
        rotated = [*range(20, 52), *range(20)]
        found = gate("-", decks=[rotated])
        self.assertEqual((found["verdict"], found["always"]), ("fail", None))
        self.assertNotIn("same", found["sentence"])

    def test_nothing_without_a_fail(self):
        for found in gate("-", decks=[[0, 1, 2, 3]] * 3), report("-", decks=[[0, 1, 2, 3]]):
            self.assertIsNone(found["always"])
            self.assertNotIn("original order", found["sentence"])


class Where(unittest.TestCase):
    def test_cause_and_fix(self):
        for page in run("gate", "sattolo"), run("report", "-", decks=decks_of(early, 4, 3000)):
            self.assertRegex(page, r"\nCause: ")
            self.assertIn("\nFix: this is fair:\n\nfor i = n-1 down to 1:\n    j = draw(i + 1)\n    swap a[i], a[j]\n", page)
        biased = run("gate", "-", decks=decks_of(modulo, 52, 3000))
        self.assertIn("\nCause: The number of random words is no multiple of the number of answers", biased)
        self.assertIn("until u < span", biased)

    def test_every_format(self):
        said = "It looks like `sattolo`"
        for form in "text", "markdown", "json", "junit", "tap":
            self.assertIn(said, run("gate", "sattolo", "--format", form).replace("\n", " ").replace("\\", ""))
        self.assertIn("It looks like <code>sattolo</code>", run("gate", "sattolo", "--format", "html"))

    def test_the_pages(self):
        """Their example is what the gate needs."""
        with open(os.path.join(sys.argv[2], "docs", "how-it-decides.md"), encoding="utf-8") as file:
            self.assertIn("`gate sattolo -n 52` fails after %d shuffles" % gate("sattolo", "-n", "52")["total"], " ".join(file.read().split()))

    def test_a_matrix(self):
        n, count = 8, 4000
        decks = decks_of(early, n, count)
        matrix = [[sum(deck[j] == item for deck in decks) for j in range(n)] for item in range(n)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "counts.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(",".join(map(str, row)) + "\n" for row in matrix)
            looks = report("--matrix", path)["looks_like"]
        self.assertEqual((looks["scheme"], looks["form"], looks["by"]), ("fisher-yates-stops-early", "plain", "positions"))


class Saved(unittest.TestCase):
    def test_resumed(self):
        """In two runs as in one, with the laws of few items and of whole decks."""
        for n, shuffle, stop in (5, early, 20), (52, modulo, 150):
            decks = decks_of(shuffle, n, 3000)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "saved")
                first = gate("-", "--save", path, decks=decks[:stop])
                whole = gate("-", decks=decks)
                with open(path, encoding="utf-8") as file:
                    saved = json.load(file)["catalogue"]
                self.assertEqual((first["verdict"], len(saved["sums"]) > 0), ("inconclusive", n == 52))
                self.assertEqual(saved["decks"], stop if n == 52 else 0)
                resumed = gate("-", "--save", path, decks=decks[stop:])
            self.assertEqual(resumed["verdict"], "fail")
            self.assertEqual(resumed["looks_like"]["scheme"], whole["looks_like"]["scheme"])

    def test_of_an_earlier_version(self):
        """Evidence without a catalogue continues without one, whether or not the rank is counted."""
        for n in 4, 12:
            decks = decks_of(fair, n, 300)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "saved")
                gate("-", "--save", path, decks=decks[:100])
                with open(path, encoding="utf-8") as file:
                    older = re.sub(r',\n *"catalogue": \{[^}]*\}', "", file.read(), count=1)
                self.assertNotIn("catalogue", older)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(sealed(older))
                resumed = gate("-", "--save", path, decks=decks[100:])
            self.assertNotIn("catalogue", [line["statistic"] for line in resumed["statistics"]])
            self.assertEqual(resumed["total"] + resumed["uncounted"], 300)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
