#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A budget over runs, from the command line: its sentences, the contents of its file, and runs that are killed or
happen at the same time.

Everything that is random here has a fixed seed, except the moments of the kills, which do not matter.

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

import schema

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

    def test_runs_say_which_they_are_and_what_they_spend(self):
        done = self.gate("fisher-yates", "--exclude", "0.1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("with probability 1e-06 at most in all runs on this ledger together", " ".join(done.stdout.split()))
        done = self.gate("naive", "--seed", "3", "--format", "json")
        self.assertEqual(done.returncode, 1)
        (found,) = json.loads(done.stdout)["gates"]
        self.assertEqual(found["ledger"], {"file": "ledger.json", "key": None, "run": 2, "share": 2, "alpha": 1e-9,
                                           "delta": 1e-6, "carried": 0, "decks": 0})
        self.assertAlmostEqual(found["terms"]["alpha"], 1e-9 / 6, 20)
        done = self.gate("naive", "--format", "markdown", "--limit", "9", "--key", "v1")
        self.assertEqual(done.returncode, 3)
        self.assertIn("**Ledger:** run 3 on ledger.json, with share 3 of the budget: 8.33e-11 of alpha = 1e-09", done.stdout)
        self.assertEqual(self.ledger()["outcomes"], {"pass": 1, "fail": 1, "inconclusive": 1, "broken": 0})

    def test_dependent_permutations_do_not_pass_although_a_later_run_tolerates_a_bias(self):
        orders = ["1 2 3", "1 3 2", "2 1 3", "2 3 1", "3 1 2", "3 2 1"]
        for first, arguments in ((0, ["--limit", "50"]), (2, ["--tolerate", "0.01", "--exclude", "0.02"])):
            with open(os.path.join(self.folder, "cycle"), "w", encoding="utf-8") as file:
                file.write("\n".join((orders[first:] + orders[:first]) * 20000) + "\n")
            done = self.gate("--key", "v1", *arguments, "cycle")
        self.assertEqual(done.returncode, 3)
        self.assertIn("The permutations depend on each other, so no bound on the bias holds.", " ".join(done.stdout.split()))

    def test_a_key_that_failed_fails_at_once_unless_a_run_tolerates_the_bias(self):
        """As docs/ledger.md says. The bias of the naive swap of three items is 1/18; the seeds are fixed."""
        for status, seed, *options in ((1, 1), (1, 2), (0, 3, "--tolerate", "0.2", "--exclude", "0.3", "--limit", "5000"), (1, 4)):
            done = self.gate("naive", "--key", "v1", "--seed", str(seed), *options, "--format", "json")
            self.assertEqual((done.returncode, done.stderr), (status, ""))
            (found,) = json.loads(done.stdout)["gates"]
            self.assertEqual(found["total"] > found["ledger"]["carried"], seed in (1, 3))  # the others add nothing

    def test_schemas(self):
        schema.check(self, SOURCE, "gate-2.json", "--", PROGRAM, "gate", "naive", "--ledger", self.path, "--limit", "99",
                     "--key", "v1", "--format", "json")
        schema.check(self, SOURCE, "ledger-2.json", self.path)

    def test_each_subject_has_its_own_keys(self):
        """Subjects of the same name are others if they start in other folders, or are read in another way: a biased one does
        not fail a fair one."""
        sound, naive, coins = [], [], random.Random(1)
        for _ in range(6000):
            sound.append(coins.sample(range(3), 3))
            naive.append([0, 1, 2])
            for i in range(3):
                j = coins.randrange(3)
                naive[-1][i], naive[-1][j] = naive[-1][j], naive[-1][i]
        for name, decks in (("naive", naive), ("fair", sound)):
            os.mkdir(os.path.join(self.folder, name))
            with open(os.path.join(self.folder, name, "decks"), "w", encoding="utf-8") as file:
                file.writelines("%s %s %s\n" % tuple(deck) for deck in decks)
        with open(os.path.join(self.folder, "both"), "w", encoding="utf-8") as file:
            file.writelines("%s %s %s;%s %s %s\n" % (*one, *other) for one, other in zip(naive, sound))
        long = "x" * 200
        for number, (biased, fair) in enumerate((
                ({"command": ["cat", "decks"], "cwd": "naive"}, {"command": ["cat", "decks"], "cwd": "fair"}),
                ({"file": "both", "separator": ";", "field": 1}, {"file": "both", "separator": ";", "field": 2}),
                ({"file": "both", "match": "(.*);"}, {"file": "both", "match": ";(.*)"}),
                ({"command": ["env", "A=" + long, "cat", "naive/decks"]}, {"command": ["env", "A=" + long, "cat", "fair/decks"]}),
                ({"scheme": "naive"}, {"scheme": "fisher-yates"}))):
            with open(os.path.join(self.folder, "suite.json"), "w", encoding="utf-8") as file:
                json.dump([{"name": "biased", **biased}, {"name": "fair", **fair}], file)
            done = self.gate("--suite", "suite.json", "--key", str(number), "--exclude", "0.2", "--format", "json")
            self.assertEqual([gate["verdict"] for gate in json.loads(done.stdout)["gates"]], ["fail", "pass"], done.stderr)
        # Equal cards: their arrangements have other laws.
        for cards in ("A A B", "A B B"):
            done = self.gate("fisher-yates", "--cards", cards, "--key", "cards", "--limit", "3000")
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)

    def test_one_permutation_is_singular(self):
        self.gate("fisher-yates", "--key", "v1", "--limit", "1")
        said = " ".join(self.gate("fisher-yates", "--key", "v1", "--limit", "1", "--seed", "2").stdout.split())
        self.assertIn("key v1, which has 1 permutation of earlier runs", said)

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

    def test_a_suite_adds_up_its_shares(self):
        with open(os.path.join(self.folder, "suite.json"), "w", encoding="utf-8") as file:
            json.dump([{"name": str(i), "scheme": "naive", "limit": 300} for i in range(5)], file)
        done = self.gate("--suite", "suite.json")  # 1 - 1/6 of 1e-9
        self.assertIn("Where all are fair, one fails with probability 8.34e-10 at most.", " ".join(done.stdout.split()))
        done = subprocess.run([PROGRAM, "gate", "--suite", "suite.json"], cwd=self.folder, stdout=subprocess.PIPE, text=True,
                              check=False)
        self.assertIn("one fails with probability 1e-09 at most.", " ".join(done.stdout.split()))

    def test_the_first_64_of_a_later_run_do_not_count(self):
        """A key's first run counts everything, however short; a later one counts from its 65th permutation on."""
        for name, decks in (("short", 63), ("long", 64), ("more", 70)):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                coins = random.Random(name == "more")
                file.write("".join(coins.choice(("0 1\n", "1 0\n")) for _ in range(decks)))
        for name, status, total, uncounted in (("short", 3, 63, 0), ("long", 3, 63, 64), ("short", 3, 63, 127),
                                               ("long", 4, 63, 127), ("more", 3, 69, 191), ("more", 4, 69, 191)):
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                done = subprocess.run([PROGRAM, "gate", "--ledger", "ledger.json", "--key", "v1", "-"], cwd=self.folder,
                                      stdin=file, capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn("would count twice" if status == 4 else "", done.stderr)
            (entry,) = self.ledger()["keys"]
            self.assertEqual((entry["total"], entry["uncounted"]), (total, uncounted))

    def test_a_key_keeps_its_shares_of_alpha(self):
        """A run that tolerates a bias tests what its key tests. If it left out the catalogue, the other statistics would
        get its share of alpha in addition to their own, and no later run would have a catalogue."""
        for n, first, others, words in ((4, (), ("--tolerate", "0.05"), {"catalogue", "rank"}),
                                        (12, (), ("--tolerate", "0.05"), {"catalogue", "bettor"}),
                                        (5, ("--tolerate", "0.05"), (), {"rank"})):
            weights = []
            for run, terms in enumerate((first, others, first)):
                done = self.gate("fisher-yates", "-n", str(n), "--seed", str(run), "--key", "k%d" % n, "--limit", "300",
                                 "--exclude", "0.1", "--format", "json", *terms)
                (found,) = json.loads(done.stdout)["gates"]
                weights.append([(line["statistic"], line["member"], line["lag"], line["weight"]) for line in found["statistics"]])
            self.assertEqual(weights[0], weights[1])
            self.assertEqual(weights[0], weights[2])
            self.assertEqual({"rank", "bettor", "catalogue"} & {line[0] for line in weights[0]}, words)

    def test_a_ledger_of_an_earlier_schema(self):
        self.gate("fisher-yates", "--limit", "100")
        old = self.ledger()
        old["schema"] = "shufflebias.ledger/1"
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(old, file)
        done = self.gate("fisher-yates", "--limit", "100")
        self.assertEqual(done.returncode, 4)
        self.assertIn("is no sound ledger: schema is that of an earlier version: make it again", done.stderr)

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
                                         (["naive", "--key", ""], 2, "a key has 1 to 100 bytes"),
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

    def test_a_suite_on_the_ledger_of_another_alpha(self):
        self.gate("fisher-yates", "--limit", "100")
        with open(os.path.join(self.folder, "suite.json"), "w", encoding="utf-8") as file:
            json.dump([{"name": name, "scheme": name, "limit": 100} for name in ("naive", "fisher-yates")], file)
        for arguments, words in ((("--alpha", "1e-3"), "is a ledger for alpha = 1e-09, not 0.001"),
                                 (("--key", "x" * 101), "a key has 1 to 100 bytes"), (("--key", "\u00e9" * 51), "a key has 1 to 100 bytes")):
            done = self.gate("--suite", "suite.json", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(words, done.stderr)
        self.assertEqual(self.ledger()["runs"], 1)

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

    def test_a_pipe_in_place_of_the_decks(self):
        """It is an error that spends nothing, and is not waited for."""
        os.mkfifo(self.path + ".decks")
        done = self.gate("naive", "--key", "1", "--limit", "100")
        self.assertEqual(done.returncode, 4)
        self.assertIn("ledger.json.decks' is not a file of decks: name another ledger", done.stderr)
        self.assertFalse(os.path.exists(self.path))

    def test_kills_of_runs_that_keep_decks(self):
        """Ledger and decks are replaced one after the other; whatever is left goes on, or begins anew with a share of its own."""
        moments = random.Random(6)
        for number in range(20):
            child = subprocess.Popen([PROGRAM, "gate", "fisher-yates", "-n", "20", "--limit", "300", "--seed", str(number),
                                      "--ledger", self.path, "--key", "v1"], stdout=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, 0.04))
            child.send_signal(signal.SIGKILL)
            child.wait(timeout=100)
        totals = []
        for number in (100, 101):
            done = self.gate("fisher-yates", "-n", "20", "--limit", "300", "--seed", str(number), "--key", "v1", "--format", "json")
            self.assertEqual((done.returncode, done.stderr), (3, ""))
            (found,) = json.loads(done.stdout)["gates"]
            totals.append((found["total"], found["uncounted"], found["ledger"]["decks"]))
        # What the runs before left may be without decks, if one was killed between the two files; the last run has its own.
        self.assertEqual(totals[1][0] - totals[0][0], 300)
        self.assertGreaterEqual(totals[1][2], 300)
        self.assertLessEqual(totals[1][2], totals[0][0] + totals[0][1])

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
