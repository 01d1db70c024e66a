// SPDX-License-Identifier: GPL-3.0-or-later
// Tests for Vitest. tests/web/package.mjs expects that lodash alone passes.
import deck from 'deck';
import { gsap } from 'gsap';
import lodash from 'lodash';
import { expect, test } from 'vitest';
import 'shufflebias/vitest';
import { naive } from '../subjects.cjs';

test('lodash', () => { expect(lodash.shuffle).toBeFair({ n: 4, exclude: 0.05 }); });
test('the naive swap', () => { expect(naive).toBeFair({ n: 4, exclude: 0.05 }); });
test('the naive swap is not fair', () => { expect(naive).not.toBeFair({ n: 4 }); });
test('no verdict', () => { expect(lodash.shuffle).not.toBeFair({ n: 4, limit: 50 }); });
test('gsap', () => { expect(gsap.utils.shuffle).toBeFair({ n: 4 }); });
test('deck', () => { expect(deck.shuffle).toBeFair({ n: 4 }); });
