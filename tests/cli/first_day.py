# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes of a first day: what users typed or piped, and the message that tells them what to do. Then what a terminal
shows: text of its width, colours, progress.

Samples have fixed seeds. The one test that shuffles by chance says how often it fails."""
import fcntl
import gzip
import json
import lzma
import os
import pty
import random
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata
import unittest

from program import PROGRAM, SOURCE

DONE, FAIL, USAGE, INCONCLUSIVE, BROKEN = 0, 1, 2, 3, 4
NAMES = "7H 3S KD 2C\n"
RED = "\033[31m%s\033[0m\n"
DECK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
random.Random(1).shuffle(DECK)
PRINTS = "printf '0 2 1\\n'"  # a shuffle that deals once
CHATS = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo line $i >&2; done; "

# name, arguments, standard input, what standard error holds ("" for nothing at all), exit status
MISTAKES = [
    ("cards are recognised", ["gate", "--limit", "9", "-"], " ".join(DECK) + "\n", "", INCONCLUSIVE),
    ("another deck of cards", ["gate", "-"], NAMES,
     "line 1: 4 cards instead of 52: hands take --deal 4 -n 52; name the cards of another deck with --cards \"7S 8S ...\"", BROKEN),
    ("names", ["gate", "-"], "ace king queen\n",
     "line 1: no numbers in 'ace king queen': name items with --cards \"A B C\", in their order before the shuffle;", BROKEN),
    ("names beside numbers", ["gate", "-"], "1 ace 2\n", "'ace' is not a number: print items as whole numbers", BROKEN),
    ("names that begin with digits", ["gate", "-"], "7x 3x\n", "name every item with --cards", BROKEN),
    ("a name that --cards lacks", ["gate", "--cards", "a b c", "-"], "a b c\na b d\n",
     "line 2: 'd' is none of the 3 names: correct --cards\n", BROKEN),
    ("commas between names", ["gate", "--limit", "9", "--cards", "a b c", "-"], "c,a,b\nb, a, c\n", "", INCONCLUSIVE),
    ("commas in --cards", ["gate", "--limit", "9", "--cards", "a,b,c", "-"], "c a b\nb a c\n", "", INCONCLUSIVE),
    ("names of two words between commas", ["gate", "--limit", "9", "--cards", "Ann Lee, Bob, Cy", "-"], "Ann Lee,Bob,Cy\n", "", INCONCLUSIVE),
    ("names of two words between blanks", ["gate", "--cards", "Ann Lee, Bob, Cy", "-"], "Ann Lee Bob Cy\n",
     "line 1: 'Ann Lee Bob Cy' is none of the 3 names, which ',' separates: correct --cards, or begin a header with #\n", BROKEN),
    ("commas and blanks in --cards", ["gate", "--limit", "9", "--cards", "a , b,c ,", "-"], "c a b\nb a c\n", "", INCONCLUSIVE),
    ("a line of a log", ["gate", "-"], "2026-11-27 10:15:00 A 2 1\n",
     "line 1: a sign or a point beside a digit: print whole numbers from 0 or 1 on; lines of a log take --match or --field\n", BROKEN),
    ("an item that may be a title", ["gate", "-"], "A 2 3 1\n", "'A' is not a number: print items as whole numbers", BROKEN),
    ("the header of a lottery", ["gate", "-"], "date,n1,n2,bonus\n2024-01-31,3,9,2\n", "or say which columns they are, as --field 2-7\n", BROKEN),
    ("an item twice", ["gate", "-"], "2 4 1 4\n", "line 1: 4 comes twice, and 3 is missing: print each item once", BROKEN),
    ("two items twice", ["gate", "-"], "3 1 2 3 1\n", "line 1: 3 comes twice, and 4 is missing: print each item once", BROKEN),
    ("a field that is no deck", ["gate", "--field", "2-", "-"], "a 1: 3 1 2\n", "line 1: 1 comes twice, and 4 is missing", BROKEN),
    ("an object without an array", ["gate", "-"], '{"id": 7}\n',
     "'{\"id\": 7}' is a JSON object: name the array of its items with --json-path, as in .deck", BROKEN),
    ("a command in quotation marks", ["gate", "--", "python3 shuffle.py 5"], None,
     "cannot start 'python3 shuffle.py 5': No such file or directory: give its words one by one, not as a whole in quotation marks\n", BROKEN),
    ("an option after --", ["gate", "--", "--exclude", "0.3", "python3"], None,
     "No such file or directory: options go before '--', and the command after it\n", BROKEN),
    ("percentages as a matrix", ["report", "--matrix", "-"], "50.5,49.5\n49.5,50.5\n",
     "line 2, column 2: '50.5' is no count: write how many shuffles, in digits, not a percentage\n", USAGE),
    ("commas between cards", ["gate", "--limit", "9", "-"], ",".join(DECK) + "\n", "", INCONCLUSIVE),
    ("commas and quotation marks", ["gate", "--limit", "9", "--cards", "a b c", "-"], "\"c\", \"a\", \"b\"\n", "", INCONCLUSIVE),
    ("a header", ["gate", "-"], "first second third\n1 2 3\n",
     "line 1: no numbers in 'first second third': name items with --cards \"A B C\", in their order before the shuffle; "
     "begin a header with #; lines of a log take --match", BROKEN),
    ("a header with numbers", ["gate", "-"], "p1,p2,p3\n1,2,3\n",
     "line 2: 'p' comes before the numbers of only some lines: begin a header with #", BROKEN),
    ("a header above names", ["gate", "--cards", "a b c", "-"], "deck\na b c\n",
     "line 1: 'deck' is none of the 3 names: correct --cards, or begin a header with #", BROKEN),
    ("a header above cards", ["gate", "-"], "AS KS deck\n",
     "line 1: 'deck' is none of 52 playing cards: begin a header with #, or name all cards with --cards \"AS 2S ...\"", BROKEN),
    ("a header after #", ["gate", "--limit", "9", "-"], "# first second third\n1 2 3\n", "", INCONCLUSIVE),
    ("UTF-16", ["gate", "-"], "1 2 3\n".encode("utf-16"), "line 1: this is UTF-16: convert it to UTF-8", BROKEN),
    ("UTF-16, the other way", ["gate", "-"], b"\xfe\xff" + "1 2 3\n".encode("utf-16-be"), "this is UTF-16: convert it", BROKEN),
    ("UTF-16 without a mark", ["gate", "-"], "1 2 3\n".encode("utf-16-le"), "a control byte 0x00, as in UTF-16", BROKEN),
    ("UTF-8 with a mark", ["gate", "--limit", "9", "-"], "\ufeff1 2 3\n", "", INCONCLUSIVE),
    ("colours", ["gate", "-"], RED % "1 2 3", "a control byte 0x1b, which begins a colour code: print without colours", BROKEN),
    ("colours among names", ["gate", "--cards", "a b", "-"], "a b\n" + RED % "a b", "line 2: a control byte 0x1b, which begins a", BROKEN),
    ("red cards", ["gate", "-"], "AS KS " + RED % "QH", "line 1: a control byte 0x1b, which begins a colour code: print without colours", BROKEN),
    ("gzip", ["gate", "--limit", "9", "-"], gzip.compress(b"1 2 3\n"), "", INCONCLUSIVE),
    ("gzip, cut off", ["gate", "-"], gzip.compress(b"1 2 3\n2 1 3\n")[:-9], "gzip data", BROKEN),
    ("bzip2", ["gate", "-"], b"BZh91AY&SY", "line 1: this is bzip2 data: read it with bzcat", BROKEN),
    ("xz", ["gate", "-"], lzma.compress(b"1 2 3\n"), "line 1: this is xz data: read it with xzcat", BROKEN),
    ("zstd", ["gate", "-"], b"(\xb5/\xfd$\x06", "line 1: this is zstd data: read it with zstdcat", BROKEN),
    ("zip", ["gate", "-"], b"PK\3\4\x14", "line 1: this is a zip archive: read it with 'unzip -p'", BROKEN),
    ("a matrix in UTF-16", ["report", "--matrix", "-"], "1,2\n2,1\n".encode("utf-16"),
     "this is UTF-16: convert it to UTF-8, as with 'iconv -f UTF-16 -t UTF-8'", USAGE),
    ("a compressed matrix", ["report", "--matrix", "-"], gzip.compress(b"1,2\n2,1\n"), "this is gzip data: read it with zcat", USAGE),
    ("a spreadsheet as a matrix", ["report", "--matrix", "-"], b"PK\3\4\x14", "or save a spreadsheet as CSV", USAGE),
    ("one item a line", ["gate", "-"], "2\n1\n3\n", "line 1: a single item: print all items of a permutation in one line, or say", BROKEN),
    ("one item a line, from 1", ["gate", "-"], "1\n2\n3\n", "a single item: print all items of a permutation in one line, or say", BROKEN),
    ("a program that deals once", ["gate", "--", "printf", "0 2 1"], None,
     "gate: the command dealt once and exited: let it deal in a loop, as in: gate -- sh -c 'while :; do COMMAND; done', or add "
     "--once, which starts it anew for each permutation\n", INCONCLUSIVE),
    ("the same, without special characters", ["gate", "--", "./once.sh", "3"], None,
     "as in: gate -- sh -c 'while :; do ./once.sh 3; done', or add --once", INCONCLUSIVE),
    ("the same with report", ["report", "--", "./once.sh"], None, "as in: report -- sh -c 'while :; do ./once.sh; done'", DONE),
    ("the same with watch", ["watch", "--", "./once.sh"], None, "as in: watch -- sh -c 'while :; do ./once.sh; done'", DONE),
    ("deals once, as was asked", ["gate", "--limit", "1", "--", "./once.sh"], None, "", INCONCLUSIVE),
    ("the same in another notation", ["gate", "--limit", "1e0", "--", "./once.sh"], None, "", INCONCLUSIVE),
    ("fails after one deck, and goes on", ["gate", "--", "sh", "-c", "while :; do seq -s ' ' 0 51; done"], None, "", FAIL),
    ("--once", ["gate", "--limit", "70", "--once", "--", "./once.sh"], None, "", FAIL),
    ("--once without a command", ["gate", "--once", "naive"], None, "--once: only goes with a command", USAGE),
    ("--once with a file", ["gate", "--once", "-"], "1 2\n", "--once: only goes with a command", USAGE),
    ("--once and no output", ["gate", "--once", "--", "true"], None, "'true' ended without a permutation: with --once, each start", BROKEN),
    ("--once and only a header", ["gate", "--once", "--", "printf", "\n# a deck\n"], None, "ended without a permutation: with --once", BROKEN),
    ("--once and no line that matches", ["gate", "--once", "--timeout", "0.5", "--match", "deck: (.*)", "--", "echo", "1 2"], None,
     "no permutation from 'echo 1 2' within 0.5 s, in ", BROKEN),
    ("--once and gzip data", ["gate", "--once", "--", "sh", "-c", PRINTS + " | gzip"], None,
     "prints gzip data: with --once, let it print text", BROKEN),
    ("more seeds than there are orders of equal cards", ["gate", "fisher-yates", "--cards", "A B A C B C", "--seeds", "100"], None,
     "min_decks = 100: equal cards leave only 90 different orders: ask for fewer", USAGE),
    ("--once in binary", ["gate", "--once", "--input", "u8", "-n", "3", "--limit", "3", "--", "printf", "\\0\\2\\1"], None, "", INCONCLUSIVE),
    ("--once and half of a permutation", ["gate", "--once", "--input", "u16", "-n", "3", "--", "printf", "\\0\\0\\1\\0"], None,
     "ended after 4 bytes, and a permutation has 6: with --once, each start prints whole ones", BROKEN),
    ("--once and nothing in binary", ["gate", "--once", "--input", "u8", "-n", "3", "--", "true"], None,
     "'true' ended without a permutation: with --once, each start", BROKEN),
    ("--once, names and a byte order mark", ["gate", "--once", "--cards", "A B C", "--", "printf", "\\357\\273\\277A C B\\n"], None, "", FAIL),
    ("--once, a byte order mark and --match", ["gate", "--once", "--match", "^d: (.*)", "--", "printf", "\\357\\273\\277d: 0 2 1"], None, "", FAIL),
    ("--once and only a byte order mark", ["gate", "--once", "--", "printf", "\\357\\273\\277"], None,
     "ended without a permutation: with --once, each start", BROKEN),
    ("--once and a failure", ["gate", "--once", "--", "sh", "-c", PRINTS + "; exit 3"], None, "exited with status 3", BROKEN),
    ("--samples on gate", ["gate", "naive", "--samples", "5"], None, "gate: --samples: gate calls this --limit\n", USAGE),
    ("--samples=5 on gate", ["gate", "naive", "--samples=5"], None, "gate: --samples: gate calls this --limit\n", USAGE),
    ("--samples on watch", ["watch", "naive", "--samples", "5"], None, "--samples: watch calls this --limit\n", USAGE),
    ("--samples on bench", ["bench", "naive", "--samples", "5"], None, "--samples: bench calls this --decks\n", USAGE),
    ("--limit on report", ["report", "naive", "--limit", "5"], None, "--limit: report calls this --samples\n", USAGE),
    ("--limit on deal", ["deal", "naive", "--limit", "5"], None, "--limit: deal calls this --samples\n", USAGE),
    ("--limit on zoo", ["zoo", "--limit", "5"], None, "--limit: zoo calls this --samples\n", USAGE),
    ("--decks on gate", ["gate", "naive", "--decks", "5"], None, "--decks: gate calls this --limit\n", USAGE),
    ("--decks on report", ["report", "naive", "--decks", "5"], None, "--decks: report calls this --samples\n", USAGE),
    ("--shuffles on report", ["report", "naive", "--shuffles", "5"], None, "--shuffles: report calls this --samples\n", USAGE),
    ("--jobs on report", ["report", "naive", "--jobs", "2"], None, "--jobs: report calls this --threads\n", USAGE),
    ("--names on gate", ["gate", "--names", "a b", "-"], "a b\n", "--names: gate calls this --cards\n", USAGE),
    ("--n", ["gate", "naive", "--n", "52"], None, "--n: unknown option: did you mean -n?", USAGE),
    ("-limit", ["gate", "naive", "-limit", "52"], None, "-limit: unknown option: did you mean --limit?", USAGE),
    ("a misspelt option", ["gate", "naive", "--max-bais", "0.1"], None, "--max-bais: unknown option: did you mean --max-bias?", USAGE),
    ("a misspelt command", ["gaet", "naive"], None, "unknown command 'gaet'; did you mean gate?", USAGE),
    ("a misspelt scheme", ["gate", "fisher-yates/modul:8"], None, "unknown draw 'modul'; did you mean modulo or byte-modulo?", USAGE),
    ("a misspelt shuffle with a slash", ["gate", "fisher-yaets/modulo:8"], None, "unknown shuffle 'fisher-yaets'; did you mean", USAGE),
    ("a missing file", ["gate", "decks.txt"], None, "cannot read decks.txt: No such file or directory\n", USAGE),
    ("a missing file in a folder", ["report", "logs/decks"], None, "cannot read logs/decks: No such file or directory\n", USAGE),
    ("a misspelt file", ["gate", "onec.sh"], None,
     "cannot read onec.sh: No such file or directory; did you mean the file 'once.sh'?", USAGE),
    ("a misspelt file without a dot", ["watch", "recordin"], None, "did you mean the file 'recording'?", USAGE),
    ("a misspelt suite", ["gate", "--suite", "suit.json"], None,
     "unable to open suit.json: No such file or directory; did you mean 'suite.json'?", USAGE),
    ("neither a file nor a shuffle", ["gate", "nonsense"], None, "unknown shuffle 'nonsense'", USAGE),
    ("no newlines", ["gate", "--", "sh", "-c", "yes '2 1 3' | tr '\\n' ' '"], None,
     "items, and still no newline: end permutations with newlines, or say --free -n N\n", BROKEN),
    ("no newlines, names", ["gate", "--cards", "a b", "--", "sh", "-c", "yes 'b a' | tr '\\n' ' '"], None,
     "items, and still no newline: end permutations with newlines, or say --free -n N\n", BROKEN),
    ("an empty array", ["gate", "--timeout", "2", "--", "sh", "-c", "while :; do echo; sleep 0.01; done"], None,
     "bytes that hold none, such as empty or skipped lines, a prompt or a line without an end: print one permutation a line\n", BROKEN),
    ("a prompt", ["gate", "--timeout", "2", "--", "sh", "-c", "printf 'Cards? '; sleep 50"], None,
     "within 2 s, but 7 bytes that hold none, such as empty or skipped lines, a prompt", BROKEN),
    ("no output", ["gate", "--timeout", "0.5", "--", "sleep", "50"], None,
     "within 0.5 s: let it flush what it prints, or raise --timeout\n", BROKEN),
    ("a script that does not start by itself", ["gate", "shuffle.py", "4"], None,
     "'shuffle.py' is not a recording: a command goes after '--', as in: gate -- python3 shuffle.py 4\n", USAGE),
    ("a command without --", ["gate", "python3", "shuffle.py"], None, "a command goes after '--', as in: gate -- python3 shuffle.py", USAGE),
    ("a command with blanks without --", ["gate", "python3", "my shuffle.py", "it's", ""], None,
     "a command goes after '--', as in: gate -- python3 'my shuffle.py' 'it'\\''s' ''\n", USAGE),
    ("a script without --", ["gate", "./once.sh"], None, "a command goes after '--', as in: gate -- ./once.sh", USAGE),
    ("a failing child", ["gate", "--", "sh", "-c", CHATS + "exit 5"], None,
     "subject: line 10\nsubject: (3 more lines, and the last:)\nsubject: line 14\nshufflebias gate: 'sh -c ", BROKEN),
    ("a missing folder", ["gate", "--suite", "folder.json"], None, "there is no folder 'absent' to start 'sh' in: correct key 'cwd'", BROKEN),
    ("a folder for a scheme", ["gate", "--suite", "scheme.json"], None, "key 'cwd': only goes with a command or a file", USAGE),
    ("a misspelt key", ["gate", "--suite", "key.json"], None, "subject 1: unknown key 'max-bais'; did you mean max-bias?\n", USAGE),
]

UNDERSCORES, CHARACTERS = "sed 's/, */,/g; s/ /_/g'", "sed 's/./& /g'"
LETTERS, PEOPLE = ["--cards", "A B C D"], ["--cards", "Ann_Lee Bob_Ray"]

# two decks or more as somebody prints them, options, what standard error says, the remedy: options, or a filter before the gate
REMEDIES = [
    ("1: 1 0 2\n2: 0 1 2\n", [], "'1: 1 0 2' has its items from field 2 on: say --field 2-\n", ["--field", "2-"]),
    ("[1] 3 1 2\n[1] 1 2 3\n", [], "say --field 2-\n", ["--field", "2-"]),
    ("Run 1: 3 1 2\nRun 2: 1 2 3\n", [], "say --field 3-\n", ["--field", "3-"]),
    ("1) 3, 1, 2\n2) 1, 2, 3\n", [], "say --field 2-\n", ["--field", "2-"]),
    ("2026-11-27 10:15:00 0 2 1\n2026-11-27 10:15:01 0 2 1\n", [], "say --field 3-\n", ["--field", "3-"]),
    ("1,3,1,2\n2,1,3,2\n", [], "'1,3,1,2': if its first number counts the lines, say --field 2-; if not, print each",
     ["--field", "2-"]),
    ("1\t3\t1\t2\n2\t1\t3\t2\n", [], "say --field 2-; if not", ["--field", "2-"]),
    ("1;3;1;2\n2;1;3;2\n", [], "say --field 2-; if not", ["--field", "2-"]),
    ('{"id": 0, "order": [1, 0, 2]}\n{"id": 1, "order": [0, 1, 2]}\n', [], "is a JSON object: say --json-path .order\n", ["--json-path", ".order"]),
    ('{"ts": "2024-01-01", "deck": ["A", "D", "B", "C"]}\n' * 2, LETTERS, "say --json-path .deck\n", ["--json-path", ".deck"]),
    ('{"id": [7, 7], "deck": ' + json.dumps(DECK) + "}\n", [], "say --json-path .deck\n", ["--json-path", ".deck"]),
    (2 * (json.dumps({"id": 7, "deck": list(range(2000))}) + "\n"), [], "is a JSON object: name the array of its items with --json-path, as in .deck",
     ["--json-path", ".deck"]),
    ("3 1 2\n1 2 3\n1 3", [], "line 3: '1 3' is the last line, and it has no end: was it cut off? Leave it out, as sed '$d' does\n", "sed '$d'"),
    ("A B C D\nB A C", LETTERS, "line 2: 'B A C' is the last line", "sed '$d'"),
    ("20413\n01234", ["--base", "0"], "'20413' has no blanks between its items", CHARACTERS),
    ("3-0-1-2\n0-1-2-3\n", [], "'3-0-1-2' has '-' between its numbers: say --field 1- --separator -\n", ["--field", "1-", "--separator", "-"]),
    ("3.0 1.0 2.0\n1.0 2.0 3.0\n", [], "has decimal points: print whole numbers, as sed 's/\\.0//g' does\n", "sed 's/\\.0//g'"),
    ("Ana José\nJosé Ana\n".encode("latin-1"), ["--cards", "Ana José"], "is not UTF-8: convert it, as with iconv -f LATIN1 -t UTF-8\n",
     "iconv -f LATIN1 -t UTF-8"),
    ("Ann Lee, Bob Ray\nBob Ray, Ann Lee\n", PEOPLE, "has blanks in its names: print _ instead, as sed 's/, */,/g; s/ /_/g' does\n", UNDERSCORES),
    ('"Bob Ray","Ann Lee"\n"Ann Lee","Bob Ray"\n', PEOPLE, "has blanks in its names", UNDERSCORES),
    ("123 1\n132 2\n", [], "'123 1' is an order and its count: print each order as often as it came, as awk "
     "'{c=$NF; $NF=\"\"; gsub(/./, \"& \"); while (c-- > 0) print}' does\n", "awk '{c=$NF; $NF=\"\"; gsub(/./, \"& \"); while (c-- > 0) print}'"),
    ("123,1\n132,2\n", [], "as awk -F, '{c=$NF;", "awk -F, '{c=$NF; $NF=\"\"; gsub(/./, \"& \"); while (c-- > 0) print}'"),
    ("    500 1 2 3\n      1 1 3 2\n", [], "as awk '{c=$1; $1=\"\"; while (c-- > 0) print}' does\n",
     "awk '{c=$1; $1=\"\"; while (c-- > 0) print}'"),
    ("1,2,3,500\n1,3,2,0\n", [], "as awk -F, '{c=$NF; $NF=\"\"; while (c-- > 0) print}' does\n",
     "awk -F, '{c=$NF; $NF=\"\"; while (c-- > 0) print}'"),
    ("103 105 102 104 101\n", [],
     "103 is not in 1..5: name all items, as in --cards \"101 102 103 104 105\"; hands take --deal 5 -n N; report reads a matrix with --matrix\n",
     ["--cards", "101 102 103 104 105"]),
    ("id,1,2,3\n1,3,1,2\n2,1,3,2\n", [],
     "'id,1,2,3' looks like the titles of a table: leave them out, as sed 1d does; report reads a matrix with --matrix\n",
     'sed 1d | "$0" gate --limit 9 --field 2- --separator , -'),
    ("30 0 10 40 20\n", [], "as in --cards \"0 10 20 30 40\";", ["--cards", "0 10 20 30 40"]),
]

FILES = {
    "shuffle.py": "import random\n",
    "once.sh": "#!/bin/sh\n" + PRINTS + "\n",
    "recording": "0 2 1\n",
    "suite.json": [{"name": "here", "command": ["./once.sh"], "limit": 1},
                   {"name": "there", "command": ["./once.sh"], "cwd": "below", "limit": 80, "once": True},
                   {"name": "file", "file": "decks.txt", "cwd": "below", "limit": 2}],
    "below/once.sh": "#!/bin/sh\ncat decks.txt\n",
    "below/decks.txt": "1 0 2\n0 1 2\n",
    "folder.json": [{"name": "a", "command": ["sh", "-c", "exit"], "cwd": "absent"}],
    "scheme.json": [{"name": "a", "scheme": "naive", "cwd": "below"}],
    "key.json": [{"name": "a", "scheme": "naive", "max-bais": 0.1}],
}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, content in FILES.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content if isinstance(content, str) else json.dumps(content))
            os.chmod(path, 0o755 if name.endswith(".sh") else 0o644)

    def run_here(self, arguments, stdin=None):
        data = stdin.encode() if isinstance(stdin, str) else stdin or b""
        done = subprocess.run([PROGRAM, *arguments], input=data, capture_output=True, cwd=self.folder, timeout=100)
        return done.returncode, done.stdout.decode(), done.stderr.decode()


class Mistakes(Folder):
    def test_table(self):
        self.assertEqual(len({row[0] for row in MISTAKES}), len(MISTAKES))
        for name, arguments, stdin, message, status in MISTAKES:
            with self.subTest(name=name):
                found, _, said = self.run_here(arguments, stdin)
                self.assertEqual(found, status, said)
                self.assertIn(message, said)
                if not message:
                    self.assertEqual(said, "")

    def test_messages_are_one_line(self):
        """What the program itself says, beside the lines of the command."""
        for name, arguments, stdin, message, _ in MISTAKES:
            said = [line for line in self.run_here(arguments, stdin)[2].splitlines() if not line.startswith("subject: ")]
            with self.subTest(name=name):
                self.assertEqual(len(said), 1 if message else 0)


class Remedies(Folder):
    def test_each_works(self):
        for text, options, message, remedy in REMEDIES:
            with self.subTest(text=text[:60]):
                found, _, said = self.run_here(["gate", *options, "-"], text)
                self.assertEqual(found, BROKEN)
                self.assertIn(message, said)
                self.assertEqual(said.count("\n"), 1)
                filtered, data = isinstance(remedy, str), text if isinstance(text, bytes) else text.encode()
                if filtered:
                    command = remedy if " gate " in remedy else remedy + " | \"$0\" gate --limit 9 \"$@\" -"
                    words = ["sh", "-c", command, PROGRAM, *options]
                else:
                    words = [PROGRAM, "gate", "--limit", "9", *options, *remedy, "-"]
                done = subprocess.run(words, input=data, capture_output=True, timeout=100)
                self.assertEqual(done.stderr.decode(), "")
                self.assertIn(done.returncode, (FAIL, INCONCLUSIVE))

    def test_wherever_reads_end(self):
        """The rest of the line comes later."""
        said = self.run_here(["gate", "--", "sh", "-c", "printf 1-; sleep 0.2; printf 0-2; sleep 0.2; printf -- '-3-4\\n'"])[2]
        self.assertIn("line 1: '1-0-2-3-4' has '-' between its numbers: say --field 1-", said)


class Suites(Folder):
    def test_a_line_for_each_subject(self):
        status, out, said = self.run_here(["gate", "--suite", "suite.json", "--format", "json"])
        self.assertEqual(status, FAIL)
        self.assertEqual(said, "".join(f"shufflebias gate: {gate['name']}: {gate['sentence']}\n" for gate in json.loads(out)["gates"]))
        totals = [gate["total"] for gate in json.loads(out)["gates"]]
        self.assertEqual(totals, [1, 25, 2])
        quiet = self.run_here(["gate", "--suite", "suite.json", "--format", "json", "--quiet"])
        self.assertEqual(quiet, (FAIL, out, ""))
        jobs = self.run_here(["gate", "--suite", "suite.json", "--format", "json", "--jobs", "3"])
        self.assertEqual(jobs[:2], (FAIL, out))
        self.assertEqual(sorted(jobs[2].splitlines()), sorted(said.splitlines()))

    def test_schema(self):
        """data/schema/suite-1.json has the keys that the program knows, and accepts the suites of this repository."""
        with open(os.path.join(SOURCE, "data", "schema", "suite-1.json"), encoding="utf-8") as file:
            schema = json.load(file)
        with open(os.path.join(self.folder, "odd.json"), "w", encoding="utf-8") as file:
            file.write('[{"surprisingly": 1}]')
        keys = self.run_here(["gate", "--suite", "odd.json"])[2].split(": use ")[1].strip().split(", ")
        self.assertEqual(list(schema["items"]["properties"]), keys)
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is missing")
        for path in (("data", "subjects", "suite.json"), ("data", "ci", "shuffles.json")):
            with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
                jsonschema.validate(json.load(file), schema)
        jsonschema.validate(FILES["suite.json"], schema)
        for name in ("scheme.json", "key.json"):
            self.assertEqual(name == "scheme.json", jsonschema.Draft202012Validator(schema).is_valid(FILES[name]))
        for wrong in ([], [{"name": "a"}], [{"name": "a", "scheme": "naive", "file": "x"}], [{"name": "a", "command": "x"}]):
            self.assertFalse(jsonschema.Draft202012Validator(schema).is_valid(wrong))

    def test_a_broken_subject_says_why(self):
        status, _, said = self.run_here(["gate", "--suite", "folder.json"])
        self.assertEqual(status, BROKEN)
        self.assertEqual(said, "shufflebias gate: a: BROKEN: there is no folder 'absent' to start 'sh' in: correct key 'cwd'\n")


class Once(Folder):
    def test_a_fair_program(self):
        """A fair shuffle fails once in 10^9 runs. It is inconclusive, because the limit is small."""
        program = "import random; d = [0, 1, 2]; random.shuffle(d); print(*d, end='')"  # without a newline at the end
        status, out, said = self.run_here(["gate", "--once", "--limit", "40", "--format", "json", "--", sys.executable, "-c", program])
        self.assertEqual((status, said), (INCONCLUSIVE, ""))
        self.assertEqual(json.loads(out)["gates"][0]["total"], 40)

    def test_all_commands(self):
        for arguments in (["report", "--samples", "20"], ["watch", "--limit", "20"], ["gate", "--limit", "20"]):
            status, out, said = self.run_here([*arguments, "--once", "--format", "json", "--", "./once.sh"])
            self.assertIn(status, (DONE, FAIL, INCONCLUSIVE), said)
            self.assertIn('"total": 20', out)

    def test_nothing_is_left_running(self):
        script = "sleep 1000 >/dev/null 2>&1 & echo $! >>ids; echo 0 1 2"
        self.run_here(["gate", "--once", "--limit", "5", "--", "sh", "-c", script])
        with open(os.path.join(self.folder, "ids"), encoding="ascii") as file:
            ids = [int(line) for line in file]
        self.assertGreaterEqual(len(ids), 5)
        for process in ids:
            for _ in range(200):
                try:
                    with open(f"/proc/{process}/stat", encoding="ascii") as file:
                        if " Z " in file.read():
                            break
                except (FileNotFoundError, ProcessLookupError):
                    break
                time.sleep(0.01)
            else:
                self.fail(f"process {process} still runs")


def columns_of(line):
    """The columns of a line of text on a terminal: marks that combine take none, wide characters two."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


