#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package: its functions, and one clear line for each thing that may be wrong.

The shuffles have fixed seeds, except those of docs/python.md, which fail by chance with probability 1e-9 at most.

Usage: package.py LIBRARY SOURCE
"""
import concurrent.futures
import copy
import fractions
import itertools
import json
import multiprocessing
import os
import pickle
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import warnings

LIBRARY, SOURCE = map(os.path.abspath, sys.argv[1:3])
os.environ["SHUFFLEBIAS_LIBRARY"] = LIBRARY
PACKAGE = os.path.join(SOURCE, "src", "python")
sys.path.insert(0, PACKAGE)
import shufflebias  # noqa: E402
from shufflebias import results  # noqa: E402

FISHER_YATES = random.Random(1).shuffle


def naive(deck):
    for i in range(len(deck)):
        j = random.randrange(len(deck))
        deck[i], deck[j] = deck[j], deck[i]


def law_by_force(shuffle, n, bounds):
    """The law of shuffle(deck, answers) by brute force: the share of each order, by rank."""
    counts = dict.fromkeys(itertools.permutations(range(n)), 0)
    for answers in itertools.product(*map(range, bounds)):
        deck = list(range(n))
        shuffle(deck, iter(answers))
        counts[tuple(deck)] += 1
    return [fractions.Fraction(count, sum(counts.values())) for _, count in sorted(counts.items())]


def law_of(found):
    """The same of a proof."""
    return [fractions.Fraction(int(count), int(found.evidence.denominator)) for count in found.evidence.counts]


class Gates(unittest.TestCase):
    def setUp(self):
        random.seed(1)

    def test_pass(self):
        start = time.process_time()
        found = shufflebias.gate(FISHER_YATES)
        self.assertLess(time.process_time() - start, 10)  # about 0.3 s
        self.assertEqual((found.verdict, found.n, found.subject.kind, found.terms.max_bias), ("pass", 5, "callback", 0.02))
        self.assertEqual((found.name, found.subject.name), ("random.Random.shuffle",) * 2)
        self.assertLess(found.tv_high, 0.02)
        self.assertEqual(shufflebias.assert_fair(FISHER_YATES, 4).verdict, "pass")

    def test_fail(self):
        found = shufflebias.gate(naive)
        self.assertEqual((found.verdict, found.looks_like.scheme), ("fail", "naive"))
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(shufflebias.FairnessError) as raised:
            page = os.path.join(folder, "page.html")
            try:
                shufflebias.assert_fair(naive, page=page)
            finally:
                with open(page, encoding="utf-8") as file:
                    self.assertIn("<html", file.read())
        message = str(raised.exception)
        for part in ("FAIL  the shuffle is not fair: ", "It looks like `naive`", "\n\nCause: Each step draws from the whole deck", "\n\nFix: this is fair:",
                     "swap a[i], a[j]", f"Page: {page}"):
            self.assertIn(part, message)
        self.assertEqual(raised.exception.gate.verdict, "fail")
        self.assertIsInstance(raised.exception, AssertionError)

    def test_inconclusive(self):
        with self.assertRaisesRegex(shufflebias.FairnessError, "INCONCLUSIVE  .* after 100 shuffles"):
            shufflebias.assert_fair(FISHER_YATES, limit=100)

    def test_results_of_any_kind(self):
        numpy_like = type("Array", (), {"__iter__": lambda self: iter([1, 0, 2])})
        for shuffle in (tuple, iter, lambda deck: (card for card in deck), lambda deck: numpy_like()):
            self.assertEqual(shufflebias.gate(shuffle, 3, limit=10).total, 10)
        for items in (range(3), "abc", [[], [1], {}]):
            counts = [shufflebias.report(shuffle, None, 10, items=items).evidence.counts for shuffle in (lambda deck: deck, reversed)]
            self.assertEqual(counts, [(10, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 10)])

    def test_results_that_raise(self):
        """The code of a generator is part of the shuffle, whatever it raises: no order is counted for it."""
        def generator(deck):
            random.shuffle(deck)
            yield from deck[1:]
            raise error

        lazy = type("Lazy", (), {"__init__": lambda self, deck: setattr(self, "deck", deck), "__iter__": lambda self: generator(self.deck)})
        for shuffle in (generator, lazy, lambda deck: map(lambda card: next(generator(deck[:1])), deck)):
            error = ValueError("boom")
            with self.assertRaisesRegex(shufflebias.SubjectError, r"shuffle 1: it raised ValueError\('boom'\)") as raised:
                shufflebias.gate(shuffle, 3)
            self.assertIs(raised.exception.__cause__, error)
            error = SystemExit(3)  # as of pytest.fail(), which is no Exception
            self.assertRaises(SystemExit, shufflebias.gate, shuffle, 3)

    def test_pools(self):
        """The exception of a pool's process arrives as a pickle; one that cannot be read would hang multiprocessing.Pool."""
        with multiprocessing.get_context("fork").Pool(1) as pool, self.assertRaises(shufflebias.FairnessError) as raised:
            pool.apply_async(shufflebias.assert_fair, (naive,)).get(timeout=30)
        self.assertEqual(raised.exception.gate.looks_like.scheme, "naive")
        self.assertIn("Fix: this is fair:", str(raised.exception))
        self.assertEqual(str(copy.copy(raised.exception)), str(raised.exception))

    def test_deals(self):
        deal = lambda deck: random.sample(deck, 2)
        self.assertEqual(shufflebias.gate(deal, 52, 0.1, deal=2).verdict, "pass")
        found = shufflebias.gate(lambda deck: deck[3:1:-1], items="abcd", deal=2, limit=5)
        self.assertEqual((found.deal, found.matrix[3][0], found.matrix[2][1]), (2, 5, 5))

    def test_chained(self):
        """The function gets its previous result: the cut by one is not a fair step."""
        seen = []
        shufflebias.gate(lambda deck: seen.append(deck) or deck[1:] + deck[:1], 3, chained=True, limit=3)
        self.assertEqual(seen[:3], [[0, 1, 2], [1, 2, 0], [2, 0, 1]])

    def test_scheme_and_ledger(self):
        with tempfile.TemporaryDirectory() as folder:
            for run in (1, 2):
                found = shufflebias.gate("naive", 4, ledger=os.path.join(folder, "ledger.json"))
                self.assertEqual((found.verdict, found.subject.kind, found.ledger.run), ("fail", "scheme", run))

    def test_formats(self):
        found = shufflebias.gate("naive")
        self.assertTrue(found.render().startswith(f"FAIL  {found.sentence[6:50]}"))
        self.assertNotIn("Subject: ", found.render())
        self.assertIn("Subject: naive, n = 3", found.render(details=True))
        self.assertEqual(json.loads(found.render("json"))["gates"][0]["sentence"], found.sentence)
        self.assertIn("<svg", found.render("svg", figure="bars"))
        with self.assertRaisesRegex(shufflebias.ShufflebiasError, "nonsense"):
            found.render("nonsense")
        for same in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            self.assertEqual(same, found)
            with self.assertRaisesRegex(ValueError, "this result is a copy"):
                same.render()


