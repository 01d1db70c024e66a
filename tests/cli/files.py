# SPDX-License-Identifier: GPL-3.0-or-later
"""Files whose decks are not one a line: JSON documents, bridge deals.

Each sample holds decks that this test shuffled with a fixed seed, and is laid out like files of its kind. It is read rightly if
every command finds in it what it finds in the plain lines of these decks."""
import json
import os
import random
import subprocess
import tempfile
import unittest

from program import PROGRAM

RANKS, SUITS = "A23456789TJQK", "SHDC"
PACK = [rank + suit for suit in SUITS for rank in RANKS]


def decks(n, count, deal=None, seed=1):
    generator = random.Random(seed)
    return [generator.sample(range(n), deal or n) for _ in range(count)]


def lines(dealt, between=" ", names=None):
    return "".join(between.join(names[item] if names else str(item) for item in deck) + "\n" for deck in dealt)


FOUR, LOTTERY, HOLE = decks(4, 300), decks(49, 200, 6), decks(52, 200, 2)
DRAWS = [{"date": f"2024-01-{i:03}", "numbers": [ball + 1 for ball in draw], "bonus": 7} for i, draw in enumerate(LOTTERY)]
LOTTO, TWO, WORDS = ["--deal", "6", "-n", "49", "--base", "1"], ["--deal", "2", "-n", "52"], ["--cards", "a b c d"]
LOTTO_LINES = lines([[ball + 1 for ball in draw] for draw in LOTTERY])
TABLES = [{"table": i, "players": [{"name": "x]", "cards": [PACK[card] for card in hand]} for hand in HOLE[i:i + 4]]} for i in range(0, 200, 4)]
ROUNDS = [{"rounds": [{"hands": HOLE[i:i + 2]}, {"hands": HOLE[i + 2:i + 4]}]} for i in range(0, 200, 4)]

# what is read, the options, the plain lines
JSON = [
    (json.dumps(DRAWS, indent=2), ["--json-path", ".numbers", *LOTTO], LOTTO_LINES),
    (json.dumps(DRAWS), ["--json-path", ".numbers", *LOTTO], LOTTO_LINES),
    (json.dumps(DRAWS), ["--json-path", "[*].numbers", *LOTTO], LOTTO_LINES),
    ("[" + ",\n ".join(map(json.dumps, DRAWS)) + "]\n", ["--json-path", ".numbers", *LOTTO], LOTTO_LINES),
    (json.dumps({"meta": {"n": 49}, "data": DRAWS}, indent=1), ["--json-path", ".data[*].numbers", *LOTTO], LOTTO_LINES),
    ("\ufeff" + "\r\n".join(json.dumps(draw, indent=4).replace("\n", "\r\n") for draw in DRAWS), ["--json-path", ".numbers", *LOTTO], LOTTO_LINES),
    (json.dumps([draw["numbers"] for draw in DRAWS], indent=2), LOTTO, LOTTO_LINES),
    (json.dumps([draw["numbers"] for draw in DRAWS]), LOTTO, LOTTO_LINES),
    (json.dumps([draw["numbers"] for draw in DRAWS]), ["--json-path", ".", *LOTTO], LOTTO_LINES),
    ("\n".join(json.dumps(draw["numbers"], indent=2) for draw in DRAWS), LOTTO, LOTTO_LINES),
    (json.dumps([" ".join(map(str, draw["numbers"])) for draw in DRAWS]), ["--json-path", "[*]", *LOTTO], LOTTO_LINES),
    (json.dumps([["abcd"[item] for item in deck] for deck in FOUR]), WORDS, lines(FOUR, names="abcd")),
    (json.dumps(TABLES, indent=2), ["--json-path", ".players[*].cards", *TWO], lines(HOLE, names=PACK)),
    ("\n".join(map(json.dumps, TABLES)), ["--json-path", ".players[*].cards", *TWO], lines(HOLE, names=PACK)),
    (json.dumps(ROUNDS), ["--json-path", "[*].rounds[*].hands[*]", *TWO], lines(HOLE)),
]

