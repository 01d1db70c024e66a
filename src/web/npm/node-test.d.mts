// SPDX-License-Identifier: GPL-3.0-or-later
import type { GateOptions, Shuffle } from './index.mjs';

/** Throws an AssertionError unless a gate on the function passes. */
export declare function assertFair(shuffle: Shuffle, options?: GateOptions): void;
