# SPDX-License-Identifier: GPL-3.0-or-later
"""The course: every lesson is built, well-formed and linked. Its figures are those of the reports, and its numbers
agree with other sources. Every command to try works. If the course cannot be written, no part of it is left behind."""
import base64
import collections
import hashlib
import itertools
import json
import math
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as tree
from fractions import Fraction

from program import PROGRAM, run, found

LESSONS = ["three-cards", "comparator", "modulo", "seed", "riffles", "chi-square", "how-many", "blind"]
MORE = ["teacher", "kit", "worksheet"]  # pages that are not lessons
FILES = sorted(name + ".html" for name in ["index", *LESSONS, *MORE])


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def contents(folder):
    return {name: read(folder, name) for name in os.listdir(folder)}


RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def plain(text):
    """The text with powers as the text format writes them: 1.6e6 for 1.6 × 10⁶."""
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub("(?:([0-9.]+) × |\\b)10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)",
                  lambda found: "%se%s" % (found[1] or "1", found[2].translate(RAISED)), text)


def words(element):
    return plain("".join(element.itertext()))


def ungrouped(text):
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)


def rows(table):
    return [[words(cell) for cell in row] for row in table.find("tbody")]


class Built(unittest.TestCase):
    """The course, built once for all."""

    @classmethod
    def setUpClass(cls):
        if hasattr(Built, "pages"):
            return
        base = tempfile.TemporaryDirectory()
        unittest.addModuleCleanup(base.cleanup)
        Built.base, Built.folder = base.name, os.path.join(base.name, "course")
        Built.done = run("lesson", Built.folder)
        assert not Built.done.stderr, Built.done.stderr
        Built.pages = {name: tree.fromstring(read(Built.folder, name + ".html").replace(
            b' xmlns="http://www.w3.org/2000/svg"', b"")) for name in ["index", *LESSONS, *MORE]}

    def text(self, name):
        return words(self.pages[name].find("body/main"))

    def table(self, name, title):
        """The rows of the one table on a page whose first column has that title, without the data of figures."""
        data = [table for figure in self.pages[name].iter("figure") for table in figure.iter("table")]
        (found,) = [table for table in self.pages[name].iter("table")
                    if table not in data and words(table.find("thead/tr")[0]) == title]
        return rows(found)


