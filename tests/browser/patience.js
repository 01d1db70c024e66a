// SPDX-License-Identifier: GPL-3.0-or-later
// What tests in browsers need so that they also pass on a slow or busy machine.
'use strict';

const USUAL = 40; // milliseconds for the steps below on a machine of the year 2022, for which limits of time are given
const TRIES = 3;

/** Milliseconds to wait for what must come: a busy machine may take a minute to start a browser. */
exports.PATIENCE = 300000;

/** How many times slower than that machine a page works at this moment; at least 1. */
exports.slowness = (page) => page.evaluate((usual) => {
  const began = performance.now();
  let state = 1;

  for (let i = 0; i !== 20e6; i++)
    state = Math.imul(state, 1664525) + 1013904223 | 0;
  return Math.max(1, (performance.now() - began) / usual) + 0 * state; // so that the steps are not left out
}, USUAL);

/** Starts a browser with the milliseconds that it may take; one that does not come up gets successors. */
exports.patiently = async (start) => {
  for (let i = 1; ; i++)
    try {
      return await start(exports.PATIENCE / TRIES);
    } catch (error) {
      if (i === TRIES)
        throw error;
    }
};
