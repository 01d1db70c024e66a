# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the tests of commands, whose arguments are the program and the source folder: runs of the program, what their
JSON says, and permutations as text.

    python3 tests/cli/odds.py build/shufflebias .
"""
import json
import os
import subprocess
import sys

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def run(*arguments, text=None, **options):
    """A run with this standard input, in text or in bytes."""
    return subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=not isinstance(text, bytes),
                          timeout=250, **options)


def found(command, *arguments, text=None, **options):
    """The JSON of a command. The exit status of a gate is its verdict, and that of each other command is 0."""
    done = run(command, "--format", "json", *arguments, text=text, **options)
    assert done.stdout and (command == "gate" or done.returncode == 0), done.stderr
    return json.loads(done.stdout)


def gate(*arguments, **options):
    """The only gate of a run."""
    (one,) = found("gate", *arguments, **options)["gates"]
    return one


def report(*arguments, **options):
    """The only report of a run, which ends without an error."""
    (one,) = found("report", *arguments, **options)["reports"]
    return one


def lines(decks):
    """A deck a line."""
    return "".join(" ".join(map(str, deck)) + "\n" for deck in decks)
