// SPDX-License-Identifier: GPL-3.0-or-later
// A sort whose comparisons are coins, which is no shuffle: the gate says FAIL.
//
//     shufflebias gate -- node sort_by_coin.js [N]
const { writeSync } = require('fs'); // which ends the program when nobody reads any more

const n = Number(process.argv[2] || 3);

for (;;) {
  let lines = '';
  for (let k = 0; k < 1000; k++) lines += [...Array(n).keys()].sort(() => Math.random() - 0.5).join(' ') + '\n';
  writeSync(1, lines);
}
