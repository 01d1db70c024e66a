# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a C source can be mutated, and its text with the mutants in it.

The sites come from clang's syntax tree (-ast-dump=json). A site replaces the expression between two offsets of a file.
In the mutated text the expression becomes `(sb_mutated(17) ? MUTANT : ORIGINAL)`, so one build holds all mutants, and a
number that the process reads when it starts chooses one of them. Sites may be nested: only ORIGINAL has the inner sites,
because one mutant at a time is active.

Left out: code in macros, sizeof, static initialisers, case labels, enumerations, static assertions and array sizes.
"""
import json
import os
import re
import subprocess

# The operators: what each one becomes.
BINARY = {
    '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '<<': '>>', '>>': '<<', '&': '|', '|': '&', '^': '&',
    '&&': '||', '||': '&&', '==': '!=', '!=': '==', '<': '<=', '<=': '<', '>': '>=', '>=': '>',
}
ASSIGN = {'+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '%=': '*=', '<<=': '>>=', '>>=': '<<=', '&=': '|=', '|=': '&=', '^=': '&='}
UNARY = {'!': '!!', '-': '', '~': '', '++': '--', '--': '++'}
# Two doubles are hardly ever equal, so `<` and `<=` are the same there: the comparison is turned round instead.
DOUBLES = {'<': '>=', '<=': '>', '>': '<=', '>=': '<'}
FLOATING = ('double', 'float', 'long double')
# Children of these are constant expressions or are not evaluated.
CONSTANT = {'ConstantExpr', 'StaticAssertDecl', 'EnumDecl', 'RecordDecl', 'TypedefDecl', 'UnaryExprOrTypeTraitExpr', 'OffsetOfExpr',
            'GenericSelectionExpr', 'BuiltinBitCastExpr'}


class Walker:
    """Walks the tree of one translation unit and collects the sites of the files that `wanted` accepts."""

    def __init__(self, folder, wanted):
        self.folder = folder
        self.wanted = wanted
        self.file = None
        self.texts = {}
        self.sites = []

    def text(self, path):
        if path not in self.texts:
            with open(path, 'rb') as file:
                self.texts[path] = file.read()
        return self.texts[path]

    def follow(self, location):
        """The dump names a file only where it differs from that of the location before."""
        for part in ('spellingLoc', 'expansionLoc'):
            if part in location:
                self.follow(location[part])
        if 'file' in location:
            self.file = os.path.normpath(os.path.join(self.folder, location['file']))

    def find(self, unit):
        for top in unit.get('inner', []):
            self.follow(top.get('loc', {}))
            place = self.file
            body = top['inner'][-1] if top['kind'] == 'FunctionDecl' and top.get('inner') else {}
            chosen = body.get('kind') == 'CompoundStmt' and self.wanted(place)
            self.walk(top, place if chosen else None, top.get('name'), False)
        return self.sites

    def walk(self, node, place, function, statement):
        """`statement`: the value of the expression is not used."""
        self.follow(node.get('loc', {}))
        for end in ('begin', 'end'):
            self.follow(node.get('range', {}).get(end, {}))
        kind = node.get('kind')
        if kind in CONSTANT or (kind == 'VarDecl' and node.get('storageClass') == 'static'):
            place = None
        children = node.get('inner', [])
        if place:
            self.visit(node, kind, children, place, function, statement)
        body = kind in ('CompoundStmt', 'LabelStmt', 'DefaultStmt')
        for i, child in enumerate(children):
            last = kind in ('IfStmt', 'WhileStmt', 'ForStmt', 'CaseStmt') and i > 0 and (kind != 'ForStmt' or i == 4)
            self.walk(child, place, function, body or last or (kind == 'DoStmt' and i == 0))

    def extent(self, node, text):
        """The offsets of an expression, or None if it is part of a macro."""
        begin, end = node['range']['begin'], node['range']['end']
        start, stop = begin.get('expansionLoc', begin), end.get('expansionLoc', end)
        if 'offset' not in start or 'offset' not in stop:
            return None
        if 'expansionLoc' in begin and start['offset'] == stop['offset']:
            whole = begin.get('spellingLoc', {}).get('offset') != end.get('spellingLoc', {}).get('offset')
            if whole or text[start['offset']:start['offset'] + stop['tokLen']] not in (b'true', b'false'):
                return None
        at = stop['offset'] + stop['tokLen']
        return start['offset'], self.arguments(text, at) if 'expansionLoc' in end else at

    @staticmethod
    def arguments(text, at):
        """The end of a macro's arguments, if it has some."""
        skip = re.compile(rb'\s*\(').match(text, at)
        if not skip:
            return at
        depth, at = 1, skip.end()
        while depth and at < len(text):
            depth += {40: 1, 41: -1}.get(text[at], 0)
            at += 1
        return at

    def operand(self, node, text):
        """The offsets of an operand, which may be a macro as a whole."""
        begin, end = node['range']['begin'], node['range']['end']
        start, stop = begin.get('expansionLoc', begin), end.get('expansionLoc', end)
        at = stop['offset'] + stop['tokLen']
        return start['offset'], self.arguments(text, at) if 'expansionLoc' in end else at

    def add(self, place, function, span, kind, before, after, mutant):
        text = self.text(place)
        start, end = span
        raw = text[start:end]
        if b'#' in raw or b'//' in raw:
            return
        line = text.count(b'\n', 0, start) + 1
        before, after, mutant = (' '.join(code.split()) for code in (before, after, mutant))
        self.sites.append({'file': place, 'function': function, 'line': line, 'start': start, 'end': end, 'kind': kind,
                           'before': before, 'after': after, 'mutant': mutant})

    def visit(self, node, kind, children, place, function, statement):
        if 'range' not in node or not node['range'].get('begin'):
            return
        text = self.text(place)
        span = self.extent(node, text)

        def code(child):
            start, end = self.operand(child, text)
            return text[start:end].decode()

        if statement and span and (kind in ('CallExpr', 'CompoundAssignOperator') or (kind == 'BinaryOperator' and node['opcode'] == '=')
                                   or (kind == 'UnaryOperator' and node['opcode'] in ('++', '--'))):
            self.add(place, function, span, 'statement', code(node) + ';', ';', 'sb_statement')
        if kind in ('BinaryOperator', 'CompoundAssignOperator') and span and node['opcode'] in {**BINARY, **ASSIGN}:
            opcode = node['opcode']
            left, right = (self.operand(child, text) for child in children)
            between = re.sub(rb'/\*.*?\*/', b'', text[left[1]:right[0]], flags=re.S).strip().decode()
            if between == opcode:
                becomes = {**BINARY, **ASSIGN}[opcode]
                if opcode in DOUBLES and any(child['type'].get('qualType', '').replace('const ', '') in FLOATING for child in children):
                    becomes = DOUBLES[opcode]
                name = 'assignment' if opcode in ASSIGN else 'operator'
                self.add(place, function, span, name, f'{code(children[0])} {opcode} {code(children[1])}',
                         f'{code(children[0])} {becomes} {code(children[1])}', f'({code(children[0])}) {becomes} ({code(children[1])})')
        if kind == 'UnaryOperator' and span and node['opcode'] in UNARY:
            becomes, inner = UNARY[node['opcode']], code(children[0])
            mutant = f'({inner}){becomes}' if node.get('isPostfix') else f'{becomes}({inner})'
            self.add(place, function, span, 'operator', code(node), mutant, mutant)
        if kind in ('IntegerLiteral', 'FloatingLiteral', 'CharacterLiteral') and span:
            was = text[span[0]:span[1]].decode()
            other = {'true': 'false', 'false': 'true'}.get(was, f'({was}) + 1')
            self.add(place, function, span, 'constant', was, other, other)
        condition = {'IfStmt': 0, 'WhileStmt': 0, 'DoStmt': 1, 'ConditionalOperator': 0}.get(kind)
        if condition is not None and len(children) > condition:
            asked = children[condition]
            bare = asked
            while bare['kind'] in ('ParenExpr', 'ImplicitCastExpr'):
                bare = bare['inner'][0]
            covered = bare['kind'] in ('BinaryOperator', 'UnaryOperator') and bare.get('opcode') in ('==', '!=', '!')
            span = self.extent(asked, text)
            if span and not covered:
                self.add(place, function, span, 'condition', code(asked), f'!({code(asked)})', 'sb_condition')


