// SPDX-License-Identifier: GPL-3.0-or-later
import type { DealOptions, Gate, GateOptions, ProveOptions, Report, ReportExactEvidence, ReportOptions, ReportSampledEvidence } from './results.mjs';
export type * from './results.mjs';

/**
 * A shuffle: shuffles the array of the numbers 0 to n - 1 in place, or returns an array or another iterable object. It must be synchronous. It gets
 * nothing but the array, unless the option `argument` asks for a second argument.
 */
export type Shuffle = (deck: any, argument: any) => unknown;

/** A format in place of an object. */
export interface TextFormat {
  format: 'text' | 'markdown' | 'csv' | 'junit' | 'tap' | 'html' | 'svg';
}

/** What a failed call throws: an Error with a line for people. What the function throws, the call throws. */
export interface ShufflebiasError extends Error {
  status: 'invalid' | 'too large' | 'no memory' | 'io' | 'stopped' | 'subject' | 'broken';
}

/** Calls the function until it is known whether the shuffle is fair. */
export declare function gate(shuffle: Shuffle, options?: GateOptions): Gate;
export declare function gate(shuffle: Shuffle, options: GateOptions & TextFormat): string;

/** Calls the function with every possible series of draws, and computes its exact law. */
export declare function prove(shuffle: Shuffle, options?: ProveOptions): Report & { evidence: ReportExactEvidence };
export declare function prove(shuffle: Shuffle, options: ProveOptions & TextFormat): string;

/** Counts results of the function, and reports on them. */
export declare function report(shuffle: Shuffle, options?: ReportOptions): Report & { evidence: ReportSampledEvidence };
export declare function report(shuffle: Shuffle, options: ReportOptions & TextFormat): string;

/**
 * Decks of a shuffle that shufflebias knows, such as 'fisher-yates' or 'naive/modulo:15', or, if it is null, of the law `options.fair`: arrays of
 * the items 0 to n - 1.
 */
export declare function deal(scheme: string | null, options?: DealOptions): number[][];

/** Answers a command line, such as ['explain', 'naive'], without files: its exit status and what it wrote. */
export declare function run(words: ReadonlyArray<string | number>): { status: number; output: string; errors: string };

/** Resolves when the functions can be called: in node at once, in browsers when the module is compiled. */
export declare const ready: Promise<void>;
