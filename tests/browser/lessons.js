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
  expect(await page.locator('main > h2').last().isVisible(), 'the text behind the question is folded');
  await close();
}

// The naive swap's path 2,0,1: the deck after each draw, and how many of the tree's paths are still open.
const DECKS = ['1 2 3', '3 2 1', '2 3 1', '2 1 3'], OPEN = [0, 9, 3, 1];

async function steps(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'three-cards', { ...options, reducedMotion: 'reduce' });
  const stepper = page.locator('.stepper').first();
  const state = async () => ({
    deck: (await stepper.locator('.stepper-cards li').allTextContents()).join(' '),
    lit: await page.$$eval('[data-scheme="naive"][data-n="3"] .way.lit', (ways) => ways.length),
  });
  const check = async (at, how) => {
    const { deck, lit } = await state();

    expect(deck === DECKS[at], how, 'shows', deck, 'and not', DECKS[at]);
    expect(lit === OPEN[at], how, 'lights', lit, 'paths, and not', OPEN[at]);
  };

  await check(0, 'at first it');
  for (const at of [1, 2, 3]) {
    await stepper.getByRole('button', { name: 'Forward' }).click();
    await check(at, 'Forward');
  }
  for (const at of [2, 1, 0]) {
    await page.keyboard.press('ArrowLeft');
    await check(at, 'the left arrow');
  }
  expect(await page.locator('.walk table').first().isVisible() === false, 'the table of steps is shown, too');
  expect(said.length === 0, 'it said', said);
  await close();
}

async function asks(browser, { open, expect }, options) {
  for (const name of ['three-cards', 'comparator', 'modulo', 'seed', 'riffles', 'how-many', 'blind']) {
    const { page, said, close } = await open(browser, name, options, true);
    const buttons = page.locator('.options button'), last = page.locator('main > h2').last(), answer = page.locator('.ask details');

    await buttons.first().click(); // a vote tells nothing
    expect(await page.locator('.feedback').textContent() === `Your choice: ${await buttons.first().textContent()}`, name, 'tells more than the choice');
    expect(await page.locator('.good, .bad').and(page.locator('button')).count() === 0, name, 'marks a choice');
    expect(!await last.isVisible() && !await answer.isVisible(), name, 'shows what follows the question');
    await page.emulateMedia({ media: 'print' });
    expect(await last.isVisible() && !await page.locator('.reveal').isVisible(), name, 'prints only the question');
    await page.emulateMedia({ media: 'screen' });
    await page.locator('.reveal').focus();
    await page.keyboard.press('Enter');
    expect(await last.isVisible() && await answer.locator('p').first().isVisible() && !await page.locator('.reveal').isVisible(), name, 'does not show the answer');
    expect(/^(Right|No)\. /.test(await page.locator('.feedback').textContent()), name, 'does not judge the choice');
    for (let i = 0; i !== await buttons.count(); i++) {
      const { right, why } = await page.locator('.options li').nth(i).evaluate((one) => ({ ...one.dataset }));

      await buttons.nth(i).focus();
      await page.keyboard.press('Enter');
      const feedback = await page.locator('.feedback').textContent();
      expect(feedback === `${right === 'yes' ? 'Right.' : 'No.'} ${why}`, name, 'answers', feedback);
      expect(await page.locator('.options [aria-pressed="true"]').count() === 1, name, 'has not one pressed button');
    }
    expect(said.length === 0, 'it said', said);
    await close();
  }
}

// The counts of the groups add up; chi-square is computed here again.
async function tallies(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'kit', options, true), counts = [12, 10, 9, 14, 11, 8], total = 64;
  const rows = page.locator('.tally tbody tr'), shares = [4, 5, 5, 5, 4, 4].map((paths) => paths / 27);
  const square = (law) => counts.reduce((sum, count, i) => sum + (count - total * law[i]) ** 2 / (total * law[i]), 0).toFixed(2);

  for (const [i, count] of counts.entries()) {
    await rows.nth(i).getByLabel('group 2').fill(String(count - 3));
    await rows.nth(i).getByLabel('group 8').fill('3');
  }
  expect(String(await rows.locator('.sum').allTextContents()) === String(counts), 'the sums are wrong');
  expect(String(await rows.locator('.share').allTextContents()) === String(counts.map((count) => `${(100 * count / total).toFixed(1)}%`)), 'the shares are wrong');
  expect(/ from the fair shares\.$/.test(await page.locator('.feedback').textContent()), 'it tells the answer');
  expect(!await page.locator('.exact').first().isVisible(), 'it shows the answer');
  await page.locator('.reveal').click();
  expect(await page.locator('.exact').first().isVisible(), 'it keeps the answer');
  const line = await page.locator('.feedback').textContent(), [fair, naive] = [square(Array(6).fill(1 / 6)), square(shares)];
  expect(line === `64 shuffles. Chi-square is ${fair} from the fair shares, and ${naive} from those of the naive swap.`, line);
  expect(said.length === 0, 'it said', said);
  await close();
}

// A program's link carries its code to the playground, as link.js reads it.
async function plays(browser, { open, expect }, options) {
  for (const name of ['three-cards', 'comparator', 'modulo', 'seed', 'riffles', 'blind']) {
    const { page, close } = await open(browser, name, options), play = page.locator('.play'), link = await play.locator('a').getAttribute('href');
    const [file, hash] = link.split('#'), fields = new URLSearchParams(hash);

    expect(file === 'playground.html' && fields.get('n') === await play.getAttribute('data-n'), name, link);
    expect(fields.get('code') === await play.locator('code').textContent(), name, 'has another code in its link');
    await close();
  }
}

// The questions fit on one sheet of paper, and the answers on another, so that a teacher can print one without the other.
async function prints(browser, { open, expect }, options) {
  const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' };

  for (const [name, most] of [['worksheet', 2], ['kit', 4]]) {
    const { page, close } = await open(browser, name, options);

    for (const format of ['A4', 'Letter']) {
      const sheets = (await page.pdf({ format, margin })).toString('latin1').match(/\/Type\s*\/Page\b/g).length;

      expect(sheets === most, name, format, 'takes', sheets, 'sheets');
    }
    await close();
  }
}

exports.cases = [['the worksheet takes two sheets, and the class kit four', prints], ['a tally adds up', tallies], ['programs open in the playground', plays], ['questions answer', asks], ['the stepper moves and lights paths', steps], ['a slider shows the figures of one n', slides], ['figures unfold without a script', folds]];
