#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plug-in for pytest: fair and biased shuffles, its options, and one clear line for each mistake.

The shuffles have fixed seeds, except those with secrets, which fail by chance with probability 1e-9 at most.

Usage: plugin.py LIBRARY SOURCE
"""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
import xml.etree.ElementTree

LIBRARY, SOURCE = map(os.path.abspath, sys.argv[1:3])
HEAD = """
import random, secrets
import pytest

random.seed(1)

def naive(deck):
    for i in range(len(deck)):
        j = random.randrange(len(deck))
        deck[i], deck[j] = deck[j], deck[i]

"""
SHUFFLES = """
    @pytest.mark.fair_shuffle(n=4, max_bias=0.05)
    def test_fair(deck, tmp_path):
        assert deck == [0, 1, 2, 3] and tmp_path.exists()
        random.shuffle(deck)

    @pytest.mark.fair_shuffle
    def test_biased(deck):
        naive(deck)

    def test_others():
        pass
"""


class Plugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def pytest(self, tests, *options, stderr=""):
        """Its exit status and what it says about these tests."""
        with open(os.path.join(self.folder, "test_shuffles.py"), "w", encoding="utf-8") as file:
            file.write(HEAD + textwrap.dedent(tests))
        environment = {**os.environ, "PYTHONPATH": os.path.join(SOURCE, "src", "python"), "SHUFFLEBIAS_LIBRARY": LIBRARY,
                       "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "shufflebias.pytest_plugin", "--strict-markers", "-q", "-rs",
                               *options], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=100)
        self.assertIn(stderr, done.stderr)
        self.assertTrue(stderr or not done.stderr, done.stderr)
        return done.returncode, done.stdout

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def test_marker(self):
        status, said = self.pytest(SHUFFLES, "--junitxml=results.xml")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"(?m)^1 failed, 2 passed in")
        self.assertRegex(said, r"(?m)^shufflebias: 1 fair, 1 not fair, from [\d,]+ permutations$")
        page = self.path(".pytest_cache", "d", "shufflebias", "test_shuffles.py-test_biased.html")
        for part in ("FAIL  the shuffle is not fair: ", "It looks like `naive`", "\nCause: Each step", "\nFix: this is fair:", f"\nPage: {page}\n"):
            self.assertIn(part, said)
        self.assertNotIn("Traceback", said)
        self.assertNotIn("pytest_plugin.py", said)
        with open(page, encoding="utf-8") as file:
            self.assertIn("<html", file.read())
        (case, *_) = xml.etree.ElementTree.parse(self.path("results.xml")).iterfind(".//testcase[@name='test_biased']")
        self.assertEqual({each.get("name"): each.get("value") for each in case.iter("property")}["shufflebias.verdict"], "fail")

    def test_fixture(self):
        status, said = self.pytest("""
            def test_several(fair_shuffle):
                assert fair_shuffle(random.shuffle, n=4, max_bias=0.05).verdict == "pass"
                fair_shuffle(lambda deck: random.sample(deck, 2), 10, 0.1, deal=2)
                fair_shuffle(naive, items="abcd", name="mine")
            """)
        self.assertEqual(status, 1)
        self.assertRegex(said, r"(?m)^>       fair_shuffle\(naive, items=\"abcd\", name=\"mine\"\)$")
        self.assertRegex(said, r"(?m)^E       shufflebias.FairnessError: FAIL  the shuffle")
        self.assertIn("shufflebias: 2 fair, 1 not fair", said)
        self.assertNotIn("def judge", said)

    def test_deck_of_the_project(self):
        status, said = self.pytest("""
            @pytest.fixture
            def deck():
                return ["ace", "king", "queen", "jack"]

            @pytest.mark.fair_shuffle(max_bias=0.05)
            class TestDeck:
                @pytest.mark.parametrize("copies", [1, 2])
                def test_cards(self, deck, copies):
                    return random.sample(deck, len(deck))

                def test_draws(self, deck):
                    return [deck.pop(secrets.randbelow(len(deck))) for _ in range(4)]
            """)
        self.assertEqual(status, 0, said)
        self.assertIn("shufflebias: 3 fair, from ", said)

    def test_ledger(self):
        """All runs share it, and tests with another alpha have their own."""
        tests = SHUFFLES + """
    @pytest.mark.fair_shuffle(n=3, alpha=1e-6, max_bias=0.1)
    def test_other(deck):
        random.shuffle(deck)
