// SPDX-License-Identifier: GPL-3.0-or-later
// The playground in Firefox, from a file and served: node --test firefox.mjs, with SHUFFLEBIAS_WEB (the folder with
// playground.html), SHUFFLEBIAS (the native program) and MODULES (node_modules with puppeteer-core, which
// tests/browser/install.sh installs). Without Firefox or the package, the test is skipped. playground.mjs tests more, in
// Chromium. Gates are random here: a wrong verdict has probability 1e-6 at most, and the test sees fewer than 30.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PATIENCE, patiently } from '../browser/patience.js';

const { SHUFFLEBIAS_WEB: web, SHUFFLEBIAS: program, MODULES: modules } = process.env;
const file = resolve(web, 'playground.html');
const firefox = spawnSync('sh', ['-c', 'command -v firefox-esr || command -v firefox'], { encoding: 'utf8' }).stdout.trim();
const found = existsSync(join(modules ?? '', 'puppeteer-core'));
const skip = firefox ? (found ? false : 'no puppeteer-core: run tests/browser/install.sh') : 'no Firefox';
const WAIT = { timeout: PATIENCE, polling: 50 }; // milliseconds

let browser, server, served, hits = 0;

before(async () => {
  if (skip)
    return;
  const puppeteer = createRequire(join(resolve(modules), 'x.js'))('puppeteer-core');

  browser = await patiently((timeout) => puppeteer.launch({
    browser: 'firefox', executablePath: firefox, headless: true, protocol: 'webDriverBiDi', timeout, protocolTimeout: PATIENCE,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
  }));
  server = createServer((request, response) => {
    hits++;
    response.writeHead(200, { 'content-type': 'text/html' }).end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  served = `http://127.0.0.1:${server.address().port}/`;
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections?.();
  server?.close();
});

/** A page that has found its first verdict, or waits for Run, with what it says and asks for. */
async function open(address) {
  const page = await browser.newPage(), said = [], asked = [];

  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address);
  await settled(page);
  return { page, said, asked };
}

const settled = (page) => page.waitForFunction(() => ['done', 'failed', 'waiting'].includes(document.body.dataset.state) && !app.run?.proving, WAIT);
const text = (page, selector) => page.$eval(selector, (one) => one.textContent);

/** Runs code of three cards as a user does; returns the shares of the exact law. */
async function run(page, code) {
  await page.$eval('#code', (box, typed) => {
    box.value = typed;
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }, code);
  await page.click('#run');
  await settled(page);
  return page.evaluate(() => Array.from(app.run.law?.shares ?? []));
}

/** The exact law of a scheme for n cards, from the native program. */
function native(scheme, n = 3) {
  const words = ['report', scheme, '-n', `${n}`, '--by', 'exact', '--format', 'json'];
  const { evidence } = JSON.parse(spawnSync(program, words, { encoding: 'utf8' }).stdout).reports[0];

  return evidence.counts.map((count) => count / evidence.denominator);
}

async function presets(page) {
  for (const { name, scheme } of await page.evaluate(() => PRESETS.map(({ name, scheme }) => ({ name, scheme })))) {
    await page.select('#preset', name);
    await page.click('#run');
    await settled(page);
    const law = await page.evaluate(() => app.run.law && { shares: Array.from(app.run.law.shares), left: app.run.law.left });

    assert.match(await text(page, '#gate-verdict'), /^(PASS|FAIL|INCONCLUSIVE)  ?[a-z]/, name);
    if (scheme && law.left === 0 && !['keys', 'deal'].includes(name))
      native(scheme).forEach((share, i) => assert.ok(Math.abs(law.shares[i] - share) < 1e-12, `${name}: ${law.shares}`));
  }
}

async function badCode(page) {
  for (const [code, line] of [
    ['function shuffle(a) { for (;;); }', /loop indefinitely/],
    ['function shuffle(a) { throw new Error("ouch"); }', /^Stopped: line 1 of your code: ouch$/],
    ['function shuffle(a) { a.pop(); }', /returned 2 items of 3/],
    ['function shuffle(a) { while (Math.random() < 2); }', /draw indefinitely/],
    ['function shuffle(a) {\n  b;\n}', /^Stopped: line 2 of your code: b is not defined$/],
    ['\nthis is English', /^Stopped: line 2 of your code: this is not JavaScript: /],
  ]) {
    await run(page, code);
    assert.match(await text(page, '#verdict'), line);
    assert.ok(!(await text(page, '#verdict')).includes('\n'));
  }
}

/** What docs/zoo.md says of this browser's sort by coin: with these cards it is insertion sort. */
async function ownSort(page) {
  for (const n of [3, 4]) {
    const { counts, denominator } = await page.evaluate((cards) => {
      const law = sortsLaw(cards);

      return { counts: Array.from(law.counts), denominator: law.denominator };
    }, n);

    assert.deepEqual(counts.map((count) => count / denominator), native('sort-insertion', n));
  }
}

async function stepperAndSlider(page) {
  await page.select('#preset', 'naive');
  await page.click('#run');
  await settled(page);
  for (const step of [1, 2, 3, 4, 5, 6]) {
    await page.click('.stepper button:nth-of-type(4)');
    assert.equal(await text(page, '#stepper .stepper-place'), `${step} of 6`);
    assert.deepEqual(await page.$$eval('#lines li', (lines) => lines.flatMap((line, i) => (line.classList.contains('lit') ? [i + 1] : []))), [step % 2 ? 3 : 4]);
  }
  assert.equal(await page.$$eval('#tree path.lit', (paths) => paths.length), 3);
  await page.click('.stepper button:nth-of-type(1)');
  for (const [draw, answer] of [2, 0, 1].entries()) { // as `explain naive --path 2,0,1` says
    await page.click(`#draws button:nth-of-type(${answer + 1})`);
    await page.waitForFunction((wanted) => document.querySelectorAll('#tree path.lit').length === wanted, WAIT, draw + 1);
  }
  assert.equal(await text(page, '#tree text.lit:not(.digit)'), '213');
  await page.click('#more button:nth-of-type(2)');
  await page.waitForFunction(() => document.getElementById('histogram-text').textContent.startsWith('102 results, 1 with'), WAIT);
  await page.focus('#n');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => app.run.n === 4, WAIT);
  await settled(page);
  assert.match(await text(page, '#verdict'), /^Exactly biased, 4 cards: 2143 comes up 41% too often/);
  await page.click('#compare-run');
  await page.waitForFunction(() => [...document.querySelectorAll('#compare figcaption')].map((one) => one.textContent).join() === 'exact,exact: each cell is fair,exact', WAIT);
}

