/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of the number of descents of more than 1000 items, A(n, k)/n! (eulerian.c). A(n, k)/n! is the
 * density, at k + 1, of a sum of m = n + 1 independent uniform numbers in [0, 1]. Let y = k + 1 - m/2 be the
 * distance from the mean, and L(z) = ln(sinh(z/2)/(z/2)), so that m L(z) is the cumulant generating function of y. For
 * every real t,
 *   A(n, k)/n! = exp(m L(t) - t y) 1/pi int_0^inf Re exp(m (L(t + iw) - L(t)) - iwy) dw.
 * The integral is the density at y of a law whose mean is at y if L'(t) = y/m. With t = 12 y/m, the mean is near enough,
 * so the integrand hardly changes its sign where it is large, and the integral keeps its digits far out, too.
 *
 * The trapezoidal rule with step h has only one error: besides the density at y, the rule adds the
 * densities of that law at all points whose distance from y is a multiple of 2 pi/h. h is so small that these points
 * are 19 standard deviations from y. The integrand falls below 10^-22 after 31 steps of h. L is a series, with
 * |z/2| < 0.22 pi:
 *   L(z) = -sum zeta(2j) (-(z/2 pi)^2)^j/j.
 * The first and the last cell hold the tails, which are added up term by term. The law is symmetric. All ln p have
 * errors below 10^-12. Cost: 31 cosines for each cell of half of the window, and for each term of the tail; 5 ms at
 * n = 10^6.
 *
 * G. Polya, Berechnung eines bestimmten Integrals, Math. Annalen 74 (1913) 204; H. E. Daniels, Saddlepoint
 * approximations in statistics, doi:10.1214/aoms/1177728652; R. P. Stanley, Eulerian
 * partitions of a unit hypercube, in Higher Combinatorics (1977) 49; S. Tanny, A probabilistic interpretation
 * of Eulerian numbers, Duke Math. J. 40 (1973) 717.
 */
#include "core/sum.h"
#include "statistic/laws.h"

#include <math.h>

enum {
    EULERIAN_TERMS = 31, /* number of terms of the trapezoidal rule after the first */
    EULERIAN_SERIES = 20 /* number of terms of the series */
};

static const double eulerian_pi = 3.14159265358979323846;

/* A term of a tail that is smaller than the sum by this factor does not matter. */
static const double eulerian_negligible = 1e-18;

/* The sum of m uniform numbers. */
struct eulerian_sum {
    double m, step;                     /* step h of the trapezoidal rule */
    double series[EULERIAN_SERIES + 1]; /* -zeta(2j)/j */
};

/* Returns zeta(2j). For the terms above 40, adds the integral from 40.5 on and, by the Euler-Maclaurin formula, 1/24 of
 * the slope there. */
static double eulerian_zeta(int j)
{
    double sum = 0;

    if (j == 1)
        return eulerian_pi * eulerian_pi / 6;
    for (int i = 40; i > 0; i--)
        sum += pow(i, -2 * j);
    return sum + pow(40.5, 1 - 2 * j) / (2 * j - 1) - j * pow(40.5, -1 - 2 * j) / 12;
}

/* Sets *real and *imaginary to m L(t + iw). */
static void eulerian_cumulants(const struct eulerian_sum *sum, double t, double w, double *real,
                               double *imaginary)
{
    const double unit = 4 * eulerian_pi * eulerian_pi;
    const double a = (w * w - t * t) / unit, b = -2 * t * w / unit; /* -(z/2 pi)^2 */
    double re = 0, im = 0;

    for (int j = EULERIAN_SERIES; j > 0; j--) {
        const double more = re + sum->series[j];

        re = more * a - im * b;
        im = more * b + im * a;
    }
    *real = sum->m * re;
    *imaginary = sum->m * im;
}

/* ln of the density at y. */
static double eulerian_ln_density(const struct eulerian_sum *sum, double y)
{
    const double t = 12 * y / sum->m;
    double peak, real, imaginary;
    struct sb_sum integral = { 0 };

    eulerian_cumulants(sum, t, 0, &peak, &imaginary);
    for (int j = EULERIAN_TERMS; j > 0; j--) {
        eulerian_cumulants(sum, t, j * sum->step, &real, &imaginary);
        sb_sum_add(&integral, exp(real - peak) * cos(imaginary - j * sum->step * y));
    }
    sb_sum_add(&integral, 0.5);
    return log(sb_sum_value(&integral) * sum->step / eulerian_pi) + peak - t * y;
}

struct sb_window sb_law_eulerian_window(size_t n)
{
    return sb_window_about(((double)n - 1) / 2, sqrt(((double)n + 1) / 12));
}

void sb_law_eulerian_large(size_t n, double ln_p[])
{
    const struct sb_window window = sb_law_eulerian_window(n);
    const double m = (double)n + 1;
    struct eulerian_sum sum = { .m = m, .step = 2 * eulerian_pi / (19 * sqrt(m / 12)) };
    double y = (double)window.low + 1 - m / 2, term;
    struct sb_sum tail = { 0 };

    for (int j = 1; j <= EULERIAN_SERIES; j++)
        sum.series[j] = -eulerian_zeta(j) / j;
    for (size_t cell = 1; cell <= (window.cells - 1) / 2; cell++)
        ln_p[cell] = ln_p[window.cells - 1 - cell] = eulerian_ln_density(&sum, y + (double)cell);
    do {
        term = exp(eulerian_ln_density(&sum, y--));
        sb_sum_add(&tail, term);
    } while (term > eulerian_negligible * sb_sum_value(&tail));
    ln_p[0] = ln_p[window.cells - 1] = log(sb_sum_value(&tail));
}
