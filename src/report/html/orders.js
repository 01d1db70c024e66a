// SPDX-License-Identifier: GPL-3.0-or-later
// Orders of up to 8 cards by their rank: 123, 132, 213, ...

/** All orders of the cards 0 to n - 1, by rank. */
function ordersAll(n) {
  const list = [];
  const extend = (order) => {
    if (order.length === n)
      list.push(order);
    for (let card = 0; card < n; card++)
      if (!order.includes(card))
        extend([...order, card]);
  };

  extend([]);
  return list;
}

/** The rank of the order in bytes[start..start + n - 1]. */
function ordersRank(bytes, start, n) {
  let rank = 0;

  for (let i = 0; i < n; i++) {
    let smaller = 0;

    for (let j = i + 1; j < n; j++)
      smaller += bytes[start + j] < bytes[start + i];
    rank = rank * (n - i) + smaller;
  }
  return rank;
}

/** An exact share: the greatest common divisor of counts stays in, so that all shares have one denominator. */
function ordersFraction(count, denominator) {
  return denominator.length > 6 ? `${(100 * Number(count) / Number(denominator)).toFixed(3)}%` : `${count}/${denominator}`;
}
