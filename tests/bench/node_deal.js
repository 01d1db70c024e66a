// SPDX-License-Identifier: GPL-3.0-or-later
// A peer of speed.py: nine cards of 52 as the article on dealing deals them.
//   node node_deal.js JOB DEALS
// `full` is lodash's: without it (npm install lodash; NODE_PATH) it exits with status 77, for skipped.
'use strict';

const CARDS = 52, HAND = 9;
let lodash = null;
try {
  lodash = require('lodash');
} catch (absent) { /* the job `full` is left out */ }

const jobs = {
  full: () => lodash.shuffle(lodash.range(CARDS)).slice(0, HAND),
  partial: () => {
    const deck = new Array(CARDS);
    for (let i = 0; i < CARDS; i++) deck[i] = i;
    for (let i = 0; i < HAND; i++) {
      const j = i + Math.floor(Math.random() * (CARDS - i)), card = deck[i];
      deck[i] = deck[j];
      deck[j] = card;
    }
    return deck.slice(0, HAND);
  },
  'inside-out': () => {
    const deck = [];
    for (let i = 0; i < CARDS; i++) {
      const j = Math.floor(Math.random() * (i + 1));
      deck[i] = deck[j];
      deck[j] = i;
    }
    return deck.slice(0, HAND);
  },
};

const [name, deals] = [process.argv[2], Number(process.argv[3])];
if (!lodash && name === 'full') process.exit(77);
let check = 0;
for (let i = 0; i < deals; i++) check += jobs[name]().length;
if (check < 0) console.log(check);
