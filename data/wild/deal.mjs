// SPDX-License-Identifier: GPL-3.0-or-later
// Deals with a shuffle from an npm package, as a line of npm.tsv describes it:
//
//     node deal.mjs NAME N deal     decks on standard output, without end
//     node deal.mjs NAME N prove    the protocol of `shufflebias prove`, which answers Math.random() and random bytes
//
// The file must be in the folder that has node_modules and npm.tsv: run.sh copies it there.
import { readFileSync, readSync, writeSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
const crypto = require('node:crypto');
const [name, size, mode = 'deal'] = process.argv.slice(2);
const n = Number(size);
let random = Math.random;
let unread = '';

/** Calls until a pipe is ready, because some packages make pipes non-blocking. */
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
  for (let bytes = Buffer.from(text); bytes.length > 0;) bytes = bytes.subarray(patiently(() => writeSync(1, bytes)));
}

/** The next line of standard input; undefined at the end. */
function line() {
  const piece = Buffer.alloc(256);

  for (let end; (end = unread.indexOf('\n')) < 0;) {
    const length = patiently(() => readSync(0, piece));

    if (length === 0) return undefined;
    unread += piece.toString('latin1', 0, length);
  }
  const text = unread.slice(0, unread.indexOf('\n'));

  unread = unread.slice(text.length + 1);
  return text;
}

/** An answer of `shufflebias prove`. */
function ask(question) {
  write(question + '\n');
  const answer = line();

  if (answer === undefined) process.exit();
  return Number(answer);
}

/** Replaces the sources of randomness. Packages may copy them when they are loaded, so this comes first. */
function replaceRandom() {
  const bytes = (to) => to.map(() => ask(`draw ${2 ** (8 * to.BYTES_PER_ELEMENT)}`));
  const fill = (to) => (to.set(bytes(to)), to);

  Math.random = () => random();
  if (mode !== 'prove') return;
  crypto.randomBytes = (length) => fill(Buffer.alloc(length));
  crypto.randomInt = (low, high) => (high === undefined ? ask(`draw ${low}`) : low + ask(`draw ${high - low}`));
  Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues: fill, subtle: crypto.webcrypto.subtle } });
  syncBuiltinESMExports();
}

/** A function that a file does not export. In `marker`, a bar stands where the function begins; it ends with its closing brace. */
function cut(file, marker, names = {}) {
  const text = readFileSync(new URL(`node_modules/${file}`, import.meta.url), 'utf8');
  const [before, first] = marker.split('|');
  const start = text.indexOf(before + first) + before.length;
  let end = text.indexOf('{', start + first.length - 1), depth = 0;

  if (start < before.length) throw new Error(`${file} has no '${before + first}'`);
  do {
    depth += { '{': 1, '}': -1 }[text[end++]] ?? 0;
  } while (depth > 0);
  return new Function(...Object.keys(names), `return ${text.slice(start, end).replace(/^shuffle\(/, 'function shuffle(')}`)(...Object.values(names));
}

/** Elements of a page, one for each item, as reveal.js moves them: parent.insertBefore(a, b). */
function siblings(deck) {
  const parent = { children: [], insertBefore: (moved, before) => {
    if (moved === before) return;
    parent.children.splice(parent.children.indexOf(moved), 1);
    parent.children.splice(parent.children.indexOf(before), 0, moved);
  } };

  parent.children = deck.map((item) => ({ item, parentNode: parent, querySelectorAll: () => [] }));
  return parent;
}

/** The function of the line of npm.tsv: it gets a deck, and shuffles it or returns another. */
async function subject() {
  const lines = readFileSync(new URL('npm.tsv', import.meta.url), 'utf8').split('\n').map((text) => text.split('\t'));
  const [, , module, expression] = lines.find((fields) => fields[0] === name) ?? [];

  if (!expression) throw new Error(`npm.tsv has no '${name}'`);
  const m = module === '-' ? undefined : await import(module);

  return new Function('m', 'cut', 'siblings', 'n', 'require', `return ${expression}`)(m, cut, siblings, n, require);
}

const fresh = () => Array.from({ length: n }, (_, i) => i);

function deal(shuffle) {
  for (;;) {
    let text = '';

    while (text.length < 65536) {
      const deck = fresh();

      text += (shuffle(deck) ?? deck).join(' ') + '\n';
    }
    write(text);
  }
}

function prove(shuffle) {
  random = () => ask('random');
  while (line() === 'start') {
    const deck = fresh();

    write(`deck ${(shuffle(deck) ?? deck).join(' ')}\n`);
  }
}

replaceRandom();
const shuffle = await subject();
try {
  (mode === 'prove' ? prove : deal)(shuffle);
} catch (error) {
  if (error.code !== 'EPIPE') throw error; // the reader has seen enough
}
