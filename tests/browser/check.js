// SPDX-License-Identifier: GPL-3.0-or-later
// Opens pages in Chromium and says in TAP what is wrong with them: check.js MODULES CHROMIUM FOLDER [PATTERN]
// With a pattern, only the cases whose titles match it.
'use strict';
const fs = require('fs');
const path = require('path');
const lessons = require('./lessons.js');

const [modules, executablePath, folder, pattern = ''] = process.argv.slice(2);
const { chromium } = require(path.join(modules, 'playwright-core'));
const axe = fs.readFileSync(path.join(modules, 'axe-core', 'axe.min.js'), 'utf8');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };
const OPENS_WITHIN = 1000; // milliseconds, of a page for 52 cards
const OPENS_TRIES = 8; // the quickest counts: others may be at work on this machine

const address = (name) => 'file://' + path.resolve(folder, name + '.html');
const expect = (right, ...said) => {
  if (!right) throw new Error(said.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' '));
};

// A page in a context of its own; what it complains of and asks for is kept in `said` and `asked`.
async function open(browser, name, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const said = [], asked = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address(name));
  return { page, said, asked, close: () => context.close() };
}

async function within(page) {
  const { wide, room } = await page.evaluate(() => {
    const root = document.documentElement;
    return { wide: root.scrollWidth, room: root.clientWidth };
  });
  expect(wide <= room, `${wide - room} pixels too wide`);
}

const UNFOLDED_MOST = 1500; // cells of tables that are looked at unfolded, too

// Folds or unfolds the tables; how many cells they have.
const fold = (page, open) => page.evaluate((unfold) => {
  document.querySelectorAll('details').forEach((one) => { one.open = unfold || one.hasAttribute('data-n'); });
  return document.querySelectorAll('details td').length;
}, open);

// That of every page: as it opens, and with all its tables unfolded.
async function sound(browser, name, options) {
  const { page, said, asked, close } = await open(browser, name, options);
  await within(page);
  const cells = await fold(page, true);
  await within(page);
  if (cells > UNFOLDED_MOST) await fold(page, false);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  expect(violations.length === 0, violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200)]));
  expect(said.length === 0, 'it said', said);
  expect(asked.length === 1, 'it asked for', asked);
  await close();
}

// For each order of the tree, how many paths are lit there.
const lit = (page) => page.$$eval('.figure.tree .order', (orders) => orders.map((order) =>
  [...order.querySelectorAll('.way')].filter((way) => getComputedStyle(way).stroke !== 'none').length));
const line = (page, figure) => page.$eval(`.figure.${figure} + .cell-text`, (one) => one.textContent);

async function tabTo(page, figure) {
  for (let i = 0; i !== 50; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((name) => document.activeElement.matches('.figure.' + name), figure)) return;
  }
  throw new Error(`the ${figure} is not reached by keys`);
}

const PATHS = [4, 5, 5, 5, 4, 4]; // of the naive swap to 123 132 213 231 312 321
const only = (order) => PATHS.map((paths, i) => (i === order ? paths : 0));

async function expectLit(page, order) {
  const found = await lit(page), wanted = order === null ? PATHS.map(() => 0) : only(order);
  expect(String(found) === String(wanted), 'lit are', found, 'and not', wanted);
}

async function clicks(browser, options) {
  const { page, close } = await open(browser, 'naive-3', options);
  const orders = await page.$$('.figure.tree .order text.head');
  await expectLit(page, null);
  for (let i = 0; i !== orders.length; i++) {
    await orders[i].click();
    await page.mouse.move(0, 0);
    await expectLit(page, i);
    expect((await line(page, 'tree')).includes(`: ${PATHS[i]} of 27 paths`), await line(page, 'tree'));
  }
  await close();
}

async function keys(browser, options) {
  const { page, close } = await open(browser, 'naive-3', options);
  await tabTo(page, 'tree');
  for (let i = 0; i !== PATHS.length; i++) {
    await expectLit(page, i);
    await page.keyboard.press('ArrowDown');
  }
  await tabTo(page, 'matrix');
  expect((await line(page, 'matrix')).startsWith('item 1 at 1: 33.333%'), await line(page, 'matrix'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  expect((await line(page, 'matrix')).startsWith('item 2 at 2: 29.630%'), await line(page, 'matrix'));
  await close();
}

async function hovers(browser, options) {
  const { page, close } = await open(browser, 'naive-3', options);
  await page.hover('.figure.matrix .cells path:nth-child(4)');
  expect(/^item 2 at 1: 37\.037%, seen 3[67]\.\d+%, z \+\d+\.\d, fair 33\.333%$/.test(await line(page, 'matrix')),
    await line(page, 'matrix'));
  await page.hover('.figure.tree .order:nth-child(2) text.head');
  await expectLit(page, 1);
  await close();
}

// Without a script, too, an order lights its paths, and the data are there.
async function unscripted(browser, options) {
  const { page, close } = await open(browser, 'naive-3', { ...options, javaScriptEnabled: false });
  await page.hover('.figure.tree .order:nth-child(5) text.head');
  await expectLit(page, 4);
  await page.click('.of-tree summary');
  expect(await page.isVisible('.tree-data'), 'the data stay folded up');
  await close();
}

async function quick(browser, name) {
  let least = Infinity;
  for (let i = 0; i !== OPENS_TRIES && least >= OPENS_WITHIN; i++) {
    const began = Date.now();
    const { page, close } = await open(browser, name, { viewport: SIZES.desktop });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
    least = Math.min(least, Date.now() - began);
    await close();
  }
  expect(least < OPENS_WITHIN, `it takes ${least} ms`);
  return least;
}

function cases() {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.html')).map((name) => name.slice(0, -5)).sort();
  const list = [];
  for (const name of names)
    for (const size of Object.keys(SIZES))
      for (const colorScheme of ['light', 'dark'])
        list.push([`${name}, ${size}, ${colorScheme}`, sound, name, { viewport: SIZES[size], colorScheme }]);
  for (const size of Object.keys(SIZES)) {
    const options = { viewport: SIZES[size] };
    list.push([`a click on an order lights its paths, ${size}`, clicks, options]);
    list.push([`keys reach orders and cells, ${size}`, keys, options]);
    list.push([`orders and cells under the pointer, ${size}`, hovers, options]);
    list.push([`no script is needed, ${size}`, unscripted, options]);
    for (const [title, run] of lessons.cases)
      list.push([`${title}, ${size}`, (on) => run(on, { open, expect }, options)]);
  }
  for (const name of names.filter((one) => one.endsWith('-52'))) list.push([`${name} opens in a second`, quick, name]);
  return list.filter(([title]) => new RegExp(pattern).test(title));
}

// How one goes, once that before it has gone.
async function attempt(before, run, ...rest) {
  await before;
  const began = Date.now();
  try {
    return { found: await run(...rest) || Date.now() - began };
  } catch (error) {
    return { error };
  }
}

const AT_ONCE = 2; // for as many cores

async function main() {
  const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
  const list = cases(), results = [];
  let failed = 0;
  for (const [index, [, run, ...rest]] of list.entries())
    results.push(attempt(results[index - AT_ONCE], run, browser, ...rest));
  console.log(`1..${list.length}`);
  for (const [index, [title]] of list.entries()) {
    const { found, error } = await results[index];
    console.log(error ? `not ok ${index + 1} - ${title}` : `ok ${index + 1} - ${title}: ${found} ms`);
    if (error) {
      failed++;
      console.log(String(error).replace(/^/gm, '# '));
    }
  }
  await browser.close();
  process.exitCode = failed ? 1 : 0;
}

main();
