/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test that fails if any count is farther than a tolerance from its expectation. The counts are those of `columns`
 * columns of `cells` equally likely cells: of the items at each position, or of the orders, which are one column. Each
 * count is binomial, with a probability q of being outside.
 *
 * Upper bound on the probability that any is outside: Boole's, q times the number of counts, or the number of columns
 * times that of one column.
 *
 * Lower bound: that of one column, or Dawson and Sankoff's from the sum S1 of the probabilities of single counts and
 * the sum S2 of those of pairs: 2 S1/(k+1) - 2 S2/(k(k+1)), k = 1 + floor(2 S2/S1). Two cells of a row or a column
 * exclude each other: given a count x of one, the other is binomial with N - x trials of p/(1-p). Given x of a cell,
 * one in another row and column is the sum of two binomials, with x trials of 1/(n-1), and N - x of (n-2)/(n-1)^2.
 *
 * One column, by Levin: N!/(N^N e^-N) times the probability that independent Poisson counts of mean N/cells are all
 * inside and add up to N, which is a convolution.
 *
 * Cost: O((cells * width)^2) for the convolution, if that is small, and a tail for each x outside.
 * B. Levin, A representation for multinomial cumulative distribution functions, Annals of Statistics 9 (1981) 1123;
 * D. A. Dawson and D. Sankoff, An inequality for probabilities, Proceedings of the AMS 18 (1967) 504.
 */
#include "fit/fit.h"

enum {
    TOLERANCE_WORK = 20000,   /* the most cells times width of a convolution */
    TOLERANCE_SPREAD = 500,   /* the largest standard deviation for which pairs are computed */
    TOLERANCE_DEVIATIONS = 9, /* a binomial law counts as 0 farther than this from its mean, in standard deviations */
};

/* A column's probability below this is left to the bounds, since 1 minus a probability close to 1 has no digits. */
static const double tolerance_faint = 1e-9;

void sb_tolerance_set(double share, double total, struct sb_tolerance *t)
{
    const double mean = total / t->cells;

    t->total = total;
    /* 5% of 1,000 is 50, whatever rounding makes of it */
    t->low = fmax(0, ceil(mean * (1 - share) - 1e-9 * mean));
    t->high = fmin(total, floor(mean * (1 + share) + 1e-9 * mean));
}

double sb_tolerance_outside(const struct sb_tolerance *t, double p)
{
    if (p <= 0 || p >= 1)
        return (p <= 0 ? 0 : t->total) < t->low || (p <= 0 ? 0 : t->total) > t->high;
    const double below = t->low > 0 ? exp(sb_binomial_ln_at_least(t->total - t->low + 1, t->total, 1 - p)) : 0;

    return fmin(1, below + exp(sb_binomial_ln_at_least(t->high + 1, t->total, p)));
}

/* The probability of x of N trials. */
static double tolerance_law(double x, double total, double p)
{
    if (x < 0 || x > total)
        return 0;
    if (p <= 0 || p >= 1)
        return p <= 0 ? x == 0 : x == total;
    if (x == 0 || x == total)
        return exp(total * (x == 0 ? log1p(-p) : log(p)));
    return exp(sb_binomial_ln(x, total, total * p, total * (1 - p), total * p - x));
}

/* The probability that a cell in the same row or column is outside, given x. */
static double tolerance_excluded(const struct sb_tolerance *t, double x)
{
    struct sb_tolerance rest = *t;

    rest.total = t->total - x;
    if (t->low > rest.total)
        return 1;
    return sb_tolerance_outside(&rest, 1 / (t->cells - 1));
}

/* The probability that a cell in another row and column is outside, given x. The sum of two binomials is outside if the
 * second is, less what the first is. */
static double tolerance_apart(const struct sb_tolerance *t, double x)
{
    const double n = t->cells, p1 = 1 / (n - 1), p2 = (n - 2) / ((n - 1) * (n - 1)), rest = t->total - x;
    const double spread = TOLERANCE_DEVIATIONS * (sqrt(x * p1 * (1 - p1)) + 2);
    const double first = fmax(0, floor(x * p1 - spread)), last = fmin(x, ceil(x * p1 + spread));
    double sum = 0, seen = 0, below, above, at = tolerance_law(first, x, p1);
    double under = tolerance_law(t->low - first - 1, rest, p2), over = tolerance_law(t->high - first, rest, p2);

    /* P(B < low - u) falls as u grows, and P(B > high - u) rises */
    below = t->low - first <= 0 ? 0 : exp(sb_binomial_ln_at_least(rest - (t->low - first) + 1, rest, 1 - p2));
    above = exp(sb_binomial_ln_at_least(t->high - first + 1, rest, p2));
    for (double u = first; u <= last; u++) {
        const double k = t->low - u - 1, h = t->high - u; /* `under` and `over` are P(B = k) and P(B = h) */

        sum += at * (below + above);
        seen += at;
        below = fmax(0, below - under);
        above += over;
        at *= (x - u) / (u + 1) * p1 / (1 - p1);
        under = k > 0 ? under * k / (rest - k + 1) * (1 - p2) / p2 : 0;
        over = h > 0 ? over * h / (rest - h + 1) * (1 - p2) / p2 : 0;
    }
    return fmin(1, sum + fmax(0, 1 - seen));
}

