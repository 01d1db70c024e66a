// SPDX-License-Identifier: GPL-3.0-or-later
// The gate, live. A worker runs it as fast as it can and sends its decks; the page shows them at a pace that can be
// followed: the number of decks that are shown grows by a fixed factor per second. Stop ends the worker. Continue starts
// another one with the decks that are there, so that no evidence is lost.

const LIVE_GROWTH = 2.4; // the number of decks that are shown grows by e^2.4 a second
const LIVE_FIRST = 8; // decks that are shown at once

class Live {
  #request; // { module, code, n }
  #hooks; // show({ counts, total, looks }), end(gate), error(line)
  #chunks = [];
  #counts;
  #shown = 0;
  #total = 0;
  #looks = { total: [], ln_e: [], tv_low: [], tv_high: [] };
  #gate = null;
  #worker = null;
  #frame = 0;
  over = false; // whether the gate has ended

  constructor(request, hooks) {
    this.#request = request;
    this.#hooks = hooks;
    this.#counts = new Float64Array(request.n > 8 ? 0 : Array.from({ length: request.n }, (_, i) => i + 1).reduce((a, b) => a * b));
  }

  get running() {
    return this.#frame !== 0;
  }

  /** Starts, or goes on after stop(). */
  start() {
    if (!this.#done)
      this.#work();
    this.#play();
  }

  stop() {
    this.#worker?.stop();
    this.#worker = null;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Whether the worker has its verdict. */
  get #done() {
    return this.#gate !== null && !(this.#gate.interrupted && this.#gate.verdict === 'inconclusive');
  }

  #work() {
    const decks = new Uint8Array(this.#total * this.#request.n);
    let at = 0;

    for (const chunk of this.#chunks) {
      decks.set(chunk, at);
      at += chunk.length;
    }
    this.#worker = jobStart({ ...this.#request, job: 'gate', decks }, (message) => {
      if (message.error) {
        this.stop();
        this.over = true;
        this.#hooks.error(message.error);
      }
      if (message.decks) {
        this.#chunks.push(message.decks);
        this.#total = message.total;
      }
      if (message.gate) {
        this.#gate = message.gate;
        this.#looks = message.gate.looks;
      }
    });
  }

  #play() {
    let before = performance.now();
    const step = (now) => {
      const seconds = Math.min(0.1, Math.max(0, (now - before) / 1000)), still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const wanted = still ? this.#total : Math.max(LIVE_FIRST, Math.ceil(this.#shown * Math.exp(LIVE_GROWTH * seconds)));

      before = now;
      this.#count(Math.min(this.#total, wanted));
      this.#hooks.show({ counts: this.#counts, total: this.#shown, looks: this.#looks, terms: this.#gate?.terms });
      this.#frame = requestAnimationFrame(step);
      if (this.#done && this.#shown === this.#total) {
        this.stop();
        this.over = true;
        this.#hooks.end(this.#gate);
      }
    };

    this.#frame = requestAnimationFrame(step);
  }

  /** Counts the decks up to `last`. */
  #count(last) {
    const { n } = this.#request;
    let first = 0;

    for (const chunk of this.#chunks) {
      const decks = chunk.length / n;

      for (let i = Math.max(0, this.#shown - first); n <= 8 && i < Math.min(decks, last - first); i++)
        this.#counts[ordersRank(chunk, i * n, n)]++;
      first += decks;
    }
    this.#shown = last;
  }
}
