// SPDX-License-Identifier: GPL-3.0-or-later
// A sort whose comparisons are coins. Biased, and how depends on the sort: 6 1 2 1 1 5 of 16 by that of V8.
// https://bost.ocks.org/mike/shuffle/compare.html
'use strict';

exports.shuffle = function (deck) {
  deck.sort(() => Math.random() - 0.5);
};
