// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in a cell's title is also written under its figure, where the pointer or the arrow keys are. The page
// says all of it without this, too. It is part of a document that is XML as well: no ampersand, no less-than sign.
'use strict';
for (const group of document.querySelectorAll('.cells')) {
  const svg = group.closest('svg');
  const cells = Array.from(group.children);
  const columns = Number(group.dataset.columns);
  const line = document.createElement('p');
  let at = -1;
  line.className = 'cell-text';
  line.setAttribute('aria-live', 'polite');
  if (!document.querySelector('.cell-text')) line.textContent = 'Point at a cell, or go there with the arrow keys.';
  svg.after(line);
  svg.setAttribute('tabindex', '0');

  const show = (index) => {
    if (cells[at]) cells[at].classList.remove('at');
    at = index;
    cells[at].classList.add('at');
    line.textContent = cells[at].querySelector('title').textContent;
  };
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  svg.addEventListener('focus', () => show(Math.max(at, 0)));
  svg.addEventListener('blur', () => cells[at].classList.remove('at'));
  svg.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    if (cells[at + step]) show(at + step);
  });
  group.addEventListener('pointerover', (event) => {
    const cell = cells.find((one) => one.contains(event.target));
    if (cell) line.textContent = cell.querySelector('title').textContent;
  });
}
