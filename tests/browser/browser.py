#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages in a browser: builds the course and examples of every kind, and check.js opens them in Chromium. The test is
skipped, with the reason, if Chromium, node or the packages of install.sh are missing.

Usage: browser.py SHUFFLEBIAS SOURCE BUILD
"""
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, BUILD = map(os.path.abspath, sys.argv[1:])
HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = os.path.join(BUILD, "browser", "node_modules")

# Name of the page, exit status, arguments.
PAGES = (
    ("naive-3", 0, ["report", "naive", "--samples", "1e5"]),
    ("naive-4", 0, ["report", "naive", "-n", "4", "--samples", "1e5"]),
    ("naive-52", 0, ["report", "naive", "-n", "52", "--samples", "1e4"]),
    ("uneven", 0, ["report", "naive/modulo:4", "sattolo", "--by", "exact"]),
    ("all", 0, ["report", "--samples", "1e4"]),
    ("all-52", 0, ["report", "-n", "52", "--samples", "1e3"]),
    ("seeds", 0, ["report", "naive/ideal/msvc-rand", "-n", "8", "--by", "seeds", "--seeds", "0..999"]),
    ("deal", 0, ["report", "splice", "-n", "52", "--deal", "5", "--samples", "1e4"]),
    ("fail", 1, ["gate", "naive"]),
    ("undecided", 3, ["gate", "fisher-yates", "--limit", "1000"]),
    ("pass", 0, ["gate", "fisher-yates", "--exclude", "0.05"]),
    ("suite", 1, ["gate", "--suite", os.path.join(SOURCE, "data", "subjects", "suite.json")]),
    ("explain-4", 0, ["explain", "naive", "-n", "4"]),
    ("explain-5", 0, ["explain", "naive", "-n", "5"]),
    ("alarm", 1, ["watch", "naive", "--limit", "5000"]),
    ("zoo", 0, ["zoo", "-n", "8", "--samples", "1000", "--seeds", "1"]),
    ("plan", 0, ["plan", "naive", "-n", "4"]),
    ("law", 0, ["law", "inversions", "-n", "5"]),
    ("law-curve", 0, ["law", "inversions", "-n", "60"]),
    ("bench", 0, ["bench", "naive", "sort-merge", "--decks", "1000"]),
    ("prove", 0, ["prove", "-n", "4", "--", sys.executable, os.path.join(SOURCE, "data", "adapters", "prove.py"), "4"]),
)


def skip(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


def main():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        skip("no Chromium")
    if not shutil.which("node"):
        skip("no node")
    for package in ("axe-core", "playwright-core"):
        if not os.path.isdir(os.path.join(MODULES, package)):
            skip("no %s: run tests/browser/install.sh %s" % (package, os.path.basename(BUILD)))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "lesson", folder], check=True, stdout=subprocess.DEVNULL, timeout=100)  # wants it empty
        for name, status, arguments in PAGES:
            command = [PROGRAM, arguments[0], "--format", "html", "-o", os.path.join(folder, name + ".html"), *arguments[1:]]
            done = subprocess.run(command, cwd=SOURCE, capture_output=True, timeout=100)
            assert done.returncode == status, (arguments, done.returncode, done.stderr)
        sys.exit(subprocess.run(["node", os.path.join(HERE, "check.js"), MODULES, chromium, folder]).returncode)


main()
