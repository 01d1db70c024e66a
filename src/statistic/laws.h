/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Null laws that several statistics share, for n up to SB_LAW_ITEMS_MOST; each in a file of its own. */
#ifndef SB_STATISTIC_LAWS_H
#define SB_STATISTIC_LAWS_H

#include <stddef.h>

/* ln_p[0..cells-1]: the uniform law. */
void sb_law_uniform(size_t cells, double ln_p[]);

/* ln_p[0..n]: the law of the number of cycles, or of records, of n items. O(n^2). */
void sb_law_stirling(size_t n, double ln_p[]);

/* ln_p[0..n-1]: the law of the number of descents of n items, n >= 1. O(n^2). */
void sb_law_eulerian(size_t n, double ln_p[]);

/* share[m], m = 0..n: the share of derangements, permutations without a fixed point, among all
 * permutations of m items. O(n). */
void sb_law_derangements(size_t n, double share[]);

#endif
