// SPDX-License-Identifier: GPL-3.0-or-later
// Fisher-Yates into a new array: a random remaining item is appended to the result, and the last remaining item fills
// its place. Fair.
'use strict';

exports.shuffle = function (deck) {
  const result = [];
  for (let left = deck.length; left > 0; left--) {
    const i = Math.floor(Math.random() * left);
    result.push(deck[i]);
    deck[i] = deck[left - 1];
  }
  return result;
};
