// SPDX-License-Identifier: GPL-3.0-or-later
// The page: from the editor to a run, and from what its workers find to what is shown.

const $ = (id) => document.getElementById(id);
const app = { module: null, run: null, ready: 0, cells: 2 };

// ---- what is asked for ----

const appN = () => ($('full').checked ? 52 : Number($('n').value));

function appSetN(n) {
  $('full').checked = n > 8;
  $('n').value = Math.min(n, 8);
  $('n-text').value = n;
}

function appSay(element, text, kind = '') {
  element.textContent = text;
  element.className = `verdict ${kind && `is-${kind}`}`.trim();
}

/** A sentence of the engine, whose names stand between backquotes. */
function appSentence(element, sentence) {
  element.replaceChildren(...sentence.split('`').map((part, i) => (i % 2 ? Object.assign(document.createElement('code'), { textContent: part }) : part)));
}

const appEnable = (id, on) => $(id).setAttribute('aria-disabled', !on);

function appButtons() {
  const live = app.run?.live;

  appEnable('stop', Boolean(live?.running || app.run?.proving));
  appEnable('continue', Boolean(live && !live.running && !live.over));
  appEnable('save-json', Boolean(app.run?.report || app.run?.gate));
}

// ---- the law, the tree and the stepper ----

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
    appSay($('verdict'), reason ? `No exact law: ${reason}. The gate below decides.` : run.reals ? 'No exact law: the shuffle compares real numbers, which cannot all be tried. The gate below decides.'
      : `There are too many series of draws to try them all with ${run.n} cards. The gate below decides.`, 'doubt');
    return;
  }
  const { report, left } = proof, law = appLaw(proof);

  run.report = report;
  run.law = law;
  run.bars = barsDraw($('bars'), law, run.n);
  if (left === 0) {
    matrixDraw($('matrix'), run.n, 'exact')(matrixOfLaw(law.shares, run.n));
    run.exactMatrix = true;
    $('matrix-text').textContent = 'Exact. Grey is fair, orange too often, blue too rarely: the steps are 0.5%, 5%, 15% and 40% from fair.';
  }
  run.exact = report.effect.total_variation;
  appSay($('verdict'), left === 0
    ? `Exactly ${report.verdict === 'uniform' ? 'fair' : 'biased'}, ${run.n} cards: ${report.sentence}`
    : `Known in part: ${svgPercent(left)} of the probability is not resolved, because the shuffle ${run.reals ? 'compares real numbers' : 'may draw any number of times'}. The gate below decides.`,
  left === 0 ? (report.verdict === 'uniform' ? 'good' : 'bad') : 'doubt');
  $('bars-text').textContent = left === 0
    ? `Exact: ${report.evidence.paths ? `${svgNumber(report.evidence.paths)} series of answers` : 'every series of answers'}. Shares are of ${Number(report.evidence.denominator).toLocaleString('en-US')}; total variation from fair ${svgPercent(report.effect.total_variation)}.`
    : `Hatched: ${svgPercent(left)} of the probability, which may belong to any order.`;
}

function appShowTree(run, tree) {
  const leaves = tree?.leaves;

  run.light = null;
  $('tree').replaceChildren();
  $('save-tree').hidden = !leaves;
  if (leaves) {
    run.light = treeDraw($('tree'), leaves, run.n);
    run.cells = tree.cells;
    $('tree-text').textContent = `Each draw branches into its answers, which are equally likely. ${leaves.some(({ order }) => !order) ? 'The tree is cut where … stands' : `There are ${leaves.length} series`}, n = ${run.n}.${run.reals ? ` Math.random() has ${tree.cells} equal ranges, numbered from 0.` : ''}`;
  } else {
    $('tree-text').textContent = run.reals && run.report?.verdict !== 'biased'
      ? 'No tree: this shuffle compares real numbers, which have no finite list of answers.'
      : `The tree has more than ${TREE_LEAVES} series of draws: choose fewer cards to see it.`;
  }
  appLight(run);
}

function appLight(run) {
  run.light?.((run.frame?.path ?? []).map((answer) => (run.reals ? Math.floor(answer * run.cells) : answer)));
}

function appShowTrace(run, { frames, reals }) {
  run.reals = reals;
  run.stepper = shufflebiasStepper($('stepper'), frames, (frame) => {
    run.frame = frame;
    appLight(run);
  });
}

// ---- the gate ----

function appShowLive(run, { counts, matrix, total, looks, terms }) {
  if (total === 0)
    return;
  if (!run.bars && run.n <= 8)
    run.bars = barsDraw($('bars'), null, run.n);
  run.bars?.(counts, total);
  if (!run.exactMatrix) {
    run.matrix ??= matrixDraw($('matrix'), run.n, 'observed');
    if (run.n <= 8 || performance.now() - (run.painted ?? 0) > 300) {
      run.painted = performance.now();
      run.matrix(matrix.map((count) => count / total));
    }
    $('matrix-text').textContent = `Observed in ${svgNumber(total)} shuffles. Grey is fair, orange too often, blue too rarely.`;
  }
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
  return Math.abs(ln) < 7 ? Math.exp(ln).toPrecision(2) : `10${[...String(Math.round(ln / Math.LN10))].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit])).join('')}`;
}

function appShowGate(run, gate) {
  const name = gate.looks_like?.scheme;

  run.gate = gate;
  appSentence($('gate-verdict'), gate.sentence);
  if (name) {
    $('bug').hidden = false;
    $('bug').textContent = `The bug’s name: ${name}${gate.looks_like.form === 'plain' ? '' : ` (${gate.looks_like.form})`}.`;
  }
  if (!run.report || run.report.verdict === 'inconclusive')
    appSay($('verdict'), gate.sentence.replaceAll('`', ''), { pass: 'good', fail: 'bad' }[gate.verdict] ?? 'doubt');
  document.body.dataset.state = 'done';
  appButtons();
}

