// SPDX-License-Identifier: GPL-3.0-or-later
// Lets `shufflebias prove` answer the draws of a JavaScript function. During the call it replaces Math.random(), and of
// crypto, in node and as in browsers, getRandomValues(), randomInt(), randomBytes() and randomFillSync().
//
//     shufflebias prove -n 3 -- node prove.js FILE.js 3 [NAME]
//
// FILE.js, a CommonJS or an ES module, exports the function, by itself or under NAME ("shuffle"). The function shuffles
// the array that it is given, or returns another array. A function that draws integers may use `below`:
// require('./prove.js').below(k). What the function prints goes to standard error.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const { syncBuiltinESMExports } = require('module');
const { pathToFileURL } = require('url');

const piece = Buffer.alloc(256);
let unread = '';

// Calls until a pipe is ready, because process.stdin or a package may have made the pipe non-blocking.
function patiently(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // a millisecond
    }
  }
}

function write(text) {
  for (let bytes = Buffer.from(text); bytes.length > 0;) bytes = bytes.subarray(patiently(() => fs.writeSync(1, bytes)));
}

// The next line; undefined at the end. It is synchronous, like Math.random().
function line() {
  for (;;) {
    const end = unread.indexOf('\n');
    if (end >= 0) {
      const text = unread.slice(0, end);
      unread = unread.slice(end + 1);
      return text;
    }
    const length = patiently(() => fs.readSync(0, piece));
    if (length === 0) return undefined;
    unread += piece.toString('latin1', 0, length);
  }
}

function ask(question) {
  write(question + '\n');
  const answer = line();
  if (answer === undefined) process.exit();
  return Number(answer);
}

function below(bound) {
  return ask('draw ' + bound);
}

// Ends the proof. An exception would not do, because the function might catch it.
function refuse(message) {
  console.error(message);
  process.exit(1);
}

// Fills a typed array or a Buffer; each element is a draw.
function fill(array) {
  const bits = 8 * array.BYTES_PER_ELEMENT;
  if (bits > 16) refuse(`words of ${bits} bits have too many values to try one by one: use bytes, randomInt() or a gate`);
  for (let i = 0; i < array.length; i++) array[i] = below(2 ** bits);
  return array;
}

// Fills `size` elements from `offset` on, by default all; the elements of an ArrayBuffer or a DataView are its bytes.
function fillPart(buffer, offset = 0, size = undefined) {
  const array = !ArrayBuffer.isView(buffer) ? new Uint8Array(buffer)
    : buffer instanceof DataView ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength) : buffer;
  fill(array.subarray(offset, size === undefined ? array.length : offset + size));
  return buffer;
}

function randomBytes(size, callback) {
  if (callback) refuse('randomBytes() with a callback: call it without one');
  return fill(Buffer.alloc(size));
}

function randomInt(...range) {
  const [low, high] = typeof range[1] === 'number' ? range : [0, range[0]];
  if (typeof range.at(-1) === 'function') refuse('randomInt() with a callback: call it without one');
  return low + below(high - low);
}

let asks = false; // during a call of the shuffle; at other times, such as an import, the numbers are ordinary ones

function replace(object, name, asking) {
  const ordinary = object[name];
  object[name] = function (...words) {
    return asks ? asking(...words) : ordinary.apply(this, words);
  };
}

// Must come before FILE.js is loaded, which may import names from these modules.
function replaceGenerators() {
  replace(Math, 'random', () => ask('random'));
  replace(Object.getPrototypeOf(crypto.webcrypto), 'getRandomValues', fill); // of node's crypto, too
  replace(crypto, 'randomInt', randomInt);
  replace(crypto, 'randomBytes', randomBytes);
  replace(crypto, 'randomFillSync', fillPart);
  syncBuiltinESMExports();
  console.log = console.info = console.error;
}

// The items of an array, a Set, an iterator or a generator, which draws only now; at most one too many.
function itemsOf(result, most) {
  if (typeof result[Symbol.iterator] !== 'function' || typeof result === 'string')
    refuse(`prove.js: the function returned ${result}: return the shuffled array, or nothing if it was changed in place`);
  const items = [];
  for (const item of result) {
    items.push(item);
    if (items.length > most) break;
  }
  return items;
}

function prove(shuffle, n) {
  while (line() === 'start') {
    const deck = Array.from({ length: n }, (_, i) => i);
    asks = true;
    const items = itemsOf(shuffle(deck) || deck, n);
    asks = false;
    write('deck ' + items.join(' ') + '\n');
  }
}

// The exports of a CommonJS or an ES module.
async function load(file) {
  try {
    return require(file);
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM') throw error; // versions of node that require() no ES modules
    return import(pathToFileURL(file));
  }
}

const isCount = (text) => /^[0-9]+$/.test(text);

async function main(file, n, name = 'shuffle') {
  if (isCount(file) && !isCount(n)) [file, n] = [n, file]; // the order of prove.py
  if (!file || !isCount(n)) {
    console.error(`prove.js: '${n || ''}' is no number of items: node prove.js FILE.js N [NAME]`);
    process.exit(1);
  }
  replaceGenerators();
  const found = await load(fs.realpathSync(file)), other = found.default;
  const shuffle = [found, found[name], other, other && other[name]].find((one) => typeof one === 'function');
  if (!shuffle) {
    console.error(`prove.js: ${file} exports no function, by itself or under the name ${name}`);
    process.exit(1);
  }
  prove(shuffle, Number(n));
}

module.exports = { below, prove };
if (require.main === module) main(...process.argv.slice(2));