class Course(Built):
    def test_a_run_that_was_killed_leaves_the_folder_usable(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("index.html.shufflebias-a1B2c3", "modulo.html.shufflebias-new"):
                open(os.path.join(folder, name), "w", encoding="ascii").close()
            shutil.copy(os.path.join(self.folder, "seed.html"), folder)
            done = run("lesson", folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(contents(folder), contents(self.folder))

    def test_files_of_others_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(self.folder, "index.html"), folder)
            shutil.copy(os.path.join(self.folder, "index.html"), os.path.join(folder, "index.html.backup"))
            self.assertEqual(run("lesson", folder).returncode, 0)
            self.assertEqual(sorted(os.listdir(folder)), sorted([*FILES, "index.html.backup"]))

    def test_it_is_there(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        self.assertEqual(self.done.stdout, "%s/index.html: a course of %d lessons\n" % (self.folder, len(LESSONS)))
        self.assertEqual(sorted(os.listdir(self.folder)), FILES)

    def test_each_page_is_sound_and_asks_nobody(self):
        for name, page in self.pages.items():
            with self.subTest(page=name):
                text = read(self.folder, name + ".html")
                self.assertLess(len(text), 500000)
                if shutil.which("xmllint"):
                    self.assertEqual(subprocess.run(["xmllint", "--noout", "-"], input=text, capture_output=True).stderr, b"")
                ids = [element.get("id") for element in page.iter() if element.get("id")]
                self.assertEqual(len(ids), len(set(ids)))
                for element in page.iter():
                    self.assertFalse({"src", "style", "onload", "onclick"} & set(element.attrib), element.attrib)
                    self.assertNotIn(element.tag, ("img", "link", "iframe", "object", "image", "use"))
                self.assertNotRegex(text.decode(), r"url\(|@import")
                for figure in page.iter("figure"):
                    self.assertTrue(figure.findtext("svg/title") and figure.findtext("svg/desc"))
                    self.assertIsNotNone(figure.find(".//table"))
                (policy,) = [meta.get("content") for meta in page.iter("meta") if meta.get("http-equiv")]
                self.assertTrue(policy.startswith("default-src 'none';"))
                parts = re.findall(rb"<(style|script)>(.*?)</\1>", text, re.DOTALL)  # as a browser reads HTML, with CDATA
                self.assertEqual(len(parts), len([*page.iter("style"), *page.iter("script")]))
                for _, part in parts:
                    digest = base64.b64encode(hashlib.sha256(part).digest()).decode()
                    self.assertIn("'sha256-%s'" % digest, policy)
                self.assertEqual(len(list(page.iter("h1"))), 1)

    def test_links(self):
        targets = {name: [link.get("href") for link in page.iter("a") if "//" not in link.get("href")]
                   for name, page in self.pages.items()}
        self.assertEqual(targets["index"], [name + ".html" for name in LESSONS + MORE])
        self.assertEqual(targets["teacher"], [name + ".html" for name in ["index", "kit", *LESSONS]])
        self.assertEqual(targets["worksheet"], ["index.html"])
        self.assertEqual(targets["kit"], ["index.html", "teacher.html"])
        for before, name, after in zip([None, *LESSONS], LESSONS, [*LESSONS[1:], None]):
            self.assertEqual(targets[name], [each + ".html" for each in ("index", before, after) if each])

    def test_the_same_bytes_again(self):
        again = os.path.join(self.base, "again")
        self.assertEqual(run("lesson", "-o", again, "--threads", "1").returncode, 0)
        self.assertEqual(contents(again), contents(self.folder))

    def test_commands_to_try(self):
        for name in LESSONS:
            tries = self.pages[name].find(".//ul[@class='tries']")
            self.assertGreaterEqual(len(tries), 3)
            for one in tries:
                command = "".join(one.find("pre/code").itertext())
                with self.subTest(lesson=name, command=command):
                    self.assertTrue(command.startswith("shufflebias "))
                    said = re.search(r" Exit status (\d+)\.$", words(one))
                    done = run(*shlex.split(command)[1:])
                    self.assertEqual((done.returncode, done.stderr), (int(said[1]) if said else 0, ""))
                    self.assertTrue(done.stdout)


class Figures(Built):
    """Each has the numbers of the JSON of the same run."""

    def test_the_animation_has_exact_laws(self):
        laws = [law for law in self.pages["three-cards"].iter("span") if law.get("data-of")]
        self.assertEqual(len(laws), 4 * 9)  # n from 2 to 5, of nine shuffles
        for law in laws:
            done = run("report", law.get("data-scheme"), "-n", law.get("data-n"), "--by", "exact", "--format", "json")
            (report,) = json.loads(done.stdout)["reports"]
            self.assertEqual(law.get("data-of"), report["evidence"]["denominator"])
            self.assertEqual(law.get("data-counts").split(), report["evidence"]["counts"])

    def test_tiles(self):
        """n^n paths and n! orders: what each box holds, and what is left."""
        figures = [rows(figure.find(".//table"))[0] for figure in self.pages["three-cards"].iter("figure") if figure.get("class") == "of-tiles"]
        orders = {n: math.factorial(n) for n in range(2, 6)}
        self.assertEqual([[int(ungrouped(cell)) for cell in row] for row in figures], [row for n in orders for row in (
            [n ** n, orders[n], n ** n // orders[n], n ** n % orders[n]], [orders[n], orders[n], 1, 0])])

    def test_slides(self):
        """Each has its figures for all n, and one n is open."""
        least = {"three-cards": 3, "comparator": 3, "modulo": 3, "seed": 3, "riffles": 3, "blind": 3}
        for name in LESSONS:
            slides = self.pages[name].findall(".//div[@class='slide']")
            self.assertEqual(bool(slides), name in least)
            for slide in slides:
                numbers = [int(one.get("data-n")) for one in slide]
                self.assertEqual(numbers, list(range(least[name], max(numbers) + 1)))
                self.assertGreaterEqual(max(numbers), 6)
                self.assertEqual(len([one for one in slide if one.get("open")]), 1)
                for one in slide:
                    self.assertEqual(words(one.find("summary")), one.get("data-n") + " cards")
                    self.assertEqual({part.get("data-n") for part in one.findall("div/div")}, {one.get("data-n")})

    def test_one_scale_of_colours(self):
        """A cell's colour tells its deviation from the fair share, in every matrix of the course."""
        bounds = (0, .05, .2, .5, math.inf)
        for name, scheme, n, kind, data, figure in self.figures():
            if kind != "matrix" or name == "seed":
                continue
            cells = [cell.get("class") for cell in figure.findall(".//g/path")]
            values = [float(Fraction(value)) * int(n) - 1 for row in data for value in row[1:]]
            self.assertEqual(len(cells), len(values))
            for colour, value in zip(cells, values):
                if colour == "e" or abs(value) < 1e-4:  # the data have six digits
                    self.assertLess(abs(value), 1e-4)
                    continue
                self.assertEqual(colour[0], "o" if value > 0 else "u")
                level = int(colour[1])
                self.assertTrue(bounds[level - 1] - 1e-4 <= abs(value) <= bounds[level] + 1e-4, (scheme, n, colour, value))

    def figures(self):
        for name in LESSONS:
            for figure in self.pages[name].findall(".//div[@class='figures']/div"):
                scheme, n = re.fullmatch(r"(\S+) n = (\d+)", words(figure.find("p"))).groups()
                self.assertEqual((figure.get("data-scheme"), figure.get("data-n")), (scheme, n))
                (kind,) = set(figure.find("figure/svg").get("class").split()) - {"figure"}
                with self.subTest(lesson=name, scheme=scheme, n=n, figure=kind):
                    data = rows(figure.find("figure").find(".//table"))
                    yield name, scheme, n, kind, [[ungrouped(cell) for cell in row] for row in data], figure

    def test_figures(self):
        kinds = set()
        for name, scheme, n, kind, data, _ in self.figures():
            kinds.add(kind)
            if kind == "curve":
                looks = found("gate", scheme, "-n", n)["gates"][0]["looks"]
                self.assertEqual([int(row[0]) for row in data], looks["total"])
                for row, ln_e in zip(data, looks["ln_e"]):
                    self.assertAlmostEqual(float(row[1]), ln_e, delta=1e-8 * max(1, abs(ln_e)))
                continue
            by = ["exact"] if name != "seed" else ["seeds", "--seeds", "0..63"]
            (report,) = found("report", scheme, "-n", n, "--by", *by)["reports"]
            if kind == "tree":
                self.assertEqual([int(row[1]) for row in data],
                                 [order["paths"] for order in found("explain", scheme, "-n", n)["orders"]])
                self.assertEqual([Fraction(row[2]) for row in data],
                                 [Fraction(int(count), int(report["evidence"]["denominator"])) for count in report["evidence"]["counts"]])
            if kind == "bars":
                self.bars(data, int(n), report["evidence"]["counts"])
            elif kind == "matrix":
                self.matrix(data, report["matrix"])
        self.assertLessEqual({"tree", "bars", "matrix", "curve"}, kinds)

    def bars(self, data, n, counts):
        """All permutations, or ten of the likeliest, a line of dots and ten of the rarest."""
        ranks = {"".join(map(str, order)): rank for rank, order in enumerate(itertools.permutations(range(1, n + 1)))}
        seen = [row for row in data if row[0] in ranks]
        self.assertEqual(len(seen), min(len(ranks), 24 if len(ranks) <= 24 else 20))
        for row in seen:
            self.assertEqual(row[1].split("/")[0], str(counts[ranks[row[0]]]))
        if len(seen) < len(ranks):
            found = [int(counts[ranks[row[0]]]) for row in seen]
            every = sorted(map(int, counts), reverse=True)
            self.assertEqual(found, every[:10] + every[-10:])

    def matrix(self, data, exact):
        """A cell is the one farthest from fair of the block that begins where the titles say."""
        side, n = len(data), len(exact)
        for r, row in enumerate(data):
            for c, cell in enumerate(row[1:]):
                block = [Fraction(exact[i][j]) for i in range(r * n // side, (r + 1) * n // side)
                         for j in range(c * n // side, (c + 1) * n // side)]
                most = max(abs(share - Fraction(1, n)) for share in block)
                self.assertLess(min(abs(Fraction(cell) - share) for share in block if abs(share - Fraction(1, n)) >= most - Fraction(1, 10**6)), 1e-6)


class Numbers(Built):
    """What the texts say, against what is published or counted here."""

    def test_three_cards(self):
        counts = dict.fromkeys(itertools.permutations((1, 2, 3)), 0)
        for path in itertools.product(range(3), repeat=3):
            deck = [1, 2, 3]
            for i, j in enumerate(path):
                deck[i], deck[j] = deck[j], deck[i]
            counts[tuple(deck)] += 1
        text = self.text("three-cards")
        self.assertIn("3 × 3 × 3 = 27 series", text)
        self.assertIn("27 = 4 × 6 + 3", text)
        self.assertIn("4/5 as often as the likeliest", text)
        self.assertIn("With 2 cards there are 4 paths and 2 orders, and 2 of them lead to each", text)
        for order, count in counts.items():
            self.assertIn("%d%d%d has %d" % (*order, count), text)
        for row in self.table("three-cards", "cards"):
            n = int(row[0])
            numbers = [int(cell.replace(",", "")) for cell in row[1:4]]
            self.assertEqual(numbers, [n ** n, math.factorial(n), n ** n % math.factorial(n)])

    def test_comparator(self):
        self.assertIn("come up 6 1 2 1 1 5 of 16 times", self.text("comparator"))  # node's sort, data/articles/comparator.js
        self.assertIn("The likeliest order comes out 6 times in 16, and the rarest 1.", self.text("comparator"))
        sorts = self.table("comparator", "sort")
        listed = run("list", "shuffles").stdout
        self.assertEqual([row[0] for row in sorts], re.findall(r"^  (sort-[a-z-]+) ", listed, re.M))
        for name, three, *_ in sorts:
            (report,) = found("report", name, "--by", "exact")["reports"]
            self.assertEqual(three, " ".join(report["evidence"]["counts"]) + " of " + report["evidence"]["denominator"])

    def test_modulo(self):
        text = self.text("modulo")
        self.assertIn("32,768 = {:,} × 6 + {}".format(*divmod(32768, 6)), text)
        self.assertIn("each answer below 2 is made of 5,462 words, each other one of 5,461", text)
        self.assertIn("the first {:,} answers".format(32768 % 20000), text)
        self.assertIn("made of 3, 3 and 2 words of 8", text)
        table = {scheme: cells for scheme, *cells in self.table("modulo", "scheme")}
        (report,) = found("report", "fisher-yates/modulo:15", "-n", "52", "--by", "exact")["reports"]
        excess, distance, shuffles = table["fisher-yates/modulo:15"]
        self.assertAlmostEqual(float(distance) / report["effect"]["total_variation"], 1, delta=0.005)
        self.assertAlmostEqual(float(shuffles.replace(",", "")) / report["effect"]["shuffles_to_see"], 1, delta=0.005)
        self.assertEqual(table["fisher-yates/multiply:15"], table["fisher-yates/modulo:15"])
        self.assertEqual(table["fisher-yates/lemire:32"], ["0%", "0", "never"])
        # each draw below b has ceil(2^15/b) words for the likeliest answer
        likeliest = math.prod(-(-32768 // b) * b / 32768 for b in range(2, 53)) - 1
        self.assertAlmostEqual(float(excess.rstrip("%")), 100 * likeliest, delta=0.005)

    @staticmethod
    def of_microsoft(state):
        """The first deck of eight cards that Fisher-Yates makes of Microsoft's rand() with this seed."""
        deck = list(range(8))
        for last in range(7, 0, -1):
            state = (214013 * state + 2531011) % 2**32
            other = state >> 16 & 0x7FFF
            deck[last], deck[other % (last + 1)] = deck[other % (last + 1)], deck[last]
        return tuple(deck)

    def test_seed(self):
        text = self.text("seed")
        for n, orders, bits, reach in self.table("seed", "cards"):
            count = math.factorial(int(n))
            if "e" not in orders:
                self.assertEqual(int(orders.replace(",", "")), count)
            self.assertEqual(int(bits), (count - 1).bit_length())
            if reach == "all":
                self.assertLessEqual(count, 2 ** 32)
            else:
                self.assertAlmostEqual(float(ungrouped(reach).split()[-1]) / (count / 2 ** 32), 1, delta=0.005)
        self.assertIn("It takes 225.6 bits, so 226", text)
        decks = collections.Counter(map(self.of_microsoft, range(65536)))
        most = max(decks.values())
        self.assertIn("reach %s of the 40,320 orders of eight cards. The other %s orders never occur, and %d orders occur for %d seeds each" % (
            f"{len(decks):,}", f"{40320 - len(decks):,}", list(decks.values()).count(most), most), text)
        self.assertIn("48 = 311,875,200 possible deals", text)
        self.assertIn("82,137 decks", text)

    def test_riffles(self):
        """Bayer and Diaconis (1992), table 1; rising sequences by the recurrence of the Eulerian numbers."""
        table = self.table("riffles", "riffles")
        published = ["1.000", "1.000", "1.000", "1.000", "0.924", "0.614", "0.334", "0.167", "0.085", "0.043"]
        self.assertEqual([row[1] for row in table], published)
        euler = [1]
        for n in range(2, 53):
            euler = [(k + 1) * (euler[k] if k < n - 1 else 0) + (n - k) * (euler[k - 1] if k else 0) for k in range(n)]
        beyond = sum(euler[32:]) / math.factorial(52)  # euler[r - 1] orders have r rising sequences
        self.assertEqual([row[2] for row in table], ["nearly all"] * 4 + ["%.2f%%" % (100 * beyond)] + ["none"] * 5)
        self.assertIn("After 5 riffles there are at most 32", self.text("riffles"))

    def test_how_many(self):
        text = self.text("how-many")
        self.assertIn("That takes 2,366 shuffles", text)  # docs/plan.md
        self.assertIn("many fewer than 1,117", text)
        self.assertIn("on average, it takes at least this number of shuffles until", text)  # by Wald's identity: tests/cli/plan.py
        for samples, seen, passed in self.table("how-many", "shuffles"):
            plan = found("plan", "naive", "--samples", samples.replace(",", ""))
            (power,) = [test["power"] for test in plan["tests"] if test["test"] == "pearson"]
            self.assertEqual([seen, passed], ["%.2f%%" % (100 * power), "%.2f%%" % (100 * (1 - power))])
        for scheme in "naive", "fisher-yates":
            (gate,) = found("gate", scheme)["gates"]
            self.assertIn(" ".join(gate["sentence"].replace("`", "").split()), text)  # a page sets code in another font

    def test_blind(self):
        text = self.text("blind")
        self.assertIn("every cell is 1/4", text)
        uniform = [n for n in range(3, 9) if len({cell for row in found("report", "sort-merge", "-n", str(n), "--by", "exact")["reports"][0]["matrix"]
                                                  for cell in row}) == 1]
        self.assertIn("from 3 to 8 cards, its matrix is uniform for %s only" % " and ".join(map(str, uniform)), text)
        self.assertIn("deals only 4 of the 24 orders", text)
        self.assertIn("prefers 1234 to 1324, 2 to 1", text)
        zoo = found("zoo", "-n", "4")
        table = self.table("blind", "statistic")
        self.assertEqual([row[0] for row in table], zoo["statistics"])
        (position,) = [row for row in table if row[0] == "position"]
        self.assertEqual(position[1:3], ["never", "never"])
        titles = ["rotate", "sort-merge", "sattolo", "fisher-yates-stops-early", "cut"]
        for column, name in enumerate(titles, start=1):
            (shuffle,) = [each for each in zoo["shuffles"] if each["shuffle"] == name]
            for row, needed in zip(table, shuffle["needed"], strict=True):
                self.assertEqual(row[column], "never" if needed is None else "{:,}".format(int(needed)))


class Places(Built):
    """Where a course can be written, and what is left where it cannot."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name

    def path(self, *names):
        return os.path.join(self.place, *names)

    def refused(self, status, piece, *arguments, **options):
        done = run("lesson", *arguments, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(piece, done.stderr)
        self.assertRegex(done.stderr, r"\Ashufflebias lesson: [^\n]*\n\Z")
        self.assertEqual(done.stdout, "")

    def test_slips(self):
        self.refused(2, "name the folder to write to")
        self.refused(2, "name the folder to write to", "")
        self.refused(2, "--format: unknown option", "--format", "html", self.path("x"))
        self.refused(2, "one folder at a time: leave 'b' out", "a", "b", cwd=self.place)
        self.refused(2, "one folder at a time: leave 'b' out", "-o", "a", "b", cwd=self.place)
        self.refused(2, "cannot be written to standard output", "-o", "-", cwd=self.place)
        self.refused(2, "--threads 0", "--threads", "0", self.path("x"))
        self.refused(4, "cannot make the folder '%s': No such file" % self.path("no", "x"), self.path("no", "x"))
        self.assertEqual(os.listdir(self.place), [])

    def test_a_file_is_in_the_way(self):
        with open(self.path("course"), "w", encoding="ascii") as file:
            file.write("mine")
        self.refused(2, "'%s' is not a folder: name one that is new or empty" % self.path("course"), self.path("course"))
        self.refused(4, "Not a directory", self.path("course", "x"))
        self.assertEqual(read(self.path("course")), b"mine")

    def test_a_folder_with_something_else(self):
        os.mkdir(self.path("course"))
        for name, text in ("notes.txt", "mine"), ("index.html", "<title>mine</title>"):
            with open(self.path("course", name), "w", encoding="ascii") as file:
                file.write(text)
            before = contents(self.path("course"))
            self.refused(2, "contains files that are not an earlier course", self.path("course"))
            self.assertEqual(contents(self.path("course")), before)

    def test_an_empty_folder(self):
        os.mkdir(self.path("course"))
        self.assertEqual(run("lesson", self.path("course") + "/").returncode, 0)
        self.assertEqual(contents(self.path("course")), contents(self.folder))

    def test_an_earlier_course(self):
        """Its pages are replaced, and what else is in the folder stays."""
        shutil.copytree(self.folder, self.path("course"))
        for name in "notes.txt", "seed.html":
            with open(self.path("course", name), "a", encoding="ascii") as file:
                file.write("mine")
        self.assertEqual(run("lesson", self.path("course")).returncode, 0)
        self.assertEqual(contents(self.path("course")), {"notes.txt": b"mine", **contents(self.folder)})

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_no_permission(self):
        os.mkdir(self.path("closed"), 0o500)
        self.refused(4, "Permission denied", self.path("closed", "course"))
        self.refused(4, "Permission denied", self.path("closed"))

    @staticmethod
    def little():
        """No file may have more than 40 kB: some pages fit, others do not."""
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))

    def test_a_full_disk_leaves_no_half_course(self):
        self.refused(4, "File too large", self.path("course"), preexec_fn=self.little)
        self.assertEqual(os.listdir(self.place), [])
        shutil.copytree(self.folder, self.path("course"))
        self.refused(4, "cannot write '%s" % self.path("course"), self.path("course"), preexec_fn=self.little)
        self.assertEqual(contents(self.path("course")), contents(self.folder))

    def test_an_interrupt_leaves_no_half_course(self):
        """It comes once a page is begun; whether it is in time or not, there is a whole course or none."""
        for signals in 1, 2:
            with subprocess.Popen([PROGRAM, "lesson", self.path("course")], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as running:
                while running.poll() is None and not (os.path.isdir(self.path("course")) and os.listdir(self.path("course"))):
                    time.sleep(0.001)
                for number in range(signals):
                    time.sleep(0.3 * number)  # a second one counts a quarter of a second after the first
                    running.send_signal(signal.SIGINT)
                _, complaint = running.communicate(timeout=100)
            if running.returncode == 0:
                self.assertEqual(sorted(os.listdir(self.path("course"))), FILES)
                shutil.rmtree(self.path("course"))
            else:
                self.assertEqual(running.returncode, 130)
                self.assertRegex(complaint, r"\A(shufflebias lesson: [^\n]*\n)?\Z")
                self.assertEqual(os.listdir(self.place), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
