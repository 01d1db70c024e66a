#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adding up the parts of a run.

Usage: merge.py SHUFFLEBIAS SOURCE
"""
import json
import os
import random
import signal
import sys
import unittest

from saving import Saving, aged, damaged, sealed, small

# Counted by rank, decks side by side; 52 cards, a matrix and all statistics; plain C; steps and whole decks that are
# compared with each other, over parts; deals of some cards, and keys that tie.
RUNS = (("naive", "-n", "4", "--samples", "3000001"),
        ("naive", "-n", "52", "--samples", "200001"),
        ("sort-bubble", "-n", "5", "--samples", "700001", "--statistics", "parity"),
        ("naive", "-n", "11", "--samples", "500001", "--increments", "--statistics", "descents,repeat", "--seed", "3"),
        ("sort-by-key:4", "-n", "14", "--deal", "9", "--samples", "300001", "--statistics", "repeat"))
PARTS = ["1", "2", "3", "4", "5", "6", "7"]


class Merge(Saving):
    def merge(self, *arguments, status=0, **more):
        return self.call("merge", *arguments, status=status, **more)

    def divide(self, *run, parts=7):
        """The parts of a run, in files 1, 2, 3, ... and the run itself in `whole`; what that printed."""
        for k in range(1, parts + 1):
            self.report(*run, "--shard", "%d/%d" % (k, parts), "--save", str(k), "--threads", str(1 + k % 3))
        return self.report(*run, "--save", "whole")

    def test_seven_parts_are_the_whole(self):
        """In any order; by any number of threads; some before others, which are merged parts themselves."""
        orders = random.Random(7)
        for number, run in enumerate(RUNS):
            with self.subTest(run=run):
                folder = os.path.join(self.folder.name, str(number))
                os.mkdir(folder)
                above, self.folder.name = self.folder.name, folder
                printed = self.divide(*run)
                whole = self.text("whole")
                for threads in ("1", "3"):
                    order = orders.sample(PARTS, 7)
                    self.assertEqual(self.merge(*order, "-o", "merged" + threads, "--threads", threads), "")
                    self.assertEqual(self.text("merged" + threads), whole, order)
                self.merge("6", "2", "3", "--partial", "-o", "some")
                self.merge("--partial", "some", "1", "-o", "more")
                self.merge("7", "more", "4", "5", "-o", "merged")
                self.assertEqual(self.text("merged"), whole)
                self.assertEqual(self.report("merged"), printed)
                self.folder.name = above
        self.assertEqual(self.saved("3/whole")["repeats"]["decks"], 251094)  # of 500,001: docs/accuracy.md

    def test_some_parts(self):
        """Are a report on what is there, which says so; and the sums are those of the parts."""
        self.divide(*RUNS[0], parts=5)
        self.merge("--partial", "4", "2", "1", "-o", "some")
        self.valid("some")
        some = self.saved("some")
        parts = [self.saved(name) for name in "124"]
        self.assertEqual(some["shards"], {"of": 5, "parts": [part["shards"]["parts"][0] for part in parts]})
        self.assertEqual(some["counts"], [sum(counts) for counts in zip(*(part["counts"] for part in parts))])
        self.assertEqual(some["total"], sum(part["total"] for part in parts))
        text = self.report("some")
        self.assertIn("shuffles, parts 1, 2 and 4 of 5, generator philox", text)
        self.assertIn("Warning: only parts 1, 2 and 4 of 5, not the whole run\n", text)
        self.assertIn("'some' is merged: resume its parts", self.report("--save", "some", status=2))
        self.assertIn("--shard 1/5: differs from that of 'some', parts 1, 2 and 4 of 5: leave it out",
                      self.report("some", "--shard", "1/5", status=2))
        self.merge("--partial", "3", "-o", "alone")
        self.assertEqual(self.text("alone"), self.text("3"))
        self.merge("--partial", "5", "3", "some", "-o", "all")  # of which none is missing
        self.assertEqual(self.text("all"), self.text("whole"))

    def test_parts_that_are_not_at_their_ends(self):
        """How far a cluster has come in a run that lasts for days."""
        run = ("naive", "-n", "4", "--samples", "1e12")
        for k in ("1", "2", "3"):
            self.killed(k, *run, "--shard", k + "/3", "--save", k, "--threads", "1")
        done = [self.saved(k)["shards"]["parts"][0]["done"] for k in "123"]
        self.assertRegex(self.merge("1", "2", "3", "-o", "new", status=2),
                         r"'1' is unfinished: part 1 has %d of \d+ blocks: resume it with --save, or" % done[0])
        self.merge("--partial", "3", "1", "2", "-o", "now")
        self.valid("now")
        now = self.saved("now")
        self.assertEqual([part["done"] for part in now["shards"]["parts"]], done)
        text = " ".join(self.report("now").split())
        self.assertIn("Ended early: the run was interrupted, and this is what was counted until then.", text)
        self.assertIn("Warning: only parts 1 to 3 of 3, not the whole run; stopped early: ", text)

    def test_parts_that_are_gone_on_with(self):
        run = ("naive", "-n", "4", "--samples", "30000001")
        for k in ("1", "2", "3"):
            self.killed(k, *run, "--shard", k + "/3", "--save", k, "--threads", "1")
            self.report("--save", k)
        self.merge("3", "1", "2", "-o", "end")
        self.report(*run, "--save", "whole")
        self.assertEqual(self.text("end"), self.text("whole"))

    def test_one_part_and_empty_ones(self):
        self.divide("naive", "--samples", "70000", parts=1)
        self.merge("1", "-o", "one")
        self.assertEqual(self.text("one"), self.text("whole"))
        os.remove(self.path("1"))
        os.remove(self.path("whole"))
        self.divide("naive", "--samples", "70000", parts=5)
        self.assertIn("part 1 of 5 is missing", self.merge("2", "3", "4", "5", "-o", "new", status=2))
        self.merge("5", "4", "3", "2", "1", "-o", "five")
        self.assertEqual(self.text("five"), self.text("whole"))

    def test_parts_of_different_runs(self):
        """The first thing that differs is named, and the files."""
        run = ("-n", "4", "--samples", "1e5", "--statistics", "parity")
        cards = ("naive", "-n", "52", "--samples", "1e3", "--statistics", "parity")
        for number, (what, one, other) in enumerate((
                ("scheme naive and sattolo", ("naive", *run), ("sattolo", *run)),
                ("scheme naive and naive/modulo:20", ("naive", *run), ("naive/modulo:20", *run)),
                ("-n 4 and 5", ("naive", *run), ("naive", *run, "-n", "5")),
                ("--deal 4 and 3", ("naive", *run[:4]), ("naive", *run[:4], "--deal", "3")),
                ("--seed 3 and 4", ("naive", *run, "--seed", "3"), ("naive", *run, "--seed", "4")),
                ("--samples 100000 and 1000000", ("naive", *run), ("naive", *run, "--samples", "1e6")),
                ("--statistics parity and cycles,parity", ("naive", *run), ("naive", *run, "--statistics", "parity,cycles")),
                ("--statistics none and all", ("naive", *run, "--statistics", "none"), ("naive", *run, "--statistics", "all")),
                ("--profile not given and cards", cards, (*cards, "--profile", "cards")),
                ("--increments not given and given", ("naive", *run), ("naive", *run, "--increments")))):
            with self.subTest(one=one, other=other):
                names = ["one%d" % number, "other%d" % number]
                self.report(*one, "--shard", "1/2", "--save", names[0])
                self.report(*other, "--shard", "2/2", "--save", names[1])
                self.assertIn("'%s' and '%s' are of different runs, %s: name parts of one" % (*names, what),
                              self.merge(*names, "-o", "new", status=2))
        self.report("naive", *run, "--shard", "2/3", "--save", "third")
        self.assertIn("of different runs, number of parts 2 and 3: ", self.merge("one0", "third", "-o", "new", status=2))
        self.assertFalse(os.path.exists(self.path("new")))

    def test_statistics_in_any_order(self):
        """Are the same choice, and the sum is the same whatever the order of the files."""
        run = ("naive", "-n", "4", "--samples", "2e5", "--statistics")
        for k, names in ((1, "parity,cycles"), (2, "cycles,parity"), (3, "parity,cycles,parity")):
            self.report(*run, names, "--shard", "%d/3" % k, "--save", str(k))
        self.put("2", sealed(self.text("2").replace("cycles,parity", "parity,cycles")))  # as files had it once
        self.report(*run, "parity,cycles", "--save", "whole")
        for order in ("123", "231", "312"):
            self.merge(*order, "-o", order)
            self.assertEqual(self.text(order), self.text("whole"))

    def test_what_is_refused(self):
        self.divide("naive", "--samples", "1e6")
        self.put("cut", self.text("3")[:-40])
        self.put("edited", self.text("3").replace('"part": 3', '"part": 4'))
        version = json.loads(self.text("3"))["version"]
        self.put("old", aged(self.text("3")))
        self.put("foreign", "0 1 2\n")
        self.put("empty", "")
        os.symlink("whole", self.path("link"))
        self.merge("--partial", "1", "2", "-o", "some")
        there = sorted(os.listdir(self.folder.name))
        for arguments, line, status in (
                ((), "name the files of the parts", 2),
                (("1",), "name the file to write with --output", 2),
                (("1", "-o", "-"), "--output '-': evidence must be saved in a regular file: name one", 2),
                (("1", "-o", ""), "--output '': evidence must be saved in a regular file: name one", 2),
                (("1", "--threads", "0", "-o", "new"), "--threads 0: must be", 2),
                (("1", "--format", "json", "-o", "new"), "--format: unknown option", 2),
                (PARTS + ["-o", "whole"], "'whole' is there already: name another file, or remove it", 2),
                (PARTS + ["-o", "1"], "'1' is there already", 2),
                (PARTS + ["-o", "link"], "'link' is there already: name another file, or remove it", 2),
                (PARTS[:6] + ["-o", "new"], "part 7 of 7 is missing: name its file too, or merge what there is with --partial", 2),
                (["5", "2", "-o", "new"], "parts 1, 3, 4, 6 and 7 of 7 are missing: name their files too", 2),
                (["some", "-o", "new"], "parts 3 to 7 of 7 are missing", 2),
                (PARTS + ["2", "-o", "new"], "'2' is named twice: leave it out once", 2),
                (["--partial", "3", "2", "some", "-o", "new"], "part 2 of 7 is in '2' and in 'some': leave one out", 2),
                (["whole", "-o", "new"], "'whole' is a whole run: name runs with --shard", 2),
                (["1", "whole", "-o", "new"], "'whole' is a whole run: name runs with --shard", 2),
                (["1", "cut", "-o", "new"], "'cut' is no sound evidence: ", 4),
                (["1", "edited", "-o", "new"], "'edited' is no sound evidence: ", 4),
                (["1", "empty", "-o", "new"], "'empty' is no sound evidence: it is empty: restore it, or remove it and "
                 "do that part of the run again, with --shard and --save", 4),
                (["1", "foreign", "-o", "new"], "'foreign' is no sound evidence: line 1", 4),
                (["old", "-o", "new"], "'old' is of version 0.0.9, and", 2),
                (["1", "old", "-o", "new"], "'1' and 'old' are of different runs, version %s and 0.0.9: name" % version, 2),
                (["1", "gone", "-o", "new"], "cannot read 'gone': No such file", 4),
                (["1", "gone\n\x1b[31m", "-o", "new"], "cannot read 'gone \ufffd[31m': No such file", 4),
                (["1", ".", "-o", "new"], "'.' is no file", 4),
                (PARTS + ["-o", "gone/new"], "cannot write 'gone/new'", 4)):
            with self.subTest(arguments=arguments):
                self.assertIn(line, self.merge(*arguments, status=status))
                self.assertEqual(sorted(os.listdir(self.folder.name)), there)

    def test_cut_or_edited(self):
        """At every place of a hundred: cut there, and one byte changed."""
        self.divide("naive", "--samples", "1e5", parts=2)
        whole = self.text("1")
        for bad in damaged(whole, len(whole) // 50):
            with self.subTest(bad=bad):
                self.put("bad", bad)
                self.assertIn("'bad' is no sound evidence: ", self.merge("bad", "2", "-o", "new", status=4))
        self.assertFalse(os.path.exists(self.path("new")))

    def test_a_full_disk(self):
        self.divide("naive", "-n", "40", "--samples", "1e5", "--statistics", "none", parts=2)
        there = sorted(os.listdir(self.folder.name))
        self.assertIn("cannot write 'new': File too large", self.merge("1", "2", "-o", "new", status=4, preexec_fn=small))
        self.assertEqual(sorted(os.listdir(self.folder.name)), there)

    def test_stopped_by_hand(self):
        """While decks are dealt again: nothing is written, and the parts are there for another time."""
        self.divide("sort-quick", "-n", "52", "--samples", "3e5", "--statistics", "repeat", parts=2)
        with self.start("1", "2", "-o", "new", "--threads", "1", command="merge") as child:
            child.send_signal(signal.SIGINT)
            child.wait(100)
        self.assertIn(child.returncode, (0, 130, -signal.SIGINT))
        self.assertEqual(os.path.exists(self.path("new")), child.returncode == 0)
        self.assertFalse(os.path.exists(self.path("new.new")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
