#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports whose evidence is saved, read and resumed; runs that are killed.

Usage: save.py SHUFFLEBIAS SOURCE
"""
import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

from saving import PROGRAM, Saving, aged, damaged, sealed, small
from saving import RUN_OF_EACH_KIND as RUNS
from waiting import until


class Save(Saving):
    def test_the_report_is_the_same(self):
        for number, run in enumerate(RUNS):
            for form in ("json", "text" if number else "html"):
                with self.subTest(run=run, form=form):
                    options = ("--format", form, "--all-counts", "--alpha", "0.01")
                    saved = "%d.%s" % (number, form)
                    plain = self.without_its_command(self.report(*run, "--by", "sample", *options))
                    for line in ((*run, "--save", saved), (saved,), ("--save", saved)):  # the last has nothing to do
                        self.assertEqual(self.without_its_command(self.report(*line, *options)), plain)
                    self.assertEqual(self.text(saved), self.text("%d.json" % number))

    def test_what_is_saved(self):
        for number, run in enumerate(RUNS):
            name = "saved%d" % number
            (report,) = json.loads(self.report(*run, "--save", name, "--format", "json"))["reports"]
            saved = self.saved(name)
            self.assertEqual((saved["subject"]["kind"], saved["subject"]["name"]), ("scheme", report["subject"]["name"]))
            self.assertEqual(saved.get("counts"), report["evidence"]["counts"])
            self.assertEqual(saved.get("matrix"), None if "counts" in saved else report["matrix"])
            self.assertEqual(saved["options"]["samples"], str(saved["total"]))
            self.assertEqual(self.text(name), sealed(self.text(name)))
            self.valid(name)

    def test_small_ones(self):
        for n in ("0", "1", "2"):
            with self.subTest(n=n):
                plain = self.report("naive", "-n", n, "--samples", "10", "--by", "sample")
                self.report("naive", "-n", n, "--samples", "10", "--save", n)
                self.assertEqual(self.report(n), plain)

    def test_killed_and_resumed(self):
        """At 20 random moments at which some blocks, and not all, are in the file. Kills that miss the middle of a run, as
        happens on any machine, are not counted: others take their place."""
        moments = random.Random(8)
        for number, run in enumerate(RUNS):
            self.report(*run, "--save", "whole%d" % number)
            began = time.monotonic()
            self.report(*run, "--threads", "1")
            window = time.monotonic() - began  # in which to kill; it follows the machine, as that is busy or not
            name, hits, kills = "cut%d" % number, 0, 0
            while hits < 5:
                kills += 1
                self.assertLess(kills, 200, "no kill hits the run")
                child = self.start(*run, "--save", name, "--checkpoint", "0.005", "--threads", str(moments.randint(1, 4)))
                with child:
                    time.sleep(moments.uniform(0, window))
                    child.kill()
                if child.returncode == 0:  # it was quicker than we: once more
                    self.assertEqual(self.text(name), self.text("whole%d" % number))
                    os.remove(self.path(name))
                    window *= 0.8
                    continue
                done = self.done(name) if os.path.exists(self.path(name)) else 0
                if done == 0:
                    window *= 1.2
                elif done < self.done("whole%d" % number):
                    hits += 1
            self.report("--save", name, "--threads", str(moments.randint(1, 4)))
            self.assertEqual(self.text(name), self.text("whole%d" % number))
            self.assertFalse(os.path.exists(self.path(name + ".new")))

    def test_two_at_once(self):
        """Of several runs that would save to one file one does. The others end with a line, or report on the complete file; who
        only reads may, too."""
        run = ("naive", "-n", "4", "--samples", "1e12")
        with self.start(*run, "--save", "long", "--checkpoint", "0.01") as child:
            self.until_done("long", 1)
            for _ in range(3):
                self.assertIn("'long' is in use: another run saves to it", self.report("--save", "long", status=4))
                self.assertIn("'long' is in use: another run saves to it", self.report(*run, "--save", "long", status=4))
                self.assertIn("Ended early", self.report("long"))
            child.kill()
        self.killed("long", "--save", "long", done=self.done("long") + 1)  # for the dead hold nothing
        run = ("naive", "--samples", "1e6")
        children = [self.start(*run, "--save", "new") for _ in range(8)]
        reports = []
        for child in children:
            printed, line = child.communicate(timeout=100)
            self.assertIn((child.returncode, bool(line)), ((0, False), (2, True), (4, True)))
            self.assertRegex(line, "^$|'new' is (there already|in use): ")
            reports += [printed] if child.returncode == 0 else []
        self.assertGreaterEqual(len(reports), 1)
        self.assertEqual(set(map(self.without_its_command, reports)), {self.without_its_command(self.report("new"))})
        self.report(*run, "--save", "whole")
        self.assertEqual(self.text("new"), self.text("whole"))
        self.assertEqual(set(os.listdir(self.folder.name)) - {"long.new"}, {"long", "new", "whole"})

    def test_a_checkpoint_is_a_shorter_run(self):
        run = ("naive", "-n", "4", "--samples", "1e12")
        long = self.killed("long", *run, "--save", "long", done=3)
        total = long["total"]
        self.assertEqual(total % 65536, 0)
        shorter = json.loads(self.report("naive", "-n", "4", "--samples", str(total), "--by", "sample", "--format", "json"))
        self.assertEqual(long["counts"], shorter["reports"][0]["evidence"]["counts"])
        text = " ".join(self.report("long").split())
        self.assertIn("Ended early: the run was interrupted, and this is what was counted until then.", text)
        self.assertIn("Warning: stopped early: {:,} of 1,000,000,000,000 shuffles were counted".format(total), text)

    def test_interrupted_by_hand(self):
        """The report of the file is that of the run, which says how far it had come."""
        run = ("naive", "-n", "11", "--samples", "300000", "--statistics", "descents,repeat")
        child = self.start(*run, "--save", "saved", "--threads", "1", "--export", "json:json")
        with child:
            until(lambda: os.path.exists(self.path("saved")), "no file")
            child.send_signal(signal.SIGINT)
            printed, line = child.communicate()
        if child.returncode == 130:  # else it was done before
            self.assertIn("\nEnded early: the run was interrupted", printed)
            self.assertEqual(line, "shufflebias report: interrupted: resume with --save saved\n")
        self.assertEqual(self.report("saved"), printed)
        self.assertEqual(self.report("saved", "--format", "json"), self.text("json"))
        self.report("--save", "saved")
        self.report(*run, "--save", "whole")
        self.assertEqual(self.text("saved"), self.text("whole"))

    def test_arguments_that_are_repeated(self):
        run = ("naive/modulo:20", "-n", "4", "--samples", "1e6", "--seed", "7", "--increments", "--statistics", "parity")
        self.report(*run, "--save", "saved")
        plain = self.report("saved")
        for repeated in (run, ("naive",), ("naive", "--draw", "modulo:20"), ("--rng", "philox"), ("--deal", "4"),
                         ("--by", "sample", "--threads", "3")):
            with self.subTest(repeated=repeated):
                self.assertEqual(self.report("--save", "saved", *repeated), plain)
        self.report("fisher-yates", "--samples", "10", "--save", "other")
        self.refused_otherwise(self.report, (
            ("-n 5", "4"), ("--deal 3", "4"), ("--seed 1", "7"), ("--samples 70", "1000000"), ("--by exact", "sample"),
            ("--by both", "sample"), ("--by seeds", "sample"), ("--statistics all", "parity"), ("--statistics none", "parity"),
            ("--profile cards", "not given"), ("--draw modulo:21", "modulo:20"), ("--rng mt19937", "philox")))
        for scheme in ("naive/modulo:21", "naive/modulo:20/mt19937", "fisher-yates/modulo:20"):
            self.assertIn("scheme %s: differs from that of 'saved', naive/modulo:20: leave it out" % scheme,
                          self.report("--save", "saved", scheme, status=2))
        self.assertIn("--increments given: differs from that of 'other', not given: leave it out",
                      self.report("--save", "other", "--increments", status=2))

    def test_a_choice_of_statistics_is_a_set(self):
        """In whatever order it is typed, and how often a name: the same file, and the same run."""
        run = ("naive", "-n", "11", "--samples", "1e4", "--statistics")
        printed = self.report(*run, "repeat,parity,cycles", "--save", "one")
        self.assertEqual(self.report(*run, "cycles,parity,cycles,repeat,parity,", "--save", "other"), printed)
        self.assertEqual(self.text("one"), self.text("other"))
        self.assertEqual(self.saved("one")["options"]["statistics"], "cycles,parity,repeat")
        self.assertEqual(self.report("--save", "one", "--statistics", "parity,repeat,cycles"), printed)
        typed = sealed(self.text("one").replace("cycles,parity,repeat", "repeat,cycles,parity"))  # as files had it once
        self.put("typed", typed)
        self.assertEqual(self.report("--save", "typed", "--statistics", "parity,cycles,repeat"), printed)
        names = [line.split()[0] for line in self.call("list", "statistics").splitlines() if line.startswith("  ")]
        names = [name for name in names if name not in ("band", "distance", "eighths", "bettor", "card-at", "runs", "kind-count", "kind-count-2", "kind-count-3", "kind-count-4",
                                                        "group-sum", "group-gap", "together", "overlap")]  # of more than 1,000 items; of streams; of equal cards; of sets
        self.report("naive", "-n", "52", "--samples", "10", "--statistics", ",".join(reversed(names)), "--save", "all")
        self.assertEqual(self.saved("all")["options"]["statistics"], ",".join(names))

    def test_what_does_not_go_together(self):
        self.report("naive", "--samples", "10", "--save", "saved")
        self.put("decks", "1 2 3\n")
        before = self.text("saved")
        for arguments, line in (
                (("naive", "--samples", "11", "--save", "saved"), "--samples 11: differs from that of 'saved', 10: leave it out"),
                (("naive", "--save", "decks"), "'decks' is there already: name another file"),
                (("naive", "fisher-yates", "--save", "new"), "name one scheme"),
                (("--save", "new"), "name one scheme"),
                (("naive", "--by", "both", "--save", "new"), "only a sample can be saved"),
                (("naive", "-n", "9000", "--save", "new"), "n = 9000 is too large for a matrix"),
                (("naive", "--checkpoint", "3"), "only goes with --save"),
                (("naive", "--save", "new", "--checkpoint", "0"), "--checkpoint 0: must be"),
                (("--save", "new", "--", "yes", "0 1 2"), "only goes with a scheme"),
                (("--matrix", "-", "--save", "new"), "leave --save out"),
                (("--save", "saved", "naive", "redraw"), "leave redraw out"),
                (("--save", "saved", "--", "yes"), "leave the command out"),
                (("--save", "saved", "--chained"), "leave --chained out"),
                (("saved", "--save", "new"), "leave --save out"),
                (("naive", "--save", "-"), "--save '-': evidence must be saved in a regular file: name one"),
                (("naive", "--save", "."), "--save '.': evidence must be saved in a regular file: name one"),
                (("naive", "--save", "/dev/full"), "--save '/dev/full': evidence must be saved in a regular file: name one"),
                (("naive", "--save", ""), "--save '': evidence must be saved in a regular file: name one"),
                (("--save", "saved", "--save", "new"), "--save new: --save saved was given already: leave one out"),
                (("--save", "saved", "-o", "saved"), "cannot take the text"),
                (("saved", "-o", "saved"), "cannot take the text"),
                (("naive", "--save", "new", "-o", "new"), "cannot take the text")):
            with self.subTest(arguments=arguments):
                self.assertIn(line, self.report(*arguments, status=2))
                self.assertFalse(os.path.exists(self.path("new")))
        self.assertIn("cannot write 'gone/saved': No such file or directory: make its folder, or name another file",
                      self.report("naive", "--save", "gone/saved", status=4))
        self.assertEqual(self.text("saved"), before)

    def test_cut_or_edited(self):
        """At every tenth byte: cut there, and one byte changed."""
        self.report("naive", "--samples", "1e5", "--save", "saved")
        whole = self.text("saved")
        for bad in damaged(whole, 10):
            with self.subTest(bad=bad):
                self.put("bad", bad)
                if bad.startswith("{"):
                    for arguments in (("bad",), ("--save", "bad")):
                        self.assertIn("'bad' is no sound evidence: ", self.report(*arguments, status=4))
                else:
                    self.assertIn("'bad' is there already: name another file", self.report("naive", "--save", "bad", status=2))

    def test_what_is_wrong_has_a_place(self):
        """Files of others, and such whose checksum is right."""
        self.report("naive", "-n", "11", "--samples", "5e4", "--save", "large", "--increments", "--statistics", "parity,repeat")
        self.report("naive", "--samples", "1e5", "--save", "saved")
        self.refused_edited(self.report, (
            ("saved", r"evidence/1", "evidence/2", "schema must be"),
            ("saved", r'"seed": "1"', '"seed": "-1"', "options.seed must be a whole number"),
            ("saved", r'"seed": "1"', '"seed": 1', "options.seed must be a string"),
            ("saved", r'"seed": "1"', '"seed": "1", "sead": "1"', "options must be options that such a run saves"),
            ("saved", r',\s*"seed": "1"', "", "options.seed must be a string"),
            ("saved", r'"samples": "100000"', '"samples": "0"', "options.samples must be"),
            ("saved", r'"command": "report"', '"command": "reports"', "command must be one of report gate watch"),
            ("saved", r'"kind": "scheme"', '"kind": "file"', "subject.kind must be scheme"),
            ("saved", r'"name": "naive"', '"name": "knave"', "subject.name must be a scheme"),
            ("saved", r'"total": 100000', '"total": 99999', "total must be an integer from 65536 to 65536"),
            ("saved", r'"total": 100000', '"total": 131072', "total must be an integer from 100000 to 100000"),
            ("saved", r'"total": 100000', '"total": 65536', "run.counts must"),
            ("saved", r'"counts": \[', '"counts": [1, ', "run.counts must be an array of a count for each order"),
            ("saved", r'"counts": \[1', '"counts": [2', "run.counts must"),
            ("saved", r'"counts"', '"matrix"', "run.matrix must be missing"),
            ("saved", r'"counts": \[[^]]*\]', "", "run must have the counts"),
            ("saved", r'"tallies"', '"shards": {"of": 1, "parts": []}, "tallies"', "shards.parts must hold a part"),
            ("saved", r'"n": "3"', '"n": "65535"', "is too large|must be"),
            ("large", r'"tallies": \[\n', '"tallies": [3,\n', r"tallies\[0\]. must be an object"),
            ("large", r'"members": 1,', '"members": 2,', r"tallies\[0\].counts must"),
            ("large", r'"matrix": \[\n      \[(\d)', r'"matrix": [\n      [1\1', r"matrix\[0\] must"),
            ("large", r'"repeats": \{\n    "decks": 50000', r'"repeats": {\n    "decks": 50001', "repeats.decks must"),
            ("large", r'"statistics": "parity,repeat"', '"statistics": "repeat"', "tallies are of other statistics")))
        self.put("foreign", '{\n"schema": 1}\n')
        self.assertIn('schema must be "shufflebias.evidence/1"', self.report("foreign", status=4))
        self.put("empty", "")
        self.assertIn("'empty' is there already: name another file", self.report("naive", "--save", "empty", status=2))
        for command in ("report", "gate", "watch"):  # to which it is a recording
            self.assertIn("empty: ended without a permutation: name a file that has some", self.call(command, "empty", status=4))

    def test_another_version(self):
        """Is reported on, but not gone on with."""
        self.killed("long", "naive", "-n", "4", "--samples", "1e12", "--save", "long")
        self.put("long", aged(self.text("long")))
        before = self.text("long")
        self.assertIn("stopped early", self.report("long"))
        self.assertIn("'long' is of version 0.0.9", self.report("--save", "long", status=2))
        self.assertEqual(self.text("long"), before)

    def test_a_link_stays(self):
        run = ("naive", "-n", "4", "--samples", "1e12")
        self.killed("long", *run, "--save", "long")
        before = self.done("long")
        os.symlink("long", self.path("other"))
        os.symlink(self.path("other"), self.path("link"))
        with self.start("--save", "link", "--checkpoint", "0.01") as child:
            self.until_done("long", before + 1)
            self.assertIn("'long' is in use", self.report("--save", "long", status=4))
            child.kill()
        self.assertTrue(os.path.islink(self.path("link")) and os.path.islink(self.path("other")))
        os.symlink("gone", self.path("nothing"))
        self.assertIn("'nothing' is a link to a file that is not there: name that file",
                      self.report(*run, "--save", "nothing", status=2))
        self.assertFalse(os.path.exists(self.path("gone")))

    def test_what_lies_where_the_new_file_is_to_be(self):
        """A file is what a run that was killed has left; all else is somebody's, and stays."""
        run = ("naive", "--samples", "1e5")
        self.report(*run, "--save", "whole")
        self.put("saved.new", "left" * 1000)
        self.report(*run, "--save", "saved")
        self.assertEqual(self.text("saved"), self.text("whole"))
        os.mkdir(self.path("folder.new"))
        os.symlink("whole", self.path("link.new"))
        os.mkfifo(self.path("pipe.new"))
        before = sorted(os.listdir(self.folder.name))
        for name in ("folder", "link", "pipe"):
            with self.subTest(name=name):
                self.assertIn("cannot write '%s': '%s.new' is in the way, and no file" % (name, name),
                              self.report(*run, "--save", name, status=4))
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)
        self.put("whole.new", "somebody's")
        self.report(*run, "--save", "whole")  # has nothing to do
        self.assertEqual(self.text("whole.new"), "somebody's")

    def test_a_limit_on_files(self):
        """Which sends a signal that ends a program: ours ends with a line instead, and leaves nothing."""
        run = "report naive -n 40 --samples 1e5 --statistics descents"
        for more, line in (("--save new", "cannot write 'new': File too large"), ("-o new", "cannot write 'new': File too large"),
                           ("--format json >printed", "cannot write 'standard output': File too large")):
            with self.subTest(more=more):
                done = subprocess.run(["bash", "-c", "ulimit -f 4; exec '%s' %s %s" % (PROGRAM, run, more)], cwd=self.folder.name,
                                      capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (4, 1), done.stderr)
                self.assertIn(line, done.stderr)
        self.assertEqual(os.listdir(self.folder.name), ["printed"])

    def test_a_full_disk(self):
        run = ("naive", "-n", "40", "--samples", "1e9", "--statistics", "descents")
        line = self.report(*run, "--save", "new", status=4, preexec_fn=small)
        self.assertIn("cannot write 'new': File too large", line)
        self.killed("long", *run, "--save", "long")
        before = self.text("long")
        line = self.report("--save", "long", "--checkpoint", "0.01", status=4, preexec_fn=small)
        self.assertIn("cannot write 'long': File too large: raise the limit of 'ulimit -f', and resume the run with --save long", line)
        self.assertEqual(self.text("long"), before)
        self.assertEqual(os.listdir(self.folder.name), ["long"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
