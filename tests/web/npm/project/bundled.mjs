// SPDX-License-Identifier: GPL-3.0-or-later
// Bundled for browsers by tests/web/package.mjs.
import { prove, ready } from 'shufflebias';
import { naive } from './subjects.cjs';

ready.then(() => console.log(prove(naive, { n: 3 }).evidence.counts.join(' ')));