# what is read, the options, what the one line on standard error holds
SLIPS = [
    ('[\n {"a": [0, 1]},\n {"b": [0, 1]}\n]', ["--json-path", ".a"], "line 3: there is no .a: correct --json-path"),
    ('[{"a": [0, 1]},{"a": [0, 0]}]', ["--json-path", ".a"], "deck 2: 0 comes twice, and 1 is missing"),
    ('[\n {"a": [0, 1]}\n {"a": [0, 1]}\n]', ["--json-path", ".a"], "line 3: this array is not JSON: there must be one comma between its values"),
    ('[\n {"a": [0, 1]},\n {"a": [0, 1}\n]', ["--json-path", ".a"], "line 3: this value is not JSON, from its byte "),
    ('[\n {"a": [0, 1]},\n {"a": [0,', ["--json-path", ".a"], "line 3: the JSON ends within a value: was the file cut off?"),
    ('[\n {"a": [0, 1]},\n', ["--json-path", ".a"], "line 3: the JSON ends within an array: was the file cut off?"),
    ('[\n {"a": [0, 1]}\n]', [], "line 2: this is a JSON object: name the array of its items with --json-path, such as .a"),
    ('[{"a": [0, 1]}, {"a": [0, 1]}]\n', [], "is a JSON array of objects: name the array of their items with --json-path"),
    ('{\n "a": [0, 1]\n}\n', [], "'{' begins JSON of several lines: name the array of its items with --json-path"),
    ('[\n [0, 1.5]\n]', [], "line 2: item 2 of the array is not a whole number"),
    ('{"a": 5}', ["--json-path", ".a[*]"], "line 1: .a is a number: [*] stands for each item of an array"),
    ('x {"a": [[0, 1]]}', ["--match", "x (.*)", "--json-path", ".a[*]"], "line 1: [*] gives several decks a line: leave --match out"),
    ("[\n" + 17 * 1024 * ('"' + 1024 * "x" + '",'), ["--json-path", "."], "line 1: longer than 16,777,216 bytes"),
]


class Files(unittest.TestCase):
    def run_program(self, *arguments, data=""):
        done = subprocess.run([PROGRAM, *arguments], input=data.encode(), capture_output=True, timeout=100, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def result(self, command, *options, data):
        """A command's JSON, without what the items are called and the time of the last permutation."""
        status, printed, told = self.run_program(command, "--format", "json", *options, "-", data=data)
        self.assertIn((status, told), ((0, ""), (1, ""), (3, "")))
        found = json.loads(printed)
        found.pop("last", None)
        return found

    def same(self, data, options, plain, dealt, commands=("gate",)):
        for command in commands:
            self.assertEqual(self.result(command, *options, data=data), self.result(command, *dealt, data=plain))

    def refused(self, table):
        for data, options, line in table:
            with self.subTest(options=options, data=data[:60]):
                status, printed, told = self.run_program("gate", *options, "-", data=data)
                self.assertEqual((status, printed, told.count("\n")), (4, "", 1), told)
                self.assertIn(line, told)


class Json(Files):
    def test_what_is_read(self):
        for data, options, plain in JSON:
            with self.subTest(options=options, data=data[:60]):
                dealt = options[2:] if options[:1] == ["--json-path"] else options
                self.same(data, options, plain, dealt, ["watch"] if "[*]" in str(options) else ["gate"])
        self.same(json.dumps(FOUR), [], lines(FOUR), [], ["gate", "report", "watch"])

    def test_what_is_refused(self):
        self.refused(SLIPS)

    def test_the_file_of_the_issue(self):
        data = '[\n  {"numbers": [2, 5]},\n  {"numbers": [1, 9]}\n]\n'
        options = ["--json-path", ".numbers", "--deal", "2", "-n", "9", "--base", "1"]
        (report,) = self.result("report", *options, data=data)["reports"]
        self.assertEqual((report["n"], report["deal"], report["evidence"]["total"]), (9, 2, 2))

    def test_text_of_programs_is_no_json(self):
        """numpy prints no commas; a title and a label look like objects."""
        for data in ("[[0 1 2]\n [2 1 0]]\n", '[{"id": 0}, {"id": 2}, {"id": 1}]\n[{"id": 2}, {"id": 1}, {"id": 0}]\n'):
            self.same(data, [], "0 1 2\n2 1 0\n" if "id" not in data else "0 2 1\n2 1 0\n", [])

    def test_memory(self):
        """An array is read item by item: 40 MB of it take less than 100 MB with everything else."""
        data = "[" + ",\n".join(300_000 * ['{"x": "' + 100 * "y" + '", "a": [0, 1, 2]}']) + "]"
        done = subprocess.run(["sh", "-c", 'ulimit -v 200000; "$0" report --json-path .a --format json -', PROGRAM],
                              input=data.encode(), capture_output=True, timeout=100, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(json.loads(done.stdout)["reports"][0]["evidence"]["total"], 300_000)

    def test_a_saved_run(self):
        """A document has no positions: a watch recognises what it has read, and a gate resumes the recording."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "draws.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(DRAWS, file, indent=2)
            options = ["--json-path", ".numbers", *LOTTO, path, "--save", os.path.join(folder, "saved")]
            for _ in range(2):
                status, printed, told = self.run_program("gate", *options)
                self.assertEqual((status, told), (3, ""))
                self.assertIn("after 200 ", printed)
            status, _, told = self.run_program("watch", "--follow", path, *options[:-3])
            self.assertEqual(status, 2)
            self.assertIn("draws.json is a JSON document, which does not grow: follow the log", told)


if __name__ == "__main__":
    unittest.main(argv=["files.py"])
