/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shufflebias tells whether a shuffle is fair, how far from fair the shuffle is, and how certain the answer
 * is.
 *
 * The library never prints, exits or reads the environment, and leaves GSL's error handler unchanged. The
 * library has no global state, so several threads may use it at the same time. A function that can fail
 * returns an `enum sb_status`, writes one line for people into a `struct sb_error` (which may be NULL), and
 * leaves its other outputs unchanged. The caller passes each result of a ..._new() to the matching
 * ..._free(), which allows NULL.
 *
 * The examples that the comments name are in share/doc/shufflebias/examples, and in data/examples of the
 * source tree.
 */
#ifndef SHUFFLEBIAS_H
#define SHUFFLEBIAS_H

#include "shufflebias/basics.h"       /* statuses, errors, lists of names, looks */
#include "shufflebias/calculations.h" /* odds, plans, laws of fair shuffles, costs */
#include "shufflebias/cluster.h"      /* processes that share the work of reports */
#include "shufflebias/decks.h"        /* shuffled decks */
#include "shufflebias/gates.h"        /* pass or fail, for one subject or for a suite */
#include "shufflebias/proofs.h"       /* the exact law of your own shuffle */
#include "shufflebias/reports.h"      /* the law of a shuffle, with effect sizes, tests and a verdict */
#include "shufflebias/saved.h"        /* samples that were saved, resumed or merged */
#include "shufflebias/subjects.h"     /* the shuffle on trial */
#include "shufflebias/teaching.h"     /* explanations, the zoo, lessons */
#include "shufflebias/watches.h"      /* a gate without an end */

#endif
