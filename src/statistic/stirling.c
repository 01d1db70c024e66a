/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of the number of cycles, and also of the number of records: c(n, k)/n!, the unsigned Stirling
 * numbers of the first kind.
 *
 * Let p_n(k) = c(n, k)/n!. Then p_n(k) = (p_{n-1}(k-1) + (n-1) p_{n-1}(k)) / n, because item n either forms a
 * cycle by itself, or is inserted into a cycle, after one of the n-1 other items. No term is negative, so no
 * digit is lost. Cost: n^2/2 steps, 2 ms at n = 1000.
 *
 * Stanley, Enumerative Combinatorics 1, 1.3; OEIS A132393.
 */
#include "statistic/laws.h"
#include "statistic/scaled.h"
#include "statistic/statistic.h"

void sb_law_stirling(size_t n, double ln_p[])
{
    struct sb_scaled p[SB_LAW_ITEMS_MOST + 1] = { { 1, 0 } };

    for (size_t m = 1; m <= n; m++) {
        p[m] = sb_scaled_times(p[m - 1], 1 / (double)m);
        for (size_t k = m - 1; k > 0; k--)
            p[k] = sb_scaled_add(sb_scaled_times(p[k - 1], 1 / (double)m),
                                 sb_scaled_times(p[k], (double)(m - 1) / (double)m));
        p[0] = sb_scaled_zero;
    }
    for (size_t k = 0; k <= n; k++)
        ln_p[k] = sb_scaled_ln(p[k]);
}
