# SPDX-License-Identifier: GPL-3.0-or-later
"""The command playground: it writes the page that the program was built with, complete or not at all. A program without
the page says how to get it. tests/web/playground.mjs tests the page itself.

Usage: playground.py SHUFFLEBIAS SOURCE [PAGE]     PAGE: the page that the program was built with
"""
import os
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM

PAGE = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None


def run(folder, *arguments):
    return subprocess.run([PROGRAM, "playground", *arguments], cwd=folder, capture_output=True, text=True, timeout=100)


class Playground(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def fails(self, status, line, *arguments):
        done = run(self.folder, *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""))
        self.assertRegex(done.stderr, r"\Ashufflebias playground: [^\n]*%s[^\n]*\n\Z" % line)
        self.assertEqual(os.listdir(self.folder), [])

    def test_arguments(self):
        self.fails(2, "name the file")
        self.fails(2, "one file at a time: leave 'b' out", "a", "b")
        self.fails(2, "one file at a time: leave 'a' out", "-o", "b", "a")

    @unittest.skipIf(PAGE, "the program has the page")
    def test_no_page(self):
        self.fails(4, "-Dplayground=", "page.html")

    @unittest.skipUnless(PAGE, "the program was built without the page")
    def test_page(self):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        for arguments in (["page.html"], ["-o", "page.html"]):
            done = run(self.folder, *arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "page.html: open it in a browser\n", ""))
            with open(os.path.join(self.folder, "page.html"), encoding="utf-8") as file:
                self.assertEqual(file.read(), page)
        self.assertEqual(run(self.folder, "-").stdout, page)
        self.assertEqual(os.listdir(self.folder), ["page.html"])
        done = run(self.folder, "none/page.html")
        self.assertEqual((done.returncode, done.stdout), (4, ""))


unittest.main(argv=sys.argv[:1])
