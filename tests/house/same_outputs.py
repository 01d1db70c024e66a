#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs two builds of the program on some 150 command lines, and lists where what they write for machines differs.

    same_outputs.py OLD NEW [--numbers] [NAME-PART]

For a change that moves code and may not move a number. JSON, CSV, SVG, JUnit, TAP, saved evidence, ledgers and exit
statuses are compared; text, Markdown, HTML and error lines are not, because their words may change. With --numbers,
doubles may differ by 1e-12 of themselves. NAME-PART chooses the command lines that contain it. The member `version` is
ignored. same_outputs.json maps what the old build calls otherwise: members of JSON, options and commands; and lists files that have another
form, so that only what the program says of them is compared. Exit status 1: something differs.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

JSON = ["--format", "json"]
QUIET = [*JSON, "--quiet"]
SEVERAL_SIZES = ["naive", "fisher-yates", "fisher-yates/modulo:4", "sort-timsort", "sort-merge", "splice", "inside-out", "riffle:3",
                 "overhand:2", "redraw", "sort-by-key:8", "sattolo", "planet-poker/multiply:8/delphi"]
LARGE = ["naive", "fisher-yates", "riffle:7", "fisher-yates/modulo:15", "overhand"]
GATED = ["naive", "fisher-yates", "sattolo", "sort-by-key:3", "cut", "fisher-yates/modulo:8"]
LAWS = ["descents", "inversions", "cycles", "fixed-points", "displacement", "successor", "records", "longest-increasing"]


def reports():
    for name in SEVERAL_SIZES:
        for n in "234":
            yield ["report", name, "-n", n, "--samples", "2e5", *QUIET]
    for name in LARGE:
        yield ["report", name, "-n", "52", "--samples", "2e4", *QUIET]
        yield ["report", name, "-n", "52", "--by", "exact", *QUIET]
        yield ["report", name, "-n", "12", "--deal", "4", "--samples", "5e4", *QUIET]
    for n in ("8", "9", "10"):
        yield ["report", "naive", "-n", n, "--by", "exact", *QUIET]
    yield ["report", "-n", "3", "--samples", "1e5", *QUIET]
    yield ["report", "-n", "3", "--samples", "1e5", "--format", "csv", "--quiet"]
    yield ["report", "naive", "--figure", "tree", "--by", "exact", "--format", "svg"]
    yield ["report", "naive", "-n", "24", "--by", "exact", "--figure", "matrix", "--format", "svg"]
    yield ["report", "naive", "-n", "5", "--samples", "1e5", "--figure", "bars", "--format", "svg", "--quiet"]
    yield ["report", "fisher-yates", "-n", "8", "--increments", "--samples", "1e5", *QUIET]
    yield ["report", "fisher-yates", "-n", "52", "--profile", "cards", "--samples", "1e4", *QUIET]
    yield ["report", "fisher-yates/modulo/msvc-rand", "-n", "8", "--by", "seeds", "--seeds", "0..65535", *QUIET]
    yield ["report", "fisher-yates", "-n", "13", "--statistics", "repeat", "--samples", "1e5", *QUIET]


def gates():
    for name in GATED:
        for n in ("3", "5", "52"):
            yield ["gate", name, "-n", n, "--limit", "20000", *QUIET]
    for seed in "234567":
        yield ["gate", "naive", "--seed", seed, *QUIET]
    yield ["gate", "fisher-yates", "-n", "4", "--exclude", "0.05", *QUIET]
    yield ["gate", "fisher-yates", "-n", "52", "--increments", "--limit", "5000", *QUIET]
    yield ["gate", "naive", "-n", "52", "--limit", "3000", "--format", "junit", "--quiet"]
    yield ["gate", "naive", "--format", "tap", "--quiet"]
    yield ["gate", "naive", "--figure", "curve", "--format", "svg", "--quiet"]


def others():
    for name in ("naive", "sattolo", "fisher-yates/modulo:15"):
        for n in "35":
            yield ["plan", name, "-n", n, *JSON]
    yield ["plan", "--detect", "0.01", "-n", "5", *JSON]
    yield ["plan", "--samples", "1e6", "-n", "5", *JSON]
    for name in LAWS:
        for n in ("5", "52"):
            yield ["law", name, "-n", n, *JSON]
    for name in ("naive", "fisher-yates", "sort-merge", "fisher-yates/modulo:15"):
        for n in "34":
            yield ["explain", name, "-n", n, *JSON]
    yield ["odds", "naive", "123", "132", "312", *JSON]
    yield ["zoo", "-n", "4", *QUIET]
    yield ["zoo", "-n", "6", "--deal", "3", *QUIET]
    yield ["list"]
    yield ["deal", "naive", "-n", "5", "--samples", "50"]
    yield ["deal", "riffle:7", "-n", "52", "--samples", "9", "--output", "u8"]


