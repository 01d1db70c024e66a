// SPDX-License-Identifier: GPL-3.0-or-later
// What the playground makes of code as people have it, in Chromium: node --test typed.mjs, with the environment of playground.mjs. Gates are random here: each wrong
// verdict has probability 1e-6 at most, and the test sees 12.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PATIENCE, patiently } from '../browser/patience.js';

const { SHUFFLEBIAS_WEB: web, SHUFFLEBIAS: program, MODULES: modules } = process.env;
const executablePath = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim();
const skip = executablePath && existsSync(join(modules ?? '', 'playwright-core')) ? false : 'no Chromium or no playwright-core: run tests/browser/install.sh';
const said = [];

let browser, page;

before(async () => {
  if (skip)
    return;
  const { chromium } = createRequire(join(resolve(modules), 'x.js'))('playwright-core');

  browser = await patiently((timeout) => chromium.launch({ executablePath, timeout, args: ['--no-sandbox', '--disable-gpu'] }));
  page = await browser.newPage({ reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE);
  for (const event of ['console', 'pageerror'])
    page.on(event, (message) => said.push(message));
  await page.goto(pathToFileURL(resolve(web, 'playground.html')).href);
});

after(() => browser?.close());

const settled = () => page.waitForFunction(() => ['done', 'failed'].includes(document.body.dataset.state) && !app.run.proving);
const text = (id) => page.textContent(`#${id}`);

/** Runs code of n cards. */
async function run(code, n) {
  await page.evaluate(([code, n]) => {
    document.getElementById('code').value = code;
    appSetN(n);
    appRun();
  }, [code, n]);
  await settled();
}

const LOOP = (random, bound = 'i + 1') => `for (let i = a.length - 1; i > 0; i--) { const j = Math.floor(${random}() * (${bound})); [a[i], a[j]] = [a[j], a[i]]; }`;

test('code as people have it: a right answer, or one line that says where and whose it is', { skip }, async () => {
  const fair = /^Exactly fair, 5 cards: each of the 120 orders is equally likely\.$/;

  await settled();
  for (const [code, line] of [
    [`export default function (a) { ${LOOP('Math.random')} }`, fair],
    [`export default function shuffle(a) { ${LOOP('Math.random')} }`, fair],
    [`module.exports = a => { ${LOOP('Math.random')} return a; };`, fair],
    [`const fisherYates = <T>(xs: T[]): T[] => {\n  const a: T[] = xs.slice();\n  ${LOOP('Math.random')}\n  return a;\n};`, fair],
    [`export const mix = (array: readonly string[], rng: () => number = Math.random) : string[] => {
      const a = [...array] as unknown as string[];
      let k: number = 0, kept!: Map<string, number>;
      for (let i: number = a.length - 1; i > 0 && k < 99; i--) {
        const j = Math.floor(rng() * (i + 1));
        [a[i], a[j]] = [a[j]!, a[i]!];
      }
      return a;
    };`, fair],
    [`function swap(a, i, j) { [a[i], a[j]] = [a[j], a[i]]; }
      function mix(a) { for (let i = a.length - 1; i > 0; i--) swap(a, i, Math.floor(Math.random() * (i + 1))); }`, fair],
    ['(a) => { const b = []; while (a.length) b.push(a.splice(draw(a.length), 1)[0]); return b; }', fair],
    ['function* shuffle(a) { while (a.length) yield a.splice(Math.floor(Math.random() * a.length), 1)[0]; }', fair],
    [`const { random: r } = Math;\nconst mix = (a) => { ${LOOP('r')} };\nexport { mix as shuffle };`, fair],
    [`var nativeFloor = Math.floor, nativeRandom = Math.random; // as lodash has it
      function baseRandom(lower, upper) { return lower + nativeFloor(nativeRandom() * (upper - lower + 1)); }
      function shuffleSelf(array) {
        var index = -1, length = array.length, lastIndex = length - 1;
        while (++index < length) {
          var rand = baseRandom(index, lastIndex), value = array[rand];
          array[rand] = array[index];
          array[index] = value;
        }
        return array;
      }`, fair],
    [`let r = Math.random;\nr = () => 0;\nfunction mix(a) { ${LOOP('r')} }`, /^Exactly biased, 5 cards: 23451 /],
    [`const mix = (a: number[]) => { ${LOOP('Math.random', 'a.length')} };`, /^Exactly biased, 5 cards: /],
    ['class Deck { shuffle() {} }', /^Stopped: a class is no shuffle: add a function/],
    ['async function shuffle(a) {}', /^Stopped: the shuffle returned a promise/],
    [' \n', /^Stopped: there is no code: write function shuffle/],
    ['import { shuffle } from "lodash";\nexport default shuffle;', /^Stopped: line 1 of your code: the page loads no modules\. Paste the function itself/],
    ['const { shuffle } = require("lodash");', /^Stopped: line 1 of your code: the page loads no modules/],
    ['const one = (a) => a;\nconst two = (a) => a;', /^Stopped: there are 2 functions, one, two: name the one to test shuffle$/],
    ['function shuffle(a) {\n  for (let i = 0; i < 3; i++ {\n  }\n}', /^Stopped: line 2 of your code: this is not JavaScript: /],
    ['\nenum Suit { Hearts }\nfunction shuffle(a: Suit[]) {}', /^Stopped: line 2 of your code: this is not JavaScript, even without types: /],
    ['function shuffle(a) {\n  const b = a.slice();\n  b.swap(0, 1);\n}', /^Stopped: line 3 of your code: b\.swap is not a function$/],
  ]) {
    await run(code, 5);
    assert.match(await text('verdict'), line, code);
  }
  assert.equal(await page.evaluate(() => new Promise((found) => { // not the fault of the code
    jobStart({ module: null, code: '', n: 3, job: 'prove' }, ({ error }) => found(error.split(':')[0]));
  })), 'this page has a fault, and not your code');
  assert.deepEqual(said, []);
});

test('the programs of the lessons have the laws of their shuffles', { skip }, async () => {
  for (const [name, scheme] of [['three-cards', 'naive'], ['riffles', 'riffle:1'], ['modulo', 'fisher-yates/modulo:3'], ['blind', 'rotate'], ['seed', null], ['comparator', null]]) {
    const lesson = readFileSync(new URL(`../../data/lessons/${name}.md`, import.meta.url), 'utf8');
    const [, n, code] = /<div class="program" data-n="(\d)">\n```\n([^]*?)```/.exec(lesson);

    await run(code, Number(n));
    const shares = await page.evaluate(() => Array.from(app.run.law.shares));

    if (scheme) {
      const { evidence } = JSON.parse(spawnSync(program, ['report', scheme, '-n', n, '--by', 'exact', '--format', 'json'], { encoding: 'utf8' }).stdout).reports[0];

      evidence.counts.forEach((count, i) => assert.ok(Math.abs(shares[i] - count / evidence.denominator) < 1e-12, `${name}: ${shares}`));
    }
    if (name === 'seed') // three bits
      assert.equal(shares.filter((share) => share > 0).length, 8);
    if (['three-cards', 'comparator'].includes(name))
      assert.ok(await page.evaluate((typed) => PRESETS.some((preset) => preset.code === typed), code));
  }
});

test('edited code greys the results until it runs or is as before', { skip }, async () => {
  await run(await page.evaluate(() => PRESETS[0].code), 3);
  const before = await text('verdict'), grey = () => page.evaluate(() => [document.body.className, $('stale').textContent]);

  await page.locator('#code').press('End');
  await page.keyboard.type(' ');
  assert.deepEqual(await grey(), ['stale', 'The code has changed: press Run.']);
  await page.keyboard.press('Backspace');
  assert.deepEqual(await grey(), ['', '']);
  assert.equal(await text('verdict'), before);
  await page.keyboard.type(' ');
  await page.click('#run');
  assert.deepEqual(await grey(), ['', '']);
  await settled();
});
