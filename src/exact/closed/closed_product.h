/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Total variation of a law whose ratio to uniform is a product of independent factors. */
#ifndef SB_EXACT_CLOSED_CLOSED_PRODUCT_H
#define SB_EXACT_CLOSED_CLOSED_PRODUCT_H

#include "exact/law.h"

/* A possible value of a ratio: `deviation` is this value minus 1, and `weight` is the probability of the
 * value under uniformity. */
struct sb_atom {
    double deviation, weight;
};

enum { SB_FACTOR_VALUES = 8 };

/* A factor of the ratio to uniform: a random variable with mean 1 and few values. */
struct sb_factor {
    size_t count;
    /* [count] in ascending order of deviation; the weights add up to 1 */
    struct sb_atom atom[SB_FACTOR_VALUES];
};

/* Bounds on total variation. The bounds are equal if total variation is known exactly (up to rounding at
 * about the 12th digit). */
struct sb_bracket {
    double low, high;
};

/*
 * Computes the total variation if the ratio is the product of factor[0..count-1]. Uses `threads` and `stop`
 * of the law. SB_NO_MEMORY, SB_STOPPED.
 */
enum sb_status sb_product_variation(const struct sb_factor factor[], size_t count, const struct sb_law *law,
                                    struct sb_bracket *bracket);

#endif
