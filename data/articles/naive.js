// SPDX-License-Identifier: GPL-3.0-or-later
// The naive swap: every item in turn changes places with a random item. Biased from three items on: 4 5 5 5 4 4 of 27.
// https://blog.codinghorror.com/the-danger-of-naivete/
'use strict';

exports.shuffle = function (deck) {
  for (let i = 0; i < deck.length; i++) {
    const j = Math.floor(Math.random() * deck.length);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
};
