# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong arguments and faults: each gives one clear line that names the offender and the remedy, and the documented exit
status."""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from program import PROGRAM
import waiting

TEMPORARY = ".shufflebias-new"

# arguments, exit status, what the one line on standard error must hold
SLIPS = [
    ([], 2, None),
    (["reprot"], 2, "unknown command 'reprot'; did you mean report?"),
    (["gaet"], 2, "unknown command 'gaet'; did you mean gate?"),
    (["xyzzy"], 2, "unknown command 'xyzzy': use report, gate, watch"),
    (["report", "niave"], 2, "did you mean naive?"),
    (["report", "naive", "fisher-yets"], 2, "did you mean fisher-yates"),
    (["report", "naive/modulo:257"], 2, "from 1 to 256"),
    (["report", "naive/modulo:16/msvc-rand"], 2, "have 15 bits"),
    (["report", "naive/lemire:1"], 2, "2 different words"),
    (["report", "naive", "-n", "-1"], 2, "-n -1: must be a whole number from 0 to 65535"),
    (["report", "naive", "-n", "65536"], 2, "-n 65536: must be a whole number"),
    (["report", "naive", "-n", "3.5"], 2, "-n 3.5"),
    (["report", "naive", "-n", "99999999999999999999"], 2, "-n 99999999999999999999"),
    (["report", "naive", "-n", ""], 2, "-n : must be a whole number"),
    (["report", "naive", "-n"], 2, "-n: missing argument"),
    (["report", "naive", "--deal", "4"], 2, "--deal 4: must be a whole number from 1 to 3"),
    (["report", "naive", "--deal", "0"], 2, "--deal 0"),
    (["report", "naive", "-n", "0", "--deal", "1"], 2, "nothing to deal"),
    (["report", "naive", "--samples", "0"], 2, "--samples 0"),
    (["report", "naive", "--samples", "1e30"], 2, "--samples 1e30"),
    (["report", "naive", "--seed", "x"], 2, "--seed x"),
    (["report", "naive", "--alpha", "2"], 2, "--alpha 2: must be a number between 0 and 1"),
    (["report", "naive", "--alpha", "nan"], 2, "--alpha nan"),
    (["report", "naive", "--alpha", "9e-101"], 2, "--alpha 9e-101: must be at least 1e-100 and below 1"),
    (["plan", "naive", "--alpha", "1e-300"], 2, "--alpha 1e-300: must be at least 1e-100 and below 1"),
    (["report", "naive", "--seed", "9007199254740992.5"], 2, "--seed 9007199254740992.5: must be a whole number"),
    (["report", "naive", "--seed", "1.0000000000000000001"], 2, "--seed 1.0000000000000000001: must be a whole"),
    (["report", "naive", "--seed", "18446744073709551616.0"], 2, "--seed 18446744073709551616.0: must be"),
    (["report", "naive", "--seed", "1e999999999999"], 2, "--seed 1e999999999999: must be a whole number"),
    (["report", "naive", "--seed", "1e+-1"], 2, "--seed 1e+-1: must be a whole number"),
    (["report", "naive", "--seed", "1e"], 2, "--seed 1e: must be a whole number"),
    (["report", "naive", "--seed", "1.2.e2"], 2, "--seed 1.2.e2: must be a whole number"),
    (["report", "naive", "--export", "json:-"], 2, "json and text would both go to standard output: give each"),
    (["report", "naive", "--export", "json:-", "--export", "csv:-", "-o", "/dev/null"], 2, "json and csv would both"),
    (["gate", "naive", "--ledger", "-"], 2, "--ledger '-': a ledger must be a regular file"),
    (["gate", "naive", "--ledger", ""], 2, "--ledger '': a ledger must be a regular file"),
    (["watch", "naive", "--metrics", "-"], 2, "--metrics -: metrics must be a regular file"),
    (["report", "naive", "-o", 1000 * "xyz/"], 4, "/': No such file or directory: make its folder, or name another file"),
    (["report", "naive", "--by", "guess"], 2, "--by guess: use exact, sample or both, or seeds"),
    (["report", "naive", "--by", "seeds"], 2, "philox has too many seeds to try them all"),
    (["report", "naive", "--rng", "taus", "--by", "seeds", "--seeds", "5"], 2, "--seeds 5: write the first and the last"),
    (["report", "naive", "--by", "seeds", "--seeds", "5.."], 2, "--seeds : must be a whole number"),
    (["report", "naive", "--by", "seeds", "--seeds", "9..5"], 2, "--seeds 5: must be a whole number from 9"),
    (["report", "naive", "--by", "seeds", "--seeds", "-1..5"], 2, "--seeds -1: must be a whole number"),
    (["report", "naive", "--by", "seeds", "--seeds", "0..1e30"], 2, "--seeds 1e30: must be a whole number"),
    (["report", "naive", "--seeds", "0..5"], 2, "--seeds 0..5: only goes with --by seeds"),
    (["report", "naive", "--threads", "0"], 2, "--threads 0"),
    (["report", "naive", "--format", "none"], 2, "unknown format 'none'"),
    (["report", "naive", "--export", "json"], 2, "write FORMAT:FILE"),
    (["report", "naive", "--export", "none:x"], 2, "unknown format 'none'"),
    (["report", "naive", "--colour"], 2, "--colour: unknown option; 'shufflebias report --help' shows"),
    (["gate", "naive", "--max-bais", "0.1"], 2, "--max-bais: unknown option: did you mean --max-bias?"),
    (["gate", "naive", "--" + 100 * "x"], 2, "xxx: unknown option; 'shufflebias gate --help' shows"),
    (["report", "naive", "--colour=red"], 2, "--colour=red: unknown option"),
    (["report", "naive", "--sampl", "9"], 2, "--sampl: unknown option: did you mean --samples?"),  # no abbreviations: a later option may share them
    (["report", "naive", "--threads=1", "--sampl=9"], 2, "--sampl=9: unknown option: did you mean --samples?"),
    (["report", "naive", "--quiet=yes"], 2, "--quiet=yes: option does not take an argument"),
    (["report", "naive", "-x"], 2, "-x: unknown option"),
    (["report", "naive", "-:"], 2, "-: : unknown option"),
    (["report", "naive", "--samples"], 2, "--samples: missing argument"),
    (["report", "naive", *["--export", "json:/nonexistent/x"] * 33], 2, "more than 32 options --export: use fewer"),
    (["deal", "naive", "--", "-n"], 2, "one scheme at a time: leave '-n' out"),
    (["report", "redraw", "-n", "11", "--by", "exact"], 2, "use n <= 10 or --deal"),
    (["report", "sort-heap", "-n", "10", "--by", "exact"], 2, "use a smaller n"),
    (["report", "naive", "-n", "8193", "--by", "exact"], 2, "use n <= 8192"),
    (["report", "naive", "-n", "20000", "--deal", "2", "--by", "exact"], 2, "would take hours"),
    (["report", "sort-by-key", "-n", "2001", "--by", "exact"], 2, "sort-by-key"),
    (["report", "naive", "-n", "65535"], 2, "use n <= 8192, or --deal"),
    (["report", "naive", "-o", "/nonexistent/x"], 4, "cannot write '/nonexistent/x': No such file or directory"),
    (["report", "naive", "--export", "json:/nonexistent/x"], 4, "cannot write '/nonexistent/x'"),
    (["report", "naive", "--draw", "moduli"], 2, "unknown draw 'moduli'"),
    (["report", "naive", "--rng", "mt1993"], 2, "unknown generator 'mt1993'"),
    (["gate", "--field", "", "-"], 2, "shufflebias gate: --field: fields count from 1"),
    (["gate", "--json-path", "", "-"], 2, "shufflebias gate: --json-path: write keys and indices"),
    (["zoo", "--test", ""], 2, "--test: its argument is empty: name a command, or leave the option out"),
    (["plan"], 2, "name a scheme, or the size of a bias with --detect, or a number of shuffles with --samples"),
    (["plan", "niave"], 2, "did you mean naive?"),
    (["plan", "fisher-yates"], 2, "no number of shuffles would show a bias: fisher-yates is uniform"),
    (["plan", "naive", "-n", "2"], 2, "no number of shuffles would show a bias: naive is uniform at n = 2"),
    (["plan", "naive", "-n", "0"], 2, "no number of shuffles would show a bias"),
    (["plan", "naive", "-n", "1"], 2, "no number of shuffles would show a bias"),
    (["plan", "--detect", "0.1", "-n", "0"], 2, "n = 0 has only one order"),
    (["plan", "--samples", "10", "-n", "1"], 2, "n = 1 has only one order"),
    (["plan", "--detect", "0.1", "-n", "52"], 2, "use n <= 10 or --deal"),
    (["plan", "--detect", "0.1", "-n", "65536"], 2, "-n 65536: must be a whole number"),
    (["plan", "--detect", "0"], 2, "--detect 0: must be a number between 0 and 1"),
    (["plan", "--detect", "1.5"], 2, "--detect 1.5: must be a number between 0 and 1"),
    (["plan", "--detect", "0.9"], 2, "of 6 orders it is at most 0.83"),
    (["plan", "--detect", "nan"], 2, "--detect nan"),
    (["plan", "naive", "--detect", "0.1"], 2, "leave one of them out"),
    (["plan", "naive", "--power", "0"], 2, "--power 0: must be a number between 0 and 1"),
    (["plan", "naive", "--power", "1"], 2, "--power 1: must be a number between 0 and 1"),
    (["plan", "naive", "--power", "x"], 2, "--power x"),
    (["plan", "naive", "--alpha", "0"], 2, "--alpha 0: must be a number between 0 and 1"),
    (["plan", "naive", "--samples", "0"], 2, "--samples 0"),
    (["plan", "naive", "sattolo"], 2, "one scheme at a time"),
    (["plan", "naive", "--format", "tap"], 2, "unknown format 'tap': use text, markdown"),
    (["plan", "sort-quick", "-n", "11"], 2, "use n <= 10 or --deal"),
    (["plan", "fisher-yates", "-n", "52"], 2, "no number of shuffles would show a bias: fisher-yates is uniform"),
    (["plan", "fisher-yates/modulo:64", "-n", "300", "--deal", "20"], 2, "has a uniform matrix as far as doubles can tell"),
    (["plan", "rotate", "-n", "40"], 2, "has a uniform matrix, and no more is known: use a smaller n or --deal"),
    (["plan", "naive", "-n", "65535"], 2, "65535"),
    (["plan", "naive", "-n", "5000"], 2, "naive at n = 5000: all that is known is its matrix, which takes minutes: use n <= 2000"),
    (["plan", "naive", "-o", "/nonexistent/x"], 4, "cannot write '/nonexistent/x': No such file or directory"),
    (["report", "naive/lemire:2/transputer", "--seed", "536870912", "--by", "sample"], 2,
     "gives the same few answers over and over: take another seed, generator or draw"),
    *[([*command, "redraw/modulo:1", *more], 2, "redraw/modulo:1 never ends: it draws from 3 until 3 different answers have "
       "come, and only 2 can: use another draw") for command, more in [
           (["report"], ["--by", "exact"]), (["report"], ["--by", "sample"]), (["deal"], []), (["gate"], []), (["watch"], []),
           (["explain"], []), (["plan"], []), (["bench"], ["-n", "3"]), (["odds"], ["123", "132"])]],
    (["report", "redraw/multiply:3/msvc-rand", "-n", "9", "--by", "seeds"], 2, "only 8 can: use another draw"),
    (["deal"], 2, "name a scheme"),
    (["deal", "naive", "sattolo"], 2, "one scheme at a time"),
    (["deal", "naive", "-n", "300", "--format", "u8"], 2, "use u16"),
    (["deal", "naive", "--output", "u64"], 2, "use text, u8, u16 or u32"),
    (["report", "naive", "--statistics", "cycles,descnts"], 2, "unknown statistic 'descnts'"),
    (["report", "naive", "--statistics", "poker", "-n", "4"], 2, "poker has no known law of 4 items out of 4: use 52 cards"),
    (["report", "naive", "--statistics", "cycles,displacement", "-n", "201"], 2, "displacement has no known law"),
    (["report", "naive", "--statistics", "repeat", "-n", "4"], 2, "that cannot be counted one by one: leave it out"),
    (["law"], 2, "name a statistic"),
    (["law", "repeat"], 2, "of D equally likely decks, N fair ones have about N(N-1)/(2 D) repeats on average"),
    (["law", "rank", "--cards", " ".join("A" + 64 * "B")], 2, "use up to 3,628,800 different deals, and up to 64 cards if some are equal"),
    (["law", "descents", "-n", "0"], 2, "descents says nothing of n = 0 items: use n >= 1"),
    (["law", "descents", "cycles"], 2, "one statistic at a time: leave 'cycles' out"),
    (["law", "descnts"], 2, "did you mean descents?"),
    (["law", "descents", "--format", "none"], 2, "unknown format 'none': use text, markdown"),
    (["law", "position", "--member", "0"], 2, "--member 0"),
    (["law", "position", "--member", "4"], 2, "position has no member 4: use one of 1 to 3"),
    (["law", "displacement", "-n", "201"], 2, "use whole permutations of up to 200 items"),
    (["law", "descents", "-o", "/nonexistent/x"], 4, "cannot write '/nonexistent/x'"),
    (["explain"], 2, "name a scheme"),
    (["explain", "naive", "sattolo"], 2, "one scheme at a time: leave 'sattolo' out"),
    (["explain", "niave"], 2, "did you mean naive?"),
    (["explain", "naive", "-n", "65536"], 2, "-n 65536: must be a whole number"),
    (["explain", "naive", "--path", "0,2"], 2, "path '0,2' is too short: draw 3 is below 3"),
    (["explain", "naive", "--path", "0,2,1,0"], 2, "is too long: the shuffle ends after 3 draws"),
    (["explain", "naive", "--path", "0,3,1"], 2, "draw 2 is below 3 and cannot be 3"),
    (["explain", "naive", "--path", "a"], 2, "'a' is no path"),
    (["explain", "naive", "-n", "5000", "--step"], 2, "too many draws to follow"),
    (["explain", "naive", "--format", "csv"], 2, "format 'csv'"),
    (["odds"], 2, "name a scheme"),
    (["odds", "niave", "123"], 2, "did you mean naive?"),
    (["odds", "naive"], 2, "name a permutation"),
    (["odds", "naive", "122"], 2, "'122' is no permutation"),
    (["odds", "naive", "124"], 2, "'124' is no permutation"),
    (["odds", "naive", ""], 2, "'' is no permutation"),
    (["odds", "naive", "1.2."], 2, "'1.2.' is no permutation"),
    (["odds", "naive", "0.1"], 2, "'0.1' is no permutation"),
    (["odds", "naive", "1.99999999999999999999"], 2, "is no permutation"),
    (["odds", "naive", ".".join(map(str, range(1, 130)))], 2, "of up to 128 items"),
    (["odds", "naive", "123", "21"], 2, "'21' has 2 items, but the first permutation 3"),
    (["odds", "naive", "123", "--format", "junit"], 2, "unknown format 'junit': use text, markdown"),
    (["odds", "naive", "123", "-o", "/nonexistent/x"], 4, "cannot write '/nonexistent/x'"),
    (["odds", "splice", "1.2.3.4.5.6.7.8.9.10.11.12"], 2, "use fewer items"),
    (["list", "rngs", "draws"], 2, "one family at a time: leave 'draws' out"),
    (["--version", "extra"], 2, "leave 'extra' out"),
    (["--help", "report", "extra"], 2, "leave 'extra' out"),
    (["help", "reprot"], 2, "unknown command 'reprot'"),
    (["deal", "redraw/ideal/transputer", "-n", "5", "--seed", "536870912", "--samples", "100"], 2,
     "redraw/ideal/transputer with seed 536870912 gives the same few answers over and over: take another seed"),
    (["report", "redraw/ideal/transputer", "-n", "5", "--seed", "536870912", "--samples", "100"], 2,
     "gives the same few answers over and over: take another seed"),
    (["list", "songs"], 2, "unknown family 'songs'"),
    (["merge"], 2, "name the files of the parts"),
    (["merge", "part1.json"], 2, "name the file to write with --output"),
    (["merge", "--shard", "1/2"], 2, "--shard"),
    (["merge", "-o", "/nonexistent/x", "/nonexistent/part1.json"], 4, "cannot read '/nonexistent/part1.json'"),
]

LAST_SEEDS = ["report", "fisher-yates", "--by", "seeds", "--seeds", "9223372036854775805..9223372036854775806"]
# Its matrix has 4 * 10^9 cells: a quarter of a minute, so in one form alone, and minutes with sanitizers. There, 8,192 items are enough.
SLOW = [[*LAST_SEEDS, "-n", "65535"]]
# commands that must just work
SOUND = [
    ["--help"], ["--version"], ["help"], ["help", "report"], ["report", "--help"], ["deal", "--help"], ["list", "--help"], ["merge", "--help"], ["list"],
    ["report", "-n", "0", "--samples", "100"],
    ["report", "-n", "1", "--samples", "100"],
    ["report", "-n", "2", "--samples", "1000"],
    ["report", "-n", "5", "--samples", "1", "--by", "sample"],
    ["report", "naive", "-n", "10", "--samples", "1000", "--by", "sample"],
    ["report", "fisher-yates-forward", "-n", "65535", "--deal", "2", "--samples", "20"],
    ["report", "fisher-yates", "-n", "300", "--samples", "50"],
    ["report", "fisher-yates", "-n", "52", "--deal", "5", "--statistics", "poker,repeat", "--samples", "100"],
    ["report", "fisher-yates", "-n", "1", "--increments", "--samples", "100"],
    ["report", "--by", "seeds", "--seeds", "3..40", "-n", "0"],
    ["report", "--by", "seeds", "--seeds", "3..40", "-n", "5"],
    ["report", "--by", "seeds", "--seeds", "3..40", "-n", "65", "--deal", "9"],
    ["report", "naive/ideal/ranlux", "--by", "seeds", "--seeds", "2147483563..2147483563", "-n", "5"],
    [*LAST_SEEDS, "-n", "65535", "--deal", "2"],
    [*LAST_SEEDS, "-n", "8192"],
    [*LAST_SEEDS, "-n", "65535"],
    ["plan", "--help"],
    ["plan", "naive", "-n", "3", "--alpha", "1e-100", "--power", "0.999999999999999"],
    ["plan", "naive", "--alpha", "0.999999", "--power", "1e-300"],
    ["plan", "naive", "--samples", "9e18"],
    ["plan", "sattolo", "-n", "2"],
    ["plan", "naive", "-n", "52"],
    ["plan", "naive", "-n", "300"],
    ["plan", "riffle:3", "-n", "52"],
    ["plan", "fisher-yates/modulo:15", "-n", "52", "--samples", "1e6"],
    ["plan", "splice/modulo:8", "-n", "6", "--deal", "2"],
    ["plan", "--detect", "1e-300"],
    ["plan", "--detect", "0.9", "-n", "10"],
    ["plan", "--detect", "0.01", "-n", "52", "--deal", "3"],
    ["plan", "--detect", "0.01", "-n", "65535", "--deal", "1"],
    ["plan", "--samples", "1", "-n", "2"],
    ["plan", "--samples", "9e18", "-n", "10"],
    ["report", "naive", "--alpha", "1e-100", "--samples", "1e4"],
    ["deal", "naive", "-n", "0", "--samples", "3"],
    ["deal", "naive", "-n", "1", "--samples", "3"],
    ["deal", "fisher-yates", "-n", "65535", "--samples", "2"],
    ["deal", "sort-quick", "-n", "65535", "--samples", "1"],
]


def run(arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=250, **options)


class BadInput(unittest.TestCase):
    def test_slips(self):
        for arguments, status, words in SLIPS:
            with self.subTest(arguments=arguments):
                done = run(arguments)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual(done.stdout, "")
                if words:
                    self.assertIn(words, done.stderr)
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_sound(self):
        for arguments in SOUND:
            for form in (["--format", "json"], ["--format", "csv"], ["--format", "markdown"], []):
                if form and (arguments[0] not in ("report", "plan") or "--help" in arguments or arguments in SLOW):
                    continue
                if arguments in SLOW and "ASAN_OPTIONS" in os.environ:
                    continue
                with self.subTest(arguments=arguments + form):
                    done = run(arguments + form)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    words = done.stdout.replace(",", " ").lower().split()
                    self.assertFalse({"nan", "-nan", "inf", "-inf", "infinity"} & set(words))
                    if form == ["--format", "json"]:
                        json.loads(done.stdout, parse_constant=lambda word: self.fail(word))

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for arguments in (["report", "naive", "--samples", "1000"], ["plan", "naive"], ["deal", "naive", "--samples", "1e6"], ["list"],
                          ["report", "naive", "--samples", "1000", "--format", "json"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=100)
                self.assertEqual(done.returncode, 4)
                self.assertIn("No space left on device", done.stderr)
        done = run(["report", "naive", "--samples", "1000", "-o", "/dev/full"])
        self.assertEqual(done.returncode, 4)
        self.assertIn("cannot write '/dev/full': No space left on device", done.stderr)

    def test_closed_standard_streams(self):
        """A file that takes the number of a closed stream does not take what is written to that stream."""
        subject = "while :; do echo 0 1 2; echo noise >&2; done"
        for closed in ("", "<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
            for output in (["-o", "out"], []):
                with self.subTest(closed=closed, output=output), tempfile.TemporaryDirectory() as folder:
                    command = [PROGRAM, "gate", "--limit", "2000", "--save", "saved", "--export", "json:json", "--export", "html:html",
                               *output, "--", "sh", "-c", subject]
                    done = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *command], cwd=folder, capture_output=True, text=True,
                                          timeout=100)
                    unwritten = ">&-" in closed.split() and not output
                    self.assertEqual(done.returncode, 4 if unwritten else 1, done.stderr)
                    if "2>&-" not in closed:
                        self.assertIn("subject: noise", done.stderr)
                        self.assertEqual(unwritten, "cannot write 'standard output'" in done.stderr)
                    for name in ("saved", "json"):
                        json.loads(pathlib.Path(folder, name).read_text())
                    self.assertNotIn("subject: noise", pathlib.Path(folder, "html").read_text())
                    if output:
                        self.assertRegex(pathlib.Path(folder, "out").read_text(), r"\AFAIL")
                        self.assertNotIn("noise\n", pathlib.Path(folder, "out").read_text())

    def test_no_result_replaces_what_a_run_reads_or_saves(self):
        """Also where the file has two names, and where it does not exist yet."""
        with tempfile.TemporaryDirectory() as folder:
            deals, suite = pathlib.Path(folder, "deals"), pathlib.Path(folder, "suite")
            deals.write_text("0 1 2\n2 1 0\n")
            suite.write_text('[{"name": "a", "scheme": "naive"}, {"name": "b", "file": "deals"}]')
            os.symlink("deals", pathlib.Path(folder, "link"))
            os.link(deals, pathlib.Path(folder, "twin"))
            for arguments, words in [
                    ("report deals -o deals", "'deals' is the input, and cannot take the text: name another file"),
                    ("report deals --export json:./deals -o other", "'deals' is the input, and cannot take the json"),
                    ("report link -o deals", "'link' is the input"),
                    ("report deals -o link", "'deals' is the input"),
                    ("report deals -o twin", "'deals' is the input"),
                    ("report --matrix deals -o ./deals", "'deals' is the input"),
                    (f"gate deals -o {folder}/deals", "'deals' is the input"),
                    ("gate --suite suite -o deals", "'deals' is the input"),
                    ("gate --suite suite -o ./suite", "'suite' is the suite"),
                    ("watch deals -o link", "'deals' is the input"),
                    ("gate naive --save new -o ./new", "'new' is the evidence, and cannot take the text"),
                    (f"gate naive --save new --export json:{folder}/new", "'new' is the evidence, and cannot take the json"),
                    ("gate naive --ledger ./new -o new", "'./new' is the ledger, and cannot take the text"),
                    ("gate naive --ledger ./new --export json:new.lock",
                     "'./new.lock' is a file of the ledger, and cannot take the json"),
                    ("report naive --save ./new -o new", "'./new' is the evidence, and cannot take the text"),
                    ("watch naive --metrics new -o ./new", "'new' is the file of metrics, and cannot take the text")]:
                with self.subTest(arguments=arguments):
                    done = run(arguments.split(), cwd=folder)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertIn(words, done.stderr)
                    self.assertEqual(deals.read_text(), "0 1 2\n2 1 0\n")
                    self.assertEqual(sorted(os.listdir(folder)), ["deals", "link", "suite", "twin"])

    def test_closed_pipe(self):
        for arguments in (["report", "--samples", "1000"], ["deal", "naive", "--samples", "1e7"]):
            with self.subTest(arguments=arguments):
                child = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                child.stdout.close()
                self.assertEqual(child.stderr.read(), b"")
                self.assertEqual(child.wait(timeout=100), 4)
                child.stderr.close()

    def test_interrupt_reports_what_was_counted(self):
        child = subprocess.Popen([PROGRAM, "report", "fisher-yates-original", "-n", "5", "--by", "sample",
                                  "--samples", "1e13", "--format", "json"], stdout=subprocess.PIPE)
        waiting.until_worked(child, 0.5)
        child.send_signal(signal.SIGINT)
        output, _ = child.communicate(timeout=100)
        self.assertEqual(child.returncode, 130)
        evidence = json.loads(output)["reports"][0]["evidence"]
        self.assertTrue(evidence["interrupted"])
        self.assertEqual(sum(evidence["counts"]), evidence["total"])

    def test_interrupt_ends_a_single_long_shuffle(self):
        child = subprocess.Popen([PROGRAM, "deal", "sort-bubble", "-n", "65535", "--samples", "1"],
                                 stdout=subprocess.DEVNULL)
        waiting.until_worked(child, 0.3)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=100), 130)
        self.assertLess(time.monotonic() - began, 60)

    def test_interrupt_ends_a_walk_on_permutations(self):
        child = subprocess.Popen([PROGRAM, "report", "transpositions/modulo", "-n", "9", "--by", "exact"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        waiting.until_worked(child, 0.2)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=100),
                         ("", "shufflebias report: stopped before anything was counted\n"))
        self.assertEqual(child.returncode, 130)

    def test_memory_refused(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        if run(["--version"], preexec_fn=little).returncode:
            self.skipTest("an address sanitizer needs more memory than this test allows")
        done = run(["report", "naive", "-n", "12", "--by", "exact", "--threads", "1"], preexec_fn=little)
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertRegex(done.stderr, r"^shufflebias report: naive: the exact law of n = 12 takes 3\.6 GiB of memory, and "
                         r"[01]\.\d GiB are available: free memory, or use n <= 11\n$")

    def test_hanging_up_ends_it_as_an_interrupt_does(self):
        with tempfile.TemporaryDirectory() as folder:
            child = subprocess.Popen([PROGRAM, "report", "transpositions/modulo", "-n", "9", "--by", "exact", "-o", "x"],
                                     cwd=folder, stderr=subprocess.DEVNULL,
                                     preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
            waiting.until(lambda: os.listdir(folder), "for the file")
            child.send_signal(signal.SIGHUP)
            self.assertEqual(child.wait(timeout=100), 130)
            self.assertEqual(os.listdir(folder), [])

    def test_a_second_interrupt_ends_it_at_once_and_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:  # the first one's report fills a pipe that nobody reads
            child = subprocess.Popen([PROGRAM, "report", "naive", "-n", "8", "--by", "sample", "--samples", "1e13",
                                      "--export", "json:-", "-o", "x"], cwd=folder, stdout=subprocess.PIPE)
            waiting.until_worked(child, 0.5)
            child.send_signal(signal.SIGINT)
            child.send_signal(signal.SIGINT)  # timeout(1) sends two: they are one
            self.assertTrue(child.stdout.read(1))
            self.assertIsNone(child.poll())
            self.assertEqual(len(os.listdir(folder)), 1)
            waiting.interrupt_until_it_ends(child)
            self.assertEqual(child.returncode, 130)
            self.assertEqual(os.listdir(folder), [])
            child.stdout.close()

    def test_killed_exports_leave_one_file_at_most(self):
        command = ["report", "naive", "-n", "52", "--samples", "1e9", "--quiet", "--export", "json:x.json"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.json" + TEMPORARY)
            for _ in range(3):
                child = subprocess.Popen([PROGRAM, *command], cwd=folder, stdout=subprocess.DEVNULL)
                waiting.until_worked(child, 0.1)
                self.assertEqual(os.listdir(folder), [os.path.basename(path)])
                child.kill()
                child.wait()
            with open(path, "w", encoding="ascii") as file:
                file.write("left" * 100000)  # longer than what is written
            done = run(["report", "naive", "--quiet", "--export", "json:x.json"], cwd=folder)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(os.listdir(folder), ["x.json"])
            with open(os.path.join(folder, "x.json"), encoding="utf-8") as file:
                self.assertIn("reports", json.load(file))

    def test_a_temporary_file_is_not_taken_from_another(self):
        """Neither from a run that writes it, nor where it is a link or has a second name."""
        command = ["report", "naive", "--quiet", "--export", "json:x.json"]
        with tempfile.TemporaryDirectory() as folder:
            other, path = os.path.join(folder, "other"), os.path.join(folder, "x.json" + TEMPORARY)
            child = subprocess.Popen([PROGRAM, *command, "-n", "52", "--samples", "1e9"], cwd=folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            waiting.until_worked(child, 0.1)
            self.assertEqual(run(command, cwd=folder).returncode, 0)
            self.assertEqual(sorted(os.listdir(folder)), ["x.json", "x.json" + TEMPORARY])
            child.send_signal(signal.SIGINT)
            child.wait()
            for link in (os.symlink, os.link):
                with open(other, "w", encoding="ascii") as file:
                    file.write("somebody's")
                link(other, path)
                self.assertEqual(run(command, cwd=folder).returncode, 0)
                with open(other, encoding="ascii") as file:
                    self.assertEqual(file.read(), "somebody's")
                os.unlink(path)

    def test_an_interrupted_or_failed_export_leaves_the_old_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "old.json")
            with open(path, "w", encoding="ascii") as file:
                file.write("old")
            done = run(["report", "sort-by-key", "-n", "2001", "--by", "exact", "--export", "json:" + path])
            self.assertEqual(done.returncode, 2)
            self.assertEqual(os.listdir(folder), ["old.json"])
            with open(path, encoding="ascii") as file:
                self.assertEqual(file.read(), "old")

    def test_a_name_may_be_nearly_as_long_as_a_name_can_be(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 248 * "a")
            self.assertEqual(run(["law", "cycles", "-n", "4", "-o", path]).returncode, 0)
            self.assertEqual(os.listdir(folder), [os.path.basename(path)])

    def test_every_field_that_the_library_names_is_an_option(self):
        source = pathlib.Path(sys.argv[2]) / "src"
        table, others = ((source / name).read_text() for name in ("core/options.c", "cli/arguments.c"))
        rows = set(re.findall(r'\.(?:name|field) = "(\w+)"', table)) | set(re.findall(r'\{ "(\w+)", "[^"]*" \},', others))
        self.assertGreater(len(rows), 30)
        for path in source.rglob("*.c"):
            if path.relative_to(source).parts[0] not in ("cli", "lesson", "report"):
                code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
                for field in re.findall(r'"[^"\n]*[ "(]`([a-z_]+)(?:=[^`"\n]*)?`', code):
                    self.assertIn(field, rows, path)

    def test_names_of_files_are_as_they_were_typed(self):
        for name in ("a`deal`b", "`n`", "`n=5`"):
            self.assertIn(f"cannot read ./{name}: ", run(["gate", "./" + name]).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
