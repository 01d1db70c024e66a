// SPDX-License-Identifier: GPL-3.0-or-later
// How often each order comes up, as a ratio to the fair share 1/n!: bars for the exact law, and hollow dots for what the
// gate has observed.

const BARS_ROWS = 24; // orders that have a row and a label of their own
const BARS_COLUMNS = 360; // more orders share a column
const BARS_ROW = 17, BARS_LEFT = 52, BARS_LABEL = 90, BARS_GAP = 28, BARS_WIDE = 410, BARS_NARROW = 320;

/** The width of the picture: on a phone, that of the page, so that text keeps its size. */
const barsWidth = (host) => Math.max(BARS_NARROW, Math.min(BARS_WIDE, host.clientWidth || BARS_WIDE));

/** The largest distance from 1 among the ratios that are known, with room for what is observed. */
function barsScale(law) {
  const worst = law ? law.shares.reduce((most, share) => Math.max(most, Math.abs(share * law.shares.length - 1)), 0) : 0;

  return [0.15, 0.3, 0.6, 1, 2, 5, 10, 25, 100, 1000].find((scale) => 1.3 * worst <= scale) ?? 1e5;
}

const barsClamp = (number) => Math.max(-1, Math.min(1, number));

/** What is known of an order, or of a mean of orders, in words: two ratios to the fair share, or null. */
const barsTitle = (name, exact, observed) => name + (exact === null ? '' : `: exactly ${exact.toFixed(3)} × fair`) + (observed === null ? '' : `, observed ${observed.toFixed(3)} × fair`);

/** A row per order. Returns a function that moves the dots: update(counts, total). */
function barsRows(host, law, orders) {
  const count = orders.length, scale = barsScale(law), height = count * BARS_ROW;
  const wide = barsWidth(host), half = (wide - BARS_LEFT - BARS_GAP - BARS_LABEL) / 2, middle = BARS_LEFT + BARS_GAP + half;
  const svg = svgPicture(host, wide, height + 42, `Ratio of each order's share to the fair share 1/${count}`);
  const at = (ratio) => middle + half * barsClamp((ratio - 1) / scale);
  const cells = svgMake(svg, 'g', { class: 'cells', 'data-columns': 1 }), names = orders.map((order) => order.map((card) => card + 1).join(''));
  const exact = (i) => (law?.left === 0 ? law.shares[i] * count : null);
  const dots = orders.map((order, i) => {
    const y = i * BARS_ROW + BARS_ROW / 2, row = svgMake(cells, 'g');

    svgMake(row, 'title', {}, barsTitle(names[i], exact(i), null));
    svgMake(row, 'rect', { width: wide, y: y - BARS_ROW / 2, height: BARS_ROW, class: 'row' });
    svgMake(row, 'text', { x: BARS_LEFT - 8, y: y + 4, class: 'end' }, names[i]);
    if (law) {
      const low = at(law.shares[i] * count), high = at((law.shares[i] + law.left) * count);
      const length = Math.abs(low - middle);

      if (length >= 0.5 && law.left === 0)
        svgMake(row, 'rect', { x: Math.min(low, middle), y: y - 6, width: length, height: 12, class: low > middle ? 'plus' : 'minus' });
      if (law.left > 0)
        svgMake(row, 'rect', { x: low, y: y - 5, width: Math.max(2, high - low), height: 10, class: 'unknown' });
      svgMake(row, 'text', { x: wide, y: y + 4, class: 'end' }, law.labels[i]);
    }
    return svgMake(null, 'circle', { r: 4.5, cy: y, class: 'dot', visibility: 'hidden' });
  });

  svgMake(svg, 'line', { x1: middle, x2: middle, y1: 0, y2: height, class: 'fair' });
  svg.append(...dots);
  svgMake(svg, 'text', { x: middle, y: height + 17, class: 'middle' }, `fair: 1/${count}`);
  svgMake(svg, 'text', { x: at(1 - Math.min(scale, 1)), y: height + 17, class: scale > 2 ? 'end faint' : 'middle faint' }, `−${Math.round(100 * Math.min(scale, 1))}%`);
  svgMake(svg, 'text', { x: middle + half, y: height + 17, class: 'middle faint' }, `+${Math.round(100 * scale)}%`);
  svgMake(svg, 'text', { x: middle, y: height + 36, class: 'middle faint' }, `how much more or less often than fair, n = ${orders[0].length}`);
  readCells(cells, host.id === 'bars');
  return (counts, total) => dots.forEach((dot, i) => {
    cells.children[i].firstChild.textContent = barsTitle(names[i], exact(i), counts[i] * count / total);
    dot.setAttribute('cx', at(counts[i] * count / total).toFixed(1));
    dot.setAttribute('visibility', 'visible');
  });
}

