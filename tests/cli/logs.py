# SPDX-License-Identifier: GPL-3.0-or-later
"""Logs as games write them: where the deck is in a line, gzip data, playing cards, and what is said of wrong input.

Everything that is random here has a fixed seed."""
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE
import schema

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
LETTERS = [rank + suit for suit in "shdc" for rank in RANKS]
SYMBOLS = [rank + suit for suit in "\u2660\u2665\u2666\u2663" for rank in RANKS]
GLYPHS = [chr(0x1F0A0 + 16 * suit + place) for suit in range(4) for place in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14)]


def decks(n, count, seed=1):
    generator = random.Random(seed)
    return [generator.sample(range(n), n) for _ in range(count)]


def log(line, dealt, between=" ", names=None):
    """A line for each deck, which takes the place of DECK."""
    return "".join(line.replace("DECK", between.join(names[item] if names else str(item) for item in deck)) for deck in dealt)


FOUR, CARDS = decks(4, 400), decks(52, 80)
PLAIN = log("DECK\n", FOUR)
HANDS = [deck[:5] for deck in CARDS]
WHOLE, HAND = ("-n", "4"), ("-n", "52", "--deal", "5")
NO_ZLIB = b"a build without zlib" in subprocess.run([PROGRAM, "gate", "-"], input=gzip.compress(b"0 1\n"), capture_output=True,
                                                   check=False).stderr

# what is read, the options, and the plain text or the schemes with the same report
SAME = [
    (log("2026-11-23 game 7 deck: DECK end\nlogin 5 6\n\n", FOUR), ["--match", "deck: ([0-9 ]+)"], PLAIN, WHOLE),
    (log("game 7 deck: DECK\n", FOUR), ["--match", "game \\d+ deck: ((?:\\d ?){4})"], PLAIN, WHOLE),
    (log("joueur \xe9l\xe8ve: DECK\n", FOUR).encode("latin-1"), ["--match", "^joueur .*: ([[:digit:] ]{7})"], PLAIN, WHOLE),
    (log("2026-11-23T10:00 17 DECK\n", FOUR), ["--field", "3-"], PLAIN, WHOLE),
    (log("17 DECK 99\r\n", FOUR), ["--field", "2-5"], PLAIN, WHOLE),
    (log("17 DECK x\n", FOUR, ","), ["--field", "2"], PLAIN, WHOLE),
    (log("a;;DECK;b\n", FOUR), ["--field", "3", "--separator", ";"], PLAIN, WHOLE),
    (log("a\tDECK\tb\n", FOUR), ["--field", "2", "--separator", "\\t"], PLAIN, WHOLE),
    (log("DECK\n", FOUR, "-"), ["--field", "1-", "--separator", "-"], PLAIN, WHOLE),
    (log('{"game": 7, "deck": [DECK]}\n', FOUR, ", "), ["--json-path", ".deck"], PLAIN, WHOLE),
    (log('{"a": [0, {"deck": "DECK"}]}\n', FOUR), ["--json-path", ".a[1].deck"], PLAIN, WHOLE),
    (log('info {"d": [DECK]}\nwarning\n', FOUR, ","), ["--match", "^info (.*)", "--json-path", ".d"], PLAIN, WHOLE),
    (log("deal 7 DECK\nbid 8\n", FOUR), ["--match", "^deal (.*)", "--field", "2-"], PLAIN, WHOLE),
    (log('{"deck": ["DECK"]}\n', FOUR, '", "', "PQRS"), ["--json-path", ".deck", "--cards", "P Q R S"], PLAIN, WHOLE),
    (log('["DECK"]\n', FOUR, '", "', ["P.1", "P.2", "Q", "R"]), ["--json-path", ".", "--cards", "P.1 P.2 Q R"], PLAIN, WHOLE),
    (log("DECK\n", CARDS, " ", LETTERS), [], log("DECK\n", CARDS), ()),
    (log("DECK\n", CARDS, ", ", LETTERS).replace("10", "T").lower(), [], log("DECK\n", CARDS), ()),
    (log("DECK\n", CARDS, " ", LETTERS).upper(), ["--cards", " ".join(LETTERS).upper()], log("DECK\n", CARDS), ("-n", "52")),
    (log("DECK\n", CARDS, " ", SYMBOLS), [], log("DECK\n", CARDS), ()),
    (log("\ufeff[DECK]\n", CARDS[:1], " ", SYMBOLS) + log("[DECK]\r\n", CARDS[1:], " ", SYMBOLS), [], log("DECK\n", CARDS), ()),
    (log("DECK\n", CARDS, "", GLYPHS), [], log("DECK\n", CARDS), ()),
    (log("DECK # comment\n\n", HANDS, " ", GLYPHS), list(HAND), log("DECK\n", HANDS), HAND),
    (log("DECK.\n", HANDS, ", ", LETTERS), list(HAND), log("DECK\n", HANDS), HAND),
    (log('{"hand": ["DECK"]}\n', HANDS, '","', SYMBOLS), ["--json-path", ".hand", *HAND], log("DECK\n", HANDS), HAND),
    ("\ufeff" + PLAIN, [], PLAIN, WHOLE),
    ("\ufeff" + PLAIN.replace("\n", " "), ["--free", "-n", "4"], PLAIN, WHOLE),
    ("\ufeff" + log("DECK\n", FOUR, " ", "PQRS"), ["--free", "--cards", "P Q R S"], PLAIN, WHOLE),
]

