// SPDX-License-Identifier: GPL-3.0-or-later
/** The package in node. */
import { interfaceOf } from './interface.mjs';
import { engine } from './engine.mjs';

export const { gate, prove, report, deal, run } = interfaceOf(engine);

/** Is there for browsers, which compile in the background. */
export const ready = Promise.resolve();
