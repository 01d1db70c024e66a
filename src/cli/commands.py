#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of data/commands.json as structs in C, in the order of their names: commands.py OUTPUT JSON NAME...

A command with "run" has the function cli_NAME_run(), and one with "verdict" cli_NAME_verdict().
"""
import json
import pathlib
import sys

output, source, *names = sys.argv[1:]
commands = json.loads(pathlib.Path(source).read_text(encoding='utf-8'))


def text(value):
    return json.dumps(value, ensure_ascii=False)


def examples(rows):
    return '{ %s }' % ', '.join('{ %s, %s }' % (text(typed), text(purpose)) for typed, purpose in rows.items())


def fields(name, command):
    yield 'name', text(name)
    yield 'of', 'SB_' + name.upper()
    for key, value in command.items():
        if key in ('first', 'examples'):
            yield key, examples(value)
        elif key == 'result':
            yield key, '&sb_%s_result' % value
        elif key == 'notes':
            yield key, text(''.join(line + '\n' for line in value))
        else:
            yield key, text(value) if isinstance(value, str) else 'true' if key == 'program' else 'cli_%s_%s' % (name, key)


pathlib.Path(output).write_text('\n'.join([
    '/* Made by Meson from data/commands.json. */', '#include "cli/cli.h"',
    *('static const struct cli_command_type command_%s = {\n%s};' % (
        name, ''.join('    .%s = %s,\n' % field for field in fields(name, commands[name]))) for name in names),
    'const struct cli_command_type *const cli_command_types[] = { %s };' % ', '.join('&command_' + name for name in names),
    'const size_t cli_command_types_count = %d;' % len(names), '']), encoding='utf-8')