/* The probability that two cells are both outside, or a little more: the far tails of the first, which hardly count,
 * are taken as if the second were always outside there. */
static double tolerance_pair(const struct sb_tolerance *t, double (*other)(const struct sb_tolerance *, double))
{
    const double p = 1 / t->cells, least = 1e-7 * sb_tolerance_outside(t, p) / (t->columns * t->cells);
    double sum = 0;

    for (int side = 0; side < 2; side++) {
        double x = side ? t->high + 1 : t->low - 1, left = 0;

        if (side ? x <= t->total : x >= 0)
            left = exp(side ? sb_binomial_ln_at_least(x, t->total, p)
                            : sb_binomial_ln_at_least(t->total - x, t->total, 1 - p));
        while (left > fmax(least, 1e-4 * sum) && x >= 0 && x <= t->total) {
            const double at = tolerance_law(x, t->total, p);

            sum += at * other(t, x);
            left -= at;
            x += side ? 1 : -1;
        }
        sum += fmax(0, left);
    }
    return sum;
}

/* Convolves from[count] with itself or with the single law, to to[]. */
static size_t tolerance_convolve(const double a[], size_t a_count, const double b[], size_t b_count, double to[])
{
    memset(to, 0, (a_count + b_count - 1) * sizeof *to);
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++)
            to[i + j] += a[i] * b[j];
    return a_count + b_count - 1;
}

/* Sets law[] to that of the sum of `cells` counts less their least values; returns the number of values. `spare` is
 * scratch of the same size. */
static size_t tolerance_sum(const double one[], size_t width, size_t cells, double law[], double spare[])
{
    size_t count = 1;

    law[0] = 1;
    for (size_t bit = (size_t)1 << 31; bit; bit >>= 1) {
        if (count > 1) {
            count = tolerance_convolve(law, count, law, count, spare);
            memcpy(law, spare, count * sizeof *law);
        }
        if (!(cells & bit))
            continue;
        count = tolerance_convolve(law, count, one, width, spare);
        memcpy(law, spare, count * sizeof *law);
    }
    return count;
}

/* Sets *outside to the probability that any cell of a column is outside; to NaN if that is too much work. */
static enum sb_status tolerance_column(const struct sb_tolerance *t, double *outside)
{
    const double mean = t->total / t->cells, width = t->high - t->low + 1;

    *outside = width > 0 ? NAN : 1;
    if (!(width > 0) || t->cells * width > TOLERANCE_WORK)
        return SB_OK;
    const size_t cells = (size_t)t->cells, wide = (size_t)width, room = (cells + 2) * (wide + 1);
    double *const one = calloc(wide + 3 * room, sizeof *one);

    if (!one)
        return SB_NO_MEMORY;
    double *const half = one + wide, *const spare = half + room, *const rest = spare + room;

    for (size_t i = 0; i < wide; i++)
        one[i] = exp(sb_ln_poisson(t->low + (double)i, mean));
    const size_t count = tolerance_sum(one, wide, cells / 2, half, spare);
    const size_t others = tolerance_sum(one, wide, cells - cells / 2, rest, spare);
    const double target = t->total - t->low * t->cells;
    double all = 0;

    for (size_t i = 0; i < count; i++)
        if (target >= (double)i && target - (double)i < (double)others)
            all += half[i] * rest[(size_t)target - i];
    *outside = fmax(0, 1 - all / exp(sb_ln_poisson(t->total, t->total)));
    free(one);
    return SB_OK;
}

static double tolerance_sankoff(double s1, double s2)
{
    const double k = 1 + floor(2 * s2 / s1);

    return s1 > 0 ? 2 * s1 / (k + 1) - 2 * s2 / (k * (k + 1)) : 0;
}

enum sb_status sb_tolerance_alarm(const struct sb_tolerance *t, double *low, double *high)
{
    const double n = t->cells, columns = t->columns, q = sb_tolerance_outside(t, 1 / n);
    const double spread = sqrt(t->total / n * (1 - 1 / n));
    double column, s1 = columns * n * q;
    const enum sb_status status = tolerance_column(t, &column);

    if (status)
        return status;
    *low = q;
    *high = fmin(1, s1);
    if (column > tolerance_faint) {
        *low = fmax(*low, column);
        *high = fmin(*high, columns * column);
    }
    if (n <= 2) { /* one count says all of them */
        *high = *low;
        return SB_OK;
    }
    if (spread <= TOLERANCE_SPREAD && q > 0) {
        const double together = (columns * n * (n - 1) + n * columns * (columns - 1)) / 2;
        const double apart = n * (n - 1) * columns * (columns - 1) / 2;
        const double s2 = together * tolerance_pair(t, tolerance_excluded) +
                          (apart > 0 ? apart * tolerance_pair(t, tolerance_apart) : 0);

        *low = fmax(*low, fmin(tolerance_sankoff(s1, s2), *high));
    }
    return SB_OK;
}

double sb_tolerance_bisect(bool (*enough)(const void *state, double share), const void *state, double low, double high)
{
    if (!enough(state, high))
        return NAN;
    for (int i = 0; i < 60 && high - low > 1e-9 * high; i++) {
        const double middle = (low + high) / 2;

        if (enough(state, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}
