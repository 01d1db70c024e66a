// SPDX-License-Identifier: GPL-3.0-or-later
/** Fills the folder of the npm package: node pack.mjs ROOT WEB FOLDER, where WEB has the module and its host. */
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { schemaTypes } from './schema_types.mjs';

const [root, web, folder] = process.argv.slice(2);
const own = join(root, 'src/web/npm');
const licence = '// SPDX-License-Identifier: GPL-3.0-or-later\n';
const read = (...names) => readFileSync(join(...names), 'utf8');
const write = (name, text) => writeFileSync(join(folder, name), text);

/** A module without top-level await and without import() as CommonJS. */
function commonJs(text) {
  const names = [...text.matchAll(/^export (?:async )?(?:function|class) (\w+)/gm)].map((match) => match[1]);
  const lists = [...text.matchAll(/^export const \{ (.*?) \}/gm)].flatMap((match) => match[1].split(', '));
  const variables = [...text.matchAll(/^export const (\w+)/gm)].map((match) => match[1]);
  const exported = [...names, ...lists, ...variables];

  return "'use strict';\n" + text
    .replace(/^import '(.*?)';$/gm, "require('$1');")
    .replace(/^import (.*?) from '(.*?)';$/gm, (line, what, from) => `const ${what} = require('${from.replace(/\.mjs$/, '.cjs')}');`)
    .replace(/^export /gm, '')
    + (exported.length ? `\nmodule.exports = { ${exported.join(', ')} };\n` : '');
}

/** The module as a text in a JavaScript file, so that bundlers need no rule for it. */
function embed(name, target) {
  const text = gzipSync(readFileSync(join(web, name)), { level: 9 }).toString('base64');

  write(`${target}.mjs`, `${licence}export default '${text}';\n`);
  write(`${target}.cjs`, `${licence}module.exports = '${text}';\n`);
}

/** The headings of a command's help whose options a call has, the options that it has of other headings, and those that do not fit a function. */
const HEADINGS = ['Options', 'The shuffle'], OTHERS = ['chained', 'all-counts'];
const LACKS = {
  gate: ['suite', 'jobs', 'cards', 'seed', 'draw', 'rng'],
  prove: ['timeout'],
  report: ['by', 'seeds', 'matrix', 'counts', 'cards', 'seed', 'draw', 'rng'],
  deal: ['format'],
};
const TYPES = { profile: "'cards'", seed: 'number | string', min_decks: 'number | string', statistics: 'string' };
const NUMBERS = /^(TV|[A-Z])$/; // what the help calls a number; others are strings

/** What all calls on a function accept. */
const COMMON = `export interface CommonOptions {
  /** The shuffle's name in results; by default the function's own. */
  name?: string;
  /** What the function gets as its second argument: 'draw': draw(k), which returns an integer in 0 to k - 1; 'rng': a function like Math.random; by default nothing. */
  argument?: 'draw' | 'rng';
  /** Is called now and then. If it returns true, the work stops, with the results so far. */
  progress?: (done: number, total: number) => boolean | void;
}
`;

/** The type of a command's options, from its help. */
function optionTypes(engine, command) {
  const lines = [];

  for (const [, heading, rows] of engine.run([command, '--help', 'all']).output.matchAll(/^(\w[\w ]*):\n((?:  .*\n)+)/gm))
    for (const [, name, value, said] of rows.replace(/\n {10,}/g, ' ').matchAll(/^ +--?(?:max-(?=draws|paths))?([\w-]+)(?:[ =](\S+))? +(.*)$/gm))
      if (HEADINGS.includes(heading) ? !LACKS[command].includes(name) : OTHERS.includes(name))
        lines.push(`  /** ${said.trim()} */\n  ${name.replaceAll('-', '_')}?: ${value ? TYPES[name] ?? (NUMBERS.test(value) ? 'number' : 'string') : 'boolean'};\n`);
  return `export interface ${command[0].toUpperCase()}${command.slice(1)}Options ${command === 'deal' ? '' : 'extends CommonOptions '}{\n${lines.join('')}}\n`;
}

async function types() {
  const { open } = await import(pathToFileURL(resolve(web, 'shufflebias.mjs'))), engine = await open(readFileSync(join(web, 'shufflebias.wasm')));
  const schema = (name) => JSON.parse(read(root, 'data/schema', name));

  return [licence, '/** The results, as data/schema describes them. */\n', schemaTypes(schema('gate-2.json'), 'Gate'), '\n', schemaTypes(schema('report-2.json'), 'Report'),
    '\n/** The options. */\n', COMMON, ...Object.keys(LACKS).map((command) => optionTypes(engine, command))].join('');
}

const browserOnly = ['browser.mjs', 'vitest.mjs'], build = ['pack.mjs', 'schema_types.mjs'];
const version = /version: '(.*?)'/.exec(read(root, 'meson.build'))[1];

mkdirSync(join(folder, 'bin'), { recursive: true });
cpSync(join(own, 'bin'), join(folder, 'bin'), { recursive: true });
for (const name of readdirSync(own).filter((file) => file.endsWith('.mjs') && !build.includes(file))) {
  write(name, read(own, name));
  if (!browserOnly.includes(name) && !name.includes('.d.') && name !== 'files.mjs')
    write(name.replace(/\.mjs$/, '.cjs'), commonJs(read(own, name)));
}
write('shufflebias.mjs', read(web, 'shufflebias.mjs'));
write('shufflebias.cjs', commonJs(read(web, 'shufflebias.mjs')));
write('results.d.mts', await types());
for (const name of ['index', 'matchers', 'vitest', 'jest', 'node-test', 'results']) {
  const text = name === 'results' ? read(folder, 'results.d.mts') : read(own, `${name}.d.mts`);

  write(`${name}.d.mts`, text);
  if (name !== 'vitest')
    write(`${name}.d.cts`, text.replaceAll(".mjs'", ".cjs'"));
}
embed('shufflebias.wasm', 'simd');
embed('shufflebias-plain.wasm', 'plain');
write('package.json', read(own, 'package.json').replace('"version": "0.0.0"', `"version": "${version}"`));
write('README.md', read(own, 'README.md'));
write('COPYING', read(root, 'COPYING'));
