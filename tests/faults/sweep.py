#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures of the system, one at a time. After each failure, the program must give the right result, or exit status 4
with one line that names what was missing. It must free every block of memory that it allocated itself.

Usage: sweep.py SHUFFLEBIAS SOURCE FAULT_LIBRARY [--full] [--only NAME] [--table]

Each command is run once to count its calls (allocations, threads, processes, reads, writes) and the places that make
them. Then it is run again for each place that no earlier command has tried: in one run the first call of the place
fails once, and in another run that call and all later ones fail. --full tries the first and the last call of each
place in each command. --table prints a table of the outcomes in Markdown.
"""
import argparse
import collections
import concurrent.futures
import errno
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

EXPORTS = {"json": "json", "csv": "csv", "html": "html", "svg": "svg", "junit": "xml", "tap": "tap", "markdown": "md"}
ERRORS = {"allocate": errno.ENOMEM, "thread": errno.EAGAIN, "spawn": errno.EAGAIN, "read": errno.EIO, "write": errno.ENOSPC}
NAMED = re.compile(r"memory|Resource temporarily|Input/output error|No space left|cannot start|process|thread", re.IGNORECASE)
SPACES = ((24, 30, 40, 128), (20, 22, 24, 26, 28, 29.3, 30, 32, 36, 40, 48, 64, 128))  # MiB; 29.3 is ulimit -v 30000
NOBODY = 65534
DEPTH = ("2", "7")  # callers that tell a place from others: in short, and in full
SLOW = {"lesson": (6, 100), "report-closed": (30, 300)}  # commands that take seconds: places tried in short, and in full
QUIET = ["--quiet"]
ONE = ["--quiet", "--threads", "1"]


def cases(source):
    """Arguments, standard input and the inputs that the command may change, by name."""
    prove = [sys.executable, os.path.join(source, "data/adapters/prove.py"), "3"]
    listed = {
        "report": (["report", "naive", "-n", "4", "--samples", "1e4", *ONE], None, []),
        "report-threads": (["report", "naive", "-n", "4", "--samples", "1e6", *QUIET, "--threads", "2"], None, []),
        "report-52": (["report", "naive", "-n", "52", "--samples", "1e4", *ONE], None, []),
        "report-closed": (["report", "riffle", "fisher-yates/modulo:15", "-n", "52", "--samples", "1e3", *ONE], None, []),
        "report-all": (["report", "--samples", "1e3", *ONE], None, []),
        "report-convolve": (["report", "naive", "--by", "exact", "-n", "9", *ONE], None, []),
        "report-wide": (["report", "naive/modulo:31", "redraw/modulo:31", "--by", "exact", "-n", "6", *ONE], None, []),
        "report-matrix": (["report", "naive", "overhand", "--by", "exact", "-n", "24", *ONE], None, []),
        "report-seeds": (["report", "fisher-yates/modulo/msvc-rand", "-n", "5", "--by", "seeds", "--seeds", "0..999", *ONE],
                         None, []),
        "report-save": (["report", "naive", "-n", "4", "--samples", "1e4", "--save", "new.json", *ONE], None, []),
        "report-resume": (["report", "--save", "part1.json", *ONE], None, ["part1.json"]),
        "report-saved": (["report", "part1.json", *QUIET], None, ["part1.json"]),
        "report-recorded": (["report", "--matrix", "matrix.csv", *QUIET], None, ["matrix.csv"]),
        "report-stream": (["report", "-", "--increments", *QUIET], "decks.txt", []),
        "gate": (["gate", "naive", *QUIET], None, []),
        "gate-52": (["gate", "fisher-yates", "-n", "52", "--limit", "300", *QUIET], None, []),
        "gate-stream": (["gate", "-", *QUIET], "decks.txt", []),
        "gate-binary": (["gate", "decks.u8", "--input", "u8", "-n", "4", *QUIET], None, ["decks.u8"]),
        "gate-cards": (["gate", "cards.txt", "--cards", "A K Q J", *QUIET], None, ["cards.txt"]),
        "gate-equal": (["gate", "equal.txt", "--cards", "A A K K", *QUIET], None, ["equal.txt"]),
        "gate-json": (["gate", "decks.jsonl", "--json-path", ".deck", *QUIET], None, ["decks.jsonl"]),
        "gate-match": (["gate", "decks.jsonl", "--match", "deck.: .(.*).", *QUIET], None, ["decks.jsonl"]),
        "gate-command": (["gate", *QUIET, "--", "cat", "decks.txt"], None, ["decks.txt"]),
        "gate-save": (["gate", "naive", "-n", "3", "--save", "new.json", *QUIET], None, []),
        "gate-saved": (["gate", "gate.json", *QUIET], None, ["gate.json"]),
        "gate-resume": (["gate", "--save", "gate.json", *QUIET], None, ["gate.json"]),
        "gate-report": (["gate", "part1.json", *QUIET], None, ["part1.json"]),
        "gate-ledger": (["gate", "naive", "--seed", "7", "--ledger", "ledger.json", "--save", "run.json", *QUIET], None,
                        ["ledger.json"]),
        "gate-suite": (["gate", "--suite", "suite.json", "--jobs", "4", *QUIET], None, ["suite.json", "decks.txt"]),
        "gate-github": (["gate", "naive", "--github", *QUIET], None, []),
        "watch": (["watch", "decks.txt", "--save", "new.json", "--metrics", "new.prom"], None, ["decks.txt"]),
        "watch-window": (["watch", "decks.txt", "--save", "watch.json", "--window"], None, ["decks.txt", "watch.json"]),
        "watch-alarm": (["watch", "decks.txt", "--on-alarm", "cat >alarm"], None, ["decks.txt"]),
        "prove": (["prove", "-n", "3", *QUIET, "--", *prove], None, []),
        "merge": (["merge", "part1.json", "part2.json", "-o", "all.json"], None, ["part1.json", "part2.json"]),
        "explain": (["explain", "naive"], None, []),
        "explain-step": (["explain", "fisher-yates/modulo:15", "-n", "4", "--step"], None, []),
        "explain-52": (["explain", "fisher-yates/modulo:15", "-n", "52", "--format", "json"], None, []),
        "odds": (["odds", "naive", "123", "132"], None, []),
        "odds-tree": (["odds", "redraw/modulo:31", "2143", "--format", "json"], None, []),
        "odds-20": (["odds", "fisher-yates/modulo:15", "2.1.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20"], None, []),
        "plan": (["plan", "naive"], None, []),
        "plan-52": (["plan", "fisher-yates/modulo:15", "-n", "52"], None, []),
        "zoo": (["zoo", "-n", "3", "--samples", "300", "--seeds", "1", *ONE], None, []),
        "law": (["law", "inversions", "-n", "20"], None, []),
        "law-longest": (["law", "longest-increasing", "-n", "12"], None, []),
        "deal": (["deal", "naive", "-n", "5", "--samples", "100"], None, []),
        "bench": (["bench", "fisher-yates", "--decks", "100", *QUIET], None, []),
        "list": (["list"], None, []),
        "help": (["gate", "--help"], None, []),
        "lesson": (["lesson", "course", "--threads", "1"], None, []),
    }
    for name, end in EXPORTS.items():
        export = ["--export", f"{name}:x.{end}"]
        listed["report-" + name] = (["report", "naive", "-n", "3", "--samples", "1e3", *export, *ONE], None, [])
        if name != "csv":
            listed["gate-" + name] = (["gate", "naive", "-n", "3", *export, *QUIET], None, [])
    return listed


class Run:
    """What a run left behind."""

    def __init__(self, status, out, err, files, left):
        self.status, self.out, self.err, self.files, self.left = status, out, err, files, left


class Sweep:
    def __init__(self, program, source, library, inputs):
        self.program, self.library, self.inputs = program, library, inputs
        self.cases = cases(source)

    def make_inputs(self):
        def make(*arguments, out=None):
            done = subprocess.run([self.program, *arguments], cwd=self.inputs, capture_output=True, timeout=60, check=False)
            assert done.returncode in (0, 1, 3), done.stderr
            if out:
                with open(os.path.join(self.inputs, out), "wb") as file:
                    file.write(done.stdout)

        make("deal", "naive", "-n", "4", "--samples", "3000", out="decks.txt")
        make("deal", "naive", "-n", "4", "--samples", "3000", "--format", "u8", out="decks.u8")
        with open(os.path.join(self.inputs, "decks.txt"), encoding="ascii") as decks:
            text = decks.read()
        listed = "".join(f'{{"deck": [{", ".join(line.split())}]}}\n' for line in text.splitlines())
        for name, content in {"cards.txt": text.translate(str.maketrans("0123", "AKQJ")), "decks.jsonl": listed,
                              "equal.txt": text.translate(str.maketrans("0123", "AAKK"))}.items():
            with open(os.path.join(self.inputs, name), "w", encoding="ascii") as file:
                file.write(content)
        for part in "12":
            make("report", "naive", "-n", "4", "--samples", "2e5", "--shard", part + "/2", "--save", f"part{part}.json")
        make("gate", "naive", "-n", "4", "--limit", "100", "--save", "gate.json")
        make("gate", "naive", "--limit", "1000", "--ledger", "ledger.json")
        make("watch", "decks.txt", "--save", "watch.json", "--window", "--limit", "2000")
        with open(os.path.join(self.inputs, "matrix.csv"), "w", encoding="ascii") as file:
            file.write("100,110,90\n95,105,100\n105,85,110\n")
        with open(os.path.join(self.inputs, "suite.json"), "w", encoding="ascii") as file:
            file.write('[{"name": "naive", "scheme": "naive", "n": 3}, {"name": "file", "file": "decks.txt"},'
                       '{"name": "command", "command": ["cat", "decks.txt"]}]')

    def run(self, name, environment, limits=None):
        arguments, stdin, files = self.cases[name]
        with tempfile.TemporaryDirectory(prefix="fault") as folder:
            for file in files:
                shutil.copy(os.path.join(self.inputs, file), folder)
            if limits and limits.get("user"):
                for path in [folder, *(os.path.join(folder, file) for file in files)]:
                    os.chown(path, limits["user"], -1)
            notes = tempfile.mkdtemp(prefix="fault")
            env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "GITHUB_STEP_SUMMARY": os.path.join(folder, "summary.md"),
                   "FAULT_LEFT": os.path.join(notes, "left"), "FAULT_FIRED": os.path.join(notes, "fired"),
                   "FAULT_SITES": os.path.join(notes, "sites") if environment.get("FAULT_AT") == "0" else "/dev/null",
                   **environment}
            if environment:
                env.update(LD_PRELOAD=self.library, FAULT_PROGRAM="shufflebias")
            with open(os.path.join(self.inputs, stdin) if stdin else os.devnull, "rb") as text:
                try:
                    done = subprocess.run(["setarch", "-R", self.program, *arguments], cwd=folder, stdin=text, env=env,
                                          capture_output=True, timeout=60, check=False, **(limits or {}))
                    status, out, err = done.returncode, done.stdout, done.stderr.decode(errors="replace")
                except subprocess.TimeoutExpired:
                    status, out, err = "hangs", b"", ""
            made = {}
            for root, _, names in os.walk(folder):
                for file in names:
                    path = os.path.join(root, file)
                    with open(path, "rb") as data:
                        made[os.path.relpath(path, folder)] = data.read()
            result = Run(status, out, err, made, self.note(notes, "left"))
            result.sites = (self.note(notes, "sites") or "").split()
            result.fired = os.path.exists(os.path.join(notes, "fired"))
            shutil.rmtree(notes)
        return result

    @staticmethod
    def note(folder, name):
        try:
            with open(os.path.join(folder, name), encoding="ascii") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def outcome(self, name, usual, run):
        """In a word; a fault is in capitals."""
        lines = [line for line in run.err.splitlines() if line.strip() and not line.startswith("::")]  # --github's are results
        if run.status == "hangs" or run.status < 0 or run.status > 130:
            return "SIGNAL" if run.status != "hangs" else "HANGS"
        if run.left is not None and usual.left is not None and int(run.left) > int(usual.left):
            return "LEAK"
        if run.status == 4 and name == "gate-suite" and not lines:  # a subject that broke is one of the findings
            lines = [line for line in run.out.decode().splitlines() if NAMED.search(line)][:1]
        if run.status == 4:
            return "4" if len(lines) == 1 and NAMED.search(lines[0]) else "FOUR WITHOUT ITS LINE"
        if run.status != usual.status:
            return f"STATUS {run.status}"
        if name == "bench":  # times
            return "right"
        alike = run.files.keys() == usual.files.keys() and all(
            file.endswith((".json", ".prom")) or run.files[file] == usual.files[file] for file in usual.files)
        return "right" if run.out == usual.out and alike else "OTHER RESULT"


def told(where, word, run):
    line = f"{where}: {word}: status {run.status}: {run.err[-300:]!r}"
    print(line, flush=True)
    return line


def tries(name, sites, seen, full):
    """(call, whether all from there on) of the places where it is to fail."""
    first, last = {}, {}
    for call, site in enumerate(sites, 1):
        first.setdefault(site, call)
        last[site] = call
    new = [site for site in first if full or site not in seen]
    seen.update(new)
    once = {first[site] for site in new} | ({last[site] for site in new} if full else set())
    found = sorted([(call, False) for call in once] + [(first[site], True) for site in new])
    most = SLOW.get(name, (len(found), len(found)))[full]
    return sorted(random.Random(1).sample(found, min(most, len(found))))


def sweep_calls(sweep, names, what, full, pool):
    """Outcomes by name, and the faults in words."""
    seen, tally, faults = set(), collections.defaultdict(collections.Counter), []
    number = str(int(ERRORS[what]))
    bases = dict(zip(names, pool.map(
        lambda name: sweep.run(name, {"FAULT_WHAT": what, "FAULT_AT": "0", "FAULT_DEPTH": DEPTH[full]}), names)))
    work = [(name, call, on) for name in names for call, on in tries(name, bases[name].sites, seen, full)]

    def attempt(one):
        name, call, on = one
        return sweep.run(name, {"FAULT_WHAT": what, "FAULT_AT": str(call), "FAULT_ERRNO": number,
                                **({"FAULT_ALL": "1"} if on else {})})

    for (name, call, on), run in zip(work, pool.map(attempt, work)):
        if not run.fired:
            continue
        word = sweep.outcome(name, bases[name], run)
        tally[name][word] += 1
        if word.isupper() or word.startswith("STATUS"):
            faults.append(told(f"{name}: {what} {call}{' and on' if on else ''}", word, run))
    return tally, faults


def sweep_limits(sweep, names, full, pool):
    """The same under limits of the system: of address space, and in full of processes where that can be tried."""
    tally, faults = collections.defaultdict(collections.Counter), []
    usual = dict(zip(names, pool.map(lambda name: sweep.run(name, {}), names)))

    def limited(kind, value):
        return {"preexec_fn": lambda: resource.setrlimit(kind, (value, value))}

    work = [(name, f"{mib} MiB", limited(resource.RLIMIT_AS, int(mib * 1048576))) for name in names for mib in SPACES[full]]
    if os.geteuid() == 0 and full:  # root has no limit of processes
        work += [(name, f"{most} processes", {**limited(resource.RLIMIT_NPROC, most), "user": NOBODY})
                 for name in names for most in (1, 2, 3)]
    for (name, what, _), run in zip(work, pool.map(lambda one: sweep.run(one[0], {}, one[2]), work)):
        if run.status == 127:
            continue  # the system could not even load the program
        word = sweep.outcome(name, usual[name], run)
        tally[name][word] += 1
        if word.isupper() or word.startswith("STATUS"):
            faults.append(told(f"{name}: {what}", word, run))
    return tally, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("source")
    parser.add_argument("library")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--what", default="allocate,thread,spawn,read,write,limits")
    typed = parser.parse_args()
    total, faults = collections.defaultdict(collections.Counter), []
    with tempfile.TemporaryDirectory(prefix="fault") as inputs, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sweep = Sweep(os.path.abspath(typed.program), os.path.abspath(typed.source), os.path.abspath(typed.library), inputs)
        sweep.make_inputs()
        names = [name for name in sweep.cases if re.search(typed.only, name)]
        for what in typed.what.split(","):
            tally, found = sweep_limits(sweep, names, typed.full, pool) if what == "limits" else \
                sweep_calls(sweep, names, what, typed.full, pool)
            if not tally and not typed.only:
                faults.append(told(f"all commands: {what}", "NO CALL FAILED", Run("none", b"", "is the library loaded?", {}, None)))
            for count in tally.values():
                total[what].update(count)
            faults += found
    if typed.table:
        print("| what fails | runs | right result | status 4 | anything else |\n|---|---|---|---|---|")
        for what, count in total.items():
            print(f"| {what} | {sum(count.values())} | {count['right']} | {count['4']} | "
                  f"{sum(count.values()) - count['right'] - count['4']} |")
    else:
        for what, count in total.items():
            print(what, dict(count))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