"""
        for runs in (2, 4):
            self.pytest(tests)
            with open(self.path(".pytest_cache", "d", "shufflebias", "ledger.json"), encoding="utf-8") as file:
                self.assertRegex(file.read(), r'"runs": %d\b' % runs)
        self.assertTrue(os.path.exists(self.path(".pytest_cache", "d", "shufflebias", "ledger-alpha-1e-06.json")))

    def test_evidence_adds_up(self):
        """A test that saves its evidence adds to it in each run, and has one share of the ledger."""
        tests = """
            @pytest.mark.fair_shuffle(n=4, max_bias=0.05, limit=300, save="deck.json")
            def test_deck(deck):
                secrets.SystemRandom().shuffle(deck)  # with the seed, each run would be the first
            """
        for run in (1, 2, 3):
            self.assertEqual(self.pytest(tests)[0], 1)
            with open(self.path("deck.json"), encoding="utf-8") as file:
                saved = json.load(file)
            self.assertEqual((saved["run"]["run"], saved["run"]["share"], saved["total"]), (run, 1, 300 * run))

    def test_without_cache(self):
        status, said = self.pytest(SHUFFLES, "-p", "no:cacheprovider")
        self.assertEqual(status, 1)
        self.assertIn("Fix: this is fair:", said)
        self.assertNotIn("Page: ", said)
        self.assertFalse(os.path.exists(self.path(".pytest_cache")))

    def test_pages(self):
        self.pytest(SHUFFLES, "--shufflebias-pages=pages/here")
        self.assertEqual(os.listdir(self.path("pages", "here")), ["test_shuffles.py-test_biased.html"])

    def test_samples(self):
        """A test that a short run does not decide is skipped; without the option it fails."""
        status, said = self.pytest(SHUFFLES, "--shufflebias-samples=64")
        self.assertEqual(status, 0)
        self.assertIn("shufflebias: 2 inconclusive, from 128 permutations", said)
        self.assertIn("after 64 shuffles", said)
        status, said = self.pytest(SHUFFLES.replace("max_bias=0.05", "limit=64"))
        self.assertIn("after 64 shuffles", said)
        self.assertRegex(said, r"(?m)^2 failed, 1 passed in")
        status, said = self.pytest(SHUFFLES, "--shufflebias-samples=5000")
        self.assertRegex(said, r"(?m)^1 failed, 1 passed, 1 skipped in")

    def test_samples_and_limits(self):
        """The option only lowers the limit of a test. A test that its own limit leaves undecided fails."""
        status, said = self.pytest(SHUFFLES.replace("max_bias=0.05", "limit=64"), "--shufflebias-samples=5000")
        self.assertIn("after 64 shuffles", said)
        self.assertRegex(said, r"(?m)^2 failed, 1 passed in")

    def test_items(self):
        """Items of the marker, more of them than by default."""
        status, said = self.pytest("""
            @pytest.mark.fair_shuffle(items="ABCDEFG", n=None, limit=2000, max_bias=0.3)
            def test_letters(deck):
                assert sorted(deck) == list("ABCDEFG")
                random.shuffle(deck)
            """)
        self.assertEqual(status, 0, said)

    def test_names_of_pages(self):
        """Each case has a page of its own, also if the values of parameters differ only in signs, or are too long for a file."""
        status, said = self.pytest("""
            @pytest.mark.parametrize("value", ["a/b", "a-b", "x" * 300])
            @pytest.mark.fair_shuffle
            def test_biased(deck, value):
                naive(deck)
            """, "--shufflebias-pages=pages")
        self.assertIn("shufflebias: 3 not fair", said)
        self.assertEqual(len(os.listdir(self.path("pages"))), 3)

    def test_unittest(self):
        """pytest calls a method of unittest.TestCase once, as an ordinary test: the marker must not let a biased shuffle pass."""
        status, said = self.pytest("""
            import unittest

            class Deck(unittest.TestCase):
                @pytest.mark.fair_shuffle
                def test_biased(self):
                    naive([0, 1, 2])
            """)
        self.assertEqual(status, 1, said)
        self.assertIn("@pytest.mark.fair_shuffle: test_biased is a method of a unittest.TestCase: call shufflebias.assert_fair()", said)

    def test_mistakes(self):
        for text, test in {
            "test_it, shuffle 1: the result has 3 items of 4: keep each item once": "def test_it(deck): deck.pop()",
            "test_it: it is a coroutine: pass a function that returns": "async def test_it(deck): deck.pop()",
            "@pytest.mark.fair_shuffle: test_it has no argument `deck`": "def test_it(): pass",
        }.items():
            with self.subTest(text=text):
                status, said = self.pytest(f"@pytest.mark.fair_shuffle(n=4)\n{test}\n")
                self.assertEqual(status, 1)
                self.assertRegex(said, r"(?m)^" + re.escape(text))
                self.assertNotIn("Traceback", said)
                self.assertNotIn("During handling", said)
        for text, arguments in {
            "@pytest.mark.fair_shuffle: name the arguments": "4",
            "unknown option 'sice'": "sice=4",
            "`max_bias = 2`": "max_bias=2",
            "@pytest.mark.fair_shuffle: `n=2.5`: give a whole number": "n=2.5",
        }.items():
            with self.subTest(text=text):
                _, said = self.pytest(f"@pytest.mark.fair_shuffle({arguments})\ndef test_it(deck): pass\n")
                self.assertRegex(said, r"(?m)^" + re.escape(text))
        self.pytest("", "--shufflebias-samples=0", stderr="argument --shufflebias-samples: give 1 or more")
        _, said = self.pytest("def test_it(deck): pass\n")
        self.assertIn("the fixture `deck` belongs to tests with @pytest.mark.fair_shuffle", said)

    def test_a_shuffle_that_raises(self):
        """pytest shows the line of the test, and nothing of the plug-in."""
        status, said = self.pytest("@pytest.mark.fair_shuffle(n=4)\ndef test_it(deck):\n    assert deck == [4]\n")
        self.assertEqual(status, 1)
        self.assertIn(">       assert deck == [4]", said)
        self.assertNotIn("pytest_plugin", said)
        self.assertNotIn("ctypes", said)


if __name__ == "__main__":
    if importlib.util.find_spec("pytest") is None:
        print("pytest is not installed: apt-get install python3-pytest")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
