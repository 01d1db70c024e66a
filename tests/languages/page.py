#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The extracts of docs/languages.md stand in the files of data/languages, which run.sh runs.

Usage: page.py SOURCE
"""
import pathlib
import re
import sys
import textwrap

source = pathlib.Path(sys.argv[1])
files = {"cpp": "cpp/shuffle_test.cc", "go": "go/shuffle_test.go", "java": "java/ShuffleTest.java", "r": "r/test-shuffle.R",
         "rust": "rust/shuffle.rs"}
page = (source / "docs" / "languages.md").read_text("utf-8")
for language, name in files.items():
    text = (source / "data" / "languages" / name).read_text("utf-8")
    (extract,) = re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)
    if extract not in text and textwrap.indent(extract, "    ") not in text:
        sys.exit(f"docs/languages.md: the extract in {language} is not part of data/languages/{name}")
    if name not in page:
        sys.exit(f"docs/languages.md does not name data/languages/{name}")
