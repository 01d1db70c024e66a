#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Six attacks from outside, at full size: a campaign of about ten minutes. Prints a row of a Markdown table for each attack.

Usage: held.py SHUFFLEBIAS [ATTACK...]

A shorter form of each attack is among the tests of tests/cli: logs.py, match_limits.py, ci_formats.py, gate_ledger.py, watch.py and
large.py.
"""
import concurrent.futures
import gzip
import itertools
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

PROGRAM = os.path.abspath(sys.argv[1])
ORDERS = [b"%d %d %d\n" % order for order in itertools.permutations((1, 2, 3))]
PARTS = ["##vso[task.setvariable variable=p]", "::error file=x::", "\r\n::set-output name=p::", "<script>p()</script>", "\"><img onerror=p()>",
         "=cmd|' /C p'!A0", "@p", "\x1b]0;p\x07", "\x9b31m", "\u202ep", "\u200bp", "\U000e0041p", "`p`", "$(p)", "not ok 1 p", "\n# SKIP", "]]>", "&p;",
         "%0A::error::p"]
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
# Characters that control a terminal or hide, and the commands of GitHub (at the start of a line) and of Azure (anywhere).
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]|##(vso)?\\["
                 "|^\\s*::(?!(error|notice|group|endgroup|warning)[ :])", re.MULTILINE)


def run(*arguments, data=None, **more):
    """The exit status, what was printed, and the peak of memory in MB."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([PROGRAM, *arguments], stdin=data or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, **more)
        printed = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.stdout.close()
        errors.seek(0)
        return os.waitstatus_to_exitcode(status), printed + errors.read(), used.ru_maxrss / 1024


def long_lines(folder):
    """A line of 1 GB, as text, as a log to match and as JSON: refused with one line, in little memory."""
    path, peak = os.path.join(folder, "line"), 0
    with open(path, "wb") as file:
        for _ in range(1024):
            file.write(b"1" * 2 ** 20)
    for options in ([], ["--match", "deck: (.*) done"], ["--json-path", ".deck"], ["--field", "2"], ["-n", "52"]):
        for command in ("gate", "report"):
            status, printed, memory = run(command, path, *options)
            assert status == 4 and len(printed) < 3000, (command, options, status, printed[:300])
            peak = max(peak, memory)
    return f"10 runs refused, at most {peak:.0f} MB"


def bombs(folder):
    """10 GB of one line, and 1 GB of zeros and of blank lines, as gzip data."""
    peak = 0
    for name, piece in (("line", b"1" * 2 ** 20), ("zeros", b"\0" * 2 ** 20), ("blank", b"\n" * 2 ** 20)):
        path = os.path.join(folder, name + ".gz")
        with gzip.open(path, "wb", 1) as file:
            for _ in range(10240 if name == "line" else 1024):
                file.write(piece)
        for command in (["gate"], ["report"], ["merge", "-o", os.path.join(folder, "out")]):
            status, printed, memory = run(*command, path)
            assert status == 4 and len(printed) < 3000, (command, name, status, printed[:300])
            peak = max(peak, memory)
    return f"9 runs refused, at most {peak:.0f} MB"


def payload(dice):
    return "".join(dice.choices(PARTS, k=dice.randint(1, 4)))


def clean(kind, printed):
    """Checks that a format can be read, and has nothing raw of what came from outside."""
    checks = {"json": json.loads, "junit": xml.etree.ElementTree.fromstring, "svg": xml.etree.ElementTree.fromstring}
    text = printed.decode()
    checks.get(kind, str)(text)
    found = RAW.search(text)
    assert not found, (kind, found, text[max(0, found.start() - 60):found.end() + 60])
    assert kind not in ("html", "junit", "svg") or "<script>p" not in text, kind


