#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules for the source that a program can check: which folder may include which, who may call what, SPDX lines, the
lengths of files, and that every file is in a Meson list.

    layers.py ROOT          names every violation in the tree at ROOT; exit 1 if there is one
    layers.py --self-test   violates each rule in a small tree of its own; exit 1 if a violation is not found
"""
import pathlib
import re
import sys
import tempfile

# room -> the rooms that it may include, beside itself. Includes run one way:
# core <- {shuffle, draw, rng, statistic} <- exact <- tally <- sample <- subject; core <- fit <- gate; core <- report;
# all of these <- store <- study <- lesson <- cli <- web, which stands in for what WebAssembly lacks
FAMILIES = {'shuffle', 'draw', 'rng', 'statistic'}
COUNTING = {'core', 'exact', 'tally', 'sample'} | FAMILIES
MAY_INCLUDE = {
    'core': set(),
    **{family: {'core'} for family in FAMILIES},
    'exact': {'core'} | FAMILIES,
    'tally': {'core', 'fit'} | FAMILIES,
    'sample': {'core', 'tally'} | FAMILIES,
    'subject': COUNTING,
    'fit': {'core'},
    'gate': {'core', 'fit'},
    'report': {'core'},
    'store': COUNTING | {'subject', 'fit', 'gate', 'report'},
    'study': COUNTING | {'subject', 'fit', 'gate', 'report', 'store'},
    'lesson': {'core', 'fit', 'gate', 'report', 'study'},
    'cli': {'core', 'report', 'study', 'lesson'},
    'web': {'core', 'subject', 'store', 'study', 'cli'},
    '': set(),  # shufflebias.h
}

# (what stands in the code, where it may stand, what is wrong elsewhere); comments and strings are not code
CODE_RULES = [
    (r'\bgsl_(?:cdf|sf)_\w+', r'fit/special\.c$', 'only fit/special.c may call {0}'),
    (r'\bgsl_set_error_handler(?:_off)?\b', r'(?!)', '{0} changes the whole program: call GSL where it has no error'),
    (r'\b(?:v?printf|puts|putchar|perror)(?=[ \t]*\()', r'(?:cli|web)/', '{0}() prints: only cli and web may'),
    (r'\b(?:stdin|stdout|stderr)\b', r'(?:cli|web)/', 'only cli and web may use {0}'),
    (r'\b(?:exit|_exit|_Exit|quick_exit|abort|assert)(?=[ \t]*\()', r'cli/',
     '{0}() may end the program: only cli may'),
    (r'\b(?:secure_)?getenv(?=[ \t]*\()', r'cli/', '{0}() reads the environment: only cli may'),
    (r'\bsetlocale(?=[ \t]*\()', r'cli/', '{0}() changes the whole program: only cli may'),
    (r'\b(?:lgamma|strtok|localtime|gmtime|ctime|asctime|s?rand|s?random|[dl]rand48|tmpnam)(?=[ \t]*\()', r'(?!)',
     '{0}() has a state that all threads share: call sb_ln_gamma(), strtok_r(), localtime_r() and so on'),
    (r'\b(?:vsn?printf|vfprintf|sn?scanf|sscanf|strto[dfl]d?|atof)(?=[ \t]*\()', r'(?:cli|web)/|core/text\.c$|report/text\.c$',
     '{0}() has a decimal comma in some locales: call sb_decimal_format_list(), sb_decimal_read() or sb_print()'),
    (r'#[ \t]*include[ \t]*<gsl/[^>]*>', r'(?!core/)', 'core uses no GSL'),
    (r'\b(?:fopen|fprintf|fputs|fwrite)(?=[ \t]*\()', r'(?!core/)', 'core does no input or output: {0}()'),
]

# The library names fields, `samples`, and cli/arguments.c makes options of them. Whole command lines for people stand here:
FLAG = re.compile(r'(?<![\w-])(?:--[a-z]|-[no](?![\w-]))')
FLAG_HOMES = re.compile(r'cli/|core/options\.c$|lesson/|study/run/run\.c$|study/report/report_tables\.c$')

# A call that writes numbers with a point, in the locale of the calling program.
PRINTING = re.compile(r'\b(?:sn?printf|fprintf)(?=[ \t]*\()')
POINT = re.compile(r'%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?[aefgAEFG]')
POINT_HOMES = re.compile(r'(?:cli|web)/')

SPDX = 'SPDX-License-Identifier: GPL-3.0-or-later'
LINES_MOST = 600
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def without(text, kinds):
    """The text with its comments ('/') or strings ('"' and "'") blanked out, every line in its place."""
    def blank(match):
        token = match.group()
        return re.sub(r'[^\n]', ' ', token) if token[0] in kinds else token
    return TOKEN.sub(blank, text)


def include_breaches(room, text):
    """(offset, message) for each include that the room may not have."""
    for match in INCLUDE.finditer(without(text, '/')):
        bracket, name = match.groups()
        target = name.split('/')[0]
        if target in MAY_INCLUDE and '/' in name:
            if target != room and target not in MAY_INCLUDE.get(room, set()):
                yield match.start(), f'{room or "shufflebias.h"} may not include "{name}"'
        elif bracket == '"' and name != 'shufflebias.h':
            yield match.start(), f'"{name}" names no room: write it as "ROOM/FILE.h"'


def code_breaches(path, text):
    """(offset, message) for each rule of CODE_RULES that src/`path` breaks."""
    code = without(text, '/"\'')
    for pattern, home, message in CODE_RULES:
        if not re.match(home, path):
            for match in re.finditer(pattern, code, re.MULTILINE):
                yield match.start(), message.format(match.group())


def flag_breaches(path, text):
    """(offset, message) for each string of src/`path` that names an option of the program."""
    if not FLAG_HOMES.match(path):
        for token in TOKEN.finditer(text):
            if token.group()[0] == '"' and FLAG.search(token.group()):
                yield token.start(), f'{token.group()} names an option: name the field, `samples` or `n=52`'


def point_breaches(path, text):
    """(offset, message) for each call in src/`path` whose format has a number with a point."""
    if POINT_HOMES.match(path):
        return
    code = without(text, '/"\'')
    for call in PRINTING.finditer(code):
        depth, end = 1, code.index('(', call.end()) + 1
        while depth and end < len(code):
            depth += {'(': 1, ')': -1}.get(code[end], 0)
            end += 1
        strings = [token.group() for token in TOKEN.finditer(text, call.start(), end) if token.group()[0] == '"']
        if any(POINT.search(string.replace('%%', '')) for string in strings):
            yield call.start(), f'{call.group()}() has a decimal comma in some locales: call sb_decimal_format() or sb_print()'


TAG = re.compile(r'^(?:struct|union|enum) (sb_\w+|cli_\w+) \{', re.MULTILINE)
FUNCTION = re.compile(r'^(?!static\b)\w[\w\s*]*?\b((?:sb|cli)_\w+)\([^;{}]*\)\n\{', re.MULTILINE)
CALL = re.compile(r'\b(?:sb|cli)_\w+(?=\s*\()')


def duplicates(sources):
    """(path, message) for each struct tag and each header's name that stands twice; sources: path -> text."""
    tags, headers = {}, {}
    for path, text in sorted(sources.items()):
        for tag in TAG.findall(without(text, '/"\'')):
            if tags.setdefault(tag, path) != path:
                yield path, f'the tag {tag} stands in src/{tags[tag]} already'
        name = path.split('/')[-1]
        if name.endswith('.h') and headers.setdefault(name, path) != path:
            yield path, f'a header of that name is src/{headers[name]}'


