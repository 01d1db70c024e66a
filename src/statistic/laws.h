/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Null laws that several statistics share, for n up to SB_LAW_ITEMS_MOST unless stated otherwise; each in a file
 * of its own. */
#ifndef SB_STATISTIC_LAWS_H
#define SB_STATISTIC_LAWS_H

#include "statistic/window.h"

#include <stddef.h>

/* ln_p[0..cells-1]: the uniform law. */
void sb_law_uniform(size_t cells, double ln_p[]);

/* ln_p[0..n]: the law of the number of cycles, or of records, of n items. O(n^2). */
void sb_law_stirling(size_t n, double ln_p[]);

/* ln_p[0..n-1]: the law of the number of descents of n items, n >= 1. O(n^2). */
void sb_law_eulerian(size_t n, double ln_p[]);

/* ---- more than SB_LAW_ITEMS_MOST items ---- */

/* Cells of the number of cycles, or of records: 0 to 63, and all from 64 on. */
enum { SB_STIRLING_CELLS = 65 };

/* ln_p[]: the law of the number of cycles, or of records. O(n). */
void sb_law_stirling_large(size_t n, double ln_p[SB_STIRLING_CELLS]);

/* The window of the number of descents, and the law of its cells: exact to 10^-15 of the largest probability,
 * which is 10^-6 of those at the ends. O(sqrt(n)). */
struct sb_window sb_law_eulerian_window(size_t n);
void sb_law_eulerian_large(size_t n, double ln_p[]);

/* Cells of the number of fixed points, or of adjacent pairs: 0 to 63, and all from 64 on. */
enum { SB_MATCHES_CELLS = 65 };

/*
 * ln_p[]: the law of the number of fixed points, C(n, m) D_{n-m}/n!, or if `pairs` of adjacent pairs, which is that
 * times (n - m + 1)/n. The share of derangements of more than 20 items is 1/e to all digits. O(1).
 */
void sb_law_matches_large(size_t n, bool pairs, double ln_p[SB_MATCHES_CELLS]);

/* ---- */

/* share[m], m = 0..n: the share of derangements, permutations without a fixed point, among all
 * permutations of m items. O(n). */
void sb_law_derangements(size_t n, double share[]);

#endif
