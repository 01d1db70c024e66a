/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the integrand of the Kullback-Leibler divergence from uniform, as a function of x: a deal has the
 * probability (1 + x)/K, where K is the number of deals. */
#include "exact/closed/closed_divergence.h"

#include <math.h>

/* For small x, uses the series: the sum of (-x)^k / (k (k-1)) over k >= 2. */
double sb_closed_divergence(double x)
{
    double power = x * x, sum = 0;

    if (x == -1)
        return 1;
    if (fabs(x) > 0.1)
        return (1 + x) * log1p(x) - x;
    for (int k = 2; k < 18; k++, power *= -x)
        sum += power / (k * (k - 1));
    return sum;
}
