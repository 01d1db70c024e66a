#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The version stands in meson.build. Files that have to repeat it must have the same: versions.py SOURCE"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
NUMBER = r"(\d+\.\d+\.\d+)"
# File | the pattern of its version, of which the first match counts
PLACES = [
    ("CHANGELOG.md", r"^## " + NUMBER + r", (?:not yet released|\d{4}-\d\d-\d\d)$"),
    ("data/packaging/debian/changelog", r"\Ashufflebias \(" + NUMBER + r"\) "),
    ("data/packaging/shufflebias.rb", r'^  url ".*-' + NUMBER + r'\.tar\.gz"$'),
    ("data/ci/github.yml", r"uses: .*/shufflebias@v" + NUMBER),
    ("docs/ci.md", r"rev: v" + NUMBER),
    ("CITATION.cff", r"^version: " + NUMBER + "$"),
]
# Files that may name releases and packages, all of this version: shufflebias-0.2.0.tgz, python3-shufflebias_0.2.0.
NAMED = re.compile(r"shufflebias\d?(?:-dev)?[-_/@]v?" + NUMBER)


def read(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def check(version):
    for path, pattern in PLACES:
        found = re.search(pattern, read(path), re.M)
        if not found:
            yield "%s: no version of the form '%s'" % (path, pattern)
        elif found[1] != version:
            yield "%s: says %s" % (path, found[1])
    for path in [SOURCE / "README.md", SOURCE / "action.yml", *SOURCE.glob("docs/*.md"), *SOURCE.glob("data/ci/*")]:
        for found in NAMED.findall(path.read_text(encoding="utf-8")):
            if found != version:
                yield "%s: names %s" % (path.relative_to(SOURCE), found)
    # pack.mjs fills in the version of the npm package.
    if '"version": "0.0.0"' not in read("src/web/npm/package.json"):
        yield "src/web/npm/package.json: leave its version at 0.0.0, which src/web/npm/pack.mjs replaces"
    project = SOURCE / "src/python/pyproject.toml"
    if project.exists():
        found = re.search(r'^version = "' + NUMBER + '"', project.read_text(encoding="utf-8"), re.M)
        if found and found[1] != version:
            yield "src/python/pyproject.toml: says %s" % found[1]


VERSION = re.search(r"^  version: '" + NUMBER + "',$", read("meson.build"), re.M)[1]
MISTAKES = list(check(VERSION))
for mistake in MISTAKES:
    print("versions: %s, but meson.build says %s" % (mistake, VERSION), file=sys.stderr)
sys.exit(bool(MISTAKES))
