# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks JSON against the schemas of data/schema, in tests that also check something else."""
import os
import subprocess
import sys

MISSING = 77  # the exit status of validate_schema.py where python3-jsonschema is missing


def check(test, source, name, *document):
    """The document is as data/schema/NAME says. The document is a file, or "--", a command and its arguments. Without
    python3-jsonschema the test goes through its other checks, and then counts as skipped, with the reason in the log."""
    done = subprocess.run([sys.executable, os.path.join(source, "tests", "unit", "validate_schema.py"),
                           os.path.join(source, "data", "schema", name), *document],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == MISSING:
        test.addCleanup(test.skipTest, done.stdout.strip())
    else:
        test.assertEqual(done.returncode, 0, done.stdout)
