// SPDX-License-Identifier: GPL-3.0-or-later
// Tests for node:test. tests/web/package.mjs says which of them pass.
import { test } from 'node:test';
import lodash from 'lodash';
import { assertFair } from 'shufflebias/node-test';
import { drawn, naive, part } from '../subjects.cjs';

test('lodash', () => assertFair(lodash.shuffle, { n: 4, max_bias: 0.05 }));
test('a part of an array', () => assertFair(part, { n: 4, max_bias: 0.05 }));
test('an argument that is asked for', () => assertFair(drawn, { n: 4, max_bias: 0.05, argument: 'draw' }));
test('the naive swap', () => assertFair(naive, { n: 4, max_bias: 0.05 }));
