# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate's command line: verdicts and exit statuses, formats, all ways to read a stream, and reports on streams.

Everything that is random here has a fixed seed."""
import collections
import itertools
import json
import math
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from fractions import Fraction

from program import PROGRAM
import waiting

PYTHON = sys.executable
FAIR = ["--exclude", "0.1", "--limit", "30000"]  # what is fair passes soon

# arguments, exit status, what the one line on standard error must hold
SLIPS = [
    (["gate"], 2, "name what to test"),
    (["gate", "--"], 2, "no command after '--'"),
    (["gate", "niave"], 2, "unknown shuffle 'niave'; did you mean naive? (and there is no such file)"),
    (["report", "nothing.txt"], 2, "cannot read nothing.txt: No such file or directory"),
    (["gate", "python3 shuffle.py"], 2, "(and there is no such file; a command goes after '--')"),
    (["gate", "cat", "/dev/null"], 2, "'cat' is not a scheme: a command goes after '--', as in: gate -- cat /dev/null"),
    (["report", "python3", "nothing.py"], 2, "as in: report -- python3 nothing.py"),
    (["gate", "/bin/sh"], 2, "'/bin/sh' is not a recording: a command goes after '--', as in: gate -- /bin/sh"),
    (["gate", "/bin/sh", "-", "x"], 2, "as in: gate -- /bin/sh - x"),
    (["gate", "niave", "sattolo"], 2, "one subject at a time: leave 'sattolo' out"),
    (["gate", "naive", "--", "true"], 2, "one subject at a time: leave 'naive' out"),
    (["gate", "naive", "sattolo"], 2, "one subject at a time: leave 'sattolo' out"),
    (["gate", "./naive"], 2, "./naive"),
    (["gate", "-", "naive"], 2, "leave '-' or the others out"),
    (["report", "naive", "/dev/null"], 2, "leave '/dev/null' or the others out"),
    (["gate", "naive", "-n", "1"], 2, "-n 1: there is only one order"),
    (["gate", "naive", "-n", "0"], 2, "-n 0: there is only one order"),
    (["gate", "naive", "-n", "x"], 2, "-n x: must be a whole number"),
    (["gate", "naive", "-n", "1000001"], 2, "n = 1000001 is too large for tallies of many permutations: use n <= 1000000"),
    (["gate", "naive", "-n", "100000000"], 2, "-n 100000000: must be a whole number from 0 to 10000000"),
    (["watch", "naive", "-n", "1000001"], 2, "use n <= 1000000"),
    (["gate", "naive", "--deal", "4"], 2, "4"),
    (["gate", "naive", "--input", "u8"], 2, "--input: only goes with a command, a file or '-'"),
    (["gate", "naive", "--chained"], 2, "--chained: only goes with a command"),
    (["gate", "--seed", "1", "--", "true"], 2, "--seed: only goes with a scheme"),
    (["gate", "--rng", "taus", "-"], 2, "--rng: only goes with a scheme"),
    (["report", "--by", "exact", "-"], 2, "--by exact: only goes with a scheme"),
    (["gate", "--input", "u64", "-"], 2, "unknown input 'u64': use text, u8, u16 or u32"),
    (["gate", "--base", "2", "-"], 2, "unknown base '2'"),
    (["gate", "--timeout", "0", "-"], 2, "--timeout 0: must be a number of seconds above 0"),
    (["gate", "--timeout", "-1", "-"], 2, "--timeout -1: must be a number of seconds above 0"),
    (["report", "--timeout", "nan", "-"], 2, "--timeout nan: must be a number of seconds above 0"),
    (["prove", "--timeout", "1 s", "--", "true"], 2, "--timeout 1 s: must be a number of seconds above 0"),
    (["gate", "naive", "--alpha", "0"], 2, "--alpha 0: must be a number between 0 and 1"),
    (["gate", "naive", "--delta", "1e-200"], 2, "--delta 1e-200: must be at least 1e-100"),
    (["gate", "naive", "--exclude", "1"], 2, "--max-bias 1: must be a number between 0 and 1"),
    (["gate", "naive", "--tolerate", "-1"], 2, "--tolerate -1: must be a number between 0 and 1"),
    (["gate", "naive", "--tolerate", "0.03"], 2, "tolerate = 0.03 is above max_bias = 0.02"),
    (["gate", "naive", "--limit", "0"], 2, "--limit 0: must be a whole number from 1"),
    (["gate", "naive", "--jobs", "2"], 2, "--jobs 2: only goes with --suite"),
    (["gate", "naive", "--format", "csv"], 2, "unknown format 'csv': use text, markdown"),
    (["gate", "naive", "--export", "json"], 2, "write FORMAT:FILE"),
    (["gate", "naive", "--export", "json:-"], 2, "would both go to standard output"),
    (["gate", "naive", "-o", "/nonexistent/x"], 4, "cannot write '/nonexistent/x': No such file or directory: make its folder, or name another file"),
    (["gate", "--", "/nonexistent/program"], 4, "/nonexistent/program"),
    (["gate", "/dev/null"], 4, "ended without a permutation"),
    (["gate", "--", "true"], 4, "ended without a permutation"),
    (["gate", "--", "false"], 4, "false"),
    (["gate", "--timeout", "0.25", "--", "sleep", "30"], 4, "no permutation from 'sleep 30' within 0.25 s"),
    (["prove", "--timeout", "0.25", "--", "sleep", "30"], 4, "no question or deck from 'sleep 30' within 0.25 s"),
]


def run(*arguments, stdin=b"", **options):
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, timeout=100, **options)


def only(document):
    """The one gate of a document."""
    (gate,) = json.loads(document)["gates"]
    return gate


def judge(*arguments, stdin=b""):
    """The exit status and what JSON says of the one subject."""
    done = run("gate", "--format", "json", *arguments, stdin=stdin)
    assert done.stdout, done.stderr
    return done.returncode, only(done.stdout)


def deal(scheme, n, samples, *options):
    return run("deal", scheme, "-n", str(n), "--samples", str(samples), *options).stdout


def from_one(decks):
    """The same decks, with items counted from 1."""
    return b"".join(b" ".join(b"%d" % (int(item) + 1) for item in line.split()) + b"\n" for line in decks.splitlines())


class Verdicts(unittest.TestCase):
    def test_pass(self):
        status, found = judge("fisher-yates", "--exclude", "0.02")
        self.assertEqual((status, found["verdict"]), (0, "pass"))
        self.assertRegex(found["sentence"], r"^PASS  bias below 2%, after [0-9,]+ shuffles, if shuffles are independent$")
        self.assertIn("(total variation below 0.02)", found["details"])
        self.assertLess(found["tv_high"], 0.02)
        self.assertEqual(found["looks"]["total"][-1], found["total"])
        self.assertEqual(found["looks"]["total"][:20], list(range(1, 21)))
        self.assertEqual(sum(found["counts"]), found["total"])
        self.assertEqual([sum(row) for row in found["matrix"]], [found["total"]] * 3)

    def test_one_subject_has_one_verdict(self):
        """The summary and the table are those of a suite of several subjects."""
        for options in ([], ["--format", "markdown"], ["--format", "html"], ["--format", "text", "--exclude", "0.1"]):
            text = run("gate", "naive", *options).stdout.decode()
            self.assertEqual((text.count("the shuffle is not fair"), text.count("of 1 subject")), (1, 0), options)
            if "text" in options:
                text = run("gate", "fisher-yates", *options).stdout.decode()
                self.assertEqual((text.count("PASS"), text.count("of 1 subject")), (1, 0))

    def test_fail_names_permutations(self):
        status, found = judge("naive")
        self.assertEqual((status, found["verdict"]), (1, "fail"))
        self.assertRegex(found["sentence"], r"^FAIL  the shuffle is not fair: .* instead of .*, after [0-9,]+ shuffles$")
        self.assertTrue({"132", "213", "231"} & {cell["where"] for cell in found["cells"]})
        for cell in found["cells"]:
            if cell["statistic"] == "rank":
                self.assertEqual(cell["count"], found["counts"][cell["cell"]])
        # by how much, as seen: of these counts; the truth is 1/18
        seen = sum(abs(count / found["total"] - 1 / 6) for count in found["counts"]) / 2
        self.assertAlmostEqual(found["tv_seen"], seen, 12)
        self.assertTrue(found["tv_fair"] < 0.02 < abs(seen) < 2 / 18)
        self.assertIn("As these permutations show it: %.4f, of the whole law" % seen, run("gate", "naive", "--details").stdout.decode())

    def test_fail_names_statistics_of_large_decks(self):
        status, found = judge("sattolo", "-n", "52")
        self.assertEqual(status, 1)
        self.assertFalse(found["whole"])
        self.assertIsNone(found["counts"])
        self.assertEqual(found["cells"][0]["where"], "how many cycles there are: 1")

    def test_fail_shows_what_it_names(self):
        """Of Sattolo's cycles two dozen are enough, where each permutation has hardly been seen."""
        status, found = judge("sattolo", "-n", "4")
        self.assertEqual((status, found["statistics"][0]["named"]), (1, False))
        self.assertIn('"how many cycles there are: 1" came up', found["sentence"])
        named = {line["statistic"] for line in found["statistics"] if line["named"]}
        self.assertEqual((named, {cell["statistic"] for cell in found["cells"]}), ({"catalogue"}, {"cycles"}))  # which has the most evidence beside it

    def test_fail_names_items_and_places(self):
        status, found = judge("fisher-yates/modulo:4", "-n", "8")
        self.assertEqual(status, 1)
        self.assertTrue(all(cell["where"].startswith("item ") for cell in found["cells"]))

    def test_a_pass_of_a_large_deck_says_what_was_tested(self):
        status, found = judge("fisher-yates", "-n", "12", "--exclude", "0.1")
        self.assertEqual((status, found["whole"]), (0, False))
        families = {line["statistic"] for line in found["statistics"] if line["cells"]}  # of repeats there is no bound
        self.assertIn("bias below 10%% in %d statistics, after " % len(families), found["sentence"])
        self.assertIn("a bias that shows only elsewhere is not ruled out", found["details"])

    def test_inconclusive(self):
        status, found = judge("fisher-yates", "--limit", "500")
        self.assertEqual((status, found["verdict"], found["total"]), (3, "inconclusive", 500))
        self.assertGreater(found["needed"], 1000)
        self.assertRegex(found["sentence"], r"^INCONCLUSIVE  .* after 500 shuffles; a verdict takes about [0-9,]+ more$")
        self.assertIn("The limit was reached", found["details"])

    def test_what_a_verdict_takes(self):
        """Of the naive swap after 3,000 permutations, the verdict that is near is a failure. A pass at 0.01 takes 90,692."""
        found = judge("naive", "--limit", "3000")[1]
        self.assertLess(found["needed"], 10000)
        self.assertIn("; a verdict takes about 4,200 more", found["sentence"])

    def test_what_is_tolerated_does_not_fail(self):
        self.assertEqual(judge("naive", "--tolerate", "0.0")[0], 1)
        self.assertEqual(judge("naive", "--tolerate", "0.03", "--exclude", "0.03")[0], 1)  # its bias is 1/18
        status, found = judge("naive", "--tolerate", "0.09", "--exclude", "0.1")
        self.assertEqual((status, found["verdict"]), (0, "pass"))

    def test_a_pass_by_its_definition(self):
        """docs/how-it-decides.md, "Why a pass holds": the first look at which, for every number m of orders, the mean F over the sets of m
        orders is at most 0.8 delta, or E of the coin "the order is in the set" at theta = q + exclude has reached 1/(0.2 delta) for each of
        them, which the fullest m decide."""
        steps = [2 ** (-j / 2) for j in range(17)] + [2.0 ** -j for j in range(9, 21)]

        def e(heads, total, theta):
            coins = [max(theta - step, 0) for step in steps]
            return sum(math.exp((heads * math.log(v / theta) if v else 0) + (total - heads) * math.log((1 - v) / (1 - theta)))
                       for v in coins if v or not heads) / len(steps)

        def f(counts, m, theta):
            q, total = m / len(counts), sum(counts)
            sets = [sum(chosen) for chosen in itertools.combinations(counts, m)]
            return sum(math.exp(a * math.log(theta / q) + (total - a) * math.log((1 - theta) / (1 - q))) for a in sets) / len(sets)

        for n, exclude, delta, seed in ((2, 0.1, 1e-6, 1), (2, 0.3, 0.5, 4), (3, 0.1, 1e-6, 1), (3, 0.05, 1e-3, 2)):
            orders, counts, look, passed = math.factorial(n), collections.Counter(), 1, None
            for total, deck in enumerate(deal("fisher-yates", n, 8000, "--seed", str(seed)).splitlines(), 1):
                counts[deck] += 1
                if total < look or passed:
                    continue
                look = total + max(1, total // 50)
                fullest = (sorted(counts.values(), reverse=True) + [0] * orders)[:orders]
                if all(f(fullest, m, m / orders + exclude) <= 0.8 * delta or e(sum(fullest[:m]), total, m / orders + exclude) >= 5 / delta
                       for m in range(1, orders) if m / orders + exclude < 1):
                    passed = total
            status, found = judge("fisher-yates", "-n", str(n), "--seed", str(seed), "--exclude", str(exclude), "--delta", str(delta))
            self.assertEqual((status, found["total"]), (0, passed))

    def test_a_pass_claims_no_more_than_was_shown(self):
        """No pass says "fair" of a bias of 99%, of a shuffle that was shown to be biased, or of cards that were not dealt."""
        for terms, words in (("fisher-yates --exclude 0.99", "PASS  bias below 99%, after 1 shuffle, if shuffles are independent"),
                             ("naive --tolerate 0.05 --exclude 0.1", "PASS  not fair, but bias below 10%, after "),
                             ("naive -n 8 --tolerate 0.1 --exclude 0.1 --limit 50000", "PASS  not fair, but bias below 10% in 19 statistics, after "),
                             ("fisher-yates -n 52 --deal 1 --exclude 0.2", "PASS  bias below 20%, after ")):
            status, found = judge(*terms.split())
            self.assertEqual(status, 0)
            self.assertIn(words, found["sentence"])

    def test_bounds_are_rounded_outwards(self):
        """As far as the text goes, a bound of 0.6644 rules out 0.67, and not 0.66."""
        found = judge("naive", "--limit", "10")[1]
        self.assertAlmostEqual(found["tv_high"], 0.6644, places=3)
        self.assertIn("only one above 0.67 ", found["sentence"])
        text = run("gate", "naive", "--tolerate", "0.01", "--exclude", "0.1", "--details").stdout.decode()
        found = judge("naive", "--tolerate", "0.01", "--exclude", "0.1")[1]
        low, high = map(float, re.search(r"Total variation from fair: ([0-9.]+)–([0-9.]+),", text).groups())
        self.assertTrue(0 <= found["tv_low"] - low < 1e-4 and 0 <= high - found["tv_high"] < 1e-4)
        for row in re.findall(r" ([0-9.]+) +([0-9.]+)(?: +named)?$", text, re.M):
            self.assertTrue(any(0 <= line["tv_low"] - float(row[0]) < 1e-4 and 0 <= float(row[1]) - line["tv_high"] < 1e-4
                                for line in found["statistics"]), row)

    def test_terms_with_many_digits_are_not_rounded_down(self):
        """Their bound of 0.12345641 rules out 0.12345644, and not 0.123456."""
        for terms in ("fisher-yates --exclude 0.12345644", "fisher-yates -n 6 --exclude 0.12345644"):
            sentence = judge(*terms.split())[1]["sentence"]
            self.assertIn("bias below 12.3457%", sentence)
            self.assertNotIn("12.3456%", sentence)
            for form in ("text", "markdown", "junit", "html"):
                text = run("gate", *terms.split(), "--details", "--format", form).stdout.decode()
                self.assertRegex(text, "(below|less than)\\s0.12345644", text)
                self.assertNotRegex(text, "0[.]123456[^4]|12[.]3456%")

    def test_the_level_of_e_is_rounded_up(self):
        """By Ville's inequality E reaches x with probability 1/x at most: 14 of 0.07 would be too low, and 1.01 of 0.99."""
        for alpha, forms in (("0.07", ("text", "svg")), ("0.99", ("text", "svg")), ("3e-9", ("text",)), ("1.5e-16", ("text",))):
            for form in forms:
                text = " ".join(run("gate", "fisher-yates", "--alpha", alpha, "--exclude", "0.5", "--limit", "30", "--details",
                                    "--format", form).stdout.decode().split())
                goal, most = re.search("'s ever reaches ([0-9.,e]+) with probability ([0-9.e-]+) at most", text).groups()
                self.assertGreaterEqual(Fraction(goal.replace(",", "")), 1 / Fraction(alpha), (alpha, form))
                self.assertEqual(float(most), float(alpha))

    def test_nothing_is_ruled_out_that_is_true(self):
        """A shuffle of two items that always ends in the same order has a bias of 1/2, the largest that there can be."""
        status, found = judge("sattolo", "-n", "2", "--limit", "5")
        self.assertEqual((status, found["tv_high"]), (3, 0.5))
        self.assertIn("only one above 0.50 ", found["sentence"])
        found = judge("naive", "-n", "13", "--limit", "3")[1]
        self.assertTrue(0.99 < found["tv_high"] < 1)
        self.assertIn("no bias shown, and none ruled out, after 3 shuffles", found["sentence"])

    def test_an_e_that_is_large_but_too_small_has_a_sentence(self):
        """The naive swap of three cards has a bias of 1/18. By Ville's inequality, a fair E ever reaches x with probability 1/x."""
        said = (r"E = ([0-9.e]+) is too small for a FAIL, which takes 1[0-9.e,]+, but for a fair shuffle E gets that far with "
                r"probability at most ([0-9.]+(?:e-[0-9]+)?)\.$")
        for terms, expected, word in (("--limit 3000", 3, "INCONCLUSIVE"), ("--exclude 0.1 --alpha 1e-100", 0, "PASS")):
            status, found = judge("naive", "-n", "3", "--alpha", "1e-12", *terms.split())
            self.assertEqual((status, found["sentence"].split()[0]), (expected, word))
            e, most = map(float, re.search(said, found["details"]).groups())
            self.assertGreater(e, 100)
            self.assertAlmostEqual(e / math.exp(found["ln_e"]), 1, delta=0.05)
            self.assertTrue(1 <= most * math.exp(found["ln_e"]) < 1.1)
            self.assertNotIn("no bias shown", found["sentence"])
        _, fair = judge("fisher-yates", "-n", "3", "--limit", "3000")
        self.assertIn("no bias shown, and only one above ", fair["sentence"])

    def test_too_few_decks_to_rule_out_any_number(self):
        for chained, what in (((), "decks"), (("--chained",), "steps")):
            done = run("gate", "-", "--seeds", "1000", "--exclude", "0.5", "--format", "json", *chained,
                       stdin=b"7 2 11 4 9 1 12 5 3 10 6 8\n3 8 5 12 1 10 2 7 9 4 11 6\n")
            self.assertIn(f"Fewer than 1,000 {what} are not ruled out.", done.stdout.decode())

    def test_what_no_number_of_permutations_rules_out(self):
        """A bound compares coins that are at least 2^-20 apart, so it stays above half of that."""
        for exclude, words in (("4.7e-7", "ruled out, after 1,000 shuffles"), ("4.8e-7", " more")):
            status, found = judge("fisher-yates", "--limit", "1000", "--exclude", exclude)
            self.assertEqual((status, found["needed"] is None), (3, exclude == "4.7e-7"))
            self.assertTrue(found["sentence"].endswith(words), found["sentence"])
            self.assertEqual("No number of shuffles rules out 4.7e-07." in found["details"], exclude == "4.7e-7")

    def test_dependence_shows_no_bias_of_the_law(self):
        """Of decks and their reversals, each order is equally likely, so the total variation is 0 although the gate fails."""
        source = random.Random(1)
        decks = []
        for _ in range(100):
            deck = source.sample(range(3), 3)
            decks += [deck, deck[::-1]]
        text = "".join(" ".join(map(str, deck)) + "\n" for deck in decks).encode()
        page = run("gate", "--format", "html", "-", stdin=text)
        self.assertEqual(page.returncode, 1)
        self.assertRegex(page.stdout.decode(), "<strong[^>]*>Total variation from fair:</strong> at most ")
        page = run("gate", "--format", "html", "naive")
        self.assertRegex(page.stdout.decode(), "<strong[^>]*>Total variation from fair:</strong> above 0 and at most ")

    def test_what_is_tolerated_may_stay_open(self):
        for limit, words in (("5200", "not fair, but whether by more than the 0.05 tolerated is open"),
                             ("7000", "not fair, at least 0.012 from it, but whether by more")):
            status, found = judge("naive", "--tolerate", "0.05", "--exclude", "0.05", "--limit", limit)
            self.assertEqual(status, 3)
            self.assertIn(words, found["sentence"])

    def test_how_often_a_verdict_is_wrong(self):
        for options, words in (([], "A fair shuffle fails in at most 1 of 1,000,000,000 runs."),
                               (["--alpha", "1e-20"], "A fair shuffle fails with probability at most 1e-20."),
                               (["--alpha", "0.9"], "A fair shuffle fails with probability at most 0.9."),
                               (["--tolerate", "0.01"], "A shuffle that is no farther from fair fails in at most 1 of 1,000,000,000 runs.")):
            self.assertTrue(judge("naive", *options)[1]["details"].endswith(words), words)

    def test_a_recording_has_the_verdict_of_the_scheme(self):
        status, scheme = judge("naive", "-n", "4")
        decks = from_one(deal("naive", 4, scheme["total"] + 5000))
        again, stream = judge("-", stdin=decks)
        for one in (scheme, stream):
            del one["subject"], one["name"]
        self.assertEqual((status, scheme), (again, stream))

    def test_pieces_do_not_matter(self):
        """The same stream in pieces that come late has the same verdict."""
        decks = deal("naive", 3, 3000)
        program = ("import sys, time\nd = open(sys.argv[1], 'rb').read()\n"
                   "for i in range(0, len(d), 997):\n sys.stdout.buffer.write(d[i:i+997]); sys.stdout.flush()\n"
                   " if i < 9970: time.sleep(0.01)\n")
        with tempfile.NamedTemporaryFile() as file:
            file.write(decks)
            file.flush()
            whole = judge(file.name)
            pieces = judge("--", PYTHON, "-c", program, file.name)
        for _, found in (whole, pieces):
            del found["subject"], found["name"]
        self.assertEqual(whole, pieces)


class Reading(unittest.TestCase):
    """Every form of the same fair permutations is read, and passes."""

    def check(self, stdin, *options, status=0):
        done, found = judge(*FAIR, *options, "-", stdin=stdin)
        self.assertEqual(done, status, found["sentence"])
        return found

    def setUp(self):
        self.text = deal("fisher-yates", 3, 30000).decode()
        self.decks = [list(map(int, line.split())) for line in self.text.splitlines()]

    def test_text(self):
        for form in ("%d %d %d\n", "[%d,%d,%d]\r\n", "x%d;%d\t%d # 7\n\n"):
            self.check("".join(form % tuple(deck) for deck in self.decks).encode())

    def test_from_one(self):
        found = self.check("".join("%d %d %d\n" % tuple(i + 1 for i in deck) for deck in self.decks).encode())
        self.assertEqual(found["total"], judge(*FAIR, "fisher-yates")[1]["total"])
        self.check("".join("%d %d %d\n" % tuple(i + 1 for i in deck) for deck in self.decks).encode(), "--base", "1")

    def test_cards(self):
        stdin = "".join(" ".join("ace king queen".split()[i] for i in deck) + "\n" for deck in self.decks)
        self.check(stdin.encode(), "--cards", "ace king queen")

    def test_hexadecimal(self):
        """Sixteen items of two lines that are no numbers are names, in sorted order."""
        generator = random.Random(1)
        decks = [generator.sample("0123456789abcdef", 16) for _ in range(1000)]
        done = run("gate", "--limit", "1000", "-", stdin="".join(" ".join(deck) + "\n" for deck in decks).encode())
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"the first lines name 16 items, in sorted order: 0123456789abcdef", done.stderr)
        self.check(b"".join(b"deck: %d %d %d\n" % tuple(deck) for deck in self.decks))

    def test_free(self):
        self.check(self.text.replace("\n", " ").encode(), "--free", "-n", "3")

    def test_binary(self):
        items = list(itertools.chain(*self.decks))
        for form, code in (("u8", "B"), ("u16", "H"), ("u32", "I")):
            self.check(struct.pack(f"<{len(items)}{code}", *items), "--input", form, "-n", "3")

    def test_deals(self):
        found = self.check(deal("fisher-yates", 5, 30000, "--deal", "2"), "--deal", "2", "-n", "5", "--base", "0")
        self.assertEqual((found["n"], found["deal"], len(found["counts"])), (5, 2, 20))

    def test_chained(self):
        """Each deck is a shuffle of the last one; and cutting at one fixed place is found out."""
        last, chain, cut = [0, 1, 2], ["0 1 2\n"], ["0 1 2\n"]
        for deck in self.decks:
            last = [last[i] for i in deck]
            chain.append("%d %d %d\n" % tuple(last))
        self.check("".join(chain).encode(), "--chained")
        for k in range(200):
            cut.append("%d %d %d\n" % tuple((i + k + 1) % 3 for i in range(3)))
        self.assertEqual(self.check("".join(cut).encode(), "--chained", status=1)["cells"][0]["where"][:4], "231")

    def test_broken_lines(self):
        for stdin, words in ((b"0 1 2\n0 1 1\n", b"2"), (b"0 1 2\n0 1\n", b"2"), (b"0 1 2\n0 1 3\n", b"2"),
                             (b"0 -1 2\n", b"1"), (b"0 1.5 2\n", b"1"), (b"0 1 2\n\0\n", b"2")):
            done = run("gate", "-", stdin=stdin)
            self.assertEqual((done.returncode, done.stdout), (4, b""), stdin)
            self.assertIn(b"line " + words, done.stderr)
            self.assertEqual(done.stderr.count(b"\n"), 1)

    def test_one_item_a_line(self):
        done = run("gate", "-", stdin=b"0\n1\n2\n")
        self.assertEqual(done.returncode, 4)
        self.assertEqual(done.stderr.count(b"\n"), 1)


