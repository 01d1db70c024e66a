// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled, not run, by tests/web/package.mjs: the types of the package.
import { deal, gate, prove, report, run, type Gate, type ShufflebiasError } from 'shufflebias';
import { assertFair } from 'shufflebias/node-test';
import { expect as expectJest } from '@jest/globals';
import { expect } from 'vitest';
import 'shufflebias/jest';
import 'shufflebias/vitest';

const shuffle = (deck: number[]) => deck.reverse();
const result: Gate = gate(shuffle, { n: 4, max_bias: 0.02 });
const texts: string[] = [result.sentence, gate(shuffle, { format: 'html' }), prove(shuffle).evidence.denominator ?? ''];
const verdict: 'pass' | 'fail' | 'inconclusive' = result.verdict;
const numbers: number[] = [result.statistics[0]!.weight, report(shuffle).evidence.total, ...deal('naive', { n: 5, seed: 3 })[0]!, run(['list']).status];

assertFair(shuffle, { n: 4 });
assertFair((deck: number[], draw: (bound: number) => number) => { deck[0] = draw(3); }, { argument: 'draw' });
gate((deck: number[], rng: () => number) => { deck[0] = rng(); }, { argument: 'rng' });
gate((deck: number[], start = 0, end = deck.length) => deck.slice(start, end));
expect(shuffle).toBeFair({ n: 4 });
expect(shuffle).not.toBeFair();
expectJest(shuffle).toBeFair({ n: 4 });
// @ts-expect-error no such option
expectJest(shuffle).not.toBeFair({ max_bais: 4 });
// @ts-expect-error no such option
gate(shuffle, { max_bais: 0.02 });
// @ts-expect-error no such argument
expect(shuffle).toBeFair({ argument: 'seed' });
// @ts-expect-error no such verdict
if (result.verdict === 'maybe') throw new Error();
// @ts-expect-error no function
gate('shuffle');
export const status = (error: ShufflebiasError) => [error.status === 'subject', texts, verdict, numbers];
