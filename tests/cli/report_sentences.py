# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict of a sampled report in words must follow from the numbers of the same report. The seeds are fixed."""
import random
import re
import subprocess
import sys
import unittest

from program import PROGRAM, found, lines, run


def reports(*arguments, text=None):
    return found("report", *arguments, text=text)["reports"]


def move(matrix, count, row, column, others):
    """Moves `count` items from the other columns of a row to this column, and back in other rows."""
    for other in others[:abs(count)]:
        sign = 1 if count > 0 else -1
        matrix[row][column] += sign
        matrix[row][other] -= sign
        matrix[other][column] -= sign
        matrix[other][other] += sign


class ReportSentences(unittest.TestCase):
    def test_a_report_on_every_shuffle_fits_a_screen(self):
        text = run("report", "--samples", "1e4").stdout
        self.assertLess(text.count("\n"), 60)
        self.assertTrue(text.endswith("`shufflebias report naive` shows one shuffle in detail, and `--details` each that is biased.\n"))
        self.assertGreater(run("report", "--samples", "1e4", "--details").stdout.count("\n"), 1000)

    def test_the_farthest_place_is_no_place_that_stands_out(self):
        # 156 decks of 12 items, so 13 are expected. 27 is farther off than 0, and only the interval of 0 is below 13
        matrix = [[13 + 6 * (-1) ** (i + j) for j in range(12)] for i in range(12)]
        move(matrix, -7, 0, 1, [2, 4, 6, 8, 10, 3, 7])
        move(matrix, 8, 5, 5, [1, 2, 4, 6, 8, 10, 7, 9])
        self.assertEqual((matrix[0][1], matrix[5][5], {sum(row) for row in matrix}, {sum(row) for row in zip(*matrix)}),
                         (0, 27, {156}, {156}))
        report, = reports("--matrix", "-", text=lines(matrix))
        self.assertEqual([(place["item"], place["position"]) for place in report["places"]["farthest"]], [(1, 2)])
        # 1 - (alpha/288)^(1/156), Clopper and Pearson's upper end of 0 of 156, is 0.9290 of 1/12
        self.assertIn("item 1 lands at least 7.0% too rarely at position 2", report["sentence"])

    def test_a_p_below_alpha_that_is_not_below_it_after_correction_is_explained(self):
        explained = []
        for seed in range(1, 9):
            report, = reports("fisher-yates", "-n", "6", "--by", "sample", "--samples", "20000", "--alpha", "0.05", "--seed", str(seed))
            least = min((finding for finding in report["findings"] if finding["reliable"]), key=lambda finding: finding["p"])
            if report["verdict"] == "biased":  # 5% of all seeds
                self.assertNotIn("below alpha only", report["sentence"])
                continue
            said = f"The p of {least['statistic']}, {least['p']:.3g}, is below alpha only until it is corrected for the other tests."
            explained.append(said in report["sentence"])
            self.assertEqual(explained[-1], least["p"] < 0.05, report["sentence"])
            self.assertEqual(explained[-1], "below alpha only" in report["sentence"])
        self.assertEqual(set(explained), {False, True})

    def test_large_numbers_have_separators(self):
        fair, = reports("fisher-yates", "-n", "7", "--by", "exact")
        self.assertEqual(fair["sentence"], "each of the 5,040 orders is equally likely.")
        decks = [" ".join(map(str, random.Random(seed).sample(range(1, 21), 20))) for seed in range(9000)]
        repeated, = reports("-", "--statistics", "repeat", text="".join(deck + "\n" for deck in decks + decks[:1000]))
        self.assertIn("whole decks came up again, 1,000 of 10,000, far more", repeated["sentence"])

    def test_what_shows_a_bias_although_no_order_stands_out(self):
        source = random.Random(3)

        def text(decks):
            return "".join(" ".join(map(str, deck)) + "\n" for deck in decks)
        fixed, = reports("-", text=text(source.sample(range(7), 7) + [7] for _ in range(100)))
        self.assertRegex(fixed["sentence"], r"^item 7 is always at position 8 \(")
        once = [source.sample(range(8), 8) for _ in range(150)]
        twice, = reports("-", text=text(once + once))
        self.assertRegex(twice["sentence"], r"^15[0-3] of 300 orders had come up before, where 1\.1 are expected, as with a short seed or the same run twice \(")
        moved = [deck for deck in (source.sample(range(10), 10) for _ in range(400)) if all(item != place for place, item in enumerate(deck))][:80]
        deranged, = reports("-", text=text(moved))
        self.assertRegex(deranged["sentence"], r"^how many items are where they were: 0 instead of 1 on average \(")
        swapped = list(range(100))
        for _ in range(25):
            i, j = source.randrange(100), source.randrange(100)
            swapped[i], swapped[j] = swapped[j], swapped[i]
        one, = reports("-", text=text([swapped]))
        self.assertRegex(one["sentence"], r"^how many [a-z ]*: [0-9,]+ instead of [0-9.]+ on average \(")

    def test_the_sample_says_the_same_beside_an_exact_law(self):
        # the table beside a law has the law's extreme deals, none of which stands out in these 1,000 shuffles
        both = reports("sort-quick", "-n", "5", "--samples", "1000", "--by", "both", "--all-counts")[1]
        alone, = reports("sort-quick", "-n", "5", "--samples", "1000", "--by", "sample")
        self.assertEqual(both["sentence"], alone["sentence"])
        self.assertTrue(any(row["low"] > 1 / 120 for row in alone["permutations"]))
        self.assertFalse(any(row["low"] > 1 / 120 or row["high"] < 1 / 120 for row in both["permutations"]))
        self.assertIn("comes up at least", both["sentence"])

    def test_intervals_are_rounded_outwards(self):
        """With 1/2 expected, all of 10,000,000 does not show that the other order is impossible: its ratio may be above 0.0000."""
        for arguments in (["sattolo", "-n", "2", "--samples", "1e7"], ["naive", "-n", "3", "--samples", "27000"]):
            report, = reports(*arguments, "--by", "sample")
            text = subprocess.run([PROGRAM, "report", *arguments, "--by", "sample"], capture_output=True, text=True, timeout=100,
                                  check=True).stdout
            ranges = re.findall(r" ([0-9.e-]+)–([0-9.e-]+)(?: |$)", text, re.M)
            rows = [(row["low"] * len(report["permutations"]), row["high"] * len(report["permutations"]))
                    for row in report["permutations"]]
            effects = [(test["effect_low"], test["effect_high"]) for test in report["findings"]]
            self.assertEqual(len(ranges), len(rows) + len(effects))
            for (low, high), (least, most) in zip(ranges, rows + effects):
                self.assertLessEqual(float(low), least + 1e-10)
                self.assertGreaterEqual(float(high), most - 1e-10)

    def test_alpha_keeps_its_digits(self):
        report, = reports("fisher-yates", "--samples", "1000", "--by", "sample", "--alpha", "0.00012345678")
        self.assertIn("at alpha = 0.00012345678 (", report["sentence"])

    def test_at_least_is_rounded_down(self):
        # the lower end of item 1 at position 1 is 1.0397 times the fair share
        report, = reports("--matrix", "-", "--alpha", "0.2", text="17 3 10\n3 17 10\n10 10 10\n")
        self.assertAlmostEqual(3 * report["places"]["farthest"][0]["low"], 1.0397, 4)
        self.assertIn("item 1 lands at least 3.9% too often at position 1", report["sentence"])
        for scheme in ("naive", "riffle:4", "overhand", "cut", "sort-timsort"):
            for samples in ("300", "1000", "3000", "10000", "30000"):
                report, = reports(scheme, "-n", "11", "--by", "sample", "--samples", samples)
                said = re.search(r"at least ([\d.]+)(%| times)", report["sentence"])
                if not said:
                    continue
                place = report["places"]["farthest"][0]
                low, high = 11 * place["low"], 11 * place["high"]
                least = (low if low > 1 else 1 / high) if said[2] == " times" else 100 * max(low - 1, 1 - high)
                self.assertLessEqual(float(said[1]), least * (1 + 1e-9), (report["sentence"], place))

    def test_one_order_comes_and_two_come(self):
        for seeds, said in (("3..9", "from 7 seeds 1 of the 6 orders of 3 items never comes up;"),
                            ("0..5", "from 6 seeds 3 of the 6 orders of 3 items never come up;")):
            report, = reports("fisher-yates/modulo/msvc-rand", "--by", "seeds", "--seeds", seeds)
            self.assertTrue(report["sentence"].startswith(said), report["sentence"])

    def test_names_keep_their_case(self):
        text = subprocess.run([PROGRAM, "report", "naive", "--cards", "a A b", "--by", "exact"], capture_output=True,
                              text=True, timeout=100, check=True).stdout
        self.assertIn("biased. abA, Aab and Aba come up 11% too often; aAb, baA and bAa come up", text)

    def test_only_reliable_tests_are_as_expected(self):
        # positions have a chi-square test from 55 shuffles of 11 items on, and `cycles` from 56 on; before, exact tests
        for samples, tests in (("54", ["exact", "exact"]), ("55", ["matrix", "exact"]), ("56", ["matrix", "merged"])):
            report, = reports("fisher-yates", "-n", "11", "--by", "sample", "--samples", samples, "--statistics", "cycles")
            self.assertEqual([{"halves": "exact"}.get(one["test"], one["test"]) for one in report["findings"]], tests)
            words = ("bring every item to every position about equally often, and the other statistics are as expected"
                     if tests[0] == "matrix" else "are too few to compare all positions, or the orders themselves")
            self.assertIn(f"{samples} shuffles {words}", report["sentence"])

    def test_the_places_of_equal_cards_are_tested(self):
        report, = reports("fisher-yates", "--cards", "R " * 26 + "B " * 26, "--by", "sample", "--samples", "2000")
        self.assertTrue([finding["reliable"] for finding in report["findings"] if finding["statistic"] == "card-at"][0])
        self.assertIn("2,000 shuffles bring every card to every position about as often as they should, and the other "
                      "statistics are as expected (", report["sentence"])

    def test_an_expected_count_of_five_is_enough(self):
        for n in range(11, 60):
            report, = reports("fisher-yates", "-n", str(n), "--by", "sample", "--samples", str(5 * n), "--statistics", "none")
            self.assertEqual((report["verdict"], report["warning"]), ("no bias seen", None), n)
            report, = reports("fisher-yates", "-n", str(n), "--by", "sample", "--samples", str(5 * n - 1), "--statistics",
                              "none")
            self.assertEqual([one["test"] for one in report["findings"]], ["exact"], n)
            self.assertIn("too few to compare all positions", report["sentence"])

    def test_one_item_has_one_order_however_often_it_is_shuffled(self):
        for samples in (1, 4, 5, 19, 20):
            for n in (0, 1):
                report, = reports("fisher-yates", "-n", str(n), "--by", "sample", "--samples", str(samples))
                self.assertEqual((report["verdict"], report["warning"], report["findings"]), ("no bias seen", None, []))
                self.assertEqual(report["sentence"], "there is only one order, so there is nothing to shuffle.")

    def test_the_least_number_of_shuffles_decides_on_the_test(self):
        for n, orders in ((2, 2), (3, 6), (4, 24), (5, 120), (6, 720)):
            for samples in range(1, 20):
                report, = reports("fisher-yates", "-n", str(n), "--by", "sample", "--samples", str(samples), "--statistics",
                                  "none")
                tests = {(one["statistic"], one["test"]) for one in report["findings"]}
                self.assertEqual((("rank", "pearson") in tests, ("rank", "exact") in tests),
                                 (samples >= 5 * orders, samples < 5 * orders))
                self.assertEqual((("position", "matrix") in tests, ("position", "exact") in tests),
                                 (samples >= 5 * n, samples < 5 * n))
                if samples >= 5 * orders:
                    self.assertRegex(report["warning"], f"likelihood-ratio of rank .* use --samples {20 * orders} or more")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
