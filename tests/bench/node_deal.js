// SPDX-License-Identifier: GPL-3.0-or-later
// Nine cards of 52 as the article on dealing deals them, and the parts of it that it timed.
//   node node_deal.js JOB DEALS    prints nanoseconds of processor time for each deal
// `full` and `range` are lodash's: without it (npm install lodash; NODE_PATH) they exit with status 77, for skipped.
'use strict';

const CARDS = 52, HAND = 9;
let lodash = null;
try {
  lodash = require('lodash');
} catch (absent) { /* the job `full` is left out */ }

function ordered() {
  const deck = new Array(CARDS);
  for (let i = 0; i < CARDS; i++) deck[i] = i;
  return deck;
}

const jobs = {
  full: () => lodash.shuffle(lodash.range(CARDS)).slice(0, HAND),
  partial: () => {
    const deck = ordered();
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
  draws: () => {
    let sum = 0;
    for (let i = 0; i < CARDS; i++) sum += Math.random();
    return [sum];
  },
  allocate: () => new Array(CARDS),
  fill: () => ordered(),
  range: () => lodash.range(CARDS),
};

const name = process.argv[2], deals = Number(process.argv[3]), job = jobs[name];
if (!lodash && (name === 'full' || name === 'range')) process.exit(77);
let check = 0;
for (let i = 0; i < deals / 10; i++) check += job().length; // until it is compiled
const began = process.cpuUsage();
for (let i = 0; i < deals; i++) check += job().length;
const used = process.cpuUsage(began);
if (check < 0) console.log(check);
console.log(((used.user + used.system) * 1e3 / deals).toFixed(4));
