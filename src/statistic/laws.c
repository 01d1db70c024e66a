/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of fixed points and of adjacent pairs.
 *
 * Let d_n = D_n/n! be the share of derangements: D_n permutations of n items have no fixed point. n d_n = (n-1)
 * d_{n-1} + d_{n-2}. Unlike the sum of (-1)^i/i!, this recurrence has no negative terms.
 *
 * m fixed points have probability C(n, m) D_{n-m}/n! = d_{n-m}/m!. m pairs have probability C(n-1, m) (D_{n-m} +
 * D_{n-m-1})/n!: choose the m pairs, and join the two items of each; then n-m items remain, and D_{n-m} + D_{n-m-1}
 * of their orders have no such pair. This is d_{n-m+1} (n-m+1)/(n m!).
 *
 * For more than 1000 items, d is 1/e up to an error below 1/900!, and the sum ends after 170 terms, after which 1/m!
 * is 0. Cost: n divisions, or 170 terms.
 *
 * P. R. de Montmort, Essay d'analyse sur les jeux de hazard, 1713; Charalambides, Enumerative Combinatorics (2002),
 * 5.4; Stanley, Enumerative Combinatorics 1, 2.2; OEIS A000166, A008290, A123513.
 */
#include "statistic/statistic.h"

#include "core/numbers.h"

#include <math.h>

static void matches_derangements(size_t n, double share[])
{
    share[0] = 1;
    for (size_t m = 1; m <= n; m++)
        share[m] = ((double)(m - 1) * share[m - 1] + (m > 1 ? share[m - 2] : 0)) / (double)m;
}

enum { MATCHES_TERMS = 170 };

static void matches_large(size_t n, bool pairs, double ln_p[SB_MATCHES_CELLS])
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

void sb_law_matches(size_t n, bool pairs, double ln_p[])
{
    double share[SB_LAW_ITEMS_MOST + 2];
    struct sb_sum ln_factorial = { 0 };

    if (n > SB_LAW_ITEMS_MOST) {
        matches_large(n, pairs, ln_p);
        return;
    }
    matches_derangements(n + 1, share);
    for (size_t m = 0; m + pairs <= n; m++) {
        const size_t rest = n - m + 1;
        const double p = pairs ? share[rest] * (double)rest / (double)n : share[n - m];

        if (m > 0)
            sb_sum_add(&ln_factorial, log((double)m));
        ln_p[m] = p > 0 ? log(p) - sb_sum_value(&ln_factorial) : -HUGE_VAL;
    }
}

/*
 * The law of the number of cycles, and of records, of more than 1000 items: item m adds a cycle, or a record,
 * with probability 1/m, independently of the other items. The mean is about ln n + 0.58, so only small values
 * occur: up to 10^7 items, a value of 64 or more has a probability below 10^-17. The last cell holds all
 * values from 64 on. No term is negative, so no digit is lost. Cost: 64 n steps, 30 ms at n = 10^6.
 *
 * A. Renyi, Theorie des elements saillants d'une suite d'observations, 1962; Stanley, Enumerative
 * Combinatorics 1, 1.3.
 */

enum { STIRLING_LAST = SB_STIRLING_CELLS - 1 };

static void stirling_large(size_t n, double ln_p[SB_STIRLING_CELLS])
{
    double p[SB_STIRLING_CELLS] = { 1 };

    for (size_t m = 1; m <= n; m++) {
        const double more = 1 / (double)m, same = (double)(m - 1) / (double)m;

        p[STIRLING_LAST] += p[STIRLING_LAST - 1] * more;
        for (size_t k = STIRLING_LAST - 1; k > 0; k--)
            p[k] = p[k - 1] * more + p[k] * same;
        p[0] *= same;
    }
    for (size_t k = 0; k < SB_STIRLING_CELLS; k++)
        ln_p[k] = log(p[k]);
}

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

void sb_law_stirling(size_t n, double ln_p[])
{
    struct sb_scaled p[SB_LAW_ITEMS_MOST + 1] = { { 1, 0 } };

    if (n > SB_LAW_ITEMS_MOST) {
        stirling_large(n, ln_p);
        return;
    }
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

/*
 * The law of the number of descents of more than 1000 items, A(n, k)/n!. A(n, k)/n! is the
 * density, at k + 1, of a sum of m = n + 1 independent uniform numbers in [0, 1]. Let y = k + 1 - m/2 be the
 * distance from the mean, and L(z) = ln(sinh(z/2)/(z/2)), so that m L(z) is the cumulant generating function of y. For
 * every real t,
 *   A(n, k)/n! = exp(m L(t) - t y) 1/pi int_0^inf Re exp(m (L(t + iw) - L(t)) - iwy) dw.
 * The integral is the density at y of a law whose mean is at y if L'(t) = y/m. With t = 12 y/m, the mean is near
 * enough, so the integrand hardly changes its sign where it is large, and the integral keeps its digits far out, too.
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
static void eulerian_cumulants(const struct eulerian_sum *sum, double t, double w, double *real, double *imaginary)
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

static void eulerian_large(size_t n, double ln_p[])
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

/*
 * The law of the number of descents, which is also the law of the number of rising sequences minus 1: A(n,
 * k)/n!, the Eulerian numbers.
 *
 * Let p_n(k) = A(n, k)/n!. Then p_n(k) = ((k+1) p_{n-1}(k) + (n-k) p_{n-1}(k-1)) / n. The reason: insert item
 * n into a permutation of n-1 items. In the middle of a descent or at the end, item n adds no descent;
 * anywhere else, item n adds one descent. No term is negative, so no digit is lost. Cost: n^2/2 steps, 2 ms
 * at n = 1000.
 *
 * Graham, Knuth, Patashnik, Concrete Mathematics, 6.2; OEIS A008292.
 */

void sb_law_eulerian(size_t n, double ln_p[])
{
    struct sb_scaled p[SB_LAW_ITEMS_MOST] = { { 1, 0 } };

    if (n > SB_LAW_ITEMS_MOST) {
        eulerian_large(n, ln_p);
        return;
    }
    for (size_t m = 2; m <= n; m++) {
        const double items = (double)m;

        p[m - 1] = sb_scaled_times(p[m - 2], 1 / items);
        for (size_t k = m - 2; k > 0; k--)
            p[k] = sb_scaled_add(sb_scaled_times(p[k], (double)(k + 1) / items),
                                 sb_scaled_times(p[k - 1], (double)(m - k) / items));
        p[0] = sb_scaled_times(p[0], 1 / items);
    }
    for (size_t k = 0; k < n; k++)
        ln_p[k] = sb_scaled_ln(p[k]);
}
