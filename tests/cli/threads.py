# SPDX-License-Identifier: GPL-3.0-or-later
"""No thread but the first can start. Each command then uses fewer threads and prints the same."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM


# What starts threads: samples, their classification and the comparison of decks; seeds; the exact law of a walk, a
# matrix in doubles, a product of factors; the zoo.
COMMANDS = [
    ["report", "naive", "-n", "6", "--samples", "1e5", "--format", "json", "--threads", "4"],
    ["report", "naive", "-n", "13", "--samples", "1e5", "--format", "json", "--threads", "4"],
    ["report", "naive", "--rng", "msvc-rand", "-n", "8", "--by", "seeds", "--seeds", "0..99999", "--threads", "4"],
    ["report", "fisher-yates", "--rng", "msvc-rand", "-n", "14", "--by", "seeds", "--seeds", "0..99999", "--threads", "4"],
    ["report", "naive", "-n", "9", "--by", "exact", "--threads", "4"],
    ["report", "naive/modulo:15", "-n", "200", "--by", "exact", "--threads", "4"],
    ["report", "fisher-yates/modulo:15", "-n", "52", "--by", "exact", "--threads", "4"],
    ["zoo", "-n", "3", "--threads", "4"],
]


def alone():
    """For a child: the stack of a thread would be larger than the address space, so that none starts."""
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 47, hard))


def run(arguments, **options):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=250, **options)
    return done.returncode, done.stdout, done.stderr


@unittest.skipUnless(resource.getrlimit(resource.RLIMIT_STACK)[1] == resource.RLIM_INFINITY, "stacks have a hard limit here")
class Alone(unittest.TestCase):
    def test_the_result_is_the_same(self):
        for command in COMMANDS:
            with self.subTest(command=" ".join(command)):
                status, output, complaint = run(command)
                self.assertEqual((status, complaint), (0, ""))
                self.assertEqual(run(command, preexec_fn=alone), (status, output, complaint))

    def test_a_fair_suite_passes(self):
        """The status 1 of a runtime that could not start a thread was read as FAIL."""
        suite = [{"name": str(n), "scheme": "fisher-yates", "n": n, "exclude": 0.1} for n in (3, 4, 5)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "suite.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(suite, file)
            command = ["gate", "--suite", path, "--jobs", "4", "--format", "json", "--quiet"]
            status, output, complaint = run(command, preexec_fn=alone)
            self.assertEqual((status, complaint), (0, ""))
            self.assertEqual(run(command), (status, output, complaint))


class Enough(unittest.TestCase):
    def test_no_more_threads_than_subjects(self):
        """256 jobs for two subjects, of which the one looks how many threads its parent has."""
        count = "ls /proc/$PPID/task | wc -l >threads; yes 0 1 2"
        if not os.path.isdir("/proc/self/task"):
            self.skipTest("no /proc that lists threads")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "suite.json"), "w", encoding="utf-8") as file:
                json.dump([{"name": "looks", "command": ["sh", "-c", count]},
                           {"name": "waits", "command": ["sh", "-c", "while ! [ -s threads ]; do sleep 0.01; done; yes 0 1 2"]}], file)
            status, _, complaint = run(["gate", "--suite", "suite.json", "--jobs", "256", "--quiet"], cwd=folder)
            self.assertEqual((status, complaint), (1, ""))
            with open(os.path.join(folder, "threads"), encoding="ascii") as file:
                self.assertLessEqual(int(file.read()), 3)  # a sanitizer may have one of its own


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
