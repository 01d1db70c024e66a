// SPDX-License-Identifier: GPL-3.0-or-later
// The animation in a lesson. embed.py puts this after LESSON_SHUFFLES, the shuffles of data/presets.js as functions
// make(draw, Math), and all of it into one script. The page has their exact laws.

/** The lines of the page that a stack of calls names. */
const lessonLines = (stack) => Array.from(stack.matchAll(/:(\d+):\d+\)?$/gm), ([, line]) => Number(line));

/** The shuffle as traceRun() takes it, and the function that finds the line of its code in a stack of calls. */
function lessonShuffle({ name, code }) {
  const make = LESSON_SHUFFLES[name], { line } = make(), length = code.split('\n').length;

  return {
    shuffle: (deck, draw, random = Math.random) => make(draw, Object.create(Math, { random: { value: random } })).shuffle(deck),
    where: (stack) => lessonLines(stack).map((one) => one - line).find((one) => one > 0 && one <= length) ?? null,
  };
}

function lessonPlay(host) {
  const law = (scheme, n) => host.querySelector(`[data-scheme="${scheme}"][data-n="${n}"][data-of]`)?.dataset;
  const bar = stepperElement(host, 'div', { className: 'slider' });
  const field = (label, kind, properties) => stepperElement(stepperElement(bar, 'label', { textContent: `${label} ` }), kind, properties);
  const choice = field('Shuffle', 'select', {});
  const slider = field('Cards', 'input', { type: 'range', min: 2, max: HISTOGRAM_MOST, value: host.dataset.n });
  const output = stepperElement(bar, 'output', {});
  let now;
  const play = new Play(stepperElement(host, 'div', {}), ({ answers, count }, answer) =>
    answer(count ? traceCount(now.shuffle, now.n, count) : traceRun(now.shuffle, now.n, now.where, answers)));
  const open = () => {
    const preset = PRESETS.find(({ name }) => name === choice.value), n = Number(slider.value), { counts, of } = law(preset.scheme, n);

    now = { n, ...lessonShuffle(preset) };
    output.textContent = n;
    const run = traceRun(now.shuffle, n, now.where), leaves = run.reals ? null : treeLeaves(now.shuffle, n, 1);

    play.open({ n, code: preset.code, run, shares: counts.trim().split(' ').map((count) => Number(count) / Number(of)) });
    play.grow(leaves, 1);
    play.parts.treeText.textContent = run.reals ? 'No tree: real numbers have no finite list of answers.'
      : leaves?.every(({ order }) => order) ? `There are ${leaves.length} paths.` : 'The tree is cut where … stands.';
  };

  for (const { name, title, scheme } of PRESETS)
    if (law(scheme, host.dataset.n))
      choice.add(new Option(title, name, false, scheme === host.dataset.scheme));
  host.classList.add('scripted');
  choice.addEventListener('change', open);
  slider.addEventListener('input', open);
  open();
}
