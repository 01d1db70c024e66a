#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds the runs of a campaign to the table of tests/fuzz/results.md.

    table.py PAGE RUNS      RUNS is a runs.tsv of tests/fuzz/run.sh; it is then renamed, so that it is not added twice

Processor time and executions are added to the numbers in the table; edges are the most of any run. The rules and the
faults are written by hand. A target without a row is an error.
"""
import pathlib
import re
import sys
import unittest


def read_runs(text):
    """Per target: [seconds, executions, edges]."""
    sums = {}
    for line in text.splitlines():
        name, seconds, runs, edges, _status, _commit = line.split("\t")
        one = sums.setdefault(name, [0.0, 0, 0])
        one[0] += float(seconds)
        one[1] += int(runs)
        one[2] = max(one[2], int(edges))
    return sums


def number(cell):
    return float(cell.strip().replace(",", "") or 0)


def add(page, sums):
    """The page with the sums added: | target | parts | seconds | executions | per second | edges | faults |. Tables of numbers
    alone, such as that of coverage, are left as they are."""
    left = dict(sums)
    lines, total = [], [0.0, 0]
    for line in page.splitlines():
        cells = line.split("|")[1:-1]
        name = cells[0].strip().strip("`") if len(cells) == 7 and not re.fullmatch(r" *[\d,.]+ *", cells[1]) else None
        if name in left or (name and re.fullmatch(r" *[\d,.]+ *", cells[2]) and name != "**all**"):
            seconds, runs, edges = left.pop(name, (0.0, 0, 0))
            seconds += number(cells[2])
            runs += int(number(cells[3]))
            edges = max(edges, int(number(cells[5])))
            total = [total[0] + seconds, total[1] + runs]
            speed = runs / seconds if seconds else 0
            line = f"|{cells[0]}|{cells[1]}| {seconds:,.0f} | {runs:,} | {speed:,.0f} | {edges:,} |{cells[6]}|"
        elif name == "**all**":
            line = f"| **all** | | {total[0]:,.0f} | {total[1]:,} | | |{cells[6]}|"
        lines.append(line)
    if left:
        sys.exit(f"table.py: no row for {', '.join(sorted(left))}: add one to the page")
    return "\n".join(lines) + "\n"


class SelfTest(unittest.TestCase):
    PAGE = "| target | rule | s | executions | a second | edges | faults |\n| `a` | r | 1,000 | 5,000 | 5 | 70 | 1 |\n| **all** | | 0 | 0 | | | 1 |\n"

    def test_a_later_campaign_adds(self):
        runs = read_runs("a\t500.0\t1000\t60\tok\tc\na\t500.0\t4000\t80\tok\tc\n")
        self.assertIn("| `a` | r | 2,000 | 10,000 | 5 | 80 | 1 |", add(self.PAGE, runs))
        self.assertIn("| **all** | | 2,000 | 10,000 | | | 1 |", add(self.PAGE, runs))

    def test_without_runs_nothing_changes_but_the_sum(self):
        self.assertIn("| **all** | | 1,000 | 5,000 | | | 1 |", add(self.PAGE, {}))

    def test_each_target_needs_a_row(self):
        with self.assertRaises(SystemExit):
            add(self.PAGE, {"b": [1.0, 1, 1]})


def main():
    if sys.argv[1:] == ["--self-test"]:
        unittest.main(argv=sys.argv[:1])
    if len(sys.argv) != 3:
        sys.exit("usage: table.py PAGE RUNS")
    page, runs = map(pathlib.Path, sys.argv[1:])
    page.write_text(add(page.read_text(encoding="utf-8"), read_runs(runs.read_text(encoding="utf-8"))), encoding="utf-8")
    number_of_added = len(list(runs.parent.glob("runs-added-*.tsv")))
    runs.rename(runs.with_name(f"runs-added-{number_of_added + 1}.tsv"))


if __name__ == "__main__":
    main()
