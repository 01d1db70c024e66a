// SPDX-License-Identifier: GPL-3.0-or-later
// Tests for Jest. tests/web/package.mjs says which of them pass.
'use strict';
const lodash = require('lodash');
require('shufflebias/jest');
const { drawn, naive, part } = require('../subjects.cjs');

test('lodash', () => { expect(lodash.shuffle).toBeFair({ n: 4, max_bias: 0.05 }); });
test('a part of an array', () => { expect(part).toBeFair({ n: 4, max_bias: 0.05 }); });
test('an argument that is asked for', () => { expect(drawn).toBeFair({ n: 4, max_bias: 0.05, argument: 'draw' }); });
test('the naive swap', () => { expect(naive).toBeFair({ n: 4, max_bias: 0.05 }); });
test('the naive swap is not fair', () => { expect(naive).not.toBeFair({ n: 4 }); });
