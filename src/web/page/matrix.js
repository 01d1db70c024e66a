// SPDX-License-Identifier: GPL-3.0-or-later
// Where each card ends up: a row per card, a column per place, coloured by the ratio to the fair share 1/n. A cell of a
// sample has a colour only if its interval excludes the fair share. All intervals hold together, and at all times.

const MATRIX_TEXT = 8; // cards of which each cell has its share in it
const MATRIX_ALPHA = 1e-3; // the most probability that the matrix of a fair shuffle ever has a coloured cell
const MATRIX_STEPS = 'orange too often, blue too rarely, with steps at 5%, 20% and 50% from fair';

/**
 * What N KL(share, fair) exceeds where the interval excludes the fair share. The mixture of Krichevsky and Trofimov bets on
 * the cell; a fair one multiplies the bet by n^2 / alpha with probability alpha / n^2 at most, at any time (Ville), and
 * the bet is at least exp(N KL) / (2 sqrt(N)).
 */
const matrixLimit = (total, n) => Math.log(2 * n * n * Math.sqrt(total) / MATRIX_ALPHA);

/** How far the intervals reach from the fair share, as a part of it. */
const matrixReach = (total, n) => Math.sqrt(2 * (n - 1) * matrixLimit(total, n) / total);

/** Whether a share is not fair. The total of an exact law is Infinity. */
function matrixBeyond(share, total, n) {
  const part = (p, fair) => (p > 0 ? p * Math.log(p / fair) : 0);

  return total === Infinity ? Math.abs(share * n - 1) > 1e-9
    : total * (part(share, 1 / n) + part(1 - share, 1 - 1 / n)) > matrixLimit(total, n);
}

/** An empty matrix. Returns update(shares, total), where shares[card * n + place] are in 0 to 1. Its value is the number of coloured cells. */
function matrixDraw(host, n, what, side = 300) {
  const cell = side / n, left = 44, top = 40;
  const svg = svgPicture(host, left + side + 4, top + side + 4, `Share of each card at each place, ${what}, n = ${n}`);
  const cells = [], group = svgMake(svg, 'g', { class: 'cells', 'data-columns': n }), texts = svgMake(svg, 'g', { 'pointer-events': 'none' });

  svgMake(svg, 'text', { x: left + side / 2, y: 14, class: 'middle faint' }, `place after the shuffle, n = ${n}`);
  svgMake(svg, 'text', { x: 11, y: top + side / 2, class: 'middle faint', transform: `rotate(-90 11 ${top + side / 2})` }, 'card');
  for (let i = 0; i < n; i++) {
    if (n <= MATRIX_TEXT || i % 13 === 0) {
      svgMake(svg, 'text', { x: left + (i + 0.5) * cell, y: top - 8, class: 'middle' }, i + 1);
      svgMake(svg, 'text', { x: left - 5, y: top + (i + 0.5) * cell + 4, class: 'end' }, i + 1);
    }
    for (let j = 0; j < n; j++) {
      const box = svgMake(group, 'rect', { x: left + j * cell, y: top + i * cell, width: cell - (n > 8 ? 0.3 : 1.5), height: cell - (n > 8 ? 0.3 : 1.5), class: 'e' });
      const text = n <= MATRIX_TEXT ? svgMake(texts, 'text', { x: left + (j + 0.5) * cell, y: top + (i + 0.5) * cell + 4, class: 'middle' }) : null;

      cells.push({ box, text, title: svgMake(box, 'title') });
    }
  }
  readCells(group, false);
  return (shares, total) => cells.filter(({ box, text, title }, i) => {
    const tint = matrixBeyond(shares[i], total, n) ? svgTint(shares[i] * n) : 'e';

    box.setAttribute('class', tint);
    title.textContent = `card ${Math.floor(i / n) + 1} at place ${i % n + 1}: ${svgPercent(shares[i])}; fair is ${svgPercent(1 / n)}`;
    if (text) {
      text.textContent = cell > 45 ? svgPercent(shares[i]) : Math.round(100 * shares[i] + 1e-9); // half a percent is rounded up, also if the share is a sum
      text.setAttribute('class', /[34]/.test(tint) ? 'middle on-dark' : 'middle');
    }
    return tint !== 'e';
  }).length;
}

/** The shares of cards at places, of a law by rank. */
function matrixOfLaw(shares, n) {
  const matrix = new Float64Array(n * n);

  ordersAll(n).forEach((order, rank) => order.forEach((card, place) => { matrix[card * n + place] += shares[rank]; }));
  return matrix;
}
