# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the tests of saved evidence: a folder, runs in it, and files that are edited so that their checksums are
right.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE
import schema
from waiting import until

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


def aged(text):
    """The text of evidence as another version would have put it down."""
    return sealed(re.sub(r'"version": "[^"]*"', '"version": "0.0.9"', text))


def flat(saved):
    """Evidence without the object `run`, whose members are its own."""
    return {**saved, **saved["run"]}


def damaged(text, step):
    """The text cut at every so many bytes and before its last, and with that byte changed."""
    for at in [*range(0, len(text), step), len(text) - 1]:
        yield text[:at]
        yield text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1:]


def small():
    """For a child: a file may not grow, and what is written beyond fails, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


class Saving(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    @staticmethod
    def without_its_command(page):
        """Without "How to reproduce it", which names what was typed."""
        return re.sub(r"<h2>How to reproduce it</h2>.*?</pre>", "", page, flags=re.DOTALL)

    def put(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, *arguments, command="report", **more):
        return subprocess.Popen([PROGRAM, command, *arguments], cwd=self.folder.name, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **more)

    def call(self, command, *arguments, status=0, **more):
        """What it prints; where it ends without findings its line. `status` may be several."""
        child = self.start(*arguments, command=command, **more)
        printed, line = child.communicate(timeout=100)
        self.assertIn(child.returncode, status if isinstance(status, tuple) else (status,), line)
        failed = child.returncode in (2, 4)
        self.assertEqual(line.count("\n"), failed, line)
        return line if failed else printed

    def report(self, *arguments, **more):
        return self.call("report", *arguments, **more)

    def saved(self, name="saved"):
        """The evidence of the file; what only the runs of one command have stands beside the rest."""
        return flat(json.loads(self.text(name)))

    def done(self, name):
        """How many permutations the evidence of the file has."""
        return self.saved(name)["total"]

    def until_done(self, name, least):
        """Waits until the file is there and has come so far."""
        until(lambda: os.path.exists(self.path(name)) and self.done(name) >= least, "no checkpoint")

    def killed(self, name, *arguments, command="report", done=1):
        """The evidence of a run that is killed once its file has come so far."""
        with self.start(*arguments, "--checkpoint", "0.01", command=command) as child:
            self.until_done(name, done)
            child.kill()
        return self.saved(name)

    def refused_otherwise(self, call, others):
        """What is asked of the evidence in `saved` otherwise than it was is refused, with both values."""
        for typed, was in others:
            for pick in (("saved",), ("--save", "saved")):
                with self.subTest(typed=typed, pick=pick):
                    self.assertIn("%s: differs from that of 'saved', %s: leave it out" % (typed, was),
                                  call(*pick, *typed.split(), status=2))

    def refused_edited(self, call, edits):
        """Evidence in which something was edited, and the checksum mended, is refused with the place."""
        for name, old, new, place in edits:
            with self.subTest(old=old, new=new):
                text, times = re.subn(old, new, self.text(name), count=1)
                self.assertEqual(times, 1)
                self.put("bad", sealed(text))
                self.assertRegex(call("bad", status=4), r"'bad' is no sound evidence: .*(%s)" % place)

    def valid(self, name, kind="evidence-1.json"):
        """The file is as its schema says, which refuses spoiled copies of it."""
        schema.check(self, SOURCE, kind, self.path(name))