def circles(sources):
    """(path, message) for each set of files whose functions call each other in a circle (Tarjan's components)."""
    code = {path: without(text, '/"\'') for path, text in sources.items() if path.endswith('.c')}
    home = {name: path for path, text in code.items() for name in FUNCTION.findall(text)}
    calls = {path: sorted({home[name] for name in CALL.findall(text) if name in home} - {path})
             for path, text in code.items()}
    number, low, stack = {}, {}, []

    def visit(path):
        number[path] = low[path] = len(number)
        stack.append(path)
        for other in calls[path]:
            if other not in number:
                yield from visit(other)
                low[path] = min(low[path], low[other])
            elif other in stack:
                low[path] = min(low[path], number[other])
        if low[path] == number[path]:
            members = stack[stack.index(path):]
            del stack[stack.index(path):]
            if len(members) > 1:
                yield min(members), 'calls run in a circle: ' + ', '.join(sorted(members))

    for path in sorted(code):
        if path not in number:
            yield from visit(path)


def listed_names(meson_file):
    """What a meson.build has between quotes, as names of C files: 'a.c' and 'a-b' give a.c and a_b.c."""
    text = re.sub(r'#.*', '', meson_file.read_text()) if meson_file.exists() else ''
    quoted = re.findall(r"'([^']*)'", text)
    return {pathlib.PurePath(name).name for name in quoted} | {re.sub(r'\W', '_', name) + '.c' for name in quoted}


