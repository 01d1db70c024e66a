// SPDX-License-Identifier: GPL-3.0-or-later
// Lets the reader operate a lesson: a slider chooses how many cards the figures are for, and a question answers what is
// chosen. Everything that the script shows is on the page without it, too. Pages are XML as well, so this file has neither
// an ampersand nor a less-than sign. It comes after stepper.js.
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

// The options become buttons; a line below says what is right or wrong about the one that was chosen.
function lessonAsk(ask) {
  const line = document.createElement('p');
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
      button.classList.add(right ? 'good' : 'bad');
      line.textContent = `${right ? 'Right.' : 'No.'} ${why}`;
    });
    return button;
  });

  line.className = 'feedback';
  line.setAttribute('role', 'status');
  ask.querySelector('.options').after(line);
}

document.querySelectorAll('.slide').forEach(lessonSlider);
document.querySelectorAll('.ask').forEach(lessonAsk);
document.querySelectorAll(':not(.animation) > .walk').forEach(lessonWalk);
