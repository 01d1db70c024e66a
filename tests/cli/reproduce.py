# SPDX-License-Identifier: GPL-3.0-or-later
"""The command at the end of a page makes the same page again, byte for byte."""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from xml.sax.saxutils import unescape

from program import PROGRAM

ADAPTER = os.path.join(os.path.abspath(sys.argv[2]), "data", "adapters", "prove.py")
ENTITIES = {"&quot;": '"', "&#39;": "'", "&apos;": "'"}
DECKS = "1 2 3 4 5 6 7\n2 3 4 5 6 7 1\n7 6 5 4 3 2 1\n" * 100
DEALS = "a b\nc d\nb a\nd c\n" * 90
MATRIX = "17 3 10\n3 17 10\n10 10 10\n"


class Reproduce(unittest.TestCase):
    def page(self, *command, text=None):
        done = subprocess.run([PROGRAM, *command], input=text, capture_output=True, text=True, timeout=100, check=False)
        self.assertIn(done.returncode, (0, 1, 3), (command, done.stderr))
        return done.stdout

    def command(self, page):
        """The command of a page, without the program's name."""
        code, = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page[page.index("How to reproduce it"):], re.S)
        name, *rest = shlex.split(unescape(re.sub("<[^>]+>", "", code), ENTITIES))
        self.assertEqual(name, "shufflebias")
        return rest

    def same(self, *command, text=None):
        page = self.page(*command, text=text)
        again = self.command(page)
        self.assertEqual(page, self.page(*again, text=text), again)
        return again

    def report(self, line, *subject, text=None):
        return self.same("report", *shlex.split(line), "--format", "html", *subject, text=text)

    def test_schemes(self):
        for line in ("naive --samples 1000", "naive -n 5 --samples 1000 --statistics parity,cycles",
                     "naive -n 12 --samples 500 --statistics none", "naive -n 52 --samples 500 --profile cards",
                     "naive -n 12 --samples 900 --increments --statistics parity", "naive -n 5 --by exact --alpha 1e-20",
                     "naive fisher-yates -n 4 --by sample --samples 100 --seed 7", "splice -n 20 --deal 3 --samples 200",
                     "naive --cards 'A A B' --samples 900", "naive --samples 9 --title 'a & \"b\" isn'\"'\"'t'",
                     "naive --samples 9 --title '$(touch hit); `touch hit`'", "naive --draw modulo:15 --rng mt19937 --samples 900",
                     "fisher-yates/modulo/msvc-rand -n 5 --by seeds --seeds 0..999 --increments --statistics parity"):
            self.report(line)

    def test_what_a_page_does_not_depend_on_is_left_out(self):
        self.assertEqual(self.report("naive --samples 9 --threads 2 --quiet"), ["report", "--samples", "9", "--format", "html", "naive"])

    def test_streams(self):
        for line in ("", "--increments", "--chained", "--statistics none", "--samples 50", "--title mine",
                     "--cards '7 6 5 4 3 2 1'", "--match '^(.*)$'", "--field 1- --separator ' '"):
            self.assertEqual(self.report(line, "-", text=DECKS)[-1], "-")
        self.report("--deal 2 -n 4 --cards 'a b c d'", "-", text=DEALS)

    def test_commands(self):
        deal = "for (( i = 0; i < 99; i++ )); do echo '1 2 3'; echo \"3 1 2\"; done"
        self.assertEqual(self.report("", "--", "bash", "-c", deal)[-4:], ["--", "bash", "-c", deal])
        self.report("--once --samples 3", "--", "sh", "-c", "echo 2 1")

    def test_matrices(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a matrix")
            for line, text in (("", MATRIX), ("--alpha 0.01 --title mine", MATRIX), ("--cards 'q r s'", MATRIX),
                               ("--deal 2", "10 5\n5 10\n6 4\n4 6\n"), ("", "item,x,y\nfirst item,5,6\nsecond item,6,5\n")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                self.same("report", *shlex.split(line), "--matrix", path, "--format", "html")

    def test_gates(self):
        for line in ("naive", "naive --title 'a b'", "naive -n 52 --profile cards --limit 5000", "naive --cards 'A A B'",
                     "naive -n 5 --increments", "splice -n 5 --deal 2 --limit 900 --alpha 1e-20", "naive --tolerate 0.001"):
            self.same("gate", *shlex.split(line), "--format", "html")
        for line in ("", "--title mine", "--chained", "--cards '7 6 5 4 3 2 1'", "--ordered"):
            self.same("gate", *shlex.split(line), "--format", "html", "-", text=DECKS)

    def test_evidence_comes_from_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "it's saved")
            for command in ("report", "gate"):
                self.page(command, "naive", "-n", "4", "--samples" if command == "report" else "--limit", "900", "--save", path)
                self.assertEqual(self.same(command, path, "--format", "html")[-1], path)
                os.unlink(path)

    def test_proofs(self):
        for line in ("", "--max-draws 2"):
            self.same("prove", "-n", "3", *shlex.split(line), "--format", "html", "--", sys.executable, ADAPTER, "3")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
