/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for recurrences of probabilities. They are 0 or positive, and may be far below the smallest double.
 * A number is m * 2^(512 e), with m between 2^-256 and 2^256, or m = 0. Each operation is as exact as the
 * operation on the doubles m. The operations are nearly as fast as those on doubles, because neighbours in a
 * law almost always have the same e: even 1/1000! needs only e = -17.
 */
#ifndef SB_STATISTIC_SCALED_H
#define SB_STATISTIC_SCALED_H

#include <math.h>
#include <stdint.h>

struct sb_scaled {
    double m;
    int32_t e;
};

/* Zero has a lower exponent than all other numbers. */
static const struct sb_scaled sb_scaled_zero = { .m = 0, .e = -(1 << 24) };

/* Brings m back into its range. m may be outside by a factor of less than 2^256. */
static inline struct sb_scaled sb_scaled_settle(struct sb_scaled x)
{
    if (x.m >= 0x1p256)
        return (struct sb_scaled) { x.m * 0x1p-512, x.e + 1 };
    if (x.m < 0x1p-256 && x.m > 0)
        return (struct sb_scaled) { x.m * 0x1p512, x.e - 1 };
    return x;
}

static inline struct sb_scaled sb_scaled_add(struct sb_scaled x, struct sb_scaled y)
{
    if (x.e < y.e) {
        const struct sb_scaled smaller = x;

        x = y;
        y = smaller;
    }
    if (x.e == y.e)
        x.m += y.m;
    else if (x.e == y.e + 1)
        x.m += y.m * 0x1p-512;
    /* if the exponents differ by two or more, the smaller term is below the rounding error */
    return sb_scaled_settle(x);
}

/* Returns x times `factor`, which is 0 or between 2^-255 and 2^255. */
static inline struct sb_scaled sb_scaled_times(struct sb_scaled x, double factor)
{
    if (factor == 0)
        return sb_scaled_zero;
    x.m *= factor;
    return sb_scaled_settle(x);
}

/* Returns the natural logarithm; -inf for 0. If x fits in a double, the result is as accurate as log(). */
static inline double sb_scaled_ln(struct sb_scaled x)
{
    if (x.e >= -1 && x.m > 0)
        return log(ldexp(x.m, 512 * x.e));
    return x.m > 0 ? log(x.m) + 512 * 0.69314718055994530942 * x.e : -HUGE_VAL;
}

#endif
