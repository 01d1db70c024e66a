# SPDX-License-Identifier: GPL-3.0-or-later
"""Files whose decks are not one a line: JSON documents, bridge deals, poker hands. Items whose names have blanks, or are learned.

Each sample holds decks that this test shuffled with a fixed seed, and is laid out like files of its kind. It is read rightly if
every command finds in it what it finds in the plain lines of these decks."""
import csv
import io
import json
import os
import random
import subprocess
import sys
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


FOUR, LOTTERY, HOLE = decks(4, 300), decks(9, 200, 3), decks(52, 80, 2)
DRAWS = [{"date": f"2024-01-{i:03}", "numbers": [ball + 1 for ball in draw], "bonus": 7} for i, draw in enumerate(LOTTERY)]
LOTTO, TWO, WORDS = ["--deal", "3", "-n", "9", "--base", "1"], ["--deal", "2", "-n", "52"], ["--cards", "a b c d"]
LOTTO_LINES = lines([[ball + 1 for ball in draw] for draw in LOTTERY])
TABLES = [{"table": i, "players": [{"name": "x]", "cards": [PACK[card] for card in hand]} for hand in HOLE[i:i + 4]]} for i in range(0, 80, 4)]
ROUNDS = [{"rounds": [{"hands": HOLE[i:i + 2]}, {"hands": HOLE[i + 2:i + 4]}]} for i in range(0, 80, 4)]

# what is read, the options, the plain lines
JSON = [
    (json.dumps(DRAWS, indent=2), ["--json-path", ".numbers", *LOTTO], LOTTO_LINES),
    (json.dumps(DRAWS), ["--json-path", ".numbers", *LOTTO], LOTTO_LINES),
    (json.dumps(DRAWS), ["--json-path", "[*].numbers", *LOTTO], LOTTO_LINES),
    ("[" + ",\n ".join(map(json.dumps, DRAWS)) + "]\n", ["--json-path", ".numbers", *LOTTO], LOTTO_LINES),
    (json.dumps({"meta": {"n": 9}, "data": DRAWS}, indent=1), ["--json-path", ".data[*].numbers", *LOTTO], LOTTO_LINES),
    ("\ufeff" + "\r\n".join(json.dumps(draw, indent=4).replace("\n", "\r\n") for draw in DRAWS), ["--json-path", ".numbers", *LOTTO], LOTTO_LINES),
    (json.dumps([draw["numbers"] for draw in DRAWS], indent=2), LOTTO, LOTTO_LINES),
    (json.dumps([draw["numbers"] for draw in DRAWS]), LOTTO, LOTTO_LINES),
    (json.dumps([draw["numbers"] for draw in DRAWS]), ["--json-path", ".", *LOTTO], LOTTO_LINES),
    ("\n".join(json.dumps(draw["numbers"], indent=2) for draw in DRAWS), LOTTO, LOTTO_LINES),
    (json.dumps([" ".join(map(str, draw["numbers"])) for draw in DRAWS]), ["--json-path", "[*]", *LOTTO], LOTTO_LINES),
    (json.dumps([["abcd"[item] for item in deck] for deck in FOUR]), WORDS, lines(FOUR, names="abcd")),
    (json.dumps(TABLES, indent=2), ["--json-path", ".players[*].cards", *TWO], lines(HOLE, names=PACK)),
    ("\n".join(map(json.dumps, TABLES)), ["--json-path", ".players[*].cards", *TWO], lines(HOLE, names=PACK)),
    (json.dumps([{"queue": [{"id": f"i{item}", "pick": item} for item in deck]} for deck in FOUR], indent=1), ["--json-path", "[*].queue[*].pick"], lines(FOUR)),
    ("\n".join(json.dumps({"queue": [{"card": "abcd"[item]} for item in deck]}) for deck in FOUR), ["--json-path", ".queue[*].card", *WORDS], lines(FOUR, names="abcd")),
    ("\n".join(json.dumps([{"card": "abcd"[item]} for item in deck]) for deck in FOUR), ["--json-path", "[*].card", *WORDS], lines(FOUR, names="abcd")),
    (json.dumps([{"deck": " ".join("abcd"[item] for item in deck)} for deck in FOUR]), ["--json-path", "[*].deck", *WORDS], lines(FOUR, names="abcd")),
    (json.dumps([{"pick": "abcd"[item]} for deck in FOUR for item in deck], indent=1), ["--json-path", "[*].pick", "--deal", "1", *WORDS], "".join("abcd"[item] + "\n" for deck in FOUR for item in deck)),
    ("\n".join(json.dumps({"draw": [{"card": PACK[card]} for card in hand]}) for hand in HOLE), ["--json-path", ".draw[*].card", *TWO], lines(HOLE, names=PACK)),
    (json.dumps({"data": [{"deck": " ".join("abcd"[item] for item in deck)} for deck in FOUR]}), ["--json-path", ".data[*].deck", *WORDS], lines(FOUR, names="abcd")),
    (json.dumps({"data": [{"deck": " ".join(map(str, deck))} for deck in FOUR]}), ["--json-path", ".data[*].deck"], lines(FOUR)),
    (json.dumps({"data": ["".join(PACK[card] for card in hand) for hand in HOLE]}), ["--json-path", ".data[*]", *TWO], lines(HOLE, names=PACK)),
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
    ('{"q": [{"t": 0}, {"u": 1}]}', ["--json-path", ".q[*].t"], "there is no .q[*].t: correct --json-path"),
    ('{"q": [{"t": 0}, {"t": 0}]}', ["--json-path", ".q[*].t"], "deck 1: 0 comes twice, and 1 is missing"),
    ('{"q": []}', ["--json-path", ".q[*].t"], "ended without a permutation"),
    ('{"a": 5}', ["--json-path", ".a[*]"], "line 1: .a is a number: [*] stands for each item of an array"),
    ('x {"a": [[0, 1]]}', ["--match", "x (.*)", "--json-path", ".a[*]"], "line 1: [*] gives several decks a line: leave --match out"),
    ("[\n" + 17 * 1024 * ('"' + 1024 * "x" + '",'), ["--json-path", "."], "line 1: longer than 16,777,216 bytes"),
]


