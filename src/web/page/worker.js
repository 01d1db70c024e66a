// SPDX-License-Identifier: GPL-3.0-or-later
// The worker that runs typed code: one worker per job, which the page ends when it likes. Messages from the page:
//   { module, code, n, job: 'prove', scheme }  answers { trace }, { proof }, { shares } if the proof is not complete, { tree }, or with more than 8 cards { trace }, { matrix }
//   { module, code, n, job: 'gate', decks }    answers { decks, total } now and then, and { gate }
//   { module, code, n, job: 'count', seconds } answers { counts, total, left } now and then: cards at places
//   { module, code, n, job: 'play', answers }  answers { trace }; with { count } in place of the answers, { orders }
//   { module, code, n, job: 'compare', scheme, seconds } answers { matrix } or { law } if one is known, else as 'count'
// Every job ends with { done: true } or { error: line }. { alive: share } says that it works. The answers go through a
// port that comes with the message, and that typed code cannot reach: it could answer itself through postMessage().

const WORKER_SLICE = 700; // milliseconds until the gate first shows what it has found
const WORKER_ALIVE = 200;

/** What would let typed code leave something behind, or start a worker that has all this again. */
const WORKER_BARRED = ['BroadcastChannel', 'Worker', 'caches', 'cookieStore', 'importScripts', 'indexedDB'];
const WORKER_NAVIGATOR_BARRED = ['locks', 'serviceWorker', 'storage', 'storageBuckets'];

let workerPost = null; // sends the page an answer, as postMessage(message, transfer) does
let workerTheirs = null; // the latest exception of typed code

/** Removes properties of an object and of its prototypes. */
function workerBar(object, names) {
  for (let holder = object; holder; holder = Object.getPrototypeOf(holder))
    for (const name of names)
      Reflect.deleteProperty(holder, name);
}

/** The function of a port that sends messages. Typed code that replaces it in its prototype, or Reflect.apply, has no effect. */
function workerSender(port) {
  const { apply } = Reflect, send = port.postMessage;

  return (message, transfer = []) => apply(send, port, [message, transfer]);
}

/** The shuffle of the code, as shuffle(deck, draw, random). The code's own function gets the deck alone: it calls draw(k) by its name,
    and random() answers Math.random(), if it is given. */
function workerMake(engine, code, rewrite = (script) => script) {
  let below;
  const own = (work) => {
    try {
      return work();
    } catch (error) {
      throw workerTheirs = error;
    }
  };
  const shuffle = own(() => typedShuffle(code, (bound) => below(bound), rewrite));
  const whole = (result) => (typeof result === 'object' && result?.[Symbol.iterator] && !Array.isArray(result) ? Array.from(result) : result); // a generator draws meanwhile

  return (deck, draw, random) => {
    below = draw;
    return own(() => (random ? engine.answered(random, () => whole(shuffle(deck))) : whole(shuffle(deck))));
  };
}

/** The line of the typed code that a stack of calls comes from, or null. */
function workerLine(stack) {
  const found = new RegExp(`${TYPED_SOURCE}:(\\d+)`).exec(stack);

  return found && Number(found[1]) - 2;
}

/** The code for proofs: with draw(k) where that is possible. */
function workerDrawing(engine, code, n) {
  const own = workerMake(engine, code);

  try {
    const shuffle = workerMake(engine, code, rewriteDraws);

    traceRun(shuffle, n, workerLine);
    return shuffle;
  } catch {
    return own; // for example, a bound that is no integer
  }
}

function workerPulse() {
  let last = performance.now();

  return (done, total) => {
    const now = performance.now();

    if (now - last > WORKER_ALIVE) {
      last = now;
      workerPost({ alive: done / total });
    }
    return false;
  };
}

const unresolved = (report) => {
  const [top, bottom = '1'] = report.evidence.unresolved.split('/');

  return Number(top) / Number(bottom);
};

/** How many series may be tried: those of draw(k) are at most n^n, but those of real numbers grow with the cells. */
const workerPaths = (reals, draws) => (reals ? 3e5 : draws === 8 ? 2e7 : 1e6);

