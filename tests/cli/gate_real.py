# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate on real shuffles in other languages: those of data/subjects, if the language is installed.

They have a seed if the language allows it, so that each run of a test reads the same permutations. coreutils' shuf
has none, so this test fails by chance with probability 1e-9 at most, the gate's alpha.

Usage: gate_real.py SHUFFLEBIAS SOURCE GSL_SHUFFLE
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

PROGRAM, SOURCE, GSL_SHUFFLE = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
PYTHON = [sys.executable]
NODE = ["node", "--random-seed=1"]


def gate(options, command, *arguments):
    done = subprocess.run([PROGRAM, "gate", "--format", "json", *options, "--", *command, *arguments], cwd=os.path.join(
        SOURCE, "data", "subjects"), capture_output=True, text=True, timeout=100)
    return done.returncode, done.stderr, json.loads(done.stdout)["gates"][0]


class GateReal(unittest.TestCase):
    def check_pass(self, *command):
        if not shutil.which(command[0]):
            self.skipTest(f"no {command[0]}")
        status, stderr, found = gate(["--exclude", "0.02"], command)
        self.assertEqual((status, found["verdict"], stderr), (0, "pass", ""), found["sentence"])
        self.assertLess(found["tv_high"], 0.02)
        self.assertTrue(found["whole"])

    def check_fail(self, n, most, *command):
        if not shutil.which(command[0]):
            self.skipTest(f"no {command[0]}")
        status, stderr, found = gate([], command, str(n), *(["1"] if command[0] in PYTHON else []))
        self.assertEqual((status, found["verdict"], stderr), (1, "fail", ""), found["sentence"])
        self.assertLess(found["total"], most)
        self.assertTrue(any(line["named"] for line in found["statistics"]))
        return [cell["where"] for cell in found["cells"]]

    def test_python(self):
        self.check_pass(*PYTHON, "random_shuffle.py", "3", "1")

    def test_python_four_items(self):
        self.check_pass(*PYTHON, "random_shuffle.py", "4", "1")

    def test_node(self):
        self.check_pass(*NODE, "fisher_yates.js")

    def test_perl(self):
        self.check_pass("perl", "list_util.pl", "3", "1")

    @unittest.skipUnless(shutil.which("shuf"), "no shuf")
    def test_shuf(self):
        self.check_pass("sh", "shuf.sh")

    def test_gsl(self):
        self.check_pass(GSL_SHUFFLE)

    def test_naive_swap_in_python(self):
        where = self.check_fail(3, 30000, *PYTHON, "naive.py")
        self.assertTrue({"021", "102", "120"} & set(where), where)

    def test_sort_by_coin_in_node(self):
        where = self.check_fail(3, 500, *NODE, "sort_by_coin.js")
        self.assertIn("012", where)  # 6 of 16 by insertion sort, which is what V8 does with so few

    def test_sattolo_in_python(self):
        """Nothing tells it sooner than its cycles: there is always one, of all cards."""
        where = self.check_fail(52, 100, *PYTHON, "sattolo.py")
        self.assertEqual(where[0], "how many cycles there are: 1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
