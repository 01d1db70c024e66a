// SPDX-License-Identifier: GPL-3.0-or-later
/**
 * The host of the WebAssembly module, for node and for browsers (docs/web.md). The host needs no network, no files and
 * no other module.
 *
 *     const engine = await open(bytes);
 *     engine.run(['report', 'naive', '--format', 'json']);   // a command line
 *     engine.prove((deck, draw) => ..., { n: 4 });           // the exact law of a function
 *     engine.gate((deck) => ..., { n: 52, exclude: 0.02 });  // a gate on a function
 *
 * Each call has its own instance of the module. So a call that throws leaves no trace, and the memory of every call is
 * freed.
 */

/** The statuses that the library's calls return: enum sb_status of src/shufflebias/basics.h. */
const STATUS = ['ok', 'invalid', 'too large', 'no memory', 'io', 'stopped', 'subject', 'broken'];

/** Error numbers of WASI. */
const BADF = 8, NOENT = 44, NOSYS = 52;

/** Folders by descriptor. All folders are empty, so every file that the module asks for is missing. */
const FOLDERS = { 3: '/', 4: '.' };

/** The bytes that the module has written to a stream, and the text that they form. */
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

/** The functions that WASI requires of a host. There are no files, so the module can write only to standard output and
 * standard error. */
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
      const milliseconds = clock === 0 ? Date.now() : performance.now(); // clock 0 tells the date and the time

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
    fd_fdstat_get(descriptor, result) { // the type (3: folder, 0: unknown), the flags and two sets of rights
      if (!FOLDERS[descriptor] && !(descriptor in outputs))
        return BADF;
      view().setUint32(result, FOLDERS[descriptor] ? 3 : 0, true);
      view().setBigUint64(result + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(result + 16, 0xffffffffffffffffn, true);
      return 0;
    },
    fd_prestat_get(descriptor, result) { // the type (0: folder) and the length of the folder's name
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

  /**
   * shuffle(deck, draw) is the function under test, or undefined. progress(done, total) returns true if the work should
   * stop.
   */
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

  /** Lets the function shuffle the deck at `items`. `draws` is 0 if the function draws its own random numbers. */
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

  /** Copies the result to `items`. Makes a new view of the memory, which may have moved since the call began. */
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

  /** Copies a text into the module's memory. The text is freed with the rest of the module's memory. */
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

  /** Calls the exported function `name` with these options, and returns the function's output. */
  call(name, options) {
    const status = this.#exports[name](this.#text(JSON.stringify(options)));

    if (status !== 0)
      throw Object.assign(new Error(this.#outputs[2].text().trim()), { status: STATUS[status] });
    return this.#outputs[1].text();
  }
}

/** The engine: a compiled module. Each call makes an instance of the module. */
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

  /** Returns the exact law of shuffle(deck, draw). The shuffle draws with draw(bound) or Math.random(). */
  prove(shuffle, options = {}) {
    return this.#call('prove', shuffle, options);
  }

  /** Calls shuffle(deck) until it is known whether the shuffle is fair. */
  gate(shuffle, options = {}) {
    return this.#call('gate', shuffle, options);
  }

  /** Returns a report on many results of shuffle(deck). */
  report(shuffle, options = {}) {
    return this.#call('observe', shuffle, options);
  }
}

/** Makes an engine from a module. `module` has the module's bytes, or is a WebAssembly.Module. */
export async function open(module) {
  return new Engine(module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module));
}
