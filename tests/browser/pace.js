// SPDX-License-Identifier: GPL-3.0-or-later
// How fast a page works at this moment, so that a limit of time means the same on a slow or busy machine.
'use strict';

const USUAL = 40; // milliseconds for the steps below on a machine of the year 2022, for which limits are given

/** How many times slower than that machine it is; at least 1. */
exports.slowness = (page) => page.evaluate((usual) => {
  const began = performance.now();
  let state = 1;

  for (let i = 0; i !== 20e6; i++)
    state = Math.imul(state, 1664525) + 1013904223 | 0;
  return Math.max(1, (performance.now() - began) / usual) + 0 * state;
}, USUAL);
