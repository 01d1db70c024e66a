// SPDX-License-Identifier: GPL-3.0-or-later
// Records one run of a shuffle as frames of the stepper (stepper.js): one for each draw, and one for what the code then
// does with the answer, each with the lines of code that do it.

const TRACE_RANDOM = Math.random; // the worker replaces it later
const TRACE_DRAWS = 5000; // a shuffle that draws more often probably never ends
const TRACE_FRAMES = 400; // enough for 52 cards; a person does not step on

/** Calls on() when an element of the array from `first` on is written. structuredClone() copies such an array, but no Proxy. */
function traceWatch(array, first, on) {
  for (let i = first; i < array.length; i++) {
    let value = array[i];

    Object.defineProperty(array, i, { configurable: true, enumerable: true, get: () => value, set: (item) => {
      value = item;
      on();
    } });
  }
}

/** The cards of a result that grows by push(): the array to which the code appended last. */
function traceWatchPush(deck, on) {
  const own = Array.prototype.push;

  Array.prototype.push = function push(...items) {
    const length = own.apply(this, items);

    if (this !== deck && items.every((item) => item === undefined || typeof item === 'number'))
      on(this, length - items.length);
    return length;
  };
  return () => { Array.prototype.push = own; };
}

const traceCards = (list) => Array.from(list, (item) => (typeof item === 'number' ? item + 1 : null));

/** The state between draws. Cards are numbered from 1, as on the page. */
class Trace {
  deck;
  frames = [];
  path = []; // { bound, answer }; the bound is null for a real number
  #where;
  #lines = [];
  #result = null;

  /** where(stack) is the line of the code that a stack of calls comes from, or null. */
  constructor(n, where) {
    this.deck = Array.from({ length: n }, (_, i) => i);
    this.#where = where;
    this.#frame('The deck before the shuffle.', []);
    traceWatch(this.deck, 0, () => this.#writes());
  }

  drew(bound, answer, said) {
    this.#step();
    this.path.push({ bound, answer });
    if (this.path.length > TRACE_DRAWS)
      throw new Error(`the shuffle drew ${TRACE_DRAWS.toLocaleString('en-US')} random numbers and did not end: does it draw indefinitely?`);
    this.#frame(`Draw ${this.path.length}: ${said}`, [this.#line()]);
  }

  appends(array, first) {
    this.#result = array;
    traceWatch(array, first, () => this.#writes());
    this.#writes();
  }

  #line() {
    return this.#where(new Error('').stack);
  }

  #writes() {
    if (this.frames.length <= TRACE_FRAMES)
      this.#lines = [...this.#lines, this.#line()];
  }

  /** What the code did since the last frame, if anything. */
  #step() {
    const { items: before, out: had } = this.frames.at(-1), items = traceCards(this.deck), out = traceCards(this.#result ?? []);
    const moved = items.length === before.length ? items.flatMap((item, i) => (item === before[i] ? [] : [i])) : [];
    const moves = moved.map((i) => `${items[i] ? `card ${items[i]}` : 'nothing'} to place ${i + 1}`);
    const takes = out.filter((card) => card && !had.includes(card)).map((card) => `takes card ${card}`);
    const text = [...takes, ...moves].join(', ') || 'nothing moves';

    if (this.#lines.length || takes.length || moves.length || out.join() !== had.join() || items.length !== before.length)
      this.#frame(text[0].toUpperCase() + text.slice(1), this.#lines, moved);
    this.#lines = [];
  }

  #frame(text, lines, moved = []) {
    if (this.frames.length <= TRACE_FRAMES)
      this.frames.push({ items: traceCards(this.deck), out: traceCards(this.#result ?? []), moved, text, draws: this.path.length, lines });
  }

  /** The last step, and the result. Returns its order. */
  end(result) {
    this.#step();
    const last = this.frames.at(-1), order = traceCards(result);

    if ([...last.items, ...last.out].join() !== order.join())
      this.frames.push({ items: order, out: [], moved: [], text: `The result: ${order.join(' ')}`, draws: this.path.length, lines: [] });
    else
      last.text += `. The result: ${order.join(' ')}`;
    return order;
  }
}

/** Runs shuffle(deck, draw, random) once with these answers to its first draws, then with real random numbers; random() stands for
    Math.random(). Returns { frames, path, order, reals }, where reals says that it used Math.random() otherwise than for integers. */
function traceRun(shuffle, n, where, answers = []) {
  const trace = new Trace(n, where), restore = traceWatchPush(trace.deck, (array, first) => trace.appends(array, first));
  let reals = false;
  const draw = (bound) => {
    const answer = Math.min(answers[trace.path.length] ?? Math.floor(TRACE_RANDOM() * bound), bound - 1);

    trace.drew(bound, answer, `one of 0 to ${bound - 1} gives ${answer}`);
    return answer;
  };
  const random = () => {
    const value = answers[trace.path.length] ?? TRACE_RANDOM();

    reals = true;
    trace.drew(null, value, `Math.random() gives ${value.toFixed(3)}`);
    return value;
  };

  try {
    const result = shuffle(trace.deck, draw, random), order = trace.end(Array.isArray(result) ? result : trace.deck);

    return { frames: trace.frames, path: trace.path, order, reals };
  } finally {
    restore();
  }
}

/** How often each order comes up, by rank, in `count` runs with real random numbers. */
function traceCount(shuffle, n, count) {
  const counts = ordersAll(n).map(() => 0);

  for (let i = 0; i < count; i++) {
    const deck = Array.from({ length: n }, (_, card) => card), result = shuffle(deck, (bound) => Math.floor(TRACE_RANDOM() * bound));

    counts[ordersRank(Array.isArray(result) ? result : deck, 0, n)]++;
  }
  return counts;
}
