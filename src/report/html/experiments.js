// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments that the reader of a lesson repeats: more runs for the histograms of chi-square, and the game "which one is
// biased?". The page has the exact laws, and first results that shufflebias computed; the numbers here are random. Pages
// are XML as well, so this file has neither an ampersand nor a less-than sign. It comes after stepper.js.
'use strict';

// The counts of `samples` shuffles whose orders have these weights.
function experimentDeal(weights, samples) {
  const counts = weights.map(() => 0);
  let total = 0;
  const sums = weights.map((weight) => (total += weight));

  for (let left = samples; left > 0; left--) {
    const at = Math.random() * total;

    counts[sums.findIndex((sum) => sum > at)]++;
  }
  return counts;
}

const experimentEven = (weights) => weights.map(() => 1);

// The sum of (count - fair)^2/fair.
function experimentChiSquare(counts) {
  const fair = counts.reduce((sum, count) => sum + count) / counts.length;

  return counts.reduce((sum, count) => sum + (count - fair) ** 2 / fair, 0);
}

// A row of buttons, and a line below it that says what happens.
function experimentControls(figure, labels) {
  const bar = document.createElement('div');
  const line = document.createElement('p');

  bar.className = 'experiment';
  line.className = 'feedback';
  line.setAttribute('role', 'status');
  figure.querySelector('svg').after(bar, line);
  return { bar, line, buttons: labels.map((label) => stepperElement(bar, 'button', { type: 'button', textContent: label })) };
}

const experimentNumber = (number) => number.toLocaleString('en-US');

// Histograms of chi-square: a group of bars for a fair shuffle, and one for a shuffle with the weights of the figure.
function experimentRuns(figure) {
  const naive = figure.dataset.law.split(' ').map(Number), { level, samples, width } = figure.dataset;
  const rows = Array.from(figure.querySelectorAll('tbody tr'));
  const panels = Array.from(figure.querySelectorAll('.counts'), (group, i) => {
    const bars = Array.from(group.children), [base, scale, beyond] = ['base', 'scale', 'beyond'].map((name) => Number(group.dataset[name]));
    const counts = bars.map((bar) => Number(bar.dataset.count)), cells = rows.map((row) => row.cells[i + 1]);

    return { bars, counts, cells, base, scale, beyond, weights: i ? naive : experimentEven(naive), last: 0 };
  });
  const { line, buttons } = experimentControls(figure, ['1 more run', '10 more', '100 more']);
  const run = (more) => {
    let total;

    for (const panel of panels) {
      for (let left = more; left > 0; left--) {
        panel.last = experimentChiSquare(experimentDeal(panel.weights, Number(samples)));
        panel.beyond += panel.last > Number(level) ? 1 : 0;
        panel.counts[Math.min(panel.counts.length - 1, Math.floor(panel.last / width))]++;
      }
      total = panel.counts.reduce((sum, count) => sum + count);
      panel.bars.forEach((bar, i) => {
        const height = panel.scale * panel.counts[i] / total;

        bar.setAttribute('y', panel.base - height);
        bar.setAttribute('height', height);
        panel.cells[i].textContent = panel.counts[i];
      });
    }
    const [fair, biased] = panels.map(({ beyond }) => `${(100 * beyond / total).toFixed(1)}%`);

    line.textContent = `${experimentNumber(total)} runs of each. The latest: ${panels.map(({ last }) => last.toFixed(1)).join(' and ')}. ` +
      `Beyond the broken line: ${fair} and ${biased}.`;
  };

  buttons.forEach((button, i) => button.addEventListener('click', () => run(10 ** i)));
}

// How often a guesser is right at least `right` times in `rounds`.
function experimentGuesser(right, rounds) {
  let term = 0.5 ** rounds, sum = 0;

  for (let i = 0; rounds >= i; i++) {
    sum += i >= right ? term : 0;
    term *= (rounds - i) / (i + 1);
  }
  return sum;
}

// The game: the reader chooses how many shuffles of A and of B to see, and then which of the two is biased.
function experimentGame(figure) {
  const naive = figure.dataset.law.split(' ').map(Number);
  const groups = Array.from(figure.querySelectorAll('.counts'), (group) => Array.from(group.children));
  const { base, height } = figure.dataset, fairs = figure.querySelectorAll('.fair');
  const rows = Array.from(figure.querySelectorAll('tbody tr')), sizes = figure.dataset.sizes.split(' ').map(Number);
  const { bar, line, buttons } = experimentControls(figure, ['A is biased', 'B is biased', ...sizes.map((size) => `Deal ${experimentNumber(size)}`)]);
  let biased = Number(figure.dataset.biased), size = Number(figure.dataset.samples), open = true, right = 0, rounds = 0, used = 0;
  const enable = () => buttons.forEach((button, i) => button.setAttribute('aria-disabled', (2 > i) !== open));
  const ask = () => {
    line.textContent = `${experimentNumber(size)} shuffles of each. Which one is biased?`;
    enable();
  };
  const show = (maps) => {
    const most = Math.max(...maps.flat());

    maps.forEach((counts, map) => counts.forEach((count, i) => {
      groups[map][i].setAttribute('y', base - height * count / most);
      groups[map][i].setAttribute('height', height * count / most);
      rows[i].cells[map + 1].textContent = experimentNumber(count);
    }));
    for (const fair of fairs)
      for (const y of ['y1', 'y2']) fair.setAttribute(y, base - height * size / naive.length / most);
  };
  const deal = (samples) => {
    biased = Math.random() > 0.5 ? 1 : 0;
    size = samples;
    open = true;
    show([0, 1].map((map) => experimentDeal(map === biased ? naive : experimentEven(naive), size)));
    ask();
  };
  const guess = (map) => {
    open = false;
    rounds++;
    right += map === biased ? 1 : 0;
    used += size;
    line.textContent = `${map === biased ? 'Right' : 'No'}: ${'AB'[biased]} is the naive swap. Score: ${right} of ${rounds} right, with ` +
      `${experimentNumber(used)} shuffles of each. A guesser gets ${right} or more of ${rounds} with a probability of ` +
      `${(100 * experimentGuesser(right, rounds)).toFixed(1)}%. Deal again.`;
    enable();
  };

  buttons.forEach((button, i) => button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') === 'true') return;
    if (2 > i) guess(i);
    else deal(sizes[i - 2]);
  }));
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', 'Which one is biased?');
  figure.classList.add('scripted');
  ask();
}

document.querySelectorAll('.of-runs').forEach(experimentRuns);
document.querySelectorAll('.of-game').forEach(experimentGame);
