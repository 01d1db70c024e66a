// SPDX-License-Identifier: GPL-3.0-or-later
// The law of this browser's own sort with a coin as the comparison: every series of tosses is tried.

/** How often each order comes up, by rank, out of 2^depth. */
function sortsLaw(n) {
  const leaves = treeLeaves((deck, draw, random) => deck.sort(() => random() - 0.5), n, 2);
  const depth = Math.max(...leaves.map(({ path }) => path.length)), counts = new Map();

  for (const { path, order } of leaves)
    counts.set(order.join(''), (counts.get(order.join('')) ?? 0) + 2 ** (depth - path.length));
  const orders = ordersAll(n).map((order) => order.map((card) => card + 1).join(''));

  return { counts: orders.map((order) => counts.get(order) ?? 0), denominator: 2 ** depth };
}

/** Shows the law of three cards. */
function sortsShow(text, host) {
  const { counts, denominator } = sortsLaw(3), orders = ordersAll(3);

  text.textContent = `${counts.join(' ')} of ${denominator}, for ${orders.map((order) => order.map((card) => card + 1).join('')).join(' ')}`;
  barsDraw(host, { shares: Float64Array.from(counts, (count) => count / denominator), left: 0, labels: counts.map((count) => `${count}/${denominator}`) }, 3);
}
