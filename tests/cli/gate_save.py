#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A gate that saves its evidence, shows it and resumes from it; gates that are killed.

Usage: gate_save.py SHUFFLEBIAS SOURCE
"""
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from saving import PROGRAM, Saving, aged, damaged, sealed, small
from waiting import interrupt_until_it_ends, until, until_asleep, until_worked

# A biased shuffle whose bias is nearly forgiven, decks side by side, and no counts beside them, so that its blocks are
# passed over; many items, whose decks are compared; plain C; steps; a generator without a counter.
RUNS = (("naive", "--exclude", "0.0557", "--tolerate", "0.0545", "--limit", "1e9"),
        ("fisher-yates", "-n", "52", "--limit", "25000"),
        ("inside-out", "-n", "9", "--deal", "8", "--limit", "60000"),
        ("fisher-yates/modulo:12", "-n", "12", "--increments", "--limit", "40000"),
        ("fisher-yates/ideal/mt19937", "-n", "4", "--exclude", "0.001", "--limit", "2.5e6"))

# Decks of five, one a line, which are all different; a second argument seeds them.
DEAL = "import random, sys; r = random.Random(int(sys.argv[2]))\nfor i in range(int(sys.argv[1])): print(*r.sample(range(5), 5))"


class GateSave(Saving):
    def gate(self, *arguments, status=3, **more):
        return self.call("gate", *arguments, status=status, **more)

    def deal(self, decks, seed):
        return [sys.executable, "-c", DEAL, str(decks), str(seed)]

    def dealt(self, decks, seed):
        return subprocess.run(self.deal(decks, seed), capture_output=True, text=True, check=True).stdout

    def cut(self, *arguments, total=1):
        """A run that is killed once so many permutations, or more, are in its file."""
        return self.killed("cut", *arguments, "--save", "cut", command="gate", done=total)

    def test_the_report_is_the_same(self):
        """Of saved evidence and of a run without any; in any format. The command at the end of a page names the file."""
        def page(text):
            return re.sub("(?s)(<h2>How to reproduce it</h2>).*?</code>", r"\1", text)

        for number, (run, status) in enumerate(((("naive",), 1), (("fisher-yates", "-n", "5", "--exclude", "0.1"), 0),
                                                (("naive", "-n", "12", "--increments", "--limit", "99", "--seed", "7"), 3),
                                                (("splice", "-n", "9", "--deal", "2", "--limit", "1000"), 3),
                                                (("fisher-yates", "--limit", "1"), 3))):
            for form in ("json", "text" if number else "html"):
                with self.subTest(run=run, form=form):
                    name = "%d.%s" % (number, form)
                    plain = self.gate(*run, "--format", form, status=status)
                    self.assertEqual(self.gate(*run, "--format", form, "--save", name, status=status), plain)
                    before = self.text(name)
                    self.assertEqual(page(self.gate(name, "--format", form, status=status)), page(plain))
                    self.assertEqual(page(self.gate("--save", name, "--format", form, status=status)), page(plain))
                    self.assertEqual(self.text(name), before)
            self.assertEqual(before, sealed(before))
            self.valid(name)

    def test_killed_and_resumed(self):
        """20 moments; nothing is asked of them, so that a slow machine or a fast one does no harm."""
        moments = random.Random(8)
        for number, run in enumerate(RUNS):
            whole, name = "whole%d" % number, "cut%d" % number
            began = time.monotonic()
            child = self.start(*run, "--save", whole, command="gate")
            printed = child.communicate()[0]
            lasts = time.monotonic() - began
            for _ in range(4):
                with self.start(*run, "--save", name, "--checkpoint", "0.005", command="gate") as killed:
                    time.sleep(moments.uniform(0, lasts * 0.7))
                    killed.kill()
            self.assertEqual(self.gate(*run, "--save", name, status=child.returncode), printed)
            self.assertEqual(self.text(name), self.text(whole))
            self.assertFalse(os.path.exists(self.path(name + ".new")))

    def test_a_checkpoint_is_looked_at(self):
        """As a run that ended there would be, but that it says so; and looking changes nothing."""
        cut = self.cut("fisher-yates", "-n", "52", "--limit", "1e9", total=1000)
        self.assertIsNone(cut["verdict"])
        (found,) = json.loads(self.gate("cut", "--format", "json"))["gates"]
        self.assertEqual((found["total"], found["interrupted"], found["verdict"]), (cut["total"], True, "inconclusive"))
        (shorter,) = json.loads(self.gate("fisher-yates", "-n", "52", "--limit", str(cut["total"]), "--format", "json"))["gates"]
        self.assertEqual([line["ln_e"] for line in found["statistics"]][:52], [line["ln_e"] for line in shorter["statistics"]][:52])
        self.assertEqual(found["matrix"], shorter["matrix"])
        self.assertIn("It was interrupted", " ".join(self.gate("cut").split()))

    def test_interrupted_by_hand(self):
        run = ("inside-out", "-n", "9", "--limit", "60000", "--max-bias", "0.01")
        self.gate(*run, "--save", "whole")
        with self.start(*run, "--save", "cut short", "--format", "json", command="gate") as child:
            until(lambda: os.path.exists(self.path("cut short")), "no file")
            child.send_signal(signal.SIGINT)
            printed, line = child.communicate()
        if child.returncode == 130:  # else it was done before
            self.assertEqual(self.gate("cut short", "--format", "json"), printed)
            self.assertEqual(line, "shufflebias gate: interrupted: resume with --save 'cut short'\n")
        self.gate("--save", "cut short")
        self.assertEqual(self.text("cut short"), self.text("whole"))

    def test_nothing_seen_yet(self):
        with self.start("--save", "cut", "-n", "3", "-", command="gate", stdin=subprocess.PIPE) as child:
            child.stdin.write("1 2 3\n")
            child.stdin.flush()
            until(lambda: os.path.exists(self.path("cut")), "no file")
            child.kill()
        nothing = re.sub(r'"(total|decks)": 1,', r'"\1": 0,', re.sub(r'"total": \d+', '"total": 0', self.text("cut"), count=1))
        self.put("nothing", sealed(re.sub(r'("(total|ln_e|tv_low|tv_high)": )\[(?!0\.0, 0\.0)[^]]*\]', r"\1[]",
                                          re.sub(r'"counts": \[[^]]*\]', lambda row: re.sub(r"1", "0", row.group()), nothing))))
        self.assertIn("after 0 shuffles", self.gate("nothing"))

    def test_a_recording_goes_on_at_its_place(self):
        decks = self.dealt(3000, 1).splitlines(True)
        for more in ((), ("--increments",), ("--chained",)):
            with self.subTest(more=more):
                for name in ("whole", "part"):
                    if os.path.exists(self.path(name)):
                        os.unlink(self.path(name))
                self.put("decks.txt", "".join(decks))
                whole = self.gate("decks.txt", *more, "--save", "whole")
                self.put("decks.txt", "".join(decks[:1234]))
                self.gate("decks.txt", *more, "--save", "part")
                self.put("decks.txt", "".join(decks))
                self.assertEqual(self.gate("--save", "part", "decks.txt", *more), whole)
                self.assertEqual(self.text("part"), self.text("whole"))
        before = self.text("part")
        self.put("decks.txt", "".join(decks[:2000]))
        self.assertIn("yielded 1,999 permutations, but 'part' recorded 2,999: use the same input",
                      self.gate("--save", "part", "decks.txt", status=4))
        self.put("decks.txt", "".join(decks[1:]))
        self.assertIn("its first 64 permutations are not those", self.gate("--save", "part", "decks.txt", status=4))
        self.assertEqual(self.text("part"), before)
        self.assertIn("': name it again", self.gate("--save", "part", status=2))

    def test_a_recording_of_fewer_than_64_that_grew_at_its_start(self):
        decks = self.dealt(90, 1).splitlines(True)
        self.put("decks.txt", "".join(decks[:30]))
        self.gate("decks.txt", "--save", "part")
        before = self.text("part")
        self.put("decks.txt", "".join(decks[30:] + decks[:30]))  # the old permutations would count twice
        self.assertIn("its first 30 permutations are not those", self.gate("--save", "part", "decks.txt", status=4))
        self.assertEqual(self.text("part"), before)
        self.put("decks.txt", "".join(decks[:29]))
        self.assertIn("yielded 29 permutations, but 'part' recorded 30", self.gate("--save", "part", "decks.txt", status=4))
        self.put("decks.txt", "".join(decks))
        self.gate("decks.txt", "--save", "whole")
        self.gate("--save", "part", "decks.txt")
        self.assertEqual(self.text("part"), self.text("whole"))

    def test_a_program_adds(self):
        """Each run anew; one with a fixed seed would count twice."""
        self.gate("--save", "saved", "--limit", "2500", "--", *self.deal(1000, 1))
        self.assertEqual(self.saved("saved")["verdict"], "inconclusive")
        before = self.text("saved")
        self.assertIn("would count twice: seed it anew", self.gate("--save", "saved", "--", *self.deal(1000, 1), status=4))
        self.assertEqual(self.text("saved"), before)
        self.assertRegex(self.gate("--save", "saved", "--", *self.deal(1000, 2), status=2),
                         "command .*: differs from that of 'saved', .*: say the command of that run again")
        self.assertIn("give it again, after '--'", self.gate("--save", "saved", status=2))
        decks = [self.dealt(count, seed) for seed, count in enumerate((1000, 1064, 1064))]
        os.unlink(self.path("saved"))
        for number in range(3):  # of the later ones the first 64 do not count; the limit is that of each run
            self.gate("--save", "saved", "--limit", "2500", "-",
                      stdin=self.pipe(decks[number]))
        saved = self.saved("saved")
        self.assertEqual((saved["total"], saved["carried"], len(saved["openings"])), (3000, 2000, 3))
        self.assertEqual(saved["uncounted"], 128)
        counted = [deck for number, text in enumerate(decks) for deck in text.splitlines(True)[64 if number else 0:]]
        (all_at_once,) = json.loads(self.gate("--format", "json", "-", stdin=self.pipe("".join(counted))))["gates"]
        self.assertEqual(all_at_once["uncounted"], 0)
        (positions,) = (tally for tally in saved["tallies"] if tally["statistic"] == "position" and not tally.get("increments"))
        self.assertEqual(positions["counts"], sum(all_at_once["matrix"], []))
        for parts, whole in zip(saved["looks"]["ln_e"], all_at_once["looks"]["ln_e"]):
            self.assertAlmostEqual(parts, whole, delta=0.05)  # no step leads from one run to another

    def test_the_first_64_of_a_later_run_do_not_count(self):
        """A first run counts everything, however short; a later one counts from its 65th permutation on."""
        def state(name):
            saved = self.saved(name)
            return saved["total"], saved["uncounted"], len(saved["openings"])

        self.gate("--save", "short", "--", *self.deal(60, 1))
        before = self.text("short")
        self.assertIn("after 60 shuffles", self.gate("short"))
        self.assertEqual(state("short"), (60, 0, 0))
        printed = self.gate("--save", "short", "--", *self.deal(60, 1))  # the same once more: none of them counts
        self.assertIn("Not counted: 60 permutations. The first 64", " ".join(printed.split()))
        self.assertEqual(state("short"), (60, 60, 0))
        self.assertEqual(self.gate("short"), printed)
        self.assertEqual(json.loads(self.text("short"))["tallies"], json.loads(before)["tallies"])
        decks = [self.dealt(count, count) for count in (80, 63, 64, 65, 71)]
        self.gate("--save", "saved", "--limit", "84", "-", stdin=self.pipe(decks[0]))
        for number, total, uncounted, openings in ((1, 80, 63, 1), (2, 80, 127, 2), (3, 81, 191, 3)):
            self.gate("--save", "saved", "-", stdin=self.pipe(decks[number]))
            self.assertEqual(state("saved"), (total, uncounted, openings))
        before = self.text("saved")
        for more in (decks[2], decks[3] * 2, decks[1] + "0 0 1 2 3\n"):  # there already; there already; no permutation
            self.gate("--save", "saved", "-", stdin=self.pipe(more), status=4)
            self.assertEqual(self.text("saved"), before)
        self.assertIn("would count twice", self.gate("--save", "saved", "-", stdin=self.pipe(decks[2]), status=4))
        self.gate("--save", "saved", "--limit", "3", "-", stdin=self.pipe(decks[4]))
        self.assertEqual(state("saved"), (84, 255, 4))  # three of the seven that would count: the limit
        self.valid("saved")

    def test_stopped_early(self):
        """What a first run gave counts; of a later one that is stopped within its first 64 nothing does."""
        for number in range(2):
            with self.start("--save", "cut", "-n", "3", "-", command="gate",
                            stdin=subprocess.PIPE) as child:
                child.stdin.write("1 2 3\n" * 63 if number else "1 3 2\n" * 9)
                child.stdin.flush()
                until(lambda: os.path.exists(self.path("cut")), "no file")
                until_asleep(child)
                interrupt_until_it_ends(child)
                self.assertEqual(child.returncode, 130)
            self.assertEqual(self.saved("cut")["total"], 9)
        self.gate("--save", "cut", "-", stdin=self.pipe("1 2 3\n" * 64))
        self.assertIn("FAIL", self.gate("--save", "cut", "-", stdin=self.pipe("1 3 2\n" * 200), status=1))

    def pipe(self, text):
        """Something to read from that holds the text."""
        file = tempfile.TemporaryFile()
        self.addCleanup(file.close)
        file.write(text.encode())
        file.seek(0)
        return file

    def test_a_subject_that_breaks_its_word(self):
        """What it said before is kept."""
        decks = self.dealt(700, 3)
        self.assertIn("line 701", self.gate("--save", "saved", "-", stdin=self.pipe(decks + "0 0 1 2 3\n"), status=4))
        saved = self.saved("saved")
        self.assertEqual((saved["total"], saved["verdict"]), (700, None))

    def test_arguments_that_are_repeated(self):
        run = ("naive/modulo:20", "-n", "4", "--limit", "1000", "--seed", "7", "--increments", "--alpha", "1e-5", "--exclude", "0.02",
               "--tolerate", "0.01", "--delta", "1e-3")
        plain = self.gate(*run, "--save", "saved")
        for repeated in (run, ("naive",), ("naive", "--draw", "modulo:20"), ("--rng", "philox"), ("--deal", "4"), ("--seed", "7")):
            with self.subTest(repeated=repeated):
                self.assertEqual(self.gate("--save", "saved", *repeated), plain)
        self.gate("fisher-yates", "--limit", "9", "--save", "other")
        self.refused_otherwise(self.gate, (
            ("-n 5", "4"), ("--deal 3", "4"), ("--seed 1", "7"), ("--limit 70", "1000"), ("--alpha 0.001", "1e-05"),
            ("--delta 0.25", "0.001"), ("--max-bias 0.25", "0.02"), ("--tolerate 0", "0.01"), ("--profile cards", "not given"),
            ("--draw modulo:21", "modulo:20"), ("--rng mt19937", "philox")))
        for scheme in ("naive/modulo:21", "naive/modulo:20/mt19937", "fisher-yates"):
            self.assertRegex(self.gate("--save", "saved", scheme, status=2),
                             "scheme %s.*: differs from that of 'saved', naive/modulo:20: leave it out" % scheme)
        self.assertIn("--increments given: differs from that of 'other', not given: leave it out",
                      self.gate("--save", "other", "--increments", status=2))
        self.assertIn("command yes: differs from that of 'other', scheme fisher-yates: leave it out",
                      self.gate("--save", "other", "--", "yes", status=2))

    def test_what_does_not_go_together(self):
        self.gate("naive", "--limit", "10", "--save", "saved")
        self.put("suite.json", '[{"name": "a", "scheme": "naive"}]')
        before = self.text("saved")
        self.put("-", before)  # no standard input
        self.assertIn("after 2 shuffles", self.gate("-", stdin=self.pipe("0 1 2\n" * 2)))
        for arguments, line in (
                (("naive", "--limit", "11", "--save", "saved"), "--limit 11: differs from that of 'saved', 10: leave it out"),
                (("naive", "--save", "suite.json"), "'suite.json' is there already: name another file"),
                (("saved", "--ledger", "l.json"), "--ledger l.json: a ledger is for runs, and 'saved' is only judged: leave --ledger out"),
                (("--suite", "suite.json", "--save", "new"), "--save new: cannot be used with --suite"),
                (("naive", "--checkpoint", "3"), "only goes with --save"),
                (("naive", "--save", "new", "--checkpoint", "0"), "--checkpoint 0: must be"),
                (("--save", "new"), "name what to test"),
                (("saved", "--save", "new"), "leave --save out"),
                (("--save", "saved", "--chained"), "--chained: only goes with"),
                (("--save", "saved", "naive", "redraw"), "leave 'redraw' out"),
                (("naive", "--save", "-"), "--save '-': evidence must be saved in a regular file: name one"),
                (("naive", "--save", "new", "--save", "new"), "--save new was given already"),
                (("--save", "saved", "--save", "new"), "--save saved was given already"),
                (("--save", "saved", "-o", "saved"), "cannot take the text"),
                (("saved", "-o", "saved"), "cannot take the text"),
                (("naive", "--save", "new", "-o", "new"), "cannot take the text")):
            with self.subTest(arguments=arguments):
                self.assertIn(line, self.gate(*arguments, status=2))
                self.assertFalse(os.path.exists(self.path("new")))
        self.assertIn("cannot write 'gone/saved': No such file or directory: make its folder, or name another file",
                      self.gate("naive", "--save", "gone/saved", status=4))
        self.assertEqual(self.text("saved"), before)
        self.assertFalse(os.path.exists(self.path("l.json")))

    def test_evidence_of_the_other_command(self):
        """That of a report is judged: gate_report.py."""
        self.gate("naive", "--limit", "10", "--save", "gate")
        self.assertIn("give it to 'shufflebias gate'", self.report("gate", status=4))

    def test_cut_or_edited(self):
        """At every seventeenth byte: cut there, and one byte changed."""
        self.gate("naive", "--limit", "3", "--save", "saved")
        for bad in damaged(self.text("saved"), 17):
            with self.subTest(bad=bad):
                self.put("bad", bad)
                status, line = (4, "is no sound evidence: ") if bad.startswith("{") else (2, "is there already: name another file")
                self.assertIn("'bad' " + line, self.gate("naive", "--save", "bad", status=status))

    def test_what_is_wrong_has_a_place(self):
        """Files of others, and such whose checksum is right."""
        self.gate("naive", "--save", "saved", status=1)
        self.gate("naive", "-n", "11", "--limit", "500", "--increments", "--save", "large")
        self.gate("fisher-yates", "--limit", "500", "--save", "fair")
        self.refused_edited(self.gate, (
            ("saved", r"evidence/1", "evidence/99", "schema must be"),
            ("saved", r'"run": null', '"run": 0', "run must be an integer from 1"),
            ("saved", r'"share": null', '"share": 1', "share must be"),
            ("saved", r'"replays": true', '"replays": false', "replays must be true for a scheme"),
            ("saved", r'"carried": 0', '"carried": 5000', "carried must be"),
            ("saved", r'"uncounted": 0', '"uncounted": 0, "decks": "0123"', "decks must be 32 hexadecimal"),
            ("saved", r'"uncounted": 0', '"uncounted": -1', "uncounted must be"),
            ("saved", r'"seed": "1"', '"seed": null', "options.seed must be a string"),
            ("saved", r'"seed": "1"', '"seed": "1", "sead": "1"', "options must be options that such a run saves"),
            ("saved", r'"words": null', '"words": null, "sead": 1', "subject.sead is no field"),
            ("saved", r'"name": "naive"', '"name": "knave"', "subject.name must be a scheme"),
            ("saved", r'"kind": "scheme"', '"kind": "friend"', "subject.kind must be one of scheme command"),
            ("saved", r'"words": null', '"words": "0"', "subject.words must be null"),
            ("saved", r'"n": "3"', '"n": "1"', "options.n must be an integer"),
            ("saved", r'"n": "3",\n    "deal": "3"', '"n": "4",\n    "deal": "4"', "tallies are of other statistics"),
            ("saved", r'"deal": "3"', '"deal": "4"', "options.deal must be an integer from 1 to 3"),
            ("saved", r'"alpha": [^,]*', '"alpha": "1"', "options.alpha must be a number"),
            ("saved", r'"alpha": [^,]*,', "", "options.alpha must be a string"),
            ("saved", r'"tolerate": [^,]*', '"tolerate": "0.03"', "options.tolerate must be at most"),
            ("saved", r'"limit": "2000000"', '"limit": "4000"', "total must be the limit at most"),
            ("saved", r'"verdict": "fail"', '"verdict": "guilty"', "verdict must be one of"),
            ("fair", r'"verdict": "inconclusive"', '"verdict": "pass"', "its stored verdict contradicts its counts"),
            ("saved", r'"total": \[1, ', '"total": [', "looks.ln_e must hold a number for each look"),
            ("saved", r'"total": \[1, 2', '"total": [1, 3', "looks.total must be where a gate looks"),
            ("saved", r'"total": 4070,', '"total": 4069,', "looks.total must be where a gate looks"),
            ("saved", r'"total": 4070,', '"total": 4199,', "looks.total must go up to the total"),
            ("saved", r'"tv_low": \[0.0', '"tv_low": [null', "looks.tv_low must hold"),
            ("saved", r'"counts": \[(\d)', r'"counts": [1\1', r"tallies\[0\].counts must"),
            ("saved", r'"openings": \["', '"openings": ["0', "openings must be 16 hexadecimal"),
            ("saved", r'"catalogue"', '"places": [0, 1, 2], "catalogue"', "tallies are of other statistics"),
            ("large", r'"places": \[\d+', '"places": [11', "places must be a permutation"),
            ("large", r'"decks": \d+', '"decks": 1', "repeats.(decks|pairs) must be"),
            ("large", r'"statistic": "cycles"', '"statistic": "luck"', "tallies are of other statistics")))
        self.put("foreign", '{\n"schema": 1}\n')
        self.assertIn('schema must be "shufflebias.evidence/1"', self.gate("foreign", status=4))

    def test_a_verdict_of_an_earlier_version(self):
        """Whose E or bound was a little different: a verdict stands, and an inconclusive run may have one by now."""
        found = json.loads(self.gate("naive", "--save", "failed", "--format", "json", status=1))["gates"][0]
        for missing, status in ((0.3, 1), (3, 4)):
            alpha = '"alpha": "%.17g"' % math.exp(-found["ln_e"] - missing)
            self.put("edited", sealed(re.sub(r'"alpha": [^,]*', alpha, self.text("failed"), count=1)))
            said = self.gate("--save", "edited", status=status)
            self.assertIn("its stored verdict contradicts its counts" if status == 4 else "after 4,070 shuffles", said)
        self.gate("fisher-yates", "--limit", "1000", "--save", "open", status=3)
        self.put("edited", sealed(re.sub(r'"max-bias": [^,]*', '"max-bias": "0.3"', self.text("open"), count=1)))
        self.assertIn("after 1,000 shuffles", self.gate("--save", "edited", status=0))

    def test_another_version(self):
        """Is looked at, but not gone on with."""
        self.cut("fisher-yates", "-n", "52", "--limit", "1e9")
        self.put("cut", aged(self.text("cut")))
        before = self.text("cut")
        self.assertIn("INCONCLUSIVE", self.gate("cut"))
        self.assertIn("'cut' is of version 0.0.9", self.gate("--save", "cut", status=2))
        self.assertEqual(self.text("cut"), before)

    def test_two_at_once(self):
        """Of two gates that would save to one file the second ends with a line; who only reads may."""
        run = ("fisher-yates", "-n", "52", "--limit", "1e9", "--exclude", "1e-4")
        child = self.start(*run, "--save", "long", "--checkpoint", "0.01", command="gate")
        with child:
            self.until_done("long", 1)
            for _ in range(3):
                self.assertIn("'long' is in use: another run saves to it", self.gate("--save", "long", status=4))
                self.assertIn("'long' is in use: another run saves to it", self.gate(*run, "--save", "long", status=4))
                self.gate("long")
            self.until_done("long", self.done("long") + 1)
            child.kill()

    def test_it_is_held_before_the_subject_starts(self):
        """While a gate waits for its first permutations, another cannot go on with the file."""
        self.put("deal.py", """import os, random, shutil, subprocess, sys