# what is read, the options, the exit status, and what the one line on standard error holds
SLIPS = [
    ("", ["--field", "0"], 2, "--field 0: fields count from 1: use N, N- (up to the last) or N-M"),
    ("", ["--field", "x"], 2, "--field x: fields count from 1"),
    ("", ["--field", "3-1"], 2, "--field 3-1: "),
    ("", ["--separator", ";"], 2, "--separator: separates fields: say which with --field"),
    ("", ["--field", "1", "--separator", ""], 2, "--separator: must be one or more characters"),
    ("", ["--field", "1", "--json-path", ".a"], 2, "--field and --json-path exclude each other: use one of them"),
    ("", ["--match", "(x"], 2, "--match: '(x' is not a regular expression: missing closing parenthesis, at byte 2: correct it, and try it with 'grep -P'"),
    ("", ["--match", "x"], 2, "--match: 'x' has no group: put the deck into parentheses, as in 'deck: (.*)'"),
    ("", ["--match", "\\<(x)"], 2, "--match: '\\<' has this meaning only for grep -E: write \\b"),
    ("", ["--json-path", "deck"], 2, "--json-path deck: write keys and indices from 0, such as .deck or .hands[0].cards"),
    ("", ["--match", "(x)", "--free", "-n", "3"], 2, "--match: reads lines, which --free ignores: leave one of them out"),
    ("", ["--field", "1", "--input", "u8", "-n", "3"], 2, "--field: is for text: leave it or --input u8 out"),
    ("a\nb\n", ["--match", "deck (.*)"], 4, "standard input: none of 2 lines matches --match: try it with 'grep -P'"),
    ("0 1 a\n", ["--field", "4-"], 4, "standard input, line 1: there is no field 4, only 3: correct --field, or select the lines"),
    ("0;;1\n", ["--field", "2", "--separator", ";"], 4, "line 1: field 2 is empty"),
    (16 * '{"d": [0, 1]}\n' + '{"e": 1}\n', ["--json-path", ".d"], 4, "line 17: there is no .d: correct --json-path, or select"),
    ('{"d": 5}\n', ["--json-path", ".d"], 4, "line 1: the value of --json-path is a number: name an array of items, or a string"),
    ('{"d": [0, null]}\n', ["--json-path", ".d"], 4, "line 1: item 2 of the array is null: items are whole numbers or words"),
    ('{"d": [0, 1]}\n{"d": [0, 1}\n', ["--json-path", ".d"], 4, "line 2: it is not JSON, from byte "),
    ('["1:2","3"]\n', ["--json-path", "."], 4, "line 1: the item '1:2' is not one word: print one word"),
    ('["A|B","C"]\n', ["--json-path", ".", "--cards", "A B C"], 4, "line 1: the item 'A|B' is not one word: print one word"),
    ('{"d": [0, 1, 1]}\n', ["--json-path", ".d"], 4, "line 1: 1 comes twice, and "),
    ("deck: 0 1\n\ndeck: 1 1\n", ["--match", "deck: (.*)"], 4, "line 3: 1 comes twice, and 0 is missing"),
    ("deck: #1 #2 #3\ndeck: 3 1 2\n", ["--match", "deck: (.*)"], 4,
     "line 1: the deck '#1 #2 #3' is a comment: remove #, as with tr -d '#', or correct --match"),
    ("7 #1 #2 #3\n", ["--field", "2-"], 4, "line 1: the deck '#1 #2 #3' is a comment: remove #, as with tr -d '#', or correct --field"),
    (b"deck 0 1\ndeck 0\0 1\n", ["--match", "deck (.*)"], 4, "line 2: a control byte 0x00: print text, without NUL bytes"),
    (log("DECK\n", CARDS[:1], " ", LETTERS).replace("Ks", "As"), [], 4, "line 1: 'AS' comes twice, and 'KS' is missing: print each card"),
    (log("DECK Qs\n", CARDS[:1], " ", LETTERS), [], 4, "line 1: 53 cards instead of 52: print a deal a line"),
    (log("DECK\n", [deck[:36] for deck in CARDS[:1]], " ", LETTERS), [], 4,
     "line 1: 36 cards instead of 52: hands take --deal 36 -n 52; name the cards of another deck with --cards \"7S 8S ...\""),
    (log("DECK\n", HANDS, " ", LETTERS) + "As Ks 2s 3s 1s\n", HAND, 4, "line 81: '1s' is none of 52 playing cards: begin a header with #, or name all cards"),
    (log("DECK\n", HANDS, " ", LETTERS) + "\U0001F0CF As Ks 2s 3s\n", HAND, 4, "line 81: '\U0001F0CF' is none of 52 playing cards"),
    (log("DECK\n", HANDS, " ", LETTERS) + "A\u2660 K\u2660 2s 3s 4s\n", HAND, 4,
     "line 81: 'A\u2660' is in another notation: cards are written as As Kd 10h, as in the first line"),
    (log("DECK\n", HANDS, " ", SYMBOLS) + "As Ks 2s 3s 4s\n", HAND, 4, "line 81: 'As' is in another notation: cards are written as A\u2660"),
    (log("DECK\n", HANDS, " ", LETTERS) + "1 2 3 4 5\n", HAND, 4, "line 81: '1' is none of 52 playing cards"),
    ("\033[32m1 2 3\n", [], 4, "line 1: a control byte 0x1b, which begins a colour code: print without colours"),
    ("1 2 3\n".encode("utf-16"), [], 4, "line 1: this is UTF-16: convert it to UTF-8, as with 'iconv -f UTF-16 -t UTF-8'"),
    ("1 2 3\n".encode("utf-16"), ["--free", "-n", "3"], 4, "line 1: this is UTF-16: convert it to UTF-8"),
    ("1 2 3\n".encode("utf-16-le"), [], 4, "line 1: a control byte 0x00, as in UTF-16: print UTF-8 or ASCII"),
    (b"1 2 3\n" + gzip.compress(b"1 2 3\n"), [], 4, "line 2: a control byte 0x1f, which begins gzip data: only gzip data may come before"),
]