class Results(unittest.TestCase):
    def test_a_result_does_not_change(self):
        found = shufflebias.gate("naive")
        for record in (found, found.terms):
            self.assertRaises(AttributeError, setattr, record, "n", 1)
            self.assertRaises(AttributeError, delattr, record, "alpha")
            self.assertEqual(len({record, copy.copy(record)}), 1)
        self.assertIsInstance(found.looks.total, tuple)

    def test_members_that_an_object_may_lack(self):
        """Each is None where the schemas do not require it; a name that no schema has is a mistake."""
        lacking = set()
        for name in ("gate-2", "report-2", "law-1"):
            with open(os.path.join(SOURCE, "data", "schema", name + ".json"), encoding="utf-8") as file:
                whole = json.load(file)
            for part in [whole.get("$defs", {}).get(name[:-2], whole), *whole.get("$defs", {}).values()]:
                lacking |= set(part.get("properties", {})) - set(part.get("required", []))
        self.assertLessEqual(lacking, {name for name, value in vars(results.Record).items() if value is None})
        with self.assertRaises(AttributeError):
            shufflebias.gate("naive").vedict


class Proofs(unittest.TestCase):
    def test_naive(self):
        def brute(deck, answers):
            for i, j in enumerate(answers):
                deck[i], deck[j] = deck[j], deck[i]

        for n in (2, 3, 4):
            found = shufflebias.prove(naive, n)
            self.assertEqual(law_of(found), law_by_force(brute, n, [n] * n))
        self.assertEqual(shufflebias.prove(naive, 3).verdict, "biased")
        self.assertEqual(fractions.Fraction(shufflebias.prove(naive, 3).effect.total_variation_exact), fractions.Fraction(1, 18))

    def test_sources_of_draws(self):
        """Each shuffle is Fisher-Yates, and draws in a way of its own."""
        generator, system = random.Random(5), random.SystemRandom()

        def drawing(draw):
            def shuffle(deck):
                for i in range(len(deck) - 1, 0, -1):
                    j = draw(i + 1)
                    deck[i], deck[j] = deck[j], deck[i]
            return shuffle

        shuffles = [drawing(draw) for draw in (
            random.randrange, generator.randrange, system.randrange, secrets.randbelow, lambda k: random.randint(0, k - 1),
            lambda k: int(random.random() * k), lambda k: secrets.choice(range(k)), lambda k: random.choices(range(k))[0],
            lambda k: int(random.uniform(0, k)), lambda k: generator.sample(range(k), 1)[0],
            lambda k: random.Random(7).randrange(k))]
        for shuffle in (*shuffles, random.shuffle, generator.shuffle, lambda deck: random.sample(deck, len(deck)),
                        lambda deck, rng: rng.shuffle(deck), lambda deck, rng=None: rng.shuffle(deck), lambda deck, rng=random: rng.shuffle(deck)):
            found = shufflebias.prove(shuffle, 3)
            self.assertEqual((found.verdict, found.evidence.by, found.evidence.unresolved), ("uniform", "exact", "0"))
        # a default keeps its meaning; this one is a copy, in C, that a proof cannot answer
        with self.assertRaisesRegex(shufflebias.SubjectError, "draws nothing from the modules random and secrets: use gate"):
            shufflebias.prove(lambda deck, rng=random.random: drawing(lambda k: int(rng() * k))(deck), 3)

    def test_bits(self):
        def brute(deck, answers):
            for i in range(3):
                j = next(answers) % 3
                deck[i], deck[j] = deck[j], deck[i]

        def modulo(deck):
            brute(deck, iter([random.getrandbits(2) for _ in range(3)]))

        self.assertEqual(law_of(shufflebias.prove(modulo, 3)), law_by_force(brute, 3, [4] * 3))

    def test_generators_are_restored(self):
        before = [random.random, random.getrandbits, dict(vars(random.Random)), dict(vars(random.SystemRandom))]
        state = random.getstate()
        shufflebias.prove(naive, 3)
        with self.assertRaises(shufflebias.SubjectError):
            shufflebias.prove(lambda deck: deck.clear(), 3)
        self.assertEqual(before, [random.random, random.getrandbits, dict(vars(random.Random)), dict(vars(random.SystemRandom))])
        self.assertEqual(state, random.getstate())

    def test_threads(self):
        """Proofs in several threads wait for each other, because all replace the same methods of the class random.Random."""
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            found = [proof.result() for proof in [pool.submit(shufflebias.prove, naive, 3) for _ in range(12)]]
        self.assertEqual({proof.evidence.counts for proof in found}, {("4", "5", "5", "5", "4", "4")})
        self.assertNotIn("random", vars(random.Random))
        nested = shufflebias.prove(lambda deck: shufflebias.prove(naive, 2) and random.shuffle(deck), 3)
        self.assertEqual(nested.verdict, "uniform")

    def test_redraws_and_items(self):
        def redraw(deck):
            found = []
            while len(found) < len(deck):
                card = random.choice(deck)
                if card not in found:
                    found.append(card)
            return found

        found = shufflebias.prove(redraw, items="abc", draws=12)
        self.assertEqual(found.verdict, "inconclusive")
        self.assertGreater(fractions.Fraction(found.evidence.unresolved), 0)

    def test_seeds(self):
        """A warning says that a seed is ignored, if the function sets one."""
        def module(deck):
            random.seed("x")
            random.shuffle(deck)

        for shuffle, seed in ((lambda deck: random.Random(5).shuffle(deck), "5"), (module, "'x'")):
            with self.assertWarnsRegex(UserWarning, f"seeds its generator with {seed}; prove ignores the seed, and with a fixed seed"):
                self.assertEqual(shufflebias.prove(shuffle, 3).verdict, "uniform")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            shufflebias.prove(lambda deck: random.Random().shuffle(deck), 3)

    def test_rejection_ends(self):
        def rejecting(deck):
            for i in (2, 1):
                j = 3
                while j > i:
                    j = random.getrandbits(i)
                deck[i], deck[j] = deck[j], deck[i]

        found = shufflebias.prove(rejecting, n=3)
        self.assertEqual((found.verdict, found.warning), ("uniform", None))
        self.assertIn("equally likely, to within ", found.sentence)
        self.assertLess(found.effect.total_variation_high, 2**-60)


