// SPDX-License-Identifier: GPL-3.0-or-later
// The npm package, installed from its tarball into an empty folder: node --test package.mjs, with SHUFFLEBIAS_BUILD, whose
// folder web has the tarball and whose folder npm has the packages of tests/web/npm/install.sh.
//
// A gate of a fair shuffle fails with probability 1e-9 at most. A gate of the naive swap at n = 4 and max_bias = 0.05 passes
// with probability 1e-6 at most, because its total variation from fair is above 0.05.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, show } from './chromium.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = resolve(process.env.SHUFFLEBIAS_BUILD);
const web = join(build, 'web'), tools = join(build, 'npm/node_modules'), project = join(build, 'npm/project');
const [tarball] = readdirSync(web).filter((name) => /^shufflebias-.*\.tgz$/.test(name));

rmSync(project, { recursive: true, force: true });
cpSync(join(root, 'tests/web/npm/project'), project, { recursive: true });
writeFileSync(join(project, 'package.json'), '{}');
writeFileSync(join(project, 'vitest/shuffle.js'), "export { shuffle } from 'lodash';\n");
for (const [name, label] of [['src/web/npm/README.md', 'js'], ['docs/web.md', 'javascript']]) { // the test that each page begins with
  const [, program] = new RegExp(`^\`\`\`${label}\\n(.*?)^\`\`\`$`, 'ms').exec(readFileSync(join(root, name), 'utf8'));

  writeFileSync(join(project, `vitest/${label}.test.mjs`), program);
}
execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', join(web, tarball)], { cwd: project, stdio: 'pipe' });

const require = createRequire(join(project, 'index.js'));
const installed = join(project, 'node_modules/shufflebias');
const { deal, gate, prove, report, run } = await import(pathToFileURL(join(installed, 'index.mjs')));

/** Runs a program of node in the project; returns its exit status and all that it wrote. */
function node(words, options = {}) {
  const { NODE_TEST_CONTEXT, ...env } = process.env; // which keeps node:test from running in a test
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 24, env: { ...env, NO_COLOR: '1' }, ...options });

  return { status, text: stdout + stderr };
}

// The shuffles are random here, and about one name in a hundred is withheld, or is one of a list without a cause.
const NAME = "(It looks like .*Cause: .*Fix: this is fair:\n|It may be |It matches no shuffle)";
const FAILURE = new RegExp(`FAIL  the shuffle is not fair: .*${NAME}`, 's');

test('node:test', () => {
  const { status, text } = node(['--test', '--test-reporter=tap', 'node/shuffles.test.mjs']);

  assert.equal(status, 1, text);
  assert.match(text, /^ *ok 1 - lodash$/m);
  assert.match(text, /^ *ok 2 - a part of an array$/m);
  assert.match(text, /^ *ok 3 - an argument that is asked for$/m);
  assert.match(text, /^ *not ok 4 - the naive swap$/m);
  assert.match(text.replace(/^ +$/gm, '').replace(/^ {4,8}(?=\S)/gm, ''), FAILURE);
});

