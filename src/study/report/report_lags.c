/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report on a stream tests the steps X[t-L]^-1 X[t] at the gate's lags L = 1, 2, 4, ..., 64 (tally/lags.h).
 *
 * If a fair shuffle starts anew each time, the steps at each lag are independent and uniform. So each lag has the test
 * `merged`. The finding is that of the lag with the smallest p, times the number of tests: one test of the report.
 *
 * A biased shuffle that starts anew each time has steps that are not uniform either. But their law is the same at all
 * lags. So permutations are shown to depend on each other only if the steps at the lag of the finding also differ from
 * those at another lag: at the lag whose test has the median p, since most lags may be those of independence. This
 * second test is a chi-square test of two samples. The pairs overlap, and it allows for that: let h(x, y) be 1 if the
 * step from x to y is in a cell. By Hoeffding's decomposition, h(x, y) = q + a(x) + b(y) + g(x, y), where g has the
 * mean 0 given x and given y. All terms g(X[t-L], X[t]), of both lags, are uncorrelated. The sums of a(x) and of b(y) are
 * the same at both lags, except for at most 63 permutations at an end, and the covariances of a, b and g add up to that
 * of h. So with 64 steps or more, the covariances of the difference are at most those of two samples of independent
 * steps. Any of the 42 ordered pairs of lags may be compared, for each statistic, so p is multiplied by their number.
 *
 * Cost: that of the gate's lags for the first LAGS_DECKS permutations, and a pass over the cells at the end. W. Hoeffding, A class
 * of statistics with asymptotically normal distribution, doi:10.1214/aoms/1177730196.
 */
#include "study/report/report_lags.h"

#include "fit/fit.h"
#include "fit/numeric.h"

#include <math.h>
#include <stdlib.h>

enum {
    LAGS_DECKS = 1 << 17,  /* the permutations that take part: more would slow reports of a million by 10% */
    LAGS_STEPS_LEAST = 64, /* the fewest steps at the farthest lag for a test */
    LAGS_EXPECT = 40,      /* the fewest counts of both samples in a merged cell */
    LAGS_PAIRS = SB_LAGS * (SB_LAGS - 1),
};

enum sb_status sb_report_lags_open(size_t n, size_t deal, struct sb_error *error, struct sb_report_lags *lags)
{
    *lags = (struct sb_report_lags) { .lags = NULL };
    return n < 2 || deal < n ? SB_OK : sb_lags_new(n, true, error, &lags->lags);
}

void sb_report_lags_close(struct sb_report_lags *lags)
{
    sb_lags_free(lags->lags);
    lags->lags = NULL;
}

void sb_report_lags_add(struct sb_report_lags *lags, const sb_item items[], size_t count)
{
    const uint64_t left = LAGS_DECKS - lags->decks;

    if (!lags->lags || left == 0)
        return;
    count = count < left ? count : (size_t)left;
    sb_lags_add(lags->lags, items, count);
    lags->decks += count;
}

/* Returns ln p of the hypothesis that the steps of two tallies have the same law. Neighbouring cells are merged until
 * they have LAGS_EXPECT steps. */
static double lags_ln_p_same(const struct sb_tally *one, const struct sb_tally *other)
{
    const double n = (double)one->total, m = (double)other->total;
    double a = 0, b = 0, value = 0, groups = 0;

    for (size_t i = 0; i < one->cells; i++) {
        a += (double)one->count[i];
        b += (double)other->count[i];
        if (a + b < LAGS_EXPECT)
            continue;
        value += (a * m - b * n) * (a * m - b * n) / (n * m * (a + b));
        groups++;
        a = b = 0;
    }
    return groups < 2 ? 0 : sb_chisq_ln_q(value, groups - 1);
}

static int lags_compare(const void *a, const void *b)
{
    const struct sb_finding *const one = a, *const other = b;

    return (one->ln_p > other->ln_p) - (one->ln_p < other->ln_p);
}

/* Tests statistic k of each lag; `finding` becomes that of the smallest p. */
static enum sb_status lags_test(const struct sb_tally tally[], size_t k, size_t types, double alpha,
                                struct sb_finding *finding)
{
    struct sb_finding each[SB_LAGS];
    enum sb_status status = SB_OK;

    for (size_t l = 0; l < SB_LAGS && status == SB_OK; l++) {
        status = sb_test_merged.run(&tally[l * types + k], alpha, &each[l]);
        each[l].lag = tally[l * types + k].lag;
        each[l].ln_p = isnan(each[l].ln_p) ? 0 : each[l].ln_p; /* a single cell */
    }
    if (status)
        return status;
    qsort(each, SB_LAGS, sizeof each[0], lags_compare);
    *finding = each[0];
    const struct sb_tally *pair[2] = { &tally[k], &tally[k] };

    for (size_t l = 0; l < SB_LAGS; l++) {
        pair[0] = tally[l * types + k].lag == each[0].lag ? &tally[l * types + k] : pair[0];
        pair[1] = tally[l * types + k].lag == each[SB_LAGS / 2].lag ? &tally[l * types + k] : pair[1];
    }
    finding->dependent = lags_ln_p_same(pair[0], pair[1]) + log((double)(LAGS_PAIRS * types)) < log(alpha);
    return SB_OK;
}

enum sb_status sb_report_lags_test(struct sb_report_lags *lags, double alpha)
{
    struct sb_tally tally[SB_LAGS * SB_LAGS_STATISTICS];
    enum sb_status status = SB_OK;

    if (!lags->lags)
        return SB_OK;
    const size_t tests = sb_lags_count(lags->lags), types = tests / SB_LAGS;

    sb_lags_read(lags->lags, tally);
    if (tally[tests - 1].total < LAGS_STEPS_LEAST)
        return SB_OK;
    for (size_t k = 0; k < types && status == SB_OK; k++) {
        struct sb_finding finding;

        status = lags_test(tally, k, types, alpha / (double)tests, &finding);
        if (status == SB_OK && (k == 0 || finding.ln_p < lags->finding.ln_p))
            lags->finding = finding;
    }
    if (status)
        return status;
    lags->finding.ln_p = fmin(0, lags->finding.ln_p + log((double)tests));
    lags->finding.p = exp(lags->finding.ln_p);
    lags->found = true;
    return SB_OK;
}

const struct sb_finding *sb_report_lags_found(const struct sb_report_lags *lags)
{
    return lags->found ? &lags->finding : NULL;
}
