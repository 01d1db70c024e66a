// SPDX-License-Identifier: GPL-3.0-or-later
// Shows what the workers of a run find: the exact law, the tree, the steps, and the gate. `run` is the run's state:
// { code, n, reals, report, law, exact, gate, ... }; each function adds what it shows.

const PICTURE_SECONDS = 10, PICTURE_REACH = 0.05; // when the matrix of a sample is complete

const $ = (id) => document.getElementById(id);

/** The line of the verdict. `kind` is good, bad or doubt. */
function appSay(element, text, kind = '') {
  element.textContent = text;
  element.className = `verdict ${kind && `is-${kind}`}`.trim();
}

/** A sentence of the engine, whose names stand between backquotes. */
function appSentence(element, sentence) {
  element.replaceChildren(...sentence.split('`').map((part, i) => (i % 2 ? Object.assign(document.createElement('code'), { textContent: part }) : svgPowers(part))));
}

/** The law by rank of a report: shares, and what is left unresolved. */
function appLaw({ report, left }) {
  const { counts, denominator } = report.evidence;

  return {
    shares: Float64Array.from(counts, (count) => Number(count) / Number(denominator)), left,
    labels: counts.map((count) => (left ? `≥ ${svgPercent(Number(count) / Number(denominator))}` : ordersFraction(count, denominator))),
  };
}

function appShowProof(run, { proof, reason }) {
  run.proving = false;
  if (!proof) {
    appSay($('verdict'), reason ? `No exact law: ${reason}. The gate below decides.` : run.reals ? `No exact law: Math.random() has too many answers to try all series of them with ${run.n} cards. The gate below decides.`
      : `There are too many series of draws to try them all with ${run.n} cards. The gate below decides.`, 'doubt');
    return;
  }
  const { report, left } = proof, law = appLaw(proof);

  run.report = report;
  run.law = law;
  run.bars = barsDraw($('bars'), law, run.n);
  app.play.law(left === 0 ? law.shares : null);
  if (left === 0)
    appShowExact(run, matrixOfLaw(law.shares, run.n));
  run.exact = report.effect.total_variation;
  appSay($('verdict'), left === 0
    ? `Exactly ${report.verdict === 'uniform' ? 'fair' : 'biased'}, ${run.n} cards: ${report.sentence}`
    : `Known in part: ${svgPercent(left)} of the probability is not resolved, because the shuffle ${run.reals ? 'depends on more of its real numbers than can be tried, or may draw' : 'may draw'} any number of times. The gate below decides.`,
  left === 0 ? (report.verdict === 'uniform' ? 'good' : 'bad') : 'doubt');
  $('bars-text').textContent = left === 0
    ? `Exact: ${report.evidence.paths ? `${svgNumber(report.evidence.paths)} series of answers` : 'every series of answers'}. Shares are of ${Number(report.evidence.denominator).toLocaleString('en-US')}; total variation from fair ${svgPercent(report.effect.total_variation)}.`
    : `Hatched: ${svgPercent(left)} of the probability, which may belong to any order.`;
}

/** The matrix of a law. */
function appShowExact(run, shares) {
  run.exactMatrix = true;
  run.picture?.stop();
  const coloured = matrixDraw($('matrix'), run.n, 'exact')(shares, Infinity);

  $('matrix-text').textContent = coloured ? `Exact. Grey is fair, ${MATRIX_STEPS}.`
    : `Exact: each card is equally likely at each place${run.report?.verdict === 'biased' ? ', and yet the orders are not equally likely' : ''}.`;
}

/** The matrix of a sample. */
function appShowMatrix(run) {
  if (run.exactMatrix || !run.seen)
    return;
  const { counts, total, left } = run.seen, reach = matrixReach(total, run.n), { running } = run.picture;

  run.matrix ??= matrixDraw($('matrix'), run.n, 'observed');
  const coloured = run.matrix(counts.map((count) => count / total), total);

  $('matrix-text').textContent = `Observed in ${svgNumber(total)} shuffles. A cell is coloured where its interval${reach < 1 ? ` of ±${Math.ceil(100 * reach)}%` : ''} excludes the fair share: ${
    MATRIX_STEPS}. At most one fair shuffle in ${svgNumber(1 / MATRIX_ALPHA)} ever gets a colour.${
    running ? ` Counting on for ${Math.ceil(left)} seconds.` : coloured || run.gate?.verdict !== 'fail' ? '' : ' No place of a card shows by itself what the gate has found.'}`;
}

/** Counts shuffles for the matrix, beside the gate, until the intervals are narrow, the time is over, or the law is known. Goes on after stop(). */
function appPicture(run) {
  const { counts, total, left } = run.seen ?? { counts: new Float64Array(run.n ** 2), total: 0, left: PICTURE_SECONDS };

  if (run.exactMatrix || left === 0)
    return;
  const job = jobStart({ module: app.module, code: run.code, n: run.n, job: 'count', seconds: left }, (message) => {
    if (message.counts)
      run.seen = { counts: message.counts.map((count, i) => count + counts[i]), total: total + message.total, left: message.left };
    if (message.done || message.error || matrixReach(run.seen.total, run.n) < PICTURE_REACH)
      run.seen.left = 0;
    if (run.seen?.left === 0)
      run.picture.stop();
    else
      appShowMatrix(run);
  });

  run.picture = { running: true, stop: () => {
    job.stop();
    run.picture.running = false;
    appShowMatrix(run);
    appButtons();
  } };
}

