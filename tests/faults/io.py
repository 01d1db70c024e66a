#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures of files: system calls that fail, and runs that are killed, while evidence is saved.

Each scenario is a command that saves evidence. The test does two things to it:

- strace makes one of its system calls fail: the k-th call of a kind, once or from then on. The command must end with
  the usual result, or with exit status 4 and one line. In that case nothing may be lost: the same command without
  faults, started on the existing files, must end with the same evidence as a run that never failed, with each
  permutation counted once.
- The test kills the command with SIGKILL at a random moment and starts it again, until it ends by itself. The saved
  file must be readable after each kill, the final evidence must be that of a run that was never killed, and no
  temporary file may be left.

Usage: io.py SHUFFLEBIAS SOURCE [--long] [--kills N] [--seed S] [--only REGEX] [--jobs J]

The short form makes 50 system calls of each scenario fail once, and two kinds of calls fail from the middle to the
end. The long form tries every call and every error, once and lasting, kills each scenario 100 times, and prints the
tables of docs/testing.md.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

BROKEN, SKIPPED = 4, 77
SHORT = 50  # faults of a scenario in the short form
LIMIT = 90  # seconds for a run: a log is tried for 20, and the machine has other work

# The errors of a system call, the likeliest first. close() is left out: an injected failure skips the call, so that a
# lock stays held, which no system does.
STATUS = ["ESTALE", "EIO", "ENOMEM"]
READS = ["EIO", "EINTR", "ESTALE"]
ERRORS = {
    **dict.fromkeys(["stat", "lstat", "fstat", "newfstatat", "statx", "fstatat64"], STATUS),
    **dict.fromkeys(["open", "openat"], ["EMFILE", "EIO", "EINTR"]),
    **dict.fromkeys(["read", "pread64"], READS),
    **dict.fromkeys(["lseek", "ftruncate", "rename", "renameat", "renameat2"], ["EIO"]),
    **dict.fromkeys(["write", "pwrite64"], ["EIO", "EINTR", "ENOSPC"]),
    **dict.fromkeys(["fsync", "fdatasync"], ["EIO", "EINTR"]),
    **dict.fromkeys(["flock"], ["EIO", "EINTR", "ENOLCK"]),
    **dict.fromkeys(["fcntl", "dup"], ["EMFILE"]),
    **dict.fromkeys(["getdents64", "readlink", "access", "faccessat", "faccessat2", "fchmod", "unlink"], ["EIO"]),
    **dict.fromkeys(["poll"], ["EINTR", "ENOMEM"]),
}


LASTING = [("openat", "EMFILE"), ("fsync", "EIO")]  # that the short form takes, from the middle on


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def lines(count, seed):
    """Permutations of four items, a line each; the same for the same seed."""
    rng = random.Random(seed)
    return ["%s\n" % " ".join(map(str, rng.sample(range(4), 4))) for _ in range(count)]


