// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of the module on functions in JavaScript. The expected counts are those of the articles, or are enumerated here.
// A gate of a fair shuffle fails with probability 1e-9 at most, and so does each report on one.
import assert from 'node:assert/strict';
import * as namespace from 'node:crypto';
import { randomBytes, randomFillSync, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const ownRandom = Math.random; // a copy, as libraries make it when they are loaded
const folder = process.env.SHUFFLEBIAS_WEB;
const { open } = await import(pathToFileURL(join(folder, 'shufflebias.mjs')));

function swap(deck, i, j) {
  [deck[i], deck[j]] = [deck[j], deck[i]];
}

function naive(deck, draw) {
  for (let i = 0; i < deck.length; i++)
    swap(deck, i, draw(deck.length));
}

function naiveRandom(deck) {
  for (let i = 0; i < deck.length; i++)
    swap(deck, i, Math.floor(Math.random() * deck.length));
}

function fisherYates(deck) {
  for (let i = deck.length - 1; i > 0; i--)
    swap(deck, i, Math.floor(Math.random() * (i + 1)));
}

/** Fisher-Yates whose draw below k is draw(k). */
function fisherYatesBy(draw) {
  return (deck) => {
    for (let i = deck.length - 1; i > 0; i--)
      swap(deck, i, draw(i + 1));
  };
}

/** The counts of Fisher-Yates on three items whose draw below k is the remainder of a word with this many values. */
function remainders(values) {
  const counts = new Map();

  for (let word = 0; word < values; word++)
    for (let last = 0; last < 2; last++) {
      const deck = [0, 1, 2];

      swap(deck, 2, word % 3);
      swap(deck, 1, last);
      counts.set(deck.join(), (counts.get(deck.join()) ?? 0) + 1);
    }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count).join(' ');
}

/**
 * Fair shuffles whose second parameter is none of draw(k): each has the signature and the body of a shuffle that people ship, or is a
 * usual way to write one. Given any second argument that they did not ask for, they throw, lose items, or shuffle in another way.
 */
const OTHER_ARGUMENTS = {
  'd3.shuffle(array, i0 = 0, i1 = array.length)': (array, i0 = 0, i1 = array.length) => {
    for (let m = i1 - (i0 = +i0); m;) {
      const i = Math.floor(Math.random() * m--), t = array[m + i0];

      array[m + i0] = array[i + i0];
      array[i + i0] = t;
    }
    return array;
  },
  'knuth-shuffle-seeded(array, seed)': (array, seed) => {
    const random = seed === undefined ? Math.random : generator(String(seed));

    for (let current = array.length; current !== 0;)
      swap(array, Math.floor(random() * current--), current);
    return array;
  },
  'shuffle(array, rng = Math.random)': (array, rng = Math.random) => {
    fisherYatesBy((k) => Math.floor(rng() * k))(array);
  },
  'sample(array, count = array.length)': (array, count = array.length) => {
    fisherYates(array);
    return array.slice(0, count);
  },
  'repeated(array, times = 1)': (array, times = 1) => {
    for (let i = 0; i < times; i++)
      fisherYates(array);
  },
  'lodash.sampleSize(array, n, guard)': (array, n, guard) => {
    fisherYates(array);
    return guard || n === undefined ? array : array.slice(0, n);
  },
  'underscore.sample(array, ...rest)': (array, ...rest) => {
    fisherYates(array);
    return rest.length ? array.slice(0, rest[0]) : array;
  },
  'counted(array) by arguments.length': function (array) {
    if (arguments.length === 1)
      fisherYates(array);
  },
  'method(array) of no object': function (array) {
    if (this === undefined)
      fisherYates(array);
  },
};

/** A generator with a seed: the middle bits of a multiplication. */
function generator(seed) {
  let state = [...seed].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) >>> 0, 7);

  return () => (state = (1664525 * state + 1013904223) >>> 0) / 2 ** 32;
}