class Streams(unittest.TestCase):
    def test_slips(self):
        for arguments, status, words in SLIPS:
            with self.subTest(arguments=arguments):
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
                self.assertIn(words, done.stderr.decode())
                self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)

    def test_an_early_end(self):
        program = "for i in range(100): print('0 1 2' if i % 2 else '2 0 1')"
        status, found = judge("--alpha", "1e-90", "--", PYTHON, "-c", program)
        self.assertEqual((status, found["total"]), (3, 100))
        self.assertIn("The subject ended before", found["details"])
        done = run("gate", "--alpha", "1e-90", "--", PYTHON, "-c", program + "\nraise SystemExit(7)")
        self.assertEqual((done.returncode, done.stdout), (4, b""))
        self.assertIn(b"7", done.stderr)

    def test_standard_error_is_shown(self):
        program = "import sys\nsys.stderr.write('::error::no\\x1b[31m\\n'); sys.stderr.flush()\nprint('0 1 2\\n' * 300)"
        done = run("gate", "--", PYTHON, "-c", program)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith(b"subject: "), done.stderr)
        self.assertNotIn(b"\x1b", done.stderr)

    def test_options_of_the_command_are_its_own(self):
        status, found = judge("--", PYTHON, "-c", "import sys; print('\\n'.join(['0 1 2'] * 300)) if sys.argv[1:] == "
                              "['-n', '--', '5'] else 0", "-n", "--", "5")
        self.assertEqual((status, found["subject"]["kind"]), (1, "command"))

    def test_a_script_is_run_and_not_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "script")
            with open(path, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\nyes 0 1 2\n")
            os.chmod(path, 0o755)
            for command, words in (("gate", ["./script"]), ("report", ["script"]), ("gate", ["./script", "a", "b"])):
                done = run(command, *words, cwd=folder)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn("as in: %s -- %s\n" % (command, " ".join(words)), done.stderr.decode())
            os.chmod(path, 0o644)  # no program: the comment of a recording, and a deck
            self.assertEqual(run("gate", "script", cwd=folder).returncode, 3)

    def test_a_file_may_have_the_name_of_a_scheme(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "naive"), "wb") as file:
                file.write(deal("fisher-yates", 3, 20000))
            for word, kind, status in (("./naive", "file", 0), ("naive", "scheme", 1)):
                done = run("gate", word, "--exclude", "0.05", "--format", "json", cwd=folder)
                self.assertEqual((only(done.stdout)["subject"]["kind"], done.returncode), (kind, status))

    def test_formats_and_exports(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("gate", "naive", "--export", "json:a.json", "--export", "markdown:a.md", "-o", "a.txt", cwd=folder)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, b"", b""))
            texts = {}
            for name in ("a.txt", "a.md", "a.json"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    texts[name] = file.read()
            self.assertRegex(texts["a.txt"], r"^FAIL  the shuffle is not fair: ")
            self.assertRegex(texts["a.md"], r"^\*\*FAIL\*\* the shuffle is not fair: ")
            self.assertIn(only(texts["a.json"])["sentence"].split(": ")[1][:40], texts["a.txt"])

    def test_full_disk_and_closed_pipe(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "gate", "naive"], stdout=full, stderr=subprocess.PIPE, timeout=100)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"No space left on device", done.stderr)
        reader, writer = os.pipe()
        os.close(reader)  # before there is anything to read
        done = subprocess.run([PROGRAM, "gate", "naive"], stdout=writer, stderr=subprocess.PIPE, timeout=100)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (4, b""))

    def test_interrupt_says_what_is_known(self):
        with tempfile.TemporaryDirectory() as folder:
            ready = os.path.join(folder, "ready")
            program = ("import sys, time\nprint('0 1 2\\n1 2 0\\n2 1 0', flush=True)\nopen(sys.argv[1], 'w').close()\n"
                       "time.sleep(1000)")
            child = subprocess.Popen([PROGRAM, "gate", "--format", "json", "--", PYTHON, "-c", program, ready],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            waiting.until(lambda: os.path.exists(ready), "for the subject")
        waiting.until_asleep(child)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        output, complaint = child.communicate(timeout=100)
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual((child.returncode, complaint), (130, b""))
        found = only(output)
        self.assertEqual((found["interrupted"], found["total"], found["verdict"]), (True, 3, "inconclusive"))


class Reports(unittest.TestCase):
    def test_a_report_on_a_stream_is_that_on_the_scheme(self):
        decks = from_one(deal("naive", 4, 20000))
        stream = json.loads(run("report", "-", "--format", "json", stdin=decks).stdout)["reports"][0]
        scheme = json.loads(run("report", "naive", "-n", "4", "--samples", "20000", "--by", "sample", "--format",
                                "json").stdout)["reports"][0]
        self.assertEqual((stream["subject"]["shuffle"], stream["subject"]["rng"], stream["evidence"]["seed"]),
                         (None, None, None))
        for one in (stream, scheme):
            del one["subject"], one["evidence"]["seed"], one["evidence"]["rng"]
        self.assertIn(" It looks like `naive` ", stream["sentence"])
        self.assertEqual(stream["findings"].pop()["lag"], 2)  # a stream has one test more, of its lags
        for one in (stream, scheme):
            del one["correction"]
        self.assertEqual((stream["looks_like"]["scheme"], scheme["looks_like"]), ("naive", None))
        for one in (stream, scheme):  # only an outside subject needs a name
            del one["sentence"], one["looks_like"]
        self.assertEqual(stream, scheme)

    def test_samples_are_the_most_to_read(self):
        for n, most in ((3, "1000"), (12, "999")):
            stdin = deal("fisher-yates", n, 3000)
            report = json.loads(run("report", "-", "--samples", most, "--format", "json", stdin=stdin).stdout)
            self.assertEqual(report["reports"][0]["evidence"]["total"], int(most))

    def test_all_formats(self):
        for form in ("text", "markdown", "csv", "json"):
            done = run("report", "--format", form, "--samples", "500", "--", PROGRAM, "deal", "naive", "--samples", "1e9")
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertNotIn(b"unknown", done.stdout)
            self.assertNotIn(b"seed 0", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
