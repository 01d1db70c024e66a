# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C ends every command soon, whatever the command is doing. The limit is in processor time, because a busy machine
gives a process little of it per second."""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE
import waiting

with open(PROGRAM, "rb") as program:
    SANITIZED = b"__asan_init" in program.read()
MOST = 15 if SANITIZED else 2  # seconds of a machine that is not busy
INTERRUPTED = 130

# Seconds of work before the signal, and the command.
COMMANDS = [
    (0.1, ["zoo", "-n", "1000"]),  # the laws of the statistics
    (3, ["zoo", "-n", "1000"]),
    (0.5, ["zoo", "-n", "1000", "--samples", "1e6", "--test", "sleep 60"]),
    (0.05, ["law", "inversions", "-n", "1000"]),
    (0.05, ["explain", "naive-no-self", "-n", "8"]),
    (0.1, ["prove", "-n", "9", "--", sys.executable, os.path.join(SOURCE, "data/adapters/prove.py"), "9"]),
    (1, ["report", "overhand", "-n", "1024", "--by", "exact"]),
    (1, ["plan", "riffle", "-n", "1000"]),
    (0.3, ["report", "naive", "-n", "11", "--by", "exact"]),
    (1, ["report", "naive", "-n", "8192", "--by", "exact"]),
    (1, ["report", "fisher-yates/modulo:64", "-n", "52"]),
    (1, ["report", "fisher-yates", "-n", "52", "--by", "seeds", "--rng", "mt19937", "--seeds", "0..4294967295"]),
    (1, ["gate", "fisher-yates", "-n", "300", "--limit", "1e9", "--exclude", "1e-6"]),
    (1, ["watch", "fisher-yates", "-n", "300", "--window", "--increments"]),
    (1, ["deal", "fisher-yates", "-n", "65535", "--samples", "1e9"]),
    (1, ["bench", "-n", "65535", "--decks", "1000"]),
    (0.3, ["merge", "1.json", "2.json", "-o", "merged.json"]),
    (0.7, ["lesson", "course"]),
    (1, ["odds", "transpositions", ".".join(str(i) for i in range(1, 25))]),
]


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Interrupt(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for part in "12":  # a matrix of four million counts
            done = subprocess.run([PROGRAM, "report", "naive", "-n", "2000", "--samples", "400", "--shard", part + "/2",
                                   "--save", part + ".json", "--quiet"], cwd=self.folder.name, capture_output=True, check=False)
            self.assertEqual(done.stderr, b"")

    def test_each_command_ends(self):
        for seconds, command in COMMANDS:
            with self.subTest(command=" ".join(command)):
                before = processor()
                child = subprocess.Popen([PROGRAM, *command], cwd=self.folder.name, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                waiting.until_worked(child, seconds)
                state = waiting.process_state(child.pid)
                worked = (int(state[11]) + int(state[12])) / os.sysconf("SC_CLK_TCK")
                child.send_signal(signal.SIGINT)
                child.communicate(timeout=200)
                self.assertEqual(child.returncode, INTERRUPTED)
                self.assertLess(processor() - before - worked, MOST * waiting.slowness())

    def interrupt_slowly(self, *command):
        """Sends the signal while the program waits for the reader of its output, which then reads on. Returns the exit status
        and the output."""
        child = subprocess.Popen([PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first = os.read(child.stdout.fileno(), 1)
        waiting.until_asleep(child)
        child.send_signal(signal.SIGINT)
        rest, said = child.communicate(timeout=200)
        self.assertEqual(said, b"")
        return child.returncode, first + rest

    def test_a_finished_report_is_written_to_its_end(self):
        report = ["report", "naive", "-n", "52", "--samples", "1e4", "--format", "json", "--quiet"]  # 400 kB
        whole = subprocess.run([PROGRAM, *report], capture_output=True, check=True).stdout
        self.assertEqual(self.interrupt_slowly(*report), (0, whole))

    def test_a_pipe_without_a_reader_is_not_waited_for(self):
        pipe = os.path.join(self.folder.name, "pipe")
        os.mkfifo(pipe)
        child = subprocess.Popen([PROGRAM, "report", "naive", "-o", pipe], stderr=subprocess.PIPE)
        waiting.until_asleep(child)
        child.send_signal(signal.SIGINT)
        self.assertIn(b"cannot write", child.communicate(timeout=200)[1])
        self.assertEqual(child.returncode, 4)

    def test_decks_end_after_a_whole_one(self):
        status, decks = self.interrupt_slowly("deal", "naive", "-n", "52", "--samples", "1e9")
        self.assertEqual(status, INTERRUPTED)
        self.assertEqual([line for line in decks.split(b"\n") if len(line.split()) != 52], [b""])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