/** The exact law with these cells. Longer series of draws are tried until nothing is left, or until there are too many. */
function workerProveCells(engine, shuffle, n, cells, reals) {
  let best = null, left = 2;

  for (const draws of [8, 12, 16, 32, 64]) {
    const start = performance.now();

    try {
      const [report] = engine.prove(shuffle, {
        n, draws, paths: workerPaths(reals, draws), cells, argument: 'draw', all_counts: true, progress: workerPulse(),
      }).reports;
      const now = unresolved(report);

      if (now < left && now < 0.9) // a law of which nothing is known would look fair
        best = { report, cells, left: now };
      if (now === 0 || now === left)
        break;
      left = now;
    } catch (error) {
      if (error.status === 'too large' || error.status === 'no memory')
        break;
      throw error;
    }
    if (performance.now() - start > 400)
      break;
  }
  return best;
}

function workerProve(engine, shuffle, n, reals) {
  let best = null;

  for (const cells of reals ? [2, undefined, 24] : [undefined]) { // undefined: the least common multiple of 1 to n
    const found = workerProveCells(engine, shuffle, n, cells, reals);

    if (found && (!best || found.left < best.left))
      best = found;
    if (best?.left === 0)
      break;
  }
  return best;
}

/** Why there is no exact law of a shuffle that the engine could not repeat. */
function workerReason(line, code) {
  if (/asks for no draw/.test(line))
    return 'the code asked the page for no random number, but its results differ: it has another source of random numbers, or remembers earlier calls';
  const sort = /\bsort\b/.test(code) ? ', or on a sort that the browser optimised meanwhile' : '';

  return `the same draws led to two results: they also depend on random numbers that the page did not give, or on earlier calls${sort}`;
}

/** What is found of the law, or the reason why there is none. */
function workerProof(engine, shuffle, n, reals, code) {
  try {
    return { best: workerProve(engine, shuffle, n, reals) };
  } catch (error) {
    if (!/depends on something else/.test(error.message))
      throw error;
    return { best: null, reason: workerReason(error.message, code) }; // V8 15.6 inserts by another method once the code that calls sort() is hot
  }
}

/** The native program's report on a scheme that is the code's, with fractions as numbers; null if there is no scheme, or no exact law. */
function workerReport(engine, scheme, n) {
  const { status, output } = scheme ? engine.run(['report', scheme, '-n', `${n}`, '--by', 'exact', '--format', 'json']) : { status: 2 };

  return status > 1 ? null : JSON.parse(output).reports[0];
}

/** The shares of cards at places. */
function workerMatrix({ matrix }) {
  return matrix?.flat().map((fraction) => fraction.split('/').map(Number).reduce((top, bottom) => top / bottom)) ?? null;
}

function workerProveJob(engine, { code, n, scheme }) {
  engine.hold(); // the code may keep a copy of Math.random
  const shuffle = workerDrawing(engine, code, n), trace = traceRun(shuffle, n, workerLine), { reals } = trace;

  workerPost({ trace });
  if (n > 8) {
    workerPost({ matrix: workerMatrix(workerReport(engine, scheme, n) ?? {}) });
    return;
  }
  const { best, reason } = workerProof(engine, shuffle, n, reals, code), cells = best?.cells || 60;

  workerPost({ proof: best && { report: best.report, left: best.left }, reason });
  const known = best?.left !== 0 && n <= 5 ? workerReport(engine, scheme, n)?.evidence : null;

  if (known)
    workerPost({ shares: known.counts.map((count) => count / known.denominator) });
  const watched = !/\bcrypto\b/.test(code.replace(/\/\/.*/g, '')); // the tree and the stepper see draw(k) and Math.random()

  workerPost({ watched, tree: best && watched && (!reals || best.left === 0) ? { leaves: treeLeaves(shuffle, n, cells), cells } : null });
}

/** The decks of a gate, a byte per item, which grow. */
class Decks {
  #n;
  #bytes;
  #posted;
  total;

  constructor(n, bytes) {
    this.#n = n;
    this.#bytes = new Uint8Array(Math.max(1 << 16, 2 * bytes.length));
    this.#bytes.set(bytes);
    this.total = this.#posted = bytes.length / n;
  }

