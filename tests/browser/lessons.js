// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the course that readers operate. Each case gets a browser, the tools of check.js and options for the page.
'use strict';

// What the course's sliders show: for each, the n of its visible figures.
const visible = (page) => page.$$eval('.slide:not(.tiles)', (slides) => slides.map((slide) =>
  [...new Set([...slide.querySelectorAll('[data-scheme]')].filter((one) => one.checkVisibility()).map((one) => one.dataset.n))]));

async function slides(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'three-cards', options);
  const input = page.locator('.slider:has(+ .slide) input').first();

  expect(String(await visible(page)) === '3,3', 'at first', await visible(page));
  await input.focus();
  for (const n of ['4', '5', '6', '6']) {
    await page.keyboard.press('ArrowRight');
    expect(String(await visible(page)) === n + ',3', 'the keys show', await visible(page), 'and not', n);
    expect(await page.locator('.slider:has(+ .slide) output').first().textContent() === n + ' cards', 'the number is not', n);
  }
  await page.keyboard.press('Home');
  expect(String(await visible(page)) === '3,3', 'Home shows', await visible(page));
  expect(await page.locator('.slide > details > summary').first().isVisible() === false, 'the folds are still there');
  expect(said.length === 0, 'it said', said);
  await close();
}

// Without a script, each n can be unfolded, the usual n is open, and the game has its answer.
async function folds(browser, { open, expect }, options) {
  const { page, close } = await open(browser, 'three-cards', { ...options, javaScriptEnabled: false });

  expect(await page.locator('.slide').first().locator('[data-n="3"] .tree').first().isVisible(), 'three cards are folded');
  await page.locator('.slide > details > summary').nth(1).click();
  expect(await page.locator('.slide').first().locator('[data-n="4"] .bars').first().isVisible(), 'four cards stay folded');
  expect(await page.locator('main > h2').last().isVisible(), 'the text behind the question is folded');
  await close();
  const game = await open(browser, 'how-many', { ...options, javaScriptEnabled: false });

  await game.page.locator('.answer summary').click();
  expect((await game.page.locator('.answer p').textContent()).includes('B is the naive swap'), 'the game has no answer');
  expect(await game.page.locator('.of-game button').count() === 0, 'the game has buttons');
  await game.close();
}

// The path 0,1 of Fisher-Yates: the deck after each draw, and how many of the tree's paths are still open.
const DECKS = ['1 2 3', '3 2 1', '3 2 1'], OPEN = [0, 2, 1];

async function steps(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'three-cards', { ...options, reducedMotion: 'reduce' });
  const stepper = page.locator('.walk .stepper').first();
  const state = async () => ({
    deck: (await stepper.locator('.stepper-cards li').allTextContents()).join(' '),
    lit: await page.$$eval('[data-scheme="fisher-yates"][data-n="3"] .way.lit', (ways) => ways.length),
  });
  const check = async (at, how) => {
    const { deck, lit } = await state();

    expect(deck === DECKS[at], how, 'shows', deck, 'and not', DECKS[at]);
    expect(lit === OPEN[at], how, 'lights', lit, 'paths, and not', OPEN[at]);
  };

  await check(0, 'at first it');
  for (const at of [1, 2]) {
    await stepper.getByRole('button', { name: 'Forward' }).click();
    await check(at, 'Forward');
  }
  for (const at of [1, 0]) {
    await page.keyboard.press('ArrowLeft');
    await check(at, 'the left arrow');
  }
  expect(await page.locator('.walk table').first().isVisible() === false, 'the table of steps is shown, too');
  expect(said.length === 0, 'it said', said);
  await close();
}

