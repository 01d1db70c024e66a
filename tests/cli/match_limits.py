# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular expressions that would take all memory, minutes or the stack end with one line; and lines up to 1 MiB match.

A child has 1 GiB of address space and 60 seconds of processor time. An address sanitizer needs more memory than that,
so it only gets the limit of time."""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from program import PROGRAM
import waiting

DEEP = "(" * 20000 + ")" * 20000
LARGE = "((((a{1,255}){1,255}){1,255}){1,255})"  # 255^4 states
LONG = "deck: " * 40000 + "\n"  # 240 kB, for which "deck: (.*) done" takes 5 * 10^9 steps
SLOW = "deck: (.*) done"
GENERATOR = random.Random(1)
DECKS = "".join("deck: %s done\n" % " ".join(map(str, GENERATOR.sample(range(4), 4))) for _ in range(400))


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def little_time():
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def little():
    little_memory()
    little_time()


LITTLE = little_time if subprocess.run([PROGRAM, "--version"], preexec_fn=little_memory, capture_output=True,
                                       check=False).returncode else little


def checksum(text):
    """FNV-1a of 64 bits, as evidence has it."""
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return "%016x" % value


class MatchLimits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("decks.log", DECKS)

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_program(self, *arguments, data=""):
        done = subprocess.run([PROGRAM, *arguments], input=data.encode(), cwd=self.folder.name, capture_output=True, timeout=120,
                              preexec_fn=LITTLE, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def refused(self, status, line, *arguments, data=""):
        self.assertEqual(self.run_program(*arguments, data=data), (status, "", line + "\n"))

    def test_patterns_that_are_too_large(self):
        too_long = "--match: the pattern has 40000 bytes: use at most 4096"
        for command in ("gate", "watch", "report"):
            self.refused(2, "shufflebias %s: %s" % (command, too_long), command, "--match", DEEP, "decks.log")
        _, _, told = self.run_program("gate", "--match", DEEP[19000:21000], "decks.log")
        self.assertIn("parentheses are too deeply nested, at byte 101: ", told)
        for pattern in (LARGE, "(a{60000}){60000}"):
            status, _, told = self.run_program("gate", "--match", pattern, "decks.log")
            self.assertEqual(status, 2)
            self.assertIn("--match: '%s' is not a regular expression: regular expression is too large, at byte " % pattern, told)
        self.write("suite.json", json.dumps([{"name": "deep", "file": "decks.log", "match": DEEP}]))
        self.refused(2, "shufflebias gate: subject 'deep': " + too_long, "gate", "--suite", "suite.json")

    def test_a_pattern_of_a_stranger_is_not_compiled(self):
        """Evidence that is viewed may hold any pattern. To resume it with such a pattern is refused."""
        for command, options, decks in (("gate", ("--exclude", "0.4"), ("--", "cat", "decks.log")), ("watch", (), ("decks.log",))):
            for pattern in (DEEP, LARGE, "("):
                name = "%s-%d" % (command, len(pattern))
                self.assertEqual(self.run_program(command, *options, "--match", "deck: (.*) done", "--save", name, *decks)[0], 0)
                with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
                    body = file.read().replace('"deck: (.*) done"', json.dumps(pattern))
                body = body[:body.rindex(',\n  "checksum"')]
                self.write(name, '%s,\n  "checksum": "%s"\n}\n' % (body, checksum(body)))
                if command == "gate":
                    status, printed, told = self.run_program("gate", name)
                    self.assertEqual((status, told), (0, ""))
                    self.assertIn("PASS  bias below ", printed)
                resume = ("--save", name)
                status, printed, told = self.run_program(command, *resume, *decks)
                self.assertEqual((status, printed, told.count("\n")), (2, "", 1))
                self.assertIn("shufflebias %s: --match: " % command, told)

    def test_a_match_with_too_many_steps(self):
        """It ends within seconds, with status 4, wherever in the log the line is; and the line is not skipped."""
        for before in ("", DECKS[:20 * len("deck: 0 1 2 3 done\n")]):
            self.refused(4, "shufflebias gate: standard input, line %d: --match takes more than 100000000 steps in this line: use "
                         "fewer repetitions such as .*" % (before.count("\n") + 1), "gate", "--match", SLOW, "-", data=before + LONG)
        for pattern, data in (("(a*)*b", "a" * 40), ("[^x]*[xy](.)", "a" * 1000000 + "z")):
            status, printed, told = self.run_program("gate", "--match", pattern + "|c(.)$", "-", data=data + "\n0\n")
            self.assertEqual((status, printed), (4, ""))
            self.assertIn("standard input, line 1: --match takes more than ", told)

    def test_a_match_with_too_much_memory(self):
        self.refused(4, "shufflebias gate: standard input, line 1: --match takes more than 128 MiB in this line: repeat characters "
                     "rather than groups", "gate", "--match", "((a|b)*)", "-", data="ab" * 500000 + "\n")

    def test_the_timeout_ends_a_match(self):
        """Lines without a deck, of 8 * 10^7 steps each, would take minutes."""
        began = time.monotonic()
        status, printed, told = self.run_program("gate", "--timeout", "1", "--match", SLOW, "-", data=("deck: " * 5000 + "\n") * 100)
        self.assertEqual((status, printed), (4, ""))
        self.assertRegex(told, r"^shufflebias gate: standard input, line \d+: no permutation for 1 s, because --match takes long: "
                         r"simplify --match, or raise --timeout\n$")
        self.assertLess(time.monotonic() - began, 30)

    def test_decks_postpone_the_timeout(self):
        """100 lines that are read at once take some ten timeouts, but each has a deck. Lines without one are late."""
        pattern = "(?:deck: .*){2}x|([012 ]+)done"
        line, other = "deck: " * 60 + "0 1 2 done\n", "deck: " * 61 + "end\n"
        began = time.monotonic()
        self.run_program("report", "-n", "3", "--match", pattern, "-", data=line * 10)
        wait = "%.3f" % (time.monotonic() - began)
        status, _, told = self.run_program("report", "-n", "3", "--timeout", wait, "--match", pattern, "-", data=line * 100)
        self.assertEqual((status, told), (0, ""))
        status, _, told = self.run_program("report", "-n", "3", "--timeout", wait, "--match", pattern, "-", data=line + other * 99)
        self.assertEqual(status, 4)
        self.assertIn("because --match takes long: ", told)

    def test_one_interrupt_ends_a_match(self):
        self.write("slow.log", LONG)
        child = subprocess.Popen([PROGRAM, "gate", "--match", SLOW, "slow.log"], cwd=self.folder.name, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)
        waiting.until_worked(child, 0.3)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=20), ("", "shufflebias gate: stopped while slow.log was read\n"))
        self.assertEqual(child.returncode, 130)

    def test_lines_up_to_a_mebibyte(self):
        """A deck of 160,000 items is matched, with each item a repetition of a group; one byte more than 2^20 is refused."""
        items = list(range(160000))
        line = "deck: " + " ".join(map(str, items))
        self.assertGreater(len(line), 900000)
        for pattern in ("deck: (.*)", "^.*: (([0-9]+ ?)+)$"):
            status, printed, told = self.run_program("report", "--match", pattern, "--format", "json", "-", data=line + "\n" + line + "\n")
            self.assertEqual((status, told), (0, ""))
            found = json.loads(printed)["reports"][0]
            self.assertEqual((found["n"], found["evidence"]["total"]), (160000, 2))
        most = "deck: 0 1 " + "x" * (2 ** 20 - 10)
        for chunk in ("", "login\n" * 9):
            status, _, told = self.run_program("watch", "--match", "deck: ([0-9 ]*)", "-", data=chunk + most + "\n")
            self.assertEqual((status, told), (0, "subject: standard input: 9 of 10 lines do not match: they were skipped\n" if chunk else ""))
            self.refused(4, "shufflebias watch: standard input, line %d: the line is longer than 1,048,576 bytes, the most with --match: "
                         "end lines with newlines" % (chunk.count("\n") + 1), "watch", "--match", "deck: ([0-9 ]*)", "-", data=chunk + most + "x\n")

    def test_lines_of_json_up_to_16_mebibytes(self):
        line = '{"deck": [0, 1], "x": [' + ",".join(["{}"] * (2 ** 24 // 3)) + "]}\n"
        self.refused(4, "shufflebias gate: standard input, line 1: the line is longer than 16,777,216 bytes, the most with --json-path: "
                     "end lines with newlines", "gate", "--json-path", ".deck", "-", data=line)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
