/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions behind p-values, bounds and intervals, at arguments of any size within their ranges: both tails add up
 * to 1, tails fall where they have to, and inverse functions lead back.
 */
#include "fuzz/fuzz.h"

#include "fit/fit.h"
#include "fit/numeric.h"

#include <math.h>

/* A number of at least `least` and at most `most`, both above 0; any size is equally likely. */
static double number(struct fuzz *fuzz, double least, double most)
{
    return fmin(most, least * pow(most / least, (double)fuzz_number(fuzz, 3) / 0xffffff));
}

/* A share in 0..1; near 0, near 1, or between them. */
static double share(struct fuzz *fuzz)
{
    const unsigned how = fuzz_byte(fuzz) % 3;
    const double x = number(fuzz, 1e-16, 1);

    return how == 0 ? x : how == 1 ? 1 - x : (double)fuzz_byte(fuzz) / 255;
}

/* Whether two numbers agree to a relative error. */
static bool near(double one, double other, double relative)
{
    return fabs(one - other) <= relative * fmax(fabs(one), fabs(other));
}

static void check_chisq(struct fuzz *fuzz)
{
    const double dof = number(fuzz, 1, 4e9), x = number(fuzz, 1e-6, 1e6) * dof,
                 grown = 1 + number(fuzz, 1e-9, 1);
    const double q = sb_chisq_q(x, dof), p = sb_chisq_p(x, dof), ln_q = sb_chisq_ln_q(x, dof);

    fuzz_check(fabs(p + q - 1) <= 1e-11, "both tails add up to 1");
    fuzz_check(ln_q <= 0 && q >= 0 && p >= 0, "tails are probabilities");
    fuzz_check(q < 1e-300 || near(exp(ln_q), q, 2e-11 + 2e-15 * fabs(ln_q)), "ln Q is that of Q");
    fuzz_check(sb_chisq_ln_q(x * grown, dof) <= ln_q + 2e-12 * fabs(ln_q) + 1e-300, "Q falls with x");
    fuzz_check(sb_chisq_ln_q(x, fmin(4e9, dof * grown)) >= ln_q - 2e-12 * fabs(ln_q) - 1e-300,
               "Q rises with the degrees of freedom");
}

static void check_noncentral(struct fuzz *fuzz)
{
    const double dof = number(fuzz, 1, 1e5), lambda = number(fuzz, 1e-6, 1e6);
    const double x = (dof + lambda) * number(fuzz, 0.01, 100), alpha = number(fuzz, 1e-9, 0.999);
    const double q = sb_noncentral_q(x, dof, lambda), p = sb_noncentral_p(x, dof, lambda);
    double low, high;

    fuzz_check(fabs(p + q - 1) <= 1e-9 && q >= 0 && p >= 0, "both tails add up to 1");
    fuzz_check(sb_noncentral_q(x, dof, 1.01 * lambda) >= q - 1e-9, "Q rises with the noncentrality");
    sb_noncentral_interval(x, dof, alpha, &low, &high);
    fuzz_check(low >= 0 && low <= high, "ends are in order");
    if (low > 0 && low < 1e6 && alpha > 1e-8)
        fuzz_check(near(sb_noncentral_q(x, dof, low), alpha / 2, 1e-6), "the lower end has its tail");
    if (high > 0 && high < 1e6 && alpha > 1e-8)
        fuzz_check(near(sb_noncentral_p(x, dof, high), alpha / 2, 1e-6), "the upper end has its tail");
}

static void check_binomial(struct fuzz *fuzz)
{
    const uint64_t total = 1 + (uint64_t)number(fuzz, 1e-9, 9e15);
    const uint64_t count = (uint64_t)(share(fuzz) * (double)total);
    const double alpha = number(fuzz, 1e-100, 0.999), p = (double)count / (double)total;
    const size_t cells = 1 + (size_t)fuzz_number(fuzz, 2);
    double low, high;

    sb_binomial_interval(count, total, alpha, &low, &high);
    fuzz_check(low >= 0 && low <= p * (1 + 1e-12) && p <= high * (1 + 1e-12) && high <= 1,
               "an interval contains the share");
    fuzz_check((low == 0) == (count == 0) && (high == 1 || count < total),
               "extreme counts have extreme ends");
    const double deviation = sb_binomial_deviation(total, cells), fair = 1 / (double)cells;

    fuzz_check(deviation >= 0 && deviation <= sqrt((double)total * fair * (1 - fair)) * (1 + 1e-12),
               "the mean deviation is at most the standard deviation");
    fuzz_check(sb_total_variation_fair(total, cells) <= 1 - fair + 1e-12, "total variation has its limit");
}

