// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a shuffle step by step: a row of cards, buttons, a slider and a line that says what happens.
//
//     const stepper = shufflebiasStepper(host, frames, onFrame, again);
//
// host: the element that gets the controls. frames: at least one { items, moved, text, out }:
//   items  what lies on the table, from left to right: numbers or texts; null for an empty place
//   moved  the places in `items`, from 0, of the cards that this step moved; they are marked
//   text   one line that describes the step
//   out    optional: the cards that were taken out of the row, in this order; they lie behind a gap
// onFrame(frame, index), optional, is called for each frame that is shown, and at once for the first. again(), optional,
// is what Play does after the last frame. The arrow keys, Home and End work everywhere in `host`. The result has
// show(index), play(index), which stops at this index, stop(), and replace(frames), which shows no other frame by itself.
// Pages are XML as well, so this file has neither an ampersand nor a less-than sign.
'use strict';

const STEPPER_PACE = 1100; // milliseconds per step while it plays
const STEPPER_MOVE = 350; // milliseconds that a card travels

function stepperElement(parent, kind, properties) {
  const element = Object.assign(document.createElement(kind), properties);

  parent.append(element);
  return element;
}

// The cards of a frame with keys that follow a card from frame to frame: equal items are told apart by their number.
function stepperCards(frame) {
  const copies = new Map();
  const card = (item, place) => {
    const copy = copies.get(item) || 0;

    copies.set(item, copy + 1);
    return { item, key: item + '#' + copy, moved: place !== null ? frame.moved.includes(place) : false, out: place === null };
  };

  return [...frame.items.map(card), ...(frame.out || []).map((item) => card(item, null))];
}

// Rebuilds the row, and lets each card travel from its old place to its new place.
function stepperLay(row, frame, animate) {
  const before = new Map(Array.from(row.children, (one) => [one.dataset.key, one.getBoundingClientRect()]));

  row.replaceChildren();
  let wasOut = false;
  for (const { item, key, moved, out } of stepperCards(frame)) {
    const card = stepperElement(row, 'li', { textContent: item === null ? '\u00a0' : item });

    card.dataset.key = key;
    card.className = [item === null ? 'hole' : '', moved ? 'moved' : '', out ? 'out' : '', out === wasOut ? '' : 'gap'].join(' ').trim();
    wasOut = out;
  }
  if (!animate) return;
  for (const card of row.children) {
    const from = before.get(card.dataset.key), to = card.getBoundingClientRect();
    const x = from ? from.left - to.left : 0, y = from ? from.top - to.top : 0;

    if (x !== 0 || y !== 0)
      card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: STEPPER_MOVE, easing: 'ease-in-out' });
  }
}

// The controls. A button at its end is not `disabled`, because it would lose the focus of the keyboard.
function stepperControls(host, last) {
  host.classList.add('stepper');
  host.setAttribute('role', 'group');
  if (!host.hasAttribute('aria-label')) host.setAttribute('aria-label', 'The shuffle step by step');
  const row = stepperElement(host, 'ol', { className: 'stepper-cards' });
  const text = stepperElement(host, 'p', { className: 'stepper-text' });
  const bar = stepperElement(host, 'div', { className: 'stepper-bar' });
  const button = (label) => stepperElement(bar, 'button', { type: 'button', textContent: label });
  const [first, back, play, forward] = ['First', 'Back', 'Play', 'Forward'].map(button);
  const slider = stepperElement(bar, 'input', { type: 'range', min: 0, max: last, value: 0 });
  const place = stepperElement(bar, 'span', { className: 'stepper-place' });

  slider.setAttribute('aria-label', 'Step');
  text.setAttribute('aria-live', 'polite');
  return { row, text, first, back, play, forward, slider, place };
}

function shufflebiasStepper(host, frames, onFrame, again) {
  let last = frames.length - 1;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  host.replaceChildren();
  const parts = stepperControls(host, last);
  let at = -1, timer = 0;

  const place = () => {
    parts.slider.max = last;
    parts.place.textContent = `${at} of ${last}`;
    parts.slider.setAttribute('aria-valuetext', `step ${at} of ${last}: ${frames[at].text}`);
    for (const one of [parts.first, parts.back]) one.setAttribute('aria-disabled', at === 0);
    parts.forward.setAttribute('aria-disabled', at === last);
  };
  const show = (index) => {
    const next = Math.min(last, Math.max(0, index));
    const animate = at === -1 ? false : !still.matches;

    if (next === at) return;
    at = next;
    stepperLay(parts.row, frames[at], animate);
    parts.text.textContent = frames[at].text;
    parts.slider.value = at;
    place();
    if (onFrame) onFrame(frames[at], at);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    parts.play.textContent = 'Play';
  };
  const play = (end) => {
    stop();
    if (at >= end) return;
    parts.play.textContent = 'Pause';
    timer = setInterval(() => {
      if (host.isConnected) show(at + 1);
      if (at >= end || !host.isConnected) stop();
    }, STEPPER_PACE);
  };
  const start = () => {
    if (at === last) again ? again() : show(0);
    play(last);
  };
  const replace = (others) => {
    frames = others;
    last = frames.length - 1;
    place();
  };
  const go = (index) => {
    stop();
    show(index);
  };
  const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => last };

  parts.first.addEventListener('click', () => go(0));
  parts.back.addEventListener('click', () => go(at - 1));
  parts.play.addEventListener('click', () => (timer ? stop() : start()));
  parts.forward.addEventListener('click', () => go(at + 1));
  parts.slider.addEventListener('input', () => go(Number(parts.slider.value)));
  parts.row.parentNode.onkeydown = (event) => {
    const target = event.ctrlKey || event.altKey || event.metaKey ? undefined : keys[event.key];

    if (!target) return;
    event.preventDefault();
    go(target());
  };
  show(0);
  return { show: go, play, stop, replace };
}
