#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of pages as arrays in C: texts.py OUTPUT FILE.md...

A line "@NAME" begins a part of a page; "@NAME TEXT" is a part of one line, which may be wrapped. A line "@ ..." is a
comment, and so is the text above the first part. A line that ends in a backslash continues in the next one, and an item of a
list in lines with two blanks before them.
"""
import pathlib
import re
import sys

PART = re.compile(r'^@(\w+)(.*)\n((?:(?!@\w).*\n)*)', re.M)

output, *files = map(pathlib.Path, sys.argv[1:])
arrays, parts = [], []
for path in files:
    page = re.sub(r'^@ .*\n', '', path.read_text(encoding='utf-8'), flags=re.M)
    page = ''.join(piece if i % 2 else re.sub(r'\n  (?=\S)', ' ', piece)  # not in blocks of code
                   for i, piece in enumerate(re.split('(\n```.*?\n```\n)', page.replace('\\\n', ''), flags=re.S)))
    for name, first, rest in PART.findall(page):
        text = ' '.join((first + ' ' + rest).split()) if first else rest.strip('\n')
        parts.append('    { "%s", "%s", text_%d },' % (path.stem, name, len(arrays)))
        arrays.append('static const char text_%d[] = { %s };' % (
            len(arrays), ', '.join(str(byte if byte < 128 else byte - 256) for byte in [*text.encode(), 0])))
output.write_text('\n'.join([
    '/* Made by Meson from data/pages and data/lessons. */', '#include "report/page.h"', *arrays,
    'const struct sb_template_part sb_template_parts[] = {', *parts, '};',
    'const size_t sb_template_parts_count = sizeof sb_template_parts / sizeof sb_template_parts[0];', '']))