// The naive swap's path 2,0,1, of which data/lessons/three-cards.md has the steps as a table.
async function plays(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'three-cards', { ...options, reducedMotion: 'reduce', hasTouch: true });
  const table = (await page.locator('.animation .walk td:nth-child(2)').allTextContents()).map((deck) => [...deck].join(' '));
  const shown = async () => (await page.locator('.animation .stepper-cards li').allTextContents()).join(' ');
  const lit = () => page.$$eval('#lines li', (lines) => lines.flatMap((line, i) => (line.classList.contains('lit') ? [i + 1] : [])).join());

  expect(await shown() === table[0], 'at first it shows', await shown());
  for (const [i, answer] of [2, 0, 1].entries()) {
    const button = page.locator('#draws button').nth(answer);

    await (i === 1 ? button.tap() : button.press('Enter'));
    expect(await shown() === table[i + 1], 'draw', i + 1, 'shows', await shown());
    expect(await page.locator('#tree path.lit').count() === i + 1, 'the path does not grow');
    expect(await lit() === '4', 'line', await lit(), 'is lit and not the swap');
  }
  await page.locator('.animation .stepper input').press('ArrowLeft');
  expect(await lit() === '3', 'line', await lit(), 'is lit and not the draw');
  for (const [i, total] of ['2', '102', '10,102'].entries()) {
    await page.locator('#more button').nth(i).click();
    const text = await page.textContent('#histogram-text');

    expect(text.startsWith(`${total} results, 1 with draws that you chose. `), 'it says', text);
  }
  expect(said.length === 0, 'it said', said);
  await close();
}

// Each shuffle of the animation, run with every series of answers, has the law that the page has of it.
async function laws(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'three-cards', { ...options, reducedMotion: 'reduce' });
  const choices = await page.$$eval('.animation option', (all) => all.map((one) => one.value)), sliders = page.locator('.animation .slider input');

  expect(choices.length === 9, 'it has', choices);
  for (const name of choices)
    for (const n of [2, 3, 4, 5]) {
      await page.locator('.animation select').selectOption(name);
      await sliders.fill(`${n}`);
      await page.locator('#more button').nth(1).click();
      const counts = await page.$$eval('#histogram .seen', (bars) => bars.filter((bar) => Number(bar.getAttribute('width'))).length);

      expect((await page.textContent('#histogram-text')).startsWith('100 results. '), name, n);
      expect(counts >= (n === 2 ? 1 : 2), name, n, 'has no results');
      if (n === 5 || ['redraw', 'keys'].includes(name)) continue; // they may draw any number of times, and real numbers
      const [found, wanted] = await page.evaluate(([wantedName, cards]) => {
        const preset = PRESETS.find((one) => one.name === wantedName), { shuffle } = lessonShuffle(preset), sums = ordersAll(cards).map(() => 0);
        const { counts: known, of } = document.querySelector(`.animation [data-scheme="${preset.scheme}"][data-n="${cards}"][data-of]`).dataset;

        for (let answers = []; answers;) {
          const { path, order } = treeRun(shuffle, cards, answers, 1, 99), i = path.findLastIndex(({ bound, answer }) => answer < bound - 1);

          sums[ordersRank(order, 0, cards)] += path.reduce((share, { bound }) => share / bound, 1);
          answers = i < 0 ? null : [...path.slice(0, i).map(({ answer }) => answer), path[i].answer + 1];
        }
        return [sums, known.trim().split(' ').map((count) => Number(count) / Number(of))];
      }, [name, n]);

      expect(found.every((share, i) => Math.abs(share - wanted[i]) < 1e-12), name, n, 'has the law', found, 'and not', wanted);
    }
  expect(said.length === 0, 'it said', said);
  await close();
}

// Tiles dealt into boxes: a slider chooses n, and what the boxes do not hold stays in the hand.
async function tiles(browser, { open, expect }, options) {
  const { page, close } = await open(browser, 'three-cards', options), input = page.locator('.slider:has(+ .tiles) input');

  for (const [n, left] of [[2, 0], [3, 3], [4, 16], [5, 5]]) {
    await input.fill(`${n}`);
    const [naive, fair] = await page.$$eval('.tiles svg', (all) => all.filter((svg) => svg.checkVisibility()).map((svg) => ({
      boxes: svg.querySelectorAll('.box').length, left: (svg.querySelector('.rest')?.getAttribute('d').match(/M/g) ?? []).length,
      held: [...svg.querySelectorAll('.tile')].reduce((sum, one) => sum + one.getAttribute('d').match(/M/g).length, 0)
        + [...svg.querySelectorAll('.box + text')].reduce((sum, one) => sum + Number(one.textContent), 0) * Number(svg.querySelector('.tile') === null),
    })));

    expect(naive.boxes * Math.floor(n ** n / naive.boxes) === naive.held, n, 'cards', naive);
    expect(naive.held + naive.left === n ** n, n, 'cards', naive);
    expect(naive.left === left, n, 'cards leave', naive.left);
    expect(fair.left === 0, fair);
    expect(fair.held === fair.boxes, fair);
  }
  await close();
}

