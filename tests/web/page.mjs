// SPDX-License-Identifier: GPL-3.0-or-later
// The examples of docs/web.md: programs for node print what the page says, and the page for a browser shows what it says.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = process.env.SHUFFLEBIAS_WEB;
const page = readFileSync(new URL('../../docs/web.md', import.meta.url), 'utf8');
const blocks = (kind) => [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1]);
const scratch = mkdtempSync(join(tmpdir(), 'shufflebias-page-'));
const TYPES = { html: 'text/html', mjs: 'text/javascript', wasm: 'application/wasm' };

for (const name of ['shufflebias.wasm', 'shufflebias.mjs'])
  copyFileSync(join(folder, name), join(scratch, name));
after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

test('programs for node', () => {
  const programs = blocks('js'), outputs = blocks('text');

  assert.ok(programs.length > 0);
  assert.equal(programs.length, outputs.length);
  programs.forEach((program, i) => {
    writeFileSync(join(scratch, 'example.mjs'), program);
    assert.equal(execFileSync('node', ['example.mjs'], { cwd: scratch, encoding: 'utf8' }), outputs[i]);
  });
});

test('the table of exports', () => {
  const module = new WebAssembly.Module(readFileSync(join(folder, 'shufflebias.wasm')));
  const names = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function').map(({ name }) => name);
  const described = [...page.split('## The module itself')[1].matchAll(/^\| `(\w+)\(/gm)].map((match) => match[1]);

  assert.deepEqual(described.sort(), names.filter((name) => name !== '_initialize').sort());
});

/** Added to the page: sends the text of its <output> to the server, as soon as there is one. */
const REPORTER = `<script type="module">
  for (;;) {
    const output = document.querySelector('output');
    if (output) {
      await fetch('/shown', { method: 'POST', body: output.textContent });
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
</script>`;

function installed(program) {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

const chromium = installed('chromium');

test('the page for a browser', { skip: chromium ? false : 'there is no Chromium', timeout: 120000 }, async () => {
  const [html] = blocks('html');
  let show;
  const shown = new Promise((resolve) => { show = resolve; });

  writeFileSync(join(scratch, 'index.html'), html + REPORTER);
  const server = createServer(async (request, response) => {
    const name = request.url === '/' ? 'index.html' : request.url.slice(1);

    if (request.method === 'POST') {
      const pieces = [];

      for await (const piece of request)
        pieces.push(piece);
      response.end();
      show(Buffer.concat(pieces).toString());
    } else if (['index.html', 'shufflebias.mjs', 'shufflebias.wasm'].includes(name)) {
      response.writeHead(200, { 'content-type': TYPES[name.split('.').pop()] }).end(readFileSync(join(scratch, name)));
    } else {
      response.writeHead(404).end();
    }
  });

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(scratch, 'profile')}`,
    `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });

  try {
    assert.equal(await shown, 'naive: 4 5 5 5 4 4 of 27');
  } finally {
    const ended = new Promise((resolve) => { browser.on('exit', resolve); });

    browser.kill();
    await ended;
    server.closeAllConnections?.();
    server.close();
  }
});
