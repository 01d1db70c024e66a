# SPDX-License-Identifier: GPL-3.0-or-later
"""The output for CI systems: JUnit XML and TAP that parse whatever a subject prints, and GitHub's annotations.

Everything that is random here has a fixed seed."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from program import PROGRAM, SOURCE
from saving import Saving, sealed

SCHEMA = os.path.join(SOURCE, "data", "schema", "junit.xsd")
PYTHON = sys.executable
PASS, FAIL, INCONCLUSIVE, BROKEN = 0, 1, 3, 4
PERL = shutil.which("perl")

# What a subject does, in Python, and the exit status that comes of it. The first line is a sound one.
HOSTILE = {
    "NUL": (r"o(b'0 1 2\n0 \x00 1 2\n')", BROKEN),
    "escapes": (r"o(b'0 1 2\n\x1b[31m0 1 2\n')", BROKEN),
    "end of CDATA": (r"o(b'0 1 2\n]]> ]]>\n')", BROKEN),
    "a workflow command": (r"o(b'0 1 2\n::error::no\n')", BROKEN),
    "a directive of TAP": (r"o(b'0 1 2\n# SKIP # TODO\nnot ok 1 # TODO\n')", BROKEN),
    "invalid UTF-8": (r"o(b'0 1 2\n\xff\xfe\xc0\x80\xed\xa0\x80 0 1 2\n')", BROKEN),
    "what XML forbids": (r"o('0 1 2\n\ufffe\uffff\u0085\u202e 0 1 2\n'.encode())", BROKEN),
    "markup": (r"o(b'0 1 2\n<a b=\"c\">&d;</e>\n')", BROKEN),
    "a long line": (r"o(b'0 1 2\n' + b'7' * 3000000)", BROKEN),
    "a megabyte of stderr": (r"e(b'\x00]]>::error::\xff<&\x1b[0m\r\n' * 50000); o(b'0 1 2\n' * 300)", FAIL),
    "a death": (r"o(b'0 1 2\n'); sys.stdout.flush(); import os; os.kill(os.getpid(), 11)", BROKEN),
    "silence": (r"pass", BROKEN),
    "too few": (r"o(b'0 1 2\n1 2 0\n')", INCONCLUSIVE),
}
NAMES = ["::error::", "]]>", "a # SKIP b", "100%, no: <&\"'>", "\u00e9\u4e2d\ufffe\u202e", "back\\slash", "ok 1"]


def gate(*arguments, **options):
    return subprocess.run([PROGRAM, "gate", *arguments], capture_output=True, timeout=100, **options)


def hostile(program):
    return [PYTHON, "-c", "import sys; o, e = sys.stdout.buffer.write, sys.stderr.buffer.write\n" + program]


class Tap:
    """A reader of the Test Anything Protocol, version 13: what its specification allows, and nothing else."""

    def __init__(self, text):
        lines = text.split("\n")
        assert lines.pop() == "", "no line's end at the end"
        assert lines.pop(0) == "TAP version 13"
        while lines[0].startswith("# "):  # a title
            lines.pop(0)
        planned = re.fullmatch(r"1\.\.(\d+)", lines.pop(0))
        self.cases = []
        while lines:
            found = re.fullmatch(r"(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TODO)\b.*)?", lines.pop(0))
            assert found, "no line of TAP"
            failed, number, name, directive = found.groups()
            assert int(number) == len(self.cases) + 1
            about = {}
            if lines and lines[0] == "  ---":
                lines.pop(0)
                while (line := lines.pop(0)) != "  ...":
                    key, value = re.fullmatch(r"  (\w+): (.*)", line).groups()
                    about[key] = json.loads(value) if value.startswith('"') else value
            self.cases.append((not failed, re.sub(r"\\(.)", r"\1", name), directive, about))
        assert int(planned[1]) == len(self.cases), "the plan is another"


class Files(unittest.TestCase):
    """Whatever is on trial, both files parse, and say what the exit status does."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def read(self, name):
        with open(os.path.join(self.folder.name, name), encoding="utf-8", newline="") as file:  # strict
            return file.read()

    def check(self, *arguments, status):
        done = gate("--export", "junit:j.xml", "--export", "tap:t.tap", *arguments, cwd=self.folder.name)
        self.assertEqual(done.returncode, status, done.stderr[-500:])
        self.assertNotRegex(done.stderr, rb"(?m)^::|\x1b|\x00")
        junit, tap = self.read("j.xml"), self.read("t.tap")
        self.assertNotRegex(tap, "(?m)^::")
        self.check_schema()
        cases = self.junit(junit)
        self.assertEqual([(good, name, bool(directive)) for good, name, directive, _ in Tap(tap).cases], cases)
        if PERL:
            self.check_perl()
        verdicts = [good for good, name, _ in cases if name.endswith(": verdict")]
        self.assertEqual(all(verdicts), status == PASS)
        return junit, tap

    def check_schema(self):
        if not shutil.which("xmllint"):
            return
        done = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, "j.xml"], capture_output=True, cwd=self.folder.name,
                              timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)

    def check_perl(self):
        """Perl's own parser has no complaint."""
        script = ("use TAP::Parser; my $p = TAP::Parser->new({ source => 't.tap' }); 1 while $p->next; "
                  "print join('|', $p->parse_errors), ' ', $p->tests_run;")
        done = subprocess.run([PERL, "-e", script], capture_output=True, text=True, cwd=self.folder.name, timeout=100)
        if "Can't locate TAP/Parser.pm" not in done.stderr:
            self.assertEqual(done.stdout, " %d" % len(Tap(self.read("t.tap")).cases), done.stderr)

    def junit(self, text):
        """The cases as (passed, name, skipped), once the counts are seen to be right and the names unique."""
        root = xml.etree.ElementTree.fromstring(text)
        self.assertEqual(int(root.get("tests")), len(root.findall(".//testcase")))
        for parent in (root, *root):
            for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                if parent.get(attribute):
                    self.assertEqual(int(parent.get(attribute)), len(parent.findall(".//" + element)))
        cases = [(case.find("failure") is None and case.find("error") is None, case.get("name"),
                  case.find("skipped") is not None) for case in root.iter("testcase")]
        self.assertEqual(len({name for _, name, _ in cases}), len(cases))
        for case in root.iter("testcase"):
            self.assertTrue(case[0].text)
            if case[0].get("message"):
                self.assertTrue(case[0].text.startswith(case[0].get("message")))
        return cases

    def test_hostile_subjects(self):
        for what, (program, status) in HOSTILE.items():
            with self.subTest(what=what):
                self.check("--timeout", "30", "--", *hostile(program), status=status)

    def test_hostile_names(self):
        suite = [{"name": name, "scheme": "fisher-yates", "limit": 30} for name in NAMES]
        suite.append({"name": "last", "command": ["false"]})
        with open(os.path.join(self.folder.name, "s.json"), "w", encoding="utf-8") as file:
            json.dump(suite, file)
        junit, _ = self.check("--suite", "s.json", status=BROKEN)
        groups = [group.get("name") for group in xml.etree.ElementTree.fromstring(junit)]
        for name, group in zip(NAMES, groups):
            if "\u00e9" not in name and "::error" not in name:
                self.assertEqual(group, name)

    def test_hostile_command_lines(self):
        for words in (b"exit 3 # \xff\xfe\xc0\x80\xed\xa0\x80", b"exit 3 # ]]> \x1b[31m \x01\x7f", b"exit 3\n::error::\r\n<a&b>",
                      "exit 3 # \ufffe\uffff\u0085\u202e".encode()):
            with self.subTest(words=words):
                self.check("--", "sh", "-c", words, status=BROKEN)

    def test_verdicts(self):
        junit, tap = self.check("fisher-yates", "--exclude", "0.1", status=PASS)
        self.assertNotIn("<skipped", junit)
        self.assertNotIn("not ok", tap)
        junit, tap = self.check("naive", status=FAIL)
        root = xml.etree.ElementTree.fromstring(junit)
        body = {case.get("name"): case[0].text for case in root.iter("testcase")}
        self.assertIn("FAIL  the shuffle is not fair: ", body["naive: verdict"])
        self.assertRegex(body["naive: rank"], r"\n(?:123|132|213|231|312|321) came up [\d,]+ times instead of")
        self.assertEqual(root.find(".//failure").get("type"), "fail")
        self.assertIn("  severity: fail\n", tap)
        junit, tap = self.check("fisher-yates", "--limit", "50", status=INCONCLUSIVE)
        self.assertIn('type="inconclusive"', junit)
        self.assertIn("# SKIP", tap)

    def test_large_decks(self):
        junit, _ = self.check("sattolo", "-n", "52", status=FAIL)
        self.assertIn("sattolo: cycles", junit)

    def test_increments_have_names_of_their_own(self):
        junit, tap = self.check("fisher-yates", "--exclude", "0.1", "--increments", status=PASS)
        self.assertIn('"fisher-yates: position of increments"', junit)
        self.assertIn("fisher-yates: position of increments\n", tap)

    def test_the_same_stream_has_the_same_files(self):
        first = self.check("naive", "-n", "4", status=FAIL)
        self.assertEqual(first, self.check("naive", "-n", "4", status=FAIL))

    def test_reports_and_proofs(self):
        """A case for each report, and once for what was named twice."""
        prove = [PYTHON, os.path.join(SOURCE, "data", "adapters", "prove.py"), "4"]
        for command, good, bad in ((["report", "naive", "fisher-yates", "naive", "--samples", "1e5"], 2, 2),
                                   (["report", "naive", "--samples", "1e4", "--title", "]]> # SKIP \x01<&\">\n1..9"], 0, 2),
                                   (["report", "--samples", "1e4"], None, None),
                                   (["report", "naive", "--rng", "msvc-rand", "--by", "seeds", "--seeds", "0..99"], 0, 1),
                                   (["report", "-n", "2", "--samples", "1", "--by", "sample", "cut"], 0, 1),
                                   (["prove", "-n", "4", "--", *prove], 1, 0)):
            with self.subTest(command=command):
                split = command.index("--") if "--" in command else len(command)
                done = subprocess.run([PROGRAM, *command[:split], "--export", "junit:j.xml", "--export", "tap:t.tap",
                                       *command[split:]], capture_output=True, timeout=100, cwd=self.folder.name)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.check_schema()
                cases = self.junit(self.read("j.xml"))
                self.assertEqual([(passed, name) for passed, name, _, _ in Tap(self.read("t.tap")).cases],
                                 [(passed, name) for passed, name, _ in cases])
                if good is not None:
                    self.assertEqual([sum(passed for passed, _, _ in cases), len(cases)], [good, good + bad])

    def test_a_schema_that_says_no(self):
        if not shutil.which("xmllint"):
            self.skipTest("no xmllint here: install libxml2-utils")
        gate("naive", "--export", "junit:good.xml", cwd=self.folder.name)
        good = self.read("good.xml")
        for old, new in (('name="naive: rank"', 'name="naive: verdict"'), (' tests="', ' test="'), ("]</", "]]></"),
                         ('type="fail"', 'type="other"'), ("<failure", "<failing"), (">named", ">\x1bnamed"),
                         (' errors="0"', ""), ('message="', 'said="')):
            with open(os.path.join(self.folder.name, "j.xml"), "w", encoding="utf-8") as file:
                file.write(good.replace(old, new))
            if old in good:
                with self.subTest(new=new), self.assertRaises(AssertionError):
                    self.check_schema()


