#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the packages repeat from the source agrees with it: libraries to build against, exported functions, Homebrew's
formula. The formula's `test` runs, if ruby is here. tests/packaging/run.sh builds the packages themselves.

Usage: packaging.py SHUFFLEBIAS SOURCE
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PROGRAM, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
PACKAGING = SOURCE / "data" / "packaging"
# What meson.build calls a library, its Debian package, and its Homebrew formula or resource
LIBRARIES = {"gsl": ("libgsl-dev", "gsl"), "gmp": ("libgmp-dev", "gmp"), "jansson": ("libjansson-dev", "jansson"),
             "libpcre2-8": ("libpcre2-dev", "pcre2"), "zlib": ("zlib1g-dev", "zlib"), "Random123": ("librandom123-dev", "random123")}
BUNDLED = {"threads", "mpi", "openmp"}  # of the C compiler, or optional and left out


def read(path):
    return path.read_text(encoding="utf-8")


def wanted():
    """The libraries that meson.build asks for."""
    text = read(SOURCE / "meson.build")
    names = set(re.findall(r"dependency\('([\w-]+)'", text)) | set(re.findall(r"has_header\('(\w+)/", text))
    return names - BUNDLED


class Libraries(unittest.TestCase):
    def test_all_are_known(self):
        self.assertLessEqual(wanted(), set(LIBRARIES), "name its packages in tests/house/packaging.py")

    def test_debian(self):
        control = read(PACKAGING / "debian" / "control")
        dockerfile = read(PACKAGING / "Dockerfile")
        for name in wanted():
            package = LIBRARIES[name][0]
            self.assertIn(" %s,\n" % package, control, "debian/control")
            self.assertRegex(dockerfile, r"\b%s\b" % package, "Dockerfile")
            self.assertIn(package, read(PACKAGING / "static.sh"), "static.sh, whose tarball has the library's licence")


class Symbols(unittest.TestCase):
    def test_all_functions_are_listed(self):
        declared = set(re.findall(r"^SB_API.*?\b(sb_[a-z0-9_]*)\(", read(SOURCE / "src" / "shufflebias.h"), re.M))
        listed = set(re.findall(r"^ (sb_\w+)@Base \d", read(PACKAGING / "debian" / "libshufflebias0.symbols"), re.M))
        self.assertEqual(declared, listed, "run sh data/packaging/symbols.sh")


class Formula(unittest.TestCase):
    @unittest.skipUnless(shutil.which("ruby"), "no ruby here")
    def test_formula(self):
        done = subprocess.run(["ruby", SOURCE / "tests" / "house" / "formula.rb", PACKAGING / "shufflebias.rb", PROGRAM],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        said = done.stdout.decode()
        self.assertEqual(done.returncode, 0, said)
        libraries = set(re.findall(r"^(?:depends|resource) (\w+)$", said, re.M))
        self.assertLessEqual({LIBRARIES[name][1] for name in wanted()}, libraries)
        options = re.search(r"^run meson setup build (.*)$", said, re.M)[1]
        for option in re.findall(r"-D(\w+)=", options):
            self.assertIn("option('%s'" % option, read(SOURCE / "meson_options.txt"))

    def test_release(self):
        done = subprocess.run(["sh", PACKAGING / "formula.sh", "https://example.org/home", "https://example.org/a-1.2.3.tar.gz",
                               SOURCE / "COPYING"], stdout=subprocess.PIPE, check=True)
        lines = done.stdout.decode().splitlines()
        self.assertIn('  url "https://example.org/a-1.2.3.tar.gz"', lines)
        # of the GNU General Public License's text, as sha256sum says
        self.assertIn('  sha256 "3972dc9744f6499f0f9b2dbf76696f2ae7ad8af9b23dde66d6af86c9dfb36986"', lines)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
