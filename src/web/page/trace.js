// SPDX-License-Identifier: GPL-3.0-or-later
// Records one run of a shuffle as frames of the stepper (src/report/html/stepper.js): one per draw.

const TRACE_RANDOM = Math.random; // the worker replaces it later
const TRACE_DRAWS = 5000; // a shuffle that draws more often probably never ends

/** The cards of a result that grows by push(): the array to which the code appended last. */
function traceWatchPush(deck, on) {
  const own = Array.prototype.push;

  Array.prototype.push = function push(...items) {
    if (this !== deck && items.every((item) => item === undefined || typeof item === 'number'))
      on(this);
    return own.apply(this, items);
  };
  return () => { Array.prototype.push = own; };
}

/** The state between draws. Cards are numbered from 1, as on the page. */
class Trace {
  deck;
  frames = [];
  drawn = [];
  #result = null;
  #said = null;

  constructor(n) {
    this.deck = Array.from({ length: n }, (_, i) => i);
  }

  /** Ends the step of the draw before, and begins the step of this draw. */
  drew(answer, said) {
    this.#step();
    this.drawn[this.drawn.length] = answer; // push() is watched
    if (this.drawn.length > TRACE_DRAWS)
      throw new Error(`the shuffle drew ${TRACE_DRAWS.toLocaleString('en-US')} random numbers and did not end: does it draw indefinitely?`);
    this.#said = said;
  }

  appends(array) {
    this.#result = array;
  }

  #step(text = this.#said ?? `The deck before the shuffle.`) {
    if (this.frames.length > 400) // enough for 52 cards; a person does not step on
      return;
    const cards = (list) => Array.from(list, (item) => (typeof item === 'number' ? item + 1 : null));
    const before = this.frames.at(-1), items = cards(this.deck), out = this.#result ? cards(this.#result) : [];
    const moved = before ? items.flatMap((item, i) => (item === before.items[i] ? [] : [i])) : [];
    const moves = before && before.items.length === items.length && moved.length > 0
      ? `: ${moved.map((i) => `${items[i] ?? 'nothing'} to place ${i + 1}`).join(', ')}` : '';
    const takes = before && out.length > (before.out?.length ?? 0) ? `: takes card ${out.at(-1) ?? 'none'}` : '';

    this.frames.push({ items, out, moved: before?.items.length === items.length ? moved : [], text: text + (takes || moves), path: this.drawn.slice() });
  }

  /** The last step, and the result. */
  end(result) {
    this.#step();
    const last = this.frames.at(-1), order = result.map((item) => (typeof item === 'number' ? item + 1 : null));

    if ([...last.items, ...last.out].join() !== order.join())
      this.frames.push({ items: order, out: [], moved: [], text: `The result: ${order.join(' ')}`, path: this.drawn.slice() });
    else
      last.text += `. The result: ${order.join(' ')}`;
  }
}

/** Runs shuffle(deck, draw, random) once with real random numbers; random() stands for Math.random(). Returns { frames, reals }, where reals says that it used Math.random()
    otherwise than for integers; its path has the numbers themselves then. */
function traceRun(shuffle, n) {
  const trace = new Trace(n), restore = traceWatchPush(trace.deck, (array) => trace.appends(array));
  let reals = false;
  const draw = (bound) => {
    const answer = Math.floor(TRACE_RANDOM() * bound);

    trace.drew(answer, `Draw ${trace.drawn.length + 1}: one of 0 to ${bound - 1} gives ${answer}`);
    return answer;
  };

  const random = () => {
    const value = TRACE_RANDOM();

    reals = true;
    trace.drew(value, `Draw ${trace.drawn.length + 1}: Math.random() gives ${value.toFixed(3)}`);
    return value;
  };
  try {
    const result = shuffle(trace.deck, draw, random);

    trace.end(Array.isArray(result) ? result : trace.deck);
  } finally {
    restore();
  }
  return { frames: trace.frames, reals };
}
