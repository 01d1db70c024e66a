// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader would see at a glance, found on a page by measuring: labels of figures that overlap or are cut off, and
// lines that break where no reader expects it.
'use strict';

const TOUCH = 2; // pixels by which the boxes of two labels may overlap: letters are smaller than their boxes

// Runs on the page: what is wrong with the labels of its figures.
function labels(touch) {
  const wrong = [];
  for (const svg of document.querySelectorAll('svg.figure')) {
    if (!svg.getClientRects().length) continue;
    const room = svg.getBoundingClientRect(), name = svg.getAttribute('class');
    // The digits of a tree stand on its branches, next to each other.
    const texts = [...svg.querySelectorAll('text:not(.answer)')].map((one) => [one.textContent, one.getBoundingClientRect()]);
    texts.forEach(([text, box], i) => {
      if (box.left < room.left - 1 || box.right > room.right + 1 || box.top < room.top - 1 || box.bottom > room.bottom + 1)
        wrong.push(`${name}: "${text}" is cut off`);
      for (const [other, at] of texts.slice(0, i))
        if (Math.min(box.right, at.right) - Math.max(box.left, at.left) > touch
            && Math.min(box.bottom, at.bottom) - Math.max(box.top, at.top) > 2 * touch)
          wrong.push(`${name}: "${text}" and "${other}" overlap`);
    });
  }
  return wrong;
}

// Runs on the page: equations such as "n = 3" that are divided.
function breaks() {
  const wrong = [];
  const range = document.createRange(), walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    for (const { index, 0: text } of node.data.matchAll(/(?<![\p{L}\d])[A-Za-z]\s=\s\d+/gu)) {
      if (node.parentElement.closest('pre, code, script')) continue;
      range.setStart(node, index);
      range.setEnd(node, index + text.length);
      if (new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 4))).size > 1) wrong.push(text);
    }
  return wrong;
}

// Runs on the page as printed: colours that paper loses, and figures that a page may separate from their titles.
function paper() {
  const lost = [...document.querySelectorAll('.step')].filter((step) => getComputedStyle(step).printColorAdjust !== 'exact');
  const parted = [...document.querySelectorAll('.figures > div, figure, .goals')].filter((one) =>
    getComputedStyle(one).breakInside !== 'avoid');
  return [...lost, ...parted].map((one) => one.outerHTML.slice(0, 100));
}

module.exports = {
  glance: async (page) => [...await page.evaluate(labels, TOUCH), ...await page.evaluate(breaks)],
  paper: (page) => page.evaluate(paper),
};