class Files(unittest.TestCase):
    def run_program(self, *arguments, data=""):
        done = subprocess.run([PROGRAM, *arguments], input=data.encode(), capture_output=True, timeout=100, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def result(self, command, *options, data):
        """A command's JSON, without the time of the last permutation."""
        status, printed, told = self.run_program(command, "--format", "json", *options, "-", data=data)
        self.assertIn((status, told), ((0, ""), (1, ""), (3, "")))
        found = json.loads(printed)
        found.pop("last", None)
        return found

    def looks(self, names, data):
        """The looks of a gate on lines with these names."""
        quoted = "|".join('"%s"' % name.replace('"', '""') for name in names)
        return self.result("gate", "--cards", quoted, data=data)["gates"][0]["looks"]

    def same(self, data, options, plain, dealt, commands=("gate",)):
        for command in commands:
            one, other = (self.result(command, *more, data=text) for more, text in ((options, data), (dealt, plain)))
            for found in (one, other):  # the same findings, in other names
                for each in found.get("gates", found.get("reports", [found])):
                    each.pop("items", None), each.pop("base", None)
            self.assertEqual(one, other)

    def refused(self, table):
        for data, options, line in table:
            with self.subTest(options=options, data=data[:60]):
                status, printed, told = self.run_program("gate", *options, "-", data=data)
                self.assertEqual((status, printed, told.count("\n")), (4, "", 1), told)
                self.assertIn(line, told)


SONGS = ["Blue Train", "So What", "Earth, Wind", "7\" \"Single\"", "Symphony #5", "Naïve [live]"]
QUOTED = ['"%s"' % song.replace('"', '""') for song in SONGS]
SIX = decks(6, 200)
LOG = [{"player": "x", "tracks": [SONGS[item] for item in deck]} for deck in SIX]


def csv_lines(dealt, head=()):
    text = io.StringIO()
    csv.writer(text).writerows([[*head, *(SONGS[item] for item in deck)] for deck in dealt])
    return text.getvalue()


# what is read, the names, further options
TITLES = [
    (lines(SIX, "|", SONGS), "|".join(SONGS), []),
    (lines(SIX, " ; ", SONGS), ";".join(SONGS), []),
    (lines(SIX, "|", SONGS), ", ".join(QUOTED), []),
    (lines(SIX, "\t", SONGS).replace("\n", "\r\n"), "\t".join(SONGS), []),
    (csv_lines(SIX), ",".join(QUOTED), []),
    (lines(SIX, ", ", QUOTED), ", ".join(QUOTED), []),
    ("# a comment\n\n" + lines(SIX, " | ", QUOTED).strip(), "|".join(QUOTED), []),
    (csv_lines(SIX, ["2024-01-01", "a, b"]), ",".join(QUOTED), ["--field", "3-"]),
    (lines(SIX, "|", SONGS).replace("\n", ";x\n"), "|".join(SONGS), ["--field", "1", "--separator", ";"]),
    (lines(SIX, "|", SONGS).replace("\n", ".\nskipped\n"), "|".join(SONGS), ["--match", r"^(.*\|.*)\.$"]),
    ("\n".join(map(json.dumps, LOG)), "|".join(SONGS), ["--json-path", ".tracks"]),
    (json.dumps(LOG, indent=1), ",".join(QUOTED), ["--json-path", "[*].tracks"]),
    ("\n".join(json.dumps({"queue": [{"title": title, "length": 200} for title in game["tracks"]]}) for game in LOG), "|".join(SONGS), ["--json-path", ".queue[*].title"]),
    ("\n".join(json.dumps([{"title": title, "length": 200} for title in game["tracks"]], indent=1) for game in LOG), "|".join(SONGS), ["--json-path", "[*].title"]),
    (lines(SIX, "|", SONGS).replace("\n", "|"), "|".join(SONGS), ["--free"]),
]
PYTHON = "".join(f"{[SONGS[item] for item in deck]}\n" for deck in SIX)

TITLE_SLIPS = [
    ("Blue Train|Naima\nBlue Train|Nama\n", ["--cards", "Blue Train|Naima"], "line 2: 'Nama' is none of the 2 names, which '|' separates: correct --cards"),
    ('Blue Train|"Naima\n', ["--cards", "Blue Train|Naima"], "line 1: a quotation mark is not closed"),
    ("Blue Train|Blue Train\n", ["--cards", "Blue Train|Naima"], "line 1: 'Blue Train' comes twice, and 'Naima' is missing"),
    ("Blue Train|Naima|Naima\n", ["--cards", "Blue Train|Naima"], "line 1: 3 names instead of 2"),
    ("Blue Train|\033[1mNaima\n", ["--cards", "Blue Train|Naima"], "line 1: a control byte 0x1b, which begins a colour code"),
]


class Titles(Files):
    def test_what_is_read(self):
        for data, names, options in TITLES:
            with self.subTest(names=names, options=options):
                status, printed, told = self.run_program("gate", "--format", "json", "--cards", names, *options, "-", data=data)
                self.assertIn(status, (0, 3), told)
                found = json.loads(printed)["gates"][0]
                wanted = self.result("gate", data=lines(SIX))["gates"][0]
                self.assertEqual((found["items"], found["looks"]), (SONGS, wanted["looks"]))
                self.assertEqual(told == "", "--match" not in options)

    def test_lists_of_python(self):
        """Its quotation marks are single, unless a title has one."""
        for data in PYTHON, PYTHON.replace("'Blue Train'", '"Rock \'n\' Roll"'):
            names = ",".join(QUOTED).replace("Blue Train", "Rock 'n' Roll" if "Rock" in data else "Blue Train")
            found = self.result("gate", "--cards", names, data=data)["gates"][0]
            self.assertEqual(found["looks"], self.result("gate", data=lines(SIX))["gates"][0]["looks"])

    def test_a_verdict_shows_titles(self):
        status, printed, _ = self.run_program("gate", "naive", "--cards", "Blue Train|So What|Naima")
        self.assertEqual(status, 1)
        self.assertIn("So What | Naima | Blue Train came up 780 times", " ".join(printed.split()))

    def test_long_titles(self):
        """Titles of up to 255 bytes that differ only at their ends; what is shown is cut."""
        long = [f"Symphony No. 9 in D minor, Op. 125, in the recording of 1962{170 * '.'}: movement {number}" for number in range(6)]
        found = self.result("gate", "--cards", "|".join(long), data=lines(SIX, "|", long))["gates"][0]
        self.assertEqual(found["looks"], self.looks(SONGS, lines(SIX, "|", SONGS)))
        for name in found["items"]:
            self.assertLessEqual(len(name), 63)
        status, _, told = self.run_program("gate", "--cards", "|".join(name + 30 * "." for name in long), "-")
        self.assertEqual(status, 2)
        self.assertIn("a name has 255 bytes at most", told)

    def test_what_is_refused(self):
        self.refused(TITLE_SLIPS)


WORDS = ["faith", "Angie", "Blackbird", "Ann_Lee", "spotify:track:4uLU6hMCjMI75M1A2tKUQC", "R2-D2"]
IDS = [1105, 103, 9, 20, 300, 41]

# what is read, the sorted names
LEARNED = [
    (lines(SIX, names=WORDS), sorted(WORDS)),
    (lines(SIX, ", ", WORDS), sorted(WORDS)),
    (lines(SIX, names=IDS and [str(number) for number in IDS]), [str(number) for number in sorted(IDS)]),
    ("# playlists\n\n" + lines(SIX, "|", SONGS), sorted(SONGS)),
    (csv_lines(SIX), sorted(SONGS)),
    (lines(SIX, "\t", SONGS), sorted(SONGS)),
    ("".join(f"{[WORDS[item] for item in deck]}\n" for deck in SIX), sorted(WORDS)),
    ("".join(f"{[SONGS[item] for item in deck]}\n" for deck in SIX).replace("7\" \"Single\"", "Seven"), sorted([*SONGS[:3], "Seven", *SONGS[4:]])),
    ("".join(json.dumps([WORDS[item] for item in deck]) + "\n" for deck in SIX), sorted(WORDS)),
]

NAMES = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]

