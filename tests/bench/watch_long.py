#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A long watch. Its memory stays constant, a fair shuffle raises no alarm, and the watch reads at least 80% as fast as
the gate, with a window, too.

The memory is measured on `deal fisher-yates` at n = 3 through a pipe, for a hundredth of the permutations and for
all of them. The speed is measured on a recording, in processor time, as the best of three runs each.

Usage: watch_long.py SHUFFLEBIAS [PERMUTATIONS]
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
TOTAL = int(float(sys.argv[2])) if len(sys.argv) > 2 else 10 ** 9
READ = 5 * 10 ** 7


def run(arguments, stdin=None):
    """What is printed, kilobytes at most, seconds of the processor, exit status."""
    child = subprocess.Popen([PROGRAM, *arguments], stdin=stdin, stdout=subprocess.PIPE)
    printed = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    return printed.decode(), used.ru_maxrss, used.ru_utime + used.ru_stime, child.returncode


def flat(*more):
    """The peak of memory, in kilobytes, of a short and a long watch."""
    peaks = []
    for samples in (TOTAL // 100, TOTAL):
        with subprocess.Popen([PROGRAM, "deal", "fisher-yates", "--samples", str(samples), "--format", "u8"],
                              stdout=subprocess.PIPE) as deal:
            printed, peak, _, status = run(["watch", "-", "--input", "u8", "-n", "3", *more], deal.stdout)
            deal.stdout.close()
        assert status == 0 and printed.startswith("No alarm"), printed
        peaks.append(peak)
    print("%s: no alarm in %d permutations; memory at %d: %d kB, at %d: %d kB (%+.2f%%)"
          % (" ".join(("watch",) + more), TOTAL, TOTAL // 100, peaks[0], TOTAL, peaks[1], 100 * (peaks[1] / peaks[0] - 1)), flush=True)
    return abs(peaks[1] - peaks[0]) <= 0.01 * peaks[0]


def speed(n):
    """Permutations a second that the gate and the watch read, without and with a window."""
    rates = []
    with tempfile.NamedTemporaryFile(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as file:
        subprocess.run([PROGRAM, "deal", "fisher-yates", "-n", str(n), "--samples", str(READ), "--format", "u8"], stdout=file,
                       check=True)
        form = [file.name, "--input", "u8", "-n", str(n), "--format", "json"]
        for command in (["gate", "--exclude", "0.001", "--limit", str(READ)], ["watch"], ["watch", "--window"]):
            best = 0
            for _ in range(3):
                printed, _, seconds, _ = run(command + form)
                best = max(best, (json.loads(printed).get("total") or json.loads(printed)["gates"][0]["total"]) / seconds)
            rates.append(best)
    print("n = %d, u8: gate %.0f million a second, watch %.0f (%.0f%%), watch --window %.0f (%.0f%%)"
          % (n, rates[0] / 1e6, rates[1] / 1e6, 100 * rates[1] / rates[0], rates[2] / 1e6, 100 * rates[2] / rates[0]), flush=True)
    return rates[1] >= 0.8 * rates[0] and rates[2] >= 0.8 * rates[0]


well = [speed(n) for n in (3, 4, 5)] + [flat(), flat("--window")]
sys.exit(0 if all(well) else 1)
