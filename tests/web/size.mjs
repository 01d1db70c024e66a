// SPDX-License-Identifier: GPL-3.0-or-later
// A module has at most 450 kB when compressed, because browsers download it: node size.mjs FOLDER
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MOST = 450_000;

for (const name of ['shufflebias.wasm', 'shufflebias-plain.wasm']) {
  const bytes = readFileSync(join(process.argv[2], name)), size = gzipSync(bytes, { level: 9 }).length;

  console.log(`${name}: ${bytes.length} bytes, ${size} compressed, at most ${MOST}`);
  if (size > MOST)
    process.exitCode = 1;
}
