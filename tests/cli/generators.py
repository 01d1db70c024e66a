# SPDX-License-Identifier: GPL-3.0-or-later
"""Decks from the generators of languages, engines and web pages: `deal` deals what the original program shuffles.

The programs are written again in Python, and run themselves where node and Java are installed."""
import itertools
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

import program
from program import PROGRAM, found

SEEDS = (0, 1, 42, 1763952000000)
MASK = 2**64 - 1

# The functions of the packages and pages, each from a seed; Math.random of V8 has the seed of --random-seed.
NODE = r"""
const sine = (seed) => () => { const x = Math.sin(seed++) * 10000; return x - Math.floor(x); };
const lcg233280 = (seed) => () => (seed = (seed * 9301 + 49297) % 233280) / 233280;
const mulberry32 = (a) => () => {
  let t = a += 0x6D2B79F5;
  t = Math.imul(t ^ t >>> 15, t | 1);
  t ^= t + Math.imul(t ^ t >>> 7, t | 61);
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
};
function shuffle(n, random) {
  const deck = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}
const { name, n, seeds } = JSON.parse(process.argv[2]);
const makers = { sine, lcg233280, mulberry32, xorshift128: () => Math.random };
console.log(JSON.stringify(seeds.map((seed) => shuffle(n, makers[name](seed)))));
"""

# Collections.shuffle, and a loop with nextFloat, as in games.
JAVA = r"""
import java.util.*;

public class Decks {
    public static void main(String[] arguments) {
        for (int k = 2; k < arguments.length; k++) {
            Integer[] deck = new Integer[Integer.parseInt(arguments[1])];
            Random random = new Random(Long.parseLong(arguments[k]));
            for (int i = 0; i < deck.length; i++)
                deck[i] = i;
            if (arguments[0].equals("java-nextint"))
                Collections.shuffle(Arrays.asList(deck), random);
            else
                for (int i = deck.length - 1; i > 0; i--)
                    Collections.swap(Arrays.asList(deck), i, (int) (random.nextFloat() * (i + 1)));
            System.out.println(Arrays.asList(deck));
        }
    }
}
"""


