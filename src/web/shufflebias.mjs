// SPDX-License-Identifier: GPL-3.0-or-later
/**
 * The host of the WebAssembly module, for node and for browsers (docs/web.md). The host needs no network and no files. build.sh
 * joins this file, sources.mjs and wasi.mjs, so that the host is one file.
 *
 *     const engine = await open(bytes);
 *     engine.run(['report', 'naive', '--format', 'json']);   // a command line
 *     engine.prove((deck) => ..., { n: 4 });                              // the exact law of a function
 *     engine.prove((deck, draw) => ..., { n: 4, argument: 'draw' });      // of a function that takes its draws as an argument
 *     engine.gate((deck) => ..., { n: 52, max_bias: 0.02 });               // a gate on a function
 *
 * Each call has its own instance of the module. So a call that throws leaves no trace, and the memory of every call is
 * freed.
 */

import { Sources } from './sources.mjs';
import { wasi } from './wasi.mjs';

/** The statuses that the library's calls return: enum sb_status of src/shufflebias.h. */
const STATUS = ['ok', 'invalid', 'too large', 'no memory', 'io', 'stopped', 'subject', 'broken'];

/** An item that a function shuffles has 16 bits. */
const ITEMS_MOST = 65536;

/** A function with more draws than this in its first shuffle is taken for an endless loop. */
const DRAWS_MOST = (n) => 1e6 + n * n;

/** An error with a status of STATUS. */
function fault(status, message) {
  return Object.assign(new Error(message), { status });
}

/** The options of a call. */
function checkedOptions(options) {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw fault('invalid', 'the options must be an object, such as { n: 4 }');
  return options;
}

/** A bound of draw(), which is wrong in a gate as in a proof. */
function checkedBound(bound) {
  if (!Number.isInteger(bound) || bound < 1 || bound > 0xffffffff)
    throw new RangeError(`draw(${bound}): the bound must be a whole number from 1 to 4294967295`);
  return bound;
}

/** The draws of a function in a gate or a report. */
const ownDraw = (bound) => Math.floor(Math.random() * checkedBound(bound));

/** The second argument of a function with the option { argument: 'rng' }. A proof replaces Math.random. */
const ownRandom = () => Math.random();

/** What `argument` may ask for. */
const ARGUMENTS = ['draw', 'rng'];

/** An error that a second argument may prevent says so. A function's length does not tell: knuth-shuffle-seeded(array, seed) has 2 parameters, and needs 1 argument. */
function advised(error, shuffle, argument) {
  const line = `; the function has ${shuffle.length} parameters and got the items alone: \`argument\` adds 'draw' or 'rng'`;

  if (error?.name === 'TypeError' && shuffle.length > 1 && argument === undefined && !error.message.endsWith(line))
    error.message += line;
  return error;
}

/** Whether the result of a function is known only later. */
const isAsynchronous = (result) => typeof result?.then === 'function' || typeof result?.[Symbol.asyncIterator] === 'function';

/** The items of a result: an array, or another object with items, such as a typed array, of which n + 1 are enough. Without items, `deck` is the result. */
function itemsOf(result, deck) {
  if (typeof result !== 'object' || typeof result?.[Symbol.iterator] !== 'function')
    return deck;
  if (Array.isArray(result))
    return result;
  const items = [], n = deck.length;

  for (const item of result)
    if (items.push(item) > n)
      break;
  return items;
}

/** Ends a function whose result is no longer needed. */
const OVER = new Error('the result of this shuffle is no longer needed');

/** An instance of the module for one call. */
class Instance {
  #exports;
  #said = ['', '', '']; // what the module has written to each descriptor
  #sources;
  #shuffle;
  #argument; // the kind of the function's second argument, of ARGUMENTS; undefined if the function gets the items alone
  #functions;
  #fault; // what a draw has thrown; the function may have caught it
  #first = true; // whether the function under test was not called yet
  #deal; // how many items the function may return in place of all
  #replaced = false; // whether a proof has replaced the sources of randomness
  #chosen = 0; // the address of the function's name on a command line

