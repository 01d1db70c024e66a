// SPDX-License-Identifier: GPL-3.0-or-later
// The shuffles that the tests of all runners test.
'use strict';

function naive(deck) {
  for (let i = 0; i < deck.length; i++) {
    const j = Math.floor(Math.random() * deck.length);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
}

module.exports = { naive };