def mistakes():
    yield ["report", "nosuch"]
    yield ["report", "-n", "70000"]
    yield ["gate", "naive", "--alpha", "2"]
    yield ["frobnicate"]
    yield ["report", "--samples", "-3"]
    yield ["odds", "riffle", "123"]
    yield ["merge"]
    yield ["gate", "--", "true"]


def chains():
    """Command lines that share a folder; the files that they leave are compared, too."""
    yield [["report", "naive", "-n", "4", "--samples", "3e5", "--save", "a.json", *QUIET], ["report", "a.json", *QUIET],
           ["gate", "a.json", *QUIET]]
    yield [*(["report", "naive", "-n", "6", "--samples", "9e5", "--shard", "%d/3" % k, "--save", "p%d.json" % k, *QUIET] for k in (1, 2, 3)),
           ["merge", "p2.json", "p1.json", "p3.json", "-o", "m.json"], ["report", "m.json", *QUIET]]
    yield [["gate", "naive", "-n", "4", "--limit", "900", "--save", "g.json", *QUIET], ["gate", "--resume", "g.json", *QUIET]]
    yield [["gate", "fisher-yates", "--ledger", "l.json", "--limit", "500", *QUIET],
           ["gate", "naive", "--ledger", "l.json", "--limit", "500", *QUIET]]


def renamed(value, names):
    """The value with the members of its objects under their new names. A member whose name maps to null is left out of both."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items() if names.get(key, key)}
    return [renamed(each, names) for each in value] if isinstance(value, list) else value


def close(a, b, loose):
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(close(a[key], b[key], loose) for key in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(close(x, y, loose) for x, y in zip(a, b))
    if loose and isinstance(a, float) and isinstance(b, (float, int)):
        return a == b or abs(a - b) <= 1e-12 * max(abs(a), abs(b))
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def same(old, new, names, loose):
    old, new = (re.sub(rb'"version": ?"[^"]*"', b'"version": "-"', text) for text in (old, new))
    if old == new:
        return True
    if not (names or loose):
        return False
    try:
        gone = {name: None for name, new_name in names.items() if new_name is None}
        return close(renamed(json.loads(old), names), renamed(json.loads(new), gone), loose)
    except ValueError:
        return False


def run(program, command, folder):
    done = subprocess.run([program, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          timeout=600)
    return done.returncode, done.stdout


class Comparison:
    def __init__(self, old, new, loose):
        self.old, self.new, self.loose = os.path.abspath(old), os.path.abspath(new), loose
        with open(os.path.splitext(os.path.abspath(__file__))[0] + ".json", encoding="utf-8") as file:
            self.map = json.load(file)
        self.lines, self.differences = 0, []

    def same(self, old, new):
        return same(old, new, self.map["members"], self.loose)

    def command(self, command, folders):
        words = {**self.map["options"], **self.map["commands"]}
        before = run(self.old, command, folders[0])
        after = run(self.new, [words.get(word, word) for word in command], folders[1])
        self.lines += 1
        if before[0] != after[0]:
            self.differences.append("exit %d and %d: %s" % (before[0], after[0], " ".join(command)))
        elif ("--format" in command or command[0] == "deal") and not self.same(before[1], after[1]):
            self.differences.append("differs: " + " ".join(command))

    def chain(self, commands):
        with tempfile.TemporaryDirectory() as old, tempfile.TemporaryDirectory() as new:
            for command in commands:
                self.command(command, (old, new))
            for file in sorted(Path(old).glob("*.json")):
                other = Path(new) / file.name
                if file.name in self.map["files"] and other.exists():
                    continue
                if not other.exists() or not self.same(file.read_bytes(), other.read_bytes()):
                    self.differences.append("file %s after: %s" % (file.name, " ".join(commands[-1])))


def main(arguments):
    loose = "--numbers" in arguments
    old, new, *part = (word for word in arguments if word != "--numbers")
    comparison = Comparison(old, new, loose)
    for commands in [*([c] for each in (reports(), gates(), others(), mistakes()) for c in each), *chains()]:
        if not part or part[0] in " ".join(commands[-1]):
            comparison.chain(commands)
    print(*comparison.differences, sep="\n")
    print("%d command lines, %d differences" % (comparison.lines, len(comparison.differences)))
    return bool(comparison.differences)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