/** Shares of the naive swap's orders by rank, from all n^n series of answers. */
function naiveShares(n) {
  const counts = new Map();

  for (let path = 0; path < n ** n; path++) {
    const deck = Array.from({ length: n }, (_, i) => i);
    let rest = path;

    naive(deck, (bound) => {
      const answer = rest % bound;

      rest = Math.floor(rest / bound);
      return answer;
    });
    counts.set(deck.join(), (counts.get(deck.join()) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count / n ** n);
}

for (const name of ['shufflebias.wasm', 'shufflebias-plain.wasm']) {
  const engine = await open(readFileSync(join(folder, name)), { crypto: namespace.default, sync: syncBuiltinESMExports });

  test(`${name}: the law of a function that draws integers`, () => {
    for (const n of [2, 3, 4, 5]) {
      const { counts, denominator } = engine.prove(naive, { n, argument: 'draw' }).reports[0].evidence;

      assert.deepEqual(counts.map((count) => count / denominator), naiveShares(n));
    }
  });

  test(`${name}: the law of a function that calls Math.random()`, () => {
    const own = Math.random;

    assert.deepEqual(engine.prove(naiveRandom).reports[0].evidence.counts, ['4', '5', '5', '5', '4', '4']);
    assert.equal(engine.prove(fisherYates, { n: 4 }).reports[0].verdict, 'uniform');
    assert.equal(Math.random, own);
  });

  test(`${name}: the law of a function that draws from node:crypto or getRandomValues()`, () => {
    const counts = (draw) => engine.prove(fisherYatesBy(draw)).reports[0].evidence.counts.join(' ');
    const own = namespace.default.randomInt;
    const web = (globalThis.crypto ?? namespace.webcrypto);
    const word = (kind) => web.getRandomValues(new kind(1))[0];

    assert.equal(counts((k) => randomInt(k)), '1 1 1 1 1 1');
    assert.equal(counts((k) => namespace.randomInt(5, 5 + k) - 5), '1 1 1 1 1 1');
    for (const draw of [(k) => randomBytes(1)[0] % k, (k) => word(Uint8Array) % k])
      assert.equal(counts(draw), remainders(256));
    assert.equal(engine.prove(fisherYatesBy((k) => word(Uint16Array) % k), { n: 2 }).reports[0].verdict, 'uniform');
    for (const draw of [(k) => randomFillSync(new Uint8Array(3), 1, 1)[1] % k, (k) => randomFillSync(new Uint8Array(2).fill(7), 1)[1] % k,
      (k) => new Uint8Array(randomFillSync(new ArrayBuffer(1)))[0] % k, (k) => randomFillSync(new DataView(new ArrayBuffer(1))).getUint8(0) % k])
      assert.equal(counts(draw), remainders(256));
    const two = (draw) => engine.prove(fisherYatesBy(draw), { n: 2 }).reports[0].evidence.counts;

    assert.deepEqual(two(() => (randomFillSync(new Uint16Array(1))[0] < 0x1000 ? 1 : 0)), ['1', '15']); // of a word, not of a byte
    for (const kind of [Uint32Array, BigUint64Array])
      assert.throws(() => counts((k) => Number(BigInt(randomFillSync(new kind(1))[0]) % BigInt(k))), { status: 'too large', message: /^randomFillSync/ });
    assert.throws(() => counts((k) => word(Uint32Array) % k), { status: 'too large', message: /32 bits cannot be proved/ });
    assert.throws(() => counts(() => { try { return word(Uint32Array) % 2; } catch { return 0; } }), { status: 'too large' });
    assert.throws(() => counts((k) => randomInt(k, () => {})), /with a callback cannot be proved/);
    assert.equal(namespace.default.randomInt, own);
    assert.equal(namespace.randomInt, own);
    assert.ok(word(Uint32Array) !== word(Uint32Array) || word(Uint32Array) !== word(Uint32Array)); // the sources draw again
  });

  for (const [signature, shuffle] of Object.entries(OTHER_ARGUMENTS))
    test(`${name}: ${signature} gets the items alone`, () => {
      const run = (...words) => engine.run(words, { functions: { './mine.js': shuffle } }).status;

      assert.equal(engine.gate(shuffle, { n: 4, max_bias: 0.05 }).gates[0].verdict, 'pass');
      assert.equal(engine.prove(shuffle, { n: 3 }).reports[0].verdict, 'uniform');
      assert.notEqual(engine.report(shuffle, { n: 4, samples: 20000, alpha: 1e-9 }).reports[0].verdict, 'biased');
      assert.equal(run('gate', '-n', '4', '--max-bias', '0.05', '--', './mine.js', '4'), 0);
      assert.equal(run('prove', '-n', '3', '--', './mine.js'), 0);
    });

  test(`${name}: a second argument that is asked for`, () => {
    const byDraw = (deck, draw) => fisherYatesBy(draw)(deck), byRng = (deck, rng) => fisherYatesBy((k) => Math.floor(rng() * k))(deck);

    for (const [argument, shuffle] of [['draw', byDraw], ['rng', byRng]]) {
      assert.equal(engine.prove(shuffle, { n: 3, argument }).reports[0].evidence.paths, argument === 'draw' ? 3 * 2 : 6 * 6); // LCM(1, 2, 3) cells
      assert.equal(engine.prove(shuffle, { n: 3, argument }).reports[0].verdict, 'uniform');
      assert.equal(engine.gate(shuffle, { n: 4, max_bias: 0.05, argument }).gates[0].verdict, 'pass');
      assert.equal(engine.gate((deck, ...rest) => { shuffle(deck, ...rest); assert.equal(rest.length, 1); }, { n: 4, max_bias: 0.05, argument }).gates[0].verdict, 'pass');
      assert.equal(engine.run(['prove', '--', './mine.js'], { functions: { './mine.js': shuffle }, argument }).status, 0);
      for (const call of ['gate', 'prove', 'report'])
        assert.throws(() => engine[call](shuffle, { n: 3 }), { name: 'TypeError', message: /^\w+ is not a function; the function has 2 parameters and got the items alone: `argument` adds 'draw' or 'rng'$/ });
    }
    assert.equal(engine.gate(naive, { n: 4, argument: 'draw' }).gates[0].verdict, 'fail');
    assert.equal(engine.prove(naive, { argument: 'draw' }).reports[0].evidence.counts.join(' '), '4 5 5 5 4 4');
    for (const argument of ['seed', null, true, 'toString'])
      assert.throws(() => engine.gate(naive, { argument }), { status: 'invalid', message: "`argument` must be 'draw' or 'rng'" });
    assert.throws(() => engine.gate(naive, { arguments: 'draw' }), { status: 'invalid', message: /unknown option 'arguments' .*, argument, format, progress\)$/ });
  });

  test(`${name}: a proof answers a copy of Math.random that was made after hold(), and outside of a proof the copy draws itself`, async () => {
    const own = await open(readFileSync(join(folder, name))), before = Math.random, kept = Object.getOwnPropertyDescriptor(Math, 'random');

    try {
      own.hold();
      const copy = Math.random, lodash = fisherYatesBy((k) => Math.floor(copy() * k));

      assert.equal(own.prove(lodash, { n: 3 }).reports[0].verdict, 'uniform');
      assert.equal(own.prove(lodash, { n: 3 }).reports[0].evidence.paths, 36);
      assert.equal(own.gate(lodash, { n: 4, max_bias: 0.05 }).gates[0].verdict, 'pass');
      assert.equal(own.answered(() => 0.25, () => copy() + Math.random()), 0.5);
      assert.notEqual(copy(), copy());
      assert.equal(Math.random, copy);
    } finally {
      Object.defineProperty(Math, 'random', kept);
    }
    assert.equal(Math.random, before);
  });

  test(`${name}: a function that cannot be repeated is accused of nothing that is not known`, () => {
    let calls = 0;
    const line = (shuffle) => {
      try {
        engine.prove(shuffle, { n: 3 });
      } catch (error) {
        assert.equal(error.status, 'subject');
        return error.message;
      }
    };
    const ownSource = line(fisherYatesBy((k) => Math.floor(ownRandom() * k)));
    const mixed = line((deck) => { fisherYatesBy((k) => randomInt(k))(deck); if (++calls % 10 === 0) deck.reverse(); });

    assert.match(ownSource, /it asks for no draw, but its decks differ, so it depends on something else, such as random numbers from another source/);
    assert.match(mixed, /the same answers do not lead to the same shuffle, so it depends on something else/);
    for (const text of [ownSource, mixed]) {
      assert.match(text, /; if the function copied Math.random when it was loaded, use a gate$/);
      assert.doesNotMatch(text, /clock/);
    }
  });

  test(`${name}: a function that returns a new array`, () => {
    const reversed = (deck) => deck.toReversed?.() ?? [...deck].reverse();

    assert.deepEqual(engine.prove(reversed, { n: 3, all_counts: true }).reports[0].evidence.counts, ['0', '0', '0', '0', '0', '1']);
  });

  test(`${name}: a function that returns a typed array, an iterator or a generator`, () => {
    const shuffled = (deck) => { fisherYates(deck); return deck; };
    const results = [(deck) => shuffled(Uint8Array.from(deck)), (deck) => new Set(shuffled([...deck])), (deck) => shuffled([...deck]).values(),
      function* (deck) { // draws while its items are read
        while (deck.length)
          yield deck.splice(Math.floor(Math.random() * deck.length), 1)[0];
      }];

    for (const shuffle of results) {
      assert.equal(engine.prove(shuffle, { n: 4 }).reports[0].verdict, 'uniform', String(shuffle));
      assert.equal(engine.gate(shuffle, { n: 4, max_bias: 0.05 }).gates[0].verdict, 'pass', String(shuffle));
    }
    for (const result of [true, 3, 'shuffled', {}]) // none of these has items
      assert.equal(engine.gate((deck) => { fisherYates(deck); return result; }, { n: 4, max_bias: 0.05 }).gates[0].verdict, 'pass');
    assert.throws(() => engine.gate(function* () { for (;;) yield 0; }), { status: 'subject', message: /returned 6 items of 5/ });
    assert.throws(() => engine.gate(async function* () {}), { status: 'subject', message: /returned a promise/ });
  });

  test(`${name}: a function that returns only the items that it deals`, () => {
    const hand = (deck) => { fisherYates(deck); return deck.slice(0, 2); };
    const unfair = (deck) => { naiveRandom(deck); return deck.slice(0, 2); };
    const whole = (deck) => { fisherYates(deck); };

    for (const shuffle of [hand, whole])
      assert.equal(engine.gate(shuffle, { n: 4, deal: 2, max_bias: 0.05 }).gates[0].verdict, 'pass');
    assert.equal(engine.gate(unfair, { n: 4, deal: 2, max_bias: 0.02 }).gates[0].verdict, 'fail');
    assert.equal(engine.report(hand, { n: 4, deal: 2, samples: 1000 }).reports[0].evidence.counts.length, 12); // 4 * 3
    assert.throws(() => engine.gate((deck) => deck.slice(0, 3), { n: 5, deal: 2 }), { status: 'subject', message: /3 items of 5: .* the 2 that it deals/ });
    assert.throws(() => engine.gate(() => [1, 1], { n: 4, deal: 2 }), { status: 'subject', message: /item 1 stands twice/ });
  });

  test(`${name}: gates on functions`, () => {
    // by chance, about one gate in a hundred rejects the law of the very shuffle: three do once in a million runs
    const sentences = [1, 2, 3].map(() => engine.gate(naiveRandom, { n: 4 }).gates[0]).map(({ verdict, details }) => {
      assert.equal(verdict, 'fail');
      return details;
    });
    const [fair] = engine.gate(fisherYates, { max_bias: 0.05 }).gates;

    assert.match(sentences.join(' '), /`naive`/);
    assert.equal(fair.verdict, 'pass');
    assert.match(engine.gate(fisherYates, { limit: 100, format: 'tap' }), /^TAP version/);
  });

  test(`${name}: a chained function gets its previous result`, () => {
    const before = [0, 1, 2, 3];
    const again = (shuffle) => (deck) => {
      assert.deepEqual(deck, before);
      shuffle(deck);
      before.splice(0, 4, ...deck);
    };
    const [gate] = engine.gate(again(naiveRandom), { n: 4, max_bias: 0.02, chained: true }).gates; // its steps are naive swaps

    assert.equal(gate.verdict, 'fail');
    before.sort();
    assert.equal(engine.report(again(naiveRandom), { n: 4, samples: 100000, chained: true }).reports[0].verdict, 'biased');
    before.sort();
    assert.equal(engine.gate(again(fisherYates), { n: 4, max_bias: 0.1, chained: true }).gates[0].verdict, 'pass');
  });

  test(`${name}: a report on a function`, () => {
    const [report] = engine.report(naiveRandom, { samples: 100000, name: 'mine' }).reports;

    assert.equal(report.subject.name, 'mine');
    assert.equal(report.verdict, 'biased');
    assert.equal(report.evidence.total, 100000);
  });

  test(`${name}: progress can stop the work`, () => {
    let calls = 0;
    const [gate] = engine.gate(fisherYates, { limit: 1e9, max_bias: 1e-5, progress: () => ++calls >= 3 }).gates;

    assert.equal(gate.verdict, 'inconclusive');
    assert.ok(calls >= 3 && calls < 10, `${calls} calls`); // the work may take a few more steps before it ends
    assert.equal(engine.run(['gate', 'fisher-yates', '--max-bias', '1e-5', '--limit', '1e9'], { progress: () => true }).status, 130);
  });

  test(`${name}: errors`, () => {
    const fault = (call, expected) => assert.throws(call, expected);

    fault(() => engine.gate(naive, { n: 3, exclud: 1 }), { status: 'invalid', message: /unknown option 'exclud'/ });
    fault(() => engine.gate(naive, { n: 'three' }), { status: 'invalid', message: /`n = three` must be a whole number/ });
    fault(() => engine.gate(naive, { seed: 3 }), { status: 'invalid', message: /`seed`: a function draws its own random numbers/ });
    fault(() => engine.gate(naive, { n: 2 ** 32 + 3 }), { status: 'too large' });
    fault(() => engine.gate(naive, { max_bias: 2 }), { status: 'invalid', message: /`max_bias/ });
    fault(() => engine.prove(naive, { n: 30 }), { status: 'invalid', message: /from 0 to 10/ });
    fault(() => engine.prove(() => [1, 1, 1]), { status: 'subject' });
    fault(() => engine.prove((deck) => deck.slice(1)), /2 items of 3/);
    fault(() => engine.prove(() => ['a', 'b', 'c']), /returned a/);
    fault(() => engine.prove((deck, draw) => draw(0), { argument: 'draw' }), RangeError);
    fault(() => engine.gate(naive, { n: 70000 }), { status: 'too large', message: /use n <= 65536/ });
    fault(() => engine.gate(naive, { n: 0 }), { status: 'invalid', message: /nothing to shuffle/ });
    fault(() => engine.gate(naive, { n: 1 }), { status: 'invalid', message: /only one order/ });
    for (const thing of [undefined, null, {}, 'shuffle'])
      fault(() => engine.gate(thing), { status: 'invalid', message: /is no shuffle: pass a function/ });
    for (const call of ['gate', 'prove', 'report'])
      fault(() => engine[call](async () => {}), { status: 'subject', message: /returned a promise/ });
    fault(() => engine.gate(() => { for (;;) Math.random(); }), { status: 'subject', message: /does the shuffle loop indefinitely/ });
    fault(() => engine.gate((deck, draw) => { for (;;) draw(3); }, { argument: 'draw' }), { status: 'subject', message: /does the shuffle loop indefinitely/ });
    fault(() => engine.prove(() => { for (;;) Math.random(); }), { status: 'subject', message: /dealt no deck/ });
    fault(() => engine.prove(fisherYatesBy((k) => Math.floor(ownRandom() * k))), { status: 'subject', message: /copied Math.random/ });
    fault(() => engine.prove(() => { throw new TypeError('mine'); }), { name: 'TypeError', message: 'mine' });
    fault(() => engine.gate(() => { throw new TypeError('mine'); }), { name: 'TypeError', message: 'mine' });
    for (const bound of [0, -1, 1.5, NaN, undefined]) // in a gate as in a proof
      fault(() => engine.gate((deck, draw) => { draw(bound); }, { argument: 'draw' }), RangeError);
    for (const [options, message] of [[null, /options must be an object/], [5, /options must be an object/], [{ n: [4] }, /`n` cannot be of the type object/],
      [{ name: 'a\0b' }, /`name` has the character/], [{ progress: 5 }, /`progress` must be a function/]])
      for (const call of ['gate', 'prove', 'report'])
        fault(() => engine[call](naive, options), { status: 'invalid', message });
    assert.equal(engine.prove(naive, { argument: 'draw' }).reports[0].verdict, 'biased'); // the engine works on
  });

  test(`${name}: command lines on functions`, () => {
    const functions = { './fair.js': fisherYates, './naive.js': naiveRandom };
    const run = (...words) => engine.run(words, { functions });

    assert.match(run('gate', '-n', '4', '--', './naive.js', '4').output, /^FAIL .*(`naive`|It matches none of the shuffles)/s); // about one name in a hundred is withheld
    assert.equal(run('gate', '-n', '4', '--max-bias', '0.05', '--', './fair.js', '4').status, 0);
    assert.equal(JSON.parse(run('prove', '--format', 'json', '--', './naive.js').output).reports[0].evidence.counts.join(' '), '4 5 5 5 4 4');
    assert.match(run('gate', '--', './nosuch.js').errors, /cannot run '.\/nosuch.js'/);
    assert.match(run('gate', '--', './fair.js', 'four').errors, /'four' is no number of items/);
  });

  test(`${name}: numbers of 64 bits`, () => {
    const exact = JSON.parse(engine.run(['report', 'naive', '-n', '10', '--by', 'exact', '--format', 'json']).output);

    assert.equal(exact.reports[0].evidence.denominator, String(10n ** 10n));
  });
}
