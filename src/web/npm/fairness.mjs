// SPDX-License-Identifier: GPL-3.0-or-later
/** What the matchers and assertFair() share: the verdict of a gate, and what a failing test shows. */
import { engine } from './engine.mjs';

/**
 * Runs a gate. Returns { verdict, message }: the message has the verdict of the gate, its details and, if the shuffle looks like
 * a known faulty one, why that shuffle is biased and how it becomes fair.
 */
export function judge(shuffle, options) {
  const [{ gates: [gate] }, text] = engine().gate(shuffle, { ...options, format: 'json+text' });
  const cause = text.indexOf('\nCause: ');

  return { verdict: gate.verdict, message: `${gate.sentence}\n${gate.details}` + (cause < 0 ? '' : `\n${text.slice(cause).trimEnd()}`) };
}
