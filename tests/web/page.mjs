// SPDX-License-Identifier: GPL-3.0-or-later
// The examples of docs/web.md: programs for node print what the page says, and src/web/example.html shows the law.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { chromium, show } from './chromium.mjs';

const folder = process.env.SHUFFLEBIAS_WEB;
const page = readFileSync(new URL('../../docs/web.md', import.meta.url), 'utf8');
const blocks = (kind) => [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1]);
const scratch = mkdtempSync(join(tmpdir(), 'shufflebias-page-'));

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
  const part = page.split('## The module itself')[1], described = [...part.matchAll(/^\| `(\w+)\(/gm), ...part.matchAll(/`(sb_\w+)`/g)].map((match) => match[1]);

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

test('the page for a browser', { skip: chromium ? false : 'there is no Chromium' }, async () => {
  const html = readFileSync(new URL('../../src/web/example.html', import.meta.url), 'utf8');
  const file = (name) => readFileSync(join(scratch, name));

  assert.equal(await show({
    'index.html': html + REPORTER, 'shufflebias.mjs': file('shufflebias.mjs'), 'shufflebias.wasm': file('shufflebias.wasm'),
  }), 'naive: 4 5 5 5 4 4 of 27');
});
