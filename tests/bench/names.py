#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The names that `gate` gives to the biased shuffles that it fails: a table in Markdown.

    names.py PROGRAM [-n N] [--seeds S] [--limit L] [--least SHARE] [SCHEME...]

Runs `PROGRAM gate SCHEME -n N` with seeds 1..S. Counts how many runs fail; how many failures have the right name, or
one that is stated to have the same law; how many of these also have the right form; how many are stated as a fact; how many
list it beside another name; and the wrong names, with those that are stated as a fact. Without schemes: each biased shuffle of `list`. The exit status is 1 if a share of some shuffle's
failures below SHARE has the right name, alone or in a list.
"""
import argparse
import collections
import json
import statistics
import subprocess
import sys

BIASED = """naive naive-backward transpositions sattolo fisher-yates-stops-early fisher-yates-full-range naive-no-self
planet-poker rotate riffle:7 overhand:5 cut sort-insertion sort-binary-insertion sort-timsort sort-merge sort-quick
sort-heap sort-selection sort-bubble insertion fisher-yates-starts-late forward-stops-early
fisher-yates/round""".split()


def gate(program, scheme, n, seed, limit):
    """The findings on one scheme."""
    command = [program, 'gate', scheme, '-n', str(n), '--seed', str(seed), '--format', 'json']
    command += ['--limit', str(limit)] if limit else []
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3):
        sys.exit(run.stderr)
    return json.loads(run.stdout)['gates'][0]


def row(program, scheme, options):
    """Prints the line of a scheme; returns the share of failures with the right name."""
    failed, right, plain, sure, second, positions, totals, others = 0, 0, 0, 0, 0, 0, [], collections.Counter()
    for seed in range(1, options.seeds + 1):
        found = gate(program, scheme, options.n, seed, options.limit)
        if found['verdict'] != 'fail':
            continue
        failed += 1
        totals.append(found['total'])
        looks = found['looks_like']
        if looks and scheme in [looks['scheme'], *looks['equivalent']]:
            right += 1
            plain += scheme in looks['equivalent'] or looks['form'] == 'plain'
            positions += looks['by'] == 'positions'
            sure += looks['sure']
        elif looks and scheme in [name.split(',')[0] for name in looks['others']]:
            second += 1
        else:
            others[looks['scheme'] + ' as a fact' * looks['sure'] if looks else 'none'] += 1
    wrong = ', '.join(f'`{name}` {count}' if name != 'none' else f'no name {count}'
                      for name, count in others.most_common(3)) or '–'
    median = f'{statistics.median(totals):,.0f}' if totals else '–'
    by = '–' if not right else 'positions' if positions == right else 'law' if positions == 0 else 'both'
    print(f'| `{scheme}` | {failed} | {median} | {right} | {plain} | {by} | {sure} | {second} | {wrong} |', flush=True)
    return (right + second) / failed if failed else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('program')
    parser.add_argument('schemes', nargs='*', default=BIASED)
    parser.add_argument('-n', type=int, default=4)
    parser.add_argument('--seeds', type=int, default=100)
    parser.add_argument('--limit', type=int)
    parser.add_argument('--least', type=float, default=0)
    options = parser.parse_args()
    print('| shuffle | failures | permutations, median | right name | right form | by | as a fact | in a list | wrong names |')
    print('|---|---|---|---|---|---|---|---|---|')
    return min([row(options.program, scheme, options) for scheme in options.schemes]) < options.least


if __name__ == '__main__':
    sys.exit(main())
