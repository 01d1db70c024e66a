// SPDX-License-Identifier: GPL-3.0-or-later
// Tests for node:test. tests/web/package.mjs expects that lodash alone passes.
import { test } from 'node:test';
import lodash from 'lodash';
import { assertFair } from 'shufflebias/node-test';
import { naive } from '../subjects.cjs';

test('lodash', () => assertFair(lodash.shuffle, { n: 4, exclude: 0.05 }));
test('the naive swap', () => assertFair(naive, { n: 4, exclude: 0.05 }));
