/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The share of derangements, d_n = D_n/n!, where D_n is the number of permutations of n items without a fixed
 * point. The laws of fixed points and of adjacent pairs follow from these shares.
 *
 * n d_n = (n-1) d_{n-1} + d_{n-2}. Unlike the sum of (-1)^i/i!, this recurrence has no negative terms. Cost:
 * n divisions.
 *
 * Stanley, Enumerative Combinatorics 1, 2.2; OEIS A000166.
 */
#include "statistic/laws.h"

void sb_law_derangements(size_t n, double share[])
{
    share[0] = 1;
    for (size_t m = 1; m <= n; m++)
        share[m] = ((double)(m - 1) * share[m - 1] + (m > 1 ? share[m - 2] : 0)) / (double)m;
}