class GitHub(unittest.TestCase):
    def annotations(self, suite, **environment):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "s.json"), "w", encoding="utf-8") as file:
                json.dump(suite, file)
            done = gate("--suite", "s.json", "--github", cwd=folder,
                        env={**{k: v for k, v in os.environ.items() if k != "GITHUB_STEP_SUMMARY"}, **environment})
        return done, [line for line in done.stderr.decode().splitlines() if line.startswith("::")]

    def test_escapes(self):
        done, lines = self.annotations([
            {"name": "100%, no: way", "command": ["sh", "-c", "echo 0 1 2; echo '5% \r::warning::'"]},
            {"name": "fair", "scheme": "fisher-yates", "exclude": 0.2},
            {"name": "short", "scheme": "fisher-yates", "limit": 20}])
        self.assertEqual(done.returncode, BROKEN)
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], r"^::error title=shufflebias%3A 100%25%2C no%3A way::sh -c .*line 2: ")
        self.assertRegex(lines[0].split("::", 2)[2], r"5%25")
        self.assertRegex(lines[1], r"^::warning title=shufflebias%3A short::INCONCLUSIVE  .* after 20 shuffles")

    def test_at_most_ten(self):
        suite = [{"name": "n%d" % i, "command": ["false"]} for i in range(12)]
        self.assertEqual(len(self.annotations(suite[:10])[1]), 10)
        done, lines = self.annotations(suite)
        self.assertEqual((len(lines), lines[-1]), (10, "::error title=shufflebias::3 more subjects did not pass"))

    def test_one_subject(self):
        for arguments, status, kind in ((["naive"], FAIL, b"error"), (["fisher-yates", "--limit", "9"], INCONCLUSIVE, b"warning"),
                                        (["--", "false"], BROKEN, b"error")):
            done = gate("--github", *arguments, env={**os.environ, "GITHUB_STEP_SUMMARY": ""})
            self.assertEqual(done.returncode, status)
            self.assertRegex(done.stderr, rb"(?m)^::" + kind + rb" title=shufflebias%3A ")
        self.assertEqual(gate("fisher-yates", "--exclude", "0.2", "--github").stderr, b"")

    def test_summary(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "summary")
            with open(path, "w", encoding="utf-8") as file:
                file.write("before\n\n")
            suite = [{"name": "a|b", "scheme": "naive"}, {"name": "c", "command": ["false"]}]
            self.assertEqual(self.annotations(suite, GITHUB_STEP_SUMMARY=path)[0].returncode, BROKEN)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertTrue(text.startswith("before\n\n## shufflebias gate\n\n**BROKEN:** of 2 subjects 1 failed, 1 broke."))
            self.assertRegex(text, r"(?m)^\| a\\\|b \| FAIL \| 3 \| [\d,]+ \|")
            self.assertRegex(text, r"(?m)^\*\*c\*\* .*exited with status 1")
            with open(path, "w", encoding="utf-8") as file:
                file.write("x" * (2**20 - 100))
            done, lines = self.annotations(suite, GITHUB_STEP_SUMMARY=path)
            self.assertIn(b"longer than the 1 MiB that GitHub accepts", done.stderr)
            self.assertEqual((len(lines), os.path.getsize(path)), (2, 2**20 - 100))
            done, _ = self.annotations(suite, GITHUB_STEP_SUMMARY=os.path.join(folder, "no", "where"))
            self.assertEqual((done.returncode, done.stdout), (BROKEN, b""))
            self.assertIn(b"cannot write the summary", done.stderr)

    def test_the_largest_suite_fits(self):
        suite = [{"name": ("%d " % i + "*" * 200)[:200], "command": ["sh", "-c", "echo 0 1 2; echo '%s'" % ("<" * 900)]}
                 for i in range(256)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "summary")
            done, lines = self.annotations(suite, GITHUB_STEP_SUMMARY=path)
            self.assertEqual((done.returncode, len(lines)), (BROKEN, 10))
            self.assertGreater(os.path.getsize(path), 2**17)
            self.assertLess(os.path.getsize(path), 2**20)


