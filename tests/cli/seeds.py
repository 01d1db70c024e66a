# SPDX-License-Identifier: GPL-3.0-or-later
"""`report --by seeds`, against generators and shuffles that are written again in Python."""
import itertools
import json
import math
import signal
import subprocess
import sys
import unittest
from fractions import Fraction

import program
from program import PROGRAM
import waiting


def run(*arguments):
    return program.run('report', *arguments)


def report(scheme, n, seeds, *more):
    return program.report(scheme, '-n', str(n), '--by', 'seeds', '--seeds', seeds, *more)


def msvc(seed):
    while True:
        seed = (214013 * seed + 2531011) % 2**32
        yield seed // 65536 % 32768


def delphi(seed):
    while True:
        seed = (134775813 * seed + 1) % 2**32
        yield seed


def fisher_yates(n, words):
    deck = list(range(n))
    for i in reversed(range(1, n)):
        j = next(words) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def planet_poker(n, words):
    deck = list(range(n))
    for i in range(n):
        j = next(words) * (n - 1) // 2**32
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


class Seeds(unittest.TestCase):
    def test_counts_are_those_of_every_seed(self):
        for n, last in ((5, 65535), (8, 9999)):
            seen = {deck: 0 for deck in itertools.permutations(range(n))}
            for seed in range(last + 1):
                seen[fisher_yates(n, msvc(seed))] += 1
            found = report('fisher-yates/modulo/msvc-rand', n, f'0..{last}')
            evidence = found['evidence']
            self.assertEqual(evidence['counts'], list(seen.values()))
            self.assertEqual(evidence['reached'], sum(count > 0 for count in seen.values()))
            self.assertEqual((evidence['most_often'], evidence['least_often']),
                             (max(seen.values()), min(seen.values())))
            self.assertEqual(evidence['permutations'], str(math.factorial(n)))
            self.assertEqual((evidence['first'], evidence['last'], evidence['seeds']), (0, last, last + 1))
            self.assertEqual(found['verdict'], 'biased')
            self.assertEqual(found['findings'], [])
            distance = sum(abs(count / (last + 1) - 1 / len(seen)) for count in seen.values()) / 2
            self.assertAlmostEqual(found['effect']['total_variation'], distance, places=12)

    def test_biased_from_a_few_seeds_means_little(self):
        """100 seeds cannot lead to six orders equally often, so the sentence has what as many fair shuffles show. Of a binomial
        count of N trials with probability p the mean deviation is 2 k C(N, k) p^k (1 - p)^(N-k+1) with k = floor(Np) + 1."""
        found = report('fisher-yates/modulo/msvc-rand', 3, '0..99')
        k, p = 17, Fraction(1, 6)
        fair = 6 * float(2 * k * math.comb(100, k) * p**k * (1 - p)**(101 - k)) / 100 / 2
        seen = found['effect']['total_variation']
        self.assertEqual(found['verdict'], 'biased')
        self.assertTrue(found['sentence'].endswith('. So the deck of a random one of these seeds is %.2g from fair in total variation; '
                                                   'as many fair shuffles show %.2g on average.' % (seen, fair)), found['sentence'])
        self.assertIn('from 1 seed ', report('fisher-yates', 52, '5..5')['sentence'])

    def test_planet_poker(self):
        decks = {planet_poker(52, delphi(seed)) for seed in range(43200000, 43203000)}
        found = report('planet-poker/multiply:32/delphi', 52, '43200000..43202999')
        self.assertEqual(found['evidence']['reached'], len(decks))
        self.assertEqual(found['evidence']['reached_error'], 0)
        self.assertEqual(found['evidence']['permutations'], str(math.factorial(52)))
        self.assertAlmostEqual(found['evidence']['log10_fraction'], math.log10(3000 / math.factorial(52)), places=10)
        self.assertIsNone(found['evidence']['counts'])
        self.assertIsNone(found['effect']['total_variation'])
        self.assertIsNone(found['matrix'])
        self.assertIn('at most 1 in 10^64 orders of 52 items can come up', found['sentence'])

    def test_the_share_of_deals_is_computed_in_whole_numbers(self):
        """The logarithm of 11! / 10! is a little less than that of 11."""
        self.assertIn('at most 1 in 11 orders of 11 items can come up',
                      report('fisher-yates/ideal/mulberry32', 11, '0..%d' % (math.factorial(10) - 1))['sentence'])

    def test_threads_change_nothing(self):
        for arguments in (('fisher-yates/modulo/glibc-rand', '-n', '6'), ('naive/ideal/mt19937', '-n', '30')):
            outputs = {run(*arguments, '--by', 'seeds', '--seeds', '7..20006', '--format', 'json',
                           '--threads', str(threads)).stdout for threads in (1, 2, 3, 4)}
            self.assertEqual(len(outputs), 1, arguments)

    def test_the_first_deck_of_a_seed_is_the_one_that_deal_deals(self):
        listed = subprocess.run([PROGRAM, 'list', 'rngs'], capture_output=True, text=True, timeout=100).stdout
        generators = [line.split()[0] for line in listed.splitlines()[1:]]
        self.assertIn('msvc-rand', generators)
        schemes = [f'fisher-yates/ideal/{rng}' for rng in generators]
        schemes += ['naive', 'inside-out', 'naive/modulo:15', 'naive/lemire:31/ranlxd1', 'redraw/multiply:32/delphi']
        for scheme in schemes:
            seen = [0] * 24
            ranks = {deck: rank for rank, deck in enumerate(itertools.permutations('0123'))}
            for seed in range(7, 10):
                dealt = subprocess.run([PROGRAM, 'deal', scheme, '-n', '4', '--samples', '1', '--seed', str(seed)],
                                       capture_output=True, text=True, timeout=100).stdout
                seen[ranks[tuple(dealt.split())]] += 1
            self.assertEqual(report(scheme, 4, '7..9')['evidence']['counts'], seen, scheme)

    def test_a_law_that_is_uniform(self):
        # one draw below 2: the top bit of the word; from seeds 0 and 3 on Delphi's words begin 0x00000001, 0x18199410
        seeds = [next(delphi(seed)) // 2**31 for seed in range(10000)]
        last = next(k for k in range(1, 9999) if 2 * sum(seeds[:k + 1]) == k + 1)
        found = report('fisher-yates/multiply:32/delphi', 2, f'0..{last}')
        self.assertEqual(found['verdict'], 'uniform')
        self.assertEqual(found['effect']['total_variation_exact'], '0')
        self.assertEqual(report('naive', 1, '5..5')['verdict'], 'uniform')

    def test_a_matrix_of_seeds_is_no_sample(self):
        for n in ('4', '52'):
            said = run('fisher-yates/modulo/msvc-rand', '-n', n, '--deal', '2', '--by', 'seeds', '--seeds', '0..999').stdout
            self.assertIn('Where items end up, over these seeds', said)

    def test_steps_of_consecutive_seeds(self):
        """The matrix of the steps, counted again: sum (c - e)^2/e (n - 1)/n, for (n - 1)^2 degrees of freedom."""
        n, last = 12, 1999
        decks = [fisher_yates(n, msvc(seed)) for seed in range(last + 1)]

        def value(decks):
            count = [[0] * n for _ in range(n)]
            for old, new in zip(decks, decks[1:]):
                for j in range(n):
                    count[old.index(new[j])][j] += 1
            expected = (len(decks) - 1) / n
            return sum((c - expected) ** 2 / expected for row in count for c in row) * (n - 1) / n
        for more, tried in (((), last + 1), (('--samples', '700'), 700)):
            found = report('fisher-yates/modulo/msvc-rand', n, f'0..{last}', '--increments', *more)
            self.assertEqual(found['evidence']['seeds'], last + 1)
            self.assertTrue(all(finding['increments'] for finding in found['findings']))
            (matrix,) = [finding for finding in found['findings'] if finding['test'] == 'matrix']
            self.assertEqual((matrix['statistic'], matrix['dof']), ('position', (n - 1) ** 2))
            self.assertAlmostEqual(matrix['value'] / value(decks[:tried]), 1, places=10)

    def test_weak_seeding(self):
        """Two linear congruential generators, whose seeds are their states; and one that hashes its seed. With fixed seeds."""
        for scheme, weak in (('fisher-yates/modulo/msvc-rand', True), ('fisher-yates/multiply:32/delphi', True),
                             ('fisher-yates/ideal/mt19937', False), ('fisher-yates', False)):
            found = report(scheme, 52, '1..1000', '--increments')
            said = 'The steps from the deck of each seed to that of the next %s (corrected p = ' % (
                'are not those of a fair shuffle' if weak else 'look like those of a fair shuffle')
            self.assertIn(said, found['sentence'])
        found = report('fisher-yates/multiply:32/delphi', 3, '0..5999', '--increments')
        self.assertEqual({finding['statistic'] for finding in found['findings'][:2]}, {'rank'})
        self.assertIn('They are too few to test the steps', report('fisher-yates', 3, '1..3', '--increments')['sentence'])
        self.assertIn('--increments needs a sample or seeds: drop --by exact', run('naive', '--by', 'exact', '--increments').stderr)
        self.assertIn('needs whole permutations', run('naive', '-n', '5', '--deal', '2', '--by', 'seeds', '--seeds', '1..9',
                                                     '--increments').stderr)

    def test_all_seeds_are_tried_where_none_are_named(self):
        child = subprocess.Popen([PROGRAM, 'report', 'fisher-yates/modulo/msvc-rand', '-n', '3', '--by', 'seeds',
                                  '--format', 'json'], stdout=subprocess.PIPE)
        waiting.until_worked(child, 0.5)
        child.send_signal(signal.SIGINT)
        output, _ = child.communicate(timeout=100)
        self.assertEqual(child.returncode, 130)
        found = json.loads(output)['reports'][0]
        evidence = found['evidence']
        self.assertEqual((evidence['first'], evidence['last']), (0, 2**31 - 1))
        self.assertTrue(evidence['interrupted'])
        self.assertEqual(sum(evidence['counts']), evidence['seeds'])
        self.assertEqual(found['verdict'], 'inconclusive')
        self.assertIn('stopped early', found['warning'])
        self.assertEqual(found['sentence'], f'only {evidence["seeds"]:,} of 2,147,483,648 seeds were tried; '
                                            'they lead to 6 different orders of 3 items.')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
