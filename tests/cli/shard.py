# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a run, each in its own file."""
import os
import sys
import unittest

from saving import RUN_OF_EACH_KIND, Saving, sealed


class Shard(Saving):
    def test_parts_add_up(self):
        """Each has its share of the blocks, the last of which is cut short, and all together have them all."""
        run = ("naive", "-n", "4", "--samples", "1000001")
        self.report(*run, "--save", "whole")
        left, blocks = self.saved("whole")["counts"], 0
        for k in range(1, 8):
            self.report(*run, "--shard", "%d/7" % k, "--save", str(k), "--threads", str(1 + k % 3))
            part = self.saved(str(k))
            (of,) = part["shards"]["parts"]
            self.assertEqual((part["shards"]["of"], of["part"], of["done"]), (7, k, -(-part["total"] // 65536)))
            self.assertEqual(part["options"]["samples"], "1000001")
            self.assertEqual(sum(part["counts"]), part["total"])
            left = [one - other for one, other in zip(left, part["counts"])]
            blocks += of["done"]
            self.valid(str(k))
        self.assertEqual((left, blocks), ([0] * 24, 16))
        self.assertNotIn("shards", self.saved("whole"))

    def test_what_is_reported(self):
        run = ("naive", "-n", "4", "--samples", "1e6", "--shard", "3/7", "--format", "json")
        printed = self.report(*run, "--save", "part")
        self.assertEqual(self.report("part", "--format", "json"), printed)
        self.assertEqual(self.report("part", "--shard", "3/7", "--format", "json"), printed)
        text = self.report("part")
        self.assertIn("shuffles, part 3 of 7, generator philox", text)
        self.assertIn("Warning: only part 3 of 7, not the whole run\n", text)
        self.assertNotIn("Ended early", text)

    def test_killed_and_resumed(self):
        for number, run in enumerate(RUN_OF_EACH_KIND[:2]):
            name = "cut%d" % number
            part = (*run, "--shard", "2/3")
            self.report(*part, "--save", "done%d" % number)
            cut = self.killed(name, *part, "--save", name, "--threads", "1")
            if cut["total"] < self.saved("done%d" % number)["total"]:  # else it was quicker than we
                text = " ".join(self.report(name).split())
                self.assertIn("Warning: only part 2 of 3, not the whole run; stopped early: ", text)
            self.report("--save", name, "--shard", "2/3", "--threads", "3")
            self.assertEqual(self.text(name), self.text("done%d" % number))

    def test_more_parts_than_blocks(self):
        """Some are empty, and are files like others."""
        run = ("naive", "--samples", "70000", "--format", "json")
        for k, total in ((1, 0), (2, 65536), (3, 0), (4, 4464)):
            with self.subTest(k=k):
                printed = self.report(*run, "--shard", "%d/4" % k, "--save", str(k))
                self.assertEqual(self.saved(str(k))["total"], total)
                self.assertEqual(self.report("--save", str(k), "--format", "json"), printed)

    def test_what_is_refused(self):
        self.report("naive", "--samples", "1e5", "--shard", "1/2", "--save", "part")
        for typed in ("3", "8/7", "0/7", "1/0", "a/b", "1/2/3", "-1/3", "1/1000001", "1/", "/3", "", " 1/2", "1 /2"):
            with self.subTest(typed=typed):
                self.assertIn("--shard %s: must be K/M" % typed,
                              self.report("naive", "--shard", typed, "--save", "new", status=2))
        for arguments, line in (
                (("naive", "--shard", "1/2"), "--shard 1/2: a part must be saved, so that it can be merged with the others: add --save"),
                (("naive/ideal/mt19937", "--shard", "1/2", "--save", "new"), "mt19937 cannot skip ahead to a part"),
                (("naive", "--by", "exact", "--shard", "1/2", "--save", "new"), "leave --by out"),
                (("naive", "sattolo", "--shard", "1/2", "--save", "new"), "name one scheme"),
                (("--shard", "1/2", "--", "yes"), "add --save"),
                (("--matrix", "-", "--shard", "1/2"), "leave --shard out"),
                (("part", "--shard", "2/2"), "--shard 2/2: differs from that of 'part', part 1 of 2: leave it out"),
                (("--save", "part", "--shard", "1/3"), "--shard 1/3: differs from that of 'part', part 1 of 2: leave")):
            with self.subTest(arguments=arguments):
                self.assertIn(line, self.report(*arguments, status=2))
                self.assertFalse(os.path.exists(self.path("new")))
        self.report("naive", "--samples", "1e5", "--save", "whole")
        self.assertIn("--shard 1/1: differs from that of 'whole', the whole run: leave", self.report("whole", "--shard", "1/1", status=2))

    def test_what_is_wrong_has_a_place(self):
        self.report("naive", "--samples", "1e6", "--shard", "2/3", "--save", "part")
        self.refused_edited(self.report, (("part", *edit) for edit in (
            ('"of": 3', '"of": 0', "shards.of must be an integer from 1 to 1000000"),
            ('"of": 3', '"of": 1', r"shards.parts\[0\].part must be"),
            ('"part": 2', '"part": 0', r"shards.parts\[0\].part must be"),
            ('"done": 5\n', '"done": 4\n', "total must be"),
            ('"done": 5\n', '"done": 6\n', r"shards.parts\[0\].done must be"),
            ('"done": 5\n', '"down": 5\n', r"shards.parts\[0\].down is no field"),
            ('"shards": {', '"shards": {"more": 1,', "shards.more is no field"),
            ('"tallies"', '"repeats": {"decks": 1, "repeats": 0, "ln_e": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}, "tallies"', "repeats must be missing"))))
        text = self.text("part")
        self.put("bad", sealed(text[:text.index('  "shards"')] + '  "shards": null,\n' + text[text.index('  "total"'):]))
        self.assertIn("shards. must be an object", self.report("bad", status=4))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
