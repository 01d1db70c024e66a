// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a page in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TYPES = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };

/** Milliseconds for a page to show something: a busy machine may take a minute to start Chromium. */
export const PATIENCE = 300000;

function installed(program) {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** The path of Chromium; null if there is none. */
export const chromium = installed('chromium');

/** Serves files, an object of texts or buffers by name, opens index.html, and returns what the page posts to /shown. */
export async function show(files) {
  const folder = mkdtempSync(join(tmpdir(), 'shufflebias-chromium-'));
  let end;
  const shown = new Promise((resolve, reject) => {
    end = resolve;
    setTimeout(() => reject(new Error('the page shows nothing')), PATIENCE).unref();
  });
  const server = createServer(async (request, response) => {
    const name = request.url === '/' ? 'index.html' : request.url.slice(1);

    if (request.method === 'POST') {
      const pieces = [];

      for await (const piece of request)
        pieces.push(piece);
      response.end();
      end(Buffer.concat(pieces).toString());
    } else if (Object.hasOwn(files, name)) {
      response.writeHead(200, { 'content-type': TYPES[name.split('.').pop()] }).end(files[name]);
    } else {
      response.writeHead(404).end();
    }
  });

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'profile')}`,
    `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });

  try {
    return await shown;
  } finally {
    const ended = new Promise((resolve) => { browser.on('exit', resolve); });

    browser.kill();
    await ended;
    server.closeAllConnections?.();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
