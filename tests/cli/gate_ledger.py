# SPDX-License-Identifier: GPL-3.0-or-later
"""A budget over runs, from the command line: its sentences, the contents of its file, and runs that are killed or
happen at the same time.

Everything that is random here has a fixed seed, except the moments of the kills, which do not matter."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from program import PROGRAM, SOURCE
from saving import flat
import schema
from waiting import until


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

    def saved(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return flat(json.load(file))

    def adds(self, scheme, seed, *arguments, n=3, decks=30000):
        """A gate that adds the decks of a scheme, from standard input, to the evidence in `saved`."""
        dealt = subprocess.run([PROGRAM, "deal", scheme, "-n", str(n), "--samples", str(decks), "--seed", str(seed)],
                               capture_output=True, text=True, check=True)
        return subprocess.run([PROGRAM, "gate", "--ledger", "ledger.json", "--save", "saved", "-", *arguments], cwd=self.folder,
                              input=dealt.stdout, capture_output=True, text=True, timeout=100)

    def test_runs_say_which_they_are_and_what_they_spend(self):
        done = self.gate("fisher-yates", "--exclude", "0.1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("with probability at most 1e-06 in all runs on this ledger together", " ".join(done.stdout.split()))
        done = self.gate("naive", "--seed", "3", "--format", "json")
        self.assertEqual(done.returncode, 1)
        (found,) = json.loads(done.stdout)["gates"]
        self.assertEqual(found["ledger"], {"file": "ledger.json", "run": 2, "share": 2, "alpha": 1e-9,
                                           "delta": 1e-6, "carried": 0, "decks": 0})
        self.assertAlmostEqual(found["terms"]["alpha"], 1e-9 / 6, 20)
        done = self.gate("naive", "--format", "markdown", "--limit", "9", "--save", "saved")
        self.assertEqual(done.returncode, 3)
        self.assertIn("**Ledger:** run 3 on ledger.json, with share 3 of the budget: 8.33e-11 of alpha = 1e-09", done.stdout)
        self.assertEqual(self.ledger()["outcomes"], {"pass": 1, "fail": 1, "inconclusive": 1, "broken": 0})

    def test_evidence_that_failed_fails_at_once(self):
        """As docs/ci.md says. The seeds are fixed."""
        for seed in (1, 2):
            done = self.adds("naive", seed, "--format", "json")
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            (found,) = json.loads(done.stdout)["gates"]
            self.assertEqual(found["total"] > found["ledger"]["carried"], seed == 1)

    def test_schemas(self):
        schema.check(self, SOURCE, "gate-2.json", "--", PROGRAM, "gate", "naive", "--ledger", self.path, "--limit", "99",
                     "--format", "json")
        self.adds("fisher-yates", 1, "--limit", "100", n=20)
        schema.check(self, SOURCE, "ledger-3.json", self.path)
        schema.check(self, SOURCE, "evidence-1.json", os.path.join(self.folder, "saved"))

    def test_one_permutation_is_singular(self):
        self.adds("fisher-yates", 1, "--limit", "1")
        said = " ".join(self.adds("fisher-yates", 2, "--limit", "1").stdout.split())
        self.assertIn("the evidence has 1 permutation of earlier runs", said)

    def test_small_runs_add_up_to_a_pass(self):
        statuses = [self.adds("fisher-yates", seed, "--limit", "1000", "--exclude", "0.05").returncode for seed in range(1, 9)]
        self.assertEqual((statuses[0], statuses[-1]), (3, 0))
        self.assertEqual(self.saved("saved")["total"], 8000)
        self.assertEqual((self.ledger()["runs"], self.ledger()["shares"]), (8, 1))

    def test_evidence_continues_after_many_runs_of_other_evidence(self):
        """The ledger lists 100 runs; the last run of a share leaves the list only if there are more shares."""
        self.adds("fisher-yates", 1, "--limit", "100")
        ledger = self.ledger()
        first, = ledger["recent"]
        ledger.update(runs=101, shares=3, recent=[first] + [dict(first, run=run, share=2 + run % 2) for run in range(3, 102)])
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(ledger, file)
        self.gate("fisher-yates", "--limit", "100")
        recent = self.ledger()["recent"]
        self.assertEqual(([run["run"] for run in recent], recent[-1]["share"]), ([1, *range(4, 103)], 4))
        self.assertEqual(self.adds("fisher-yates", 2, "--limit", "1000").returncode, 3)

    def test_a_suite_is_as_many_runs(self):
        """Each subject may save its evidence, and adds to it in the next run."""
        with open(os.path.join(self.folder, "suite.json"), "w", encoding="utf-8") as file:
            json.dump([{"name": name, "command": ["sh", "-c", PROGRAM + " deal %s --samples 2000 --seed $(cat seed)" % name],
                        "limit": 300, "save": name} for name in ("naive", "sattolo", "fisher-yates")], file)
        for seed in ("1", "2"):
            with open(os.path.join(self.folder, "seed"), "w", encoding="utf-8") as file:
                file.write(seed)
            done = self.gate("--suite", "suite.json", "--jobs", "2", "--format", "json")
            self.assertEqual(done.returncode, 1, done.stderr)
            gates = json.loads(done.stdout)["gates"]
            self.assertEqual(sorted(gate["ledger"]["share"] for gate in gates), [1, 2, 3])
            self.assertEqual({gate["ledger"]["alpha"] for gate in gates}, {1e-9})
        self.assertEqual(gates[2]["total"], 600)
        self.assertEqual((self.ledger()["runs"], self.ledger()["shares"]), (6, 3))
        with open(os.path.join(self.folder, "suite.json"), "w", encoding="utf-8") as file:
            json.dump([{"name": name, "scheme": "naive", "save": "same"} for name in "ab"], file)
        done = self.gate("--suite", "suite.json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("'same' is the evidence of two subjects: save each elsewhere", done.stderr)

    def test_a_suite_adds_up_its_shares(self):
        with open(os.path.join(self.folder, "suite.json"), "w", encoding="utf-8") as file:
            json.dump([{"name": str(i), "scheme": "naive", "limit": 300} for i in range(5)], file)
        done = self.gate("--suite", "suite.json")  # 1 - 1/6 of 1e-9
        self.assertIn("Where all are fair, one fails with probability 8.34e-10 at most.", " ".join(done.stdout.split()))
        done = subprocess.run([PROGRAM, "gate", "--suite", "suite.json"], cwd=self.folder, stdout=subprocess.PIPE, text=True,
                              check=False)
        self.assertIn("one fails with probability 1e-09 at most.", " ".join(done.stdout.split()))

    def test_a_ledger_of_an_earlier_schema(self):
        self.gate("fisher-yates", "--limit", "100")
        old = self.ledger()
        old["schema"] = "shufflebias.ledger/2"
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(old, file)
        done = self.gate("fisher-yates", "--limit", "100")
        self.assertEqual(done.returncode, 4)
        self.assertIn('is no sound ledger: schema must be "shufflebias.ledger/3"', done.stderr)

    def test_large_files_are_not_read(self):
        """60 MB of {} would take 4.6 GB of memory."""
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("[" + "{}," * (1 << 22) + "{}]")
        self.assertIn("is no sound ledger: it has too many objects and lists: ", self.gate("fisher-yates").stderr)
        os.truncate(self.path, (1 << 26) + 1)
        self.assertIn("is no sound ledger: it is larger than 67108864 bytes: ", self.gate("fisher-yates").stderr)

    def test_slips(self):
        self.gate("fisher-yates", "--limit", "100")
        for arguments, status, words in ((["naive", "--alpha", "1e-3"], 2, "is a ledger for alpha = 1e-09, not 0.001"),
                                         (["naive", "--ledger", "."], 4, "is no file"),
                                         (["naive", "--ledger", "none/l.json"], 4, "No such file or directory: make its folder"),
                                         (["--", "true"], 4, "ended without a permutation")):
            done = self.gate(*arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(self.ledger()["runs"], 1)  # none of them began

    def test_a_suite_on_the_ledger_of_another_alpha(self):
        self.gate("fisher-yates", "--limit", "100")
        with open(os.path.join(self.folder, "suite.json"), "w", encoding="utf-8") as file:
            json.dump([{"name": name, "scheme": name, "limit": 100} for name in ("naive", "fisher-yates")], file)
        done = self.gate("--suite", "suite.json", "--alpha", "1e-3")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("is a ledger for alpha = 1e-09, not 0.001", done.stderr)
        self.assertEqual(self.ledger()["runs"], 1)

    def test_an_export_does_not_replace_the_ledger(self):
        self.gate("fisher-yates", "--limit", "100")
        done = self.gate("fisher-yates", "--limit", "100", "--export", "json:ledger.json")
        self.assertEqual((done.returncode, self.ledger()["runs"]), (2, 1))
        self.assertIn("ledger.json", done.stderr)

    def test_runs_at_once(self):
        children = [subprocess.Popen([PROGRAM, "gate", "fisher-yates", "--limit", "100", "--ledger", self.path, "--seed", str(i),
                                      "--save", os.path.join(self.folder, "saved%d" % i)], stdout=subprocess.DEVNULL) for i in range(12)]
        self.assertEqual({child.wait(timeout=100) for child in children}, {3})
        ledger = self.ledger()
        self.assertEqual((ledger["runs"], ledger["shares"], ledger["outcomes"]["inconclusive"]), (12, 12, 12))
        self.assertEqual({self.saved("saved%d" % i)["share"] for i in range(12)}, set(range(1, 13)))

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

    def test_kills_of_runs_that_add(self):
        """Evidence of a run that was killed is not continued: the next run begins anew, with a share of its own."""
        command = [PROGRAM, "gate", "--ledger", self.path, "--save", os.path.join(self.folder, "saved"), "--checkpoint", "0.005", "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as child:
            child.stdin.write("".join(" ".join(map(str, random.sample(range(20), 20))) + "\n" for _ in range(500)))
            child.stdin.flush()
            until(lambda: os.path.exists(os.path.join(self.folder, "saved")) and self.saved("saved")["total"] > 0, "no checkpoint")
            child.kill()
        self.assertEqual(self.saved("saved")["share"], 1)
        totals = []
        for number in (100, 101):
            done = self.adds("fisher-yates", number, "--limit", "300", "--format", "json", n=20)
            self.assertEqual((done.returncode, done.stderr), (3, ""))
            (found,) = json.loads(done.stdout)["gates"]
            totals.append((found["total"], found["uncounted"], found["ledger"]["decks"]))
        self.assertEqual(totals, [(300, 0, 0), (600, 64, 300)])
        self.assertEqual((self.ledger()["shares"], self.saved("saved")["share"]), (2, 2))

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
