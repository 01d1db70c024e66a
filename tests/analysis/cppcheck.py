#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what cppcheck finds in src with the findings in cppcheck.txt, which are known to be false.

    cppcheck.py SOURCE_ROOT

A finding that is not in the file, and an entry that cppcheck does not find, are errors. The findings are those of
cppcheck 2.10, Debian bookworm's. Exit status 77 without that version.
"""
import os
import re
import shutil
import subprocess
import sys

import known

KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'cppcheck.txt')
# What is analysed is this processor's code: other macros than these are not set.
FLAGS = ['--quiet', '--std=c11', '--enable=warning,performance,portability', '--template={file}\t{line}\t{id}\t{message}',
         '-Isrc', '-D_POSIX_C_SOURCE=200809L', '-DSB_VERSION="0"', '-DSB_BUGS=""', '-D__x86_64__', '-D__GNUC__=12']


def main():
    source = os.path.abspath(sys.argv[1])
    cppcheck = shutil.which('cppcheck')
    version = subprocess.run([cppcheck, '--version'], capture_output=True, text=True, check=True).stdout if cppcheck else ''
    if not version.startswith('Cppcheck 2.10'):
        print('skipped: there is no cppcheck 2.10')
        return 77
    done = subprocess.run([cppcheck, *FLAGS, f'-j{os.cpu_count()}', 'src'], cwd=source, capture_output=True, text=True,
                          check=True)
    found = {}
    for line in done.stderr.splitlines():
        match = re.fullmatch(r'(src/.*?)\t(\d+)\t(\w+)\t(.*)', line)
        if match:
            file, number, kind, message = match.groups()
            key = (kind, file, known.function_at(os.path.join(source, file), int(number)))
        else:
            key, number, message = ('error', '-', '-'), '-', line
        found.setdefault(key, []).append(f'line {number}: {message}')
    return known.compare(found, KNOWN)


if __name__ == '__main__':
    sys.exit(main())
