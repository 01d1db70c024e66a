// SPDX-License-Identifier: GPL-3.0-or-later
// Fisher-Yates with Math.random(), one permutation per line, a thousand lines at a time:
//
//     shufflebias gate -- node fisher_yates.js [N]
//
// node --random-seed=1 gives Math.random() the seed 1.
const { writeSync } = require('fs'); // ends the program when the reader stops

const n = Number(process.argv[2] || 3);

function shuffle(items) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

for (;;) {
  let lines = '';
  for (let k = 0; k < 1000; k++) lines += shuffle([...Array(n).keys()]).join(' ') + '\n';
  writeSync(1, lines);
}
