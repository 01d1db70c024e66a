#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No number is narrowed silently where size_t has 32 bits: clang's syntax check of all sources for i686.

    narrow.py SOURCE_ROOT BUILD_ROOT

The compiler's arguments are those of BUILD_ROOT/compile_commands.json. The headers are this machine's. glibc then
asks for one more header, of the names that a 32-bit C library lacks; an empty header is enough. GMP's functions are
macros of gmp.h, and clang does not warn about macros of a system header. So gmp.h is treated as a header of this
project. Exit status 77, with the reason, if clang or the headers are not available.
"""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

FLAGS = ['-fsyntax-only', '-Wconversion', '-Wno-sign-conversion', '-Wshorten-64-to-32', '-Werror',
         '--no-system-header-prefix=gmp.h']
VALUED = {'-o', '-MF', '-MQ', '-MT'}


def skip(reason):
    print('skipped: ' + reason)
    sys.exit(77)


def arguments(command):
    """The includes, definitions and the language of a compiler's command."""
    words = shlex.split(command)
    kept = []
    while words:
        word = words.pop(0)
        if word in VALUED:
            words.pop(0)
        elif word in ('-I', '-D', '-U', '-isystem', '-include'):
            kept += [word, words.pop(0)]
        elif word.startswith(('-I', '-D', '-U', '-std')) and not word.startswith('-U_FORTIFY'):
            kept.append(word)
    return kept


def main():
    source, build = (os.path.abspath(path) for path in sys.argv[1:3])
    clang = shutil.which('clang-14') or shutil.which('clang')
    if not clang:
        skip('there is no clang')
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
        commands = {os.path.normpath(os.path.join(build, one['file'])): arguments(one['command'])
                    for one in json.load(file)}
    files = sorted(name for name in commands if name.endswith('.c') and name.startswith(source + os.sep))
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'gnu'))
        with open(os.path.join(folder, 'gnu', 'stubs-32.h'), 'w', encoding='utf-8'):
            pass
        machine = subprocess.run([clang, '-print-multiarch'], capture_output=True, text=True, check=False).stdout.strip()
        headers = ['--target=i686-linux-gnu', '-isystem', folder,
                   '-isystem', '/usr/include/' + (machine or 'x86_64-linux-gnu')]

        def check(name):
            done = subprocess.run([clang] + FLAGS + headers + commands.get(name, []) + [name], cwd=build,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            return done.returncode, done.stderr

        probe = os.path.join(folder, 'probe.c')
        with open(probe, 'w', encoding='utf-8') as file:
            file.write('#include <gmp.h>\n#include <gsl/gsl_rng.h>\n#include <jansson.h>\n#include <sys/stat.h>\n'
                       '_Static_assert(sizeof(size_t) == 4, "");\n')
        if check(probe)[0]:
            skip('the headers do not do for 32 bits: ' + check(probe)[1].strip().split('\n')[0])
        with open(probe, 'w', encoding='utf-8') as file:
            file.write('#include <gmp.h>\nvoid f(mpz_t y, unsigned long long x);\n'
                       'void f(mpz_t y, unsigned long long x)\n{\n    mpz_set_ui(y, x);\n}\n')
        if not check(probe)[0]:
            print('clang does not see a narrowed number where there is one')
            sys.exit(1)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(check, files))
    wrong = 0
    for name, (status, text) in zip(files, outcomes):
        if status:
            wrong += 1
            print(os.path.relpath(name, source) + ':\n' + text)
    print(f'{len(files)} files, {wrong} with numbers that are narrowed, or that do not compile, for 32 bits')
    sys.exit(wrong > 0)


main()
