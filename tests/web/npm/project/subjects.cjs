// SPDX-License-Identifier: GPL-3.0-or-later
// The shuffles that the tests of all runners test.
'use strict';

function naive(deck) {
  for (let i = 0; i < deck.length; i++) {
    const j = Math.floor(Math.random() * deck.length);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
}

/** Fair, with the parameters of d3.shuffle: a second argument would be where the shuffle starts. */
function part(deck, start = 0, end = deck.length) {
  for (let i = end - 1; i > start; i--) {
    const j = start + Math.floor(Math.random() * (i - start + 1));
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
}

/** Fair, with its source of random numbers as an argument. */
function drawn(deck, draw) {
  for (let i = deck.length - 1; i > 0; i--) {
    const j = draw(i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
}

module.exports = { drawn, naive, part };
