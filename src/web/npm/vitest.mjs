// SPDX-License-Identifier: GPL-3.0-or-later
/** Gives the `expect` of Vitest the matcher toBeFair(). */
import { expect } from 'vitest';
import { toBeFair } from './matchers.mjs';

expect.extend({ toBeFair });