def sites_of(command, folder, wanted):
    """The sites of one translation unit, compiled by `command` in `folder`; `wanted`: whether a file is to be mutated."""
    done = subprocess.run(command[:-1] + ['-fsyntax-only', '-w', '-Xclang', '-ast-dump=json', command[-1]], cwd=folder,
                          stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return Walker(folder, wanted).find(json.loads(done.stdout))


def mutated(text, sites):
    """The bytes of a file with these sites in it; a site's number is its `id`. Lines keep their numbers."""
    order = sorted(range(len(sites)), key=lambda i: (sites[i]['start'], -sites[i]['end'], i))

    def render(start, end, inner):
        out, at = [], start
        while inner:
            site = sites[inner[0]]
            within = [i for i in inner[1:] if sites[i]['end'] <= site['end'] and sites[i]['start'] < site['end']]
            original = render(site['start'], site['end'], within)
            number = site['id']
            if site['kind'] == 'statement':
                new = b'(sb_mutated(%d) ? (void)0 : (void)(%s))' % (number, original)
            elif site['kind'] == 'condition':
                raw = b' '.join(text[site['start']:site['end']].split())
                new = b'(sb_mutated(%d) ? !(%s) : !!(%s))' % (number, raw, original)
            else:
                new = b'(sb_mutated(%d) ? %s : (%s))' % (number, site['mutant'].encode(), original)
            out += [text[at:site['start']], new]
            at = site['end']
            inner = [i for i in inner[1:] if i not in within]
        return b''.join(out) + text[at:end]

    return b'#include "core/mutant.h"\n#line 1\n' + render(0, len(text), order)
