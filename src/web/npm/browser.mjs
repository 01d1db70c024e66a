// SPDX-License-Identifier: GPL-3.0-or-later
/** The package in browsers, which compile large modules only in the background. */
import { interfaceOf } from './interface.mjs';
import { open } from './shufflebias.mjs';
import { hasSimd } from './simd_test.mjs';

async function decompress(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));

  return new Response(stream).arrayBuffer();
}

let opened;

async function start() {
  const module = hasSimd() ? await import('./simd.mjs') : await import('./plain.mjs');

  opened = await open(await decompress(module.default));
}

/** Resolves when the functions can be called. */
export const ready = start();

export const { gate, prove, report, deal, run } = interfaceOf(() => {
  if (!opened)
    throw new Error('the module is not compiled yet: await `ready` before the first call');
  return opened;
});