for (const how of ['from a file', 'served'])
  test(`Firefox, ${how}: shuffles, bad code, stepper, slider and link, without output or requests`, { skip }, async () => {
    const before = hits, address = how === 'served' ? served : pathToFileURL(file).href;
    const { page, said, asked } = await open(address);

    if (how === 'from a file')
      await presets(page);
    if ((await browser.version()).startsWith('firefox/153'))
      await ownSort(page);
    await badCode(page);
    await stepperAndSlider(page);
    assert.deepEqual(await run(page, 'function shuffle(a) {\n  a.reverse(); // < & " # é\n}\n'), Array.from({ length: 24 }, (_, i) => Number(i === 23)));
    const link = page.url(), verdict = await text(page, '#verdict');

    assert.match(link, /#n=4&code=/);
    assert.deepEqual(asked.filter((url) => url.startsWith('http')), how === 'served' ? [address] : []); // blob: and data: stay here
    assert.equal(hits - before, how === 'served' ? 1 : 0);
    const other = await open(link);

    await other.page.click('#run'); // code of others does not run by itself
    await settled(other.page);
    assert.equal(await text(other.page, '#verdict'), verdict);
    assert.deepEqual([...said, ...other.said], []);
    await other.page.close();
    await page.close();
  });

test('Firefox: the animation of the first lesson', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shufflebias-lesson-')), page = await browser.newPage(), said = [];
  const lit = () => page.$$eval('#lines li', (lines) => lines.flatMap((line, i) => (line.classList.contains('lit') ? [i + 1] : [])));

  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  spawnSync(program, ['lesson', folder]);
  await page.goto(pathToFileURL(join(folder, 'three-cards.html')).href);
  await page.click('.reveal');
  for (const answer of [2, 0, 1]) {
    await page.click(`#draws button:nth-of-type(${answer + 1})`);
    assert.deepEqual(await lit(), [4]);
  }
  assert.equal(await text(page, '#tree text.lit:not(.digit)'), '213');
  await page.click('.animation .stepper button:nth-of-type(2)');
  assert.deepEqual(await lit(), [3]);
  await page.click('#more button:nth-of-type(3)');
  assert.match(await text(page, '#histogram-text'), /^10,001 results, 1 with draws that you chose\. /);
  assert.deepEqual(said, []);
  await page.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