# lines that are no whole decks of words keep their errors
UNLEARNED = [
    ("ace king queen\n", [], "line 1: no numbers in 'ace king queen': name items with --cards"),
    ("ace king queen\nace king ten\n", [], "line 1: no numbers in 'ace king queen'"),
    ("ace king queen\nace king queen ten\n", [], "line 1: no numbers in 'ace king queen'"),
    ("ace king king\nace king king\n", [], "line 1: no numbers in 'ace king king'"),
    ("Queue: Blue Train | So What\nQueue: So What | Blue Train\n", [], "line 1: no numbers in 'Queue Blue Train So What'"),
    ("Hal Smith, Bob Lee vs. Cy Fox\nBob Lee, Cy Fox vs. Hal Smith\n", [], "line 1: no numbers in 'Hal Smith Bob Lee vs Cy Fox'"),
    ("Ann: Bob Cid: Ann Bob: Cid\nAnn: Cid Cid: Bob Bob: Ann\n", [], "line 1: no numbers in 'Ann Bob Cid Ann Bob Cid'"),
    ("".join(f"deck {line}\n" for line in lines(decks(4, 12), names="pqrs").splitlines()), [], "line 1: no numbers in 'deck "),
    ("".join(f"{line} end\n" for line in lines(decks(4, 12), names="pqrs").splitlines()), [], "line 1: no numbers in '"),
    ("7 103 5\n103 5 9\n", [], "line 1: 7 is not in 1..3: name all items, as in --cards \"5 7 103\"; hands take --deal 3 -n N"),
    ("ace king\nking ace\n", ["-n", "3"], "line 1: no numbers in 'ace king'"),
]


