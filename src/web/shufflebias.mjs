// SPDX-License-Identifier: GPL-3.0-or-later
/**
 * The host of the WebAssembly module, for node and for browsers (docs/web.md). It needs no network, no files and no
 * other module.
 *
 *     const engine = await open(bytes);
 *     engine.run(['report', 'naive', '--format', 'json']);   // a command line
 *     engine.prove((deck, draw) => ..., { n: 4 });           // the exact law of a function
 *     engine.gate((deck) => ..., { n: 52, exclude: 0.02 });  // a gate on a function
 *
 * Each call has an instance of the module of its own: a call that throws leaves no trace, and its memory is freed.
 */

/** What the library's calls return: enum sb_status of src/shufflebias/basics.h. */
const STATUS = ['ok', 'invalid', 'too large', 'no memory', 'io', 'stopped', 'subject', 'broken'];

/** Numbers of errors in WASI. */
const BADF = 8, NOENT = 44, NOSYS = 52;

/** Folders by descriptor. They are empty, so that a file that the module asks for does not exist. */
const FOLDERS = { 3: '/', 4: '.' };

/** Bytes that the module has written, as a text. */
class Output {
  #pieces = [];

  write(bytes) {
    this.#pieces.push(bytes.slice());
  }

  text() {
    const decoder = new TextDecoder();

    return this.#pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  }
}

/** What WASI asks of a host. There are no files: only standard output and standard error can be written. */
function wasi(memory, outputs) {
  const view = () => new DataView(memory().buffer);
  const none = () => BADF, missing = () => NOENT, unknown = () => NOSYS;

  return {
    fd_write(descriptor, list, count, written) {
      let total = 0;

      if (!outputs[descriptor])
        return BADF;
      for (let i = 0; i < count; i++) {
        const start = view().getUint32(list + 8 * i, true), length = view().getUint32(list + 8 * i + 4, true);

        outputs[descriptor].write(new Uint8Array(memory().buffer, start, length));
        total += length;
      }
      view().setUint32(written, total, true);
      return 0;
    },
    clock_time_get(clock, precision, result) {
      const milliseconds = clock === 0 ? Date.now() : performance.now(); // 0 is the clock with the date

      view().setBigUint64(result, BigInt(Math.round(milliseconds * 1e6)), true);
      return 0;
    },
    environ_get: () => 0,
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    fd_read(descriptor, list, count, read) { // standard input is empty
      view().setUint32(read, 0, true);
      return descriptor === 0 ? 0 : BADF;
    },
    proc_exit(status) {
      throw new Error(`the module ended with exit status ${status}`);
    },
    sched_yield: () => 0,
    fd_fdstat_get(descriptor, result) { // the type, 3 for a folder and 0 for unknown; flags; two sets of rights
      if (!FOLDERS[descriptor] && !(descriptor in outputs))
        return BADF;
      view().setUint32(result, FOLDERS[descriptor] ? 3 : 0, true);
      view().setBigUint64(result + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(result + 16, 0xffffffffffffffffn, true);
      return 0;
    },
    fd_prestat_get(descriptor, result) { // the type 0, a folder, and the length of its name
      if (!FOLDERS[descriptor])
        return BADF;
      view().setUint32(result, 0, true);
      view().setUint32(result + 4, FOLDERS[descriptor].length, true);
      return 0;
    },
    fd_prestat_dir_name(descriptor, start, length) {
      new Uint8Array(memory().buffer, start, length).set(new TextEncoder().encode(FOLDERS[descriptor]));
      return 0;
    },
    fd_close: none, fd_fdstat_set_flags: none, fd_filestat_get: none, fd_filestat_set_size: none,
    fd_pread: none, fd_readdir: none, fd_renumber: none,
    fd_seek: none, fd_sync: none, fd_tell: none,
    path_open: missing, path_filestat_get: missing, path_readlink: missing, path_unlink_file: missing,
    path_remove_directory: missing, path_rename: unknown, path_create_directory: unknown, poll_oneoff: unknown,
  };
}

/** An instance of the module for one call. */
class Instance {
  #exports;
  #outputs = [null, new Output(), new Output()];

  /** shuffle(deck, draw) is the function on trial, or undefined; progress(done, total) returns true to stop. */
  constructor(module, shuffle, progress) {
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: wasi(() => this.#exports.memory, this.#outputs),
      host: {
        shuffle: (items, n, draws) => this.#shuffle(shuffle, items, n, draws),
        progress: (done, total) => progress?.(done, total) === true,
      },
    });

    this.#exports = instance.exports;
    this.#exports._initialize();
  }

  /** Lets the function shuffle the deck at `items`; `draws` is 0 if the function draws for itself. */
  #shuffle(shuffle, items, n, draws) {
    const deck = Array.from({ length: n }, (_, i) => i);
    const own = Math.random;
    let result;

    if (draws) {
      Math.random = () => this.#exports.uniform(draws);
      try {
        result = shuffle(deck, (bound) => this.#below(draws, bound));
      } finally {
        Math.random = own;
      }
    } else {
      result = shuffle(deck, (bound) => Math.floor(own() * bound));
    }
    this.#store(items, n, Array.isArray(result) ? result : deck);
  }

  #below(draws, bound) {
    if (!Number.isInteger(bound) || bound < 1 || bound > 0xffffffff)
      throw new RangeError(`draw(${bound}): the bound must be a whole number from 1 to 4294967295`);
    return this.#exports.below(draws, bound) >>> 0;
  }

