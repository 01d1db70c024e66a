// SPDX-License-Identifier: GPL-3.0-or-later
/** An assertion for node:test, and for any runner that shows what a test throws. */
import { AssertionError } from 'node:assert';
import { judge } from './fairness.mjs';

/** Throws an AssertionError unless a gate on the function passes. */
export function assertFair(shuffle, options) {
  const { verdict, message } = judge(shuffle, options);

  if (verdict !== 'pass')
    throw new AssertionError({ message, actual: verdict, expected: 'pass', operator: 'assertFair', stackStartFn: assertFair });
}
