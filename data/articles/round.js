// SPDX-License-Identifier: GPL-3.0-or-later
// Fisher-Yates with Math.round instead of Math.floor: the first and the last item have half a share each. Biased. With
// three items the borders between results, 1/4 and 3/4, lie inside the sixths that `prove` tries by default (see --cells).
'use strict';

exports.shuffle = function (deck) {
  for (let i = deck.length - 1; i > 0; i--) {
    const j = Math.round(Math.random() * i);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
};