def dealt(scheme, n, seed):
    done = subprocess.run([PROGRAM, 'deal', scheme, '-n', str(n), '--samples', '1', '--seed', str(seed)],
                          capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return [int(item) for item in done.stdout.split()]


def fisher_yates(n, below):
    deck = list(range(n))
    for i in reversed(range(1, n)):
        j = below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def scaled(random):
    """math.floor(random() * k)"""
    return lambda k: math.floor(next(random) * k)


def sine(seed):
    for s in itertools.count(seed):
        x = math.sin(s) * 10000
        yield x - math.floor(x)


def lcg233280(seed):
    while True:
        seed = (seed * 9301 + 49297) % 233280
        yield seed / 233280


def mulberry32(a):
    while True:
        a = (a + 0x6D2B79F5) % 2**32
        t = (a ^ a >> 15) * (a | 1) % 2**32
        t ^= (t + (t ^ t >> 7) * (t | 61)) % 2**32
        yield (t ^ t >> 14) / 2**32


def murmur(h):
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return h ^ h >> 33


def v8(seed, bits, plus):
    """The values of Math.random(); `plus`: with the sum of the states, and in order."""
    state0, state1 = murmur(seed), murmur(~seed & MASK)
    while True:
        cache = []
        for _ in range(64):
            s1, s0 = state0, state1
            state0 = s0
            s1 ^= s1 << 23 & MASK
            s1 ^= s1 >> 17
            s1 ^= s0
            s1 ^= s0 >> 26
            state1 = s1
            word = state0 + state1 & MASK if plus else state0
            cache.append((word >> 64 - bits) / 2**bits)
        yield from cache if plus else reversed(cache)


class Java:
    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def next(self, bits):
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        return self.state >> 48 - bits

    def below(self, k):
        u = self.next(31)
        if k & -k == k:
            return k * u >> 31
        while u - u % k + k - 1 >= 2**31:
            u = self.next(31)
        return u % k


PORTS = {
    'fisher-yates/multiply:53/sine': lambda seed: scaled(sine(seed)),
    'fisher-yates/multiply/lcg233280': lambda seed: scaled(lcg233280(seed)),
    'fisher-yates/multiply:32/mulberry32': lambda seed: scaled(mulberry32(seed)),
    'fisher-yates/multiply:52/xorshift128': lambda seed: scaled(v8(seed, 52, False)),
    'fisher-yates/multiply:53/xorshift128': lambda seed: scaled(v8(seed, 53, False)),
    'fisher-yates/multiply:53/xorshift128+': lambda seed: scaled(v8(seed, 53, True)),
    'fisher-yates/java-nextint/java': lambda seed: Java(seed).below,
}


class Decks(unittest.TestCase):
    def test_ports(self):
        """One deck of 52 in 10^10 may differ, because other sines than the nearest doubles are in use."""
        for scheme, below in PORTS.items():
            for n in (2, 5, 52, 200):
                for seed in SEEDS:
                    self.assertEqual(dealt(scheme, n, seed), fisher_yates(n, below(seed)), (scheme, n, seed))

    def test_published(self):
        """Collections.shuffle of 1..10 with new Random(42), as many pages show it."""
        self.assertEqual([item + 1 for item in dealt('fisher-yates/java-nextint/java', 10, 42)],
                         [5, 7, 3, 2, 8, 10, 9, 6, 4, 1])

    def test_byte_modulo_is_modulo_8(self):
        for rng in ('philox', 'mt19937', 'msvc-rand'):
            for n in (5, 52, 300):
                self.assertEqual(dealt(f'naive/byte-modulo/{rng}', n, 7), dealt(f'naive/modulo:8/{rng}', n, 7))

    def test_words_of_more_than_64_bits(self):
        """All answers of the draws, in fractions. A draw of 2^W % b has too many of the low answers by less than a word each."""
        for scheme, deal in (("fisher-yates", 5), ("fisher-yates-forward", 5), ("fisher-yates-forward", 3), ("fisher-yates-original", 2)):
            for width in (65, 80, 128, 256):
                bounds = range(6 - deal, 6)
                laws = [[Fraction((2**width - j - 1) // bound + 1, 2**width)
                         for j in range(bound)] for bound in bounds]
                fair, shares = 1 / Fraction(math.prod(bounds)), [math.prod(answers) for answers in itertools.product(*laws)]
                self.assertEqual(sum(shares), 1)
                report = found("report", f"{scheme}/modulo:{width}", "-n", "5", "--deal", str(deal), "--by", "exact")["reports"][0]
                effect = report["effect"]
                for key, value in (("total_variation", sum(abs(share - fair) for share in shares) / 2),
                                   ("chi2_per_sample", sum((share - fair)**2 for share in shares) / fair)):
                    self.assertAlmostEqual(effect[key] / float(value), 1, 9, (scheme, deal, width, key))
                self.assertAlmostEqual(effect["kl_bits"] / (effect["chi2_per_sample"] / 2 / math.log(2)), 1, 9)
                self.assertEqual(report["verdict"], "biased")
        pair = found("report", "fisher-yates/modulo:256", "-n", "2", "--by", "exact")["reports"][0]
        self.assertEqual((pair["verdict"], pair["effect"]["total_variation"]), ("uniform", 0))
        for refused in (["report", "naive/modulo:128", "-n", "4", "--by", "exact"], ["explain", "fisher-yates/modulo:128"], ["odds", "fisher-yates/modulo:128", "123"],
                        ["report", "fisher-yates/modulo:128", "-n", "9", "--deal", "3", "--sets", "--by", "exact"]):
            self.assertIn("the exact law is known only of Fisher-Yates in its forms", program.run(*refused).stderr)
        self.assertIn("from 1 to 256", program.run("report", "fisher-yates/modulo:257").stderr)
        self.assertIn("from 1 to 64", program.run("report", "fisher-yates/multiply:128").stderr)

    def test_orders_that_are_rare_beyond_doubles_beside_1(self):
        """Fisher-Yates with `round`: the ends have 1/(2 (k - 1)) of the words, so the rarest of 66 cards has 33/2^64."""
        command = [PROGRAM, "report", "fisher-yates/round", "-n", "66", "--by", "exact"]
        effect = json.loads(subprocess.run([*command, "--format", "json"], capture_output=True, check=False).stdout)["reports"][0]["effect"]
        self.assertAlmostEqual(effect["min_ratio"] * 2**64, 33, places=9)
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        self.assertIn("come up 5.59e17 times as rarely as they should", " ".join(said.split()))

    def test_riffles_whose_reversed_deck_is_rare(self):
        """A riffle of s = 2^7 packets gives the reversed deck with C(s, n)/s^n (Bayer and Diaconis), so its ratio is the
        product of all 1 - i/s."""
        for n in (20, 52, 100, 128):
            ratio = math.prod(Fraction(128 - i, 128) for i in range(n))
            command = [PROGRAM, "report", "riffle:7", "-n", str(n), "--by", "exact", "--format", "json"]
            report = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)["reports"][0]
            self.assertAlmostEqual(report["effect"]["min_ratio"] / float(ratio), 1, places=12, msg=f"n = {n}")
            if n > 52:
                rarely = re.search(r"least likely order comes up ([0-9.e]+) times as rarely", report["sentence"])
                self.assertAlmostEqual(float(rarely[1]) * float(ratio), 1, places=2, msg=f"n = {n}")

    @unittest.skipUnless(shutil.which('node'), 'node is not installed')
    def test_node(self):
        def decks(name, seeds, *options):
            with tempfile.NamedTemporaryFile('w', suffix='.cjs') as script:
                script.write(NODE)
                script.flush()
                done = subprocess.run(['node', *options, script.name, json.dumps({'name': name, 'n': 52, 'seeds': seeds})],
                                      capture_output=True, text=True, timeout=100)
            assert done.returncode == 0, done.stderr
            return json.loads(done.stdout)

        for scheme, name in (('multiply:53', 'sine'), ('multiply', 'lcg233280'), ('multiply:32', 'mulberry32')):
            # the product of a seed of lcg233280 must be below 2^53, for a double
            seeds = [seed for seed in SEEDS if name != 'lcg233280' or seed * 9301 < 2**53]
            for seed, deck in zip(seeds, decks(name, seeds)):
                self.assertEqual(dealt(f'fisher-yates/{scheme}/{name}', 52, seed), deck, (name, seed))
        version = subprocess.run(['node', '-p', 'process.versions.v8'], capture_output=True, text=True, timeout=100).stdout
        major = int(version.split('.')[0])
        if major < 14:  # node 20 and 24; the next versions have other generators
            bits = 52 if major < 13 else 53
            for seed in (1, 42, 20261124):
                (deck,) = decks('xorshift128', [seed], f'--random-seed={seed}')
                self.assertEqual(dealt(f'fisher-yates/multiply:{bits}/xorshift128', 52, seed), deck, seed)

    @unittest.skipUnless(shutil.which('java') and shutil.which('javac'), 'Java is not installed')
    def test_java(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f'{folder}/Decks.java', 'w', encoding='utf-8') as source:
                source.write(JAVA)
            subprocess.run(['javac', '-d', folder, f'{folder}/Decks.java'], check=True, timeout=100)
            for draw in ('java-nextint', 'float24'):
                output = subprocess.run(['java', '-cp', folder, 'Decks', draw, '52', *map(str, SEEDS)],
                                        capture_output=True, text=True, check=True, timeout=100).stdout
                for seed, line in zip(SEEDS, output.splitlines()):
                    self.assertEqual(dealt(f'fisher-yates/{draw}/java', 52, seed), json.loads(line), (draw, seed))

    def test_sine_seeds_that_are_nearly_the_same(self):
        """10838702 is nearly a multiple of 2 pi: about half of the decks are the same, as in docs/seeds.md."""
        first, more = 1763952000000, 60
        same = sum(dealt('fisher-yates/multiply:53/sine', 52, seed) == dealt('fisher-yates/multiply:53/sine', 52, seed + 10838702)
                   for seed in range(first, first + more))
        self.assertIn(same, range(more // 3, 2 * more // 3))

    def test_seeds(self):
        def run(*arguments):
            return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=100)

        done = run('report', 'fisher-yates/multiply/lcg233280', '-n', '9', '--by', 'seeds', '--format', 'json')
        evidence = json.loads(done.stdout)['reports'][0]['evidence']
        self.assertEqual((evidence['first'], evidence['last'], evidence['permutations']), (0, 233279, '362880'))
        decks = {tuple(fisher_yates(9, scaled(lcg233280(seed)))) for seed in range(233280)}
        self.assertEqual(evidence['reached'], len(decks))
        for rng in ('java', 'sine', 'xorshift128+', 'xorshift128'):
            done = run('report', f'fisher-yates/ideal/{rng}', '--by', 'seeds')
            self.assertEqual(done.returncode, 2)
            self.assertIn(f'{rng} has too many seeds to try them all', done.stderr)
        done = run('report', 'naive/float24/msvc-rand')
        self.assertEqual(done.returncode, 2)
        self.assertIn('float24 needs words of 24 bits, and those of msvc-rand have 15: use another generator', done.stderr)
        done = run('report', 'naive/float24:9')
        self.assertIn("float24 takes no number: leave ':9' out", done.stderr)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
