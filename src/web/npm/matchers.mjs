// SPDX-License-Identifier: GPL-3.0-or-later
/** Matchers for the `expect` of Vitest and Jest: expect.extend({ toBeFair }). */
import { judge } from './fairness.mjs';

/** expect(shuffle).toBeFair({ n: 4, max_bias: 0.02 }): a gate on the function passes. Without a verdict, .not fails, too. */
export function toBeFair(shuffle, options) {
  const { verdict, message } = judge(shuffle, options);

  return { pass: verdict === 'pass' || (verdict === 'inconclusive' && this.isNot === true), message: () => message };
}
