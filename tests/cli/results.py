# SPDX-License-Identifier: GPL-3.0-or-later
"""Every result in each of its formats, on standard output, in a file and as an export: the bytes are the same."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from program import PROGRAM

# A command, its options, and the schema of its JSON.
RESULTS = [
    (["report", "naive", "--samples", "1e4"], "report"),
    (["gate", "naive", "--limit", "1e4"], "gate"),
    (["watch", "naive", "--limit", "1000"], "watch"),
    (["explain", "naive"], "explain"),
    (["odds", "naive", "123", "231"], "odds"),
    (["plan", "naive"], "plan"),
    (["law", "descents", "-n", "5"], "law"),
    (["zoo", "-n", "3", "--samples", "2000", "--seeds", "1"], "zoo"),
]


def timeless(text):
    """Without the time of a watch's last permutation, the only field that differs between two runs."""
    return re.sub(r'"last": [\d.]+', '"last": 0', text)


def run(arguments, folder):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=100, cwd=folder,
                          env={**os.environ, "LC_ALL": "C"})


class Results(unittest.TestCase):
    def formats(self, command):
        """What the help of --format lists."""
        done = run([command, "--help", "all"], ".")
        found = re.search(r"--format[= ]FORMAT\s+(.*?) \(text\)", re.sub(r"\s+", " ", done.stdout))
        self.assertIsNotNone(found, done.stdout)
        return re.split(r", | or ", found.group(1))

    def check(self, form, schema, text):
        if form == "json":
            self.assertRegex(json.loads(text)["schema"], rf"^shufflebias\.{schema}/\d+$")
        elif form == "csv":
            rows = list(csv.reader(io.StringIO(text)))
            self.assertGreater(len(rows), 1)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        elif form == "svg":
            self.assertTrue("".join(xml.etree.ElementTree.fromstring(text).itertext()).strip())
        elif form == "html":
            page = xml.etree.ElementTree.fromstring(text)  # pages are XML as well
            self.assertTrue(page.findtext("head/title"))
            self.assertTrue("".join(page.find("body/main").itertext()).strip())
        else:
            self.assertIn(form, ("text", "markdown", "junit", "tap"), "add a reader of this format here")
            self.assertTrue(text.strip())

    def test_each_format_three_ways(self):
        for arguments, schema in RESULTS:
            forms = self.formats(arguments[0])
            self.assertLessEqual({"text", "markdown", "json", "html"}, set(forms), arguments)
            unknown = run([*arguments, "--format", "none"], ".")
            self.assertEqual((unknown.returncode, unknown.stdout), (2, ""))
            self.assertIn(f"unknown format 'none': use {', '.join(forms[:-1])} or {forms[-1]}\n", unknown.stderr)
            for form in forms:
                with self.subTest(arguments=arguments, form=form), tempfile.TemporaryDirectory() as folder:
                    quiet = [*arguments, "--quiet"] if "--quiet" in run([arguments[0], "--help", "all"], ".").stdout else arguments
                    written = run([*quiet, "--format", form], folder)
                    self.assertEqual(written.stderr, "")
                    self.check(form, schema, written.stdout)
                    run([*quiet, "--format", form, "-o", "file"], folder)
                    run([*quiet, "--export", f"{form}:export"], folder)
                    for name in "file", "export":
                        with open(os.path.join(folder, name), encoding="utf-8") as file:
                            self.assertEqual(timeless(file.read()), timeless(written.stdout), name)

    def test_costs(self):
        """Times differ from run to run, so only the form is compared."""
        forms = self.formats("bench")
        self.assertLessEqual({"text", "markdown", "json", "csv", "html"}, set(forms))
        with tempfile.TemporaryDirectory() as folder:
            exports = [word for form in forms for word in ("--export", f"{form}:{form}")]
            done = run(["bench", "naive", "--decks", "1000", "--quiet", *exports], folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for form in forms:
                with open(os.path.join(folder, form), encoding="utf-8") as file:
                    self.check(form, "bench", file.read())
            self.assertIn("medians over 1 deck. ns:", " ".join(run(["bench", "naive", "--decks", "1"], folder).stdout.split()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