function appShowTree(run, { tree, watched }) {
  const leaves = tree?.leaves ?? null;

  app.play.grow(leaves, tree?.cells);
  $('save-tree').hidden = !leaves;
  $('tree-text').textContent = leaves
    ? `Each draw branches into its answers, which are equally likely. ${leaves.some(({ order }) => !order) ? 'The tree is cut where … stands' : `There are ${leaves.length} series`}, n = ${run.n}.${run.reals ? ` Math.random() has ${tree.cells} equal ranges, numbered from 0.` : ''}`
    : !watched ? 'No tree: it is drawn of draw(k) and Math.random() only.'
      : run.reals && run.report?.verdict !== 'biased' ? 'No tree: this shuffle takes real numbers from Math.random(), which have no finite list of answers.'
        : `The whole tree has more than ${TREE_LEAVES} series of draws: ${$('tree').firstChild ? 'it is cut beside this run, where … stands' : 'choose fewer cards to see it'}.`;
}

/** Runs the code for the animation: one run, or many that are counted. */
function appPlay(request, answer) {
  const { run } = app;

  run.played = [...run.played ?? [], jobStart({ module: app.module, code: run.code, n: run.n, job: 'play', ...request }, (message) => {
    if (message.error)
      appFail(run, message.error);
    else if (!message.done && run === app.run)
      answer(message.trace ?? message.orders);
  })];
}

function appShowTrace(run, trace) {
  run.reals = trace.reals;
  $('play').hidden = false;
  $('save-tree').hidden = true;
  $('tree-text').textContent = run.n > 8 ? 'The tree of 52 cards is too large to draw.' : '';
  app.play.open({ n: run.n, code: run.code, run: trace });
}

// ---- the gate ----

function appShowLive(run, { counts, total, looks, terms }) {
  if (total === 0)
    return;
  if (!run.bars && run.n <= 8)
    run.bars = barsDraw($('bars'), null, run.n);
  run.bars?.(counts, total);
  if (!terms)
    return;
  const most = Math.max(4, Math.ceil(Math.log10(Math.max(total, looks.total.at(-1)))));

  if (run.most !== most || run.drawnExact !== run.exact) {
    run.curve = gateDraw($('gate'), terms, run.report?.verdict === 'biased' ? run.exact : null, most);
    run.most = most;
    run.drawnExact = run.exact;
  }
  run.curve(looks, total);
  const at = Math.max(0, looks.total.findLastIndex((one) => one <= total)), percent = (tv) => svgPercent(tv ?? 1);

  $('gate-text').textContent = `${svgNumber(total)} shuffles: E = ${appPower(looks.ln_e[at])}, total variation between ${percent(looks.tv_low[at])} and ${percent(looks.tv_high[at])}.`;
}

/** e^ln as a number, or as a power of ten. */
function appPower(ln) {
  return Math.abs(ln) < 7 ? Math.exp(ln).toPrecision(2) : `10${svgRaised(Math.round(ln / Math.LN10))}`;
}

/** The gate's details. Their advice to use `chained`, an option that the page does not have, becomes advice about the code. */
function appGateDetails({ details }) {
  return details.replaceAll('\n', ' ').replace(/To test the steps between them, use `(--)?chained`/g, 'Start each time from the array that the function gets');
}

function appShowGate(run, gate) {
  run.gate = gate;
  appSentence($('gate-verdict'), `${gate.sentence}. ${appGateDetails(gate)}`);
  if (!run.report || run.report.verdict === 'inconclusive')
    appSay($('verdict'), svgPowers(`${gate.sentence}.`.replaceAll('`', '')), { pass: 'good', fail: 'bad' }[gate.verdict] ?? 'doubt');
  document.body.dataset.state = 'done';
  appConnect(run);
  appShowMatrix(run);
  appButtons();
}

/** A sentence between findings that seem to contradict each other. */
function appConnect({ gate, report, law, exact }) {
  const proof = law?.left === 0 ? report.verdict : null;

  $('connection').textContent = !gate ? ''
    : gate.verdict === 'pass' && proof === 'biased' ? `Both hold: the exact bias is a total variation of ${svgPercent(exact)}, and a pass says that it is below ${svgPercent(gate.terms.max_bias)}, not that it is 0.`
      : gate.verdict === 'fail' && proof === 'uniform' ? 'Both hold: the exact law is that of perfect draws, and the gate has seen the draws that the code made.'
        : gate.verdict === 'fail' && gate.looks.tv_low.at(-1) < 0.0005 ? 'A fail goes by E, not by the bounds, which still begin at 0.0%: that a shuffle is not fair usually shows long before how far from fair it is.' : '';
}
