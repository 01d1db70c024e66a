#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a gate says in a line, over sixty varied gates: a pass in 25 words at most, and any verdict in one sentence, with four short
lines of details at most. Prints the figures.

The gates have fixed seeds. Usage: verdicts.py PROGRAM SOURCE
"""
import json
import os
import statistics
import subprocess
import sys
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SCHEMES = ("fisher-yates", "fisher-yates-original", "inside-out", "sort-by-key:53", "redraw", "naive", "sattolo", "sort-insertion",
           "riffle", "overhand")
SETTINGS = (
    ("-n", "3", "--max-bias", "0.1"),
    ("-n", "8", "--max-bias", "0.2", "--limit", "20000"),
    ("-n", "52", "--max-bias", "0.2", "--limit", "4000"),
    ("-n", "9", "--deal", "3", "--max-bias", "0.2", "--limit", "20000"),
    ("-n", "10", "--deal", "3", "--sets", "--max-bias", "0.2", "--limit", "5000"),
    ("-n", "4", "--tolerate", "0.01", "--limit", "3000"),
)


def gate(*words):
    done = subprocess.run([PROGRAM, "gate", "--quiet", "--format", "json", *words], capture_output=True, text=True, timeout=100)
    return json.loads(done.stdout)["gates"][0]


class Verdicts(unittest.TestCase):
    def test_sixty_gates(self):
        found = [gate(scheme, *words) for scheme in SCHEMES for words in SETTINGS]
        self.assertGreaterEqual(len(found), 60)
        words = {verdict: [len(one["sentence"].split()) for one in found if one["verdict"] == verdict] for verdict in ("pass", "fail", "inconclusive")}
        for verdict, counts in words.items():
            print(f"{verdict}: {len(counts)} gates, {min(counts)} to {max(counts)} words, median {statistics.median(counts):g}", file=sys.stderr)
        self.assertLessEqual(max(words["pass"]), 25)
        self.assertLessEqual(max(words["fail"]), 55)
        self.assertLessEqual(max(words["inconclusive"]), 45)
        for one in found:
            self.assertNotRegex(one["sentence"], r"\. [A-Z]|\n", "more than one sentence")
            self.assertLessEqual(one["details"].count("\n"), 4, one["details"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
