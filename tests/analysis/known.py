# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings of a static analysis that are known to be false, each with a reason.

A file of known findings has groups. A group is its reason, in lines that begin with #, and then a line for each
finding: the kind, the file, the function. An empty line ends a group.
"""
import os
import re

DEFINITION = re.compile(r'^[A-Za-z_].*?\b(\w+)\(')


def function_at(path, line):
    """The function of the file in which a line is. In this project's layout only definitions begin in column 0."""
    with open(path, encoding='utf-8') as file:
        before = file.read().splitlines()[:line]
    for text in reversed(before):
        match = DEFINITION.match(text)
        if match and not text.endswith(';') and match[1] != '__attribute__':
            return match[1]
    return '-'


def read(path):
    """The findings in a file, and those that have no reason."""
    entries, bare, reason = set(), [], False
    with open(path, encoding='utf-8') as file:
        for line in file:
            if line.startswith('#'):
                reason = True
            elif not line.strip():
                reason = False
            else:
                entries.add(tuple(line.split()))
                if not reason:
                    bare.append(line.strip())
    return entries, bare


def compare(found, path):
    """Prints how `found`, (kind, file, function) -> messages, differs from the file; returns the exit status."""
    entries, bare = read(path)
    name = os.path.basename(path)
    for key in sorted(set(found) - entries):
        print(f'not in {name}:', *key)
        print(*('    ' + message for message in sorted(set(found[key]))), sep='\n')
    for key in sorted(entries - set(found)):
        print(f'no longer found, so remove it from {name}:', *key)
    for line in bare:
        print(f'has no reason in {name}:', line)
    print(f'{name}: {len(entries & set(found))} known findings, {len(set(found) - entries)} new')
    return 1 if set(found) != entries or bare else 0
