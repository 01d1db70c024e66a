// SPDX-License-Identifier: GPL-3.0-or-later
// A sort whose comparisons are coins. Biased, and how depends on the sort: 6 1 2 1 1 5 of 16 for three cards by that
// of V8 11.3 (node 20), 2 1 2 1 1 1 of 8 by that of V8 15.6 (Chromium 156).
// https://bost.ocks.org/mike/shuffle/compare.html
'use strict';

exports.shuffle = function (deck) {
  deck.sort(() => Math.random() - 0.5);
};
