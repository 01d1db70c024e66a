// SPDX-License-Identifier: GPL-3.0-or-later
// Lets the reader operate a lesson: a slider chooses how many cards the figures are for, a question keeps its answer and
// the text behind it until the reader asks for them, and a tally adds up. All of this is on the page without the script,
// too. Pages are XML as well, so this file has neither an ampersand nor a less-than sign. It comes after stepper.js.
'use strict';

// The figures of each n are in an element "details"; one of them is open.
function lessonSlider(slide, index) {
  const choices = Array.from(slide.children);
  const numbers = choices.map((one) => Number(one.dataset.n));
  const bar = document.createElement('div');
  const label = stepperElement(bar, 'label', { textContent: 'Number of cards, n', htmlFor: `slider-${index}` });
  const input = stepperElement(bar, 'input', { type: 'range', id: `slider-${index}`, min: numbers[0], max: numbers[numbers.length - 1], step: 1 });
  const output = stepperElement(bar, 'output', {});
  const show = (n) => {
    const text = `${n} cards`;

    for (const one of choices) one.open = Number(one.dataset.n) === n;
    output.textContent = text;
    input.setAttribute('aria-valuetext', text);
  };

  bar.className = 'slider';
  output.htmlFor.add(label.htmlFor);
  input.value = choices.find((one) => one.open).dataset.n;
  input.addEventListener('input', () => show(Number(input.value)));
  slide.classList.add('scripted');
  slide.before(bar);
  show(Number(input.value));
}

// The paths of a tree of draws: the element of each path by its answers, "0,2,1". A title lists the paths of its order.
function lessonPaths(tree) {
  const paths = new Map();

  for (const order of tree.querySelectorAll('.order')) {
    const answers = order.querySelector('title').textContent.split(': ').pop().split(' ');

    order.querySelectorAll('.way').forEach((way, i) => paths.set(answers[i], way));
  }
  return paths;
}

// A table with a row per step becomes a stepper, which also lights the paths of the tree that are still open.
function lessonWalk(walk) {
  const numbers = (text) => (text ? text.split(' ').map(Number) : []);
  const frames = Array.from(walk.querySelectorAll('tbody tr'), (row) => ({
    items: numbers(row.dataset.items),
    moved: numbers(row.dataset.moved),
    path: numbers(row.dataset.path),
    text: `${row.children[0].textContent}; still possible: ${row.children[2].textContent}`,
  }));
  const tree = document.querySelector(`[data-scheme="${walk.dataset.scheme}"][data-n="${walk.dataset.n}"] .tree`);
  const paths = tree ? lessonPaths(tree) : new Map();
  const host = document.createElement('div');

  host.setAttribute('aria-label', 'One path, step by step');
  walk.classList.add('scripted');
  walk.prepend(host);
  shufflebiasStepper(host, frames, ({ path }) => {
    const begun = path.join(',');

    for (const [answers, way] of paths)
      way.classList.toggle('lit', path.length ? `${answers},`.startsWith(`${begun},`) : false);
  });
}

// Hides what tells an answer, until a click on a button.
function lessonWait(host, textContent, then) {
  host.classList.add('waiting');
  stepperElement(host, 'button', { type: 'button', className: 'reveal', textContent }).addEventListener('click', () => {
    host.classList.remove('waiting');
    then();
  });
}

// The options become buttons, and what follows the question is folded. Once it is shown, a line below the options says what
// is right or wrong about the one that was chosen.
function lessonAsk(ask) {
  const line = document.createElement('p'), details = ask.querySelector('details');
  let say = () => null;
  const buttons = Array.from(ask.querySelectorAll('.options li'), (option) => {
    const right = option.dataset.right === 'yes', why = option.dataset.why;
    const button = document.createElement('button');

    button.type = 'button';
    button.append(...option.childNodes);
    option.append(button);
    button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => {
      for (const one of buttons) {
        one.setAttribute('aria-pressed', String(one === button));
        one.classList.remove('good', 'bad');
      }
      say = () => {
        button.classList.add(right ? 'good' : 'bad');
        line.textContent = `${right ? 'Right.' : 'No.'} ${why}`;
      };
      line.textContent = `Your choice: ${button.textContent}`;
      if (!ask.matches('.waiting')) say();
    });
    return button;
  });

  line.className = 'feedback';
  line.setAttribute('role', 'status');
  ask.querySelector('.options').after(line);
  lessonWait(ask, 'Show the answer and read on', () => {
    details.open = true;
    details.querySelector('summary').focus();
    say();
  });
}

// The counts of each group become fields. Below the table stands how far their sum is from each of the two laws.
function lessonTally(tally) {
  const rows = Array.from(tally.querySelectorAll('tbody tr')), line = stepperElement(tally, 'p', { className: 'feedback' });
  const add = (list) => list.reduce((sum, one) => sum + one, 0), share = (fraction) => fraction.split('/').reduce((top, bottom) => top / bottom);
  const update = () => {
    const counts = rows.map((row) => add(Array.from(row.querySelectorAll('input'), ({ value }) => Math.max(0, Math.floor(Number(value)))))), total = add(counts);
    const square = (law) => add(rows.map(({ dataset }, i) => (counts[i] - total * share(dataset[law])) ** 2 / (total * share(dataset[law])))).toFixed(2);

    rows.forEach((row, i) => {
      row.querySelector('.sum').textContent = counts[i] || '';
      row.querySelector('.share').textContent = total ? `${(100 * counts[i] / total).toFixed(1)}%` : '';
    });
    line.textContent = total ? `${total} shuffles.${tally.matches('.waiting') ? '' : ` Chi-square is ${square('fair')} from the fair shares, and ${square('naive')} from those of the naive swap.`}` : '';
  };

  line.setAttribute('role', 'status');
  lessonWait(tally, 'Show the exact shares of the naive swap', () => {
    update();
    tally.querySelector('.wide').focus();
  });
  rows.forEach((row, i) => row.querySelectorAll('td.count').forEach((cell) => {
    const input = stepperElement(cell, 'input', { type: 'number', min: 0, ariaLabel: cell.dataset.of });

    input.addEventListener('input', update);
    input.addEventListener('keydown', ({ key }) => key === 'Enter' ? rows[(i + 1) % rows.length].cells[cell.cellIndex].firstChild.focus() : null);
  }));
  addEventListener('pageshow', update); // the browser may have kept the counts
}

// A program in JavaScript has a link to the playground, which may stand in the same folder.
function lessonProgram(program) {
  stepperElement(stepperElement(program, 'p', { className: 'screen' }), 'a', { textContent: 'Open this program in playground.html, beside this page',
    href: `playground.html#${new URLSearchParams({ n: program.dataset.n, code: program.querySelector('code').textContent })}` });
}

document.querySelectorAll('.slide').forEach(lessonSlider);
document.querySelectorAll('.ask').forEach(lessonAsk);
document.querySelectorAll(':not(.animation) > .walk').forEach(lessonWalk);
document.querySelectorAll('.tally').forEach(lessonTally);
document.querySelectorAll('.program').forEach(lessonProgram);
