#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command in a `sh` block of the README, of docs/ci.md, docs/save.md and docs/watch.md works, in a folder with the program and `data` alone,
its first table is what comes out, and so are two of the tables of docs/zoo.md.

Usage: readme.py SHUFFLEBIAS SOURCE
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]
with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
    README = file.read()
with open(os.path.join(SOURCE, "docs", "ci.md"), encoding="utf-8") as file:
    CI = file.read()
with open(os.path.join(SOURCE, "docs", "save.md"), encoding="utf-8") as file:
    SAVE = file.read()
with open(os.path.join(SOURCE, "docs", "watch.md"), encoding="utf-8") as file:
    WATCH = file.read()
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README + CI + SAVE + WATCH, re.M | re.S)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if "setup.sh" not in line]


class Readme(unittest.TestCase):
    def test_the_two_commands_stand_alone(self):
        for command in ("sh setup.sh && build/shufflebias report", "sh setup.sh && meson test -C build"):
            self.assertIn(command + "\n", BLOCKS)

    def test_commands(self):
        self.assertGreater(len(COMMANDS), 8)
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "build"))
            os.symlink(PROGRAM, os.path.join(folder, "build", "shufflebias"))
            os.symlink(os.path.abspath(os.path.join(SOURCE, "data")), os.path.join(folder, "data"))
            for command in COMMANDS:
                with self.subTest(command=command):
                    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, timeout=100)
                    said = re.search(r"# exit status (\d+)$", command)
                    self.assertEqual((done.returncode, done.stderr), (int(said[1]) if said else 0, ""))
                    self.assertTrue(done.stdout or "--export" in command or " -o " in command)

    def test_the_first_table(self):
        report = subprocess.run([PROGRAM, "report", "naive"], capture_output=True, text=True, timeout=100,
                                env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
        rows = re.findall(r"^\| (\d{3}) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", README, re.M)
        self.assertEqual(len(rows), 6)
        for row in rows:
            (line,) = [line for line in report.splitlines() if line.startswith(row[0] + " ")]
            for cell in row:
                self.assertIn(cell, line)

    def test_the_failure(self):
        """The sentence is of the same loop, built in; the program's random numbers are its own."""
        failure = subprocess.run([PROGRAM, "gate", "naive"], capture_output=True, text=True, timeout=100).stdout
        self.assertIn(re.search(r"^FAIL after .*?\.\n", README, re.M | re.S)[0].replace("\n", " "), failure.replace("\n", " "))

    def test_the_plan(self):
        plan = subprocess.run([PROGRAM, "plan", "naive"], capture_output=True, text=True, timeout=100).stdout
        for test in ("pearson", "likelihood-ratio", "matrix", "known-alternative"):
            (figure,) = re.findall(r"^\| %s \| (\d+) \|" % test, README, re.M)
            self.assertRegex(plan, r"(?m)^%s +%s " % (test, figure))

    def test_the_zoo(self):
        """The tables at n = 8 and of hands of nine; that of 52 cards would take a minute."""
        with open(os.path.join(SOURCE, "docs", "zoo.md"), encoding="utf-8") as file:
            page = file.read()
        for options in ([], ["-n", "52", "--deal", "9"]):
            zoo = subprocess.run([PROGRAM, "zoo", *options, "--format", "markdown"], capture_output=True, text=True, timeout=100).stdout
            rows = [line for line in zoo.splitlines() if line.startswith("| ")]
            self.assertGreater(len(rows), 20)
            for row in rows:
                self.assertIn(row + "\n", page)

    def test_every_shuffle_is_named(self):
        listed = subprocess.run([PROGRAM, "list", "shuffles"], capture_output=True, text=True, timeout=100).stdout
        for name in re.findall(r"^  (\S+)", listed, re.M):
            self.assertIn("`%s`" % name, README)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
