#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether two JSON reports agree: names, texts and whole numbers exactly, doubles to 1e-12.

    same_numbers.py A.json B.json   names every difference; exit 1 if there is one
    same_numbers.py --self-test     exit 1 if a difference is not found, or equal reports are found to differ
"""
import json
import math
import pathlib
import sys

TOLERANCE = 1e-12


def differences(a, b, where='$'):
    """A line for each place where a and b differ."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for name in a:
            yield from differences(a[name], b[name], f'{where}.{name}')
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for index, pair in enumerate(zip(a, b)):
            yield from differences(*pair, f'{where}[{index}]')
    elif isinstance(a, float) and isinstance(b, float):
        if not math.isclose(a, b, rel_tol=TOLERANCE):
            yield f'{where}: {a!r} and {b!r}'
    elif type(a) is not type(b) or a != b:
        yield f'{where}: {str(a)[:60]} and {str(b)[:60]}'


def self_test():
    """The pairs that were judged wrongly."""
    same = [(1, 1), (0.1, 0.1 + 1e-17), (1e-300, 1e-300 * (1 + 1e-13)), ([1, {'a': None}], [1, {'a': None}])]
    different = [(1, 2), (1, 1.0), (0.1, 0.1 + 1e-9), (0.0, 1e-300), (10**30, 10**30 + 1), ('1/3', '1/4'), ([1], [1, 2]),
                 ({'a': 1}, {'b': 1}), (None, 0), (True, 1), ({'a': [1, 2]}, {'a': [1, 3]})]
    yield from (f'told apart: {pair}' for pair in same if list(differences(*pair)))
    yield from (f'not told apart: {pair}' for pair in different if not list(differences(*pair)))


def main(arguments):
    if arguments == ['--self-test']:
        found = list(self_test())
    elif len(arguments) == 2:
        found = list(differences(*(json.loads(pathlib.Path(name).read_text()) for name in arguments)))
    else:
        sys.exit('usage: same_numbers.py A.json B.json | same_numbers.py --self-test')
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