test('Vitest', () => {
  const { status, text } = node([join(tools, 'vitest/vitest.mjs'), 'run', '--config', 'vitest/vitest.config.mjs', '--root', '.', '--dir', 'vitest', '--reporter=verbose']);

  assert.equal(status, 1, text);
  for (const page of ['js', 'javascript'])
    assert.match(text, new RegExp(`✓ .*${page}.test.mjs > the shuffle is fair`));
  for (const name of ['lodash', 'a part of an array', 'an argument that is asked for'])
    assert.match(text, new RegExp(`✓ .*${name}`), text);
  assert.match(text, /✓ .*the naive swap is not fair/);
  for (const name of ['the naive swap', 'no verdict', 'gsap', 'deck'])
    assert.match(text, new RegExp(`× .*${name} `), text);
  assert.match(text, FAILURE);
  assert.match(text, /> no verdict\nError: INCONCLUSIVE {2}.*after 50 shuffles/);
  assert.match(text, /> gsap\nError: FAIL .*(`sort-\w.*, comparing by coin\)|It matches no shuffle)/s);
  assert.match(text, /> deck\nError: FAIL .*(`sattolo` \(Sattolo's algorithm: a random cycle\)|It matches no shuffle)/s);
});

test('Jest', () => {
  const { status, text } = node([join(tools, 'jest/bin/jest.js'), '--config', 'jest/config.json']);

  assert.equal(status, 1, text);
  for (const name of ['lodash', 'a part of an array', 'an argument that is asked for'])
    assert.match(text, new RegExp(`✓ ${name}`), text);
  assert.match(text, /✕ the naive swap/);
  assert.match(text, /✓ the naive swap is not fair/);
  assert.match(text.replace(/^ {4}/gm, ''), FAILURE);
});

test('types', () => {
  const { status, text } = node([join(tools, 'typescript/bin/tsc'), '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', 'types.mts']);

  assert.equal(status, 0, text);
});

test('a bundle for browsers and a bundle for node run without the package', () => {
  const folder = mkdtempSync(join(build, 'npm/bundle-')); // node_modules of `project` is not found from here

  try {
    for (const [platform, format] of [['browser', 'esm'], ['node', 'cjs']]) {
      const file = join(folder, `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`);
      const { status, text } = node([join(tools, 'esbuild/bin/esbuild'), 'bundled.mjs', '--bundle', `--format=${format}`, `--platform=${platform}`, '--target=es2020', `--outfile=${file}`]);

      assert.equal(status, 0, text);
      assert.equal(node([file], { cwd: folder }).text, '4 5 5 5 4 4\n');
    }
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 20 });
  }
});

test('a bundle in a browser', { skip: chromium ? false : 'there is no Chromium' }, async () => {
  const { text } = node([join(tools, 'esbuild/bin/esbuild'), 'bundled.mjs', '--bundle', '--format=iife', '--target=es2020', '--log-level=error']);
  const report = "console.log = (text) => fetch('/shown', { method: 'POST', body: text });";

  assert.equal(await show({ 'index.html': `<!doctype html><meta charset="utf-8"><script>${report}</script><script src="bundle.js"></script>`, 'bundle.js': text }), '4 5 5 5 4 4');
});

test('the calls, as an ES module and as CommonJS', () => {
  const { drawn, naive, part } = require('./subjects.cjs'), lodash = require('lodash');

  for (const calls of [{ deal, gate, prove, report, run }, require('shufflebias')]) {
    assert.equal(calls.prove(naive).evidence.counts.join(' '), '4 5 5 5 4 4');
    assert.equal(calls.gate(naive, { n: 4 }).verdict, 'fail');
    assert.match(calls.gate(naive, { n: 4, format: 'text' }), /^FAIL {2}the/);
    assert.equal(calls.report(naive, { samples: 100000 }).evidence.total, 100000);
    assert.equal(calls.deal('fisher-yates', { n: 4, samples: 2, seed: 1 }).length, 2);
    assert.deepEqual(calls.deal('naive', { n: 1, samples: 2 }), [[0], [0]]);
    assert.deepEqual(calls.deal('naive', { n: 0, samples: 2 }), [[], []]);
    assert.match(calls.run(['explain', 'naive']).output, /^naive explained/);
    assert.equal(calls.prove((deck) => { deck.unshift(...deck.splice(randomInt(3), 1)); }).evidence.denominator, '3');
    assert.deepEqual(calls.deal(null, { fair: 'cycle', n: 2, samples: 2 }), [[1, 0], [1, 0]]);
    assert.throws(() => calls.deal('nosuch'), { status: 'invalid', message: /^unknown shuffle 'nosuch'/ });
    assert.throws(() => calls.deal('--help'), { status: 'invalid', message: /^'--help' is no shuffle/ });
    assert.throws(() => calls.deal('naive', null), { status: 'invalid', message: /options must be an object/ });
    assert.throws(() => calls.deal('naive', { m: 1 }), { status: 'invalid', message: /unknown option 'm'/ });
    assert.equal(calls.gate(part, { n: 4, max_bias: 0.05 }).verdict, 'pass');
    assert.equal(calls.report(drawn, { samples: 100, argument: 'draw' }).evidence.total, 100);
    for (const [shuffle, options] of [[part, {}], [drawn, { argument: 'draw' }]])
      assert.equal(calls.prove(shuffle, { n: 3, ...options }).verdict, 'uniform');
    assert.throws(() => calls.gate(naive, { argument: 'seed' }), { status: 'invalid', message: "`argument` must be 'draw' or 'rng'" });
    assert.throws(() => calls.prove(lodash.shuffle), { status: 'subject', message: /copied Math.random when it was loaded, use a gate/ });
  }
});

const own = readFileSync(join(root, 'src/web/npm/README.md'), 'utf8');

test('the examples of the README', () => {
  const blocks = (kind) => [...own.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1]).slice(1); // the first is a test
  const programs = blocks('js'), outputs = blocks('text');

  assert.equal(programs.length, 2);
  programs.forEach((program, i) => {
    writeFileSync(join(project, 'readme.mjs'), program);
    assert.equal(node(['readme.mjs']).text, outputs[i]);
  });
});

/** Modules that the command line gets, and what it answers: an exit status and a line. */
const MODULES = {
  'fair.mjs': ['export default (deck) => { for (let i = deck.length; i-- > 1;) { const j = Math.floor(Math.random() * (i + 1)); [deck[i], deck[j]] = [deck[j], deck[i]]; } };', 0, /^PASS {2}bias/],
  'part.mjs': ['export { part as shuffle } from "./subjects.cjs";', 0, /^PASS {2}bias/],
  'drawn.mjs': ['export { drawn as default } from "./subjects.cjs";', 4, /^shufflebias gate: TypeError: draw is not a function; the function has 2 parameters and got the items alone: .*\n$/],
  'coin.cjs': ['exports.shuffle = (deck) => deck.sort(() => Math.random() - 0.5);', 1, /^FAIL {2}.*comparing\s+by\s+coin/s],
  'throws.mjs': ['export default () => { throw new TypeError("mine"); };', 4, /^shufflebias gate: TypeError: mine\n$/],
  'loses.mjs': ['export default (deck) => { deck.pop(); };', 4, /^shufflebias gate: the shuffle returned 3 items of 4\n$/],
  'twice.mjs': ['export default (deck) => { deck[0] = deck[1]; };', 4, /^shufflebias gate: twice.mjs, shuffle 1: item 1 stands twice.*\n$/],
  'waits.mjs': ['export default async () => {};', 4, /^shufflebias gate: the shuffle returned a promise: .*\n$/],
  'loops.mjs': ['export default () => { for (;;) Math.random(); };', 4, /^shufflebias gate: no deck after \d+ draws: .*\n$/],
  'none.mjs': ['export const other = 1;', 2, /^shufflebias gate: 'none.mjs' exports no function: .*\n$/],
  'syntax.mjs': ['no module', 2, /^shufflebias gate: cannot load 'syntax.mjs': .*\n$/],
};

const command = (...words) => node([join(installed, 'bin/shufflebias.mjs'), ...words]);

test('the command line on modules', () => {
  for (const [name, [text, status, expected]] of Object.entries(MODULES)) {
    writeFileSync(join(project, name), text);
    const answer = command('gate', '-n', '4', '--max-bias', '0.05', name);

    assert.match(answer.text, expected);
    assert.equal(answer.status, status, name);
  }
  assert.match(command('prove', 'coin.cjs').text, /n = 3\n.*coin\.cjs/s);
  for (const words of [['--argument', 'draw', 'drawn.mjs'], ['drawn.mjs', '--argument=draw']])
    assert.match(command('prove', ...words).text, /^Verdict: uniform. Each of the 6 orders is equally likely/m);
  assert.match(command('gate', '--argument', 'seed', 'drawn.mjs').text, /^shufflebias gate: --argument: 'seed' is no second argument: use draw or rng\n$/);
  assert.match(command('gate', 'drawn.mjs', '--argument').text, /^shufflebias gate: --argument: '' is no second argument: use draw or rng\n$/);
  assert.match(command('gate', '--argument', 'draw', 'naive').text, /^shufflebias gate: --argument: it is for the function of a module: .*\n$/);
  writeFileSync(join(project, 'copies.mjs'), "import lodash from 'lodash';\nexport default lodash.shuffle;\n"); // of Math.random, when it is loaded
  assert.match(command('prove', 'copies.mjs').text, /^Verdict: uniform. Each of the 6 orders is equally likely/m);
  assert.match(command('gate', 'nosuch.mjs').text, /^shufflebias gate: cannot load 'nosuch.mjs': .*\n$/);
  for (const [n, line] of [['0', /only one order/], ['1', /only one order/], ['70000', /use 2 to 65536/]])
    assert.match(command('gate', '-n', n, 'fair.mjs').text, line);
  for (const option of ['--chained', '--deal=2'])
    assert.match(command('gate', '-n', '4', '--max-bias', '0.2', option, 'fair.mjs').text, /^PASS {2}bias/);
  for (const words of [['--input', 'u8'], ['--base', '0']])
    assert.match(command('gate', '-n', '4', ...words, 'fair.mjs').text, /^shufflebias gate: fair.mjs: how a stream is read does not go with a function\n$/);
  for (const name of ['explain', 'odds', 'plan'])
    assert.match(command(name, 'fair.mjs').text, /'fair.mjs' is a module: use gate, prove, report\n$/);
  assert.match(command('gate', '--', 'node', 'fair.mjs').text, /^shufflebias gate: cannot run 'node': .*name a JavaScript module.*\n$/);
  assert.match(command('gate', 'fair.mjs', '--max-bais', '3').text, /^shufflebias gate: --max-bais: unknown option: did you mean --max-bias\? .*\n$/);
});

test('the command line and files', () => {
  const decks = command('deal', 'fisher-yates', '-n', '3', '--samples', '20000').text;

  mkdirSync(join(project, 'out'), { recursive: true });
  writeFileSync(join(project, 'decks.txt'), decks);
  writeFileSync(join(project, 'suite.json'), JSON.stringify([{ name: 'fair', command: ['./fair.mjs', '4'], max_bias: 0.1 }, { name: 'recorded', file: 'decks.txt', max_bias: 0.1 }]));
  assert.match(command('gate', 'decks.txt', '--max-bias', '0.1').text, /^PASS/);
  const input = node([join(installed, 'bin/shufflebias.mjs'), 'gate', '-', '--max-bias', '0.1'], { input: decks });

  assert.match(input.text, /^PASS/);
  assert.equal(command('gate', '--suite', 'suite.json', '--export', 'json:out/gate.json', '-o', join(project, 'out/gate.txt')).status, 0);
  assert.equal(JSON.parse(readFileSync(join(project, 'out/gate.json'))).gates.length, 2);
  assert.match(readFileSync(join(project, 'out/gate.txt'), 'utf8'), /^PASS/);
  assert.deepEqual(readdirSync(join(project, 'out')).sort(), ['gate.json', 'gate.txt']);
  assert.equal(command('gate', 'naive', '-o', '/nosuch/file').status, 4);
  assert.match(command('gate', 'naive', '--save', 'run.json').text, /use the native program\n$/);
  assert.ok(!existsSync(join(project, 'run.json')));
});

test('the defaults are those of the native program', () => {
  function own(fair) { // with the draws of Park and Miller's generator, as in tests/python/same.py
    let state = 1;

    return (deck) => {
      for (let i = deck.length - 1; i >= 0; i--) {
        state = state * 16807 % 2147483647;
        const j = state % (fair ? i + 1 : deck.length);

        [deck[i], deck[j]] = [deck[j], deck[i]];
      }
      return deck;
    };
  }
  for (const [fair, verdict] of [[false, 'fail'], [true, 'pass']]) {
    const shuffle = own(fair);
    const input = Array.from({ length: 200000 }, () => shuffle([0, 1, 2, 3, 4]).map((item) => item + 1).join(' ')).join('\n');
    const [native] = JSON.parse(spawnSync(join(build, 'shufflebias'), ['gate', '-', '--quiet', '--format', 'json'], { input, maxBuffer: 2 ** 24 }).stdout).gates;
    const found = gate(own(fair));

    assert.equal(found.verdict, verdict);
    assert.deepEqual([found.n, found.verdict, found.total, found.sentence, found.terms], [native.n, native.verdict, native.total, native.sentence, native.terms]);
  }
  const said = (text) => JSON.parse(text).gates.map(({ n, verdict, total, sentence, terms }) => ({ n, verdict, total, sentence, terms }));
  const words = ['gate', 'naive', '--quiet', '--format', 'json'];

  assert.deepEqual(said(command(...words).text), said(spawnSync(join(build, 'shufflebias'), words).stdout));
});

test('the tarball', () => {
  const description = JSON.parse(readFileSync(join(installed, 'package.json')));

  assert.match(readFileSync(join(root, 'meson.build'), 'utf8'), new RegExp(`version: '${description.version.replaceAll('.', '\\.')}'`));
  assert.equal(description.dependencies, undefined);
  assert.equal(description.scripts, undefined);
  assert.equal(readFileSync(join(installed, 'COPYING'), 'utf8'), readFileSync(join(root, 'COPYING'), 'utf8'));
  for (const [kind, name] of Object.entries(description.exports['.'].import))
    assert.ok(existsSync(join(installed, name)), kind);
});
