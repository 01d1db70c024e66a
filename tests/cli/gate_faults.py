# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of the program under test. Each fault ends the gate with its documented exit status and one clear line, soon
after its timeout. No process keeps running, and no file is half written.

A lifeline shows that no process is left. It is a pipe that the gate, the command and all processes that the command
starts inherit; it ends when the last of them is dead."""
import concurrent.futures
import json
import os
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from program import PROGRAM
import waiting

PASS, FAIL, INCONCLUSIVE, BROKEN, INTERRUPTED = 0, 1, 3, 4, 130
PROMPTLY = 20  # seconds beyond a timeout, on a machine that has other work; subjects sleep for 1000

# what the shell is told, timeout in seconds, exit status, what the last line on standard error must hold. A subject
# that says 0 1 2 again and again is as biased as can be.
FAULTS = [
    ("exit 0", 60, BROKEN, None),
    ("sleep 1000", 1, BROKEN, "no permutation from 'sh -c sleep 1000' within 1 s"),
    ("yes 0 1 2 | head -n 5; sleep 1000", 1, BROKEN, "within 1 s"),
    ("yes 0 | tr -d '\\n'", 60, BROKEN, None),
    ("yes | tr -d 'y\\n' | tr -c x ' '; yes '' | tr -d '\\n'; sleep 1000", 1, BROKEN, "within 1 s"),
    ("cat /dev/zero", 60, BROKEN, "line 1"),
    ("yes ''", 1, BROKEN, "within 1 s"),
    ("yes '# 0 1 2'", 1, BROKEN, "within 1 s"),
    ("yes 0 1 2 | head -n 5; exit 3", 60, BROKEN, "exited with status 3"),
    ("yes 0 1 2 | head -n 5; kill -SEGV $$", 60, BROKEN, "was killed by signal 11 (Segmentation fault)"),
    ("kill -KILL $$", 60, BROKEN, "was killed by signal 9 (Killed)"),
    ("yes 0 1 2 | head -n 5", 60, INCONCLUSIVE, None),
    ("yes 0 1 2", 60, FAIL, None),
    ("sleep 1000 & sleep 1000 & yes 0 1 2", 60, FAIL, None),
    ("sh -c 'trap \"\" TERM; sleep 1000' & yes 0 1 2", 60, FAIL, None),
    ("trap '' TERM; yes 0 1 2; sleep 1000; sleep 1000", 60, FAIL, None),
    ("trap '' PIPE TERM; while :; do echo 0 1 2; done 2>/dev/null", 60, FAIL, None),
    ("exec >&-; sleep 1000", 1, BROKEN, "closed its output, but did not end within 1 s"),
    ("yes 0 1 2 | head -n 5; exec >&-; sleep 1000", 1, BROKEN, "closed its output, but did not end"),
    ("yes 0 1 2 | head -n 5; sleep 1000 & exit 0", 1, BROKEN, "what it started held its output open"),
    ("yes 0 1 2 >&2", 1, BROKEN, "no permutation"),
    ("printf '0 1 2\\n0 \\0 1 2\\n'; sleep 1000", 60, BROKEN, "line 2"),
    ("printf '0 1 2\\n\\033[2J0 1 2\\n'; sleep 1000", 60, BROKEN, "line 2"),
    ("printf '0 1 2\\n0 1 1\\n'; sleep 1000", 60, BROKEN, "line 2"),
]


# Names that are read as commands by GitHub, Azure and TeamCity, that end a line, or that turn the writing around.
HOSTILE = ["##[error]y ##vso[task.complete]", " ::error::y\u202e\u200f\u061c\u2028::error::\u009b31m"]
HARM = re.compile("##|^\\s*::|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", re.M)


class Names(unittest.TestCase):
    """Whatever somebody calls a thing, nothing of it is a command for a CI system or a control character."""

    def check(self, *arguments, **more):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=100, check=False, **more)
        for printed in (done.stdout, done.stderr):
            self.assertIsNone(HARM.search(printed), repr(printed[-400:]))
        return done

    def test_names_in_a_suite(self):
        for name in HOSTILE:
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                talks = {"name": name, "command": ["sh", "-c", "echo '%s' >&2; yes 0 1 2" % name]}
                for suite in ([talks], [talks, talks], [{"name": name, "file": name}], [{"name": name, name: 1}],
                              [{"name": name, "scheme": name}], [{"name": name, "file": "cards", "cards": name + " b c"}]):
                    with open(os.path.join(folder, "cards"), "w", encoding="utf-8") as file:
                        file.write("%s b c\n" % name)
                    with open(os.path.join(folder, "suite"), "w", encoding="utf-8") as file:
                        json.dump(suite, file)
                    self.check("gate", "--suite", "suite", cwd=folder)
                    self.check("gate", "--suite", "suite", "--format", "json", cwd=folder)

    def test_names_on_the_command_line(self):
        for name in HOSTILE:
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                    file.write("0 1 2\n" * 1000 + "0 0 0\n")
                for arguments in (["gate", name], ["gate", "./" + name], ["gate", "--", name], ["gate", "--" + name, "-"],
                                  ["gate", "naive", "--limit", name], ["gate", "naive", "--save", name],
                                  ["gate", "naive", "--ledger", "no/" + name], ["watch", "--follow", "./" + name],
                                  ["watch", "naive", "--save", "no/" + name], ["report", name], ["report", "--export", name],
                                  ["report", "--cards", name, "-"], ["lesson", "no/" + name], ["lesson", name], ["lesson", "f" + name],
                                  [name], ["odds", "naive", name], ["report", "--save", name]):
                    self.check(*arguments, cwd=folder, stdin=subprocess.DEVNULL)


class GateFaults(unittest.TestCase):
    def start(self, arguments, **options):
        """The program, beside the end of its lifeline."""
        lifeline, other = os.pipe()
        child = subprocess.Popen([PROGRAM, "gate", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, pass_fds=[other], **options)
        os.close(other)
        return child, lifeline

    def end(self, child, lifeline):
        """Its exit status, output and last line on standard error, once nothing of it is alive."""
        output, error = child.communicate(timeout=100)
        self.assertEqual(select.select([lifeline], [], [], PROMPTLY)[0], [lifeline], "something is still running")
        os.close(lifeline)
        return child.returncode, output.decode(), error.decode().split("\n")[-2] if error else ""

    def run_gate(self, arguments, **options):
        return self.end(*self.start(arguments, **options))

    def check_fault(self, script, timeout, expected, words):
        began = time.monotonic()
        status, output, line = self.run_gate(["--timeout", str(timeout), "--", "sh", "-c", script])
        took = time.monotonic() - began
        self.assertEqual(status, expected, line)
        self.assertLess(took, (timeout if timeout < 60 else 0) + PROMPTLY)
        self.assertEqual(output == "", status == BROKEN, output)
        if status == BROKEN:
            self.assertRegex(line, "^shufflebias gate: ")
        if words:
            self.assertIn(words, line)

    def test_faults(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:  # most of them are asleep
            running = [(fault[0], pool.submit(self.check_fault, *fault)) for fault in FAULTS]
            for script, checked in running:
                with self.subTest(script=script):
                    checked.result()

    def test_what_cannot_start(self):
        for command, words in ((["./no-such-program"], "cannot start './no-such-program': No such file or directory"),
                               (["no-such-program", "--help"], "cannot start 'no-such-program --help': No such file"),
                               (["/"], "cannot start '/': Permission denied")):
            with self.subTest(command=command):
                status, output, line = self.run_gate(["--", *command])
                self.assertEqual((status, output), (BROKEN, ""))
                self.assertIn(words, line)

    def test_what_a_command_says_aside_does_no_harm(self):
        script = (r"printf '::error::x\n ##[group]x\n##vso[x]\n\033]0;title\007\033[31mred\0\n\377\n' >&2;"
                  "head -c 9000000 /dev/zero | tr '\\0' x >&2; yes 'again and again' | head -n 100000 >&2; exit 3")
        child, lifeline = self.start(["--", "sh", "-c", script])
        output, error = child.communicate(timeout=100)
        os.close(lifeline)
        lines = error.decode("utf-8").split("\n")
        self.assertEqual((child.returncode, output), (BROKEN, b""))
        self.assertNotRegex(error.decode(), "[\0-\x09\x0b-\x1f\x7f-\x9f]")
        self.assertFalse([line for line in lines if re.match(r"\s*::", line) or "##" in line])
        self.assertLess(len(error), 3 * 65536)
        self.assertLess(max(map(len, lines)), 500)
        self.assertIn("exited with status 3", lines[-2])

    def test_an_interrupt_ends_it_with_what_is_known(self):
        with tempfile.TemporaryDirectory() as folder:
            ready = os.path.join(folder, "ready")
            child, lifeline = self.start(["--", "sh", "-c", "yes 0 1 2 | head -n 5; touch $0; sleep 1000", ready])
            waiting.until(lambda: os.path.exists(ready), "for the subject")
        waiting.until_asleep(child)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        status, output, _ = self.end(child, lifeline)
        self.assertEqual(status, INTERRUPTED)
        self.assertIn("5 shuffles", output)
        self.assertLess(time.monotonic() - began, PROMPTLY)

    def test_an_interrupt_before_the_first_permutation(self):
        child, lifeline = self.start(["--", "sh", "-c", "echo ready >&2; sleep 1000"])
        self.assertEqual(child.stderr.readline(), b"subject: ready\n")  # before that nobody might listen to signals
        child.send_signal(signal.SIGINT)
        status, output, line = self.end(child, lifeline)
        self.assertEqual((status, output), (INTERRUPTED, ""))
        self.assertRegex(line, "^shufflebias gate: ")

    def test_a_second_interrupt_ends_the_command_too(self):
        with tempfile.TemporaryDirectory() as folder:  # the first one waits for a command that takes its time
            child, lifeline = self.start(["--export", "json:x", "--", "sh", "-c", "trap '' TERM; echo ready >&2; sleep 1000"],
                                         cwd=folder)
            self.assertEqual(child.stderr.readline(), b"subject: ready\n")
            waiting.interrupt_until_it_ends(child)
            self.assertEqual(self.end(child, lifeline)[0], INTERRUPTED)
            self.assertEqual(os.listdir(folder), [])

    def test_no_export_is_half_written(self):
        for script, expected in (("yes 0 1 2 | head -n 5; exit 3", BROKEN), ("sleep 1000", BROKEN)):
            with self.subTest(script=script), tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "old"), "w", encoding="ascii") as file:
                    file.write("old")
                status, _, _ = self.run_gate(["--timeout", "1", "--export", "json:new", "--export", "json:old", "--",
                                              "sh", "-c", script], cwd=folder)
                self.assertEqual(status, expected)
                self.assertEqual(os.listdir(folder), ["old"])
                with open(os.path.join(folder, "old"), encoding="ascii") as file:
                    self.assertEqual(file.read(), "old")

    def test_a_full_disk(self):
        def small():  # a file may not grow: what is written after that fails, as on a full disk
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with tempfile.TemporaryDirectory() as folder:
            status, _, line = self.run_gate(["--export", "html:new", "--", "yes", "0 1 2"], cwd=folder, preexec_fn=small)
            self.assertEqual(status, BROKEN)
            self.assertIn("cannot write 'new': File too large", line)
            self.assertEqual(os.listdir(folder), [])
        if os.path.exists("/dev/full"):  # no regular file: it is written in place
            status, _, line = self.run_gate(["--export", "json:/dev/full", "--", "yes", "0 1 2"])
            self.assertEqual(status, BROKEN)
            self.assertIn("cannot write '/dev/full': No space left on device", line)

    def test_descriptors_stay_at_home(self):
        with tempfile.TemporaryDirectory() as folder:
            status, _, line = self.run_gate(["--export", "json:new", "--", "sh", "-c", "ls -l /dev/fd/ >seen; exit 3"],
                                            cwd=folder)
            self.assertEqual(status, BROKEN, line)
            with open(os.path.join(folder, "seen"), encoding="ascii") as file:
                self.assertNotIn("/new", file.read())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