function appFail(run, line) {
  run.proof?.stop();
  run.live?.stop();
  run.proving = false;
  run.live = null;
  appSay($('verdict'), `Stopped: ${line}`, 'bad');
  document.body.dataset.state = 'failed';
  appButtons();
}

function appGate(run) {
  run.live = new Live({ module: app.module, code: run.code, n: run.n }, {
    show: (state) => appShowLive(run, state),
    end: (gate) => appShowGate(run, gate),
    error: (line) => appFail(run, line),
  });
  run.live.start();
  appButtons();
}

// ---- a run ----

function appClear(run) {
  for (const id of ['stepper', 'tree', 'bars', 'matrix', 'gate'])
    $(id).replaceChildren();
  for (const id of ['tree-text', 'bars-text', 'matrix-text', 'gate-text', 'gate-verdict', 'said'])
    $(id).textContent = '';
  $('bug').textContent = '';
  $('bug').hidden = $('save-tree').hidden = true;
  $('save-bars').hidden = run.n > 8;
  appSay($('verdict'), run.n > 8 ? '52 cards have 8.07 × 10⁶⁷ orders: no law of that size can be written down. The gate decides.' : 'Trying every answer to every draw.');
  if (run.n > 8) {
    $('tree-text').textContent = 'The tree of 52 cards is too large to draw.';
    $('bars-text').textContent = '52 cards have 8.07 × 10⁶⁷ orders, too many for bars.';
  }
}

function appStop() {
  app.run?.proof?.stop();
  app.run?.live?.stop();
  app.run?.stepper?.stop();
}

function appRun() {
  if (!app.module)
    return;
  appStop();
  const run = (app.run = { code: $('code').value, n: appN(), proving: true });

  document.body.dataset.state = 'running';
  history.replaceState(null, '', linkMake(run));
  appClear(run);
  run.proof = jobStart({ module: app.module, code: run.code, n: run.n, job: 'prove' }, (message) => {
    if (message.error)
      appFail(run, message.error);
    if (message.trace) {
      appShowTrace(run, message.trace);
      appGate(run);
    }
    if ('proof' in message)
      appShowProof(run, message);
    if ('tree' in message)
      appShowTree(run, message.tree);
    if (message.done)
      run.proving = false;
    if (message.alive > 0)
      appSay($('verdict'), `Trying every answer to every draw: ${Math.round(100 * message.alive)}%.`);
    appButtons();
  });
  appButtons();
}

function appOpenLink() {
  const link = linkRead(location.hash);

  if (link) {
    $('code').value = link.code;
    appSetN(link.n);
    $('preset').value = PRESETS.find(({ code }) => code === link.code)?.name ?? 'own';
  }
  return link;
}

async function appCopy() {
  history.replaceState(null, '', linkMake({ n: appN(), code: $('code').value }));
  try {
    await navigator.clipboard.writeText(location.href);
    $('said').textContent = 'The link is copied. It carries the code.';
  } catch {
    $('said').textContent = 'The address of this page is the link. It carries the code.';
  }
}

function appChoose(name) {
  $('preset').value = name;
  $('code').value = PRESETS.find((preset) => preset.name === name).code;
  appRun();
}

/** A button that is aria-disabled does nothing, but keeps the focus of the keyboard. */
function appOn(id, action) {
  $(id).addEventListener('click', () => ($(id).getAttribute('aria-disabled') === 'true' ? null : action()));
}

function appListen() {
  let timer = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(appRun, 150);
  };

  $('preset').addEventListener('change', () => appChoose($('preset').value));
  $('n').addEventListener('input', () => {
    appSetN(Number($('n').value));
    later();
  });
  $('full').addEventListener('change', () => {
    appSetN($('full').checked ? 52 : Number($('n').value));
    later();
  });
  $('code').addEventListener('input', () => {
    $('preset').value = PRESETS.find(({ code }) => code === $('code').value)?.name ?? 'own';
  });
  $('code').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      appRun();
  });
  appOn('run', appRun);
  appOn('link', appCopy);
  appOn('sort-open', () => appChoose('coin'));
  appOn('stop', () => {
    appStop();
    if (app.run.proving) {
      app.run.proving = false;
      appSay($('verdict'), 'Stopped before the exact law was complete. Press Run to start again.', 'doubt');
    }
    document.body.dataset.state = 'stopped';
    appButtons();
  });
  appOn('continue', () => {
    document.body.dataset.state = 'running';
    app.run.live.start();
    appButtons();
  });
  appOn('save-json', () => saveBlob(new Blob([JSON.stringify({ n: app.run.n, code: app.run.code, report: app.run.report ?? null,
    gate: app.run.gate ?? null }, null, 2)], { type: 'application/json' }), 'shufflebias.json'));
  addEventListener('hashchange', () => (appOpenLink() ? appRun() : null));
  for (const [id, name] of [['tree', 'tree'], ['bars', 'law'], ['matrix', 'matrix'], ['gate', 'gate']])
    saveButtons($(`save-${id}`), $(id), name);
}

async function appBegin() {
  for (const { name, title } of PRESETS)
    $('preset').add(new Option(title, name));
  $('code').value = PRESETS[0].code;
  appOpenLink();
  appListen();
  const packed = Uint8Array.from(atob($('engine').textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));

  app.module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  document.body.dataset.ready = performance.now(); // milliseconds since the page began to load
  appRun();
  sortsShow($('sort-text'), $('sort'));
}

appBegin().catch((error) => appSay($('verdict'), `This browser cannot run the engine: ${error.message}`, 'bad'));
