#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether two builds of shufflebias give the same results for the command lines of commands.txt.

    compare.py 'PROGRAM' 'OTHER'    either may be several words, such as 'qemu-s390x-static -L ROOT PROGRAM'

Prints a line for each command that differs, then how many agree byte by byte and how many have doubles that agree to
1e-12. Exits with 1 if a command differs.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ANSWERS = (0, 1, 3)  # exit statuses of a command that has a result: shufflebias --help
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'house'))
from same_numbers import differences  # noqa: E402


def commands():
    """The kind and the command line of each line of commands.txt."""
    for line in (HERE / 'commands.txt').read_text().splitlines():
        if line and not line.startswith('#'):
            yield line.split(None, 1)


def run(program, command, folder):
    """Runs a command line in which `shufflebias` stands for the program. Returns its status, output and message."""
    tools = folder.parent / 'bin'
    tools.mkdir(exist_ok=True)
    (tools / 'shufflebias').write_text(f'#!/bin/sh\nexec {program} "$@"\n')
    (tools / 'shufflebias').chmod(0o755)
    done = subprocess.run(['sh', '-c', f'PATH={tools}:$PATH; {command}'], cwd=folder, capture_output=True, timeout=600,
                          stdin=subprocess.DEVNULL, env={**os.environ, 'LC_ALL': 'C.UTF-8'})
    return done.returncode, done.stdout, done.stderr


def run_all(programs, command):
    """Runs each part of the command line with a program of its own. Returns all results and the files left."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / 'work'
        folder.mkdir()
        results = [run(program, part, folder) for program, part in zip(programs, command.split(' ;; '))]
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return results, files


def file_differences(expected, found):
    """A line for each difference of two files, but not for the checksum of a file whose doubles agree."""
    if expected == found:
        return []
    try:
        contents = [json.loads(content) for content in (expected, found)]
    except ValueError:
        return ['a file that is no JSON differs']
    for content in contents:
        content.pop('checksum', None)
    return differences(*contents)


def agreement(kind, command, program, other):
    """'bytes', 'doubles', or a text that says how the results differ."""
    if kind == 'files':
        expected, files = run_all([program, program], command)
        if not files or any(status not in ANSWERS for status, _, _ in expected):
            return f'{expected}, which is no answer'
        exact = True
        for pair in ([program, other], [other, program], [other, other]):
            results, found = run_all(pair, command)
            if results != expected:
                return f'{results} and not {expected}'
            exact = exact and found == files
            lines = [line for file in files for line in file_differences(files[file], found[file])]
            if lines:
                return '; '.join(lines[:3])
        return 'bytes' if exact else 'doubles'
    [expected], _ = run_all([program], command)
    if expected[0] not in ANSWERS:
        return f'{expected}, which is no answer'
    [found], _ = run_all([other], command)
    if found == expected:
        return 'bytes'
    if kind == 'doubles' and (found[0], found[2]) == (expected[0], expected[2]):
        lines = list(differences(json.loads(expected[1]), json.loads(found[1])))
        return '; '.join(lines[:3]) if lines else 'doubles'
    return f'{found} and not {expected}'


def main(arguments):
    if len(arguments) != 2:
        sys.exit("usage: compare.py 'PROGRAM' 'OTHER'")
    counts = {'bytes': 0, 'doubles': 0}
    failed = 0
    for kind, command in commands():
        how = agreement(kind, command, *arguments)
        if how in counts:
            counts[how] += 1
        else:
            failed += 1
            print(f'{command}: {how[:600]}')
    print(f'{sum(counts.values()) + failed} commands: {counts["bytes"]} same bytes, {counts["doubles"]} doubles to 1e-12, '
          f'{failed} differ')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
