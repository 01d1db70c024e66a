// SPDX-License-Identifier: GPL-3.0-or-later
// Any item, again and again until it has not been taken yet. Fair, but it may take for ever: some of the probability
// is never resolved. https://bost.ocks.org/mike/shuffle/
'use strict';

exports.shuffle = function (deck) {
  const result = [];
  while (result.length < deck.length) {
    const i = Math.floor(Math.random() * deck.length);
    if (!result.includes(deck[i])) result.push(deck[i]);
  }
  return result;
};
