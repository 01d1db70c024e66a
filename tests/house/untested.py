#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the names of the tests of BUILD that did not wholly pass in another run, whose log is LOG: untested.py BUILD LOG

A test that skipped some of its cases did not wholly pass. Without LOG, all names are printed."""
import json
import os
import re
import subprocess
import sys

SKIPPED = re.compile(r"# SKIP\b|\bskipped=\d")  # a case in TAP; the last line of Python's unittest


def passed(line):
    test = json.loads(line)
    said = test.get("stdout", "") + test.get("stderr", "")
    return test["name"].split(" / ")[-1] if test["result"] == "OK" and not SKIPPED.search(said) else None


def main(build, log):
    done = set()
    if os.path.exists(log):
        with open(log, encoding="utf-8") as lines:
            done = {passed(line) for line in lines}
    listed = subprocess.run(["meson", "introspect", "--tests", build], stdout=subprocess.PIPE, check=True).stdout
    print(*(name for name in dict.fromkeys(test["name"] for test in json.loads(listed)) if name not in done), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
