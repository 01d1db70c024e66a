// SPDX-License-Identifier: GPL-3.0-or-later
// Bundled for browsers by tests/web/package.mjs.
import { prove } from 'shufflebias';
import { naive } from './subjects.cjs';

globalThis.shown = prove(naive, { n: 3 }).evidence.counts.join(' ');
console.log(globalThis.shown);
