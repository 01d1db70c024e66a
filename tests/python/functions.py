#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions that the Python package declares are those of the headers, with as many parameters; and a C program prints the
statuses.

Usage: functions.py LIBRARY SOURCE CC...
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, CC = os.path.abspath(sys.argv[2]), sys.argv[3:]
sys.path.insert(0, os.path.join(SOURCE, "src", "python"))
from shufflebias import library  # noqa: E402


class Functions(unittest.TestCase):
    def test_parameters(self):
        text = "".join(header.read_text("utf-8") for header in sorted(pathlib.Path(SOURCE, "src").glob("shufflebias.h")))
        declared = {name: 0 if parameters == "void" else parameters.count(",") + 1
                    for name, parameters in re.findall(r"^SB_API [^;]*?\b(sb_\w+)\(([^;]*)\);", text, re.M)}
        for name, (_, arguments) in library.FUNCTIONS.items():
            self.assertEqual(len(arguments), declared[name], name)

    def test_statuses(self):
        names = ["SB_" + name.upper().replace(" ", "_") for name in library.STATUS]
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "statuses.c"), os.path.join(folder, "statuses")
            with open(source, "w", encoding="ascii") as file:
                file.write("#include <shufflebias.h>\nint main(void)\n{\n" +
                           "".join(f'    printf("%d\\n", {name});\n' for name in names) + "}\n")
            subprocess.run([*CC, "-I" + os.path.join(SOURCE, "src"), source, "-o", program], check=True)
            printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
        self.assertEqual(printed, [str(i) for i in range(len(names))])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
