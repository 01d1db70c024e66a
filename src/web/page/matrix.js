// SPDX-License-Identifier: GPL-3.0-or-later
// Where each card ends up: a row per card, a column per place, coloured by the ratio to the fair share 1/n.

const MATRIX_TEXT = 8; // cards of which each cell has its share in it

/** An empty matrix. Returns update(shares), where shares[card * n + place] are in 0 to 1. */
function matrixDraw(host, n, what) {
  const side = 300, cell = side / n, left = 44, top = 40;
  const svg = svgPicture(host, left + side + 4, top + side + 4, `Share of each card at each place, ${what}, n = ${n}`);
  const cells = [];

  svgMake(svg, 'text', { x: left + side / 2, y: 14, class: 'middle faint' }, `place after the shuffle, n = ${n}`);
  svgMake(svg, 'text', { x: 11, y: top + side / 2, class: 'middle faint', transform: `rotate(-90 11 ${top + side / 2})` }, 'card');
  for (let i = 0; i < n; i++) {
    if (n <= MATRIX_TEXT || i % 13 === 0) {
      svgMake(svg, 'text', { x: left + (i + 0.5) * cell, y: top - 8, class: 'middle' }, i + 1);
      svgMake(svg, 'text', { x: left - 5, y: top + (i + 0.5) * cell + 4, class: 'end' }, i + 1);
    }
    for (let j = 0; j < n; j++) {
      const box = svgMake(svg, 'rect', { x: left + j * cell, y: top + i * cell, width: cell - (n > 8 ? 0.3 : 1.5), height: cell - (n > 8 ? 0.3 : 1.5), class: 'e' });
      const text = n <= MATRIX_TEXT ? svgMake(svg, 'text', { x: left + (j + 0.5) * cell, y: top + (i + 0.5) * cell + 4, class: 'middle' }) : null;

      cells.push({ box, text });
    }
  }
  return (shares) => cells.forEach(({ box, text }, i) => {
    const tint = svgTint(shares[i] * n);

    box.setAttribute('class', tint);
    if (text) {
      text.textContent = n <= 6 ? svgPercent(shares[i]) : Math.round(100 * shares[i]);
      text.setAttribute('class', /[34]/.test(tint) ? 'middle on-dark' : 'middle');
    }
  });
}

/** The shares of cards at places, of a law by rank. */
function matrixOfLaw(shares, n) {
  const matrix = new Float64Array(n * n);

  ordersAll(n).forEach((order, rank) => order.forEach((card, place) => { matrix[card * n + place] += shares[rank]; }));
  return matrix;
}