  /**
   * `shuffle(deck)` is the function under test, if there is one; `argument` says which second argument it gets, if any; `deal` says
   * how many items it deals, if not all; `functions` are functions by name, as command lines name them; progress(done, total)
   * returns true to stop; `system` is a WASI, as that of node:wasi, in place of one without files.
   */
  constructor(module, sources, { shuffle, argument, deal, functions = {}, progress, system }) {
    if (argument !== undefined && !ARGUMENTS.includes(argument))
      throw fault('invalid', `\`argument\` must be ${ARGUMENTS.map((name) => `'${name}'`).join(' or ')}`);
    this.#sources = sources;
    this.#shuffle = shuffle;
    this.#argument = argument;
    this.#deal = deal;
    this.#functions = functions;
    system ??= wasi(this.#said);
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: system.wasiImport,
      host: {
        shuffle: (items, n, draws) => this.#call(items, n, draws),
        choose: (name) => this.#choose(name),
        progress: (done, total) => progress?.(done, total) === true,
      },
    });

    this.#exports = instance.exports;
    system.initialize(instance);
  }

  #choose(address) {
    if (address === this.#chosen)
      return true;
    const name = this.#read(address), found = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;

    this.#first ||= found !== this.#shuffle;
    this.#shuffle = found;
    this.#chosen = found ? address : 0;
    return found !== undefined;
  }

  /** Lets the function shuffle the deck at `items`; `draws` is 0 if the function draws its own random numbers. */
  #call(items, n, draws) {
    const cells = this.#deck(items, n), deck = [];

    for (let i = 0; i < n; i++)
      deck.push(cells[i]);
    const result = draws ? this.#proved(deck, draws) : this.#first ? this.#counted(deck) : this.#shuffled(deck, ownDraw);

    if (result !== OVER)
      this.#store(cells.length === n ? cells : this.#deck(items, n), this.#completed(result, n)); // a memory that grows moves
  }

  /** Calls the function, and returns the items of its result. Some results draw while their items are read. */
  #shuffled(deck, draw) {
    try {
      const result = this.#called(deck, draw);

      if (!isAsynchronous(result))
        return itemsOf(result, deck);
      result.then?.(() => {}, () => {}); // what the promise becomes is of no interest
    } catch (error) {
      throw advised(error, this.#shuffle, this.#argument);
    }
    throw fault('subject', 'the shuffle returned a promise: use a function that returns when the deck is shuffled');
  }

  /** A second argument that the function did not ask for would be its seed, its count or its source of random numbers. The function is no method, and has no `this`. */
  #called(deck, draw) {
    const shuffle = this.#shuffle;

    return this.#argument === undefined ? shuffle(deck) : shuffle(deck, this.#argument === 'draw' ? draw : ownRandom);
  }

  /** The items that stay in the deck follow a deal in their order. */
  #completed(result, n) {
    if (result.length !== this.#deal || this.#deal === n)
      return result;
    const dealt = new Set(result), stay = Array.from({ length: n }, (_, i) => i).filter((item) => !dealt.has(item));

    return [...result, ...stay].slice(0, n); // after an item that was dealt twice, too many stay
  }

  /** Calls the function with the draws of a proof. Returns OVER if the result is no longer needed. */
  #proved(deck, address) {
    const draws = {
      below: (bound) => this.#wanted(this.#below(address, bound), address),
      uniform: () => this.#wanted(this.#exports.sb_draws_uniform(address), address),
      refuse: (message) => this.#fault = fault('too large', message),
    };

    let result;

    if (!this.#replaced) {
      this.#replaced = true;
      this.#sources.replace();
    }
    this.#sources.draws = draws;
    try {
      result = this.#shuffled(deck, draws.below);
    } catch (error) {
      this.#fault ??= error ?? new Error(`the shuffle threw ${error}`);
    }
    this.#sources.draws = null;
    if (this.#fault && this.#fault !== OVER)
      throw this.#fault;
    const over = this.#fault === OVER;

    this.#fault = undefined;
    return over ? OVER : result;
  }

  #wanted(answer, draws) {
    if (this.#exports.over(draws))
      throw this.#fault = OVER;
    return answer;
  }

  /** The first shuffle of a gate or a report. A function that draws indefinitely would never return. */
  #counted(deck) {
    const most = DRAWS_MOST(deck.length);
    let count = 0;

    this.#first = false;
    this.#sources.count = () => {
      if (++count > most)
        throw fault('subject', `no deck after ${most} draws: does the shuffle loop indefinitely?`);
    };
    this.#sources.replace();
    try {
      return this.#shuffled(deck, ownDraw);
    } finally {
      this.#sources.restore();
    }
  }

  #below(draws, bound) {
    return this.#exports.sb_draws_below(draws, checkedBound(bound)) >>> 0;
  }

  #deck(items, n) {
    return new Uint16Array(this.#exports.memory.buffer, items, n);
  }

  /** Copies the result to the deck. */
  #store(cells, result) {
    const n = cells.length;

    if (result.length !== n)
      throw fault('subject', `the shuffle returned ${result.length} items of ${n}${this.#deal ? `: return all of them, or the ${this.#deal} that it deals` : ''}`);
    for (let i = 0; i < n; i++) {
      if (!Number.isInteger(result[i]) || result[i] < 0 || result[i] >= n)
        throw fault('subject', `the shuffle returned ${String(result[i])}, which is none of the items 0 to ${n - 1}`);
      cells[i] = result[i];
    }
  }

  #allocate(bytes) {
    const address = this.#exports.malloc(bytes);

    if (address === 0)
      throw fault('no memory', 'memory ran out');
    return address;
  }

  /** Copies a text into the module's memory. The text is freed with the rest of the module's memory. */
  #text(text) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const address = this.#allocate(bytes.length);

    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  /** The text at an address. */
  #read(address) {
    const bytes = new Uint8Array(this.#exports.memory.buffer, address);

    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** Calls an export, and restores the sources of randomness if a proof has replaced them. */
  #enter(name, ...words) {
    try {
      return this.#exports[name](...words);
    } finally {
      if (this.#replaced)
        this.#sources.restore();
      this.#replaced = false;
    }
  }

  run(words, folder) {
    if (folder !== undefined && this.#exports.chdir(this.#text(folder)) !== 0)
      throw fault('io', `cannot work in the folder '${folder}'`);
    const addresses = ['shufflebias', ...words].map((word) => this.#text(word));
    const list = this.#allocate(4 * (addresses.length + 1));

    new Uint32Array(this.#exports.memory.buffer, list, addresses.length + 1).set([...addresses, 0]);
    const status = this.#enter('run', addresses.length, list);

    return { status, output: this.#said[1], errors: this.#said[2] };
  }

  #fail(request) {
    const status = STATUS[this.#exports.sb_status(request)], line = this.#read(this.#exports.sb_error(request));

    throw fault(status, line.startsWith('unknown option') ? `${line} (beside those of the command line, there are name, argument, format, progress)` : line);
  }

  /** A request for a command with these options. */
  #request(command, options) {
    const request = this.#exports.request(this.#text(command));

    for (const [name, value] of Object.entries(options))
      if (value !== undefined && this.#exports.sb_set(request, this.#text(name), this.#text(optionText(name, value))) !== 0)
        this.#fail(request);
    return request;
  }

  /** The result of a command with these options, as the texts of these formats. */
  call(command, options, formats) {
    const request = this.#request(command, options), result = this.#enter('sb_run', request);

    if (result === 0)
      this.#fail(request);
    return formats.map((format) => {
      const text = this.#exports.sb_text(result, this.#text(format), 0);

      if (text === 0)
        throw fault('invalid', this.#read(this.#exports.sb_result_error(result)));
      return this.#read(text);
    });
  }

  /** Decks of a scheme. */
  deal(samples, options) {
    const request = this.#request('deal', options), option = (name) => this.#read(this.#exports.sb_option(request, this.#text(name)));

    return Array.from({ length: samples }, () => {
      const items = this.#exports.sb_next(request), count = Number(options.deal ?? option('n'));

      if (items === 0)
        this.#fail(request);
      return Array.from(new Uint32Array(this.#exports.memory.buffer, items, count));
    });
  }
}

/** The modules of node that draw; none in browsers and before node 20.16. */
function builtins() {
  const find = globalThis.process?.getBuiltinModule;

  return find ? { crypto: find('node:crypto'), sync: find('node:module').syncBuiltinESMExports } : undefined;
}

/** The value of an option as the text that the command line would have. A character 0 would end the text. */
function optionText(name, value) {
  if (!['number', 'string', 'boolean', 'bigint'].includes(typeof value))
    throw fault('invalid', `\`${name}\` cannot be of the type ${typeof value}: use a number or a text`);
  const text = typeof value === 'boolean' ? String(Number(value)) : String(value);

  if (text.includes('\0'))
    throw fault('invalid', `\`${name}\` has the character \\0: leave it out`);
  return text;
}

/** The engine: a compiled module. Each call makes an instance of the module. */
class Engine {
  #module;
  #sources;

  constructor(module, node) {
    this.#module = module;
    this.#sources = new Sources(node);
  }

  #call(name, shuffle, given) {
    const { argument, progress, format = 'json', ...options } = checkedOptions(given);

    if (progress !== undefined && progress !== null && typeof progress !== 'function')
      throw fault('invalid', '`progress` must be a function');
    if (typeof shuffle !== 'function')
      throw fault('invalid', `${shuffle === null ? null : typeof shuffle} is no shuffle: pass a function that shuffles an array`);
    if (options.n === 0 && name !== 'prove')
      throw fault('invalid', '`n = 0`: there is nothing to shuffle: use n >= 2');
    if (options.n > ITEMS_MOST)
      throw fault('too large', `\`n = ${options.n}\` is too large for a function: use n <= ${ITEMS_MOST}`);
    for (const option of ['seed', 'draw', 'rng'])
      if (options[option] !== undefined)
        throw fault('invalid', `\`${option}\`: a function draws its own random numbers: leave it out`);
    const formats = String(format).split('+');
    const results = new Instance(this.#module, this.#sources, { shuffle, argument, deal: options.deal, progress })
      .call(name, { name: shuffle.name || 'callback', ...options }, formats)
      .map((text, i) => (formats[i] === 'json' ? JSON.parse(text) : text));

    return formats.length > 1 ? results : results[0];
  }

  /**
   * Runs a command line, such as ['report', 'naive']. Returns { status, output, errors }. `functions` are functions by
   * name: the words '--', a name and a number of items name a function as the command on trial. `argument` is that of the
   * functions. `system` is a WASI that reads and writes files, such as that of node:wasi, and its output is not returned; relative
   * paths start at `folder`.
   */
  run(words, options = {}) {
    return new Instance(this.#module, this.#sources, options).run(words, options.folder);
  }

  /** Decks of a shuffle that shufflebias knows or, if it is null, of the law options.fair: an array of arrays of the items 0 to n - 1. */
  deal(scheme, options = {}) {
    if (!(scheme === null && options?.fair) && (typeof scheme !== 'string' || scheme.startsWith('-'))) // an option
      throw fault('invalid', `'${String(scheme)}' is no shuffle: name one, such as 'fisher-yates'`);
    const { samples = 10, ...rest } = checkedOptions(options);

    if (!Number.isInteger(samples) || samples < 0)
      throw fault('invalid', `\`samples = ${String(samples)}\` must be a whole number`);
    return new Instance(this.#module, this.#sources, {}).deal(samples, { ...rest, scheme: scheme ?? undefined });
  }

  /**
   * Replaces the sources of randomness for good. They draw as before, but a proof can answer them in code that is loaded from now on, even if
   * the code keeps a copy of Math.random.
   */
  hold() {
    this.#sources.hold();
  }

  /** Returns what work() returns. During the call, uniform() answers in place of Math.random(). */
  answered(uniform, work) {
    return this.#sources.answered({ uniform }, work);
  }

  /** Returns the exact law of shuffle(deck). The shuffle draws from a source of JavaScript, or with the second argument that `argument` asks for. */
  prove(shuffle, options = {}) {
    try {
      return this.#call('prove', shuffle, options);
    } catch (error) {
      if (error?.status === 'subject' && error.message.includes('depends on something else'))
        error.message += '; if the function copied Math.random when it was loaded, use a gate';
      throw error;
    }
  }

  /** Calls shuffle(deck) until it is known whether the shuffle is fair. The format 'json+text' gives both, in an array. */
  gate(shuffle, options = {}) {
    return this.#call('gate', shuffle, options);
  }

  /** Returns a report on many results of shuffle(deck). */
  report(shuffle, options = {}) {
    return this.#call('report', shuffle, options);
  }
}

/**
 * Makes an engine from a module, which is its bytes or a WebAssembly.Module. `node` is { crypto, sync }, the module node:crypto and
 * syncBuiltinESMExports() of node:module, whose draws a proof answers; by default those of this process, if it tells.
 */
export function openSync(module, node = builtins()) {
  return new Engine(module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module), node);
}

/** As openSync(), but compiles the module in the background, which browsers ask for. */
export async function open(module, node) {
  return openSync(module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module), node);
}