/** The mean of values[from..to - 1]. */
function barsMean(values, from, to) {
  let sum = 0;

  for (let i = from; i < to; i++)
    sum += values[i];
  return sum / (to - from);
}

/** A column per order, or per group of neighbouring orders. */
function barsColumns(host, law, count, n) {
  const scale = barsScale(law), columns = Math.min(count, BARS_COLUMNS), room = barsWidth(host) - 60, wide = room / columns;
  const svg = svgPicture(host, room + 60, 260, `Ratio of each order's share to the fair share 1/${svgNumber(count)}`);
  const at = (ratio) => 110 - 95 * barsClamp((ratio - 1) / scale);
  const first = (column) => Math.floor(column * count / columns);
  const paths = { plus: '', minus: '', unknown: '' };

  for (let i = 0; law && i < columns; i++) {
    const group = Array.from(law.shares.subarray(first(i), first(i + 1)), (share) => at(share * count));
    const top = law.left ? at(Math.min(...law.shares.subarray(first(i), first(i + 1))) * count + law.left * count) : Math.min(110, ...group);
    const bottom = law.left ? Math.max(...group) : Math.max(110, ...group);
    const box = (from, to) => `M${(55 + i * wide).toFixed(2)} ${from.toFixed(2)}h${(0.85 * wide).toFixed(2)}V${to.toFixed(2)}h${(-0.85 * wide).toFixed(2)}z`;

    if (law.left)
      paths.unknown += box(top, bottom);
    else
      paths.plus += box(top, 110), paths.minus += box(110, bottom);
  }
  for (const [kind, d] of Object.entries(paths))
    svgMake(svg, 'path', { d, class: kind });
  svgMake(svg, 'line', { x1: 55, x2: 55 + room, y1: 110, y2: 110, class: 'fair' });
  for (const [y, text] of scale > 10 ? [[19, `×${scale + 1}`], [114, 'fair']] : [[19, `+${Math.round(100 * scale)}%`], [114, 'fair'], [at(1 - Math.min(scale, 1)) + 4, `−${Math.round(100 * Math.min(scale, 1))}%`]])
    svgMake(svg, 'text', { x: 50, y, class: 'end faint' }, text);
  svgMake(svg, 'text', { x: 55 + room / 2, y: 248, class: 'middle faint' }, `${svgNumber(count)} orders from first to last, n = ${n}`);
  const point = svgMake(svg, 'path', { class: 'point' }), cells = svgMake(svg, 'g', { class: 'cells', 'data-columns': 1 });
  const names = ordersAll(n).map((order) => order.map((card) => card + 1).join(''));
  const title = (i, observed) => barsTitle(names[first(i)] + (count > columns ? ` to ${names[first(i + 1) - 1]}, on average` : ''),
    law?.left === 0 ? barsMean(law.shares, first(i), first(i + 1)) * count : null, observed);

  for (let i = 0; i < columns; i++)
    svgMake(svgMake(cells, 'rect', { x: 55 + i * wide, width: wide, y: 15, height: 190, class: 'row' }), 'title', {}, title(i, null));
  readCells(cells, host.id === 'bars');
  return (counts, total) => {
    let d = '';

    for (let i = 0, ratio; i < columns; i++) {
      ratio = barsMean(counts, first(i), first(i + 1)) * count / total;
      cells.children[i].firstChild.textContent = title(i, ratio);
      d += `M${(55 + (i + 0.42) * wide).toFixed(1)} ${at(ratio).toFixed(1)}h.01`;
    }
    point.setAttribute('d', d);
  };
}

/** Draws the law, which may be null. Returns the function that shows what was observed. */
function barsDraw(host, law, n) {
  const orders = n <= 4 ? ordersAll(n) : null;
  let count = 1;

  for (let i = 2; i <= n; i++)
    count *= i;
  return count <= BARS_ROWS ? barsRows(host, law, orders) : barsColumns(host, law, count, n);
}
