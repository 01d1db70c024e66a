// SPDX-License-Identifier: GPL-3.0-or-later
// The page: from the editor to a run, its workers, and its buttons.

const app = { module: null, run: null, play: null }; // the compiled engine, the state of the latest run, and the animation

// ---- what is asked for ----

const appN = () => ($('full').checked ? 52 : Number($('n').value));

function appSetN(n) {
  $('full').checked = n > 8;
  $('n').value = Math.min(n, 8);
  $('n-text').value = n;
}

const appEnable = (id, on) => $(id).setAttribute('aria-disabled', !on);

function appButtons() {
  const live = app.run?.live;

  appEnable('stop', Boolean(live?.running || app.run?.proving || app.run?.picture?.running));
  appEnable('continue', Boolean(live && !live.running && !live.over));
  appEnable('save-json', Boolean(app.run?.report || app.run?.gate));
}

function appFail(run, line) {
  if (run !== app.run)
    return;
  run.proof?.stop();
  run.live?.stop();
  run.picture?.stop();
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
  for (const id of ['bars', 'matrix', 'gate'])
    $(id).replaceChildren();
  for (const id of ['bars-text', 'matrix-text', 'gate-text', 'gate-verdict', 'connection', 'said'])
    $(id).textContent = '';
  $('play').hidden = true;
  $('save-bars').hidden = run.n > 8;
  appSay($('verdict'), run.n > 8 ? '52 cards have 8.07 × 10⁶⁷ orders: no law of that size can be written down. The gate decides.' : 'Trying every answer to every draw.');
  if (run.n > 8) {
    $('bars-text').textContent = '52 cards have 8.07 × 10⁶⁷ orders, too many for bars.';
  }
}

function appStop() {
  app.run?.proof?.stop();
  app.run?.live?.stop();
  app.run?.picture?.stop();
  app.run?.played?.forEach((job) => job.stop());
  app.play.stop();
}

/** Stops what runs. What is known stays. */
function appHalt() {
  appStop();
  if (app.run.proving) {
    app.run.proving = false;
    appSay($('verdict'), 'Stopped before the exact law was complete. Press Run to start again.', 'doubt');
  }
  if (!app.run.live?.over)
    document.body.dataset.state = 'stopped';
  appButtons();
}

/** Results are of the code that was run, and grey once the code is another. */
function appStale() {
  const stale = Boolean(app.run) && app.run.code !== $('code').value;

  document.body.classList.toggle('stale', stale);
  $('stale').textContent = stale ? 'The code has changed: press Run.' : '';
  if (stale)
    appHalt();
}

function appRun() {
  if (!app.module)
    return;
  appStop();
  const run = (app.run = { code: $('code').value, n: appN(), proving: true });

  document.body.dataset.state = 'running';
  history.replaceState(null, '', linkMake(run));
  appStale();
  appClear(run);
  run.proof = jobStart({ module: app.module, code: run.code, n: run.n, job: 'prove', scheme: PRESETS.find(({ code }) => code === run.code)?.scheme }, (message) => {
    if (message.error)
      appFail(run, message.error);
    if (message.trace) {
      appShowTrace(run, message.trace);
      appGate(run);
      appPicture(run);
    }
    if ('proof' in message)
      appShowProof(run, message);
    if (message.shares)
      app.play.law(message.shares);
    if ('tree' in message)
      appShowTree(run, message);
    if (message.matrix)
      appShowExact(run, message.matrix);
    if (message.done) {
      run.proving = false;
      appConnect(run);
    }
    if (message.alive > 0)
      appSay($('verdict'), `Trying every answer to every draw: ${Math.round(100 * message.alive)}%.`);
    appButtons();
  });
  appButtons();
}

/** Shows the shuffle of the page's address, if there is one, and runs it if it is one of the page. Code of others runs only when asked for. */
function appOpenLink() {
  const link = linkRead(location.hash), preset = link && PRESETS.find(({ code }) => code === link.code);

  if (!link)
    return false;
  $('code').value = link.code;
  appSetN(link.n);
  $('preset').value = preset?.name ?? 'own';
  if (preset) {
    appRun();
    return true;
  }
  appStop();
  app.run = null;
  appStale();
  appClear({ n: link.n });
  appSay($('verdict'), 'This link brought its own code. Read the code, then press Run.', 'doubt');
  document.body.dataset.state = 'waiting';
  appButtons();
  return true;
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
    if (document.body.dataset.state !== 'waiting') // for Run, with the code of a link
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
    appStale();
  });
  document.addEventListener('visibilitychange', () => (document.hidden ? app.run?.picture?.stop() : null));
  $('code').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      appRun();
  });
  appOn('run', appRun);
  appOn('link', appCopy);
  appOn('sort-open', () => appChoose('coin'));
  appOn('stop', appHalt);
  appOn('continue', () => {
    document.body.dataset.state = 'running';
    app.run.live.start();
    appPicture(app.run);
    appButtons();
  });
  appOn('save-json', () => saveBlob(new Blob([JSON.stringify({ n: app.run.n, code: app.run.code, report: app.run.report ?? null,
    gate: app.run.gate ?? null }, null, 2)], { type: 'application/json' }), 'shufflebias.json'));
  addEventListener('hashchange', appOpenLink);
  app.play.parts.paths.append(Object.assign(document.createElement('div'), { id: 'save-tree', className: 'save' }));
  for (const [id, name] of [['tree', 'tree'], ['bars', 'law'], ['matrix', 'matrix'], ['gate', 'gate']])
    saveButtons($(`save-${id}`), $(id), name, (svg) => [
      `${$('preset').selectedOptions[0].text}: ${svg.getAttribute('aria-label')}`, `${$(`${id}-text`).textContent} ${$('version').textContent}`]);
}

async function appBegin() {
  for (const { name, title } of PRESETS)
    $('preset').add(new Option(title, name));
  $('code').value = PRESETS[0].code;
  app.play = new Play($('play'), appPlay);
  appListen();
  compareListen();
  const packed = Uint8Array.from(atob($('engine').textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));

  app.module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  document.body.dataset.ready = performance.now(); // milliseconds since the page began to load
  if (!appOpenLink())
    appRun();
  sortsShow($('sort-text'), $('sort'));
}

appBegin().catch((error) => appSay($('verdict'), `This browser cannot run the engine: ${error.message}`, 'bad'));
