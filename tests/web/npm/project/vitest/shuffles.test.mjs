// SPDX-License-Identifier: GPL-3.0-or-later
// Tests for Vitest. tests/web/package.mjs says which of them pass.
import deck from 'deck';
import { gsap } from 'gsap';
import lodash from 'lodash';
import { expect, test } from 'vitest';
import 'shufflebias/vitest';
import { drawn, naive, part } from '../subjects.cjs';

test('lodash', () => { expect(lodash.shuffle).toBeFair({ n: 4, max_bias: 0.05 }); });
test('a part of an array', () => { expect(part).toBeFair({ n: 4, max_bias: 0.05 }); });
test('an argument that is asked for', () => { expect(drawn).toBeFair({ n: 4, max_bias: 0.05, argument: 'draw' }); });
test('the naive swap', () => { expect(naive).toBeFair({ n: 4, max_bias: 0.05 }); });
test('the naive swap is not fair', () => { expect(naive).not.toBeFair({ n: 4 }); });
test('no verdict', () => { expect(lodash.shuffle).not.toBeFair({ n: 4, limit: 50 }); });
test('gsap', () => { expect(gsap.utils.shuffle).toBeFair({ n: 4 }); });
test('deck', () => { expect(deck.shuffle).toBeFair({ n: 4 }); });
