/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Null laws that several statistics share. n is at most SB_LAW_ITEMS_MOST unless a comment says otherwise. */
#ifndef SB_STATISTIC_LAWS_H
#define SB_STATISTIC_LAWS_H

#include "statistic/window.h"

#include <stddef.h>

/* Sets ln_p[0..cells-1] to the uniform law. */
void sb_law_uniform(size_t cells, double ln_p[]);

/* Sets ln_p[0..n] to the law of the number of cycles of n items, which is also the law of the number of
 * records. O(n^2). */
void sb_law_stirling(size_t n, double ln_p[]);

/* Sets ln_p[0..n-1] to the law of the number of descents of n items, n >= 1. O(n^2). */
void sb_law_eulerian(size_t n, double ln_p[]);

/* ---- more than SB_LAW_ITEMS_MOST items ---- */

/* The law of cycles or records of many items has one cell for each number 0..63, and one for all larger
 * numbers. */
enum { SB_STIRLING_CELLS = 65 };

/* Sets ln_p[] to the law of the number of cycles, which is also the law of the number of records. O(n). */
void sb_law_stirling_large(size_t n, double ln_p[SB_STIRLING_CELLS]);

/* The first function returns the window of cells for the number of descents. The second function sets ln_p[]
 * to the law of these cells. O(sqrt(n)). */
struct sb_window sb_law_eulerian_window(size_t n);
void sb_law_eulerian_large(size_t n, double ln_p[]);

/* The law of fixed points or adjacent pairs of many items has one cell for each number 0..63, and one for all
 * larger numbers. */
enum { SB_MATCHES_CELLS = 65 };

/*
 * Sets ln_p[] to the law of the number m of fixed points, C(n, m) D_{n-m}/n!, where D_j is the number of
 * derangements of j items. If `pairs` is true, sets ln_p[] to the law of the number m of adjacent pairs
 * instead. The probability of m pairs is (n - m + 1)/n times as large. For more than 20 items, the share of
 * derangements is 1/e to all digits. O(1).
 */
void sb_law_matches_large(size_t n, bool pairs, double ln_p[SB_MATCHES_CELLS]);

/* ---- */

/* Sets share[m], m = 0..n, to the share of derangements (permutations without a fixed point) among all
 * permutations of m items. O(n). */
void sb_law_derangements(size_t n, double share[]);

#endif
