// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a page in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patiently } from '../browser/patience.js';

const TYPES = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };

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

/** Opens an address in a Chromium of its own, and returns what `shown` becomes within some milliseconds. */
async function open(address, shown, patience) {
  const folder = mkdtempSync(join(tmpdir(), 'shufflebias-chromium-'));
  const browser = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'profile')}`, address],
    { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => { browser.on('close', resolve); }); // its other processes, too: they write into the folder
  let said = '', timer;

  browser.stderr.on('data', (piece) => { said += piece; });
  try {
    return await Promise.race([shown, new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`the page shows nothing; Chromium said: ${said}`)), patience);
    })]);
  } finally {
    clearTimeout(timer);
    browser.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Serves files, opens index.html, and returns what the page posts to /shown. */
export async function show(files) {
  let tell;
  const shown = new Promise((resolve) => { tell = resolve; });
  const server = createServer(answer(files, tell));

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await patiently((patience) => open(`http://127.0.0.1:${server.address().port}/`, shown, patience));
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
}
