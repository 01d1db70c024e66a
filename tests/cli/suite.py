# SPDX-License-Identifier: GPL-3.0-or-later
"""Several subjects in one run: their file, how they share alpha, one table and one exit status.

Everything that is random here has a fixed seed."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE
import waiting

PYTHON = sys.executable
PASS, FAIL, USAGE, INCONCLUSIVE, BROKEN, INTERRUPTED = 0, 1, 2, 3, 4, 130

FAIR = {"name": "fair", "scheme": "fisher-yates", "exclude": 0.1}
UNFAIR = {"name": "unfair", "scheme": "naive", "n": 4}
SHORT = {"name": "short", "scheme": "fisher-yates", "limit": 20}
BAD = {"name": "bad", "command": ["sh", "-c", "echo 0 1 1"]}

# what the file holds, and what the one line on standard error must hold
SLIPS = [
    ("[", "s.json: line 1, column 1: "),
    ('[{"name": "a", "name": "b"}]', "s.json: line 1, column"),
    ("{}", "s.json: must be a list of 1 to 256 subjects"),
    ("[]", "must be a list of 1 to 256 subjects"),
    ([FAIR] * 300, "must be a list of 1 to 256 subjects"),
    ([FAIR, 3], "s.json: subject 2: must be an object"),
    ([{**FAIR, "max-bais": 0.1}], "s.json: subject 1: unknown key 'max-bais'; did you mean max-bias?"),
    ([{**FAIR, "alpha": 0.1}], "s.json: subject 1: unknown key 'alpha': use name, command, file, cwd, scheme, "),
    ([{**FAIR, "n": "3"}], "subject 1: key 'n': must be a number"),
    ([{**FAIR, "name": 3}], "key 'name': must be a string"),
    ([{"name": "a", "command": "true"}], "key 'command': must be a list of strings"),
    ([{"name": "a", "command": []}], "key 'command': must be a list of strings"),
    ([{"name": "a", "command": ["true", 1]}], "key 'command': must be a list of strings"),
    ([{"name": "a", "file": "-", "chained": 1}], "key 'chained': must be true or false"),
    ([{"scheme": "naive"}], "subject 1: has no name"),
    ([{**FAIR, "name": ""}], "subject 1: has no name"),
    ([{**FAIR, "name": "x" * 201}], "longer than 200 bytes"),
    ([{**FAIR, "name": "a\nb"}], "control character"),
    ('[{"name": "a\\u0000b", "scheme": "naive"}]', "s.json: line 1"),
    ([{"name": "a"}], "subject 1: has no subject"),
    ([{**FAIR, "file": "x"}], "subject 1: has more than one subject"),
    ([FAIR, FAIR], "two subjects are called 'fair'"),
    ([{**FAIR, "name": "a\x01"}, {**FAIR, "name": "a\x02"}], "two subjects are called 'a\ufffd'"),  # as results show them
    ([{**FAIR, "name": "::b"}, {**FAIR, "name": ": :b"}], "two subjects are called ': :b'"),
    ([FAIR, {**UNFAIR, "n": 1}], "s.json: subject 2 (unfair): -n 1: there is only one order"),
    ([{**UNFAIR, "n": 2.5}], "s.json: subject 1 (unfair): -n 2.5: must be a whole number"),
    ([{**UNFAIR, "exclude": 2}], "s.json: subject 1 (unfair): --max-bias 2: must be a number between 0 and 1"),
    ([{**UNFAIR, "exclude": 0.1, "limit": 0}], "(unfair): --limit 0"),
    ([{**UNFAIR, "input": "u8"}], "(unfair): --input: only goes with a command"),
    ([{**BAD, "seed": 1}], "(bad): --seed: only goes with a scheme"),
    ([FAIR, {"name": "typo", "scheme": "niave"}], "subject 'typo': unknown shuffle 'niave'; did you mean naive?"),
    ([{**BAD, "input": "u64"}], "subject 'bad': unknown input 'u64'"),
    ([{"name": "a", "file": "decks", "cwd": ""}], "key 'cwd': is empty: name a folder, or leave it out"),
    ([{"name": "a", "file": "-"}, {"name": "b", "file": "-"}], "2 subjects read standard input"),
    ([FAIR, {**UNFAIR, "tolerate": 0.2, "exclude": 0.1}], "subject 'unfair': tolerate = 0.2 is above max_bias = 0.1"),
    ([FAIR, {**BAD, "profile": "tarot"}], "subject 'bad': unknown profile 'tarot'"),
    ([FAIR, {**UNFAIR, "profile": "cards"}], "subject 'unfair': the profile cards is of 52 playing cards, not of 4"),
    ([FAIR, {**UNFAIR, "n": 2000000}], "subject 'unfair': n = 2000000 is too large"),
    ([FAIR, {**UNFAIR, "deal": 2, "increments": True}], "subject 'unfair': --increments needs whole permutations"),
    ([FAIR, {**UNFAIR, "seeds": 100}], "subject 'unfair': min_decks = 100: there are only 24 orders"),
    ([FAIR, {**UNFAIR, "n": 52, "seeds": 1000000, "limit": 100}], "more than the limit of 100"),
    ([FAIR, {**BAD, "input": "u8"}], "subject 'bad': --input u8 has no header"),
    ([FAIR, {**BAD, "free": True}], "subject 'bad': --free: say of how many items"),
    ([FAIR, {**BAD, "deal": 2}], "subject 'bad': --deal: say of how many items"),
    ([FAIR, {**BAD, "n": 3, "cards": "A B"}], "subject 'bad': --cards has 2 names, and -n is 3"),
]


class Suites(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, suite, *arguments, **options):
        with open(os.path.join(self.folder, "s.json"), "w", encoding="utf-8") as file:
            file.write(suite if isinstance(suite, str) else json.dumps(suite))
        return subprocess.Popen([PROGRAM, "gate", "--suite", "s.json", *arguments], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, **options)

    def run_suite(self, suite, *arguments, stdin=b""):
        child = self.start(suite, *arguments)
        output, complaint = child.communicate(stdin, timeout=100)
        return child.returncode, output.decode(), complaint.decode()

    def judge(self, suite, *arguments, stdin=b""):
        status, output, complaint = self.run_suite(suite, "--format", "json", *arguments, stdin=stdin)
        self.assertTrue(output, complaint)
        return status, json.loads(output)

    def test_slips(self):
        for suite, words in SLIPS:
            with self.subTest(words=words):
                status, output, complaint = self.run_suite(suite, "-o", "out")
                self.assertEqual((status, output), (USAGE, ""), complaint)
                self.assertIn(words, complaint)
                self.assertEqual(complaint.count("\n"), 1)
                self.assertEqual(os.listdir(self.folder), ["s.json"])
        for arguments, words in ((["naive"], "leave 'naive' or --suite out"), (["--jobs", "0"], "--jobs 0: must be"),
                                 (["--", "true"], "leave the command or --suite out"),
                                 (["--alpha", "1e-100"], "alpha and delta must be at least 1e-100 for each of 2 subjects")):
            status, _, complaint = self.run_suite([FAIR, UNFAIR], *arguments)
            self.assertEqual(status, USAGE)
            self.assertIn(words, complaint)
        done = subprocess.run([PROGRAM, "gate", "--suite", "/nonexistent"], capture_output=True, timeout=100)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn(b"/nonexistent: No such file or directory", done.stderr)
        done = subprocess.run([PROGRAM, "gate", "--suite", "/"], capture_output=True, timeout=100)
        self.assertEqual((done.returncode, done.stderr), (USAGE, b"shufflebias gate: cannot read '/': Is a directory\n"))

    def test_a_byte_order_mark(self):
        self.assertEqual(self.judge("\ufeff" + json.dumps([UNFAIR]))[0], 1)

    def test_the_worst_is_the_exit_status(self):
        for suite, status, verdict in (([FAIR], PASS, "pass"), ([FAIR, SHORT], INCONCLUSIVE, "inconclusive"),
                                       ([SHORT, UNFAIR, FAIR], FAIL, "fail"), ([UNFAIR, BAD, SHORT], BROKEN, "broken")):
            found, document = self.judge(suite)
            self.assertEqual((found, document["verdict"]), (status, verdict))
            self.assertEqual([gate["name"] for gate in document["gates"]], [one["name"] for one in suite])
        self.assertEqual(document["gates"][1]["verdict"], "broken")
        self.assertIn("line 1: ", document["gates"][1]["error"])

    def test_alpha_and_delta_are_shared(self):
        _, document = self.judge([FAIR, UNFAIR, SHORT, {**FAIR, "name": "more"}], "--alpha", "1e-4", "--delta", "1e-3")
        for gate in document["gates"]:
            self.assertAlmostEqual(gate["terms"]["alpha"], 2.5e-5, delta=1e-18)
            self.assertAlmostEqual(gate["terms"]["delta"], 2.5e-4, delta=1e-18)

    def test_a_subject_is_what_it_is_alone(self):
        """But for its name, with its share."""
        _, document = self.judge([FAIR, {**UNFAIR, "seed": 7, "tolerate": 0.001, "limit": 1e6}], "--alpha", "1e-4")
        alone = subprocess.run([PROGRAM, "gate", "naive", "-n", "4", "--seed", "7", "--tolerate", "0.001", "--limit", "1000000",
                                "--alpha", "5e-5", "--delta", "5e-7", "--format", "json"], capture_output=True, timeout=100)
        (gate,) = json.loads(alone.stdout)["gates"]
        gate["name"] = "unfair"
        self.assertEqual(document["gates"][1], gate)

    def test_results_do_not_depend_on_jobs(self):
        suite = [{"name": "%s %d" % (scheme, n), "scheme": scheme, "n": n, "exclude": 0.1}
                 for scheme in ("fisher-yates", "naive", "sattolo", "riffle:4") for n in (3, 4, 8)]
        suite.insert(3, BAD)
        suite.insert(0, {"name": "pipe", "command": [PYTHON, os.path.join(SOURCE, "data/subjects/naive.py"), "3", "5"]})
        one = self.judge(suite)
        self.assertEqual(one[0], BROKEN)
        self.assertEqual(one, self.judge(suite, "--jobs", "7"))

    def test_jobs_run_side_by_side(self):
        """Each waits until all four have begun: one after another they would wait in vain."""
        sociable = "touch begun.$0; until [ -e begun.0 -a -e begun.1 -a -e begun.2 -a -e begun.3 ]; do sleep 0.02; done; yes 0 1 2"
        status, document = self.judge([{"name": str(i), "command": ["sh", "-c", sociable, str(i)]} for i in range(4)], "--jobs", "4")
        self.assertEqual((status, document["verdict"]), (FAIL, "fail"))

    def test_every_way_to_read(self):
        def decks(scheme, n, samples, *options):
            return subprocess.run([PROGRAM, "deal", scheme, "-n", str(n), "--samples", str(samples), *options],
                                  capture_output=True, timeout=100).stdout
        with open(os.path.join(self.folder, "naive"), "wb") as file:  # a file, though a shuffle has this name
            file.write(decks("fisher-yates", 3, 30000))
        with open(os.path.join(self.folder, "bytes"), "wb") as file:
            file.write(decks("fisher-yates", 3, 30000, "--format", "u8"))
        cards = b"".join(b" ".join(b"ace king queen".split()[int(i)] for i in line.split()) + b"\n"
                         for line in decks("fisher-yates", 3, 30000).splitlines())
        status, document = self.judge([
            {"name": "text", "file": "naive"},
            {"name": "binary", "file": "bytes", "input": "u8", "n": 3},
            {"name": "free", "file": "naive", "free": True, "n": 3, "base": 0},
            {"name": "cards", "file": "-", "cards": "ace king queen"},
            {"name": "deal", "scheme": "fisher-yates", "n": 5, "deal": 2},
            {"name": "draws", "scheme": "fisher-yates", "draw": "lemire:32", "rng": "taus"},
        ], "--exclude", "0.1", stdin=cards)
        self.assertEqual(status, PASS, document)
        self.assertEqual([gate["subject"]["kind"] for gate in document["gates"]], ["file"] * 4 + ["scheme"] * 2)
        self.assertEqual(document["gates"][4]["deal"], 2)

    def test_the_command_line_holds_for_all_that_do_not_say(self):
        _, document = self.judge([FAIR, SHORT], "--exclude", "0.2", "-n", "4", "--limit", "1000000")
        self.assertEqual([(gate["terms"]["max_bias"], gate["n"], gate["terms"]["limit"]) for gate in document["gates"]],
                         [(0.1, 4, 1000000), (0.2, 4, 20)])

    def test_the_table(self):
        status, output, complaint = self.run_suite([FAIR, UNFAIR, BAD, SHORT], "--quiet", "--export", "markdown:t.md")
        self.assertEqual((status, complaint), (BROKEN, ""))
        self.assertTrue(output.startswith("BROKEN: of 4 subjects 1 passed, 1 failed, 1 left it open, 1 broke. Where all are "
                                          "fair, one fails\nwith probability 1e-09 at most.\n"), output)
        self.assertRegex(output, r"(?m)^fair +PASS +3 +[\d,]+ +")
        self.assertRegex(output, r"(?m)^bad +BROKEN ")
        self.assertLess(output.index("\nshort "), output.index("\nunfair\n"))
        self.assertIn("FAIL  the shuffle is not fair: ", output)
        with open(os.path.join(self.folder, "t.md"), encoding="utf-8") as file:
            self.assertIn("## unfair", file.read())

    def test_standard_error_says_whose_it_is(self):
        noisy = {"name": "noisy", "command": ["sh", "-c", "echo '::error::x' >&2; sleep 0.1; echo 0 1 2; exit 3"]}
        status, _, complaint = self.run_suite([noisy, FAIR], "--jobs", "2", "--quiet")
        self.assertEqual((status, complaint), (BROKEN, "subject noisy: : :error::x\n"))

    def test_the_page_shows_the_file(self):
        with open(os.path.join(SOURCE, "docs", "ci.md"), encoding="utf-8") as page, \
                open(os.path.join(SOURCE, "data", "subjects", "suite.json"), encoding="utf-8") as file:
            self.assertIn("```json\n%s```" % file.read(), page.read())

    def test_interrupt(self):
        """What is known is written, and no command is left running."""
        patient = ["sh", "-c", "echo 0 1 2; echo $$ >pid; sleep 1000"]
        child = self.start([FAIR, {"name": "waits", "command": patient}, {"name": "never", "command": ["sleep", "1000"]}],
                           "--format", "json")
        path = os.path.join(self.folder, "pid")
        waiting.until(lambda: os.path.exists(path) and os.path.getsize(path), "for the second subject")
        waiting.until_asleep(child)
        child.send_signal(signal.SIGINT)
        output, complaint = child.communicate(timeout=100)
        self.assertEqual(child.returncode, INTERRUPTED)
        self.assertRegex(complaint.decode(), r"\A.* fair: PASS  .*\n.* waits: INCONCLUSIVE  .* after 1 shuffle.*\n\Z")
        document = json.loads(output)
        self.assertTrue(document["interrupted"])
        self.assertEqual([gate["verdict"] for gate in document["gates"]], ["pass", "inconclusive", "broken"])
        with open(path, encoding="ascii") as file:
            self.assertFalse(waiting.alive(int(file.read())))

    def test_a_second_interrupt_ends_all_commands(self):
        stubborn = ["sh", "-c", "trap '' TERM INT; echo $$ >pid$1; sleep 1000", "sh"]
        child = self.start([{"name": i, "command": [*stubborn, i]} for i in "ab"], "--jobs", "2", "-o", "out")
        paths = [os.path.join(self.folder, "pid" + i) for i in "ab"]
        waiting.until(lambda: all(os.path.exists(path) and os.path.getsize(path) for path in paths), "for both subjects")
        waiting.interrupt_until_it_ends(child)
        child.communicate(timeout=100)
        self.assertEqual(child.returncode, INTERRUPTED)
        for path in paths:
            with open(path, encoding="ascii") as file:
                process = int(file.read())
            waiting.until(lambda: not waiting.alive(process), "something is still running")
        self.assertNotIn("out", os.listdir(self.folder))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
