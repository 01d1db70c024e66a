// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a random remaining item out and appends it to the result. Fair, but slow.
// https://bost.ocks.org/mike/shuffle/
'use strict';

exports.shuffle = function (deck) {
  const result = [];
  while (deck.length > 0) {
    const i = Math.floor(Math.random() * deck.length);
    result.push(deck.splice(i, 1)[0]);
  }
  return result;
};
