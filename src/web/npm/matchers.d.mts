// SPDX-License-Identifier: GPL-3.0-or-later
import type { GateOptions } from './index.mjs';

/** A matcher for expect.extend(). */
export declare function toBeFair(this: any, shuffle: unknown, options?: GateOptions): { pass: boolean; message: () => string };
