// SPDX-License-Identifier: GPL-3.0-or-later
// The animation of a shuffle: its code, whose current lines are lit; the cards; the draws, which the reader may choose; the tree,
// in which the path grows; and a histogram, into which the results drop. It comes after stepper.js and the files of its figures.

const PLAY_ANSWERS = 12; // a draw with more answers has no button for each
const PLAY_TENTHS = 10; // a real number is chosen by its first digit
const PLAY_MORE = [1, 100, 10000];

/** The elements, by their ids. */
function playParts(host) {
  const add = (parent, kind, id) => stepperElement(parent, kind, { id });
  const part = (parent, kind = 'div') => stepperElement(parent, kind, {});
  const [top, below] = [1, 2].map(() => stepperElement(host, 'div', { className: 'play' })), lines = add(top, 'ol', 'lines');
  const right = part(top), stepper = add(right, 'div', 'stepper'), draws = add(right, 'div', 'draws');
  const [paths, results] = [1, 2].map(() => part(below, 'figure'));
  const parts = {
    lines, stepper, draws, label: part(draws, 'span'), paths, tree: add(paths, 'div', 'tree'), treeText: add(paths, 'figcaption', 'tree-text'),
    histogram: add(results, 'div', 'histogram'), text: add(results, 'figcaption', 'histogram-text'), more: add(results, 'div', 'more'),
  };

  for (const [one, label] of [[lines, 'The code'], [parts.tree, 'The tree of draws'], [draws, 'The next draw'], [parts.more, 'More results']]) {
    one.setAttribute('aria-label', label);
    if (one !== lines)
      one.setAttribute('role', 'group');
  }
  parts.tree.className = 'wide';
  lines.tabIndex = parts.tree.tabIndex = 0; // they scroll
  parts.draws.className = parts.more.className = 'stepper-bar';
  parts.text.setAttribute('aria-live', 'polite');
  return parts;
}

class Play {
  parts;
  #ask;
  #stepper = null;
  #answers; // the buttons for the answers of a draw; they are used again, so that one keeps the focus of the keyboard
  #any;
  #another;
  #n;
  #run; // of traceRun()
  #picked; // whether the reader has chosen draws of the run
  #counted; // whether its result is in the histogram
  #frame; // the one that is shown
  #leaves; // of the whole tree; null if it is too large
  #cells; // the ranges of a real number in the tree
  #light; // the function of treeDraw()
  #shares; // the exact law by rank, or null
  #counts;
  #chosen; // how many of them the reader has chosen
  #histogram; // the function of histogramDraw(); null for more cards than it can show

