// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in a cell's title is also written under its figure, where the pointer or the arrow keys are; what is
// clicked or reached by keys stays marked, and the paths of an order are lit. The page says all of it without this,
// too. It is part of a document that is XML as well: no ampersand, no less-than sign.
'use strict';
const hint = matchMedia('(hover: none), (max-width: 40rem)').matches ?
  'Tap the figure to read its numbers.' : 'Point into the figure, or go through it with the arrow keys.';
const tables = new ResizeObserver((entries) => {
  for (const { target } of entries) target.classList.toggle('scrolls', target.scrollWidth > target.clientWidth);
});
for (const wide of document.querySelectorAll('.wide:has(table)')) tables.observe(wide);
addEventListener('beforeprint', () => document.querySelectorAll('.printed').forEach((one) => { one.open = true; }));
function readCells(group, first = !document.querySelector('.cell-text, .many')) {
  const svg = group.closest('svg');
  const cells = Array.from(group.children);
  const columns = Number(group.dataset.columns);
  const line = document.createElement('p');
  let at = -1;
  line.className = 'cell-text';
  line.setAttribute('aria-live', 'polite');
  if (first) line.textContent = hint;
  svg.after(line);
  svg.setAttribute('tabindex', '0');
  svg.setAttribute('role', 'group');

  const show = (index) => {
    if (cells[at]) cells[at].classList.remove('at');
    at = index;
    cells[at].classList.add('at');
    line.textContent = cells[at].querySelector('title').textContent;
  };
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const find = (target) => cells.findIndex((one) => one.contains(target));
  svg.addEventListener('focus', () => svg.matches(':focus-visible') ? show(Math.max(at, 0)) : null);
  svg.addEventListener('blur', () => cells[at] ? cells[at].classList.remove('at') : null);
  svg.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    if (cells[at + step]) show(at + step);
  });
  group.addEventListener('click', (event) => show(find(event.target)));
  group.addEventListener('pointerover', (event) => {
    line.textContent = cells[find(event.target)].querySelector('title').textContent;
  });
}
document.querySelectorAll('.cells').forEach((group) => readCells(group));