class Scenario:
    """A command that saves evidence in a folder of its own."""
    saved = "saved.json"

    def __init__(self, program):
        self.program = program

    def call(self, folder, arguments, prefix=(), limit=LIMIT):
        """Exit status ("hang" for none) and standard error."""
        child = subprocess.Popen([*prefix, self.program, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                                 env=dict(os.environ, LC_ALL="C"))
        try:
            error = child.communicate(timeout=limit)[1]
            return child.returncode, error.decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return "hang", ""

    def prepare(self, folder):
        """The files that the command begins with."""

    def arguments(self, folder):
        """The command; None where nothing is left to do."""
        raise NotImplementedError

    def load(self, folder):
        """The evidence as it is compared; None where there is none."""
        path = os.path.join(folder, self.saved)
        return json.loads(text_of(path)) if os.path.exists(path) else None

    def finish(self, folder):
        """Goes on without faults; what is wrong, or None."""
        arguments = self.arguments(folder)
        if arguments is None:
            return None
        status, error = self.call(folder, arguments)
        return None if status in (0, 1, 3) else "cannot be resumed: status %s, %s" % (status, error.strip()[-200:])

    def compare(self, folder, reference, status):
        """What is wrong with the evidence in the end, or None. The status is None after a kill."""
        del status
        found = self.load(folder)
        return None if found == reference else "the evidence differs: total %s, not %s" % (
            found and found.get("total"), reference.get("total"))


class Report(Scenario):
    """report --save, which resumes."""
    samples = "2e6"

    def arguments(self, folder):
        return ["report", "naive", "-n", "4", "--samples", self.samples, "--save", self.saved, "--quiet", "--threads", "1",
                "--checkpoint", "0.01"]


class Gate(Scenario):
    """gate --save, which resumes."""
    exclude = "0.05"

    def arguments(self, folder):
        return ["gate", "fisher-yates", "-n", "4", "--exclude", self.exclude, "--save", self.saved, "--quiet",
                "--checkpoint", "0.005"]


class Ledger(Scenario):
    """gate --ledger, a share for each run."""
    saved = "ledger.json"

    def gate(self, seed):
        return ["gate", "fisher-yates", "-n", "4", "--limit", "3000", "--ledger", self.saved, "--quiet", "--seed", str(seed)]

    def prepare(self, folder):
        assert self.call(folder, self.gate(1))[0] == 3

    def arguments(self, folder):
        return self.gate(2)

    def totals(self, folder):
        """Shares, runs, and the permutations that the first share has."""
        ledger = self.load(folder)
        return ledger["shares"], ledger["runs"], ledger["recent"][0]["total"]

    def finish(self, folder):
        """A run that failed has or has not entered what it saw; another one can be entered either way."""
        self.before = self.totals(folder)
        status, error = self.call(folder, self.gate(random.randrange(3, 10 ** 9)))
        return None if status == 3 else "takes no other run: status %s, %s" % (status, error.strip()[-200:])

    def compare(self, folder, reference, status):
        shares, runs, total = self.totals(folder)
        wanted = 3000
        if status == BROKEN:
            return None if shares >= 1 and runs >= 2 else "shares %d, runs %d" % (shares, runs)
        return None if (runs, total) == (2, wanted) else "runs %d, total %d and not %d" % (runs, total, wanted)


class Watch(Scenario):
    """watch FILE --save, of a recording of which a part has been read."""
    total, first = 3000, 1000

    def prepare(self, folder):
        every = lines(self.total, 1)
        self.write(folder, "log", every[:self.first])
        assert self.call(folder, ["watch", "log", "--save", self.saved])[0] == 0
        self.write(folder, "log", every[self.first:])

    @staticmethod
    def write(folder, name, text):
        with open(os.path.join(folder, name), "a", encoding="ascii") as file:
            file.writelines(text)

    def arguments(self, folder):
        return ["watch", "log", "--save", self.saved, "--checkpoint", "0.02", "--metrics", "watch.prom", "--interval", "0.02"]

    def load(self, folder):
        found = super().load(folder)
        for field in ("last", "bookmark"):  # the time, and an inode
            if found:
                found["run"].pop(field, None)
        if found:
            del found["checksum"]
        return found


class Follow(Watch):
    """watch --follow, over a log that was moved away twice since."""

    def prepare(self, folder):
        every = lines(self.total, 1)
        self.write(folder, "log", every[:self.first])
        assert self.call(folder, self.follow(500))[0] == 0
        for part in (every[self.first:2000], every[2000:]):
            for name in ("log.1", "log"):
                path = os.path.join(folder, name)
                if os.path.exists(path):
                    os.rename(path, os.path.join(folder, "log.%d" % (1 + int(name[4:] or 0))))
            self.write(folder, "log", part)

    def follow(self, limit):
        return ["watch", "--follow", "log", "--save", self.saved, "--limit", str(limit), "--checkpoint", "0.02", "--metrics",
                "watch.prom", "--interval", "0.02"]

    def arguments(self, folder):
        saved = self.load(folder)
        left = self.total - (saved["total"] if saved else 0)
        return self.follow(left) if left > 0 else None


SCENARIOS = {
    "report --save": Report,
    "gate --save": Gate,
    "gate --ledger": Ledger,
    "watch --save": Watch,
    "watch --follow": Follow,
}


# ---- faults

def strace_reason(program):
    """Why strace cannot be used; None where it can."""
    if not shutil.which("strace"):
        return "not installed: strace"
    done = subprocess.run(["strace", "-f", "-o", os.devnull, "-e", "inject=fsync:error=EIO:when=1", program, "--version"],
                          capture_output=True, text=True, timeout=60, check=False)
    return None if done.returncode == 0 else "strace cannot trace here: " + (done.stderr.strip().split("\n") or [""])[-1]


def trace(scenario, folder, inject=None):
    """Runs the command under strace: its exit status, standard error, and the calls that were made."""
    log = os.path.join(folder, ".strace")
    prefix = ["strace", "-f", "-qq", "-o", log]
    if inject:
        call, error, when = inject
        prefix += ["-e", "trace=" + call, "-e", "inject=%s:error=%s:when=%s" % (call, error, when)]
    status, error = scenario.call(folder, scenario.arguments(folder), prefix)
    with open(log, encoding="utf-8", errors="replace") as file:
        made = file.read().splitlines()
    os.unlink(log)
    return status, error, made


def name_of(line):
    found = re.match(r"(?:\d+ +)?(\w+)\(", line)
    return found.group(1) if found else None


def after_loader(made):
    """For each call how many of it the dynamic loader makes, and how many there are: a fault in it is the system's."""
    begin = 0
    cache = [i for i, line in enumerate(made) if "ld.so.cache" in line]
    if cache:
        begin = next((i for i in range(cache[0], len(made)) if name_of(made[i]) == "munmap"), cache[0])
    before = collections.Counter(map(name_of, made[:begin]))
    return {call: (before[call], count) for call, count in collections.Counter(map(name_of, made)).items()}


class Folder:
    """A folder with the files that a scenario begins with. Logs are linked, since they are known by their inodes too;
    evidence is copied, since it is locked."""

    def __init__(self, template, scenario):
        self.path = tempfile.mkdtemp(prefix="shufflebias-io-")
        for name in os.listdir(template):
            take = os.link if name.startswith("log") else shutil.copy
            take(os.path.join(template, name), os.path.join(self.path, name))
        del scenario

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def one_fault(scenario_type, program, template, reference, inject):
    """What became of one fault: a word, and what is wrong (None: nothing)."""
    scenario = scenario_type(program)
    with Folder(template, scenario) as folder:
        status, error, made = trace(scenario, folder, inject)
        if not any("INJECTED" in line for line in made):
            return "none", None
        told = [line for line in error.splitlines() if line.strip()]
        if status not in (BROKEN, reference["status"]):
            return "wrong", "status %s: %s" % (status, error.strip()[-300:])
        mute = inject[0] == "write" and inject[2].endswith("+")  # nor can the line be written
        if status == BROKEN and len(told) != 1 and not (mute and not told):
            return "wrong", "status 4 with %d lines: %s" % (len(told), error.strip()[-300:])
        wrong = None
        if status == BROKEN:
            try:
                wrong = scenario.finish(folder)
            except (ValueError, KeyError) as damage:
                wrong = "unreadable: %s" % damage
        wrong = wrong or scenario.compare(folder, reference["evidence"], status)
        if not wrong and status == BROKEN:
            return "status 4", None
        return ("wrong" if wrong else "as usual"), wrong and "status %s: %s (%s)" % (status, wrong, error.strip()[-200:])


def faults_of(calls, long):
    """(call, error, when) for each fault that is tried."""
    once = []
    for call, (before, count) in sorted(calls.items(), key=str):
        for error in ERRORS.get(call, [])[:None if long else 1]:
            for k in range(before + 1, count + 1):
                once.append((call, error, str(k)))
            if long or (call, error) in LASTING:
                for k in sorted({before + 1, (before + count) // 2 + 1, count} if long else {(before + count) // 2 + 1}):
                    if before < k <= count:
                        yield call, error, "%d+" % k
    yield from once if long else random.Random(len(once)).sample(once, min(SHORT, len(once)))


def sweep(options):
    """All faults of all scenarios; a row for each, and the number of those that went wrong."""
    rows, wrong = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, scenario_type in SCENARIOS.items():
            if not re.search(options.only, name):
                continue
            template = tempfile.mkdtemp(prefix="shufflebias-io-")
            try:
                scenario = scenario_type(options.program)
                scenario.prepare(template)
                with Folder(template, scenario) as folder:
                    status, error, made = trace(scenario, folder)
                    assert status in (0, 1, 3), error
                    reference = {"status": status, "evidence": scenario.load(folder)}
                tasks = {pool.submit(one_fault, scenario_type, options.program, template, reference, fault): fault
                         for fault in faults_of(after_loader(made), options.long)}
                tally = collections.Counter()
                for task in concurrent.futures.as_completed(tasks):
                    word, what = task.result()
                    tally[word] += 1
                    if what:
                        print("%s, %s: %s" % (name, " ".join(tasks[task]), what), flush=True)
                wrong += tally["wrong"]
                rows.append((name, len(tasks) - tally["none"], tally["as usual"], tally["status 4"], tally["wrong"]))
            finally:
                shutil.rmtree(template, ignore_errors=True)
    return rows, wrong


# ---- kills

class LongReport(Report):
    """Long enough to be killed more than once."""
    samples = "1e8"


class LongGate(Gate):
    """Likewise."""
    exclude = "0.01"


class Rotating(Follow):
    """watch --follow while the log is written and moved away."""
    total = 12000

    def prepare(self, folder):
        self.every = lines(self.total, 2)
        self.path = os.path.join(folder, "log")
        open(self.path, "w", encoding="ascii").close()
        self.written = self.moved = 0
        self.rng = random.Random(3)

    def step(self):
        """The writer's next lines, and now and then a rotation: once there is evidence, since a watch that was killed
        before cannot know that lines were moved away."""
        if self.written >= self.total:
            return
        if os.path.exists(os.path.join(os.path.dirname(self.path), self.saved)) and self.rng.random() < 0.05 and os.path.getsize(self.path):
            for k in range(self.moved, 0, -1):
                os.rename("%s.%d" % (self.path, k), "%s.%d" % (self.path, k + 1))
            os.rename(self.path, self.path + ".1")
            self.moved += 1
        to = min(self.total, self.written + self.rng.randrange(1, 80))
        with open(self.path, "a", encoding="ascii") as file:
            file.writelines(self.every[self.written:to])
        self.written = to

    def evidence(self, program):
        """That of a watch of all lines, in one file."""
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder, "log", self.every)
            plain = Follow(program)
            assert plain.call(folder, ["watch", "--follow", "log", "--save", self.saved, "--limit", str(self.total)])[0] == 0
            return self.load(folder)


def start(scenario, folder):
    return subprocess.Popen([scenario.program, *scenario.arguments(folder)], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def reap(child, wait):
    """The exit status, or None where it was killed after a wait; and standard error."""
    try:
        error = child.communicate(timeout=wait)[1]
        return child.returncode, error.decode(errors="replace")
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return None, ""


def left_over(folder, names):
    return sorted(set(os.listdir(folder)) - set(names))


def kill_runs(scenario_type, program, kills, rng):
    """Rounds of a run that is killed and started again until it ends, until there were so many kills."""
    scenario, done, rounds, wrong = scenario_type(program), 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        assert scenario.call(folder, scenario.arguments(folder))[0] in (0, 1, 3)
        took = time.monotonic() - began
        reference = scenario.load(folder)
        os.unlink(os.path.join(folder, scenario.saved))
        while done < kills and not wrong:
            status, error = reap(start(scenario, folder), rng.uniform(0, 0.6 * took))
            if status is None:
                done += 1
                try:
                    scenario.load(folder)
                except ValueError as damage:
                    wrong.append("unreadable: %s" % damage)
                continue
            if status not in (0, 1, 3):
                wrong.append("status %s: %s" % (status, error.strip()[-200:]))
            elif scenario.load(folder) != reference:
                wrong.append("the evidence differs")
            elif left_over(folder, [scenario.saved]):
                wrong.append("left: %s" % left_over(folder, [scenario.saved]))
            else:
                os.unlink(os.path.join(folder, scenario.saved))
                rounds += 1
    return done, rounds, wrong


def kill_ledger(scenario_type, program, kills, rng):
    """Runs on one ledger, some of which are killed: it stays readable, and no share is ever taken back."""
    scenario, done, rounds, wrong, shares = scenario_type(program), 0, 0, [], 0
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        assert scenario.call(folder, scenario.gate(0))[0] == 3
        took = time.monotonic() - began
        while done < kills and not wrong:
            child = subprocess.Popen([program, *scenario.gate(rng.randrange(10 ** 9))], cwd=folder, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            status, error = reap(child, rng.uniform(0, 1.5 * took))
            done += status is None
            rounds += status is not None
            if status not in (None, 3):
                wrong.append("status %s: %s" % (status, error.strip()[-200:]))
            try:
                ledger = scenario.load(folder) or {"shares": 0, "runs": 0}
                if ledger["shares"] < shares:
                    wrong.append("shares went from %d to %d" % (shares, ledger["shares"]))
                shares = ledger["shares"]
            except ValueError as damage:
                wrong.append("unreadable: %s" % damage)
        status, error = scenario.call(folder, scenario.gate(1))
        if status != 3:
            wrong.append("takes no other run: status %s, %s" % (status, error.strip()[-200:]))
        if left_over(folder, [scenario.saved, scenario.saved + ".lock"]):
            wrong.append("left: %s" % left_over(folder, [scenario.saved, scenario.saved + ".lock"]))
    return done, rounds, wrong


def kill_follow(scenario_type, program, kills, rng):
    """A log that is written and moved away while its watch is killed and started again."""
    done, rounds, wrong = 0, 0, []
    while done < kills and not wrong:
        scenario, over = scenario_type(program), threading.Event()
        with tempfile.TemporaryDirectory() as folder:
            scenario.prepare(folder)
            reference = scenario.evidence(program)

            def write(scenario=scenario, over=over):
                while not over.wait(0.004):
                    scenario.step()
            writer = threading.Thread(target=write)
            writer.start()
            while scenario.arguments(folder) is not None and not wrong:
                kill = done < kills
                status, error = reap(start(scenario, folder), rng.uniform(0, 0.12) if kill else LIMIT)
                done += status is None
                if status not in (0, None):
                    wrong.append("status %s: %s" % (status, error.strip()[-200:]))
                elif status is None and not kill:
                    wrong.append("waits for lines that were lost: %s of %d" % (
                        (scenario.load(folder) or {}).get("total"), scenario.total))
            over.set()
            writer.join()
            if not wrong and scenario.load(folder) != reference:
                wrong.append("the evidence differs")
            left = [name for name in left_over(folder, [scenario.saved, "watch.prom"]) if not name.startswith("log")]
            if not wrong and left:
                wrong.append("left: %s" % left)
            rounds += 1
    return done, rounds, wrong


KILLED = {
    "report --save": (kill_runs, LongReport),
    "gate --save": (kill_runs, LongGate),
    "gate --ledger": (kill_ledger, Ledger),
    "watch --follow": (kill_follow, Rotating),
}


def kill_all(options):
    rows, bad = [], 0
    for name, (run, scenario_type) in KILLED.items():
        if not re.search(options.only, name):
            continue
        done, rounds, wrong = run(scenario_type, options.program, options.kills, random.Random(options.seed))
        rows.append((name, done, rounds, len(wrong)))
        bad += len(wrong)
        for what in wrong:
            print("%s, killed: %s" % (name, what), flush=True)
    return rows, bad


def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n|---" + "|---:" * (len(head) - 1) + "|")
    for row in rows:
        print("| `%s` | %s |" % (row[0], " | ".join("{:,}".format(cell) for cell in row[1:])))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("source")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--kills", type=int)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.kills is None:
        options.kills = 100 if options.long else 4
    rows, bad = kill_all(options)
    table(["killed", "kills", "ended by themselves", "wrong"], rows)
    reason = strace_reason(options.program)
    if reason:
        print("the faults are skipped: %s" % reason)
        return 1 if bad else SKIPPED
    rows, wrong = sweep(options)
    table(["command", "faults", "as usual", "status 4, then resumed", "wrong"], rows)
    return 1 if bad or wrong else 0


sys.exit(main())