def breaches(root):
    """Every breach under root, as 'FILE:LINE: message'."""
    source_files = sorted(p for p in (root / 'src').rglob('*') if p.suffix in ('.c', '.h'))
    test_files = sorted(p for p in (root / 'tests').rglob('*') if p.suffix in ('.c', '.h'))
    others = sorted(p for folder in ('src', 'tests') for p in (root / folder).rglob('*')
                    if p.suffix in ('.py', '.sh') or p.name == 'meson.build')
    for path in source_files:
        inside = path.relative_to(root / 'src').as_posix()
        room = inside.split('/')[0] if '/' in inside else ''
        text = path.read_text()
        if room and room not in MAY_INCLUDE:
            yield f'src/{inside}:1: the design has no room "{room}"'
        for offset, message in [*include_breaches(room, text), *code_breaches(inside, text),
                                *flag_breaches(inside, text), *point_breaches(inside, text)]:
            yield f'src/{inside}:{text.count(chr(10), 0, offset) + 1}: {message}'
    sources = {path.relative_to(root / 'src').as_posix(): path.read_text() for path in source_files}
    for inside, message in [*duplicates(sources), *circles(sources)]:
        yield f'src/{inside}:1: {message}'
    for path in source_files + test_files:
        length = len(path.read_text().splitlines())
        if length > LINES_MOST:
            yield f'{path.relative_to(root)}:{length}: longer than {LINES_MOST} lines'
        lists = [folder / 'meson.build' for folder in path.parents if root in folder.parents]
        if path.suffix == '.c' and not any(path.name in listed_names(each) for each in lists):
            yield f'{path.relative_to(root)}:1: stands in no Meson list, so it is never built'
    for path in source_files + test_files + others:
        if SPDX not in '\n'.join(path.read_text().splitlines()[:2]):
            yield f'{path.relative_to(root)}:1: no line "{SPDX}"'