  at(index, deck) {
    for (let i = 0; i < this.#n; i++)
      deck[i] = this.#bytes[index * this.#n + i];
  }

  add(deck) {
    const start = this.total++ * this.#n;

    if (start + this.#n > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);

      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    for (let i = 0; i < this.#n; i++)
      this.#bytes[start + i] = deck[i];
  }

  /** Sends the page what it does not have yet. */
  post() {
    if (this.total === this.#posted)
      return;
    const decks = this.#bytes.slice(this.#posted * this.#n, this.total * this.#n);

    this.#posted = this.total;
    workerPost({ decks, total: this.total }, [decks.buffer]);
  }
}

/** The gate. It starts with the decks that the page has, and stops now and then to show E and the bounds so far. It then
    judges its decks again from the first: the same decks have the same verdict. */
function workerGateJob(engine, { code, n, decks: bytes }) {
  const own = workerMake(engine, code), decks = new Decks(n, bytes);

  for (let slice = WORKER_SLICE; ; slice *= 2) {
    const start = performance.now();
    let used = 0, posted = start;
    const shuffle = (deck, draw) => {
      if (used < decks.total) {
        decks.at(used++, deck);
        return deck;
      }
      const result = own(deck, draw), cards = Array.isArray(result) ? result : deck;

      if (cards.length === n) // the host complains of any other length
        decks.add(cards);
      used++;
      return cards;
    };
    const [gate] = engine.gate(shuffle, { n, max_bias: n > 8 ? 0.05 : 0.02, name: 'shuffle', argument: 'draw', progress: () => {
      const now = performance.now();

      if (now - posted > WORKER_ALIVE) {
        posted = now;
        decks.post();
        workerPost({ alive: 0 });
      }
      return now - start > slice;
    } }).gates;

    decks.post();
    workerPost({ gate });
    if (!gate.interrupted || gate.verdict !== 'inconclusive')
      return;
  }
}

function workerPlayJob(engine, { code, n, answers, count }) {
  engine.hold();
  workerPost(count ? { orders: traceCount(workerMake(engine, code), n, count) }
    : { trace: traceRun(workerDrawing(engine, code, n), n, workerLine, answers) });
}

/** Counts for the matrix alone, which is much faster than a gate. */
function workerCountJob(engine, { code, n, seconds }) {
  const shuffle = workerMake(engine, code), counts = new Float64Array(n * n), end = performance.now() + 1000 * seconds;
  let total = 0, posted = performance.now(), now;

  do {
    for (const last = total + 100; total < last; total++) {
      const deck = Array.from({ length: n }, (_, i) => i), result = shuffle(deck, (bound) => Math.floor(bound * Math.random()));

      (Array.isArray(result) ? result : deck).forEach((card, place) => { counts[card * n + place]++; });
    }
    now = performance.now();
    if (now - posted > WORKER_ALIVE || now >= end) {
      posted = now;
      workerPost({ counts, total, left: Math.max(0, end - now) / 1000 });
    }
  } while (now < end);
}

/** The exact matrix or law if it is known, else counts. */
function workerCompareJob(engine, { code, n, scheme, seconds }) {
  const matrix = workerMatrix(workerReport(engine, scheme, n) ?? {});
  let best = null;

  if (!matrix && n <= 8) {
    engine.hold();
    const shuffle = workerDrawing(engine, code, n), { reals } = traceRun(shuffle, n, workerLine);

    ({ best } = workerProof(engine, shuffle, n, reals, code));
  }
  if (matrix)
    workerPost({ matrix });
  else if (best?.left === 0)
    workerPost({ law: best.report.evidence.counts.map((count) => Number(count) / Number(best.report.evidence.denominator)) });
  else
    workerCountJob(engine, { code, n, seconds });
}

/** What is wrong, and whose it is, with the line of typed code. Cards count from 1, as on the page. */
function workerError(error) {
  const line = String(error?.message ?? error).replace(/^callback: /, ''), twice = /item (\d+) stands twice/.exec(line);
  const at = workerLine(error?.stack ?? '');

  if (twice)
    return `the shuffle lost a card: card ${Number(twice[1]) + 1} is in the result twice`;
  if (error === workerTheirs && at)
    return `line ${at} of your code: ${line}`;
  return error?.status ? line : `${error === workerTheirs ? 'your code' : 'this page has a fault, and not your code'}: ${line}`;
}

self.onmessage = async ({ data, ports }) => {
  self.onmessage = null;
  workerPost = workerSender(ports[0]);
  workerBar(self, WORKER_BARRED);
  workerBar(navigator, WORKER_NAVIGATOR_BARRED);
  try {
    const engine = await open(data.module);

    ({ prove: workerProveJob, gate: workerGateJob, count: workerCountJob, play: workerPlayJob, compare: workerCompareJob })[data.job](engine, data);
    workerPost({ done: true });
  } catch (error) {
    workerPost({ error: workerError(error), unread: error?.unread });
  }
};
