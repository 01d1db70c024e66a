// SPDX-License-Identifier: GPL-3.0-or-later
// The module and the native program give the same bytes and exit statuses for each STEP-th line of commands.mjs:
//     node same.mjs FOLDER MODULE NATIVE SOURCE STEP
// The module's C library computes logarithms with other last digits than the program's. So the JSON of results that need
// logarithms may differ in numbers, by 1e-12 at most (tests/house/same_numbers.py).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commands as all } from './commands.mjs';

const [folder, name, program, source, step] = process.argv.slice(2);
const commands = all.filter((_, i) => i % step === 0);
const native = resolve(program);
const { open } = await import(pathToFileURL(resolve(folder, 'shufflebias.mjs')));
const engine = await open(readFileSync(join(folder, name)));
const scratch = mkdtempSync(join(tmpdir(), 'shufflebias-web-'));

function nativeRun(words) {
  const done = spawnSync(native, words, {
    cwd: scratch, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
  });

  if (done.error)
    throw done.error;
  return { status: done.status, output: done.stdout, errors: done.stderr };
}

/** Whether two texts of JSON differ in nothing but the last digits of their numbers. */
function sameNumbers(...texts) {
  const files = texts.map((text, i) => join(scratch, `${i}.json`));

  files.forEach((file, i) => writeFileSync(file, texts[i]));
  return spawnSync('python3', [join(source, 'tests', 'house', 'same_numbers.py'), ...files]).status === 0;
}

const PARTS = ['status', 'output', 'errors'];

/** How well the two results agree: 'bytes', 'numbers' (to 1e-12), or the names of the parts that differ. */
function agreement(words, own, other) {
  const parts = PARTS.filter((part) => own[part] !== other[part]);
  const exact = words.includes('exact'); // exact results are made without logarithms

  if (parts.length === 0)
    return 'bytes';
  return parts.join() === 'output' && words.includes('json') && !exact && sameNumbers(own.output, other.output)
    ? 'numbers' : parts.join(', ');
}

const count = { bytes: 0, numbers: 0, different: 0 };

for (const words of commands) {
  const own = engine.run(words), other = nativeRun(words);
  const result = agreement(words, own, other);

  if (result in count) {
    count[result]++;
    continue;
  }
  count.different++;
  console.log(`${result} differ: ${words.join(' ')}`);
  for (const part of PARTS.filter((part) => own[part] !== other[part]))
    console.log(`  module: ${JSON.stringify(own[part]).slice(0, 300)}\n  native: ${JSON.stringify(other[part]).slice(0, 300)}`);
}
rmSync(scratch, { recursive: true });
console.log(`${name}: ${commands.length} command lines, ${count.bytes} with the same bytes, ${count.numbers} with the same ` +
  `numbers, ${count.different} differ`);
process.exitCode = count.different > 0 ? 1 : 0;
