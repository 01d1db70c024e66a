// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a page in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TYPES = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };

/** Milliseconds for a page to show something: a busy machine may take a minute to start Chromium. */
const PATIENCE = 100000;
const TRIES = 3;

/** Milliseconds within which show() ends. */
export const SHOWN_WITHIN = 2 * TRIES * PATIENCE;

function installed(program) {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** The path of Chromium; null if there is none. */
export const chromium = installed('chromium');

/** Answers with the files, an object of texts or buffers by name, and tells what a page posts. */
function answer(files, tell) {
  return async (request, response) => {
    const name = request.url === '/' ? 'index.html' : request.url.slice(1);

    if (request.method === 'POST') {
      const pieces = [];

      for await (const piece of request)
        pieces.push(piece);
      response.end();
      tell(Buffer.concat(pieces).toString());
    } else if (Object.hasOwn(files, name)) {
      response.writeHead(200, { 'content-type': TYPES[name.split('.').pop()] }).end(files[name]);
    } else {
      response.writeHead(404).end();
    }
  };
}

/** Opens an address in a Chromium of its own until `shown` is settled or the patience ends; what Chromium said in vain, else null. */
async function open(address, shown) {
  const folder = mkdtempSync(join(tmpdir(), 'shufflebias-chromium-'));
  const browser = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'profile')}`, address],
    { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => { browser.on('close', resolve); });
  let said = '', timer;

  browser.stderr.on('data', (piece) => { said += piece; });
  const silence = new Promise((resolve) => { timer = setTimeout(resolve, PATIENCE, true); });
  const inVain = await Promise.race([shown, silence]) === true;

  clearTimeout(timer);
  browser.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  return inVain ? said : null;
}

/** Serves files, opens index.html, and returns what the page posts to /shown. A Chromium that does not come up gets successors. */
export async function show(files) {
  let tell, said;
  const shown = new Promise((resolve) => { tell = resolve; });
  const server = createServer(answer(files, tell));

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    for (let i = 0; i < TRIES; i++) {
      said = await open(`http://127.0.0.1:${server.address().port}/`, shown);
      if (said === null)
        return await shown;
    }
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
  throw new Error(`the page shows nothing; Chromium said: ${said}`);
}
