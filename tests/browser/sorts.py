#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/zoo.md says about sorts that compare by coin in Chromium, node and CPython. The test gives every series of
answers to the sort of each of these that is installed. The law of three cards must be that of the table and of the
shuffle that the table names. Software that is missing, or of a version that is not in the table, is skipped.

Usage: sorts.py SHUFFLEBIAS SOURCE
"""
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = map(os.path.abspath, sys.argv[1:])
ORDERS = ("123", "132", "213", "231", "312", "321")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")

# Each leaf of the tree of answers has weight 2^-depth; answers are given in turn, and one too few ends the sort.
SCRIPT = """
function law(n) {
  const leaves = [], open = [[]];
  while (open.length) {
    const path = open.pop(), deck = Array.from({ length: n }, (_, i) => i + 1);
    let asked = 0;
    try {
      deck.sort(() => {
        if (asked === path.length) throw 'more';
        return path[asked++] ? 1 : -1;
      });
      leaves.push([deck.join(''), path.length]);
    } catch (error) {
      if (error !== 'more') throw error;
      open.push([...path, 0], [...path, 1]);
    }
  }
  return JSON.stringify(leaves);
}
"""


def python_leaves(n):
    class More(Exception):
        pass

    leaves, still = [], [()]
    while still:
        path = still.pop()
        answers = iter(path)

        def compare(_one, _other, answers=answers):
            for answer in answers:
                return 1 if answer else -1
            raise More
        try:
            leaves.append(("".join(map(str, sorted(range(1, n + 1), key=functools.cmp_to_key(compare)))), len(path)))
        except More:
            still += [path + (0,), path + (1,)]
    return leaves


def counts(leaves):
    """As the table writes them: "6 1 2 1 1 5 of 16"."""
    depth = max(length for _, length in leaves)
    law = {}
    for order, length in leaves:
        law[order] = law.get(order, 0) + 2 ** (depth - length)
    return "%s of %d" % (" ".join(str(law.get(order, 0)) for order in ORDERS), 2 ** depth)


def said(software):
    """The shuffle and the law that docs/zoo.md has for it, or None."""
    with open(os.path.join(SOURCE, "docs", "zoo.md"), encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in file if " of " in line and line.startswith("| ")]
    for row in rows:
        if len(row) == 3 and re.match(re.escape(software) + r"\b", row[0]):
            return row[1].strip("`"), row[2]
        name, _, version = software.rpartition(" ")
        if len(row) == 3 and row[0].startswith(name + " ") and version in re.findall(r"[\d.]+\d", row[0]):
            return row[1].strip("`"), row[2]
    return None


class Sorts(unittest.TestCase):
    def check(self, software, leaves):
        stated = said(software)
        if not stated:
            self.skipTest("docs/zoo.md has no line for %s: here it is %s" % (software, counts(leaves)))
        shuffle, law = stated
        self.assertEqual(counts(leaves), law)
        if shuffle.startswith("sort-"):
            done = subprocess.run([PROGRAM, "report", shuffle, "--by", "exact", "--format", "json"], check=True,
                                  capture_output=True, timeout=100)
            evidence = json.loads(done.stdout)["reports"][0]["evidence"]
            self.assertEqual("%s of %s" % (" ".join(evidence["counts"]), evidence["denominator"]), law)

    def test_chromium(self):
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        if not chromium:
            self.skipTest("no Chromium")
        done = subprocess.run([chromium, "--version"], capture_output=True, text=True, timeout=100)
        version = re.search(r"Chromium (\d+)", done.stdout)
        self.assertTrue(version, done.stdout)
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "sort.html")
            with open(page, "w", encoding="ascii") as file:
                file.write("<title></title><script>%sdocument.title = law(3);</script>" % SCRIPT)
            done = subprocess.run([chromium, *FLAGS, "--user-data-dir=" + folder, "--dump-dom", "file://" + page],
                                  capture_output=True, text=True, timeout=100)
        title = re.search(r"<title>(.*)</title>", done.stdout)
        self.assertTrue(title, done.stderr)
        self.check("Chromium " + version[1], json.loads(title[1]))

    def test_node(self):
        if not shutil.which("node"):
            self.skipTest("no node")
        done = subprocess.run(["node", "-e", SCRIPT + "console.log(process.version); console.log(law(3));"], check=True,
                              capture_output=True, text=True, timeout=100)
        version, leaves = done.stdout.splitlines()
        self.check("node " + ".".join(version[1:].split(".")[:2]), json.loads(leaves))

    def test_cpython(self):
        if sys.implementation.name != "cpython":
            self.skipTest("no CPython")
        self.check("CPython %d.%d" % sys.version_info[:2], python_leaves(3))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
