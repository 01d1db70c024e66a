// SPDX-License-Identifier: GPL-3.0-or-later
import 'vitest';
import type { GateOptions } from './index.mjs';

declare module 'vitest' {
  interface Assertion<T = any> {
    /** A gate on the function passes. */
    toBeFair(options?: GateOptions): void;
  }
}
