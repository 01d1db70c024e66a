/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests have in common: cells beside their expectation, and the finding of a chi-square statistic.
 *
 * For K equally likely cells and N = q K + r, E - O = (q - O) + r/K keeps its digits, where N/K - O loses
 * those that the two have in common. The effect is the noncentrality for each sample: the chi-square distance
 * of the law from the null law (fit/effect/spread.c). Cost: a few operations and a division for each cell.
 */
#include "fit/test/fit.h"

#include "core/sum.h"
#include "fit/numeric/special.h"

#include <math.h>

/* An expectation so small that one count settles the matter; keeps terms finite where a null law underflows.
 */
static const double fit_expected_floor = 1e-100;

/* a - b of unsigned numbers. */
static double fit_difference(uint64_t a, uint64_t b)
{
    return a < b ? -(double)(b - a) : (double)(a - b);
}

struct sb_cell sb_cell_get(const struct sb_tally *tally, size_t member, size_t cell)
{
    const uint64_t count = tally->count[member * tally->cells + cell];
    struct sb_cell got = { .count = (double)count };

    if (!tally->ln_p) {
        const double cells = (double)tally->cells;

        got.expected = (double)tally->total / cells;
        got.excess = fit_difference(tally->total / tally->cells, count) +
                     (double)(tally->total % tally->cells) / cells;
        return got;
    }
    if (tally->ln_p[cell] > -HUGE_VAL && tally->total)
        got.expected = fmax((double)tally->total * exp(tally->ln_p[cell]), fit_expected_floor);
    got.excess = got.expected - got.count;
    return got;
}

enum sb_status sb_cells_add(const struct sb_tally *tally, double (*term)(const struct sb_cell *cell),
                            struct sb_cells_sum *sum)
{
    struct sb_sum value = { 0 };
    struct sb_cells_sum made = { .least = HUGE_VAL };

    for (size_t member = 0; member < tally->members; member++) {
        made.possible = 0;
        for (size_t i = 0; i < tally->cells; i++) {
            const struct sb_cell cell = sb_cell_get(tally, member, i);

            if (cell.expected > 0) {
                sb_sum_add(&value, term(&cell));
                made.least = fmin(made.least, cell.expected);
                made.possible++;
            } else if (cell.count > 0) {
                return SB_BROKEN;
            }
        }
    }
    made.value = sb_sum_value(&value);
    if (made.possible == 0) /* nothing was tallied */
        made.least = 0;
    *sum = made;
    return SB_OK;
}

double sb_cell_pearson(const struct sb_cell *cell)
{
    return cell->excess * (cell->excess / cell->expected);
}

struct sb_finding sb_finding_of(const struct sb_tally *tally, const char *test, double value, double dof,
                                const struct sb_cells_sum *sum, const struct sb_spread *spread, double alpha)
{
    struct sb_finding finding = {
        .statistic = tally->statistic,
        .test = test,
        .value = tally->total ? value : NAN,
        .dof = dof,
        .p = NAN,
        .ln_p = NAN,
        .effect = NAN,
        .effect_low = NAN,
        .effect_high = NAN,
        .expected_least = sum->least,
        .expected_needed = 5,
    };

    if (tally->total == 0 || dof <= 0)
        return finding;
    finding.ln_p = sb_chisq_ln_q(value, dof);
    finding.p = exp(finding.ln_p);
    sb_spread_interval(spread, (double)tally->total, alpha, &finding);
    return finding;
}
