# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests/coverage/run.sh counted: lines.info, branches.json and decided.txt, all of llvm-cov, in FOLDER.

    table.py FOLDER                        one row per folder of src/; exit status 1 if one is below its goal
    table.py FOLDER --uncovered NAME...    the uncovered lines and branches of these folders of src/

Code that is compiled several times (inline functions of a header, the versions for several instruction sets) is
covered where one of its versions is.
"""
import collections
import json
import os
import re
import sys

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', '..', 'src')) + os.sep
GOALS = {folder: (98, 90) for folder in ('fit', 'gate', 'store', 'subject', 'statistic')}  # per cent of lines, branches


def file_of(path):
    """The name below src/, or None if the file is elsewhere."""
    path = os.path.realpath(path)
    return path[len(SOURCE):] if path.startswith(SOURCE) else None


def read_lines(path):
    """{file: {line: executions}}"""
    lines = collections.defaultdict(collections.Counter)
    file = None
    for record in open(path, encoding='utf-8'):
        key, _, value = record.strip().partition(':')
        if key == 'SF':
            file = file_of(value)
        elif key == 'DA' and file:
            line, count = value.split(',')[:2]
            lines[file][int(line)] += int(count)
    return lines


def read_decided(path):
    """{(file, line, column)} of the conditions that the compiler decided: they have no branches."""
    decided = set()
    for line in open(path, encoding='utf-8'):
        place = re.search(r'Branch \((\d+):(\d+)\)', line)
        if place:
            decided.add((file, int(place.group(1)), int(place.group(2))))
        else:
            file = file_of(line.strip().rstrip(':'))
    return decided


def read_branches(path, decided):
    """{file: {(line, column): [taken as true, taken as false]}}"""
    branches = collections.defaultdict(dict)
    for data in json.load(open(path, encoding='utf-8'))['data']:
        for entry in data['files']:
            file = file_of(entry['filename'])
            for line, column, _, _, true, false, *_ in entry.get('branches', []) if file else []:
                if (file, line, column) in decided and true == false == 0:
                    continue
                counts = branches[file].setdefault((line, column), [0, 0])
                counts[0] += true
                counts[1] += false
    return branches


def table(lines, branches):
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for file in lines:
        row = rows[file.split(os.sep)[0] if os.sep in file else '.']
        row[0] += sum(count > 0 for count in lines[file].values())
        row[1] += len(lines[file])
        sides = [count for pair in branches[file].values() for count in pair]
        row[2] += sum(count > 0 for count in sides)
        row[3] += len(sides)
    print('| folder | lines | of | % | branches | of | % |')
    print('|---|---:|---:|---:|---:|---:|---:|')
    below = []
    for folder, row in sorted(rows.items()):
        shares = [100 * row[i] / row[i + 1] if row[i + 1] else 100 for i in (0, 2)]
        cells = ['{:,} | {:,} | {:.1f}'.format(row[2 * i], row[2 * i + 1], shares[i]) for i in (0, 1)]
        print('| `{}` | {} |'.format(folder, ' | '.join(cells)))
        if any(share < goal for share, goal in zip(shares, GOALS.get(folder, (0, 0)))):
            below.append(folder)
    for folder in below:
        print('src/{}: below {}% of lines or {}% of branches'.format(folder, *GOALS[folder]))
    return 1 if below else 0


def uncovered(lines, branches, folders):
    for file in sorted(lines):
        if file.split(os.sep)[0] not in folders:
            continue
        source = open(SOURCE + file, encoding='utf-8').read().split('\n')
        missing = {line: ['not run'] for line, count in lines[file].items() if count == 0}
        for (line, column), (true, false) in sorted(branches[file].items()):
            sides = [name for name, count in (('true', true), ('false', false)) if count == 0]
            if sides and missing.get(line) != ['not run']:
                missing.setdefault(line, []).append('column {} never {}'.format(column, ' or '.join(sides)))
        for line in sorted(missing):
            print('src/{}:{}: {}\n    {}'.format(file, line, '; '.join(missing[line]), source[line - 1].strip()))


def main():
    folder, *options = sys.argv[1:]
    lines = read_lines(os.path.join(folder, 'lines.info'))
    decided = read_decided(os.path.join(folder, 'decided.txt'))
    branches = read_branches(os.path.join(folder, 'branches.json'), decided)
    if options[:1] == ['--uncovered']:
        uncovered(lines, branches, options[1:])
        return 0
    return table(lines, branches)


sys.exit(main())
