/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of the number of descents of more than 1000 items, A(n, k)/n! (eulerian.c). A(n, k)/n! is the
 * density, at k + 1, of a sum of m = n + 1 independent uniform numbers in [0, 1]. By the characteristic
 * function of that sum,
 *   A(n, k)/n! = 1/pi int_0^inf (sin(w/2)/(w/2))^m cos(w (k + 1 - m/2)) dw.
 *
 * The trapezoidal rule with step h has only one error: besides the density at k + 1, the rule adds the
 * densities at all points whose distance from k + 1 is a multiple of 2 pi/h. h is so small that these points
 * are at least 12 standard deviations from the mean, where the density is below 10^-31 of its largest value.
 * The factor (sin(w/2)/(w/2))^m falls below 10^-22 after 31 steps of h. The logarithm of this factor is m
 * times a series without cancellation, with x = w/2:
 *   ln(sin x/x) = -sum zeta(2j) (x/pi)^(2j)/j.
 * So each probability has an absolute error of a few 10^-16 of the largest probability. The first and the
 * last cell hold the tails. The law is symmetric, so each tail has the probability (1 - S)/2, where S is the
 * sum over all cells between the tails. Cost: 31 cosines for each cell of the window, or 0.1 million cosines
 * in total at n = 10^6.
 *
 * G. Polya, Berechnung eines bestimmten Integrals, Math. Annalen 74 (1913) 204; R. P. Stanley, Eulerian
 * partitions of a unit hypercube, in Higher Combinatorics (1977) 49; S. Tanny, A probabilistic interpretation
 * of Eulerian numbers, Duke Math. J. 40 (1973) 717.
 */
#include "core/sum.h"
#include "statistic/laws.h"

#include <math.h>

enum {
    EULERIAN_TERMS = 31, /* number of terms of the trapezoidal rule after the first */
    EULERIAN_SERIES = 16 /* number of terms of the logarithm; x/pi < 0.18 */
};

static const double eulerian_pi = 3.14159265358979323846;

/* Returns zeta(2j). */
static double eulerian_zeta(int j)
{
    double sum = 0;

    if (j == 1)
        return eulerian_pi * eulerian_pi / 6;
    for (int i = 40; i > 0; i--) /* the return value adds an integral for the terms above 40 */
        sum += pow(i, -2 * j);
    return sum + pow(40.5, 1 - 2 * j) / (2 * j - 1);
}

/* Returns ln(sin x/x). */
static double eulerian_ln_sinc(double x)
{
    const double square = x * x / (eulerian_pi * eulerian_pi);
    double sum = 0;

    for (int j = EULERIAN_SERIES; j > 0; j--)
        sum = (sum + eulerian_zeta(j) / j) * square;
    return -sum;
}

struct sb_window sb_law_eulerian_window(size_t n)
{
    return sb_window_about(((double)n - 1) / 2, sqrt(((double)n + 1) / 12));
}

void sb_law_eulerian_large(size_t n, double ln_p[])
{
    const struct sb_window window = sb_law_eulerian_window(n);
    const double m = (double)n + 1, step = 2 * eulerian_pi / (19 * sqrt(m / 12));
    double factor[EULERIAN_TERMS + 1];
    struct sb_sum inside = { 0 };

    for (int j = 1; j <= EULERIAN_TERMS; j++)
        factor[j] = exp(m * eulerian_ln_sinc(j * step / 2));
    for (size_t cell = 1; cell + 1 < window.cells; cell++) {
        const double x = (double)(window.low + cell) + 1 - m / 2;
        struct sb_sum p = { 0 };

        for (int j = EULERIAN_TERMS; j > 0; j--)
            sb_sum_add(&p, factor[j] * cos(j * step * x));
        sb_sum_add(&p, 0.5);
        ln_p[cell] = log(sb_sum_value(&p) * step / eulerian_pi);
        sb_sum_add(&inside, sb_sum_value(&p) * step / eulerian_pi);
    }
    sb_sum_add(&inside, -1);
    ln_p[0] = ln_p[window.cells - 1] = log(-sb_sum_value(&inside) / 2);
}
