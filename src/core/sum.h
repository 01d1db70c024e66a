/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compensated summation: the error of a sum does not grow with the number of terms, and the result depends
 * only on the terms and their order. Cost: 4 additions per term. Neumaier, doi:10.1002/zamm.19740540106.
 */
#ifndef SB_CORE_SUM_H
#define SB_CORE_SUM_H

#include <math.h>

struct sb_sum {
    double high, low; /* the sum so far is high + low */
};

static inline void sb_sum_add(struct sb_sum *sum, double term)
{
    const double high = sum->high + term;

    if (fabs(sum->high) >= fabs(term))
        sum->low += (sum->high - high) + term;
    else
        sum->low += (term - high) + sum->high;
    sum->high = high;
}

static inline double sb_sum_value(const struct sb_sum *sum)
{
    return sum->high + sum->low;
}

#endif