  /** The memory may have grown and moved since the call began, so that this view of it is a new one. */
  #store(items, n, result) {
    const cells = new Uint16Array(this.#exports.memory.buffer, items, n);

    if (result.length !== n)
      throw new Error(`the shuffle returned ${result.length} items of ${n}`);
    for (let i = 0; i < n; i++) {
      if (!Number.isInteger(result[i]) || result[i] < 0 || result[i] >= n)
        throw new Error(`the shuffle returned ${String(result[i])}, which is none of the items 0 to ${n - 1}`);
      cells[i] = result[i];
    }
  }

  #allocate(bytes) {
    const address = this.#exports.allocate(bytes);

    if (address === 0)
      throw new Error('memory ran out');
    return address;
  }

  /** Copies a text into the module's memory; the module releases it with the rest of its memory. */
  #text(text) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const address = this.#allocate(bytes.length);

    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  run(words) {
    const addresses = ['shufflebias', ...words].map((word) => this.#text(word));
    const list = this.#allocate(4 * (addresses.length + 1));

    new Uint32Array(this.#exports.memory.buffer, list, addresses.length + 1).set([...addresses, 0]);
    const status = this.#exports.run(addresses.length, list);

    return { status, output: this.#outputs[1].text(), errors: this.#outputs[2].text() };
  }

  /** Calls the export with these options, and returns its output. */
  call(name, options) {
    const status = this.#exports[name](this.#text(JSON.stringify(options)));

    if (status !== 0)
      throw Object.assign(new Error(this.#outputs[2].text().trim()), { status: STATUS[status] });
    return this.#outputs[1].text();
  }
}

/** The engine: a compiled module, of which each call makes an instance. */
class Engine {
  #module;

  constructor(module) {
    this.#module = module;
  }

  #call(name, shuffle, { progress, ...options }) {
    const text = new Instance(this.#module, shuffle, progress).call(name, { name: shuffle.name || 'callback', ...options });

    return (options.format ?? 'json') === 'json' ? JSON.parse(text) : text;
  }

  /** Runs a command line, such as ['report', 'naive']. Returns { status, output, errors }. */
  run(words, { progress } = {}) {
    return new Instance(this.#module, undefined, progress).run(words);
  }

  /** The exact law of shuffle(deck, draw), which draws with draw(bound) or Math.random(). */
  prove(shuffle, options = {}) {
    return this.#call('prove', shuffle, options);
  }

  /** Calls shuffle(deck) until it is known whether the shuffle is fair. */
  gate(shuffle, options = {}) {
    return this.#call('gate', shuffle, options);
  }

  /** A report on many results of shuffle(deck). */
  report(shuffle, options = {}) {
    return this.#call('observe', shuffle, options);
  }
}

/** Makes an engine of the module: its bytes, or a WebAssembly.Module. */
export async function open(module) {
  return new Engine(module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module));
}
