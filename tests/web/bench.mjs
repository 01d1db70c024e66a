// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the module is: node bench.mjs FOLDER [MODULE [NATIVE]]. FOLDER has the module and its host; MODULE is
// shufflebias.wasm or shufflebias-plain.wasm. The figures are processor time, the best of three runs. With NATIVE, the
// native program, each command line also runs there with one thread, alternating with the module.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, name = 'shufflebias.wasm', native] = process.argv.slice(2);
const { open } = await import(pathToFileURL(resolve(folder, 'shufflebias.mjs')));
const engine = await open(readFileSync(join(folder, name)));

/** Seconds of this process, and of a child with its children. */
function seconds(work) {
  const before = process.cpuUsage();

  work();
  return process.cpuUsage(before).user / 1e6;
}

function nativeSeconds(words) {
  const times = execFileSync('bash', ['-c', 'TIMEFORMAT=%U; { time "$@" >/dev/null 2>&1; } 2>&1', 'bash', native, ...words],
    { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });

  return Number(times);
}

/** The best of three runs, in seconds: of the module, and of the native program or NaN. */
function best(work, words) {
  const own = [], others = [];

  for (let i = 0; i < 3; i++) {
    own.push(seconds(work));
    if (native && words)
      others.push(nativeSeconds(words));
  }
  return [Math.min(...own), others.length ? Math.min(...others) : NaN];
}

function line(what, [own, other], unit, scale) {
  const show = (number) => (number * scale).toPrecision(3);

  console.log(`${what.padEnd(44)} ${show(own).padStart(9)} ${unit}` +
    (Number.isNaN(other) ? '' : `, native ${show(other)}, ratio ${(own / other).toFixed(1)}`));
}

/** A command line, in `unit`, per item of `count`. */
function command(what, words, count, unit, scale) {
  line(what, best(() => engine.run(words), [...words, '--threads', '1']).map((time) => time / count), unit, scale);
}

function fisherYates(deck) {
  for (let i = deck.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));

    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
}

function naive(deck, draw) {
  for (let i = 0; i < deck.length; i++) {
    const j = draw(deck.length);

    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
}

engine.run(['report', 'naive', '--samples', '1e5']); // node compiles the module in the background at first
for (const [n, samples] of [[3, 1e8], [5, 4e7], [8, 2e7], [52, 1e6]])
  command(`report naive -n ${n} --by sample`,
    ['report', 'naive', '-n', `${n}`, '--by', 'sample', '--samples', `${samples}`, '--format', 'json'], samples,
    'ns per shuffle', 1e9);
for (const n of [8, 9, 10])
  command(`report naive -n ${n} --by exact`,
    ['report', 'naive', '-n', `${n}`, '--by', 'exact', '--format', 'json'], 1, 's', 1);
for (const [n, limit] of [[3, 1e7], [52, 1e6]])
  line(`gate on a function, Fisher-Yates, n = ${n}`,
    best(() => engine.gate(fisherYates, { n, limit, max_bias: 1e-4 })).map((time) => 1 / (time / limit)), 'decks per second', 1);
for (const n of [6, 7])
  line(`prove a function, naive, n = ${n}`, best(() => engine.prove(naive, { n, argument: 'draw' })), 's', 1);