async function asks(browser, { open, expect }, options) {
  for (const name of ['three-cards', 'comparator', 'modulo', 'seed', 'riffles', 'chi-square', 'how-many', 'blind']) {
    const { page, said, close } = await open(browser, name, options, true);
    const buttons = page.locator('.options button'), last = page.locator('main > h2').last(), answer = page.locator('.ask details');

    await buttons.first().click(); // a vote tells nothing
    expect(await page.locator('.ask .feedback').textContent() === `Your choice: ${await buttons.first().textContent()}`, name, 'tells more than the choice');
    expect(await page.locator('.good, .bad').and(page.locator('button')).count() === 0, name, 'marks a choice');
    expect(!await last.isVisible() && !await answer.isVisible(), name, 'shows what follows the question');
    await page.emulateMedia({ media: 'print' });
    expect(await last.isVisible() && !await page.locator('.reveal').isVisible(), name, 'prints only the question');
    await page.emulateMedia({ media: 'screen' });
    await page.locator('.reveal').focus();
    await page.keyboard.press('Enter');
    expect(await last.isVisible() && await answer.locator('p').first().isVisible() && !await page.locator('.reveal').isVisible(), name, 'does not show the answer');
    expect(/^(Right|No)\. /.test(await page.locator('.ask .feedback').textContent()), name, 'does not judge the choice');
    for (let i = 0; i !== await buttons.count(); i++) {
      const { right, why } = await page.locator('.options li').nth(i).evaluate((one) => ({ ...one.dataset }));

      await buttons.nth(i).focus();
      await page.keyboard.press('Enter');
      const feedback = await page.locator('.ask .feedback').textContent();
      expect(feedback === `${right === 'yes' ? 'Right.' : 'No.'} ${why}`, name, 'answers', feedback);
      expect(await page.locator('.options [aria-pressed="true"]').count() === 1, name, 'has not one pressed button');
    }
    expect(said.length === 0, 'it said', said);
    await close();
  }
}

// Makes Math.random() depend on the seed alone (Mulberry32), so that what follows is the same in each run of the test.
const seed = (page, from) => page.evaluate((begin) => {
  let word = begin;
  Math.random = () => {
    word = (word + 0x6d2b79f5) | 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}, from);

const columns = (page, figure) => page.$$eval(`${figure} tbody tr`, (all) => [1, 2].map((i) => all.map((row) => Number(row.cells[i].textContent.replace(/,/g, '')))));
const sum = (counts) => counts.reduce((a, b) => a + b);

// More runs join those of the page. Fair runs follow the curve, and naive runs land beyond the line.
async function runs(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'chi-square', options);
  const line = page.locator('.of-runs .feedback'), press = async (name) => {
    await page.locator('.of-runs').getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };

  await seed(page, 1);
  await press('1 more run');
  await press('10 more');
  for (let i = 0; i !== 9; i++) await press('100 more');
  const [total, fair, naive] = /^([\d,]+) runs of each\. .* Beyond the broken line: ([\d.]+)% and ([\d.]+)%\.$/.exec(await line.textContent()).slice(1);
  expect(total === '951', 'the runs are', total);
  expect(fair > 3 && fair < 7.5 && naive > 97, 'beyond the line are', fair, naive); // 5 and 98.4, give or take 3.5 deviations
  const counts = await columns(page, '.of-runs');
  expect(counts.every((each) => sum(each) === 951), 'the data are', counts);
  const heights = await page.$$eval('.of-runs .counts', (groups) => groups.map((group) => [...group.children].map((bar) => Number(bar.getAttribute('height')))));
  counts.forEach((each, i) => each.forEach((count, k) => expect(Math.abs(heights[i][k] - 250 * count / 951) < 0.01, 'bar', k, 'has', heights[i][k])));
  expect(said.length === 0, 'it said', said);
  await close();
}

