// SPDX-License-Identifier: GPL-3.0-or-later
import type { GateOptions } from './index.mjs';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> {
    /** A gate on the function passes. */
    toBeFair(options?: GateOptions): R;
  }
}

declare global {
  namespace jest {
    interface Matchers<R> {
      /** A gate on the function passes. */
      toBeFair(options?: GateOptions): R;
    }
  }
}