class Calculations(unittest.TestCase):
    def test_law(self):
        """The number of inversions of four items, by brute force."""
        law = shufflebias.law("inversions", 4)
        inversions = [sum(a > b for a, b in itertools.combinations(order, 2)) for order in itertools.permutations(range(4))]
        for value, p in zip(law.cells, law.p):
            self.assertAlmostEqual(p, inversions.count(value) / 24, delta=1e-15)
        self.assertEqual((law.n, law.member, law.labels[6]), (4, 1, "6"))
        self.assertIn("inversions", law.render("csv"))
        self.assertEqual(shufflebias.law("position", 3, member=2).member, 2)

    def test_deal(self):
        """The decks of the program, as a list of lists or an array."""
        code = "import shufflebias; d = shufflebias.deal(n=6, samples=4, deal=3, seed=7); print([list(map(int, row)) for row in d])"
        without = "import sys; sys.modules['numpy'] = None\n"
        decks = {subprocess.run([sys.executable, "-c", head + code], env={**os.environ, "PYTHONPATH": PACKAGE}, check=True,
                                capture_output=True, text=True).stdout for head in ("", without)}
        (text,) = decks
        self.assertEqual([len(set(row)) for row in json.loads(text)], [3] * 4)
        self.assertEqual(len(shufflebias.deal(samples=0)), 0)
        self.assertEqual(sorted(shufflebias.deal()[0]), list(range(52)))

    def test_intended_law(self):
        """A uniform derangement is fair if that is meant, and nothing else is."""
        def derange(deck):
            while True:
                FISHER_YATES(deck)
                if all(item != place for place, item in enumerate(deck)):
                    return
                deck.sort()
        for fair, verdict in (("derangement", "pass"), ("cycle", "fail"), (None, "fail")):
            self.assertEqual(shufflebias.gate(derange, 4, 0.05, fair=fair).verdict, verdict)
        self.assertEqual(shufflebias.report(derange, 4, 2000, fair="derangement").verdict, "no bias seen")
        self.assertEqual([round(24 * p) for p in shufflebias.law("rank", 4, fair="cycle").p], [4] * 6)
        for deck in shufflebias.deal(n=9, samples=20, fair="derangement"):
            self.assertTrue(all(item != place for place, item in enumerate(deck)))
        with self.assertRaisesRegex(shufflebias.ShufflebiasError, "deals are of a law or of a scheme"):
            shufflebias.deal("naive", 4, fair="cycle")

    def test_report(self):
        random.seed(1)
        self.assertEqual(shufflebias.report("naive", by="exact").evidence.counts, ("4", "5", "5", "5", "4", "4"))
        found = shufflebias.report(naive, 3, 27_000)
        self.assertEqual((found.verdict, found.evidence.by, sum(found.evidence.counts)), ("biased", "sample", 27_000))
        seeds = shufflebias.report("fisher-yates", 3, by="seeds", rng="msvc-rand", seeds_first=0, seeds_count=100)
        self.assertEqual((seeds.evidence.by, sum(seeds.evidence.counts)), ("seeds", 100))

    def test_version(self):
        self.assertRegex(shufflebias.version(), r"^\d+\.\d+\.\d+$")


