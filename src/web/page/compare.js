// SPDX-License-Identifier: GPL-3.0-or-later
// Compares two to six shuffles: the matrix of each, exact or counted, in one scale of colours.

const COMPARE_LEAST = 2, COMPARE_MOST = 6;
const COMPARE_SIDE = 240; // of a matrix; three stand side by side
const COMPARE_FIRST = ['naive', 'durstenfeld', 'sattolo']; // what is chosen at first

let compareJobs = [], compareShuffles = [], compareTimer = 0; // of the latest comparison, and when the next one begins

const compareBoxes = () => [...$('compare-choice').querySelectorAll('input')];

/** The shuffles that are chosen: { title, code, scheme }. The code above may be that of a preset. */
function compareChosen() {
  return compareBoxes().filter((box) => box.checked).map(({ value, parentNode }) => {
    const code = PRESETS.find(({ name }) => name === value)?.code ?? $('code').value;

    return { title: parentNode.textContent.trim(), code, scheme: PRESETS.find((preset) => preset.code === code)?.scheme };
  });
}

/** Shows the matrix of a shuffle. Returns its job. */
function compareOne({ title, code, scheme }, n) {
  const figure = stepperElement($('compare'), 'figure', {});

  stepperElement(figure, 'h3', { textContent: title });
  const host = stepperElement(figure, 'div', {}), text = stepperElement(figure, 'figcaption', { textContent: 'Computing.' });
  const update = matrixDraw(host, n, title, COMPARE_SIDE);
  const request = { module: app.module, code, n, scheme, job: 'compare', seconds: PICTURE_SECONDS };
  const job = jobStart(request, ({ law, matrix, counts, total, left, error }) => {
    const shares = law ? matrixOfLaw(law, n) : matrix;

    if (shares)
      text.textContent = update(shares, Infinity) ? 'exact' : 'exact: each cell is fair';
    if (counts) {
      const coloured = update(counts.map((count) => count / total), total);
      const ended = left === 0 || matrixReach(total, n) < PICTURE_REACH;

      text.textContent = `counted: ${svgNumber(total)} shuffles${!ended ? ' so far' : coloured ? '' : ', no cell shows a bias'}`;
      if (ended)
        job.stop();
    }
    if (error)
      text.textContent = `Stopped: ${error}`;
  });

  return job;
}

/** Compares the shuffles of the latest comparison with this number of cards. */
function compareRun() {
  if (!app.module)
    return;
  clearTimeout(compareTimer);
  compareJobs.forEach((job) => job.stop());
  $('compare').replaceChildren();
  compareJobs = compareShuffles.map((shuffle) => compareOne(shuffle, Number($('compare-n').value)));
}

/** The boxes, the slider, which repeats the comparison, and the button. */
function compareListen() {
  for (const { name, title } of [...PRESETS.filter((preset) => preset.name !== 'own'), { name: '', title: 'the code above' }]) {
    const label = stepperElement($('compare-choice'), 'label', { className: 'field' });

    stepperElement(label, 'input', { type: 'checkbox', value: name, checked: COMPARE_FIRST.includes(name) });
    label.append(` ${title.replace(/ \(.*/, '')}`);
  }
  $('compare-choice').addEventListener('change', () => {
    const { length } = compareChosen();

    appEnable('compare-run', length >= COMPARE_LEAST && length <= COMPARE_MOST);
    $('compare-said').textContent = length < COMPARE_LEAST ? 'Choose at least two.'
      : length > COMPARE_MOST ? `Choose at most six: these are ${length}.` : '';
  });
  $('compare-n').addEventListener('input', () => {
    $('compare-n-text').value = $('compare-n').value;
    clearTimeout(compareTimer);
    compareTimer = setTimeout(compareRun, 150);
  });
  appOn('compare-run', () => {
    compareShuffles = compareChosen();
    compareRun();
  });
}
