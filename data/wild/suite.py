#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a suite for `shufflebias gate` with each subject at 4 and 52 items: suite.py OUT TABLE...

With `--only GATES.json`, the suite has only the entries that did not pass in that result.
"""
import json
import sys

import subjects


def entries(subject):
    """A slow subject is tested for larger biases, so that its gate ends within a minute or two; one with a small known bias, for smaller ones."""
    for n in subject.sizes:
        entry = {"name": f"{subject.title}, n = {n}", "command": subject.command(n), "n": n, "timeout": 120}
        if subject.adapter == "tool":
            entry["free"] = True
        if subject.pace == "slow":
            entry["max-bias"] = 0.05 if n == 4 else 0.1
        elif subject.pace == "fine":
            entry["max-bias"] = 0.02 if n == 4 else 0.01
        elif n == 52 and subject.table == "npm":  # where some generators are seeded on each call
            entry["min-decks"] = 2**32
        yield entry


def main(out, tables, only=None):
    suite = [entry for subject in subjects.read(tables) for entry in entries(subject)]
    if only:
        with open(only, encoding="utf8") as text:
            failed = {gate["name"] for gate in json.load(text)["gates"] if gate["verdict"] != "pass"}
        suite = [entry for entry in suite if entry["name"] in failed]
    with open(out, "w", encoding="utf8") as text:
        json.dump(suite, text, indent=1)


if __name__ == "__main__":
    words = sys.argv[1:]
    only = words[1] if words[0] == "--only" else None
    main(words[2 if only else 0], words[3 if only else 1:], only)
