// SPDX-License-Identifier: GPL-3.0-or-later
// Lets `shufflebias prove` answer the draws of a JavaScript function: it replaces Math.random() during the call.
//
//     shufflebias prove -n 3 -- node prove.js FILE.js 3 [NAME]
//
// FILE.js exports the function, by itself or under NAME ("shuffle"). The function shuffles the array that it is given, or
// returns another array. A function that draws integers may use `below`: require('./prove.js').below(k).
'use strict';
const fs = require('fs');

const piece = Buffer.alloc(256);
let unread = '';

// The next line; undefined at the end. It is synchronous, like Math.random().
function line() {
  for (;;) {
    const end = unread.indexOf('\n');
    if (end >= 0) {
      const text = unread.slice(0, end);
      unread = unread.slice(end + 1);
      return text;
    }
    const length = fs.readSync(0, piece);
    if (length === 0) return undefined;
    unread += piece.toString('latin1', 0, length);
  }
}

function ask(question) {
  fs.writeSync(1, question + '\n');
  const answer = line();
  if (answer === undefined) process.exit();
  return Number(answer);
}

function below(bound) {
  return ask('draw ' + bound);
}

function prove(shuffle, n) {
  const random = Math.random;
  while (line() === 'start') {
    const deck = Array.from({ length: n }, (_, i) => i);
    Math.random = () => ask('random');
    const result = shuffle(deck) || deck;
    Math.random = random;
    fs.writeSync(1, 'deck ' + result.join(' ') + '\n');
  }
}

module.exports = { below, prove };

if (require.main === module) {
  const [file, n, name = 'shuffle'] = process.argv.slice(2);
  const found = require(fs.realpathSync(file));
  prove(typeof found === 'function' ? found : found[name], Number(n));
}
