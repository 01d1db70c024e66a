// SPDX-License-Identifier: GPL-3.0-or-later
// Fisher-Yates in place (Durstenfeld): each position, from the last down, takes one of the items up to it. Fair.
// https://bost.ocks.org/mike/shuffle/
'use strict';

exports.shuffle = function (deck) {
  for (let m = deck.length; m > 1; ) {
    const i = Math.floor(Math.random() * m--);
    [deck[m], deck[i]] = [deck[i], deck[m]];
  }
};
