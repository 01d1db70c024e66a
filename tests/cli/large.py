# SPDX-License-Identifier: GPL-3.0-or-later
"""Thousands of items and more: gates on fair and faulty streams, the statistics left out, and the forms of input.

All seeds are fixed; a fair gate fails with probability 1e-9 at most."""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest

import program
from program import PROGRAM, SOURCE
import schema

COUNTING = ["adjacent", "fixed-points", "cycles", "cycle-of-first", "parity", "records", "descents", "rising-sequences", "first-k"]


def gate(*arguments, stdin=None):
    return program.gate(*arguments, text=stdin)


def subject(name, *arguments):
    return [sys.executable, os.path.join(SOURCE, "data", "subjects", name), *arguments]


class Large(unittest.TestCase):
    def test_what_is_tested(self):
        for n, families, left_out in (
                ("1000", None, None),
                ("1001", ["position", *COUNTING, "distance", "eighths", "parity", "repeat", "outliers"],
                 ["successor", "inversions", "longest-increasing", "displacement", "first-k-set"]),
                ("100000", [*COUNTING, "band", "distance", "eighths", "parity", "repeat", "outliers"],
                 ["position", "successor", "inversions", "longest-increasing", "displacement", "first-k-set"])):
            found = gate("fisher-yates", "-n", n, "--limit", "20")
            self.assertEqual(found.get("left_out"), left_out)
            self.assertEqual(found["verdict"], "inconclusive")
            if families:
                listed = [line["statistic"] for line in found["statistics"]]
                self.assertEqual([name for i, name in enumerate(listed) if name != listed[i - 1]], families)
                self.assertAlmostEqual(sum(line["weight"] for line in found["statistics"]), 1, 12)
                self.assertLessEqual(max(line["cells"] for line in found["statistics"] if line["statistic"] != "position"), 65)
        said = subprocess.run([PROGRAM, "gate", "fisher-yates", "-n", "100000", "--limit", "2"], capture_output=True, text=True).stdout
        self.assertIn("Left out: position, successor, inversions", said)

    def test_what_a_watch_tests(self):
        """As a gate, apart from the lags; its page and its JSON name what is left out."""
        for n in ("1000", "1001", "100000"):
            watch = [PROGRAM, "watch", "fisher-yates", "-n", n, "--limit", "5"]
            found = json.loads(subprocess.run([*watch, "--format", "json"], capture_output=True, text=True).stdout)
            self.assertEqual(found.get("left_out"), gate("fisher-yates", "-n", n, "--limit", "5").get("left_out"))
            said = subprocess.run(watch, capture_output=True, text=True).stdout
            self.assertEqual("Left out: %s" % ", ".join(found.get("left_out", [])[:2]) in said, n != "1000")

    def test_faults(self):
        for arguments, most in ((["naive", "-n", "100000"], 20), (["sattolo", "-n", "100000"], 200), (["riffle:7", "-n", "20000"], 20),
                                (["--", *subject("buffer_shuffle.py", "20000", "1000", "1")], 20),
                                (["--", *subject("chunk_shuffle.py", "20000", "1000", "1")], 20)):
            found = gate("--limit", str(most), *arguments)
            self.assertEqual(found["verdict"], "fail", found["sentence"])

    def test_a_pass(self):
        found = gate("fisher-yates", "-n", "2000", "--exclude", "0.3", "--limit", "4000")
        self.assertEqual(found["verdict"], "pass", found["sentence"])

    def test_forms_of_input(self):
        """Text in lines of 600 kB, and binary: the same verdict."""
        deals = []
        for seed in range(12):
            items = list(range(100000))
            random.Random(seed).shuffle(items)
            items.sort(key=lambda item: item // 50000)  # halves stay apart
            deals.append(items)
        text = "".join(" ".join(map(str, items)) + "\n" for items in deals).encode()
        binary = b"".join(struct.pack("<100000I", *items) for items in deals)
        one, two = gate("-", stdin=text), gate("-", "--input", "u32", "-n", "100000", stdin=binary)
        self.assertEqual(one["statistics"], two["statistics"])
        self.assertEqual((one["verdict"], one["n"]), ("fail", 100000))
        for n, form, words in (("100000", "u16", "do not fit two bytes: use u32"), ("10000001", "u32", "10000000")):
            done = subprocess.run([PROGRAM, "gate", "-", "--input", form, "-n", n], input=b"", capture_output=True, text=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr.decode())

    def test_slips_in_a_long_line(self):
        items = list(range(70000))
        items[69999] = 5
        done = subprocess.run([PROGRAM, "gate", "-"], input=" ".join(map(str, items)) + "\n", capture_output=True, text=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("5 comes twice, and 69999 is missing", done.stderr)

    def test_dealt(self):
        """The same decks as text and in binary; u16 holds items up to 65535."""
        def deal(*arguments):
            return subprocess.run([PROGRAM, "deal", "fisher-yates", *arguments], capture_output=True)

        text = [int(item) for item in deal("-n", "70000", "--samples", "1").stdout.split()]
        self.assertEqual(sorted(text), list(range(70000)))
        self.assertEqual(list(struct.unpack("<70000I", deal("-n", "70000", "--samples", "1", "--format", "u32").stdout)), text)
        refused = deal("-n", "70000", "--format", "u16")
        self.assertEqual((refused.returncode, refused.stdout), (2, b""))
        self.assertIn(b"do not fit two bytes: use u32", refused.stderr)

    def test_saved(self):
        """The verdict on saved evidence is that of the run."""
        with tempfile.TemporaryDirectory() as folder:
            saved = os.path.join(folder, "saved")
            one = gate("naive", "-n", "20000", "--save", saved)
            self.assertEqual(gate(saved)["statistics"], one["statistics"])
            schema.check(self, SOURCE, "evidence-1.json", saved)

    def test_increments(self):
        """A chain whose steps swap two random items: the increments show it at once."""
        items, lines, rng = list(range(10000)), [], random.Random(1)
        rng.shuffle(items)
        for _ in range(20):
            i, j = rng.sample(range(10000), 2)
            items[i], items[j] = items[j], items[i]
            lines.append(" ".join(map(str, items)))
        self.assertEqual(gate("-", "--increments", stdin="\n".join(lines).encode())["verdict"], "fail")

    def report(self, *arguments, stdin=None, status=0):
        done = subprocess.run([PROGRAM, "report", *arguments], input=stdin, capture_output=True, timeout=100)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def test_one_permutation(self):
        """The verdict on a single permutation, in every format; a fair one is biased with probability 0.001 at most."""
        for scheme, n, verdict in (("fisher-yates", "1000000", "no bias seen"), ("naive", "20000", "biased"), ("riffle:9", "20000", "biased")):
            dealt = subprocess.run([PROGRAM, "deal", scheme, "-n", n, "--samples", "1", "--format", "u32"], capture_output=True).stdout
            binary = ("-", "--input", "u32", "-n", n)
            (found,) = json.loads(self.report(*binary, "--format", "json", stdin=dealt))["reports"]
            self.assertEqual((found["verdict"], found["evidence"]["total"], found["n"], found["matrix"]), (verdict, 1, int(n), None))
            self.assertEqual(len(found["findings"]), 10)
            self.assertEqual(sorted({finding["test"] for finding in found["findings"]}), ["law", "normal"])
            for form in "text", "markdown", "csv", "html", "svg":
                self.assertNotIn(b"nan", self.report(*binary, "--format", form, stdin=dealt).lower())
            self.assertIn(b"leave it out, or use a gate", self.report(*binary, "--increments", stdin=dealt, status=2))
            self.assertIn(b"leave it out, or use a gate", self.report(*binary, "--statistics", "cycles", stdin=dealt, status=2))

    def test_extremes(self):
        """Permutations in order and in reverse."""
        for items in range(10000), range(9999, -1, -1):
            (found,) = json.loads(self.report("-", "--format", "json", stdin=" ".join(map(str, items)).encode()))["reports"]
            self.assertEqual(found["verdict"], "biased")
            p = {finding["statistic"]: finding["ln_p"] for finding in found["findings"]}
            for name in "inversions", "descents", "eighths", "sixty-fourths":
                self.assertLess(p[name], -500, name)

    def test_several_permutations(self):
        """p is the smallest one, times their number; up to 100 are read."""
        lines = []
        for seed in range(3):
            items = list(range(9000))
            random.Random(seed).shuffle(items)
            lines.append(" ".join(map(str, items)) + "\n")
        each = [json.loads(self.report("-", "--format", "json", stdin=line.encode()))["reports"][0]["findings"] for line in lines]
        together = json.loads(self.report("-", "--format", "json", stdin="".join(lines).encode()))["reports"][0]
        for i, finding in enumerate(together["findings"]):
            self.assertAlmostEqual(float(finding["p"]), min(1, 3 * min(float(one[i]["p"]) for one in each)), 9)
        many = json.loads(self.report("-", "--format", "json", stdin=(lines[0] * 101).encode()))["reports"][0]
        self.assertEqual(many["evidence"]["total"], 100)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