class Page(unittest.TestCase):
    """The programs of docs/python.md; a block of text after a program is its output."""

    def test_programs(self):
        with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```(\w+)\n(.*?)^```$", file.read(), re.M | re.S)
        compared = 0
        for (kind, code), (after, text) in zip(blocks, blocks[1:] + [("", "")]):
            if kind == "python" and "pytest" not in code:
                done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100,
                                      env={**os.environ, "PYTHONPATH": PACKAGE})
                self.assertEqual(done.stderr, "")
                if after == "text" and done.stdout:
                    compared += 1
                    self.assertEqual(done.stdout, text)
        self.assertEqual(compared, 1)


async def coroutine(deck):
    pass


class Mistakes(unittest.TestCase):
    """One line each, with the offender and the remedy."""

    def says(self, text, call, *arguments, **options):
        with self.assertRaises((shufflebias.ShufflebiasError, TypeError)) as raised:
            call(*arguments, **options)
        self.assertIn(text, str(raised.exception))
        self.assertNotIn("\n", str(raised.exception))
        return raised.exception

    def test_shuffles(self):
        for call in (shufflebias.gate, shufflebias.prove, shufflebias.report, shufflebias.assert_fair):
            for text, shuffle in {
                "naive, shuffle 1: it raised ZeroDivisionError('division by zero')": lambda deck: 1 / 0,
                "naive, shuffle 1: the result has 4 items of 5: keep each item once": lambda deck: deck[1:],
                "naive, shuffle 1: the result has 0 twice: keep each item once": lambda deck: [0] * 5,
                "naive, shuffle 1: the result has 6, which was not in the deck": lambda deck: [0, 1, 2, 3, 6],
                "naive, shuffle 1: the result has -1, which was not in the deck": lambda deck: [0, 1, 2, 3, -1],
                "naive, shuffle 1: the result has 70000, which was not in the deck": lambda deck: [0, 1, 2, 3, 70000],
                "naive, shuffle 1: the result has 5, which was not in the deck": lambda deck: itertools.count(),
                "naive, shuffle 1: the result has 7, which was": lambda deck: type("Endless", (), {"__iter__": lambda _: itertools.count(7)})(),
                "naive, shuffle 1: the result has [0, 1, 2, 3, 4], which": lambda deck: [deck],
                "naive, shuffle 1: the result has 'a', which": lambda deck: ["a"],
                "naive: the items of its result are of another type": lambda deck: list(map(float, deck)),
                "naive, shuffle 1: it returned 4: return the shuffled list": lambda deck: deck.pop(),
                "naive, shuffle 1: it returned 'abc': return the shuffled": lambda deck: "abc",
                "naive: it returned a set, which has no order: return a list": lambda deck: set(deck),
                "naive: it is a coroutine: pass a function that returns": coroutine,
                "naive: it is a coroutine: pass": lambda deck: coroutine(deck),
            }.items():
                with self.subTest(call=call, text=text):
                    found = self.says(text, call, shuffle, 5, name="naive")
                    self.assertIsInstance(found, shufflebias.SubjectError)
                    self.assertEqual(found.status, "subject")
            self.says("3 is not a function", call, 3)
        for call in (shufflebias.gate, shufflebias.report, shufflebias.assert_fair):
            self.says("shuffle 1: the result has 3 items of 5: return the 2 dealt, or all 5", call, lambda deck: deck[:3], 5, deal=2)
        raised = self.says("it raised", shufflebias.gate, lambda deck: 1 / 0)
        self.assertIsInstance(raised.__cause__, ZeroDivisionError)

    def test_later_shuffles(self):
        left = iter(range(5))
        self.says("it raised", shufflebias.gate, lambda deck: next(left) < 0 or None)
        self.says("'x', which was not in the deck", shufflebias.gate, lambda deck: list("abx"), items="abc")

    def test_options(self):
        gate, prove, report = shufflebias.gate, shufflebias.prove, shufflebias.report
        for text, call, options in (
            ("`n=-1`: give a whole number from 0", gate, {"n": -1}),
            ("`n='x'`: give a whole number", gate, {"n": "x"}),
            ("`n=70000`: a function has at most 65,536 items", gate, {"n": 70000}),
            ("`n=0`: give at least 2 items", gate, {"n": 0}),
            ("`n=0`: give at least 2 items", report, {"items": []}),
            ("`seed=3`: a function draws its own random numbers", gate, {"seed": 3}),
            ("`rng='philox'`: a function draws its own", report, {"rng": "philox"}),
            ("`limit = 18446744073709551616` must be a whole number from 1", gate, {"limit": 2 ** 64}),
            ("`alpha = a` must be a number between 0 and 1", gate, {"alpha": "a"}),
            ("`alpha=[1]`: give a number or a text", gate, {"alpha": [1]}),
            ("`max_bias = 2`", gate, {"max_bias": 2}),
            ("unknown profile '3': there is cards", gate, {"profile": 3}),
            ("`save='v1\\x001'`: leave out the character 0", gate, {"save": "v1\0001", "ledger": "/nowhere/ledger.json"}),
            ("`name='\\ud800'`: give a number or a text", gate, {"name": "\ud800"}),
            ("`name='\\ud800'`: give a number or a text", prove, {"name": "\ud800"}),
            ("`n=4`: there are 3 items", gate, {"n": 4, "items": "abc"}),
            ("items: 'a' occurs twice", gate, {"items": "aba"}),
            ("unknown option 'max_bais'; did you mean max-bias?", gate, {"max_bais": 1}),
            ("`by='exact'`: a function has by='sample'", report, {"by": "exact"}),
            ("n", prove, {"n": 11}),
        ):
            with self.subTest(text=text):
                self.says(text, call, FISHER_YATES, **options)
        self.says("unknown shuffle 'nave'; did you mean naive?", gate, "nave")
        self.says("items: a scheme shuffles numbers", gate, "naive", items="abc")
        self.says("items: a scheme shuffles numbers", report, "naive", items="abc")
        for call in (gate, report):
            self.says("a scheme shuffles a new deck each time: leave", call, "naive", chained=True)
        self.says("inversion", shufflebias.law, "inversion", 4)
        self.says("the statistic is NULL: name one", shufflebias.law, None, 4)
        self.says("`scheme='naive\\x00'`: leave out the character 0", report, "naive\0")
        self.says("`member = 0` must be a whole number from 1 to", shufflebias.law, "position", 4, member=0)
        found = self.says("max_bias", gate, FISHER_YATES, max_bias=2)
        self.assertEqual((found.status, found.field, found.value), ("invalid", "max_bias", "2"))

    def test_proofs(self):
        def endless(deck):
            while True:
                random.random()

        def catches(deck):
            try:
                random.getrandbits(40)
            except Exception:
                deck.reverse()

        hidden = random.Random.__base__(3).random  # a generator in C
        prove = shufflebias.prove
        self.says("getrandbits(64) has too many answers to prove: use gate()", prove, lambda deck: random.getrandbits(64))
        self.says("getrandbits(40) has too many answers to prove: use gate()", prove, catches)
        self.says("4,294,967,296 values has too many answers", prove, lambda deck: random.randrange(2 ** 32))
        self.says("endless: asked 11001 times and dealt no deck", prove, endless)
        self.says("it varies, but draws nothing from the modules random and secrets: use gate()", prove,
                  lambda deck: sorted(deck, key=lambda card: hidden()))
        self.assertEqual(prove(lambda deck: None, 3).verdict, "biased")

    def test_library(self):
        def imported(**environment):
            done = subprocess.run([sys.executable, "-c", "import shufflebias; shufflebias.version()"], capture_output=True, text=True,
                                  env={"PYTHONPATH": PACKAGE, "PATH": "", **environment})
            return done.stderr.strip().splitlines()[-1:]

        self.assertEqual(imported(SHUFFLEBIAS_LIBRARY=LIBRARY), [])
        (line,) = imported(SHUFFLEBIAS_LIBRARY="/nowhere.so")
        self.assertIn("ImportError: SHUFFLEBIAS_LIBRARY=/nowhere.so: ", line)
        (line,) = imported(SHUFFLEBIAS_LIBRARY=subprocess.run(
            ["sh", "-c", "ldd " + LIBRARY + " | awk '/libgmp/ { print $3 }'"], capture_output=True, text=True).stdout.strip())
        self.assertIn("undefined symbol: sb_version: name the file libshufflebias", line)


