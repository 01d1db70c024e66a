# SPDX-License-Identifier: GPL-3.0-or-later
"""The program with MPI: several processes write byte for byte the report of one process, and if one of them dies, all
end.

Usage: mpi.py SHUFFLEBIAS SOURCE [SHUFFLEBIAS_WITHOUT_MPI]
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from mpirun import launcher
from program import PROGRAM
from waiting import until, until_listens

PLAIN = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else PROGRAM

# Counted by rank, decks side by side and one by one, and by a generator without a counter; decks of 52 with statistics
# and their steps; decks that come up again; seeds that are counted, and seeds that are sorted.
RUNS = (("naive", "sort-by-key:9", "naive/modulo/mt19937", "-n", "5", "--samples", "1e6"),
        ("fisher-yates", "overhand", "-n", "52", "--samples", "30001", "--increments"),
        ("naive", "-n", "11", "--samples", "150000", "--by", "sample", "--statistics", "descents,repeat"),
        ("fisher-yates/modulo/msvc-rand", "-n", "8", "--by", "seeds", "--seeds", "0..65535"),
        ("planet-poker/multiply:32/delphi", "-n", "52", "--by", "seeds", "--seeds", "0..49999"),
        ("naive", "sattolo", "naive/modulo:4", "-n", "10", "--by", "exact"))  # by rank 0 alone
# Some seconds long for one thread, and every deck is compared with others.
LONG = ("overhand", "-n", "12", "--samples", "2e6", "--threads", "1", "--statistics", "cycles,repeat")


MPIRUN = launcher(PROGRAM)


class Mpi(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def start(self, ranks, *arguments):
        """A command of so many processes; of the program without mpirun for 0."""
        return subprocess.Popen([*(MPIRUN + ["-n", str(ranks)] if ranks else []), PROGRAM if ranks else PLAIN, *arguments],
                                cwd=self.folder.name, env={**os.environ, "MPI_TEST": self.folder.name},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_it(self, ranks, *arguments, status=0):
        """What it prints, and its complaints."""
        with self.start(ranks, *arguments) as child:
            printed, line = child.communicate(timeout=100)
        self.assertEqual(child.returncode, status, line)
        return printed, line

    def report(self, ranks, *arguments):
        return self.run_it(ranks, "report", *arguments)[0]

    def members(self, child):
        """The program's processes of that mpirun, by rank."""
        found = {}
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % number, "rb") as file:
                    variables = dict(line.split(b"=", 1) for line in file.read().split(b"\0") if b"=" in line)
                if variables.get(b"MPI_TEST") == self.folder.name.encode() and os.readlink("/proc/%s/exe" % number) == PROGRAM:
                    found[int(variables.get(b"OMPI_COMM_WORLD_RANK", variables.get(b"PMI_RANK", 0)))] = int(number)
            except OSError:
                pass
        return found

    def test_the_report_is_the_same(self):
        for run in RUNS:
            alone = self.report(0, *run, "--format", "json")
            for ranks in (1, 2, 4):
                with self.subTest(run=run, ranks=ranks):
                    self.assertEqual(self.report(ranks, *run, "--format", "json", "--threads", "1"), alone)
        self.assertEqual(subprocess.run([PROGRAM, "report", *RUNS[0], "--format", "json"], capture_output=True, check=True).stdout,
                         self.report(0, *RUNS[0], "--format", "json"))

    def test_what_is_saved_is_the_same(self):
        run = ("naive", "-n", "11", "--samples", "150000", "--increments", "--statistics", "descents,repeat", "--checkpoint", "0.001")
        self.report(0, *run, "--save", "alone")
        self.report(3, *run, "--save", "shared")
        self.assertEqual(self.bytes("shared"), self.bytes("alone"))
        self.report(0, *run, "--shard", "2/3", "--save", "part")
        self.report(2, *run, "--shard", "2/3", "--save", "shared part")
        self.assertEqual(self.bytes("shared part"), self.bytes("part"))

    def test_a_member_that_is_lost(self):
        """Whichever is killed, all end; the last checkpoint is there, and good to go on from."""
        self.report(0, *LONG, "--save", "whole")
        for lost in (1, 0):
            with self.subTest(lost=lost):
                name = "cut%d" % lost
                with self.start(3, "report", *LONG, "--save", name, "--checkpoint", "0.05") as child:
                    until(lambda: child.poll() is not None or (
                        os.path.exists(self.path(name)) and json.loads(self.bytes(name))["total"] > 0), "no checkpoint")
                    member = self.members(child).get(lost)
                    if member:  # else it was done before
                        os.kill(member, signal.SIGKILL)
                    child.communicate(timeout=100)
                if member:
                    self.assertNotEqual(child.returncode, 0)
                until(lambda: not self.members(child), "members are left")
                shutil.copy(self.path(name), self.path("again"))
                self.report(0, "--save", name)
                self.assertEqual(self.bytes(name), self.bytes("whole"))
                self.report(2, "--save", "again")
                self.assertEqual(self.bytes("again"), self.bytes("whole"))

    def test_a_member_that_fails(self):
        """For want of memory, which its limit is short of: one line says so, and all end."""
        report = ("report", "naive", "-n", "8192", "--samples", "1000", "--by", "sample", "--statistics", "none", "--threads", "1")
        child = subprocess.run([*MPIRUN, "-n", "1", PROGRAM, *report, ":", "-n", "1", "sh", "-c",
                                'ulimit -v 800000; exec "$0" "$@"', PROGRAM, *report],
                               stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=100)
        self.assertNotEqual(child.returncode, 0)
        self.assertEqual(child.stderr.count(b"shufflebias: rank 1: not enough memory"), 1, child.stderr)
        self.assertEqual(child.stdout, b"")

    def test_interrupted(self):
        """The first one ends early, with what all have counted."""
        child = self.start(2, "report", "naive", "-n", "5", "--samples", "1e15", "--format", "json", "--save", "saved",
                           "--checkpoint", "0.05")
        self.addCleanup(child.kill)  # which would not end of itself, should this fail
        until(lambda: os.path.exists(self.path("saved")) and json.loads(self.bytes("saved"))["total"] > 0,
              "no checkpoint")
        os.kill(self.members(child)[0], signal.SIGINT)
        printed = child.communicate(timeout=100)[0]
        evidence = json.loads(printed)["reports"][0]["evidence"]
        self.assertTrue(evidence["interrupted"])
        self.assertEqual(sum(evidence["counts"]), evidence["total"])
        self.assertEqual(self.report(0, "saved", "--format", "json"), printed)

    def test_interrupted_law(self):
        child = self.start(2, "report", "naive", "-n", "12", "--by", "exact", "--threads", "1")
        self.addCleanup(child.kill)
        until(lambda: len(self.members(child)) == 2, "no ranks")
        first = self.members(child)[0]
        until_listens(first)
        time.sleep(1)
        os.kill(first, signal.SIGINT)
        printed, lines = child.communicate(timeout=100)
        self.assertEqual(printed, b"")
        self.assertEqual(lines.count(b"stopped before anything was counted"), 1, lines)
        until(lambda: not self.members(child), "members are left")

    def test_other_commands_are_the_first_ones_alone(self):
        self.assertEqual(self.run_it(2, "list"), self.run_it(0, "list"))
        self.assertEqual(self.report(2, "naive"), self.report(0, "naive"))  # as text, without colours
        line = self.run_it(2, "report", "naif", status=2)[1]
        self.assertEqual(line.count(b"unknown shuffle"), 1, line)


if __name__ == "__main__":
    if MPIRUN is None:
        print("no MPI: skipped")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
