// SPDX-License-Identifier: GPL-3.0-or-later
// How often two seeds 10,838,702 apart give the same order of 52 items, if the draws are the fraction of sin(seed) * 10,000. This number
// of seeds is almost a multiple of the period: it is 1,725,033 * 2 pi + 0.00000008.
//
//     node sine.mjs [FILE]     with FILE, the shuffle(array, seed) of a package instead of the loop here
const APART = 10838702, SEEDS = 100000;

function shuffle(deck, seed) {
  const random = () => Math.sin(seed++) * 1e4;

  for (let left = deck.length; left > 0;) {
    const x = random(), j = Math.floor((x - Math.floor(x)) * left--);

    [deck[left], deck[j]] = [deck[j], deck[left]];
  }
  return deck;
}

const module = process.argv[2] ? await import(process.argv[2]) : {};
const deal = module.shuffle ?? module.default?.shuffle ?? shuffle;
const dealt = (seed) => deal(Array.from({ length: 52 }, (_, i) => i), seed).join(' ');
let same = 0;

for (let seed = 1; seed <= SEEDS; seed++) same += dealt(seed) === dealt(seed + APART);
console.log(`${same} of ${SEEDS} pairs of seeds ${APART} apart give the same 52 items`);
