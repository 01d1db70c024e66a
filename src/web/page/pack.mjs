// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the playground, one page that asks for nothing else: node pack.mjs WEB OUTPUT
// WEB is the folder with the module and its host, as src/web/build.sh makes it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [web, output] = process.argv.slice(2);
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const HTML = '../../report/html/';
const STYLE = [`${HTML}style.css`, `${HTML}stepper.css`, 'page.css'];
const PRESETS = read('../../../data/presets.js');
const PAGE = [...['stepper', 'script', 'svg', 'orders', 'tree', 'tree_figure', 'histogram', 'play'].map((name) => `${HTML}${name}.js`), 'bars.js', 'matrix.js',
  'gate_figure.js', 'job.js', 'live.js', 'link.js', 'save.js', 'sorts.js', 'show.js', 'compare.js', 'app.js'];
const WORKER = ['types.js', 'typed.js', 'rewrite.js', `${HTML}orders.js`, `${HTML}trace.js`, `${HTML}tree.js`, 'worker.js'];

/** Without comments. */
const trim = (text) => text.replace(/^ *\/\*\*[^]*?\*\/\n/gm, '').replace(/(^|[ \t]+)\/\/ .*$/gm, '').replace(/\n{2,}/g, '\n');
const host = trim(readFileSync(`${web}/shufflebias.mjs`, 'utf8')).replace(/^export (?=async|function|class|const|let)/gm, '').replace(/^export \{.*\};\n/gm, '');
const style = STYLE.map(read).join('');
const look = read(`${HTML}figure.css`) + read(`${HTML}play.css`) + read('figure.css');
const script = `'use strict';\n${PRESETS}${PAGE.map((name) => trim(read(name))).join('')}`;
// Typed code runs in the global scope of the worker. It does not see what stands within a function.
const worker = `(() => {\n'use strict';\n${host}${WORKER.map((name) => trim(read(name))).join('')}})();\n`;
const engine = gzipSync(readFileSync(`${web}/shufflebias.wasm`), { level: 9 }).toString('base64');
const version = /version: '([^']*)'/.exec(readFileSync(new URL('../../../meson.build', import.meta.url), 'utf8'))[1];
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
// A worker from a Blob has the policy of its page. It compiles typed code and the module, and reaches no network. The
// pictures are Blobs before they are PNG files.
const policy = ["default-src 'none'", `style-src ${hash(style)} ${hash(look)}`, `script-src ${hash(script)} 'unsafe-eval' 'wasm-unsafe-eval'`,
  'worker-src blob:', 'img-src blob: data:', "connect-src 'none'", "base-uri 'none'", "form-action 'none'"].join('; ');
const parts = { POLICY: policy, STYLE: style, LOOK: look, SCRIPT: script, WORKER: worker, ENGINE: engine, VERSION: version };

for (const text of [script, worker, style, look])
  if (/<\/(script|style)|<!--/i.test(text))
    throw new Error('a part would end its own element');
writeFileSync(output, read('page.html').replace(/@@(\w+)@@/g, (_, name) => parts[name]));
