// SPDX-License-Identifier: GPL-3.0-or-later
/** Opens the WebAssembly module in node, when it is first needed. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { gunzipSync } from 'node:zlib';
import plain from './plain.cjs';
import { openSync } from './shufflebias.mjs';
import { hasSimd } from './simd_test.mjs';
import simd from './simd.cjs';

let opened;

export function engine() {
  if (typeof TextDecoder === 'undefined')
    throw new Error("shufflebias needs node's TextDecoder, which Jest's environment `jsdom` lacks: use /** @jest-environment node */");
  opened ??= openSync(gunzipSync(Buffer.from(hasSimd() ? simd : plain, 'base64')), { crypto, sync: syncBuiltinESMExports });
  return opened;
}