class Terminal(Folder):
    def on_terminal(self, arguments, columns, **environment):
        """What the program writes to a terminal of so many columns, to both standard output and standard error."""
        main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LC_ALL")}
        clean.update({"TERM": "xterm", "LC_ALL": "C.UTF-8", **environment})
        child = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=side, stderr=side, cwd=self.folder, env=clean)
        os.close(side)
        pieces = []
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:  # Linux says EIO at the end
                break
            if not piece:
                break
            pieces.append(piece)
        os.close(main)
        child.wait(timeout=100)
        return b"".join(pieces).decode().replace("\r\n", "\n")

    COMMANDS = [
        ["zoo", "-n", "4"],
        ["report", "naive", "--samples", "1e5", "--quiet"],
        ["report", "--samples", "1e4", "--quiet"],
        ["report", "naive", "-n", "10", "--samples", "1e4", "--quiet"],
        ["gate", "naive", "--quiet"],
        ["gate", "fisher-yates", "-n", "52", "--limit", "300", "--quiet"],
        ["gate", "--suite", "suite.json", "--quiet"],
        ["watch", "naive", "--limit", "3000"],
        ["explain", "naive", "-n", "3"],
        ["odds", "naive", "123", "132", "--quiet"],
        ["plan", "naive", "--quiet"],
        ["law", "descents", "-n", "8"],
        ["list"],
    ]

    def test_text_fits(self):
        for columns in (60, 80, 120):
            for command in self.COMMANDS:
                with self.subTest(columns=columns, command=command):
                    text = re.sub(r"\033\[[0-9;]*m", "", self.on_terminal(command, columns))
                    wide = [line for line in text.split("\n") if columns_of(line) > columns
                            and " " in line.strip()]  # a single word, such as a link, cannot be broken
                    self.assertEqual(wide, [])

    def test_nothing_is_lost(self):
        """A table in parts has the cells of the whole table."""
        whole = self.run_here(["zoo", "-n", "4"])[1]
        parts = self.on_terminal(["zoo", "-n", "4"], 60, NO_COLOR="1")
        rows = [line.split() for line in whole.split("\n") if line.startswith("sattolo ")]
        found = [line.split() for line in parts.split("\n") if line.startswith("sattolo ")]
        self.assertGreater(len(found), 1)
        self.assertEqual(rows, [[found[0][0], *[cell for part in found for cell in part[1:]]]])

    def test_files_are_as_wide_as_ever(self):
        """Without a terminal the bytes do not depend on COLUMNS."""
        texts = {subprocess.run([PROGRAM, "zoo", "-n", "4"], capture_output=True, timeout=100,
                                env={**os.environ, "COLUMNS": columns}).stdout for columns in ("40", "300")}
        self.assertEqual(len(texts), 1)

    def test_colours(self):
        self.assertIn("\033[1;31mFAIL", self.on_terminal(["gate", "naive"], 80))
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\033[1;31m", self.on_terminal(["gate", "naive"], 80, **environment))
        self.assertIn("\033[1;31mFAIL", self.on_terminal(["gate", "naive"], 80, NO_COLOR=""))  # empty means not set
        self.assertNotIn("\033", self.run_here(["gate", "naive"])[1])

    def test_progress(self):
        """Decks, the bound against the goal, and the time left; also before the first permutation. A fair shuffle fails once in 10^9 runs, and any verdict will do."""
        slow = ("import random, time\nwhile True:\n    for i in range(30): print(*random.sample(range(3), 3))\n"
                "    print(flush=True)\n    time.sleep(0.02)\n")
        with open(os.path.join(self.folder, "slow.py"), "w", encoding="utf-8") as file:
            file.write(slow)
        text = self.on_terminal(["gate", "--exclude", "0.07", "--limit", "3000", "--", sys.executable, "slow.py"], 90)
        self.assertRegex(text, r"\r[^\r]*: [\d,]+ decks, bias below 0\.\d+, goal 0\.07, about \d+ s left\033\[K")
        for line in re.findall(r"\r([^\r\033]*)\033\[K", text):
            self.assertLess(len(line), 90)
        silent = [sys.executable, "-c", "import time; time.sleep(3); print(0, 1, 2)"]
        for command in ("gate", "report"):
            self.assertIn(": 0 of 2,000,000\033[K", self.on_terminal([command, "--", *silent], 200))
        self.assertNotIn("decks, bias", self.on_terminal(["gate", "--quiet", "--limit", "60", "--once", "--", "./once.sh"], 90))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