if os.path.exists("another"):
    os.unlink("another")
    other = subprocess.run([sys.argv[1], "gate", "--save", "saved", "--", sys.executable, *sys.argv], capture_output=True)
    open("after", "wb").write(other.stderr)
for i in range(264): print(*random.sample(range(5), 5))
""")
        command = ("--", sys.executable, "deal.py", PROGRAM)
        self.gate("--save", "saved", *command)
        self.put("another", "")
        self.gate("--save", "saved", *command)
        self.assertIn("'saved' is in use: another run saves to it", self.text("after"))
        self.assertEqual(self.saved("saved")["total"], 264 + 200)

    def test_a_link_stays(self):
        """And what it leads to is gone on with."""
        self.put("decks.txt", "1 2 3\n")
        self.gate("decks.txt", "--save", "recorded")
        self.put("decks.txt", "1 2 3\n2 3 1\n")
        os.mkdir(self.path("folder"))
        os.symlink("../recorded", self.path("folder/link"))
        self.gate("--save", "folder/link", "decks.txt")
        self.assertTrue(os.path.islink(self.path("folder/link")))
        self.assertEqual(self.saved("recorded")["total"], 2)
        self.assertEqual(os.listdir(self.path("folder")), ["link"])

    def test_only_the_user_reads_a_command(self):
        """Its arguments may have a password in them. A file that is there keeps its mode."""
        command = ("--", "printf", "1 2 3\\n%s", "password: hunter2")

        def mode(name):
            return os.stat(self.path(name)).st_mode & 0o777

        umask = os.umask(0o022)
        self.addCleanup(os.umask, umask)
        for file in ("saved.new", "ledger.new", "watched.new"):  # killed runs left them
            self.put(file, "")
        self.gate("--save", "saved", *command, status=4)
        self.gate("--ledger", "ledger", *command, status=4)
        self.call("watch", "--save", "watched", *command, status=4)
        for name in ("saved", "ledger", "watched"):
            self.assertIn("hunter2", self.text(name))
            self.assertEqual((name, mode(name)), (name, 0o600))
        self.gate("--save", "shared", "naive", "--limit", "100")
        self.assertEqual(mode("shared"), 0o644)  # it has no command
        for kept in (0o640, 0o400):
            os.chmod(self.path("ledger"), kept)
            self.gate("--ledger", "ledger", *command, status=4)
            self.assertEqual(mode("ledger"), kept)
        self.put("decks.txt", "1 2 3\n")
        self.gate("--save", "recorded", "decks.txt")
        os.chmod(self.path("recorded"), 0o600)
        self.gate("--save", "recorded", "decks.txt")
        self.assertEqual(mode("recorded"), 0o600)

    def test_a_full_disk(self):
        run = ("fisher-yates", "-n", "52", "--limit", "1e9")
        self.assertIn("cannot write 'new': File too large", self.gate(*run, "--save", "new", status=4, preexec_fn=small))
        self.cut(*run)
        before = self.text("cut")
        line = self.gate("--save", "cut", "--checkpoint", "0.01", status=4, preexec_fn=small)
        self.assertIn("cannot write 'cut': File too large: raise the limit of 'ulimit -f', and resume the run with --save cut", line)
        self.assertEqual(self.text("cut"), before)
        self.assertEqual(os.listdir(self.folder.name), ["cut"])

    def test_ctrl_c_while_decks_are_dealt_again(self):
        """Which takes long where there are many: it ends, and the file stays."""
        self.cut("fisher-yates/ideal/taus", "-n", "5", "--exclude", "0.0001", "--limit", "1e10", total=300000)
        with self.start("--save", "cut", "--checkpoint", "1000", command="gate") as child:
            until_worked(child, 0.2)
            interrupt_until_it_ends(child)
        self.assertEqual(child.returncode, 130)
        self.assertIsNone(self.saved("cut")["verdict"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
