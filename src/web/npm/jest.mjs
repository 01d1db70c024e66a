// SPDX-License-Identifier: GPL-3.0-or-later
/** Gives the `expect` of Jest the matcher toBeFair(). */
import { expect } from '@jest/globals';
import { toBeFair } from './matchers.mjs';

expect.extend({ toBeFair });