// The game: who chooses the map with the larger chi-square is right with 5,000 shuffles; the score counts.
async function games(browser, { open, expect }, options) {
  const { page, said, close } = await open(browser, 'how-many', options);
  const game = page.locator('.of-game'), line = game.locator('.feedback'), press = (name) => game.getByRole('button', { name, exact: true }).click();
  const chi = (counts) => sum(counts.map((count) => (count - sum(counts) / 24) ** 2));

  expect(await game.locator('.answer').isVisible() === false, 'the answer is there');
  expect(await game.locator('[aria-disabled="true"]').count() === 4, 'it deals before the answer');
  await press('A is biased'); // the pair of the page: B is
  expect((await line.textContent()).startsWith('No: B is the naive swap. Score: 0 of 1 right, with 200 shuffles of each. '), await line.textContent());
  await seed(page, 2);
  for (let round = 1; round !== 7; round++) {
    await press('Deal 5,000');
    const maps = await columns(page, '.of-game');
    expect(maps.every((counts) => sum(counts) === 5000), 'it deals', maps);
    await press(chi(maps[0]) > chi(maps[1]) ? 'A is biased' : 'B is biased');
    await game.getByRole('button', { name: 'A is biased' }).click({ force: true }); // does nothing until the next deal
    expect((await line.textContent()).includes(`Score: ${round} of ${round + 1} right, with ${(200 + 5000 * round).toLocaleString('en-US')} shuffles`), await line.textContent());
  }
  // 6 of 7: (7 + 1)/2^7
  expect((await line.textContent()).includes('A guesser gets 6 or more of 7 with a probability of 6.3%.'), await line.textContent());
  expect(said.length === 0, 'it said', said);
  await close();
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
  await rows.nth(0).getByLabel('group 8').press('Enter');
  expect(await rows.nth(1).getByLabel('group 8').evaluate((one) => one === document.activeElement), 'Enter does not go down');
  expect(String(await rows.locator('.sum').allTextContents()) === String(counts), 'the sums are wrong');
  expect(String(await rows.locator('.share').allTextContents()) === String(counts.map((count) => `${(100 * count / total).toFixed(1)}%`)), 'the shares are wrong');
  expect(await page.locator('.feedback').textContent() === '64 shuffles.', 'it tells the answer');
  expect(!await page.locator('.exact').first().isVisible(), 'it shows the answer');
  await page.locator('.reveal').click();
  expect(await page.locator('.exact').first().isVisible(), 'it keeps the answer');
  const line = await page.locator('.feedback').textContent(), [fair, naive] = [square(Array(6).fill(1 / 6)), square(shares)];
  expect(line === `64 shuffles. Chi-square is ${fair} from the fair shares, and ${naive} from those of the naive swap.`, line);
  expect(said.length === 0, 'it said', said);
  await close();
}

// A program's link carries its code to the playground, as link.js reads it.
async function programs(browser, { open, expect }, options) {
  for (const name of ['three-cards', 'comparator', 'modulo', 'seed', 'riffles', 'blind']) {
    const { page, close } = await open(browser, name, options), program = page.locator('.program'), link = await program.locator('a').getAttribute('href');
    const [file, hash] = link.split('#'), fields = new URLSearchParams(hash);

    expect(file === 'playground.html' && fields.get('n') === await program.getAttribute('data-n'), name, link);
    expect(fields.get('code') === await program.locator('code').textContent(), name, 'has another code in its link');
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

exports.cases = [['the worksheet takes two sheets, and the class kit four', prints], ['a tally adds up', tallies], ['programs open in the playground', programs],
  ['questions answer', asks], ['more runs of chi-square', runs], ['the game counts', games], ['the stepper moves and lights paths', steps],
  ['the animation follows chosen draws', plays], ['the animation has the laws of the page', laws], ['tiles are dealt into boxes', tiles],
  ['a slider shows the figures of one n', slides], ['figures unfold without a script', folds]];
