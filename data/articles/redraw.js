// SPDX-License-Identifier: GPL-3.0-or-later
// Draws any item, and draws again while the item has already been taken. Fair, but the loop may take any number of draws,
// so a proof leaves some of the probability unresolved.
// https://bost.ocks.org/mike/shuffle/
'use strict';

exports.shuffle = function (deck) {
  const result = [];
  while (result.length < deck.length) {
    const i = Math.floor(Math.random() * deck.length);
    if (!result.includes(deck[i])) result.push(deck[i]);
  }
  return result;
};