class OutsideText(Saving):
    """Whatever outsiders call their cards, titles, files, subjects and commands: no format and no log has a command of a CI
    system, a control character, or a character that changes the writing direction or that nobody sees."""
    UNSEEN = "\x01\x1b\x7f\x85\x9b\xad\u034f\u061c\u200b\u200d\u200f\u2028\u202e\u2060\u2066\u206a\ufeff\uffff\U000e0041\U000e007f"
    NAMES = ["##vso[task.complete_result=Failed]", "##[error]x", "::error::x", "x##teamcity[y]", "\u00a0::stop-commands::x", "a\u202eb",
             "c\x85d", "e\u200bf", "g\U000e0041h", "i\ufeffj", "k\u2066l"]
    LETTERS = list("##vso[::err")  # each is harmless alone

    def harmless(self, text, where):
        text = text.decode() if isinstance(text, bytes) else text
        self.assertEqual([c for c in text if c in self.UNSEEN], [], where)
        self.assertNotRegex(text, r"##(vso)?\[|##teamcity", where)
        lines = [line for line in text.splitlines() if not line.startswith("::error title=shufflebias")]
        self.assertEqual([line for line in lines if line.lstrip("\u00a0 \t").startswith("::")], [], where)

    def all_harmless(self, command, *arguments, formats="text markdown json html svg junit tap", text=""):
        for form in formats.split():
            done = subprocess.run([PROGRAM, command, "--format", form, *arguments], input=text, capture_output=True, text=True, timeout=100,
                                  cwd=self.folder.name, env={**os.environ, "LC_ALL": "C.UTF-8"})
            self.assertIn(done.returncode, (0, 1, 3, 4), done.stderr)
            self.assertTrue(done.stdout + done.stderr)
            self.harmless(done.stdout + "\n" + done.stderr, (command, arguments, form))

    def matrix(self, names):
        count = len(names)
        rows = "".join('"%s",' % name + ",".join(str(60 + 9 * (i == j)) for j in range(count)) + "\n" for i, name in enumerate(names))
        return "name," + ",".join("p%d" % j for j in range(count)) + "\n" + rows

    def test_cards(self):
        names = [name.replace("#", ":") for name in self.NAMES]  # a # begins comments
        for cards in (names, [":", "v", "e", "r", "o", "a", "c", "k", "s", "i", "n"]):
            deal = "".join(" ".join(cards[:1] + random.Random(seed).sample(cards[1:], len(cards) - 1)) + "\n" for seed in range(400))
            self.all_harmless("gate", "--cards", " ".join(cards), "-", text=deal)
            self.all_harmless("report", "--cards", " ".join(cards), "-", text=deal, formats="text markdown json html svg csv")
        pairs = ": : e r r o r".split()
        self.all_harmless("report", "naive", "--cards", " ".join(pairs), "--samples", "1e4", formats="text markdown json html svg csv")

    def test_titles(self):
        for names in (self.NAMES, self.LETTERS):
            self.all_harmless("report", "--matrix", "-", text=self.matrix(names), formats="text markdown json html svg csv")
        for title in self.NAMES + ["x" * 99 + "::error::x"]:
            self.all_harmless("gate", "--title", title, "naive")
            self.all_harmless("report", "--title", title, "naive", "--samples", "1e4", formats="text markdown json html svg csv junit tap")

    def test_files_and_commands(self):
        for name in self.NAMES:
            self.put(name, "2 1 3\n" * 300)
            self.all_harmless("gate", "--github", name)
            self.all_harmless("report", name, formats="text markdown json html csv")
            self.all_harmless("gate", "--github", "--", "sh", "-c", "yes 2 1 3", name, formats="text json junit")
            self.all_harmless("gate", "--github", "--", "sh", "-c", "exit 3 # " + name, formats="text json junit tap")

    def test_evidence(self):
        """Whoever gives somebody evidence chose the names in it."""
        self.put("decks.txt", "2 1 3\n" * 300)
        self.call("gate", "--save", "file", "decks.txt", status=1)
        self.call("gate", "--save", "command", "--", "yes", "2 1 3", status=1)
        for kind in ("file", "command"):
            for name in self.NAMES:
                text, times = re.subn(r'("name": ")[^"]*', lambda found: found[1] + name, self.text(kind))
                self.assertEqual(times, 1)
                self.put("strange", sealed(text.replace("\x01", "\\u0001")))
                self.all_harmless("gate", "--github", "strange")

    def test_watches(self):
        for name in self.NAMES:
            self.put("log", "2 1 3\n" * 3000)
            self.all_harmless("watch", "--title", name, "log", formats="text markdown json html")
            self.all_harmless("watch", "--cards", "X Y " + name.replace("#", ":"), "-", formats="text json", text=("X Y %s\n" % name.replace("#", ":")) * 3000)
            done = subprocess.run([PROGRAM, "watch", "--title", name, "--metrics", "m.prom", "log"], capture_output=True, timeout=100, cwd=self.folder.name)
            self.harmless(done.stdout + self.text("m.prom").encode(), name)

    def test_json_keeps_the_text(self):
        """Its escapes stand for the same letters, so a run with such names resumes."""
        cards = "a\u202eb c\u200bd e\U000e0041f"
        self.put("decks.txt", "".join(" ".join(random.Random(seed).sample(cards.split(), 3)) + "\n" for seed in range(80)))
        self.call("gate", "--cards", cards, "--save", "saved", "decks.txt", status=3)
        self.harmless(self.text("saved"), "saved")
        self.assertEqual(json.loads(self.text("saved"))["options"]["cards"], cards)
        self.call("gate", "--cards", cards, "--save", "saved", "decks.txt", status=3)

    def test_what_is_needed_stays(self):
        """Variation selectors choose a plain or a coloured suit; letters and signs of any script stay."""
        names = "\u2660\ufe0f \u2665\ufe0e \u0645\u0631\u062d\u0628\u0627 \u4e2d List::Util"
        found = json.loads(subprocess.run([PROGRAM, "report", "naive", "--cards", names, "--samples", "1e4", "--format", "json"], capture_output=True,
                                          text=True, check=True, timeout=100).stdout)
        self.assertEqual(found["reports"][0]["items"], names.split())


if __name__ == "__main__":
    if not shutil.which("xmllint"):
        print("no xmllint here (libxml2-utils): the files are parsed, but not held against data/schema/junit.xsd")
    unittest.main(argv=sys.argv[:1])
