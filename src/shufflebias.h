/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shufflebias tells whether a shuffle is fair, how far from fair it is, and how certain the answer is.
 *
 * The library never prints, exits or reads the environment, and leaves GSL's error handler unchanged. The
 * library has no global state, so several threads may use it at the same time. Numbers in results have a
 * decimal point, whatever locale the program has chosen. A function that can fail returns an `enum
 * sb_status`. After an error, the function has written one line for people into a `struct sb_error`; all
 * other outputs of the function are unchanged. The caller may pass NULL instead of a `struct sb_error`. A
 * name, a list, a file, a stream or a result to be written that is NULL is SB_INVALID, unless a comment gives
 * NULL a meaning. No other pointer may be NULL. The caller frees each result of a ..._new() with the matching
 * ..._free(), which allows NULL.
 *
 * The comments use these words:
 *
 *   deal              the first k cards of a shuffled deck of n, in their order; often k = n
 *   law               the probability of each possible result; the null law is the law of a fair shuffle
 *   draw              a random integer below a bound, or a method that makes such integers from words
 *   scheme            a built-in shuffle, its draw and its generator: "naive", "naive/modulo:15/mt19937"
 *   subject           the shuffle under test
 *   statistic         a function of a deal, such as the number of fixed points
 *   cell              a value of a statistic, or a group of values that are counted together
 *   member            one of several similar statistics, such as the position of one item
 *   rank              the index of a deal in the sorted list of all possible deals, from 0; also the number
 *                     of one of several processes that share the work
 *   fair share        the probability of a result if the shuffle is fair
 *   total variation   the smallest probability that must move to other results to make the law fair, 0..1
 *   evidence          what is known about a law: exact probabilities, or counts
 *   E                 the evidence against a fair shuffle; if the shuffle is fair, the probability that E
 *                     ever reaches 1/alpha is at most alpha
 *   bettor            a statistic that predicts each card from what came before, and bets on it
 *   look              a moment at which the gate or the watch checks its counts
 *
 * The examples that the comments name are in share/doc/shufflebias/examples, and in data/examples of the
 * source tree.
 */
#ifndef SHUFFLEBIAS_H
#define SHUFFLEBIAS_H

#include "shufflebias/basics.h"       /* statuses, errors, lists of names, how results look */
#include "shufflebias/calculations.h" /* odds, plans, laws of fair shuffles, costs */
#include "shufflebias/cluster.h"      /* processes that share the work of reports */
#include "shufflebias/decks.h"        /* shuffled decks */
#include "shufflebias/gates.h"        /* pass or fail, for one subject or for a suite */
#include "shufflebias/proofs.h"       /* the exact law of your own shuffle */
#include "shufflebias/reports.h"      /* the law of a shuffle, with effect sizes, tests and a verdict */
#include "shufflebias/requests.h"     /* requests whose options are set by name, for any language */
#include "shufflebias/saved.h"        /* samples that were saved, resumed or merged */
#include "shufflebias/subjects.h"     /* the shuffle under test */
#include "shufflebias/teaching.h"     /* explanations, the zoo, lessons */
#include "shufflebias/watches.h"      /* a gate without an end */

#endif
