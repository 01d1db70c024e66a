// SPDX-License-Identifier: GPL-3.0-or-later
// A sort that tosses a coin for each comparison, which is not a fair shuffle. The gate says FAIL.
//
//     shufflebias gate -- node sort_by_coin.js [N]
const { writeSync } = require('fs'); // ends the program when the reader stops

const n = Number(process.argv[2] || 3);

for (;;) {
  let lines = '';
  for (let k = 0; k < 1000; k++) lines += [...Array(n).keys()].sort(() => Math.random() - 0.5).join(' ') + '\n';
  writeSync(1, lines);
}
