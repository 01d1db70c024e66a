// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the course that readers operate. Each case gets a browser, the tools of check.js and options for the page.
'use strict';

// What the course's sliders show: for each, the n of its visible figures.
const visible = (page) => page.$$eval('.slide', (slides) => slides.map((slide) =>
  [...new Set([...slide.querySelectorAll('[data-scheme]')].filter((one) => one.checkVisibility()).map((one) => one.dataset.n))]));

async function slides(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'three-cards', options);
  const input = page.locator('.slider input').first();

  expect(String(await visible(page)) === '3,3', 'at first', await visible(page));
  await input.focus();
  for (const n of ['4', '5', '6', '6']) {
    await page.keyboard.press('ArrowRight');
    expect(String(await visible(page)) === n + ',3', 'the keys show', await visible(page), 'and not', n);
    expect(await page.locator('.slider output').first().textContent() === n + ' cards', 'the number is not', n);
  }
  await page.keyboard.press('Home');
  expect(String(await visible(page)) === '3,3', 'Home shows', await visible(page));
  expect(await page.locator('.slide > details > summary').first().isVisible() === false, 'the folds are still there');
  expect(said.length === 0, 'it said', said);
  await close();
}

// Without a script, each n can be unfolded, and the usual n is open.
async function folds(browser, { open, expect }, options) {
  const { page, close } = await open(browser, 'three-cards', { ...options, javaScriptEnabled: false });

  expect(await page.locator('.slide').first().locator('[data-n="3"] .tree').first().isVisible(), 'three cards are folded');
  await page.locator('.slide > details > summary').nth(1).click();
  expect(await page.locator('.slide').first().locator('[data-n="4"] .bars').first().isVisible(), 'four cards stay folded');
  await close();
}

exports.cases = [['a slider shows the figures of one n', slides], ['figures unfold without a script', folds]];
