#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests mutate.py: a campaign on a project of one source (tiny/), in which the outcome of each mutant is known.

Exit status 77, with the reason, if a tool is missing.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import mutate  # noqa: E402 (its folder is on the path only now)

for tool in ('clang', 'meson', 'ninja', 'git'):
    if not shutil.which(tool):
        print(f'skipped: there is no {tool}')
        sys.exit(77)

EXCUSED = '''# Comments and empty lines separate nothing but blocks.

src/fit/tiny.c tiny_larger
    - a < b
    + a <= b
    Of two equal numbers, either is the larger.
'''


class Mutation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        source = os.path.join(cls.folder.name, 'tiny')
        shutil.copytree(os.path.join(HERE, 'tiny'), source)
        subprocess.run(['git', 'init', '-q', source], check=True)
        os.makedirs(os.path.join(source, 'tests', 'mutation'))
        with open(os.path.join(source, 'tests', 'mutation', 'equivalent.txt'), 'w', encoding='utf-8') as file:
            file.write(EXCUSED)
        cls.campaign = mutate.Campaign(mutate.arguments([source, os.path.join(cls.folder.name, 'work'), '--sample', '1000']))
        for stage in ('sites', 'tree', 'build', 'baseline', 'run', 'table'):
            getattr(cls.campaign, 'stage_' + stage)()
        cls.sites = {site['key']: site for site in mutate.load(cls.campaign.path('sample.json'))}
        cls.results = mutate.load(cls.campaign.path('results.json'))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def outcome(self, key):
        self.assertIn(key, self.sites)
        return self.results[key]

    def test_a_wrong_sum_is_killed(self):
        self.assertEqual(self.outcome('src/fit/tiny.c tiny_sum a + b => a - b #1')['killed']['unit'][0], 'unit-tiny')

    def test_an_endless_loop_is_killed_by_its_time(self):
        self.assertEqual(self.outcome('src/fit/tiny.c tiny_count *left -= 1; => ; #1')['killed']['unit'][1], 'time')

    def test_what_no_test_reaches_is_not_run(self):
        result = self.outcome('src/fit/tiny.c tiny_twice a * 2 => a / 2 #1')
        self.assertEqual(result, {'survived': {}, 'killed': {}})
        self.assertNotIn('src/fit/tiny.c tiny_twice a * 2 => a / 2 #1', mutate.load(self.campaign.path('baseline.json'))['unit-tiny']['reached'])

    def test_an_excused_mutant_is_not_run(self):
        key = 'src/fit/tiny.c tiny_larger a < b => a <= b #1'
        self.assertIn(key, self.sites)
        self.assertNotIn(key, self.results)

    def test_constants_of_the_language_are_no_sites(self):
        found = [site['before'] for site in self.sites.values() if site['function'] == 'tiny_constants']
        self.assertEqual(found, [])

    def test_everything_else_is_killed(self):
        survived = {key for key, result in self.results.items() if not result['killed']}
        self.assertEqual({self.sites[key]['function'] for key in survived}, {'tiny_twice'})

    def test_an_earlier_campaign_names_the_mutants_and_the_first_tests(self):
        earlier, later = os.path.join(self.folder.name, 'earlier'), os.path.join(self.folder.name, 'later')
        keys = [key for key in self.sites if ' tiny_sum ' in key]
        os.makedirs(earlier)
        mutate.save(os.path.join(earlier, 'sample.json'), [self.sites[key] for key in keys] + [{'key': 'src/fit/tiny.c gone a => b #1'}])
        mutate.save(os.path.join(earlier, 'results.json'), {keys[0]: {'killed': {'unit': ['unit-tiny', 'status 1', 0]}, 'survived': {}}})
        again = mutate.Campaign(mutate.arguments([self.campaign.source, later, '--like', earlier]))
        for stage in ('sites', 'tree', 'build', 'baseline', 'run', 'table'):
            getattr(again, 'stage_' + stage)()
        self.assertEqual([site['key'] for site in mutate.load(again.path('sample.json'))], sorted(keys))
        self.assertEqual({key: bool(one['killed']) for key, one in mutate.load(again.path('results.json')).items()}, dict.fromkeys(keys, True))

    def test_the_interval_of_clopper_and_pearson(self):
        # The smallest p with P(X >= k) >= 0.025 has a closed form for k = n: 0.025 ** (1 / n); for k = 0, 1 minus it.
        self.assertAlmostEqual(mutate.interval(10, 10)[0], 0.025 ** 0.1)
        self.assertEqual(mutate.interval(10, 10)[1], 1)
        self.assertAlmostEqual(mutate.interval(0, 10)[1], 1 - 0.025 ** 0.1)
        # Clopper and Pearson (1934), Biometrika 26: their chart for n = 10 shows 0.19 to 0.81 at 5/10.
        self.assertAlmostEqual(mutate.interval(5, 10)[0], 0.187, places=3)
        self.assertAlmostEqual(mutate.interval(5, 10)[1], 0.813, places=3)


unittest.main(verbosity=2)
