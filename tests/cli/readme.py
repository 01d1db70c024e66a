#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the README and the pages under docs/ are true and complete.

Every command in a `sh` block works, in a folder of the page's own with the program and `data` alone; blocks of other kinds
(`console`) are not run. Tables and sentences that repeat the program's output match it. Each page is on the map, each command has
a page, and each relative link leads somewhere.

Usage: readme.py SHUFFLEBIAS SOURCE
"""
import collections
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PAGES = {}
for folder in ("", "docs"):
    for name in sorted(os.listdir(os.path.join(SOURCE, folder))):
        if name.endswith(".md") and name != "CHANGELOG.md":
            with open(os.path.join(SOURCE, folder, name), encoding="utf-8") as file:
                PAGES[os.path.join(folder, name)] = file.read()
README, MAP = PAGES["README.md"], PAGES["docs/README.md"]
with open(os.path.join(SOURCE, "data", "wild", "results.md"), encoding="utf-8") as survey:
    WILD = survey.read()
PAGE_OF = {"list": "schemes", "merge": "long-runs"}  # commands whose page has another name


def blocks(page, kind):
    return [text for name, text in re.findall(r"^```(\w*)\n(.*?)^```$", page, re.M | re.S) if name == kind]


def text_of(page):
    """A page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", page, flags=re.M | re.S)


def links(page):
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)) if "://" not in link]


def anchors(page):
    """The names that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=100,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout


def commands():
    return sorted(set(re.findall(r"^  shufflebias ([a-z]+) ", run("--help"), re.M)))


def unwrapped(text):
    return " ".join(text.split())


def zoo(text):
    """The cells of a table of the zoo by shuffle and statistic; a legend below the table names its columns."""
    names = dict(re.findall(r"\b([a-z]) ([a-z][a-z-]+)(?=[,.])", unwrapped(text)))
    head, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    return {(row[0], names.get(letter, letter)): cell for row in rows for letter, cell in zip(head[1:], row[1:], strict=True)}


class Commands(unittest.TestCase):
    def test_the_two_commands_stand_alone(self):
        for command in ("sh setup.sh && build/shufflebias report", "sh setup.sh && meson test -C build"):
            self.assertIn(command + "\n", blocks(README, "sh"))

    def test_commands(self):
        tried = 0
        for path, page in PAGES.items():
            with tempfile.TemporaryDirectory() as folder:
                os.mkdir(os.path.join(folder, "build"))
                os.symlink(PROGRAM, os.path.join(folder, "build", "shufflebias"))
                os.symlink(os.path.join(SOURCE, "data"), os.path.join(folder, "data"))
                for command in "".join(blocks(page, "sh")).splitlines():
                    if "setup.sh" not in command:
                        tried += 1
                        with self.subTest(page=path, command=command):
                            self.command(command, folder)
        self.assertGreater(tried, 100)

    def command(self, command, folder):
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, timeout=100)
        said = re.search(r"# exit status (\d+)$", command)
        verdicts = r"(?m)^shufflebias gate: .*: (?:PASS|FAIL)  .*\n"  # of the subjects of a suite
        learned = r"(?m)^subject: standard input: the first lines name \d+ items, in sorted order: .*\n"
        self.assertEqual((done.returncode, re.sub(learned, "", re.sub(verdicts, "", done.stderr))), (int(said[1]) if said else 0, ""))
        self.assertTrue(done.stdout or "--export" in command or " -o " in command or command.startswith("rm "))


class Figures(unittest.TestCase):
    """What the pages show of the program's output."""

    def test_the_first_table(self):
        report = run("report", "naive")
        rows = re.findall(r"^\| (\d{3}) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", README, re.M)
        self.assertEqual(len(rows), 6)
        for row in rows:
            (line,) = [line for line in report.splitlines() if line.startswith(row[0] + " ")]
            for cell in row:
                self.assertIn(cell.replace(",", ""), line)

    def test_the_failure(self):
        """The sentence is of the same loop, built in; the program's random numbers are its own."""
        failure = unwrapped(run("gate", "naive"))
        for path in ("README.md", "docs/gate.md"):
            self.assertIn(unwrapped(re.search(r"^FAIL  .*? runs\.\n", PAGES[path], re.M | re.S)[0]), failure)

    def test_the_plan(self):
        plan = run("plan", "naive")
        for test in ("pearson", "likelihood-ratio", "matrix", "known-alternative"):
            (figure,) = re.findall(r"^\| %s \| ([\d,]+) \|" % test, PAGES["docs/plan.md"], re.M)
            self.assertRegex(plan.replace(",", ""), r"(?m)^%s +%s " % (test, figure.replace(",", "")))

    def test_small_p(self):
        """The chi-square law at 30 and 60 shuffles of three items, against the law of all counts. With five degrees of freedom the tail has a
        closed form (Abramowitz and Stegun, 26.4.4)."""
        def tail(x):
            return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)

        def law(cells, total):
            ways = {(0, 0): 1}  # by the shuffles used so far and the sum of the squares of their counts
            for cell in range(cells):
                more = collections.Counter()
                for (used, squares), weight in ways.items():
                    for count in range(total - used + 1) if cell < cells - 1 else [total - used]:
                        more[used + count, squares + count**2] += weight * math.comb(total - used, count)
                ways = more
            return {squares: weight / cells**total for (_, squares), weight in ways.items()}

        for total in (30, 60):
            chances = law(6, total)
            (row,) = re.findall(r"^\| %d \| \d+ \| (.*) \|$" % total, PAGES["docs/accuracy.md"], re.M)
            for shown, alpha in zip(row.split(" | "), (0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-9), strict=True):
                share = sum(p for squares, p in chances.items() if tail(6 * squares / total - total) <= alpha)
                self.assertEqual(shown, "%.2f" % (share / alpha))

    def test_the_values_of_moc_that_a_float_rounds_up(self):
        """moc computes `rand() / (float)RAND_MAX * (num - 1)`: where the quotient is 1, the last position is drawn."""
        def single(x):
            return struct.unpack("f", struct.pack("f", x))[0]

        largest = 2**31 - 1
        rounded = sum(single(single(value) / single(largest)) == 1 for value in range(largest - 999, largest + 1))
        self.assertIn("leaves out %d of 2^31 values" % rounded, WILD)

    def test_the_generator_of_glibc(self):
        """Which item reaches which position too rarely, and the mirror image in another program, of 52 items counted from 1."""
        cells = re.findall(r"[Ii]tem (\d+) reaches position (\d+) a fifth too rarely, both counted from 1", WILD)
        (item, position), mirrored = [tuple(map(int, cell)) for cell in cells]
        self.assertEqual(mirrored, (53 - item, 53 - position))
        self.assertIn("item %d at position %d came up" % (item, position), unwrapped(run("gate", "fisher-yates/multiply:31/glibc-rand", "-n", "52")))

    def test_blocks_of_output(self):
        """Each line of a block without a kind is one of the program's, on the pages that begin with a complete example."""
        for path, arguments in (("report", ["report", "naive"]), ("explain", ["explain", "naive"]), ("odds", ["odds", "naive", "123", "132", "312"]),
                                ("law", ["law", "descents", "-n", "5"]), ("deal", ["deal", "fisher-yates", "-n", "8", "--samples", "3"]),
                                ("schemes", ["list", "draws"])):
            shown = [line for block in blocks(PAGES["docs/%s.md" % path], "") for line in block.splitlines() if line.strip()]
            self.assertGreater(len(shown), 2)
            printed = run(*arguments)
            for line in shown:
                self.assertIn(line.strip(), printed, path)

    def test_the_zoo(self):
        """The tables at n = 8 and of hands of nine; that of 52 cards would take a minute."""
        with open(os.path.join(SOURCE, "tests", "bench", "zoo.md"), encoding="utf-8") as file:
            page = file.read()
        for title, options in (("Eight items", []), ("Hands of nine", ["-n", "52", "--deal", "9"])):
            shown = zoo(re.search(r"^## %s\n(.*?)^## " % title, page, re.M | re.S)[1])
            printed = zoo(run("zoo", *options, "--format", "markdown"))
            self.assertGreater(len(shown), 200)
            self.assertEqual(shown, {cell: printed.get(cell) for cell in shown})

    def test_every_shuffle_and_statistic_is_named(self):
        for family, path in (("shuffles", "docs/schemes.md"), ("draws", "docs/schemes.md"), ("formats", "docs/formats.md")):
            for name in re.findall(r"^  (\S+)", run("list", family), re.M):
                self.assertTrue("`%s`" % name in PAGES[path] or "  %s " % name in PAGES[path], f"{path} does not name '{name}': add it")
        pages = [PAGES[f"docs/{page}.md"] for page in ("law", "cards", "multisets", "report", "how-it-decides")]
        for name in re.findall(r"^  (\S+)", run("list", "statistics"), re.M):
            self.assertTrue(any("`%s`" % name in page for page in pages), f"docs/law.md does not name '{name}': add it")