class Learned(Files):
    def test_names_are_learned(self):
        """From the first lines of whole decks, sorted by bytes, or by value. The findings are those of the lines with these names."""
        for data, names in LEARNED:
            with self.subTest(data=data[:60]):
                status, printed, told = self.run_program("gate", "--format", "json", "-", data=data)
                self.assertIn(status, (0, 3), told)
                self.assertRegex(told, "^subject: standard input: the first lines name 6 items, in sorted order: .*\n$")
                found = json.loads(printed)["gates"][0]
                self.assertEqual(found["items"], names)
                listed = SONGS if SONGS[0] in names else [str(name) for name in IDS] if "9" in names else WORDS
                listed = [name if name in names else "Seven" for name in listed]
                self.assertEqual(found["looks"], self.looks(names, lines(SIX, "|", listed)))

    def test_letters(self):
        """A word of different letters or digits is a deck; with names, letters may come twice."""
        for letters in "TOLZIJS", "4213", "aB3xY9kq":
            dealt = decks(len(letters), 300)
            words = lines(dealt, "", letters)
            named = ["--cards", " ".join(sorted(letters))]
            plain = self.result("gate", *named, data=lines(dealt, " ", letters))["gates"][0]["looks"]
            status, printed, told = self.run_program("gate", "--format", "json", "-", data=words)
            self.assertIn("the first lines name %d items, in sorted order: %s" % (len(letters), "".join(sorted(letters))), told)
            self.assertEqual((status, json.loads(printed)["gates"][0]["looks"]), (3, plain))
            self.assertEqual(self.result("gate", *named, data=words)["gates"][0]["looks"], plain)
        numbers = [deck for deck in decks(400, 20) if deck[0] > 99]  # "123 7 ..." is no word of three digits
        self.assertEqual(self.result("gate", "--limit", "9", data=lines(numbers))["gates"][0]["total"], 9)
        equal = "".join("AAB"[item] + "AAB"[other] + "AAB"[last] + "\n" for item, other, last in decks(3, 300))
        for text in equal, " ".join(equal).replace("\n ", "\n"):
            self.assertEqual(self.result("report", "--cards", "A A B", data=text)["reports"][0]["evidence"]["total"], 300)

    def test_labels(self):
        """What stands between names: labels that end in a colon, "vs" and arrows, learned or with --cards."""
        dealt = [[NAMES[item] for item in deck] for deck in SIX]
        plain = self.result("gate", "--cards", " ".join(NAMES), data="".join(" ".join(deck) + "\n" for deck in dealt))["gates"][0]["looks"]
        for line in ("Team A: {} {} {} Team B: {} {} {}", "Team A: {}, {}, {} | Team B: {}, {}, {}", "Red: {} {} {}  Blue: {} {} {}",
                     "{}, {}, {} vs. {}, {}, {}", "deck: {} {} {} {} {} {}", "{} \u2192 {} \u2192 {} \u2192 {} \u2192 {} \u2192 {}",
                     "{}\u2192{}\u2192{}\u2192{}\u2192{}\u2192{}", "{} -> {} -> {} => {} > {} > {}",
                     "1: {} {} {} {} {} {}", "{}、{}、{}、{}、{}、{}"):
            data = "".join(line.format(*deck) + "\n" for deck in dealt)
            for options in ["--cards", " ".join(NAMES)], []:
                with self.subTest(line=line, options=options):
                    status, printed, told = self.run_program("gate", *options, "--format", "json", "-", data=data)
                    self.assertEqual((status, json.loads(printed)["gates"][0]["looks"] if printed else told), (3, plain))
        self.refused([(line + "\n", ["--cards", " ".join(NAMES)], f"line 1: '{word}' is none of the 6 names")
                      for line, word in (("Ann Bob Cid Dee Eve Fay late", "late"), ("Ann\u2192Bub Cid Dee", "Bub"),
                                         ("Ann Team A Bob: Cid Dee Eve Fay", "Team"), ("Ann Bob Cid Dee Eve Fay late ", "late"))])

    def test_marks_in_names(self):
        """Apostrophes, dashes and arrows within titles, and what a word has."""
        for separator, names in ("|", ["Don\u2019t Stop", "Love \u2192 Hate", "Rock \u2013 Live"]), (" ", ["Don\u2019t", "Zo\u00eb", "caf\u00e9\u2013bar"]):
            data = lines(decks(3, 60), separator, names)
            status, printed, told = self.run_program("gate", "--format", "json", "-", data=data)
            self.assertEqual((status, json.loads(printed)["gates"][0]["items"]), (3, sorted(names, key=str.encode)), told)

    def test_each_command(self):
        for command in "report", "watch":
            status, printed, told = self.run_program(command, "-", data=lines(SIX, "|", SONGS))
            self.assertEqual((status, told.count("in sorted order: 7\" \"Single\" | Blue Train")), (0, 1), told)
            self.assertIn("200 permutations", printed)

    def test_json(self):
        status, printed, told = self.run_program("gate", "--json-path", "[*].tracks", "--format", "json", "-",
                                                 data=json.dumps([{**draw, "tracks": [s.replace("7", "Seven") for s in draw["tracks"]]} for draw in LOG]))
        self.assertEqual((status, json.loads(printed)["gates"][0]["items"]), (3, sorted(s.replace("7", "Seven") for s in SONGS)), told)

    def test_one_long_line(self):
        """A playlist that was not shuffled at all: one list of 20 titles."""
        data = "|".join(f"Song {letter}" for letter in "ABCDEFGHIJKLMNOPQRST") + "\n"
        status, printed, _ = self.run_program("gate", "-", data=data)
        self.assertEqual(status, 1)
        self.assertIn("Song A | Song B", " ".join(printed.split()))

    def test_wherever_reads_end(self):
        script = "printf 'Angie Cha'; sleep 0.1; printf 'nges Dakota\nDakota'; sleep 0.1; printf ' Changes Angie\nChanges Angie Dakota\n'"
        status, printed, told = self.run_program("gate", "--", "sh", "-c", script)
        self.assertEqual((status, told.count("3 items, in sorted order: Angie Changes Dakota")), (3, 1), told)
        self.assertIn("after 2 ", printed)  # the first line is sorted, as a header

    def test_a_saved_run(self):
        """The names are learned again, from the lines that come next."""
        with tempfile.TemporaryDirectory() as folder:
            path, saved = os.path.join(folder, "log"), os.path.join(folder, "saved")
            for number, dealt in enumerate((SIX[:100], SIX[100:])):
                with open(path, "a", encoding="utf-8") as file:
                    file.write(lines(dealt, "|", SONGS))
                status, printed, _ = self.run_program("watch", "--save", saved, path)
                self.assertEqual(status, 0)
                self.assertIn(("100 permutations", "200 permutations")[number], printed)

    def test_what_is_no_whole_deck(self):
        self.refused(UNLEARNED)


