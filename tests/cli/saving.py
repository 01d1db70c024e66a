# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of saved evidence share: a folder, runs in it, and files that were edited with care."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from waiting import until

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

# Counted by rank, decks side by side; a matrix, statistics, steps and repeats; a generator without a counter, and the
# same where repeats are looked for. Each has several blocks.
RUN_OF_EACH_KIND = (
    ("naive", "-n", "4", "--samples", "60001234"),
    ("naive", "-n", "11", "--samples", "150000", "--increments", "--statistics", "descents,repeat"),
    ("sort-by-key/ideal/mt19937", "-n", "5", "--samples", "1200000", "--increments", "--statistics", "parity"),
    ("overhand/ideal/taus", "-n", "12", "--samples", "100000", "--statistics", "repeat,cycles"))


def checksum(text):
    """FNV-1a of 64 bits."""
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return "%016x" % value


def sealed(text):
    """The text of evidence that was edited, with the checksum that belongs to it."""
    body = text[:text.rindex(',\n  "checksum"')]
    return '%s,\n  "checksum": "%s"\n}\n' % (body, checksum(body))


class Saving(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def put(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, *arguments, command="report", **more):
        return subprocess.Popen([PROGRAM, command, *arguments], cwd=self.folder.name, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **more)

    def report(self, *arguments, status=0, **more):
        """What a run prints; where it is to fail its line."""
        child = self.start(*arguments, **more)
        printed, line = child.communicate(timeout=100)
        self.assertEqual(child.returncode, status, line)
        self.assertEqual(line.count("\n"), status not in (0, 130), line)
        return line if status else printed

    def until_blocks(self, name, least):
        """Waits until the file is there, with so many blocks or more."""
        until(lambda: os.path.exists(self.path(name)) and json.loads(self.text(name))["blocks"]["done"] >= least,
              "no checkpoint")

    def valid(self, name, schema="evidence-1.json"):
        """The file is as its schema says, which refuses spoiled copies of it."""
        done = subprocess.run([sys.executable, os.path.join(SOURCE, "tests/unit/validate_schema.py"),
                               os.path.join(SOURCE, "data/schema", schema), self.path(name)],
                              capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 77), done.stdout)
