# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact law of shuffles in other programs: the articles' in JavaScript, Python's own, the adapters, and peers that
violate the protocol."""
import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from fractions import Fraction

from program import PROGRAM, SOURCE
import waiting

ADAPTERS = os.path.join(SOURCE, "data", "adapters")
ARTICLES = os.path.join(SOURCE, "data", "articles")
NODE, GO, CC = shutil.which("node"), shutil.which("go"), shutil.which("cc")


def run(options, command, **keywords):
    return subprocess.run([PROGRAM, "prove", *options.split(), "--", *command], capture_output=True, text=True,
                          timeout=100, **keywords)


def prove(options, command, **keywords):
    """The report, and the exit status."""
    done = run(options + " --format json", command, **keywords)
    if not done.stdout:
        raise AssertionError(done.stderr)
    report, = json.loads(done.stdout)["reports"]
    return report, done.returncode


def law(report):
    return " ".join(report["evidence"]["counts"]) + " of " + report["evidence"]["denominator"]


def article(name, options="-n 3", n=3):
    return prove(options, [NODE, os.path.join(ADAPTERS, "prove.js"), os.path.join(ARTICLES, name + ".js"), str(n)])


def python(body):
    """A peer that shuffles three items by `body`, with ask() and say() at hand."""
    return [sys.executable, "-c", textwrap.dedent("""
        import os, sys, time
        def say(line):
            print(line, flush=True)
        def ask(question):
            say(question)
            return float(sys.stdin.readline() or sys.exit())
        def fair(n):
            deck = list(range(n))
            for i in range(n, 1, -1):
                j = int(ask("draw %d" % i))
                deck[i - 1], deck[j] = deck[j], deck[i - 1]
            return deck
        calls = 0
        for start in sys.stdin:
            calls += 1
        """) + textwrap.indent(textwrap.dedent(body), "    ")]


@unittest.skipUnless(NODE, "no node")
class Articles(unittest.TestCase):
    def test_laws(self):
        for name, known, status in (("naive", "4 5 5 5 4 4 of 27", 1), ("comparator", "6 1 2 1 1 5 of 16", 1),
                                    ("fisher-yates", "1 1 1 1 1 1 of 6", 0), ("splice", "1 1 1 1 1 1 of 6", 0),
                                    ("original", "1 1 1 1 1 1 of 6", 0)):
            with self.subTest(name=name):
                report, exit_status = article(name)
                self.assertEqual((law(report), exit_status), (known, status))
                self.assertEqual(report["evidence"]["unresolved"], "0")
                self.assertEqual(report["evidence"]["engine"], "oracle")
                self.assertEqual(report["subject"]["shuffle"], None)

    def test_four(self):
        report, status = article("fisher-yates", "-n 4", 4)
        self.assertEqual((report["verdict"], status, report["evidence"]["paths"]), ("uniform", 0, 12 ** 3))

    def test_round_is_caught(self):
        report, status = article("round")
        self.assertEqual((report["verdict"], status, report["evidence"]["unresolved"]), ("inconclusive", 3, "1/3"))
        self.assertIn("where in its cell a number lies", report["warning"])
        self.assertIn("random: 0.25", report["warning"])
        text = run("-n 3", [NODE, os.path.join(ADAPTERS, "prove.js"), os.path.join(ARTICLES, "round.js"), "3"]).stdout
        self.assertNotIn("exact", text.lower())
        report, status = article("round", "-n 3 --cells 4")
        self.assertEqual((law(report), status), ("1 2 1 1 2 1 of 8", 1))

    def test_redraw_is_cut(self):
        """After 6 draws some item is still missing if at most two came up: (3 2^6 - 3) / 3^6."""
        report, status = article("redraw", "-n 3 --cells 3 --max-draws 6")
        self.assertEqual((report["verdict"], status), ("inconclusive", 3))
        self.assertEqual(Fraction(report["evidence"]["unresolved"]), Fraction(3 * 2 ** 6 - 3, 3 ** 6))
        self.assertEqual(len(set(report["evidence"]["counts"])), 1)
        self.assertIn("--max-draws", report["warning"])
        self.assertLessEqual(report["effect"]["total_variation_low"], 1e-15)

    def test_formats(self):
        command = [NODE, os.path.join(ADAPTERS, "prove.js"), os.path.join(ARTICLES, "naive.js"), "3"]
        for form, piece in (("text", "Verdict: biased."), ("markdown", "**Verdict: biased.**"), ("csv", ",27,"),
                            ("text --quiet", "27, 216 series of answers")):
            done = run("-n 3 --format " + form, command)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertIn(piece, done.stdout)


class Adapters(unittest.TestCase):
    def test_python(self):
        """Python's own random.shuffle, every path of it."""
        for n, paths in ((3, 6), (6, 720)):
            report, status = prove(f"-n {n}", [sys.executable, os.path.join(ADAPTERS, "prove.py"), str(n)])
            self.assertEqual((report["verdict"], status, report["evidence"]["paths"]), ("uniform", 0, paths))

    def test_python_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write("import random\ndef naive(deck, rng):\n    for i in range(len(deck)):\n"
                           "        j = random.randrange(len(deck))\n        deck[i], deck[j] = deck[j], deck[i]\n")
            report, status = prove("-n 3", [sys.executable, os.path.join(ADAPTERS, "prove.py"), "3", path, "naive"])
        self.assertEqual((law(report), status), ("4 5 5 5 4 4 of 27", 1))

    def test_python_threads(self):
        """Another thread of the file draws ordinary numbers."""
        mine = """
            import random, threading
            def draw():
                while True:
                    random.random()
            threading.Thread(target=draw, daemon=True).start()
            def naive(deck):
                for i in range(len(deck)):
                    j = random.randrange(len(deck))
                    deck[i], deck[j] = deck[j], deck[i]
            """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(mine))
            report, status = prove("-n 3", [sys.executable, os.path.join(ADAPTERS, "prove.py"), "3", path, "naive"])
        self.assertEqual((law(report), status), ("4 5 5 5 4 4 of 27", 1))

    def test_mistakes(self):
        """The file and the number of items in the order of another adapter; no number; a function of another name."""
        py, js, sh = ([sys.executable, "prove.py"], [NODE, "prove.js"], ["sh", "prove.sh"])
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("mine.py", "def shuffle(deck):\n    pass\ndef whole(deck):\n    return set(deck)\n"), ("mine.js", "exports.shuffle = (deck) => deck;\n"),
                               ("mine.sh", "shuffle() { deck=$*; }\n")):
                with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                    file.write(text)
            for (program, adapter), words, status, line in (
                    (py, ["mine.py", "3"], 1, ""), (js, ["3", "mine.js"], 1, ""), (sh, ["mine.sh", "3"], 1, ""),
                    (py, ["mine.py"], 4, "prove.py: 'mine.py' is no number of items: python3 prove.py N [FILE.py [NAME]]\n"),
                    (py, ["3", "mine.py", "mix"], 4, "prove.py: mine.py has no function mix: say the function's name after mine.py\n"),
                    (py, ["3", "mine.py", "whole"], 4, "prove.py: whole returned a set, which has no order: return a list\n"),
                    (js, ["mine.js"], 4, "prove.js: '' is no number of items: node prove.js FILE.js N [NAME]\n"),
                    (sh, ["3", "mine.sh"], 4, "prove.sh: 'mine.sh' is no number of items: sh prove.sh FILE.sh N\n")):
                if program is None:  # no node
                    continue
                command = [program, os.path.join(os.path.abspath(ADAPTERS), adapter), *words]
                with self.subTest(command=words):
                    done = run("-n 3", command, cwd=folder)
                    told = "subject: " + line if line else ""
                    self.assertEqual((done.returncode, done.stderr[:len(told)]), (status, told))
                    self.assertEqual(len(done.stderr.splitlines()), 2 if line else 0)

    def test_python_seeds(self):
        """One line says that a seed is ignored, if the function sets one."""
        for body, seed in (("random.Random(5).shuffle(deck)", "5"), ("random.seed('x'); random.shuffle(deck)", "'x'"),
                           ("random.seed(); random.Random().shuffle(deck)", None)):
            with self.subTest(body=body), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "mine.py")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f"import random\nrandom.seed(1)\ndef shuffle(deck):\n    {body}\n")
                done = run("-n 3", [sys.executable, os.path.join(ADAPTERS, "prove.py"), "3", path])
                self.assertEqual(done.returncode, 0)
                self.assertEqual(done.stderr, f"subject: prove.py: the shuffle seeds its generator with {seed}; prove ignores the seed, "
                                 "and with a fixed seed there is a single order\n" if seed else "")

    def test_python_modules(self):
        """Functions that take only the deck, draw by names that they imported, import a neighbour and print."""
        swap = "def swap(deck, i, j):\n    deck[i], deck[j] = deck[j], deck[i]\n"
        mine = """
            import random, secrets
            from random import randrange
            from neighbour import swap
            random.seed(1)
            def naive(deck):
                print("shuffling")
                for i in range(len(deck)):
                    swap(deck, i, randrange(len(deck)))
            def secret(deck, times=1):
                for i in range(len(deck) - 1, 0, -1):
                    swap(deck, i, secrets.randbelow(i + 1))
            def own(deck):
                random.SystemRandom().shuffle(deck)
            def sample(deck, rng=None):
                return rng.sample(deck, len(deck))
            def bits(deck):
                return sorted(deck, key=lambda item: random.getrandbits(1))
            def lazy(deck):
                while deck:
                    yield deck.pop(random.randrange(len(deck)))
            def old(deck, random=random.random):
                for i in range(len(deck) - 1, 0, -1):
                    swap(deck, i, int(random() * (i + 1)))
            class Python310(random.Random):
                def shuffle(self, deck, random=None):
                    assert random is None
                    super().shuffle(deck)
            method = Python310().shuffle
            """
        with tempfile.TemporaryDirectory() as folder:
            for name, body in (("neighbour", swap), ("mine", textwrap.dedent(mine))):
                with open(os.path.join(folder, name + ".py"), "w", encoding="utf-8") as file:
                    file.write(body)
            for name, known in (("naive", "4 5 5 5 4 4 of 27"), ("secret", "1 1 1 1 1 1 of 6"), ("own", "1 1 1 1 1 1 of 6"),
                                ("sample", "1 1 1 1 1 1 of 6"), ("lazy", "1 1 1 1 1 1 of 6"), ("old", "1 1 1 1 1 1 of 6"),
                                ("method", "1 1 1 1 1 1 of 6"), ("bits", "4 1 1 1 1 0 of 8")):
                with self.subTest(name=name):
                    report, _ = prove("-n 3", [sys.executable, os.path.join(ADAPTERS, "prove.py"), "3", os.path.join(folder, "mine.py"), name])
                    self.assertEqual(law(report), known)

    @unittest.skipUnless(NODE, "no node")
    def test_javascript_crypto(self):
        """Each kind of draw of crypto, and both kinds of modules. 256 = 3 * 85 + 1, so a byte modulo 3 is 0 once more."""
        mine = """
            const { randomInt } = require('crypto'), node = require('crypto');
            const shuffle = (draw) => (deck) => {
                for (let i = deck.length - 1; i > 0; i--) {
                    const j = draw(i + 1);
                    [deck[i], deck[j]] = [deck[j], deck[i]];
                }
                console.log('shuffled');
            };
            const web = node.webcrypto;
            exports.integers = shuffle((k) => randomInt(k));
            exports.range = shuffle((k) => randomInt(5, 5 + k) - 5);
            exports.web = shuffle((k) => web.getRandomValues(new Uint8Array(1))[0] % k);
            exports.node = shuffle((k) => node.getRandomValues(new Uint8Array(1))[0] % k);
            exports.bytes = shuffle((k) => node.randomBytes(1)[0] % k);
            exports.filled = shuffle((k) => node.randomFillSync(Buffer.alloc(1))[0] % k);
            exports.part = shuffle((k) => node.randomFillSync(new Uint8Array(3), 1, 1)[1] % k);
            exports.buffer = shuffle((k) => new Uint8Array(node.randomFillSync(new ArrayBuffer(1)))[0] % k);
            exports.impatient = shuffle((k) => (process.stdin.resume().pause(), Math.floor(Math.random() * k)));
            exports.caught = shuffle((k) => {
                try { return web.getRandomValues(new Uint32Array(1))[0] % k; } catch { return 0; }
            });
            exports.lazy = function* (deck) {
                while (deck.length > 0) yield deck.splice(randomInt(deck.length), 1)[0];
            };
            exports.set = (deck) => (exports.integers(deck), new Set(deck));
            exports.promise = async (deck) => deck;
            exports.number = () => 5;
            exports.words = shuffle((k) => web.getRandomValues(new Uint32Array(1))[0] % k);
            """
        module = """
            import { randomInt } from 'node:crypto';
            export function shuffle(deck) {
                for (let i = 0; i < deck.length; i++) {
                    const j = randomInt(deck.length);
                    [deck[i], deck[j]] = [deck[j], deck[i]];
                }
            }
            """
        by_bytes = "85 85 85 86 85 86 of 512"
        with tempfile.TemporaryDirectory() as folder:
            for name, body in (("mine.js", mine), ("module.mjs", module)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(textwrap.dedent(body))
            command = [NODE, os.path.join(ADAPTERS, "prove.js"), os.path.join(folder, "mine.js"), "3"]
            for name, known in (("integers", "1 1 1 1 1 1 of 6"), ("lazy", "1 1 1 1 1 1 of 6"), ("set", "1 1 1 1 1 1 of 6"),
                                ("range", "1 1 1 1 1 1 of 6"), ("web", by_bytes), ("part", by_bytes),
                                ("impatient", "1 1 1 1 1 1 of 6")):  # whose standard input does not block
                with self.subTest(name=name):
                    self.assertEqual(law(prove("-n 3", [*command, name])[0]), known)
            for name in ("node", "bytes", "filled", "buffer"):  # with 256 answers instead of 256^2
                with self.subTest(name=name):
                    report, _ = prove("-n 2", [*command[:3], "2", name])
                    self.assertEqual((law(report), report["evidence"]["paths"]), ("1 1 of 2", 256))
            for name, message in (("words", "words of 32 bits have too many values to try one by one"),
                                  ("caught", "words of 32 bits have too many values to try one by one"),
                                  ("promise", "subject: prove.js: the function returned [object Promise]: return the shuffled array"),
                                  ("number", "subject: prove.js: the function returned 5: return the shuffled array"),
                                  ("nothing", "exports no function, by itself or under the name nothing")):
                self.assertIn(message, run("-n 3", [*command, name]).stderr)
            report, _ = prove("-n 3", [NODE, command[1], os.path.join(folder, "module.mjs"), "3"])
            self.assertEqual(law(report), "4 5 5 5 4 4 of 27")

    def test_shell(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.sh")
            with open(path, "w", encoding="utf-8") as file:
                file.write("shuffle() {\n    n=1\n    below 2\n    deck=\"$1 $2 $3\"\n"
                           "    [ \"$drawn\" = 0 ] || deck=\"$2 $3 $1\"\n}\n")
            for name in (path, "mine.sh"):
                done = run("-n 3 --format json", ["sh", os.path.abspath(os.path.join(ADAPTERS, "prove.sh")), name, "3"], cwd=folder)
                self.assertEqual((law(json.loads(done.stdout)["reports"][0]), done.returncode), ("1 0 0 1 0 0 of 2", 1))

    @unittest.skipUnless(CC, "no C compiler")
    def test_c(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine")
            with open(path + ".c", "w", encoding="utf-8") as file:
                file.write(textwrap.dedent("""
                    #include <locale.h>
                    #include "prove.h"
                    static void shuffle(int deck[], size_t n)
                    {
                        for (size_t i = n; i-- > 1;) {
                            const unsigned j = i == 1 ? (unsigned)(prove_random() * 2) : prove_below((unsigned)i + 1);
                            const int item = deck[i];
                            deck[i] = deck[j];
                            deck[j] = item;
                        }
                    }
                    int main(void)
                    {
                        int deck[4];
                        setlocale(LC_ALL, "de_DE.UTF-8"); /* with a decimal comma, if there is this locale */
                        prove(shuffle, deck, 4);
                        return 0;
                    }
                    """))
            subprocess.run([CC, "-std=c17", "-Wall", "-Wextra", "-Werror", "-I", ADAPTERS, path + ".c", "-o", path],
                           check=True, timeout=60)
            locales = os.path.join(os.path.dirname(os.path.abspath(PROGRAM)), "tests")  # tests/meson.build makes one
            report, status = prove("-n 4", ["env", "LOCPATH=" + locales, path])
        self.assertEqual((report["verdict"], status, report["evidence"]["paths"]), ("uniform", 0, 4 * 3 * 12))

    @unittest.skipUnless(GO, "no Go")
    def test_go(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.go")
            shutil.copy(os.path.join(ADAPTERS, "prove.go"), folder)
            with open(path, "w", encoding="utf-8") as file:
                file.write("package main\n\nfunc shuffle(deck []int, below func(int) int) {\n\tfor i := range deck {\n"
                           "\t\tj := below(len(deck))\n\t\tdeck[i], deck[j] = deck[j], deck[i]\n\t}\n}\n")
            program = os.path.join(folder, "mine")
            subprocess.run([GO, "build", "-o", program, os.path.join(folder, "prove.go"), path], check=True,
                           timeout=100, env={**os.environ, "GOCACHE": os.path.join(folder, "cache"), "GO111MODULE": "off"})
            report, status = prove("-n 3", [program, "3"])
        self.assertEqual((law(report), status), ("4 5 5 5 4 4 of 27", 1))


class Peers(unittest.TestCase):
    def test_fair(self):
        for body in ('say("deck " + " ".join(map(str, fair(3))))',
                     'say("deck " + ", ".join(str(i + 1) for i in fair(3)) + "\\r\\n")'):  # from 1
            report, status = prove("-n 3", python(body))
            self.assertEqual((law(report), status), ("1 1 1 1 1 1 of 6", 0))

    def test_no_draws(self):
        report, status = prove("-n 2", python('say("deck 1 0")'))
        self.assertEqual((law(report), status), ("0 1 of 1", 1))

    def test_a_draw_below_one_has_one_answer(self):
        report, _ = prove("-n 2", python('a = int(ask("draw 1")) + int(ask("draw 2"))\nsay("deck %d %d" % (a, 1 - a))'))
        self.assertEqual((law(report), report["evidence"]["paths"]), ("1 1 of 2", 2))

    def test_numbers_rest_on_an_assumption(self):
        """From 0 to 1/2 a proof tries three numbers, none of which lies between 0.05 and 0.2: it cannot see that such a number
        keeps the deck. So it says what it assumes, and only if the shuffle asked for numbers."""
        hides = python("""
            u = ask("random")
            say("deck 0 1" if u < 0.5 and not 0.05 < u < 0.2 else "deck 1 0")
        """)
        found, status = prove("-n 2", hides)
        self.assertEqual((status, found["verdict"]), (0, "uniform"))
        self.assertEqual(found["sentence"], "each of the 2 orders is equally likely. This assumes that the result depends only on which of 2 "
                         "equal cells a number in [0, 1) lies in; three places of each cell were tested.")
        third, status = prove("-n 2 --cells 3", python("say('deck 0 1' if ask('random') < 1 / 3 else 'deck 1 0')"))
        self.assertEqual(status, 1)
        self.assertIn("only on which of 3 equal cells a number in [0, 1) lies in", third["sentence"])
        self.assertNotIn("assumes", prove("-n 3", python("say('deck %d %d %d' % tuple(fair(3)))"))[0]["sentence"])

    def test_a_clock_is_refused_with_both_transcripts(self):
        done = run("-n 3", python("""
            deck = fair(3)
            if time.time_ns() // 1000 % 2:
                deck.reverse()
            say("deck " + " ".join(map(str, deck)))"""))
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("the same answers do not lead to the same shuffle, so it depends on something else, such as random numbers from "
                      "another source or earlier shuffles", done.stderr)
        self.assertNotIn("clock", done.stderr)
        self.assertRegex(done.stderr, r"first 'draw 3: (\d), draw 2: (\d), deck \d \d \d', then 'draw 3: \1, draw 2: \2, deck")

    def test_decks_that_differ_without_a_question(self):
        done = run("-n 3", python("""
            import random
            deck = [0, 1, 2]
            random.shuffle(deck)
            say("deck " + " ".join(map(str, deck)))"""))
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertRegex(done.stderr, "it asks for no draw, but its decks differ, so it depends on something else, such as random numbers from "
                         r"another source or earlier shuffles: first 'deck \d \d \d', then 'deck \d \d \d'")

    def test_a_clock_before_a_question(self):
        done = run("-n 3", python("""
            ask("draw %d" % (2 + time.time_ns() // 1000 % 2))
            say("deck 0 1 2")"""))
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"first 'draw (2|3)(: 0, deck 0 1 2)?', then 'draw")

    def test_broken_words(self):
        for body, word in (
                ('say("hello")', "said 'hello'"),
                ('say("deck 0 1")', "2 items where -n says 3: keep each item once, and tell the shuffle the same -n\n"),
                ('say("deck 0 1 2 3")', "4 items where -n says 3"),
                ('say("deck 0 1 1")', "item 1 stands twice"),
                ('say("deck 0 1 x")', "whole numbers"),
                ('say("deck 0 1 7")', "item 7 at position 2"),
                ('say("deck 1 2 3" if calls < 9 else "deck 0 1 2")', "counted from 1"),
                ('ask("draw 0")', "from 1 to 4294967295"),
                ('ask("draw 1000000000000")', "from 1 to 4294967295"),
                ('ask("draw -1")', "from 1 to 4294967295"),
                ('ask("draw 3.5")', "from 1 to 4294967295"),
                ('say("x" * 200000)', "the line has no end"),
                ('os.write(1, bytes(range(256)) + b"\\n")', "said"),
                ('os.write(1, b"deck 0 1 2\\0 junk\\n")', "said 'deck 0 1 2': a byte of 0 follows"),
                ('sys.exit(3)', "exited with status 3"),
                ('sys.exit(0)', "ended in the midst"),
                ('os.kill(os.getpid(), 9)', "killed by signal 9"),
                ('time.sleep(100)', "no question or deck"),
                ('while True: ask("draw 2")', "does it end?"),
                ('while True: os.write(1, b"draw 2\\n")', "does it end?"),
                ('say("deck 0 1 2\\ndeck 0 1 2")', "wait for 'start' after a deck")):
            with self.subTest(body=body):
                began = time.monotonic()
                done = run("-n 3 --timeout 1", python(body))
                self.assertEqual((done.returncode, done.stdout), (4, ""))
                self.assertIn(word, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertLess(time.monotonic() - began, 20)

    def test_too_much(self):
        done = run("-n 8", python('ask("draw 4000000000")\nsay("deck 0 1 2 3 4 5 6 7")'))
        self.assertEqual(done.returncode, 2)
        self.assertIn("about 4e+09 series of answers", done.stderr)
        self.assertNotIn("random", done.stderr)
        done = run("-n 5", python("""
            heads = sum(float(ask("random")) < 0.5 for _ in range(6))
            say("deck 0 1 2 3 4" if heads % 2 else "deck 4 3 2 1 0")"""))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("each 'random' has 60 answers: ask 'draw K' in its place, or use --cells 2 (about 64 series)", done.stderr)
        report, status = prove("-n 3 --max-paths 1e3", python("""
            while ask("draw 3") == 0:
                pass
            say("deck " + " ".join(map(str, fair(3))))"""))
        self.assertEqual((report["verdict"], status), ("uniform", 0))
        self.assertLess(Fraction(report["evidence"]["unresolved"]), Fraction(1, 2 ** 60))

    def test_keys_need_a_gate(self):
        """A sort by random keys compares two numbers of one cell, however many cells there are."""
        for options in ("-n 3", "-n 3 --cells 7"):
            report, status = prove(options, python('''
                key = [float(ask("random")) for _ in range(3)]
                say("deck %d %d %d" % tuple(sorted(range(3), key=key.__getitem__)))'''))
            self.assertEqual((report["verdict"], status), ("inconclusive", 3))
            self.assertIn("compares random numbers with each other", report["warning"])
            self.assertIn("use a gate", report["warning"])

    def test_rejection_ends(self):
        """A draw of bits that is made again if it is too large: the series have any length."""
        again = '''
            def below(k):
                while True:
                    drawn = int(ask("draw %%d" %% 2 ** (k - 1).bit_length()))
                    if drawn < k:
                        return drawn
            deck = [0, 1, 2]
            for i in (2, 1):
                j = below(%s)
                deck[i], deck[j] = deck[j], deck[i]
            say("deck %%d %%d %%d" %% tuple(deck))'''
        report, status = prove("-n 3", python(again % "i + 1"))
        self.assertEqual((report["verdict"], status, report["warning"]), ("uniform", 0, None))
        self.assertRegex(report["sentence"], "^each of the 6 orders is equally likely, to within [0-9.]+e-(19|2[0-9]): ")
        unresolved = Fraction(report["evidence"]["unresolved"])
        self.assertTrue(0 < unresolved < Fraction(1, 2 ** 60))
        for count in report["evidence"]["counts"]:
            share = Fraction(count) / Fraction(report["evidence"]["denominator"])
            self.assertTrue(share <= Fraction(1, 6) <= share + unresolved)
        report, status = prove("-n 3 --max-draws 8", python(again % "3"))
        self.assertEqual((report["verdict"], status), ("biased", 1))
        report, status = prove("-n 3 --max-draws 8", python(again % "i + 1"))
        self.assertEqual((report["verdict"], status), ("inconclusive", 3))
        self.assertRegex(report["sentence"], "not resolved: the bias is at most 0[.]0[0-9]+ in total variation")

    def test_a_lower_bound_is_not_rounded_up(self):
        """Of five draws below 10, the last is still 9 with probability 1e-5, so 012 has at least 99999/100000 instead of 1/6."""
        report, status = prove("-n 3 --max-draws 5", python("""
            while ask("draw 10") == 9:
                pass
            say("deck 0 1 2")"""))
        self.assertEqual((law(report), status), ("99999 0 0 0 0 0 of 100000", 1))
        self.assertIn("comes up at least 5.99 times as often as it should, whatever the rest", report["sentence"])

    def test_standard_error_is_passed_on_harmless(self):
        done = run("-n 2", python('os.write(2, b"\\x1b[31mred\\n") if calls == 1 else 0\nsay("deck " + "%d %d" % tuple(fair(2)))'))
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^subject: [^\x1b]*red\n$")

    def test_usage(self):
        for words in (["-n", "3"], ["-n", "11", "--", "true"], ["--cells", "0", "--", "true"], ["naive", "--", "true"], ["--"],
                      ["--timeout", "0", "--", "true"], ["--max-draws", "1e9", "--", "true"], ["--format", "x", "--", "true"]):
            done = subprocess.run([PROGRAM, "prove", *words], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(run("-n 3", ["/no/such/command"]).returncode, 4)
        self.assertIn("lcm", subprocess.run([PROGRAM, "prove", "--help"], capture_output=True, text=True).stdout
                      .replace("least common multiple", "lcm").replace("common\n", "lcm"))

    def interrupt(self, options, body, again=False):
        """Ctrl-C once the peer has said on its standard error that it is ready, and again after a while: (exit status, output,
        the rest of stderr). Nothing is left running: else a pipe that all of them have inherited would not end."""
        lifeline, other = os.pipe()
        with subprocess.Popen([PROGRAM, "prove", *options.split(), "--", *python(body)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, pass_fds=[other], text=True) as program:
            os.close(other)
            self.assertEqual(program.stderr.readline(), "subject: ready\n")
            program.send_signal(signal.SIGINT)
            if again:
                waiting.interrupt_until_it_ends(program)
            out, err = program.communicate(timeout=60)
        self.assertEqual(select.select([lifeline], [], [], 20)[0], [lifeline], "something is still running")
        os.close(lifeline)
        return program.returncode, out, err

    def test_interrupted(self):
        status, out, err = self.interrupt("-n 7 --quiet --format json", """
            time.sleep(0.002)
            if calls == 200:
                os.write(2, b"ready\\n")
            say("deck " + " ".join(map(str, fair(7))))""")
        self.assertEqual((status, err), (130, ""))
        report, = json.loads(out)["reports"]
        self.assertEqual(report["verdict"], "inconclusive")
        self.assertIn("stopped early", report["warning"])

    def test_interrupted_before_anything_was_counted(self):
        """Among the probes, at a question and at a deck: nothing is known, and one line says so."""
        for said in ("", 'ask("draw 2")'):
            status, out, err = self.interrupt("-n 3", """
                %s
                if calls == 10:
                    os.write(2, b"ready\\n")
                    time.sleep(100)
                say("deck 0 1 2")""" % said)
            self.assertEqual((status, out), (130, ""))
            self.assertRegex(err, r"^shufflebias prove: .*: interrupted before a series of answers was counted: nothing is known yet\n$")

    def test_silence_can_be_interrupted(self):
        status, out, _ = self.interrupt("-n 3", """
            os.write(2, b"ready\\n")
            time.sleep(100)""")
        self.assertEqual((status, out), (130, ""))

    STUBBORN = """
        import signal, subprocess
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen(["sleep", "100"], close_fds=False)
        os.write(2, b"ready\\n")
        time.sleep(100)"""

    def test_an_interrupt_ends_a_stubborn_peer_and_its_children(self):
        self.assertEqual(self.interrupt("-n 3", self.STUBBORN)[:2], (130, ""))

    def test_a_second_interrupt_ends_them_at_once(self):
        """The first one waits half a second for a peer that does not care."""
        self.assertEqual(self.interrupt("-n 3", self.STUBBORN, again=True)[:2], (130, ""))


class Documentation(unittest.TestCase):
    def test_the_page(self):
        """Every command that docs/prove.md shows with its outcome has that outcome."""
        with open(os.path.join(SOURCE, "docs", "prove.md"), encoding="utf-8") as file:
            page = file.read()
        shown = 0
        for line in page.splitlines():
            if line.startswith("build/shufflebias prove") and "#" in line and (NODE or " node " not in line):
                command, status = line.rsplit("# exit status ", 1)
                words = shlex.split(command)
                done = subprocess.run([PROGRAM, *words[1:]], cwd=SOURCE, capture_output=True, text=True, timeout=100)
                self.assertEqual(done.returncode, int(status), line)
                shown += 1
        self.assertGreater(shown, 0)  # without node one is left


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
