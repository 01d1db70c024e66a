# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages and figures: they are well-formed for hostile names and any n, stay below 500 kB, load nothing, and show
exactly the numbers of the JSON report. xmllint checks the form if it is installed, and otherwise Python's own
parser."""
import base64
import colorsys
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree
from fractions import Fraction

from program import PROGRAM, SOURCE

HOSTILE = "</title><script>alert(1)</script>&\"'<!-- ]]> \x1b[31m \x01\u202e\uffff.txt"


def run(*arguments, status=0, **options):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=100, **options)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


def parsed(text):
    """The document, by a parser that forgives nothing; without namespaces."""
    if shutil.which("xmllint"):
        done = subprocess.run(["xmllint", "--noout", "-"], input=text, capture_output=True)
        assert done.returncode == 0, done.stderr[:500]
    return tree.fromstring(text.replace(b' xmlns="http://www.w3.org/2000/svg"', b""))


RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def plain(text):
    """Powers as the text format writes them: 1.6e6 for 1.6 × 10⁶."""
    return re.sub("(?:([0-9.]+)\u00a0×\u00a0|\\b)10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)",
                  lambda found: "%se%s" % (found[1] or "1", found[2].translate(RAISED)), text)


def rows(table):
    """The body of a table as lists of texts, without the separators of numbers."""
    return [[re.sub(r"(?<=\d),(?=\d{3}\b)", "", plain("".join(cell.itertext()))) for cell in row]
            for row in table.find("tbody")]


def data(page, figure):
    """The tables of data of the figures of that name."""
    return [table for each in page.iter("figure") if figure in each.find("svg").get("class").split()
            for table in each.iter("table")]


class Html(unittest.TestCase):
    def both(self, *arguments, command="report", status=0):
        """A page and the JSON of one run."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            text = run(command, *arguments, "--format", "json", "--export", "html:" + path, status=status)
            with open(path, "rb") as file:
                return parsed(file.read()), json.loads(text)

    def test_bars_are_the_report(self):
        page, report = self.both("naive", "-n", "4", "--samples", "1e5")
        exact, sampled = report["reports"]
        (table,) = data(page, "bars")
        self.assertEqual(len(rows(table)), 24)
        for row, law, seen in zip(rows(table), exact["permutations"], sampled["permutations"]):
            self.assertEqual(row[0], law["permutation"])
            self.assertEqual(row[1], "%s/%s" % (law["count"], exact["evidence"]["denominator"]))
            self.assertAlmostEqual(float(row[2]), law["ratio"], delta=0.0000501)
            self.assertEqual(int(row[3]), seen["count"])
            self.assertAlmostEqual(float(row[5]), seen["ratio"], delta=0.0000501)
            low, high = map(float, row[6].split("–"))
            self.assertTrue(-1e-9 <= seen["low"] * 24 - low < 0.0001 and -1e-9 <= high - seen["high"] * 24 < 0.0001)

    def test_matrices_are_the_report(self):
        page, report = self.both("naive", "-n", "5", "--samples", "1e5")
        for table, one in zip(data(page, "matrix"), report["reports"], strict=True):
            for row, expected in zip(rows(table), one["matrix"], strict=True):
                self.assertEqual([Fraction(cell) for cell in row[1:]], [Fraction(cell) for cell in expected])

    def test_a_large_matrix_is_the_report(self):
        page, report = self.both("overhand", "-n", "52", "--samples", "1e4")
        (table,) = data(page, "matrix")
        for row, expected in zip(rows(table), report["reports"][0]["matrix"], strict=True):
            for cell, fraction in zip(row[1:], expected, strict=True):
                self.assertAlmostEqual(float(Fraction(cell)) * 52, float(Fraction(fraction)) * 52, delta=1e-3)

    def test_blocks_of_one_cell_are_probabilities_like_the_others(self):
        """48 blocks have one or two of the 70 items each: block b begins at item 70 b / 48."""
        samples, begins = 1000, [b * 70 // 48 for b in range(49)]
        page, report = self.both("naive", "-n", "70", "--by", "sample", "--samples", str(samples))
        (table,), counts = data(page, "matrix"), report["reports"][0]["matrix"]
        for r, row in enumerate(rows(table)):
            self.assertEqual(len(row), 49)
            for c, cell in enumerate(row[1:]):
                block = [counts[i][j] for i in range(begins[r], begins[r + 1]) for j in range(begins[c], begins[c + 1])]
                self.assertAlmostEqual(float(cell), sum(block) / len(block) / samples, delta=1e-6)

    def test_the_tree_is_the_report(self):
        """Its orders have the law's probability, as many paths as `explain` counts, and each path is drawn once."""
        for arguments in (["naive"], ["naive", "-n", "4"], ["sattolo", "-n", "4"], ["naive/modulo:2"],
                          ["splice", "-n", "4", "--deal", "2"], ["sort-heap", "-n", "4"]):
            with self.subTest(arguments=arguments):
                page, report = self.both(*arguments, "--by", "exact")
                law = report["reports"][0]["evidence"]
                told = json.loads(run("explain", *arguments, "--format", "json"))
                mass = {tuple(path["answers"]): Fraction(path["probability"]) for path in told["paths"]}
                (table,) = data(page, "tree")
                for row, order, count in zip(rows(table), told["orders"], law["counts"], strict=True):
                    answers = [tuple(map(int, path.split(","))) for path in row[3].split()]
                    self.assertEqual((row[0], int(row[1])), (order["order"], order["paths"]))
                    self.assertEqual(Fraction(row[2]), Fraction(int(count), int(law["denominator"])))
                    self.assertEqual(len(answers), order["paths"])
                    self.assertEqual(sum((mass.pop(path) for path in answers), Fraction(0)), Fraction(row[2]))
                self.assertEqual(mass, {})
                (tree_figure,) = [each for each in page.iter("svg") if "tree" in each.get("class").split()]
                orders = [each for each in tree_figure.iter("g") if each.get("class").startswith("order")]
                drawn = [sum(path.get("class") == "way" for path in order) for order in orders]
                if len(told["paths"]) > 64:  # bands, whose heights are the paths
                    drawn = [sum(map(float, re.findall(r"v([\d.]+)", order.find("path").get("d")))) * len(told["paths"]) / 210 for order in orders]
                self.assertEqual([round(each, 1) for each in drawn], [int(row[1]) for row in rows(table)])

    def test_no_tree_where_it_is_large(self):
        for arguments in (["naive", "-n", "5"], ["transpositions"], ["naive", "--by", "sample"]):
            page, _ = self.both(*arguments, "--samples", "1e3")
            self.assertEqual(data(page, "tree"), [])

    def test_effects_and_tests_are_the_report(self):
        page, report = self.both("naive", "--by", "exact")
        text = "".join(page.itertext())
        self.assertIn(report["reports"][0]["sentence"], text)
        self.assertIn("1/18 = 0.055556", text)

    def test_bars_and_curves_are_the_table(self):
        """The picture of a table has its numbers: the bars of a law, and the power curves of a plan."""
        page, law = self.both("inversions", "-n", "5", command="law")
        (bars,) = [each for each in page.iter("svg") if "lengths" in each.get("class")]
        widths = [float(each.get("width")) for each in bars.iter("rect") if each.get("class") == "u3"]
        for width, p in zip(widths, law["p"], strict=True):
            self.assertAlmostEqual(width / max(widths), p / max(law["p"]), delta=1e-4)
        page, plan = self.both("naive", command="plan")
        tests = [test["curve"] for test in plan["tests"] if test["curve"]]
        self.assertEqual([test["test"] for test in plan["tests"] if not test["curve"]], ["known-alternative"])
        (table,) = data(page, "lines")
        for k, row in enumerate(rows(table)):
            self.assertEqual(row, [str(plan["curve_samples"][k])[:-2], *("%.4f" % curve[k] for curve in tests)])
        (lines,) = [each for each in page.iter("svg") if "lines" in each.get("class")]
        for curve, trace in zip(tests, lines.iter("polyline"), strict=True):
            for power, point in zip(curve, trace.get("points").split(), strict=True):
                self.assertAlmostEqual(float(point.split(",")[1]), 66 + 180 * (1 - power), delta=0.02)

    def test_an_alarm_shows_its_orders(self):
        """As many of each as those the watch has seen until then, and how to go on."""
        page, _ = self.both("naive", "--limit", "5000", command="watch", status=1)
        (bars,) = data(page, "bars")
        total = int(rows(data(page, "curve")[0])[-1][0])
        seen = json.loads(run("report", "naive", "--by", "sample", "--samples", str(total), "--format", "json"))["reports"][0]
        self.assertEqual([int(row[1]) for row in rows(bars)], [each["count"] for each in seen["permutations"]])
        self.assertIn("shufflebias watch --limit 5000 --save watch.json naive", "".join(page.itertext()))

    def test_zoo_has_names_and_heat(self):
        page, zoo = self.both("-n", "4", "--samples", "1000", "--seeds", "1", command="zoo")
        table = next(page.iter("table"))
        self.assertEqual(["".join(each.itertext()) for each in table.find("thead/tr")][1:-1], zoo["statistics"])
        for row, shuffle in zip(table.find("tbody"), zoo["shuffles"], strict=True):
            heat = [sum(x is not None and x <= bound for bound in (100, 1000, 1e4, 1e5)) for x in shuffle["needed"]]
            self.assertEqual([int((cell.get("class") or "0")[-1]) if "heat" in (cell.get("class") or "") else 0 for cell in row[1:-1]], heat)

    def test_the_curve_is_the_gate(self):
        page, gate = self.both("naive", command="gate", status=1)
        (one,) = gate["gates"]
        (table,) = data(page, "curve")
        looks = one["looks"]
        for row, total, ln_e, high in zip(rows(table), looks["total"], looks["ln_e"], looks["tv_high"], strict=True):
            self.assertEqual(int(row[0]), total)
            self.assertAlmostEqual(float(row[1]), ln_e, delta=1e-8 * max(1, abs(ln_e)))
            self.assertAlmostEqual(float(row[3]), high, delta=1e-8)
        self.assertIn(one["sentence"].replace("`", "").split(": ")[1], plain("".join(page.itertext())))
        (counts,) = data(page, "bars")
        self.assertEqual([int(row[1]) for row in rows(counts)], one["counts"])

    def test_a_cell_says_what_was_seen(self):
        page, _ = self.both("naive", "--samples", "1e5")
        (matrix,) = [each for each in page.iter("svg") if "matrix" in each.get("class")]
        titles = [each.findtext("title") for each in matrix.iter("path")]
        self.assertEqual(len(titles), 9)
        self.assertRegex(titles[3], r"^item 2 at 1: 37\.037%, seen 3[67]\.\d+%, z \+2\d\.\d, fair 33\.333%$")

    def test_a_fair_sample_has_no_colour(self):
        """Each of 16 cells is called beyond its interval with probability 0.001/16 at most; the seed is fixed."""
        page, _ = self.both("fisher-yates", "-n", "4", "--by", "sample", "--samples", "1e5")
        (matrix,) = [each for each in page.iter("svg") if "matrix" in each.get("class")]
        self.assertEqual({each.get("class") for each in matrix.iter("path")}, {"e"})
        self.assertEqual(self.tints(page), ["within"] * 24)

    def test_a_failure_does_not_look_fair(self):
        """Each bar has the colour of what was observed. It is hatched, because none is certain by itself."""
        page, gate = self.both("naive", command="gate", status=1)
        counts = gate["gates"][0]["counts"]
        colours = [["o3" if 6 * count > sum(counts) else "u3", "hatch"] for count in counts]
        self.assertEqual(self.tints(page), sum(colours, []))
        (matrix,) = [each for each in page.iter("svg") if "matrix" in each.get("class")]
        self.assertNotIn("e", {each.get("class") for each in matrix.iter("path")})
        text = "".join(page.itertext())
        self.assertNotIn("0.0000", text)
        self.assertIn("above 0 and at most", text)

    def test_other_statistics_give_the_matrix_no_colour(self):
        """The positions of 52 cards after 7 riffles show nothing in so few decks: the rising sequences do."""
        page, _ = self.both("riffle:7", "-n", "52", command="gate", status=1)
        (matrix,) = [each for each in page.iter("svg") if "matrix" in each.get("class")]
        self.assertEqual({each.get("class") for each in matrix.iter("path")}, {"e"})
        self.assertIn("other statistics do", "".join(page.itertext()))

    def test_no_deviation_is_a_dot(self):
        page, _ = self.both("fisher-yates", "--by", "exact")
        (bars,) = [each for each in page.iter("svg") if "bars" in each.get("class")]
        self.assertEqual([each.get("class") for each in bars.iter("circle")], ["dot"] * 6)

    def tints(self, page):
        """The colours of the bars of a page."""
        return [path.get("class") for each in page.iter("svg") if "bars" in each.get("class") for path in each.iter("path")]

    def test_a_bar_has_a_colour_where_the_law_is_not_fair(self):
        """The least bias of a draw has one, and no bias has none."""
        for scheme in "naive", "fisher-yates/modulo:30", "fisher-yates":
            page, report = self.both(scheme, "--samples", "1e3")
            law = report["reports"][0]["evidence"]
            off = [6 * int(count) - int(law["denominator"]) for count in law["counts"]]
            self.assertEqual(self.tints(page), ["o3" if each > 0 else "u3" if each < 0 else "within" for each in off])

    def test_small_multiples_share_a_scale(self):
        """A bar of the same ratio has the same length on each card, and cards have no trees."""
        page = parsed(run("report", "--by", "exact", "--format", "html"))
        lengths = {}
        for figure in (each for each in page.iter("svg") if "bars" in each.get("class")):
            ratios = [text.text for text in figure.iter("text")][1::2]
            bars = [re.fullmatch(r"M([\d.]+) [\d.]+H([\d.]+)v\S+", path.get("d")) for path in figure.iter("path")]
            for ratio, bar in zip(ratios, filter(None, bars), strict=True):
                lengths[ratio] = float(bar[2]) - float(bar[1])
                self.assertAlmostEqual(lengths[ratio], 80 * max(-0.5, min(0.5, float(ratio) - 1)), delta=0.5)
        self.assertTrue({"0.00", "0.89", "1.00", "1.11", "3.00"} < set(lengths))
        self.assertEqual(data(page, "tree"), [])

    def test_bars_side_by_side_share_a_scale(self):
        """In one picture of several schemes, an orange bar of the same ratio has the same length."""
        page = parsed(run("report", "rotate", "sort-merge", "naive", "-n", "4", "--by", "exact", "--format", "svg", "--figure", "bars"))
        units = []
        for figure in (each for each in page.iter("svg") if "bars" in (each.get("class") or "")):
            for cell in (each for each in figure.iter("g") if each.get("class") == "cell"):
                ratio, bar = float(cell.findall("text")[-1].text), next(path for path in cell.iter("path"))
                begin, end = map(float, re.match(r"M([\d.]+) [\d.]+v?H?([\d.]+)", bar.get("d")).groups())
                if ratio > 1.1:
                    units.append((end - begin) / (ratio - 1))
        self.assertGreater(len(units), 10)
        self.assertLess(max(units) / min(units), 1.01)

    def test_a_block_shows_its_extreme(self):
        """The small matrix of 52 cards, by hand: a block of 2 x 2 cells has the colour of the cell that is farthest from fair.
        Sattolo's algorithm never leaves a card at its place. Fisher-Yates that stops before the last swap never has the
        first card on top."""
        others = ["naive", "naive-backward", "transpositions", "naive-no-self", "cut"]
        report = ["report", "sattolo", "fisher-yates-stops-early", "fisher-yates", *others, "-n", "52", "--by", "exact"]
        results = {each["subject"]["name"]: each for each in json.loads(run(*report, "--format", "json"))["reports"]}
        page = parsed(run(*report, "--format", "html"))
        self.assertIn("they show the one farthest from fair", "".join(page.itertext()))
        seen = 0
        for card in page.iter("article"):
            result = results["".join(card.find("h2").itertext())]
            off = [[52 * Fraction(share) - 1 for share in row] for row in result["matrix"]]
            found = {}
            (figure,) = [each for each in card.iter("svg") if "matrix" in each.get("class")]
            for path in figure.iter("path"):
                x, y, width, height = map(float, re.fullmatch(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z", path.get("d")).groups())
                for i in range(round(width / height)):
                    found[round((y - 1) / height), round((x - 1) / height) + i] = path.get("class")
            self.assertEqual(len(found), 26 * 26)
            for (row, column), tint in found.items():
                cells = [off[2 * row + i][2 * column + j] for i in (0, 1) for j in (0, 1)]
                most = max(abs(each) for each in cells)
                step = 1 + sum(most > Fraction(border) for border in ("0.05", "0.2", "0.5"))
                self.assertIn(tint, {("o" if each > 0 else "u") + str(step) for each in cells if abs(each) == most} if most else {"e"})
            seen += 1
            if result["subject"]["name"] == "sattolo":
                self.assertEqual({found[i, i] for i in range(26)}, {"u4"})
            if result["subject"]["name"] == "fisher-yates-stops-early":
                self.assertEqual([tint for tint in found.values() if tint != "e"], ["u4"])
        self.assertEqual(seen, 8)

    def test_blocks_of_a_fair_sample_have_no_colour(self):
        """Each picture of 52 cards has a coloured cell with probability 0.001 at most; 20 fixed seeds have none. The naive swap has many."""
        for scheme, seeds in (("fisher-yates", range(1, 21)), ("naive", [1])):
            for seed in seeds:
                sheet = parsed(run("report", scheme, "-n", "52", "--by", "sample", "--samples", "2e4", "--alpha", "0.001",
                                   "--seed", str(seed), "--format", "svg", "--figure", "matrix"))
                page = run("report", scheme, "-n", "52", "--by", "sample", "--samples", "2e4", "--seed", str(seed))
                tints = {path.get("class") for path in sheet.iter("path") if path.find("title") is not None}
                picture = set("".join(re.findall("\u2502(.*)\u2502", page.decode())))
                self.assertEqual((tints, picture) == ({"e"}, {"\u2592"}), scheme == "fisher-yates", (seed, tints, picture))

    def test_the_colours_have_their_names(self):
        """Orange and blue, light and dark: a caption names them."""
        with open(os.path.join(SOURCE, "src", "report", "html", "figure.css"), encoding="utf-8") as file:
            colours = re.findall(r"--([ou])[1-4]: #(\w{6})", file.read())
        self.assertEqual(len(colours), 16)
        for kind, colour in colours:
            hue, _, saturation = colorsys.rgb_to_hls(*(int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)))
            low, high = (24, 40) if kind == "o" else (200, 216)
            self.assertTrue(low <= 360 * hue <= high and saturation > 0.4, (kind, colour, 360 * hue, saturation))

    def test_the_overview_links_to_the_details(self):
        """Each scheme with details is linked from its card and from the table, and each subject from the table."""
        page = parsed(run("report", "--by", "exact", "--format", "html"))
        targets = [title.get("id") for title in page.find("body/main").iter("h2") if title.get("id")]
        self.assertGreater(len(targets), 15)
        cards = [link.get("href")[1:] for article in page.iter("article") for link in article.iter("a")]
        lines = [link.get("href")[1:] for table in page.iter("table") for link in table.iter("a")]
        self.assertEqual((sorted(cards), sorted(lines)), (sorted(targets), sorted(targets)))
        text = run("gate", "--suite", os.path.join(SOURCE, "data", "subjects", "suite.json"), "--format", "html", status=1, cwd=SOURCE)
        self.sound(text)
        page = parsed(text)
        first = next(page.iter("table"))
        self.assertEqual(len([link for link in first.iter("a")]), len(rows(first)))

    def test_form_and_size(self):
        for arguments in ([], ["-n", "4"], ["-n", "52", "--samples", "1e3"], ["naive", "-n", "60", "--samples", "1e3"],
                          ["naive", "-n", "200", "--samples", "100"], ["naive", "fisher-yates", "-n", "1"],
                          ["naive", "-n", "0"], ["naive", "-n", "2"], ["sattolo", "-n", "9"],
                          ["splice", "-n", "52", "--deal", "2", "--samples", "1e4"],
                          ["riffle", "-n", "13", "--by", "exact"],
                          ["naive", "--rng", "msvc-rand", "-n", "8", "--by", "seeds", "--seeds", "0..999"]):
            with self.subTest(arguments=arguments):
                text = run("report", "--quiet", *arguments, *([] if "--samples" in arguments or "--by" in arguments else ["--samples", "1e4"]), "--format", "html")
                self.assertLess(len(text), 500000)
                self.sound(text)
                parsed(run("report", *arguments, *(["--samples", "1e3"] if "--by" not in arguments else []), "--format", "svg"))

    def test_many_named_schemes(self):
        """Six in full; more than that as small multiples."""
        six = ["naive", "naive-backward", "naive-no-self", "overhand", "planet-poker", "sort-heap"]
        for schemes in (six, six * 7):
            text = run("report", *schemes, "-n", "4", "--samples", "1e3", "--format", "html")
            self.assertLess(len(text), 500000)
            self.sound(text)
            self.assertEqual(text.count(b"figure tree"), 6 * (schemes is six))
            self.assertEqual(b"no room here for the pictures of 10 more" in text, schemes is not six)

    def test_form_at_any_n(self):
        with tempfile.TemporaryDirectory() as folder:
            svg = os.path.join(folder, "matrix.svg")
            for n in (*range(1, 10), *range(10, 200, 17), 200):
                with self.subTest(n=n):
                    text = run("report", "naive", "-n", str(n), "--samples", "100", "--format", "html", "--export", "svg:" + svg)
                    self.assertLess(len(text), 500000)
                    self.sound(text)
                    with open(svg, "rb") as file:
                        parsed(file.read())

    def sound(self, text):
        """Nothing is asked of anybody, each figure is told in words and in a table, and no two ids are the same."""
        page = parsed(text)
        for element in page.iter():
            self.assertFalse({"src", "style", "onload", "onclick"} & set(element.attrib), element.attrib)
            self.assertNotIn(element.tag, ("img", "link", "iframe", "object", "image", "use"))
        self.assertNotRegex(text.decode(), r"url\(|@import|xmlns")
        for link in page.iter("a"):
            self.assertRegex(link.get("href"), r"^(https?://|#)\S+$")
            if link.get("href")[0] == "#":
                self.assertIn(link.get("href")[1:], [element.get("id") for element in page.iter()])
        ids = [element.get("id") for element in page.iter() if element.get("id")]
        self.assertEqual(len(ids), len(set(ids)))
        for figure in page.iter("figure"):
            svg = figure.find("svg")
            self.assertTrue(svg.findtext("title") and svg.findtext("desc"))
            self.assertIsNotNone(figure.find(".//table"))
        (policy,) = [meta.get("content") for meta in page.iter("meta") if meta.get("http-equiv")]
        self.assertTrue(policy.startswith("default-src 'none';"))
        for name in ("style", "script"):
            for element in page.iter(name):
                digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
                self.assertIn("'sha256-%s'" % digest, policy)

    def test_hostile_names(self):
        with tempfile.TemporaryDirectory() as folder:
            name = HOSTILE.replace("/", "\u2215")
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write("0 1 2\n1 0 2\n2 1 0\n" * 50)
            for command, status in ("report", 0), ("gate", 1):
                for kind in "html", "svg":
                    text = run(command, name, "--format", kind, status=status, cwd=folder)
                    self.assertNotIn(b"<script>alert", text)
                    self.assertIn("alert(1)", "".join(parsed(text).itertext()))
                    if kind == "html":
                        self.sound(text)

    def test_figures_by_name(self):
        for command, scheme, figure, status in (("report", "naive", "bars", 0), ("report", "naive", "matrix", 0),
                                                ("report", "naive", "tree", 0),
                                                ("gate", "naive", "curve", 1), ("gate", "naive", "matrix", 1)):
            page = parsed(run(command, scheme, "--format", "svg", "--figure", figure, status=status))
            self.assertEqual([svg.get("class") for svg in page.iter("svg")], ["sheet", "figure " + figure])
            self.assertEqual(page.findtext("text"), scheme + ", n = 3")
        for arguments in (["--format", "svg", "--figure", "pie"], ["--figure", "bars"]):
            run("report", "naive", *arguments, status=2)


class Documentation(unittest.TestCase):
    def test_the_figures_of_docs_formats_are_what_the_program_draws(self):
        with open(os.path.join(SOURCE, "docs", "formats.md"), encoding="utf-8") as file:
            page = file.read()
        commands = re.findall(r"^build/shufflebias (report .*) --export svg:(\S+)$", page, re.M)
        self.assertEqual(len(commands), 2)
        for arguments, path in commands:
            with self.subTest(path=path), tempfile.TemporaryDirectory() as folder:
                made = os.path.join(folder, "made.svg")
                run(*arguments.split(), "--export", "svg:" + made)
                kept = os.path.join(SOURCE, "docs", "figures", os.path.basename(path))
                self.assertIn("figures/" + os.path.basename(path), page)
                with open(made, "rb") as one, open(kept, "rb") as other:
                    self.assertEqual(one.read(), other.read())

    def test_the_picture_of_the_readme_is_what_the_program_draws(self):
        drawn = run("report", "naive", "--format", "svg", "--figure", "terminal")
        with open(os.path.join(SOURCE, "docs", "report.svg"), "rb") as kept:
            self.assertEqual(drawn, kept.read())
        words = ["".join(text.itertext()).strip() for text in tree.fromstring(drawn).iter()
                 if text.tag.endswith("text")]
        self.assertIn("132", [word.split()[0] for word in words if word])
        self.assertIn("By the exact law: biased.", words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