  /** ask(request, answer) calls answer(found), now or later: with a run of traceRun() for { answers }, and with counts by rank for { count }. */
  constructor(host, ask) {
    const button = (bar, text, action) => {
      const one = stepperElement(bar, 'button', { type: 'button', textContent: text });

      one.addEventListener('click', action);
      return one;
    };

    this.parts = playParts(host);
    this.#ask = ask;
    this.#answers = Array.from({ length: PLAY_ANSWERS }, (_, answer) => button(this.parts.draws, '', () => this.#choose(answer)));
    this.#any = button(this.parts.draws, 'random', () => this.#choose(null));
    this.#another = button(this.parts.draws, 'Another run', () => this.#again(false));
    for (const count of PLAY_MORE)
      button(this.parts.more, `${svgNumber(count)} more`, () => this.#more(count));
    button(this.parts.more, 'Clear', () => this.#clear());
  }

  /** Shows the first frame of a run of this code. `shares` is the exact law by rank, if it is known. */
  open({ n, code, run, shares = null }) {
    this.stop();
    [this.#stepper, this.#n, this.#shares, this.#leaves, this.#light] = [null, n, shares, null, null];
    this.parts.lines.replaceChildren();
    for (const line of code.trimEnd().split('\n'))
      stepperElement(this.parts.lines, 'li', { textContent: line || ' ' });
    for (const one of [this.parts.tree, this.parts.histogram])
      one.replaceChildren();
    this.#histogram = n <= HISTOGRAM_MOST ? histogramDraw(this.parts.histogram, n) : null;
    this.parts.more.hidden = !this.#histogram;
    this.#clear();
    this.#take(run, false);
    this.#stepper = shufflebiasStepper(this.parts.stepper, run.frames, (frame) => this.#show(frame), () => this.#again(true));
  }

  stop() {
    this.#stepper?.stop();
  }

  /** The leaves of the whole tree, or null; `cells` are the ranges of a real number there. */
  grow(leaves, cells) {
    [this.#leaves, this.#cells] = [leaves, cells];
    this.#light = leaves && treeDraw(this.parts.tree, leaves, this.#n);
    this.#branch();
  }

  law(shares) {
    this.#shares = shares;
    this.#results();
  }

  #show(frame) {
    this.#frame = frame;
    Array.from(this.parts.lines.children, (line, i) => line.classList.toggle('lit', frame.lines.includes(i + 1)));
    this.#branch();
    this.#draws();
    if (frame !== this.#run.frames.at(-1) || this.#counted || !this.#histogram)
      return;
    const rank = ordersRank(this.#run.order, 0, this.#n);

    this.#counted = true;
    this.#chosen += this.#picked;
    this.#counts[rank]++;
    this.#results(rank);
  }

  /** Lights the path of the run. A tree that is too large to draw grows with it. */
  #branch() {
    const { path, reals } = this.#run, { draws } = this.#frame;

    if (!this.#leaves && !reals && path.length > 0 && path.reduce((sum, { bound }) => sum + bound - 1, 1) <= TREE_LEAVES)
      this.#light = treeDraw(this.parts.tree, treeAlong(this.#run, draws), this.#n, path.length);
    this.#light?.(path.slice(0, draws).map(({ bound, answer }) => (bound === null ? Math.floor(answer * this.#cells) : answer)));
  }

  /** The buttons for the draw that comes after the frame. */
  #draws() {
    const at = this.#frame.draws, next = this.#run.path[at], bound = next?.bound ?? PLAY_TENTHS;
    const count = next && bound <= PLAY_ANSWERS ? bound : 0, focused = document.activeElement;

    this.parts.label.textContent = next ? `Draw ${at + 1}:` : 'The run is over.';
    this.#answers.forEach((one, answer) => {
      one.hidden = answer >= count;
      one.textContent = next?.bound === null ? `0.${answer}…` : answer;
    });
    this.#any.hidden = !next;
    if (focused.hidden && this.parts.draws.contains(focused))
      (count ? this.#answers[0] : this.#another).focus();
  }

  /** Plays the next draw with this answer; with null, with a random one. */
  #choose(answer) {
    const { draws } = this.#frame, path = this.#run.path.slice(0, draws), real = this.#run.path[draws].bound === null;
    const next = answer === null ? [] : [real ? (answer + Math.random()) / PLAY_TENTHS : answer];

    this.#ask({ answers: [...path.map((draw) => draw.answer), ...next] }, (run) => {
      const begin = run.frames.findIndex((frame) => frame.draws > draws), end = run.frames.findLastIndex((frame) => frame.draws <= draws + 1);

      this.#take(run, (this.#picked && draws > 0) || answer !== null);
      this.#stepper.show(matchMedia('(prefers-reduced-motion: reduce)').matches ? end : begin);
      this.#stepper.play(end);
    });
  }

  #again(play) {
    this.#ask({ answers: [] }, (run) => {
      this.#take(run, false);
      this.#stepper.show(0);
      if (play)
        this.#stepper.play(run.frames.length - 1);
    });
  }

  #take(run, picked) {
    [this.#run, this.#picked, this.#counted] = [run, picked, false];
    this.#stepper?.replace(run.frames);
  }

  #more(count) {
    this.#ask({ count }, (counts) => {
      this.#counts = this.#counts.map((before, rank) => before + counts[rank]);
      this.#results(count === 1 ? counts.indexOf(1) : -1);
    });
  }

  #clear() {
    this.#counts = this.#histogram ? ordersAll(this.#n).map(() => 0) : [];
    this.#chosen = 0;
    this.#results();
  }

  /** Shows the results so far, of which the last one, if there is one, has this rank. */
  #results(rank) {
    const total = this.#counts.reduce((sum, count) => sum + count, 0), cut = this.#histogram?.(this.#shares, this.#counts, rank);

    this.parts.text.textContent = !this.#histogram ? `With at most ${HISTOGRAM_MOST} cards, the results are collected here.`
      : `${svgNumber(total)} result${total === 1 ? '' : 's'}${this.#chosen ? `, ${svgNumber(this.#chosen)} with draws that you chose` : ''}. ${
        this.#shares ? 'The wide bars are the exact shares.' : 'The exact shares are not known.'}${cut ? ' A bar that reaches the end is longer.' : ''}`;
  }
}
