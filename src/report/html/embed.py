#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that pages carry within themselves, as arrays in C, and the policy that allows nothing else.

    embed.py OUTPUT FILE.css|FILE.js... --play PRESETS FILE.js...
                                            stepper.css becomes sb_asset_stepper_css; the files after --play become
                                            one script, sb_asset_play_js, which also has the shuffles of PRESETS
    embed.py --playground OUTPUT [PAGE]     the page of the command playground; without PAGE, an empty one
"""
import base64
import hashlib
import pathlib
import re
import sys

def array(name, text):
    """The lines of an array in C that ends in 0."""
    numbers = [str(byte if byte < 128 else byte - 256) for byte in text] + ['0']
    rows = ['    %s,' % ', '.join(numbers[i:i + 24]) for i in range(0, len(numbers), 24)]
    return ['const char sb_asset_%s[] = {' % name, *rows, '};']

if sys.argv[1] == '--playground':
    page = pathlib.Path(sys.argv[3]).read_bytes() if len(sys.argv) > 3 else b''
    lines = ['/* Made by Meson from the page that the option `playground` names. */', '#include "cli/cli.h"',
             *array('playground', page), 'const size_t sb_asset_playground_length = %d;' % len(page)]
    pathlib.Path(sys.argv[2]).write_text('\n'.join(lines) + '\n')
    sys.exit()

def shuffles(presets):
    """The shuffles of data/presets.js as functions, because pages may not compile code. As in the playground's rewrite.js,
    they call draw(k) in place of Math.floor(Math.random() * k)."""
    integer = re.compile(r'Math\.floor\(Math\.random\(\) \* (\([^()]*\)|[\w.]+)\)')
    found = re.findall(r"name: '([\w-]+)'.*?code: `(.*?)`", presets, re.DOTALL)
    makers = ["'%s': (draw, Math) => { const line = lessonLines(new Error('').stack)[0];\n%sreturn { shuffle, line }; },\n"
              % (name, integer.sub(r'draw(\1)', code)) for name, code in found]
    return 'const LESSON_SHUFFLES = {\n%s};\n' % ''.join(makers)

split = sys.argv.index('--play')
output, *files = map(pathlib.Path, sys.argv[1:split])
scripts = [pathlib.Path(name).read_text(encoding='utf-8') for name in sys.argv[split + 1:]]
texts = {path.name: path.read_bytes() for path in files}
play = ''.join([*scripts, shuffles(scripts[0]), "document.querySelectorAll('.animation').forEach(lessonPlay);\n"])

def hashes(kind):
    """The hashes of all files of a kind, "css" or "js", as sources of a policy."""
    return ' '.join("'sha256-%s'" % base64.b64encode(hashlib.sha256(text).digest()).decode()
                    for name, text in texts.items() if name.endswith('.' + kind))

for name, text in texts.items():
    for taboo in b'\r', b'&', b'<', b']]>':
        assert taboo not in text, '%s would not be XML: it has %r' % (name, taboo)
assert not re.search(r'</|<!--|\]\]>|\r', play)
texts['play.js'] = ('//<![CDATA[\n%s//]]>' % play).encode()
texts['policy'] = ("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'"
                   % (hashes('css'), hashes('js'))).encode()
lines = ['/* Made by Meson from the files of src/report/html. */', '#include "report/page.h"']
for name, text in texts.items():
    lines += array(name.replace('.', '_'), text)
output.write_text('\n'.join(lines) + '\n')