def inject(folder):
    """12,400 texts with commands of CI services, HTML, control and direction characters, as names of a suite, titles and schemes."""
    dice, suite = random.Random(1), os.path.join(folder, "suite.json")
    environment = {**os.environ, "GITHUB_ACTIONS": "true"}
    kinds = ("json", "junit", "tap", "github", "text", "markdown", "html")
    tried = {"shown": 0, "refused": 0}
    for turn in range(62):
        texts = [payload(dice) for _ in range(200)]
        named = [text for text in texts if not CONTROL.search(text)]
        with open(suite, "w", encoding="utf-8") as file:
            json.dump([{"name": f"{i} {text}", "scheme": "fisher-yates", "limit": 400, "n": 3} for i, text in enumerate(named)], file)
        kind = kinds[turn % len(kinds)]
        status, printed, _ = run("gate", "--suite", suite, "--format", kind, "--quiet", env=environment)
        assert status in (0, 1, 3), (kind, status, printed[:300])
        clean(kind, printed)
        status, printed, _ = run("report", "naive", "--title", named[0], "--figure", "bars", "--format", "svg", "--samples", "1000", "--quiet",
                                 env=environment)
        assert status == 0, printed[:300]
        clean("svg", printed)
        for text in texts:
            if CONTROL.search(text):
                status, printed, _ = run("gate", text, env=environment)
                assert status == 2 and printed.count(b"\n") == 1, (text, status, printed)
                clean("text", printed)
        tried["shown"] += len(named)
        tried["refused"] += len(texts) - len(named)
    return f"{tried['shown']:,} shown in {len(kinds) + 1} formats and {tried['refused']:,} refused, none raw"


def ledgers(folder):
    """200 gates at once share a ledger."""
    path = os.path.join(folder, "ledger.json")
    with concurrent.futures.ThreadPoolExecutor(200) as pool:
        ended = list(pool.map(lambda k: run("gate", "naive", "--seed", str(k), "--limit", "300", "--ledger", path)[0], range(200)))
    assert set(ended) <= {0, 1, 3}, ended
    with open(path, encoding="ascii") as file:
        ledger = json.load(file)
    assert ledger["runs"] == ledger["shares"] == 200, ledger
    return "200 runs, 200 shares"


def rotate(log, newest_first, k):
    """Renames the log to log.1, after each log.i to log.i+1; or to log.k."""
    for i in range(k, 0, -1) if newest_first else ():
        os.rename(f"{log}.{i}", f"{log}.{i + 1}")
    os.rename(log, f"{log}.1" if newest_first else f"{log}.{k + 1}")
    open(log, "wb").close()


def rotations(folder):
    """948,000 decks through logs that are rotated 316 times while a watch follows each; numbers fall or rise."""
    logs = [os.path.join(folder, "falls"), os.path.join(folder, "rises")]
    dice, watches = random.Random(2), []
    for log in logs:
        open(log, "wb").close()
        watches.append(subprocess.Popen([PROGRAM, "watch", "--follow", log, "-n", "3", "--save", log + "-saved", "--checkpoint", "1"],
                                        stdout=subprocess.DEVNULL))
    for k in range(316):
        for log in logs:
            with open(log, "ab", 0) as file:
                for _ in range(3):
                    file.write(b"".join(dice.choices(ORDERS, k=1000)))
        time.sleep(0.35)
        rotate(logs[0], True, k)
        rotate(logs[1], False, k)
        time.sleep(0.35)
    time.sleep(3)
    totals = []
    for log, watch in zip(logs, watches):
        watch.send_signal(signal.SIGINT)
        watch.wait(20)
        with open(log + "-saved", encoding="ascii") as file:
            totals.append(json.load(file)["total"])
    assert totals == [948000, 948000], totals
    return f"{totals[0]:,} and {totals[1]:,} decks counted"


def leaks(_):
    """10^8 decks of 52 through a gate, and the peak of memory beside that of 2 * 10^7, when the hashes of 2^24 decks are kept."""
    peaks = []
    for samples in ("2e7", "1e8"):
        with subprocess.Popen([PROGRAM, "deal", "fisher-yates", "-n", "52", "--samples", samples, "--format", "u8"], stdout=subprocess.PIPE) as dealt:
            status, printed, memory = run("gate", "-", "--input", "u8", "-n", "52", "--limit", samples, "--exclude", "0.00001", data=dealt.stdout)
            assert status in (0, 3), (status, printed[-300:])
            peaks.append(memory)
    assert peaks[1] < peaks[0] + 10, peaks
    return f"{peaks[0]:.0f} MB after 2 * 10^7 decks, {peaks[1]:.0f} MB after 10^8"


ATTACKS = {"lines": long_lines, "gzip": bombs, "texts": inject, "ledgers": ledgers, "rotations": rotations, "leaks": leaks}

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in sys.argv[2:] or ATTACKS:
        with tempfile.TemporaryDirectory() as place:
            begun = time.time()
            print(f"| {name} | {ATTACKS[name].__doc__} | {ATTACKS[name](place)} | {time.time() - begun:.0f} s |", flush=True)
