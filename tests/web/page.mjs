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
after(() => rmSync(scratch, { recursive: true }));

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

/** The text of the first <output> of a page, as soon as there is one, in headless Chromium. */
async function shown(url, chromium) {
  const browser = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(scratch, 'profile')}`,
    '--virtual-time-budget=60000', '--dump-dom', url], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pieces = [];

  for await (const piece of browser.stdout)
    pieces.push(piece);
  return Buffer.concat(pieces).toString().match(/<output>(.*?)<\/output>/s)?.[1];
}

function installed(program) {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

const chromium = installed('chromium');

test('the page for a browser', { skip: chromium ? false : 'there is no Chromium' }, async () => {
  const [html] = blocks('html');

  writeFileSync(join(scratch, 'index.html'), html);
  const server = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : request.url.slice(1);

    if (!/^[\w.-]+$/.test(name) || !['index.html', 'shufflebias.mjs', 'shufflebias.wasm'].includes(name)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[name.split('.').pop()] }).end(readFileSync(join(scratch, name)));
  });

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const text = await shown(`http://127.0.0.1:${server.address().port}/`, chromium);

    assert.match(text ?? '', /^naive: 4 5 5 5 4 4 of 27$/);
  } finally {
    server.close();
  }
});
