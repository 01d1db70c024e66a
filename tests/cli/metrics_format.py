# SPDX-License-Identifier: GPL-3.0-or-later
"""A strict reader of Prometheus's text format, version 0.0.4. If promtool is installed, it checks the text, too."""
import re
import shutil
import subprocess

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"'
SAMPLE = re.compile(r"(%s)(?:\{(%s(?:,%s)*)\})? (\S+)" % (NAME, LABEL, LABEL))
NUMBER = re.compile(r"NaN|[+-]Inf|[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def read(text):
    """{(name, ((label, value), ...)): number} of a file; an AssertionError for what the format forbids."""
    assert text.endswith("\n"), "the last line has no end"
    samples, types, helped, current = {}, {}, set(), None
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            name, about = line[7:].split(" ", 1)
            assert re.fullmatch(NAME, name) and about, line
            assert name not in helped and name not in types, "a second help, or one behind the type: " + line
            helped.add(name)
            current = name
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert name not in types and kind in ("counter", "gauge", "untyped"), line
            assert name == current, "a type that is not its family's: " + line
            types[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, "no sample: " + line
            name, labels, number = match.group(1), match.group(2) or "", match.groups()[-1]
            assert name == current and name in types, "a sample that is not in its family: " + line
            assert NUMBER.fullmatch(number), "no number: " + line
            assert types[name] != "counter" or (name.endswith("_total") and float(number) >= 0), "no counter: " + line
            pairs = tuple(re.findall(LABEL, labels))
            assert len({key for key, _ in pairs}) == len(pairs), "a label twice: " + line
            assert (name, pairs) not in samples, "the same sample twice: " + line
            samples[name, pairs] = float(number)
    return samples


def read_file(path):
    """The same of a file, which promtool has to find fault with no more than we do."""
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    if shutil.which("promtool"):
        done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return read(text)


def values(samples):
    """Those of families with one sample: {name: number}, without the prefix."""
    names = [name for name, _ in samples]
    return {name.removeprefix("shufflebias_"): number for (name, _), number in samples.items() if names.count(name) == 1}
