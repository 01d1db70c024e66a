// SPDX-License-Identifier: GPL-3.0-or-later
// Opens pages in Chromium and says in TAP what is wrong with them: check.js MODULES CHROMIUM FOLDER [PATTERN]
// With a pattern, only the cases whose titles match it.
'use strict';
const fs = require('fs');
const path = require('path');
const layout = require('./layout.js');
const lessons = require('./lessons.js');
const { PATIENCE, patiently, slowness } = require('./patience.js');

const [modules, executablePath, folder, pattern = ''] = process.argv.slice(2);
const { chromium } = require(path.join(modules, 'playwright-core'));
const axe = fs.readFileSync(path.join(modules, 'axe-core', 'axe.min.js'), 'utf8');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };
const OPENS_WITHIN = 1000; // milliseconds of a machine that is not busy, of a page for 52 cards
const OPENS_TRIES = 20; // the quickest counts

const address = (name) => 'file://' + path.resolve(folder, name + '.html');
const expect = (right, ...said) => {
  if (!right) throw new Error(said.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' '));
};

// A page in a context of its own; what it complains of and asks for is kept in `said` and `asked`. Unless it is to wait, it shows the answer to its question.
async function open(browser, name, options, wait = false) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const said = [], asked = [];
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address(name));
  const reveal = wait ? null : await page.$('.reveal');
  if (reveal) {
    await reveal.click();
    await page.evaluate(() => {
      document.activeElement.blur();
      scrollTo(0, 0);
    });
  }
  return { page, said, asked, close: () => context.close() };
}

async function within(page) {
  const { wide, room } = await page.evaluate(() => {
    const root = document.documentElement;
    return { wide: root.scrollWidth, room: root.clientWidth };
  });
  expect(wide <= room, `${wide - room} pixels too wide`);
}

const LINE_MOST = 70; // characters of text
const TEXT_LEAST = 12; // pixels, in figures
const CONTRAST_LEAST = 3; // of strokes and bars with the page: WCAG 2.2, 1.4.11

// Runs on the page: the longest line of text, the smallest text of a figure, the least contrast of a figure's shape.
function looks() {
  const longest = { length: 0, text: '' }, smallest = { pixels: Infinity, text: '' }, faintest = { contrast: Infinity, shape: '' };
  const measure = (text) => {
    if (text.trim().length > longest.length) Object.assign(longest, { length: text.trim().length, text: text.trim() });
  };
  const range = document.createRange();
  for (const block of document.querySelectorAll('h1, h2, p, li, dd, figcaption')) {
    const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    let bottom = null, text = '';
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.parentElement.closest('pre, .wide, .steps')) continue; // .steps is a legend
      for (let i = 0; i !== node.length; i++) {
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const box = range.getClientRects()[0];
        if (!box || !box.width) continue;
        if (bottom !== null && Math.abs(box.bottom - bottom) > 8) {
          measure(text);
          text = '';
        }
        if (text === '') bottom = box.bottom;
        text += node.data[i];
      }
    }
    measure(text);
  }
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((part) => part / 255).map((part) =>
      part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = luminance(getComputedStyle(document.body).backgroundColor);
  const shapes = [['.branches', 'stroke'], ['.flow', 'stroke'], ['.trace', 'stroke'], ['.mark', 'stroke'], ['.whisker', 'stroke'],
    ['.bars .o3', 'fill'], ['.bars .u3', 'fill'], ['.bars .within', 'fill'], ['.dot', 'fill'], ['.observed', 'fill'], ['.tree .bar', 'fill']];
  for (const [shape, property] of shapes)
    for (const element of document.querySelectorAll(shape)) {
      const ink = luminance(getComputedStyle(element)[property]);
      const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      if (faintest.contrast > contrast) Object.assign(faintest, { contrast, shape });
    }
  for (const svg of document.querySelectorAll('svg.figure')) {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    for (const text of svg.querySelectorAll('text')) {
      const pixels = scale * parseFloat(getComputedStyle(text).fontSize);
      if (smallest.pixels > pixels) Object.assign(smallest, { pixels, text: svg.getAttribute('class') + ': ' + text.textContent });
    }
  }
  return { longest, smallest, faintest };
}

async function legible(page) {
  const { longest, smallest, faintest } = await page.evaluate(looks);
  expect(longest.length <= LINE_MOST, 'a line is too long', longest);
  expect(smallest.pixels >= TEXT_LEAST, 'a text is too small', smallest);
  expect(faintest.contrast >= CONTRAST_LEAST, 'a shape is too faint', faintest);
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
  await legible(page);
  const wrong = await layout.glance(page);
  expect(wrong.length === 0, wrong.slice(0, 10));
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

// A term shows its explanation under the pointer, with the focus and at a tap, and never widens the page.
async function terms(browser, options) {
  const { page, close } = await open(browser, 'three-cards', { ...options, hasTouch: true });
  const explains = async (term, show) => {
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.activeElement.blur());
    await term[show]();
    const after = page.waitForFunction((one) => getComputedStyle(one, '::after').content !== 'none',
      await term.elementHandle(), { timeout: 30000 });

    return after.then(() => true, () => false);
  };
  const count = await page.locator('.term').count();
  expect(count > 0, 'the page explains no term');
  // Taps come last, because Chromium may ignore where the pointer is for a while after a tap.
  for (const show of ['hover', 'focus', 'tap'])
    for (let i = 0; i !== count; i++) {
      expect(await explains(page.locator('.term').nth(i), show), `${show} does not explain term ${i}`);
      await within(page);
    }
  await close();
}

// A table says that it scrolls exactly if it does.
async function scrolls(browser, options) {
  const { page, close } = await open(browser, 'fail', options);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
  const wrong = await page.$$eval('.wide', (all) => all.filter((wide) => !wide.closest('details:not([open])')).filter((wide) =>
    (wide.scrollWidth > wide.clientWidth) !== (getComputedStyle(wide, '::before').content !== 'none')).length);
  expect(wrong === 0, `${wrong} tables are wrong`);
  if (options.viewport === SIZES.phone) expect(await page.$('.scrolls'), 'no table scrolls on a phone');
  await close();
}

// Paper has no hints for a screen, and the tables are as wide as they are.
async function prints(browser, name) {
  const { page, close } = await open(browser, name, { viewport: { width: 680, height: 900 } });
  await page.emulateMedia({ media: 'print' });
  const hints = await page.$$eval('.cell-text, .screen, .course, details:not([open])', (all) =>
    all.filter((one) => one.getClientRects().length).length);
  expect(hints === 0, `${hints} hints for a screen`);
  const lost = await layout.paper(page);
  expect(lost.length === 0, lost.slice(0, 10));
  await within(page);
  await close();
}

async function quick(browser, name) {
  let least = Infinity;
  for (let i = 0; i !== OPENS_TRIES && least >= OPENS_WITHIN; i++) {
    const began = Date.now();
    const { page, close } = await open(browser, name, { viewport: SIZES.desktop });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
    const took = Date.now() - began;
    least = Math.min(least, Math.round(took / await slowness(page)));
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
    list.push([`terms are explained, ${size}`, terms, options]);
    list.push([`tables say that they scroll, ${size}`, scrolls, options]);
  }
  for (const name of names.filter((one) => !one.startsWith('all'))) list.push([`${name} prints`, prints, name]);
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
  const browser = await patiently((timeout) => chromium.launch({ executablePath, headless: true, timeout, args: FLAGS }));
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