class Signals(unittest.TestCase):
    def interrupted(self, code):
        code = "import shufflebias, time, random\nprint('ready', flush=True)\n" + textwrap.dedent(code)
        child = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": PACKAGE}, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        _, stderr = child.communicate(timeout=60)
        self.assertEqual(child.returncode, -signal.SIGINT)
        self.assertTrue(stderr.strip().endswith("KeyboardInterrupt"), stderr)
        self.assertNotIn("Exception ignored", stderr)

    def test_between_shuffles(self):
        self.interrupted("shufflebias.gate(random.shuffle, 5, max_bias=1e-5, limit=10**12)")

    def test_within_a_shuffle(self):
        self.interrupted("shufflebias.gate(lambda deck: time.sleep(100))")

    def test_within_a_result(self):
        self.interrupted("shufflebias.gate(lambda deck: (time.sleep(100) for card in deck))")

    def test_a_gate_within_a_gate(self):
        self.interrupted("""
            def shuffle(deck):
                shufflebias.gate(random.shuffle, 5, max_bias=1e-5, limit=10**12)
            shufflebias.gate(shuffle)""")
        self.interrupted("shufflebias.gate(lambda deck: shufflebias.report('sort-merge', 52, 10**12))")
        self.interrupted("shufflebias.gate(lambda deck: shufflebias.gate(lambda deck: time.sleep(100)))")

    def test_the_handler_is_that_of_before(self):
        shufflebias.gate(lambda deck: shufflebias.report("naive", 3, 1000) and random.shuffle(deck), 3, limit=100)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_scheme(self):
        self.interrupted("shufflebias.report('sort-merge', 52, 10**12)")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
