#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that pages carry within themselves, as arrays in C, and the policy that allows nothing else.

    embed.py OUTPUT FIGURE.CSS STYLE.CSS SCRIPT.JS
"""
import base64
import hashlib
import pathlib
import sys

output, *files = map(pathlib.Path, sys.argv[1:])
texts = [path.read_bytes() for path in files]
hashes = ["'sha256-%s'" % base64.b64encode(hashlib.sha256(text).digest()).decode() for text in texts]
policy = ("default-src 'none'; style-src %s %s; script-src %s; base-uri 'none'; form-action 'none'" % tuple(hashes)).encode()
lines = ['/* Made by Meson from the files of src/report/html. */', '#include "report/html/asset.h"']
for name, text in zip(['figure', 'style', 'script', 'policy'], texts + [policy]):
    for taboo in b'\r', b'&', b'<', b']]>':
        assert taboo not in text, '%s would not be XML: it has %r' % (name, taboo)
    numbers = [str(byte if byte < 128 else byte - 256) for byte in text] + ['0']
    lines.append('const char sb_asset_%s[] = {' % name)
    lines += ['    %s,' % ', '.join(numbers[i:i + 24]) for i in range(0, len(numbers), 24)]
    lines.append('};')
output.write_text('\n'.join(lines) + '\n')