class Pages(unittest.TestCase):
    def test_the_readme_is_short(self):
        self.assertLessEqual(len(README.splitlines()), 130)

    def test_the_pages_are_few(self):
        """3,500 lines, and none is written twice."""
        self.assertLessEqual(sum(len(page.splitlines()) for page in PAGES.values()), 3500)

    def test_each_page_is_on_the_map(self):
        of_commands = {PAGE_OF.get(command, command) + ".md" for command in commands()}
        for path in PAGES:
            if path.startswith("docs/") and path != "docs/README.md" and os.path.basename(path) not in of_commands:
                self.assertIn(os.path.basename(path), links(MAP))

    def test_each_command_has_a_page(self):
        self.assertGreater(len(commands()), 12)
        for command in commands():
            page = "docs/%s.md" % PAGE_OF.get(command, command)
            with self.subTest(command=command):
                self.assertTrue(PAGES[page].startswith("# " + command))
                self.assertIn("shufflebias " + command, "".join(blocks(PAGES[page], "sh")))

    def test_the_readme_leads_to_the_commands(self):
        rows = re.findall(r"^\| .* \| \[`(\S+)`\]\((\S+)\) \|$", README, re.M)
        self.assertGreater(len(rows), 12)
        for command, page in rows:
            self.assertIn(command, commands())
            self.assertEqual(page, "docs/%s.md" % PAGE_OF.get(command, command))

    def test_links(self):
        for path, page in PAGES.items():
            for link in links(page):
                with self.subTest(page=path, link=link):
                    file, _, anchor = link.partition("#")
                    to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
                    self.assertTrue(os.path.exists(os.path.join(SOURCE, to)))
                    if anchor:
                        self.assertIn(anchor, anchors(PAGES[to]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