static double kl(double a, double s)
{
    return (a > 0 ? a * log(a / s) : 0) + (a < 1 ? (1 - a) * log((1 - a) / (1 - s)) : 0);
}

static void check_divergence(struct fuzz *fuzz)
{
    const double a = share(fuzz), r = number(fuzz, 1e-14, 100), d = sb_kl_rise(a, r);
    const double k = number(fuzz, 0.001, 1e15), mean = k * number(fuzz, 1e-6, 1e6);
    const double divergence = sb_divergence(k, mean, mean - k);

    fuzz_check(d >= 0 && a + d <= 1 + 1e-15 && sb_kl_rise_least(a, r) <= d + 1e-13, "a rise has its bound");
    if (a > 0.01 && a + d < 0.99 && d > 1e-3)
        fuzz_check(near(kl(a, a + d), r, 1e-8), "a rise leads to its divergence");
    fuzz_check(divergence >= 0, "a divergence is not negative");
    fuzz_check(sb_stirling_rest(k) > 0 && sb_stirling_rest(k) <= (1 + 1e-14) / (12 * k),
               "Stirling's remainder has its bound");
    fuzz_check(sb_ln_poisson(k, mean) <= 1e-9 * fabs(k) || k < 1, "a probability is at most 1");
}

static void check_normal(struct fuzz *fuzz)
{
    const double tail = number(fuzz, 1e-300, 0.49), z = sb_normal_upper(tail);

    fuzz_check(z > 0 && near(erfc(z / sqrt(2)) / 2, tail, 1e-11), "a quantile has its tail");
    fuzz_check(fabs(sb_normal_upper(0.5 + tail / 2) + sb_normal_upper(0.5 - tail / 2)) <= 1e-9,
               "the law is symmetric");
}

static void check_power(struct fuzz *fuzz)
{
    const double alpha = number(fuzz, 1e-12, 0.5), power = 0.01 + 0.98 * (double)fuzz_byte(fuzz) / 255;
    const struct sb_power_test test = sb_power_test(number(fuzz, 1, 1e6), alpha);
    const double lambda = sb_power_noncentrality(&test, power), effect = number(fuzz, 1e-9, 10);
    const double shuffles = sb_power_shuffles(&test, power, effect), cells = 2 + fuzz_byte(fuzz);
    const double tv = share(fuzz) * (1 - 1 / cells), chi2 = sb_power_worst(tv, cells);

    fuzz_check(near(sb_chisq_q(test.critical, test.dof), alpha, 1e-9), "the critical value has its level");
    fuzz_check(lambda == 0 ? power <= alpha * (1 + 1e-9) : near(sb_power_at(&test, lambda), power, 1e-6),
               "a noncentrality has its power");
    fuzz_check(shuffles >= 1 && sb_power_at(&test, shuffles * effect) >= power * (1 - 1e-7),
               "shuffles are enough");
    if (shuffles > 1 && shuffles < 1e9)
        fuzz_check(sb_power_at(&test, (shuffles - 1) * effect) <= power * (1 + 1e-7), "fewer are not");
    if (tv > 1e-6)
        fuzz_check(near(sb_power_worst_tv(chi2, cells), tv, 1e-6),
                   "an effect leads back to its total variation");
}

static void check_tails(struct fuzz *fuzz)
{
    const size_t value = (size_t)fuzz_number(fuzz, 2), n = 2 + (size_t)fuzz_number(fuzz, 2);
    const size_t width = 1 + (size_t)fuzz_number(fuzz, 2) % (n / 2);
    const double z = number(fuzz, 1e-9, 1e6), mean = number(fuzz, 1e-3, 1e6);
    const double one = sb_tails_poisson(value), two = sb_tails_hypergeometric(n, width, value % (width + 1));

    fuzz_check(one <= 0 && (value < 2 || sb_tails_poisson(value + 1) < one), "a tail falls");
    fuzz_check(two <= 0 && !isnan(two), "a tail is a probability");
    fuzz_check(sb_tails_subgaussian(z) <= 0 && sb_tails_subgaussian(2 * z) <= sb_tails_subgaussian(z),
               "a tail falls");
    fuzz_check(sb_tails_bits_above(mean, mean * (1 + z)) <= 0, "a tail is a probability");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const checks[])(struct fuzz *) = { check_chisq,      check_noncentral, check_binomial,
                                                     check_divergence, check_normal,     check_power,
                                                     check_tails };
    struct fuzz fuzz = { data, size };

    checks[fuzz_byte(&fuzz) % (sizeof checks / sizeof checks[0])](&fuzz);
    return 0;
}