class Logs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return "./" + name

    def run_program(self, *arguments, data=b"", status=None):
        data = data if isinstance(data, bytes) else data.encode()
        done = subprocess.run([PROGRAM, *arguments], input=data, cwd=self.folder, capture_output=True, timeout=100, check=False)
        if status is not None:
            self.assertEqual(done.returncode, status, (arguments, done.stderr))
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def result(self, command, *options, data):
        """A command's JSON without the time of the last permutation."""
        status, printed, told = self.run_program(command, "--format", "json", *options, "-", data=data)
        self.assertIn(status, (0, 3), told)
        found = json.loads(printed)
        found.pop("last", None)
        return found

    def test_what_is_read(self):
        for data, options, plain, dealt in SAME:
            with self.subTest(options=options, data=data[:60]):
                for command in ("gate", "watch", "report"):
                    one, other = (self.result(command, *more, data=text) for more, text in ((options, data), (dealt, plain)))
                    for found in (one, other):  # the same findings, in other names
                        for each in found.get("gates", found.get("reports", [found])):
                            each.pop("items", None), each.pop("base", None)
                            for row in each.get("permutations", []):
                                del row["label"]
                    self.assertEqual(one, other)

    def test_a_file_of_json_lines_is_no_evidence(self):
        path = self.write("log.json", log('{"deck": [DECK]}\n', FOUR, ","))
        for command, status in (("gate", 3), ("watch", 0), ("report", 0)):
            self.assertIn("400 ", self.run_program(command, "--json-path", ".deck", path, status=status)[1])
            plain = self.write("plain.json", log('{"deck":[DECK]}\n', FOUR, ","))
            self.assertIn("400 ", self.run_program(command, plain, status=status)[1])  # the key is a title

    def test_a_followed_log(self):
        """Through a rotation: the old file is read to its end, then the new one."""
        half = len(FOUR) // 2
        line = '{"deck": [DECK], "n": 4}\n'
        self.write("game.log", log(line, FOUR[:half], ","))
        options = ("watch", "--follow", "./game.log", "--save", "saved", "--json-path", ".deck", "--format", "json", "--limit")
        self.assertEqual(json.loads(self.run_program(*options, "150", status=0)[1])["total"], 150)
        os.rename(os.path.join(self.folder, "game.log"), os.path.join(self.folder, "game.log.1"))
        self.write("game.log", log(line, FOUR[half:], ","))
        found = json.loads(self.run_program(*options, "250", status=0)[1])
        plain = json.loads(self.run_program("watch", "--format", "json", "-", data=PLAIN, status=0)[1])
        self.assertEqual((found["total"], found["tv_low"], found["tv_high"]), (400, plain["tv_low"], plain["tv_high"]))

    def test_what_is_refused(self):
        for data, options, status, line in SLIPS:
            with self.subTest(options=options, data=data[-60:]):
                _, printed, told = self.run_program("gate", *options, "-", data=data, status=status)
                self.assertEqual((printed, told.count("\n")), ("", 1), told)
                self.assertTrue(told.startswith("shufflebias gate: "))
                self.assertIn(line, told)

    def test_a_long_line_is_refused(self):
        """The cap is 2^27 bytes; 2^20 with --match (match_limits.py)."""
        child = subprocess.Popen([PROGRAM, "gate", "--field", "2", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            for _ in range(140):
                child.stdin.write(b"x" * 2 ** 20)
        except BrokenPipeError:
            pass
        child.stdin = None if child.stdin.close() else None
        printed, told = child.communicate()
        self.assertEqual((child.returncode, printed), (4, b""))
        self.assertEqual(told, b"shufflebias gate: standard input, line 1: the line is too long: end lines with newlines\n")

    def test_skipped_lines_are_counted(self):
        data = log("deck DECK\nlogin\n\n", FOUR)
        _, _, told = self.run_program("gate", "--match", "deck (.*)", "-", data=data, status=3)
        self.assertEqual(told, "subject: standard input: 400 of 800 lines do not match: they were skipped\n")

    @unittest.skipIf(NO_ZLIB, "a build without zlib")
    def test_gzip(self):
        """In a file, on standard input and from a command; members one after another, then plain text."""
        _, expected, _ = self.run_program("gate", "--format", "json", self.write("log", PLAIN))
        half = PLAIN.index("\n", len(PLAIN) // 2) + 1
        first, second = PLAIN[:half].encode(), PLAIN[half:].encode()
        for name, data in (("log.gz", gzip.compress(PLAIN.encode())), ("members", gzip.compress(first) + gzip.compress(second)),
                           ("mixed", gzip.compress(first) + second)):
            path = self.write(name, data)
            for subject in ([path], ["--", "cat", path]):
                _, printed, told = self.run_program("gate", "--format", "json", *subject)
                found, wanted = json.loads(printed), json.loads(expected)
                self.assertEqual((found["gates"][0]["looks"], told), (wanted["gates"][0]["looks"], ""))
            self.assertEqual(self.run_program("report", "--format", "json", "-", data=data)[1],
                             self.run_program("report", "--format", "json", "-", data=PLAIN)[1])
            self.assertIn("400 permutations", self.run_program("watch", path)[1])
        packed = gzip.compress(log("DECK\n", decks(52, 2000)).encode())
        for name, data, line in (
                ("short.gz", packed[:len(packed) // 2], "./short.gz: the gzip data ends too soon, after "),
                ("tail.gz", packed[:-1], " bytes of text in 2000 lines: was the file cut off?"),
                ("wrong.gz", packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:], "./wrong.gz: the gzip data is damaged after "),
                ("head.gz", packed[:2] + b"\7" + packed[3:], "./head.gz: the gzip data is damaged after 0 bytes of text in 0 lines: test it")):
            _, printed, told = self.run_program("gate", "--exclude", "0.001", self.write(name, data), status=4)
            self.assertEqual((printed, told.count("\n")), ("", 1))
            self.assertIn(line, told)

    @unittest.skipIf(NO_ZLIB, "a build without zlib")
    def test_a_watch_reads_rotated_logs(self):
        """The log of yesterday is compressed; that of today is followed by its lines."""
        form = ("--match", "deck: (.*)")
        self.write("game.log.1.gz", gzip.compress(log("7 deck: DECK\nlogin\n", FOUR).encode()))
        self.run_program("watch", "--save", "old", "./game.log.1.gz", *form, status=0)
        _, _, told = self.run_program("watch", "--save", "old", "./game.log.1.gz", status=4)
        self.assertIn("64 permutations", told)
        _, _, told = self.run_program("watch", "--follow", "./game.log.1.gz", *form, status=2)
        self.assertIn("./game.log.1.gz is gzip data, which does not grow: follow the log that is written", told)

    def test_a_watch_resumes_in_a_log(self):
        """The position is that of the log, whatever the lines hold; how lines are read is kept, and another way refused."""
        text = log("7 deck: DECK\nlogin, a longer line\n", FOUR)
        options = ("watch", "--save", "saved", "./game.log", "--format", "json")
        pair = len(text) // 400
        for decks_read, beyond in ((0, 3), (100, 0), (100, 5), (101, 20), (200, 17), (200, 30), (400, 0)):
            self.write("game.log", text[:decks_read * pair + beyond])
            status, printed, told = self.run_program(*options, "--match", "deck: (.*)")
            if decks_read:  # before, no line matches
                self.assertEqual((status, json.loads(printed)["total"]), (0, decks_read + (beyond > 15)), told)
        self.assertEqual(json.loads(self.run_program(*options, status=0)[1])["total"], 400)
        with open(os.path.join(self.folder, "saved"), encoding="utf-8") as file:
            saved = json.load(file)["options"]
        self.assertEqual([saved.get(key) for key in ("match", "json-path", "field", "separator")], ["deck: (.*)", None, None, None])
        schema.check(self, SOURCE, "evidence-1.json", os.path.join(self.folder, "saved"))
        _, _, told = self.run_program(*options, "--match", "x(.*)", status=2)
        self.assertIn("--match x(.*): differs from that of 'saved', deck: (.*): ", told)
        _, _, told = self.run_program(*options, "--field", "2", status=2)
        self.assertIn("--field 2: differs from that of 'saved', not given: ", told)

    def test_a_suite_has_the_same_keys(self):
        self.write("match.log", log("deck DECK\nlogin\n", FOUR))
        self.write("json.log", log('{"deck": [DECK]}\n', FOUR, ","))
        self.write("field.log", log("7;DECK\n", FOUR))
        suite = [{"name": "match", "file": "match.log", "match": "deck (.*)"}, {"name": "json", "file": "json.log", "json-path": ".deck"},
                 {"name": "field", "file": "field.log", "field": 2, "separator": ";"},
                 {"name": "fields", "file": "field.log", "field": "2-", "separator": ";"}]
        self.write("suite.json", json.dumps(suite))
        _, printed, told = self.run_program("gate", "--format", "json", "--suite", "suite.json", "--exclude", "0.4", "--quiet", status=0)
        self.assertEqual([gate["verdict"] for gate in json.loads(printed)["gates"]], ["pass"] * 4)
        self.assertIn(told, ("", "subject match: match.log: 400 of 800 lines do not match: they were skipped\n"))
        self.write("suite.json", json.dumps([{**suite[2], "field": True}]))
        _, _, told = self.run_program("gate", "--suite", "suite.json", status=2)
        self.assertIn("subject 1: key 'field': must be a number or a string", told)
        self.write("suite.json", json.dumps([{**suite[0], "match": "("}]))
        _, _, told = self.run_program("gate", "--suite", "suite.json", status=2)
        self.assertIn("subject 'match': --match: '(' is not a regular expression: ", told)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
