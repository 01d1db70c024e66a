# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract with other programs: the numbers in JSON reports, exit statuses, and the same bytes for any number of
threads."""
import collections
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

from program import PROGRAM, run, found


def reports(*arguments):
    return found("report", *arguments)["reports"]


class Contract(unittest.TestCase):
    def test_the_founding_example(self):
        naive, fair = reports("naive", "fisher-yates", "-n", "3", "--by", "exact")
        self.assertEqual(naive["evidence"]["counts"], ["4", "5", "5", "5", "4", "4"])
        self.assertEqual(naive["evidence"]["denominator"], "27")
        self.assertEqual(naive["effect"]["total_variation_exact"], "1/18")
        self.assertEqual(naive["effect"]["most_likely"], ["132", "213", "231"])
        self.assertEqual(naive["matrix"], [["1/3"] * 3, ["10/27", "8/27", "1/3"], ["8/27", "10/27", "1/3"]])
        self.assertEqual(naive["verdict"], "biased")
        self.assertEqual(fair["evidence"]["counts"], ["1"] * 6)
        self.assertEqual(fair["evidence"]["denominator"], "6")
        self.assertEqual(fair["verdict"], "uniform")

    def test_exact_comes_before_sampled_and_they_agree(self):
        exact, sampled = reports("naive", "--samples", "1e5")
        self.assertEqual((exact["evidence"]["by"], sampled["evidence"]["by"]), ("exact", "sample"))
        self.assertEqual(sum(sampled["evidence"]["counts"]), 100000)
        self.assertEqual(sampled["evidence"]["total"], 100000)
        self.assertEqual(sampled["verdict"], "biased")
        self.assertIsNone(exact["subject"]["rng"])
        self.assertEqual(sampled["subject"]["rng"], "philox")
        for row in sampled["permutations"]:  # simultaneous intervals at 99.9%
            share = Fraction(int(exact["evidence"]["counts"][sampled["permutations"].index(row)]), 27)
            self.assertLess(row["low"], share)
            self.assertGreater(row["high"], share)

    def test_closed_forms(self):
        riffle, modulo, fair, keys = reports("riffle:7", "fisher-yates/modulo:15", "inside-out", "sort-by-key", "-n", "52",
                                             "--by", "exact")
        self.assertEqual(keys["evidence"], {"by": "exact", "engine": "closed form", "denominator": None, "error": 0.0,
                                            "unresolved": "0", "paths": None, "counts": None})
        self.assertIsNone(keys["matrix"])
        self.assertEqual(riffle["evidence"], {"by": "exact", "engine": "closed form, position",
                                              "denominator": str(2**(7 * 52)), "error": None, "unresolved": "0", "paths": None,
                                              "counts": None})
        exact = Fraction(riffle["effect"]["total_variation_exact"])
        self.assertAlmostEqual(float(exact), riffle["effect"]["total_variation"], 15)
        self.assertEqual(round(riffle["effect"]["total_variation"], 3), 0.334)  # Bayer and Diaconis
        self.assertTrue(riffle["sentence"].startswith("the most likely order comes up 9859 times as often as it should"))
        self.assertEqual(riffle["effect"]["most_likely"], [".".join(str(i) for i in range(1, 53))])
        effect = modulo["effect"]
        self.assertIsNone(effect["total_variation_exact"])
        self.assertEqual(effect["total_variation_low"], effect["total_variation_high"])
        self.assertAlmostEqual(effect["shuffles_to_see"], math.log(1000) / (effect["kl_bits"] * math.log(2)), 6)
        self.assertEqual(len(effect["most_likely"]), 1)
        self.assertEqual((fair["verdict"], fair["effect"]["total_variation_exact"]), ("uniform", "0"))
        self.assertIsNone(fair["effect"]["shuffles_to_see"])
        (keys,) = reports("sort-by-key:53", "--by", "exact")
        self.assertEqual(keys["evidence"]["denominator"], str(2**159))
        self.assertEqual(sum(int(count) for count in keys["evidence"]["counts"]), 2**159)
        for extra in ("text", "markdown", "csv"):
            for n in ("10", "11", "52", "201"):
                done = run("report", "riffle:2", "sort-by-key", "splice/modulo:4", "-n", n, "--samples", "1e3",
                           "--format", extra)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertNotIn("nan", done.stdout.lower())

    def test_fair_as_whole_decks_only(self):
        """The overview says of two shuffles that are uniform there that their deals are not."""
        command = [PROGRAM, "report", "--by", "exact"]
        wrong = ["inside-out-truncated", "fisher-yates-partial-head"]
        said = " ".join(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
        for name in wrong:
            self.assertIn("Whole decks only: %s shuffles all of the deck fairly" % name, said)
        self.assertEqual(said.count("Whole decks only"), len(wrong))
        dealt = subprocess.run(command + ["--deal", "2"], check=True, capture_output=True, text=True).stdout
        self.assertNotIn("Whole decks only", dealt)
        listed = subprocess.run([PROGRAM, "list", "shuffles"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(listed.count("fair only as a whole deck"), len(wrong))

    def test_the_quicker_engine_is_taken(self):
        for scheme, n, engine in (("fisher-yates/modulo:15", "6", "tree"), ("fisher-yates/modulo:15", "10", "convolve"),
                                  ("splice/modulo:15", "6", "tree")):
            (report,) = reports(scheme, "-n", n, "--by", "exact")
            self.assertEqual(report["evidence"]["engine"], engine, scheme)

    def test_deals_of_a_large_deck_have_a_law(self):
        """The naive swap: items 2 and 3, followed forward through all 52 swaps, are the first two cards so often."""
        (report,) = reports("naive", "-n", "52", "--deal", "2", "--by", "exact")
        self.assertEqual((report["evidence"]["engine"], report["verdict"]), ("deals", "biased"))
        first = max(report["permutations"], key=lambda deal: deal["ratio"])
        shares = {(1, 2): 1.0}
        for step in range(52):
            moved = {}
            for places, share in shares.items():
                for drawn in range(52):
                    to = tuple({step: drawn, drawn: step}.get(place, place) for place in places)
                    moved[to] = moved.get(to, 0) + share / 52
            shares = moved
        self.assertEqual(first["permutation"], "2.3")
        self.assertAlmostEqual(first["ratio"], shares[0, 1] * 52 * 51, 12)
        self.assertAlmostEqual(first["ratio"], 1.947, 3)

    def test_all_shuffles_have_exact_laws_and_those_without_are_left_out(self):
        listed = run("list", "shuffles").stdout
        named = listed[listed.index("shuffle-buffer"):].count("\n")  # used only by their names, and last in the list
        self.assertEqual(len(reports("--by", "exact")), listed.count("\n") - 1 - named)
        names = [report["subject"]["name"] for report in reports("-n", "52", "--by", "exact")]
        self.assertIn("overhand:5", names)
        self.assertNotIn("sort-heap", names)

    def test_tiny_biases_keep_their_sign(self):
        (report,) = reports("fisher-yates/multiply:53", "--by", "exact")
        self.assertRegex(report["sentence"], "^132, 231, 312 and 321 come up .* too often; 123 and 213 .* too rarely")

    def test_threads_change_nothing(self):
        for scheme in ("fisher-yates", "inside-out", "naive/modulo:15", "sort-by-key:4"):
            outputs = {run("report", scheme, "-n", "5", "--samples", "3e5", "--by", "sample", "--format", "json",
                           "--threads", str(threads)).stdout for threads in (1, 2, 3, 4)}
            self.assertEqual(len(outputs), 1, scheme)

    def test_seeds_change_something(self):
        one, two = (reports("naive", "--by", "sample", "--samples", "1e5", "--seed", seed)[0] for seed in ("1", "2"))
        self.assertNotEqual(one["evidence"]["counts"], two["evidence"]["counts"])

    def test_large_decks_have_the_matrix_alone(self):
        (report,) = reports("naive", "-n", "20", "--samples", "1e4", "--by", "sample")
        self.assertIsNone(report["evidence"]["counts"])
        self.assertIsNone(report["effect"]["total_variation"])
        self.assertEqual([sum(row) for row in report["matrix"]], [10000] * 20)
        self.assertEqual(report["findings"][0]["dof"], 19 * 19)
        self.assertEqual(report["verdict"], "biased")

    def test_statistics_join_from_four_items_on(self):
        listed = [line.split()[0] for line in run("list", "statistics").stdout.splitlines()[1:]]
        listed = [name for name in listed if name not in ("suit-at", "rank-at", "poker", "suit-length", "repeat",  # of 52 cards; of many
                                                         "band", "distance", "eighths",  # of more than 1,000 items
                                                         "card-at", "runs", "kind-count", "kind-count-2", "kind-count-3", "kind-count-4",  # of equal cards
                                                         "group-sum", "group-gap", "together", "overlap",  # of sets
                                                         "descent-at", "descent-at-2", "first-run", "last-run",  # of gates and watches
                                                         "bettor")]  # of streams
        for n, joined in (("3", ["rank", "position"]), ("4", listed), ("6", listed), ("8", listed),
                          ("20", [name for name in listed if name != "rank"] + ["repeat"])):
            (report,) = reports("fisher-yates", "-n", n, "--samples", "20000", "--by", "sample")
            self.assertEqual(list(dict.fromkeys(finding["statistic"] for finding in report["findings"])), joined)
            self.assertEqual(report["verdict"], "no bias seen")
            self.assertTrue(all(finding["reliable"] for finding in report["findings"] if finding["test"] == "merged"))

    def test_statistics_that_are_asked_for(self):
        for asked, found in (("none", []), ("cycles", ["cycles"]), ("descents,cycles", ["cycles", "descents"])):
            (report,) = reports("naive", "-n", "11", "--samples", "1e4", "--by", "sample", "--statistics", asked)
            self.assertEqual([finding["statistic"] for finding in report["findings"]], ["position"] + found)

    def test_nothing_is_said_of_positions_where_shuffles_are_too_few(self):
        for samples, words in (("100", "too few to compare all positions"), ("1000", "bring every item to every position")):
            (found,) = reports("fisher-yates", "-n", "52", "--by", "sample", "--samples", samples)
            self.assertEqual((found["verdict"], words in found["sentence"]), ("no bias seen", True))

    def test_exact_tests_take_the_place_of_tests_without_a_degree_of_freedom(self):
        """Of 39 shuffles all cells would be merged into one. No item of sattolo's stays where it was."""
        (few,) = reports("sattolo", "-n", "11", "--by", "sample", "--samples", "39")
        self.assertEqual(few["verdict"], "biased")
        self.assertEqual({finding["test"] for finding in few["findings"]}, {"exact", "halves", "birthday"})
        (one,) = reports("sattolo", "-n", "11", "--by", "sample", "--samples", "1")
        none = [finding for finding in one["findings"] if finding["p"] is None]
        self.assertTrue(none and not any(finding["reliable"] for finding in none))
        self.assertIn(f"{len(none)} tests have no p-value, since no outcome of 1 shuffle could reach alpha in them", one["warning"])

    def test_a_number_that_is_known_to_within_an_error(self):
        """The number and the error in the text hold the bounds in JSON, although both are rounded."""
        scheme = ("fisher-yates/modulo:15", "-n", "200", "--by", "exact")
        (found,) = reports(*scheme)
        text = subprocess.run([PROGRAM, "report", *scheme], capture_output=True, text=True, check=True).stdout
        variation, within = map(float, re.search("total variation from uniform +([0-9.e-]+), to within ([0-9.e-]+)", text).groups())
        self.assertLessEqual(variation - within, found["effect"]["total_variation_low"])
        self.assertLessEqual(found["effect"]["total_variation_high"], variation + within)
        self.assertLess(within, 0.51 * (found["effect"]["total_variation_high"] - found["effect"]["total_variation_low"]) + 1e-16)

    def test_a_bias_that_doubles_do_not_show(self):
        """With 2^53 words, all ratios of ten items are between 1 - 2e-15 and 1 + 3e-15; the law is in doubles, to within 2e-14."""
        ratios = {Fraction(1): Fraction(1)}  # the share of the series of draws that have each ratio to uniform
        for bound in range(2, 11):
            words, more = divmod(2**53, bound)
            longer = collections.Counter()
            for ratio, share in ratios.items():
                longer[ratio * Fraction((words + 1) * bound, 2**53)] += share * Fraction(more, bound)
                longer[ratio * Fraction(words * bound, 2**53)] += share * Fraction(bound - more, bound)
            ratios = {ratio: share for ratio, share in longer.items() if share}
        excess = [(ratio - 1, share) for ratio, share in ratios.items()]
        (found,) = reports("fisher-yates/modulo:53", "-n", "10", "--by", "exact")
        effect = found["effect"]
        self.assertAlmostEqual(effect["total_variation"] / float(sum(abs(d) * share for d, share in excess) / 2), 1, 12)
        self.assertAlmostEqual(effect["chi2_per_sample"] / float(sum(d**2 * share for d, share in excess)), 1, 12)
        nats = sum((d**2 / 2 - d**3 / 6) * share for d, share in excess)  # the series of (1 + d) ln(1 + d) - d
        self.assertAlmostEqual(effect["kl_bits"] * math.log(2) / float(nats), 1, 12)
        most, least = (f"{float(100 * abs(end)):.1e}%" for end in (max(excess)[0], min(excess)[0]))
        self.assertIn(f"the most likely orders come up {most} too often; the least likely orders come up {least} too rarely", found["sentence"])
        # biases that doubles show well: the law names its deals, with effects to 12 digits
        (large,) = reports("fisher-yates/modulo:15", "-n", "10", "--by", "exact")
        self.assertEqual(large["evidence"]["engine"], "convolve")

    def test_fractions_where_no_formula_helps_doubles(self):
        """Deals of the first seven of ten items: a walk in integers through all 10! series of draws found this total variation."""
        (found,) = reports("fisher-yates/modulo:53", "-n", "10", "--deal", "7", "--by", "exact")
        variation = Fraction(918030973069112240721982822603953276636100272929661597880756732462835179199019687707,
                             3364179581575433379772159187217044580499259622711728112666590532319996068104508866286165286925107200)
        self.assertEqual(Fraction(found["effect"]["total_variation_exact"]), variation)
        self.assertEqual(found["verdict"], "biased")
        top = found["permutations"][0]
        rest = set(map(str, range(1, 11))) - set(top["permutation"].split("."))
        ends = [".".join([top["permutation"], *end]) for end in itertools.permutations(rest)]
        orders = json.loads(run("odds", "fisher-yates/modulo:53", *ends, "--format", "json").stdout)["permutations"]
        share = sum(Fraction(order["probability"]) for order in orders)
        self.assertEqual(Fraction(int(top["count"]), int(found["evidence"]["denominator"])), share)
        (blurred,) = reports("fisher-yates/modulo:53", "-n", "11", "--deal", "9", "--by", "exact")  # too many for fractions
        self.assertEqual((blurred["verdict"], blurred["evidence"]["denominator"]), ("inconclusive", None))
        self.assertIn("as far as doubles can tell", blurred["sentence"])

    def test_a_bias_that_no_sample_shows_is_no_alarm(self):
        (tiny,) = reports("sort-by-key", "--by", "exact")
        self.assertEqual(tiny["verdict"], "biased")
        self.assertGreater(tiny["effect"]["shuffles_to_see"], 1e12)
        self.assertRegex(tiny["sentence"], "no sample of a feasible size would show it: that takes about [0-9.e]+ shuffles")
        (naive,) = reports("naive", "--by", "exact")
        self.assertNotIn("feasible", naive["sentence"])
        text = run("report", "--samples", "1000", "--details").stdout
        self.assertIn("biased, too little to see", text)
        details = text.split("Worst:")[1]
        self.assertLess(details.index("\nsort-bubble: "), details.index("\nsort-by-key:53: "))

    def test_effects_of_a_sample_stand_beside_those_of_a_fair_shuffle(self):
        exact, sampled = (report["effect"] for report in reports("naive", "--samples", "6000"))
        for name in ("kl_bits_fair", "chi2_per_sample_fair", "max_ratio_fair", "min_ratio_fair"):
            self.assertIsNone(exact[name])
        self.assertAlmostEqual(sampled["chi2_per_sample_fair"], 5 / 6000, 12)
        self.assertAlmostEqual(sampled["kl_bits_fair"] * math.log(2) * 12000 / 5, 1 + 7 / 36000, 6)
        self.assertTrue(sampled["min_ratio_fair"] < 1 < sampled["max_ratio_fair"] < 1.06)

    def test_what_the_matrix_does_not_see(self):
        (report,) = reports("rotate", "-n", "52", "--samples", "1e4", "--by", "sample")
        findings = {finding["statistic"]: finding for finding in report["findings"]}
        self.assertGreater(findings["position"]["p"], 1e-3)
        self.assertEqual(findings["adjacent"]["p"], 0)
        self.assertEqual(report["verdict"], "biased")
        self.assertIn("Whole decks came up again, 9,948 of 10,000", run("report", "rotate", "-n", "52", "--samples", "1e4").stdout)

    def test_statistics_do_not_depend_on_threads(self):
        for n in ("9", "20"):  # from the counts of all orders, and deck by deck
            one, three = (run("report", "naive", "-n", n, "--samples", "2e5", "--by", "sample", "--format", "json",
                              "--threads", threads).stdout for threads in "13")
            self.assertEqual(one, three)

    def test_deals_are_ordered(self):
        exact, sampled = reports("splice", "-n", "6", "--deal", "2", "--samples", "1e5")
        self.assertEqual(exact["evidence"]["counts"], ["1"] * 30)
        (matrix,) = [finding for finding in sampled["findings"] if finding["test"] == "matrix"]
        self.assertEqual(matrix["dof"], 5 * 2)
        self.assertEqual(sampled["verdict"], "no bias seen")

    def test_counts_are_left_out_above_eight_items_unless_asked_for(self):
        (without,) = reports("fisher-yates", "-n", "9", "--by", "sample", "--samples", "1e5")
        (with_them,) = reports("fisher-yates", "-n", "9", "--by", "sample", "--samples", "1e5", "--all-counts")
        self.assertIsNone(without["evidence"]["counts"])
        self.assertEqual(sum(with_them["evidence"]["counts"]), 100000)

    def test_deal_writes_the_decks_that_report_tallies(self):
        decks = run("deal", "naive", "-n", "3", "--samples", "1e5").stdout.splitlines()
        (report,) = reports("naive", "--by", "sample", "--samples", "1e5")
        ranks = ["0 1 2", "0 2 1", "1 0 2", "1 2 0", "2 0 1", "2 1 0"]
        self.assertEqual([decks.count(rank) for rank in ranks], report["evidence"]["counts"])

    def test_deal_has_binary_forms(self):
        text = run("deal", "splice", "-n", "9", "--deal", "4", "--samples", "50").stdout
        items = [int(item) for item in text.split()]
        for form, width in (("u8", 1), ("u16", 2), ("u32", 4)):
            done = subprocess.run([PROGRAM, "deal", "splice", "-n", "9", "--deal", "4", "--samples", "50",
                                   "--output", form], capture_output=True, timeout=100)
            read = [int.from_bytes(done.stdout[k:k + width], "little") for k in range(0, len(done.stdout), width)]
            self.assertEqual(read, items, form)

    def test_list_names_every_family(self):
        listed = run("list").stdout
        for word in ("shuffles", "naive", "draws", "modulo:W", "rngs", "philox", "mt19937", "statistics",
                     "tests", "pearson", "formats", "json"):
            self.assertIn(word, listed)
        self.assertNotIn("modulo", run("list", "shuffles").stdout.split("\n", 1)[0])

    def test_export_and_output(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("report", "naive", "--samples", "1e4", "-o", "r.txt", "--export", "json:r.json",
                       "--export", "csv:r.csv", "--export", "markdown:r.md", cwd=folder)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            self.assertEqual(sorted(os.listdir(folder)), ["r.csv", "r.json", "r.md", "r.txt"])
            with open(os.path.join(folder, "r.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["schema"], "shufflebias.report/2")

    def test_output_goes_where_links_lead(self):
        with tempfile.TemporaryDirectory() as folder:
            def content(name):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    return file.read()

            for name, target in (("one", "file"), ("two", "one"), ("new", "sub/made"), ("out", "/proc/self/fd/1")):
                os.symlink(target, os.path.join(folder, name))
            os.mkdir(os.path.join(folder, "sub"))
            with open(os.path.join(folder, "file"), "w", encoding="ascii") as file:
                file.write("old")
            os.chmod(os.path.join(folder, "file"), 0o640)
            expected = run("report", "naive", "--samples", "1e4", "--format", "json").stdout
            for name, target in (("two", "file"), ("new", "sub/made"), ("./sub/../one", "file")):
                done = run("report", "naive", "--samples", "1e4", "--format", "json", "-o", name, cwd=folder)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
                self.assertEqual(content(target), expected)
                self.assertTrue(os.path.islink(os.path.join(folder, name)))
            self.assertEqual(os.stat(os.path.join(folder, "file")).st_mode & 0o777, 0o640)
            if os.path.exists("/proc/self/fd/1"):
                done = run("report", "naive", "--samples", "1e4", "--format", "json", "-o", "out", cwd=folder)
                self.assertEqual((done.returncode, done.stdout), (0, expected), done.stderr)
                with open(os.path.join(folder, "kept"), "w", encoding="ascii") as kept:
                    number = os.fstat(kept.fileno()).st_ino
                    run_to = subprocess.run([PROGRAM, "report", "naive", "--samples", "1e4", "--format", "json", "-o",
                                             "out"], cwd=folder, stdout=kept, timeout=100, check=True)
                self.assertEqual(run_to.returncode, 0)
                self.assertEqual(content("kept"), expected)
                self.assertEqual(os.stat(os.path.join(folder, "kept")).st_ino, number)  # in place
                self.assertTrue(os.path.islink(os.path.join(folder, "out")))
            self.assertEqual(sorted(set(os.listdir(folder)) - {"kept"}), ["file", "new", "one", "out", "sub", "two"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_file_in_a_folder_that_takes_no_new_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x")
            with open(path, "w", encoding="ascii") as file:
                file.write("old")
            os.chmod(folder, 0o555)
            done = run("odds", "naive", "123", "-o", path)
            os.chmod(folder, 0o755)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertGreater(os.path.getsize(path), 3)

    def test_no_output_is_written_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink("a", os.path.join(folder, "link"))
            with open(os.path.join(folder, "a"), "w", encoding="ascii") as file:
                file.write("old")
            for arguments in (["--export", "json:b", "--export", "csv:./b"], ["--export", "json:a", "-o", "link"],
                              ["--export", "json:b", "-o", "b"]):
                done = run("report", "naive", "--samples", "1e4", *arguments, cwd=folder)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("give each a file of its own", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertEqual(sorted(os.listdir(folder)), ["a", "link"])
            with open(os.path.join(folder, "a"), encoding="ascii") as file:
                self.assertEqual(file.read(), "old")
            done = run("report", "naive", "--samples", "1e4", "--export", "json:-", "-o", "b", cwd=folder)
            self.assertEqual(json.loads(done.stdout)["schema"], "shufflebias.report/2")
            done = run("report", "naive", "--samples", "1e4", "--export", "json:/dev/null", "--export",
                       "csv:/dev/null", cwd=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_last_of_repeated_options_counts(self):
        done = run("report", "naive", "--by", "seeds", "--by", "exact", "--seed", "x", "--seed", "1", "-n", "9", "-n",
                   "3", "--format", "text", "--format", "json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))  # also without a word of a leak checker
        self.assertEqual(json.loads(done.stdout)["reports"][0]["evidence"]["denominator"], "27")

    def test_options_stand_anywhere_and_may_be_joined(self):
        decks = run("deal", "naive", "-n", "5", "--seed", "7").stdout
        for words in (["-n5", "naive", "--seed=7"], ["-n=5", "--seed", "7", "naive"], ["--seed", "7", "-n", "5", "--", "naive"]):
            for environment in ({}, {"POSIXLY_CORRECT": "1"}):
                with self.subTest(words=words, environment=environment):
                    self.assertEqual(run("deal", *words, env={**os.environ, **environment}).stdout, decks)

    def test_numbers_are_read_exactly(self):
        for written, number in (("9007199254740993.0", "9007199254740993"), ("1.5e1", "15"), ("100.e-0", None),
                                ("1e18", "1000000000000000000"), ("9.223372036854775807E+18", "9223372036854775807"),
                                ("0e999", "0"), ("120.0e0", "120")):
            done = run("deal", "naive", "-n", "60", "--seed", written)
            self.assertEqual(done.returncode, 0 if number else 2, done.stderr)
            if number:
                self.assertEqual(done.stdout, run("deal", "naive", "-n", "60", "--seed", number).stdout)

    def test_help_for_a_command(self):
        self.assertEqual(run("help", "report").stdout, run("report", "--help").stdout)

    def test_the_help_of_a_command_is_short_and_can_be_whole(self):
        for command, size in (("report", 40), ("gate", 40), ("watch", 40), ("plan", 40)):
            short, whole = (run(command, "--help", *more).stdout for more in ((), ("all",)))
            named = [re.findall(r"^ +(?:-. ?,? ?)?(--[a-z-]+|-n)", text, re.M) for text in (short, whole)]
            self.assertLessEqual(short.count("\n"), size, command)
            self.assertLessEqual(len(named[0]), 12, command)
            self.assertLessEqual(set(named[0]), set(named[1]), command)
            self.assertIn(f"'shufflebias {command} --help all' shows all {len(named[1])} options", short)
        self.assertEqual(run("gate", "--help=all").stdout, run("gate", "--help", "all").stdout)

    def test_an_earlier_name_of_an_option_works(self):
        for words in (["-n", "3"], ["--limit", "100"]):
            self.assertEqual(*(run("gate", "naive", *words, option, "0.3", "--format", "json").stdout for option in ("--exclude", "--max-bias")))

    def test_text_is_plain_where_the_locale_has_no_unicode(self):
        done = subprocess.run([PROGRAM, "report", "naive", "--samples", "1e4"], capture_output=True, timeout=100,
                              env={**os.environ, "LC_ALL": "C"})
        self.assertTrue(done.stdout.isascii())
        self.assertNotIn(b"\033", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
