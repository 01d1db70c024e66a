/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Kolmogorov-Smirnov test. P(D > d) = 2 sum (-1)^(k-1) exp(-2 k^2 x^2), k from 1 on, x = (sqrt(N) + 0.12
 * + 0.11/sqrt(N)) d for N values. Cost: sorting.
 *
 * The limit is Kolmogorov's, Giornale dell'Istituto Italiano degli Attuari 4 (1933). Using that x instead of
 * sqrt(N) d corrects for small N: M. A. Stephens, J. R. Statist. Soc. B 32 (1970) 115.
 */
#include "calibration/kolmogorov.h"

#include <math.h>
#include <stdlib.h>

static int kolmogorov_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double kolmogorov_distance(size_t count, double p[])
{
    const double total = (double)count;
    double most = 0;

    qsort(p, count, sizeof p[0], kolmogorov_compare);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fmax(p[i] - (double)i / total, (double)(i + 1) / total - p[i]));
    return most;
}

double kolmogorov_p(size_t count, double distance)
{
    const double root = sqrt((double)count), x = (root + 0.12 + 0.11 / root) * distance;
    double sum = 0, term = 1;

    if (x < 0.2) /* 1 - 1e-12, where the series is slow */
        return 1;
    for (double k = 1, sign = 2; term > 1e-17; k++, sign = -sign) {
        term = exp(-2 * k * k * x * x);
        sum += sign * term;
    }
    return fmin(1, sum);
}
