// SPDX-License-Identifier: GPL-3.0-or-later
/** The values of a typed array's element that can be tried one by one, by the bytes of the element. */
const VALUES = { 1: 2 ** 8, 2: 2 ** 16 };

/** The elements of a buffer: those of a typed array, or the bytes of an ArrayBuffer or a DataView. */
function elements(buffer) {
  if (!ArrayBuffer.isView(buffer))
    return new Uint8Array(buffer);
  return buffer instanceof DataView ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength) : buffer;
}

/**
 * The sources of randomness of JavaScript: Math.random(), getRandomValues() of `crypto`, and in node the functions of
 * node:crypto. Between replace() and restore(), `draws` answers in their place; if `draws` is null, they answer
 * themselves, and count() is told.
 */
export class Sources {
  draws = null; // { below(bound), uniform() }; a source without its answer draws itself
  count = () => {};
  #held = false; // whether restore() leaves the sources replaced
  #undo = [];
  #node;

  /** node is { crypto, sync }: the module node:crypto and syncBuiltinESMExports() of node:module; none in browsers. */
  constructor(node) {
    this.#node = node;
  }

  replace() {
    if (this.#undo.length)
      return; // hold() came first
    const crypto = this.#node?.crypto, web = globalThis.crypto ?? crypto?.webcrypto;

    this.#put(Math, 'random', 'uniform', () => this.draws.uniform());
    if (web)
      this.#put(Object.getPrototypeOf(web), 'getRandomValues', 'below', (array) => this.#fill(array));
    if (!crypto)
      return; // else its getRandomValues() calls the one above
    this.#put(crypto, 'randomInt', 'below', (...range) => this.#integer(range));
    this.#put(crypto, 'randomBytes', 'below', (size, callback) => this.#bytes(new Uint8Array(size), callback, 'randomBytes'));
    this.#put(crypto, 'randomFillSync', 'below', (buffer, offset = 0, size = undefined) => {
      const array = elements(buffer);

      this.#fill(array.subarray(offset, size === undefined ? array.length : offset + size), 'randomFillSync');
      return buffer;
    });
    this.#node.sync(); // for import { randomInt } from 'node:crypto'
  }

  restore() {
    this.count = () => {};
    if (this.#held)
      return;
    while (this.#undo.length)
      this.#undo.pop()();
    if (this.#node?.crypto)
      this.#node.sync();
  }

  /** Replaces the sources for good, so that copies of them that are made later can be answered. */
  hold() {
    this.replace();
    this.#held = true;
  }

  /** Returns what work() returns while `draws` answer. */
  answered(draws, work) {
    this.replace();
    this.draws = draws;
    try {
      return work();
    } finally {
      this.draws = null;
      this.restore();
    }
  }

  /** `kind` is the function of `draws` that answer() calls. */
  #put(object, name, kind, answer) {
    const own = Object.getOwnPropertyDescriptor(object, name), original = object[name], sources = this;

    if (typeof original !== 'function')
      return;
    Object.defineProperty(object, name, {
      configurable: true, enumerable: own.enumerable, writable: true,
      value(...words) {
        if (sources.draws?.[kind])
          return answer(...words);
        sources.count();
        return original.apply(this, words);
      },
    });
    this.#undo.push(() => Object.defineProperty(object, name, own));
  }

  /** Each element is a draw; the words of 32 bits have too many values to try one by one. */
  #fill(array, name = 'getRandomValues') {
    const values = VALUES[array?.BYTES_PER_ELEMENT];

    if (!values)
      throw this.draws.refuse(`${name}() of words of ${8 * array?.BYTES_PER_ELEMENT} bits cannot be proved: their values are too many `
        + 'to try one by one; use bytes (Uint8Array) or randomInt(), ask for draw(k) by `argument`, or use a gate');
    for (let i = 0; i < array.length; i++)
      array[i] = this.draws.below(values);
    return array;
  }

  #bytes(array, callback, name) {
    this.#synchronous(callback, name);
    return globalThis.Buffer.from(this.#fill(array, name).buffer);
  }

  #integer(range) {
    const callback = typeof range.at(-1) === 'function' ? range.pop() : undefined;
    const [low, high] = range.length > 1 ? range : [0, range[0]];

    this.#synchronous(callback, 'randomInt');
    return low + this.draws.below(high - low);
  }

  #synchronous(callback, name) {
    if (callback)
      throw this.draws.refuse(`${name}() with a callback cannot be proved: call it without one`);
  }
}
