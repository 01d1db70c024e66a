#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulation of the promises itself: parts add up to the whole, intervals are Clopper and Pearson's, and a broken promise
is noticed.

Usage: check.py RUN_SH BUILD
"""
import math
import os
import subprocess
import sys
import tempfile

SCRIPT, BUILD = sys.argv[1:]
PROMISE = os.path.join(BUILD, "tests", "promise")


def printed(*command):
    """Exit status and standard output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def table(folder, *lines):
    """The exit status and the rows of the table of these tallies."""
    path = os.path.join(folder, "made.tally")
    with open(path, "w") as file:
        file.write("".join(line + "\n" for line in lines))
    status, text = printed(PROMISE, "table", path)
    return status, [row.strip("| \n").split(" | ") for row in text.splitlines() if row.startswith("|")][2:]


def tail(trials, p, least):
    """P(X >= least) of a binomial X."""
    return sum(math.comb(trials, k) * p ** k * (1 - p) ** (trials - k) for k in range(least, trials + 1))


def count(trials, events):
    """A line of tallies of gate-4, which allows 0.05."""
    return "gate-4 0 %d %d %d %d" % (trials, events, events << 32, events << 32)


def parts_add_up(folder):
    whole = os.path.join(folder, "whole")
    with open(whole, "w") as file:
        subprocess.run([PROMISE, "run", "report-2-few"], stdout=file, check=True)
    expected = printed(PROMISE, "table", whole)
    assert expected[0] == 0 and "| 10,000 |" in expected[1], expected
    for jobs in ("1", "2"):  # the second run continues the first
        got = printed(SCRIPT, "--jobs", jobs, "--only", "report-2-few", BUILD, folder)
        assert got == expected, (got, expected)
        os.remove(os.path.join(folder, "report-2-few7.tally"))


def intervals(folder):
    _, rows = table(folder, count(200, 5))
    low, high = map(float, rows[0][5].split(" to "))
    assert abs(tail(200, low, 5) - 0.025) < 0.0005 and abs(1 - tail(200, high, 6) - 0.025) < 0.0005, rows
    _, rows = table(folder, count(200, 0))
    assert rows[0][5] == "0 to %.3g" % (1 - 0.025 ** (1 / 200)), rows
    # the weights 0.5 and 0 in 50 trials each: the standard error of their mean is 0.25/sqrt(100)
    _, rows = table(folder, "rare-alarm-6 0 100 50 %d %d" % (25 << 32, (25 << 32) // 2))
    assert rows[0][4:6] == ["2.5e-07", "%.3g to %.3g" % (0.25e-6 - 1.96e-6 * 0.025, 0.25e-6 + 1.96e-6 * 0.025)], rows


def broken_promises_are_noticed(folder):
    assert tail(1000, 0.05, 66) < 0.025 < 0.05 and tail(1000, 0.05, 66) > 0.0125
    assert table(folder, count(1000, 50))[0] == 0
    status, rows = table(folder, count(1000, 66))  # one line, whose interval lies above 0.05
    assert status == 1 and rows[0][-1] == "**NO**", rows
    status, rows = table(folder, count(1000, 66), "gate-2 0 1000 0 0 0")  # one of two lines
    assert status == 0 and rows[1][-1] == "by chance", rows
    status, rows = table(folder, count(1000, 200), "gate-2 0 1000 0 0 0")
    assert status == 1 and rows[1][-1] == "**NO**", rows
    status, rows = table(folder, "report-2 0 1000 200 %d %d" % (200 << 32, 200 << 32))
    assert status == 1 and rows[0][-1] == "**NO**", rows


def wrong_files_are_errors(folder):
    for line in ("gate-4 0 1000", "gate-4 9 1 0 0 0", "gate-5000 0 1 0 0 0", "gate-4 0 x 0 0 0"):
        assert table(folder, line)[0] == 2, line
    assert printed(PROMISE, "table", os.path.join(folder, "missing"))[0] == 2
    for arguments in (["run", "gate-5000"], ["run", "--part", "0/2"], ["run", "--part", "3/2"], ["run", "--port"], ["walk"], []):
        assert printed(PROMISE, *arguments)[0] == 2, arguments


for check in (parts_add_up, intervals, broken_promises_are_noticed, wrong_files_are_errors):
    with tempfile.TemporaryDirectory() as folder:
        check(folder)
