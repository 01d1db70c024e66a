#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package as a project gets it: pip installs it offline into an environment of its own, and a pytest run in a folder of
its own has one fair and one biased shuffle. The library is found where the loader looks, or where pkg-config says.

Usage: install.py LIBRARY SOURCE
"""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

LIBRARY, SOURCE = map(os.path.abspath, sys.argv[1:3])
NEEDED = ("pip", "pytest", "setuptools", "venv", "wheel")
TESTS = """
import random
import pytest

@pytest.mark.fair_shuffle(n=5, max_bias=0.02)
def test_fair(deck):
    random.shuffle(deck)

@pytest.mark.fair_shuffle(n=5, max_bias=0.02)
def test_biased(deck):
    deck.sort(key=lambda card: random.randrange(3))
"""


class Installed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.python = os.path.join(self.folder, "environment", "bin", "python")
        self.run_here(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", "environment")
        shutil.copytree(os.path.join(SOURCE, "src", "python"), os.path.join(self.folder, "package"))
        self.run_here(self.python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--quiet", "./package")
        shutil.rmtree(os.path.join(self.folder, "package"))
        self.project = os.path.join(self.folder, "project")
        os.mkdir(self.project)
        with open(os.path.join(self.project, "test_shuffles.py"), "w", encoding="ascii") as file:
            file.write(TESTS)

    def run_here(self, *command, status=0, cwd=None, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SHUFFLEBIAS", "LD_LIBRARY"))}
        done = subprocess.run(command, cwd=cwd or self.folder, env={**clean, **environment}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=200)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def test_package(self):
        said = self.run_here(self.python, "-m", "pytest", status=1, cwd=self.project, LD_LIBRARY_PATH=os.path.dirname(LIBRARY))
        self.assertIn("1 failed, 1 passed", said)
        self.assertIn("FAIL  the shuffle is not fair: ", said)
        files = self.run_here(self.python, "-m", "pip", "show", "--files", "shufflebias")
        self.assertIn("shufflebias/py.typed", files)
        self.found_by_pkg_config()

    def found_by_pkg_config(self):
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        folder = os.path.join(self.folder, "lib")
        os.mkdir(folder)
        os.symlink(LIBRARY, os.path.join(folder, "libshufflebias.so.0"))
        with open(os.path.join(folder, "shufflebias.pc"), "w", encoding="ascii") as file:
            file.write(f"libdir={folder}\nName: shufflebias\nDescription: for the test\nVersion: 0\n")
        version = [self.python, "-c", "import shufflebias; print(shufflebias.version())"]
        self.assertRegex(self.run_here(*version, PKG_CONFIG_PATH=folder), r"^\d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    lacking = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if lacking:
        print("not installed: " + ", ".join(lacking))
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
