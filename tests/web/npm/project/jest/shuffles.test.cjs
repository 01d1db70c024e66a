// SPDX-License-Identifier: GPL-3.0-or-later
// Tests for Jest. tests/web/package.mjs expects that lodash alone passes.
'use strict';
const lodash = require('lodash');
require('shufflebias/jest');
const { naive } = require('../subjects.cjs');

test('lodash', () => { expect(lodash.shuffle).toBeFair({ n: 4, exclude: 0.05 }); });
test('the naive swap', () => { expect(naive).toBeFair({ n: 4, exclude: 0.05 }); });
test('the naive swap is not fair', () => { expect(naive).not.toBeFair({ n: 4 }); });
