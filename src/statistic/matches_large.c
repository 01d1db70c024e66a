/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of fixed points and of adjacent pairs of more than 1000 items. The probability of m fixed points
 * is d/m!, and the probability of m pairs is (n - m + 1)/n times as large. Here d is the share of
 * derangements among the permutations of the other items. d is 1/e up to an error below 1/900!. Cost: 170
 * terms, after which 1/m! is 0.
 *
 * P. R. de Montmort, Essay d'analyse sur les jeux de hazard, 1713; Charalambides, Enumerative Combinatorics
 * (2002), 5.4; OEIS A008290, A123513.
 */
#include "statistic/laws.h"

#include <math.h>

enum { MATCHES_TERMS = 170 };

void sb_law_matches_large(size_t n, bool pairs, double ln_p[SB_MATCHES_CELLS])
{
    double p = exp(-1), rest = 0;

    for (size_t m = 0; m < MATCHES_TERMS; m++) {
        const double term = pairs ? p * (double)(n - m + 1) / (double)n : p;

        if (m + 1 < SB_MATCHES_CELLS)
            ln_p[m] = log(term);
        else
            rest += term;
        p /= (double)(m + 1);
    }
    ln_p[SB_MATCHES_CELLS - 1] = log(rest);
}
