// SPDX-License-Identifier: GPL-3.0-or-later
// How often each order came up, from 0 on, over the exact shares: a row per order, with a thin bar for what came up in front of
// a thick one for the exact share.

const HISTOGRAM_MOST = 5; // cards whose orders have rows; up to four have labels
const HISTOGRAM_ROW = 17, HISTOGRAM_THIN_ROW = 4, HISTOGRAM_LEFT = 44, HISTOGRAM_RIGHT = 56, HISTOGRAM_TOP = 20, HISTOGRAM_DROP = 500; // milliseconds

/** An empty histogram of n cards. Returns update(shares, counts, rank): the exact law by rank, or null; what came up; and the order that came last. */
function histogramDraw(host, n) {
  const orders = ordersAll(n), labels = n < HISTOGRAM_MOST, row = labels ? HISTOGRAM_ROW : HISTOGRAM_THIN_ROW, high = row * orders.length;
  const wide = Math.max(260, Math.min(440, host.clientWidth || 440)), room = wide - HISTOGRAM_LEFT - HISTOGRAM_RIGHT;
  const svg = svgPicture(host, wide, HISTOGRAM_TOP + high + 4, `How often each of ${orders.length} orders came up, and its exact share, n = ${n}`);
  const y = (rank) => HISTOGRAM_TOP + row * rank, bar = (rank, part, kind) => svgMake(svg, 'rect', { x: HISTOGRAM_LEFT, width: 0, y: y(rank) + row * (1 - part) / 2, height: row * part, class: kind });
  const rows = orders.map((order, rank) => {
    if (labels)
      svgMake(svg, 'text', { x: HISTOGRAM_LEFT - 8, y: y(rank) + 13, class: 'end' }, order.map((card) => card + 1).join(''));
    return { exact: bar(rank, 0.85, 'exact'), seen: bar(rank, 0.4, 'seen'), text: labels ? svgMake(svg, 'text', { x: wide, y: y(rank) + 13, class: 'end' }) : null };
  });
  const fair = svgMake(svg, 'line', { y1: HISTOGRAM_TOP - 4, y2: HISTOGRAM_TOP + high, class: 'fair' }), head = svgMake(svg, 'text', { y: 12, class: 'middle faint' }, `1/${orders.length}`);
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const drop = (rank, x) => {
    const ball = svgMake(svg, 'circle', { cx: x, cy: y(rank) + row / 2, r: 5, class: 'seen' });

    ball.animate([{ transform: `translateY(${-y(rank)}px)` }, { transform: 'none' }], { duration: HISTOGRAM_DROP, easing: 'ease-in' }).onfinish = () => ball.remove();
  };

  return (shares, counts, rank) => {
    const total = counts.reduce((sum, count) => sum + count, 0), most = Math.max(1.2 / orders.length, ...shares ?? [], ...total ? counts.map((count) => count / total) : []);

    rows.forEach(({ exact, seen, text }, i) => {
      exact.setAttribute('width', shares ? room * shares[i] / most : 0);
      seen.setAttribute('width', total ? room * counts[i] / total / most : 0);
      if (text)
        text.textContent = svgNumber(counts[i]);
    });
    for (const name of ['x1', 'x2'])
      fair.setAttribute(name, HISTOGRAM_LEFT + room / orders.length / most);
    head.setAttribute('x', HISTOGRAM_LEFT + room / orders.length / most);
    if (rank >= 0 && !still.matches)
      drop(rank, HISTOGRAM_LEFT + Number(rows[rank].seen.getAttribute('width')));
  };
}
