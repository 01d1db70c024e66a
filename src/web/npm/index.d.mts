// SPDX-License-Identifier: GPL-3.0-or-later
import type { Gate, Report, ReportExactEvidence, ReportSampledEvidence } from './results.mjs';
export type * from './results.mjs';

/**
 * A shuffle: shuffles the array of the numbers 0 to n - 1 in place, or returns an array or another iterable object. It must be synchronous. It gets
 * nothing but the array, unless the option `argument` asks for a second argument.
 */
export type Shuffle = (deck: any, argument: any) => unknown;

/** What all calls on a function accept. */
export interface CommonOptions {
  /** The number of items; 3 by default, 65,536 at most. */
  n?: number;
  /** The shuffle's name in results; by default the function's own. */
  name?: string;
  /** What the function gets as its second argument: 'draw': draw(k), which returns an integer in 0 to k - 1; 'rng': a function like Math.random; by default nothing. */
  argument?: 'draw' | 'rng';
  /** Is called now and then. If it returns true, the work stops, with the results so far. */
  progress?: (done: number, total: number) => boolean | void;
}

export interface GateOptions extends CommonOptions {
  /** How many cards are dealt, the first of the result; 0, the default: all. The function may return only these. */
  deal?: number;
  /** The function gets its previous result, and the steps from one result to the next are tested. */
  chained?: boolean;
  /** The highest probability that a fair shuffle ever fails; 1e-9 by default. */
  alpha?: number;
  /** The highest probability that a shuffle with the bias `exclude` passes; 1e-6 by default. */
  delta?: number;
  /** The bias that a pass rules out, a total variation distance; 0.01 by default. */
  exclude?: number;
  /** The bias that is tolerated; 0 by default. */
  tolerate?: number;
  /** The most permutations; 2,000,000 by default. */
  limit?: number;
  /** A pass rules out that the shuffle gives fewer equally likely decks than this. */
  seeds?: number;
  /** Also tests the steps from one permutation to the next. */
  increments?: boolean;
  /** 'cards' adds statistics for 52 playing cards. */
  profile?: 'cards';
}

export interface ProveOptions extends CommonOptions {
  /** The number of items: at most 10. */
  n?: number;
  /** How many equal cells [0, 1) has, for functions that call Math.random(); by default the least common multiple of 1 to n. */
  cells?: number;
  /** The most draws in one shuffle; 1,000 by default. */
  draws?: number;
  /** The most series of draws; 1,000,000 by default. */
  paths?: number;
  /** Lists all counts, also of more than 8 items. */
  counts?: boolean;
}

export interface ReportOptions extends CommonOptions {
  deal?: number;
  chained?: boolean;
  /** How many results of the function to count. */
  samples?: number;
  alpha?: number;
  /** Names separated by commas, of the statistics to test besides rank and position; '': none; by default all. */
  statistics?: string;
  profile?: 'cards';
  increments?: boolean;
  counts?: boolean;
}

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

export interface DealOptions {
  n?: number;
  /** Deals only this many of the n items. */
  deal?: number;
  /** How many decks; 10 by default. */
  samples?: number;
  seed?: number | string;
  draw?: string;
  rng?: string;
}

/** Decks of a shuffle that shufflebias knows, such as 'fisher-yates' or 'naive/modulo:15': arrays of the items 0 to n - 1. */
export declare function deal(scheme: string, options?: DealOptions): number[][];

/** Answers a command line, such as ['explain', 'naive'], without files: its exit status and what it wrote. */
export declare function run(words: ReadonlyArray<string | number>): { status: number; output: string; errors: string };

/** Resolves when the functions can be called: in node at once, in browsers when the module is compiled. */
export declare const ready: Promise<void>;
