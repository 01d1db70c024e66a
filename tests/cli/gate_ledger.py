#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A budget over runs from the command line: what is said of it, what the file holds, and runs that come at once or are killed.

Everything that is random here has a fixed seed, but for the moments of the kills, which do not matter.

Usage: gate_ledger.py SHUFFLEBIAS SOURCE
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


class Ledgers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "ledger.json")

    def gate(self, *arguments):
        return subprocess.run([PROGRAM, "gate", "--ledger", "ledger.json", *arguments], cwd=self.folder,
                              capture_output=True, text=True, timeout=100)

    def ledger(self):
        with open(self.path, encoding="utf-8") as file:
            return json.load(file)

    def valid(self, schema, *command):
        return subprocess.run([sys.executable, os.path.join(SOURCE, "tests/unit/validate_schema.py"),
                               os.path.join(SOURCE, "data/schema", schema), "--", *command], capture_output=True, text=True,
                              timeout=100, cwd=self.folder)

    def test_runs_say_which_they_are_and_what_they_spend(self):
        done = self.gate("fisher-yates", "--exclude", "0.1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("with probability 1e-06 at most in all runs on this ledger together", " ".join(done.stdout.split()))
        done = self.gate("naive", "--seed", "3", "--format", "json")
        self.assertEqual(done.returncode, 1)
        (found,) = json.loads(done.stdout)["gates"]
        self.assertEqual(found["ledger"], {"file": "ledger.json", "key": None, "run": 2, "share": 2, "alpha": 1e-9,
                                           "delta": 1e-6, "carried": 0})
        self.assertAlmostEqual(found["terms"]["alpha"], 1e-9 / 6, 20)
        done = self.gate("naive", "--format", "markdown", "--limit", "9", "--key", "v1")
        self.assertEqual(done.returncode, 3)
        self.assertIn("**Ledger:** run 3 on ledger.json, with share 3 of the budget: 8.33e-11 of alpha = 1e-09", done.stdout)
        self.assertEqual(self.ledger()["outcomes"], {"pass": 1, "fail": 1, "inconclusive": 1, "broken": 0})

    def test_schemas(self):
        for schema, command in (("gate-1.json", [PROGRAM, "gate", "naive", "--ledger", "ledger.json", "--limit", "99",
                                                 "--key", "v1", "--format", "json"]),
                                ("ledger-1.json", ["cat", "ledger.json"])):
            done = self.valid(schema, *command)
            if done.returncode == 77:
                self.skipTest(done.stdout + done.stderr)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_small_runs_add_up_to_a_pass(self):
        statuses = []
        for seed in range(1, 9):
            done = self.gate("fisher-yates", "--key", "v1", "--limit", "1000", "--exclude", "0.05", "--seed", str(seed))
            statuses.append(done.returncode)
        self.assertEqual(statuses[0], 3)
        self.assertEqual(statuses[-1], 0)
        self.assertEqual(self.ledger()["keys"][0]["total"], 8000)
        self.assertEqual(self.ledger()["shares"], 1)

    def test_a_suite_is_as_many_runs(self):
        with open(os.path.join(self.folder, "suite.json"), "w", encoding="utf-8") as file:
            json.dump([{"name": name, "scheme": name, "limit": 300} for name in ("naive", "sattolo", "fisher-yates")], file)
        for seed in (1, 2):
            done = self.gate("--suite", "suite.json", "--jobs", "2", "--key", "v1", "--format", "json", "--seed", str(seed))
            self.assertEqual(done.returncode, 1, done.stderr)
            gates = json.loads(done.stdout)["gates"]
            self.assertEqual(sorted(gate["ledger"]["share"] for gate in gates), [1, 2, 3])
            self.assertEqual({gate["ledger"]["alpha"] for gate in gates}, {1e-9})
        self.assertEqual(gates[2]["total"], 600)
        self.assertEqual((self.ledger()["runs"], self.ledger()["shares"]), (6, 3))

    def test_a_short_run_is_not_known_again(self):
        """And adds nothing to its key, as the first one or a later one; a run without a key may be short."""
        for name, decks in (("short", 63), ("long", 64)):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write("0 1\n1 0\n" * (decks // 2) + "0 1\n" * (decks % 2))
        for name, status, total in (("short", 4, 0), ("long", 3, 64), ("short", 4, 0), ("long", 4, 64)):
            done = self.gate(name, "--key", "v1")
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn("too few to recognise a run by" if name == "short" else "would count twice" if status == 4 else "",
                          done.stderr)
            self.assertEqual([entry["total"] for entry in self.ledger()["keys"] if entry["subject"].endswith(name)], [total])
        self.assertEqual(self.gate("short").returncode, 3)

    def test_slips(self):
        self.gate("fisher-yates", "--limit", "100")
        for arguments, status, words in ((["naive", "--alpha", "1e-3"], 2, "is a ledger for alpha = 1e-09, not 0.001"),
                                         (["naive", "--key", ""], 2, "a key has 1 to 100 characters"),
                                         (["naive", "--ledger", "."], 4, "is no file"),
                                         (["naive", "--ledger", "none/l.json"], 4, "No such file or directory: make its folder"),
                                         (["--", "true"], 4, "ended without a permutation")):
            done = self.gate(*arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(self.ledger()["runs"], 1)  # none of them began
        done = subprocess.run([PROGRAM, "gate", "naive", "--key", "v1"], capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 2)

    def test_an_export_does_not_replace_the_ledger(self):
        self.gate("fisher-yates", "--limit", "100")
        done = self.gate("fisher-yates", "--limit", "100", "--export", "json:ledger.json")
        self.assertEqual((done.returncode, self.ledger()["runs"]), (2, 1))
        self.assertIn("ledger.json", done.stderr)

    def test_runs_at_once(self):
        children = [subprocess.Popen([PROGRAM, "gate", "fisher-yates", "--limit", "100", "--ledger", self.path, "--seed", str(i),
                                      *(["--key", "v1"] if i % 2 else [])], stdout=subprocess.DEVNULL) for i in range(12)]
        self.assertEqual({child.wait(timeout=100) for child in children}, {3})
        ledger = self.ledger()
        self.assertEqual((ledger["runs"], ledger["outcomes"]["inconclusive"]), (12, 12))
        self.assertEqual(sum(entry["total"] for entry in ledger["keys"]), 600)

    def test_kills(self):
        moments, runs = random.Random(5), 0
        for _ in range(25):
            child = subprocess.Popen([PROGRAM, "gate", "fisher-yates", "--limit", "100", "--ledger", self.path],
                                     stdout=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, 0.03))
            child.send_signal(signal.SIGKILL)
            child.wait(timeout=100)
            if os.path.exists(self.path):
                ledger = self.ledger()
                self.assertIn(ledger["runs"] - runs, (0, 1))
                runs = ledger["runs"]
        self.assertEqual(self.gate("fisher-yates", "--limit", "100").returncode, 3)
        self.assertEqual(self.ledger()["runs"], runs + 1)

    def test_a_link_stays(self):
        os.symlink("elsewhere.json", self.path)
        self.assertEqual(self.gate("fisher-yates", "--limit", "100").returncode, 4)  # to nothing
        os.unlink(self.path)
        self.gate("fisher-yates", "--limit", "100")
        os.chmod(self.path, 0o640)
        os.rename(self.path, os.path.join(self.folder, "elsewhere.json"))
        os.symlink("elsewhere.json", self.path)
        self.gate("fisher-yates", "--limit", "100")
        self.assertTrue(os.path.islink(self.path))
        self.assertEqual((self.ledger()["runs"], os.stat(self.path).st_mode & 0o777), (2, 0o640))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