# Each: what is changed in the sound tree below, and a piece of the one line that must come of it.
A_DECK = f'/* {SPDX} */\nstruct sb_deck {{\n    int n;\n}};\n'
SOUND = {
    'src/core/meson.build': f"# {SPDX}\nsources += files('deck.c', 'name.c')\n",
    'src/shuffle/meson.build': f"# {SPDX}\nregistries += {{ 'shuffle': ['inside-out'] }}\n",
    'src/fit/meson.build': f"# {SPDX}\nsources += files('special.c')\n",
    'src/cli/meson.build': f"# {SPDX}\ncli_sources = files('main.c')\n",
    'src/shufflebias.h': f'/* {SPDX} */\n#include <stdio.h>\n',
    'src/core/deck.h': A_DECK,
    'src/core/name.c': f'/* {SPDX} */\nvoid sb_b(void)\n{{\n    sb_a();\n}}\n',
    'src/core/deck.c': f'/* {SPDX} */\n#include "shufflebias.h"\n/* printf( and "exit(" and stdout\n*/\n'
                       'const char *s = "printf(stdout) // /* ";\nint sb_exit(int code); /* "--samples" */\n'
                       'void g(char *t) { snprintf(t, 9, "%d%% fair %s", 1, t); sb_sentence("%g", .5); }\n'
                       'const char *t = "n-n, -1, ---, -name and `n=52`";\n',
    'src/shuffle/inside_out.c': f'// {SPDX}\n#include "core/deck.h"\n#include "shuffle/shuffle.h"\n#define SB_A (1)\n',
    'src/fit/special.c': f'/* {SPDX} */\n#include <gsl/gsl_cdf.h>\ndouble q = gsl_cdf_chisq_Q(1, 2);\n',
    'src/cli/main.c': f'/* {SPDX} */\n#include "study/report.h"\nint main(void) {{ printf("--n"); exit(0); }}\n',
    'tests/meson.build': f"# {SPDX}\ntests = {{ 'unit': ['deck'] }}\n",
    'tests/unit/deck.c': f'/* {SPDX} */\n#define RUN(f) f()\n#include "core/deck.h"\n',
}
BREACHES = [
    ('src/shuffle/deck.h', A_DECK.replace('sb_deck', 'sb_other'), 'a header of that name is src/core/deck.h'),
    ('src/shuffle/shuffle.h', A_DECK, 'the tag sb_deck stands in src/core/deck.h already'),
    ('src/core/deck.c', 'void sb_a(void)\n{\n    sb_b();\n}\n', 'calls run in a circle: core/deck.c, core/name.c'),
    ('src/core/deck.c', '#include "fit/special.h"\n', 'core may not include "fit/special.h"'),
    ('src/core/deck.c', '#include <exact/engine.h>\n', 'core may not include "exact/engine.h"'),
    ('src/core/deck.c', '#include <gsl/gsl_rng.h>\n', 'core uses no GSL'),
    ('src/core/deck.c', 'void f(void) { fopen("a", "r"); }\n', 'core does no input or output: fopen()'),
    ('src/core/deck.c', '#include "deck.h"\n', '"deck.h" names no room'),
    ('src/shuffle/inside_out.c', '#include "draw/draw.h"\n', 'shuffle may not include "draw/draw.h"'),
    ('src/shuffle/inside_out.c', '#include "exact/engine.h"\n', 'shuffle may not include "exact/engine.h"'),
    ('src/fit/special.c', '#include "shuffle/shuffle.h"\n', 'fit may not include "shuffle/shuffle.h"'),
    ('src/cli/main.c', '#include "sample/sample.h"\n', 'cli may not include "sample/sample.h"'),
    ('src/shufflebias.h', '#include "core/deck.h"\n', 'shufflebias.h may not include "core/deck.h"'),
    ('src/shuffle/inside_out.c', 'double p = gsl_sf_gamma(2);\n', 'only fit/special.c may call gsl_sf_gamma'),
    ('src/core/deck.c', 'void f(void) { gsl_set_error_handler_off(); }\n', 'gsl_set_error_handler_off changes the whole'),
    ('src/core/deck.c', 'void f(void) { printf("x"); }\n', 'printf() prints'),
    ('src/shuffle/inside_out.c', 'void f(FILE *e) { fputs("x", stderr); }\n', 'only cli and web may use stderr'),
    ('src/fit/special.c', 'void f(void) { exit (1); }\n', 'exit() may end the program'),
    ('src/fit/special.c', 'void f(void) { getenv("X"); }\n', 'getenv() reads the environment'),
    ('src/core/deck.c', 'double f(void) { return lgamma(5); }\n', 'lgamma() has a state that all threads share'),
    ('src/core/deck.c', 'double f(void) { return strtod("0.5", 0); }\n', 'strtod() has a decimal comma'),
    ('src/core/deck.c', 'void f(char *t) { snprintf(t, (9), /* ) */ "%d (%.*g%%)", 1, 2, .5); }\n', 'snprintf() has a decimal comma'),
    ('src/core/deck.c', 'const char *a = "use --samples";\n', '"use --samples" names an option'),
    ('src/core/deck.c', 'const char *a = "say -n N";\n', '"say -n N" names an option'),
    ('src/core/deck.c', '\n' * LINES_MOST, f'longer than {LINES_MOST} lines'),
    ('src/core/tally.c', f'/* {SPDX} */\n', 'stands in no Meson list'),
    ('tests/unit/tally.c', f'/* {SPDX} */\n', 'stands in no Meson list'),
    ('src/core/none.h', '/* no licence */\n', 'no line "SPDX'),
    ('src/attic/old.h', f'/* {SPDX} */\n', 'the design has no room "attic"'),
]


def self_test():
    """What the checker says of the sound tree, and of the tree with each breach in turn, where that is wrong."""
    for path, added, expected in [(None, '', None), *BREACHES]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            tree = dict(SOUND)
            if path:
                tree[path] = tree.get(path, '') + added
            for name, text in tree.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            found = list(breaches(root))
        if expected is None and found:
            yield f'a sound tree was blamed: {found}'
        elif expected is not None and not (len(found) == 1 and expected in found[0] and found[0].startswith(path)):
            yield f'{path}: expected one breach "{expected}", found {found}'


def main(arguments):
    if len(arguments) != 1:
        sys.exit('usage: layers.py ROOT | layers.py --self-test')
    if arguments[0] == '--self-test':
        found = list(self_test())
    elif not (pathlib.Path(arguments[0]) / 'src' / 'shufflebias.h').exists():
        sys.exit(f'layers.py: {arguments[0]} has no src/shufflebias.h')
    else:
        found = list(breaches(pathlib.Path(arguments[0])))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
