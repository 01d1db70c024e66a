// SPDX-License-Identifier: GPL-3.0-or-later
// How often each order came up, from 0 on, over the exact shares: a row per order, with a thin bar for what came up in front of
// a thick one for the exact share.

const HISTOGRAM_MOST = 5; // cards whose orders have rows; up to four have labels
const HISTOGRAM_ROW = 17, HISTOGRAM_THIN_ROW = 4, HISTOGRAM_LEFT = 44, HISTOGRAM_RIGHT = 56, HISTOGRAM_TOP = 20;
const HISTOGRAM_LONGEST = 3; // times the largest exact share; longer bars are cut, so that the exact bars stay visible
const HISTOGRAM_DROP = 500; // milliseconds that a result falls

/** An empty histogram of n cards. Returns update(shares, counts, rank): the exact law by rank, or null; what came up; and the order
    that came last, if one is to drop. Its value says whether a bar is cut. */
function histogramDraw(host, n) {
  const orders = ordersAll(n), fair = 1 / orders.length, labels = n < HISTOGRAM_MOST, row = labels ? HISTOGRAM_ROW : HISTOGRAM_THIN_ROW;
  const wide = Math.max(260, Math.min(440, host.clientWidth || 440)), room = wide - HISTOGRAM_LEFT - HISTOGRAM_RIGHT;
  const high = HISTOGRAM_TOP + row * orders.length, still = matchMedia('(prefers-reduced-motion: reduce)');
  const svg = svgPicture(host, wide, high + 4, `How often each of ${orders.length} orders came up, and its exact share, n = ${n}`);
  const y = (rank) => HISTOGRAM_TOP + row * rank, write = (attributes, text) => svgMake(svg, 'text', attributes, text);
  const bar = (rank, part, kind) =>
    svgMake(svg, 'rect', { x: HISTOGRAM_LEFT, width: 0, y: y(rank) + row * (1 - part) / 2, height: row * part, class: kind });
  const rows = orders.map((order, rank) => {
    if (labels)
      write({ x: HISTOGRAM_LEFT - 8, y: y(rank) + 13, class: 'end' }, order.map((card) => card + 1).join(''));
    const count = labels ? write({ x: wide, y: y(rank) + 13, class: 'end count' }) : null;

    return { exact: bar(rank, 0.85, 'exact'), seen: bar(rank, 0.4, 'seen'), count };
  });
  const line = svgMake(svg, 'line', { y1: HISTOGRAM_TOP - 4, y2: high, class: 'fair' });
  const head = write({ y: 12, class: 'middle faint' }, `1/${orders.length}`);
  const drop = (rank, x) => {
    const ball = svgMake(svg, 'circle', { cx: x, cy: y(rank) + row / 2, r: 5, class: 'seen' });
    const way = [{ transform: `translateY(${-y(rank)}px)` }, { transform: 'none' }];

    ball.animate(way, { duration: HISTOGRAM_DROP, easing: 'ease-in' }).onfinish = () => ball.remove();
  };

  return (shares, counts, rank) => {
    const total = Math.max(1, counts.reduce((sum, count) => sum + count, 0));
    const exact = Math.max(fair, ...shares ?? []), most = Math.max(1.1 * exact, Math.min(HISTOGRAM_LONGEST * exact, Math.max(...counts) / total));
    const length = (share) => room * Math.min(1, share / most);

    rows.forEach(({ exact: pale, seen, count }, i) => {
      pale.setAttribute('width', shares ? length(shares[i]) : 0);
      seen.setAttribute('width', length(counts[i] / total));
      if (count)
        count.textContent = svgNumber(counts[i]);
    });
    for (const [one, name] of [[line, 'x1'], [line, 'x2'], [head, 'x']])
      one.setAttribute(name, HISTOGRAM_LEFT + length(fair));
    if (rank >= 0 && !still.matches)
      drop(rank, HISTOGRAM_LEFT + length(counts[rank] / total));
    return Math.max(...counts) / total > most;
  };
}
