#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The structs of the Python package have the layout of the headers: a C program prints the offset and the size of each field.

Usage: structs.py LIBRARY SOURCE CC...
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, CC = os.path.abspath(sys.argv[2]), sys.argv[3:]
sys.path.insert(0, os.path.join(SOURCE, "src", "python"))
from shufflebias import errors, structs  # noqa: E402

STRUCTS = [kind for kind in vars(structs).values() if isinstance(kind, type) and issubclass(kind, ctypes.Structure)
           and "_fields_" in vars(kind)]


def tag(kind):
    """The name in C, which stands in the comment: struct sb_gate_options."""
    return re.match(r"struct sb_\w+", kind.__doc__)[0]


def declared(name):
    """The fields of a struct in the headers, in their order."""
    text = "".join(header.read_text("utf-8") for header in sorted(pathlib.Path(SOURCE, "src", "shufflebias").glob("*.h")))
    body = re.search(r"^%s \{\n(.*?)^\};" % name, re.sub(r"/\*.*?\*/", "", text, flags=re.S), re.M | re.S)[1]
    return re.findall(r"(\w+)(?:\[\d+\])?(?=[,;])", body)


def compiled(lines):
    """What a C program of these statements prints."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
        with open(source, "w", encoding="ascii") as file:
            file.write("#include <shufflebias.h>\nint main(void)\n{\n" + "".join(f"    {line}\n" for line in lines) + "}\n")
        subprocess.run([*CC, "-I" + os.path.join(SOURCE, "src"), source, "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


class Structs(unittest.TestCase):
    def test_layout(self):
        self.assertGreaterEqual(len(STRUCTS), 6)
        lines, expected = [], []
        for kind in STRUCTS:
            self.assertEqual([field[0] for field in kind._fields_], declared(tag(kind)))
            lines.append(f'printf("{tag(kind)} %zu\\n", sizeof({tag(kind)}));')
            expected.append(f"{tag(kind)} {ctypes.sizeof(kind)}")
            for name, *_ in kind._fields_:
                field = getattr(kind, name)
                lines.append(f'printf("{name} %zu %zu\\n", offsetof({tag(kind)}, {name}), sizeof((({tag(kind)} *)0)->{name}));')
                expected.append(f"{name} {field.offset} {field.size}")
        self.assertEqual(compiled(lines), expected)

    def test_statuses(self):
        names = ["SB_" + name.upper().replace(" ", "_") for name in errors.STATUS]
        self.assertEqual(compiled([f'printf("%d\\n", {name});' for name in names]), [str(i) for i in range(len(names))])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
