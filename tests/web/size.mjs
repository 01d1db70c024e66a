// SPDX-License-Identifier: GPL-3.0-or-later
// Browsers download a module, so that each has a largest compressed size: node size.mjs FOLDER
// Without SIMD, vectors become long series of instructions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MOST = { 'shufflebias.wasm': 482_000, 'shufflebias-plain.wasm': 520_000 }; // bytes

for (const [name, most] of Object.entries(MOST)) {
  const bytes = readFileSync(join(process.argv[2], name)), size = gzipSync(bytes, { level: 9 }).length;

  console.log(`${name}: ${bytes.length} bytes, ${size} compressed, at most ${most}`);
  if (size > most)
    process.exitCode = 1;
}