class Headers(Files):
    """What stands above the lines of a table."""
    def test_columns_of_numbers(self):
        rows = "".join(f"2024-01-{i % 28 + 1:02};{';'.join(str(ball + 1) for ball in draw)};7\n" for i, draw in enumerate(LOTTERY))
        for head in "Date;Ball 1;Ball 2;Ball 3;Bonus\n", "Date;N1;N2;N3;B\n", "":
            status, printed, told = self.run_program("gate", "--field", "2-4", *LOTTO[:4], "--format", "json", "-", data=head + rows)
            self.assertEqual((status, told.count("the first line is a header: it was left out")), (3, bool(head)), told)
            self.assertEqual(json.loads(printed)["gates"][0]["looks"], self.result("gate", *LOTTO, data=LOTTO_LINES)["gates"][0]["looks"])
        status, _, told = self.run_program("gate", *LOTTO[:4], "-", data="Draw Date;Ball 1;Ball 2;Ball 3;Bonus\n" + rows)
        self.assertIn("--field", told)
        head, half = "Date;Ball 1;Ball 2;Ball 3;Bonus\n", rows.index("\n", len(rows) // 2) + 1
        joined = self.run_program("gate", "--field", "2-4", *LOTTO[:4], "--format", "json", "-",
                                  data=head + rows[:half] + ";;;;\n" + head + head + rows[half:])
        self.assertEqual(json.loads(joined[1])["gates"][0]["looks"], self.result("gate", *LOTTO, data=LOTTO_LINES)["gates"][0]["looks"])
        missing = self.run_program("gate", "--field", "2-4", *LOTTO[:4], "-", data=head + rows + "2025-01-01;;;;\n")
        self.assertEqual((missing[0], "field 2 is empty: delete the line" in missing[2]), (4, True), missing)

    def test_several_numbers_in_a_field(self):
        plain = self.result("gate", *LOTTO, data=LOTTO_LINES)["gates"][0]["looks"]
        for between in " ", "-", ", ":
            cells = [between.join(str(ball + 1) for ball in draw) for draw in LOTTERY]
            data = "date,numbers,bonus\n" + "".join(f'2024-01-31,"{cell}",7\n' for cell in cells)
            status, printed, told = self.run_program("gate", "--field", "2", *LOTTO[:4], "--format", "json", "-", data=data)
            self.assertEqual((status, told.count("a header: it was left out")), (3, 1), told)
            self.assertEqual(json.loads(printed)["gates"][0]["looks"], plain)

    def test_words_above_names(self):
        """A first line of other words than those below; but a slip in the first line is no header."""
        names = ["Ann", "Bob", "Cid", "Dee", "Eve"]
        rows = lines(decks(5, 300), ",", names)
        plain = self.result("gate", "--cards", " ".join(names), data=rows)["gates"][0]["looks"]
        status, printed, told = self.run_program("gate", "--format", "json", "-", data="captain,second,third,fourth,fifth\n" + rows)
        self.assertEqual((status, told.count("a header: it was left out"), json.loads(printed)["gates"][0]["looks"]), (3, 1, plain), told)
        for first in "captain,second,third,fourth,Ann\n", "captain second third fourth fifth\n", "captain,second\n":
            self.assertEqual(self.run_program("gate", "-", data=first + rows)[0], 4, first)
        for between in " > ", "->", " => ":
            status, printed, told = self.run_program("gate", "--format", "json", "-", data=rows.replace(",", between))
            self.assertEqual((status, json.loads(printed)["gates"][0]["looks"]), (3, plain), told)

    def test_the_first_number(self):
        """Of a recording the whole file shows from which number items count, even if the first lines do not."""
        picks = [[pick + 20] for pick in range(25)] * 8
        for more, first in (([[60]], "1"), ([[0]], "0"), ([], "1")):  # 60 is the last item from 1, and no item from 0
            with tempfile.NamedTemporaryFile("w", suffix=".csv") as table:
                table.write("pick\n" + "".join("%d\n" % pick for pick, in picks + more))
                table.flush()
                status, printed, _ = self.run_program("report", "-n", "60", "--deal", "1", "--field", "1", "--format", "json", table.name)
                self.assertIn(status, (0, 1))
                picked = [row[0] for row in json.loads(printed)["reports"][0]["matrix"]]
                self.assertEqual(picked.index(8), 20 - int(first))  # the picks of 20

    def test_columns_of_names(self):
        """A header of sorted names is no deck: of a Secret Santa, it would be one in which all draw themselves."""
        names = ["Ann", "Bob", "Cid", "Dee", "Eve"]
        drawn = [deck for deck in decks(5, 800) if all(item != place for place, item in enumerate(deck))]
        rows = lines(drawn, ",", names)
        table = "year," + ",".join(names) + "\n" + "".join(f"{1700 + i},{row}\n" for i, row in enumerate(rows.splitlines()))
        fair = ["--fair", "derangement", "--format", "json", "-"]
        found = []
        for options, data in ([], ",".join(names) + "\n" + rows), (["--field", "2-", "--separator", ","], table), (["--cards", " ".join(names)], rows):
            status, printed, told = self.run_program("gate", *options, *fair, data=data)
            self.assertEqual((status, told.count("the first line is sorted, as a header may be")), (3, "--cards" not in options), told)
            found.append(json.loads(printed)["gates"][0]["looks"])
        pairs = json.dumps([{"year": i, "drew": {names[place]: names[deck[place]] for place in (4, 0, 2, 1, 3)}} for i, deck in enumerate(drawn)])
        status, printed, told = self.run_program("gate", "--json-path", "[*].drew", *fair, data=pairs)
        self.assertEqual(status, 3, told)
        self.assertEqual([*found[1:], json.loads(printed)["gates"][0]["looks"]], 3 * [found[0]])


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

    def test_equal_titles(self):
        """A deck may begin with the same title twice."""
        data = json.dumps([{"songs": [{"by": name} for name in names]} for names in (["A B", "A B", "C"], ["C", "A B", "A B"])])
        (report,) = self.result("report", "--json-path", "[*].songs[*].by", "--cards", "A B|A B|C", data=data)["reports"]
        self.assertEqual((report["n"], report["evidence"]["total"]), (3, 2))

    def test_a_file_is_no_evidence(self):
        """A document whose first key is not that of evidence; and a path that ends before single items."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"lists": [{"songs": [{"title": "Naima"}]}]}, file, indent=2)
            file.flush()
            for command in "gate", "report":
                self.assertIn("name the array of its items with --json-path", self.run_program(command, file.name)[2])
            self.assertIn("[*].KEY in --json-path leads to a value of each object", self.run_program("report", "--json-path", ".lists", file.name)[2])

    def test_text_of_programs_is_no_json(self):
        """numpy prints no commas; a title and a label look like objects."""
        for data in ("[[0 1 2]\n [2 1 0]]\n", '[{"id": 0}, {"id": 2}, {"id": 1}]\n[{"id": 2}, {"id": 1}, {"id": 0}]\n'):
            self.same(data, [], "0 1 2\n2 1 0\n" if "id" not in data else "0 2 1\n2 1 0\n", [])

    def test_memory(self):
        """An array is read item by item: 40 MB of it take less than 100 MB with everything else."""
        if subprocess.run(["sh", "-c", 'ulimit -v 200000; "$0" --version', PROGRAM], capture_output=True, check=False).returncode:
            self.skipTest("an address sanitizer needs more memory than this test allows")
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


DEALS = decks(52, 12)
BRIDGE_RANKS = "AKQJT98765432"
SUITED = [[sorted(deck[i:i + 13], key=lambda card: (card // 13, (card - 1) % -13)) for i in range(0, 52, 13)] for deck in DEALS]  # ace high
SUITED = [[[card for suit in range(4) for rank in BRIDGE_RANKS for card in [13 * suit + "A23456789TJQK".index(rank)] if card in hand]
           for hand in deal] for deal in SUITED]
BRIDGE_LINES = lines([sum(deal, []) for deal in SUITED])


def holding(hand, mark, sign=""):
    """The suits of a hand, each after its letter."""
    return mark.join((letter if sign else "") + "".join(RANKS[card % 13] for card in hand if card // 13 == suit)
                     for suit, letter in enumerate(SUITS))


def pbn(deal, first):
    return "NESW"[first] + ":" + " ".join(holding(deal[(first + i) % 4], ".") for i in range(4))


def pbn_file(rooms=1):
    """A match: each board is played in so many rooms."""
    text = "% PBN 2.1\n% EXPORT\n"
    for board, deal in enumerate(SUITED):
        for room in range(rooms):
            text += (f'[Event "A match"]\n[Site ""]\n[Date "2024.01.31"]\n[Board "{board + 1}"]\n[West "A. Player"]\n[Dealer "{"NESW"[board % 4]}"]\n'
                     f'[Deal "{pbn(deal, board % 4)}"]\n[Room "{room}"]\n[Auction "N"]\n1D Pass 1H\n{{ a "comment" }}\n\n')
    return text


def lin_file(rooms=1):
    hands = [",".join(holding(deal[i], "", "S") for i in (2, 3, 0)) for deal in SUITED]
    return "".join(f"qx|{'oc'[room]}{board + 1}|pn|a,b,c,d|st||md|{board % 4 + 1}{hand},|sv|o|mb|p|mb|1C|pc|S3|\n"
                   for board, hand in enumerate(hands) for room in range(rooms))


def phh(hand, hands_dealt, several):
    """A hand of two players; the second player's cards are known only if hands_dealt is 2."""
    one = ["".join(PACK[card][0] + PACK[card][1].lower() for card in cards) for cards in (hand[:2], hand[2:4])]
    actions = [f"d dh p1 {one[0]}", f"d dh p2 {one[1] if hands_dealt == 2 else '????'}", "p1 cbr 100", "p2 f", "d db 2c3c4c"]
    return (f"{several}variant = 'NT'\nantes = [0, 0]\nmin_bet = 2\nactions = [\n  # Pre-flop\n  " + ",\n  ".join(map(repr, actions)) +
            "\n]\nhand = 7\nplayers = ['a', 'b']\n\n")


FOURS = decks(52, 60, 4)
STARS = "".join(f"""PokerStars Hand #{i}: Hold'em No Limit ($1/$2 USD) - 2024/01/31 10:15:00 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: some body ($200 in chips)
some body: posts small blind $1
*** HOLE CARDS ***
Dealt to some body [{PACK[hand[0]].title()} {PACK[hand[1]].title()}]
some body: folds
*** FLOP *** [2c 3c 4c]
*** SUMMARY ***
Board [2c 3c 4c]

""" for i, hand in enumerate(HOLE))


ARENA = """Deck
2 Lightning Bolt (M10) 146
1 Jace, the Mind Sculptor (WWK) 31
3 Island
1 B.F.M. (Big Furry Monster)

Sideboard
1 Naturalize (M10) 196
"""
FORGE = """[metadata]
Name=Test
[Main]
2 Lightning Bolt|M10|1
1 Jace, the Mind Sculptor|WWK
3 Island
1 B.F.M. (Big Furry Monster)
[Sideboard]
1 Naturalize|M10
"""
COCKATRICE = """// a deck
2 Lightning Bolt
1x Jace, the Mind Sculptor

3 Island
1 B.F.M. (Big Furry Monster)
SB: 1 Naturalize
"""
COCKATRICE_XML = """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <deckname>Lightning &amp; Co</deckname>
    <comments></comments>
    <zone name="main">
        <card number="2" name="Lightning Bolt"/>
        <card price="0" number="1" name="Jace, the Mind Sculptor"/>
        <card number="3" name="Island"/>
        <card number="1" name="B.F.M. (Big Furry Monster)"/>
    </zone>
    <zone name="side">
        <card number="1" name="Naturalize"/>
    </zone>
</cockatrice_deck>
"""
IN_DECK = ["Lightning Bolt", "Lightning Bolt", "Jace, the Mind Sculptor", "Island", "Island", "Island", "B.F.M. (Big Furry Monster)"]


class Lists(Files):
    def test_what_is_no_list_in_xml(self):
        for text in '<?xml version="1.0"?><deck/>', '<zone name="side"><card number="2" name="A"/></zone>', '<card number="0" name="A"/>', '<card number="2" name=""/', "<card ":
            status, printed, told = self.run_program("gate", "--cards", text, "-", data="A|B\n")
            self.assertEqual((status, printed, told.count("\n")), (2, "", 1), told)
            self.assertIn("--cards is XML, but no deck of Cockatrice", told)
        self.assertEqual(self.run_program("gate", "--cards", "<a> <b>", "-", data="<b> <a>\n")[0], 3)

    def test_deck_lists(self):
        """The names and how often each is in the deck; the first line shows what separates them."""
        dealt = decks(7, 100)
        wanted = self.looks(IN_DECK, lines(dealt, "|", IN_DECK))
        rows = io.StringIO()
        csv.writer(rows).writerows([[IN_DECK[item] for item in deck] for deck in dealt])
        for text in ARENA, FORGE, COCKATRICE, COCKATRICE_XML, COCKATRICE_XML.replace("\n", ""), ARENA.replace("\n", "\r\n"), "\n".join(IN_DECK):
            for data in lines(dealt, "|", IN_DECK), lines(dealt, " ; ", IN_DECK), lines(dealt, "\t", IN_DECK), rows.getvalue():
                with self.subTest(text=text[:30], data=data[:40]):
                    found = self.result("gate", "--cards", text, data=data)["gates"][0]
                    self.assertEqual((found["items"], found["looks"]), (IN_DECK, wanted))
        data = "\n".join(json.dumps({"library": [IN_DECK[item] for item in deck]}) for deck in dealt)
        self.assertEqual(self.result("gate", "--cards", ARENA, "--json-path", ".library", data=data)["gates"][0]["looks"], wanted)

    def test_a_number_may_begin_a_title(self):
        """Only if each line has a count, it is one."""
        found = self.result("gate", "--cards", "99 Luftballons\nSo What\n7 Rings", data="So What|7 Rings|99 Luftballons\n")["gates"][0]
        self.assertEqual(found["items"], ["99 Luftballons", "So What", "7 Rings"])


class Cards(Files):
    def test_without_blanks(self):
        letters = [card[0] + card[1].lower() for card in PACK]
        for between in "", " ":
            self.same(lines(FOURS, between, letters), ["--deal", "4", "-n", "52"], lines(FOURS), ["--deal", "4", "-n", "52"])
        self.same(lines(decks(52, 30), "", letters).replace("T", "10"), [], lines(decks(52, 30)), [])
        self.refused([("AcKd7x\n", ["--deal", "3", "-n", "52"], "line 1: the letter 'x' right after a digit"), ("AcKd\n7h8\n", TWO, "line 2: '7h8' is none of 52 playing cards"),
                      ("AcKdQs\n", TWO, "line 1: 3 cards instead of 2")])

    def test_bridge(self):
        """The hands are sorted, so their order is no order of a draw; --ordered compares what was read."""
        bare = "".join(pbn(deal, i % 4) + "\n" for i, deal in enumerate(SUITED))
        for data in pbn_file(), pbn_file(2).replace("\n", "\r\n"), bare, lin_file(), lin_file(2), "\ufeff" + pbn_file():
            with self.subTest(data=data[:40]):
                self.same(data, ["--ordered"], BRIDGE_LINES, ["--ordered"])
        status, _, told = self.run_program("gate", "-", data=pbn_file())
        self.assertEqual(status, 4)
        self.assertIn("do not show the order of the draw", told)
        self.refused([(pbn_file().replace("2.1", "2.1", 1).replace("[Deal \"" + pbn(SUITED[2], 2), "[Deal \"" + pbn(SUITED[2], 2)[:-1]), ["--ordered"],
                       "standard input, line 33: the deal 'S:"), ('[Deal "N:AK.QJ"]\n', [], "line 1: the deal 'N:AK.QJ' is not one of four hands of 13")])

    def test_hand_histories(self):
        pattern = r"Dealt to .*(\[.*\])"
        status, _, told = self.run_program("gate", *TWO, "-", data=STARS)
        self.assertEqual(status, 4)
        self.assertIn(f"is from a hand history: say --match '{pattern}' --deal 2 -n 52\n", told)
        status, printed, _ = self.run_program("gate", *TWO, "--match", pattern, "--format", "json", "-", data=STARS)
        self.assertEqual(json.loads(printed)["gates"][0]["looks"], self.result("gate", *TWO, data=lines(HOLE))["gates"][0]["looks"])

    def test_phh(self):
        """One hand, and several; a hand without known cards is left out."""
        for known in 1, 2:
            data = "".join(phh(hand, known, f"[{i + 1}]\n") for i, hand in enumerate(FOURS))
            wanted = ["--deal", str(2 * known), "-n", "52"]
            self.same(data, wanted, lines([hand[:2 * known] for hand in FOURS]), wanted)
        self.same(phh(FOURS[0], 2, "# a comment\n"), wanted, lines(FOURS[:1]), wanted)
        self.refused([(phh(FOURS[0], 2, "")[:120], wanted, "line 1: the actions of a hand have no end: was the file cut off?")])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
