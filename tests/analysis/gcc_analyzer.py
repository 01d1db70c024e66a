#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what `gcc -fanalyzer` finds in src with the findings in gcc_analyzer.txt, which are known to be false.

    gcc_analyzer.py SOURCE_ROOT BUILD_ROOT

A finding that is not in the file, and an entry that gcc does not find, are errors. The macros and the include folders
are those of BUILD_ROOT/compile_commands.json. The findings are those of gcc 12, Debian bookworm's; another version
finds other things. Exit status 77 without gcc 12.
"""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys

import known

KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'gcc_analyzer.txt')
# With -O1 the analyzer takes less time than with -O0, and finds the same kinds of things.
FLAGS = ['-std=c17', '-O1', '-fanalyzer', '-fdiagnostics-format=json', '-S', '-o', os.devnull]
PREFIX = '-Wanalyzer-'


def find_gcc():
    for name in ('gcc-12', 'gcc'):
        gcc = shutil.which(name)
        if gcc and subprocess.run([gcc, '-dumpversion'], capture_output=True, text=True, check=True).stdout.startswith('12'):
            return gcc
    print('skipped: there is no gcc 12')
    sys.exit(77)


def files_to_analyze(source, build):
    """Each C file of src, once, and the compiler's arguments that name macros and folders."""
    files = {}
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as commands:
        for one in json.load(commands):
            path = os.path.normpath(os.path.join(build, one['file']))
            words = shlex.split(one['command'])
            second = '-include' in words or any(word.startswith('-mavx') for word in words) # the same code once more
            if path.startswith(os.path.join(source, 'src') + os.sep) and path.endswith('.c') and not second:
                files.setdefault(path, [word for word in words if word.startswith(('-I', '-D'))])
    return files


def analyze(gcc, source, build, path, arguments):
    """The findings in a file: (warning, file, function) -> lines and messages."""
    done = subprocess.run([gcc, *FLAGS, *arguments, path], cwd=build, capture_output=True, text=True, check=False)
    found = {}
    for line in done.stderr.splitlines():
        if not line.startswith('['):
            return {('error', os.path.relpath(path, source), '-'): [done.stderr]}
        for one in json.loads(line):
            # What gcc says of a whole file has no place.
            place = one['locations'][0]['caret'] if one['locations'] else {'file': path, 'line': 1}
            file = os.path.relpath(os.path.join(build, place['file']), source)
            warning = one.get('option', one['kind']).removeprefix(PREFIX)
            function = known.function_at(os.path.join(source, file), place['line'])
            found.setdefault((warning, file, function), []).append(f"line {place['line']}: {one['message']}")
    return found


def main():
    source, build = (os.path.abspath(path) for path in sys.argv[1:3])
    gcc = find_gcc()
    files = sorted(files_to_analyze(source, build).items())
    found = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for one in pool.map(lambda item: analyze(gcc, source, build, *item), files):
            for key, messages in one.items():
                found.setdefault(key, []).extend(messages)
    print(f'gcc -fanalyzer read {len(files)} files')
    return known.compare(found, KNOWN) if files else 1


if __name__ == '__main__':
    sys.exit(main())
