/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that tests share: a sum over cells, and the finding of a chi-square statistic. */
#include "fit/fit.h"

#include "core/numbers.h"
#include "fit/numeric.h"

#include <math.h>

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
    if (made.possible == 0) /* there are no members or no possible cells */
        made.least = 0;
    *sum = made;
    return SB_OK;
}

double sb_cell_pearson(const struct sb_cell *cell)
{
    return cell->excess * (cell->excess / cell->expected);
}

/* ln of the smallest probability of a sample: of the least likely cell or, of a matrix, of a deal. */
static double fit_ln_share(const struct sb_tally *tally, const struct sb_cells_sum *sum)
{
    const double n = (double)tally->members;
    const double deal = tally->cells == tally->members ? n : (double)tally->cells - 1;

    return n > 1 ? sb_ln_gamma(n - deal + 1) - sb_ln_gamma(n + 1) : log(sum->least / (double)tally->total);
}

struct sb_finding sb_finding_none(const struct sb_tally *tally, const char *test)
{
    return (struct sb_finding) {
        .statistic = tally->statistic,
        .test = test,
        .value = NAN,
        .dof = NAN,
        .p = NAN,
        .ln_p = NAN,
        .effect = NAN,
        .effect_low = NAN,
        .effect_high = NAN,
    };
}

struct sb_finding sb_finding_of(const struct sb_tally *tally, const char *test, double value, double dof,
                                const struct sb_cells_sum *sum, const struct sb_spread *spread, double alpha)
{
    struct sb_finding finding = sb_finding_none(tally, test);

    finding.value = tally->total ? value : NAN;
    finding.dof = dof;
    finding.expected_least = sum->least;
    finding.expected_needed = 5;
    if (dof <= 0) /* no number of deals would do */
        finding.expected_needed = 0;
    if (tally->total == 0 || dof <= 0)
        return finding;
    finding.least[0].ln_share = fit_ln_share(tally, sum);
    finding.ln_p = fmax(sb_chisq_ln_q(value, dof), (double)tally->total * finding.least[0].ln_share);
    finding.p = exp(finding.ln_p);
    sb_spread_interval(spread, (double)tally->total, alpha, &finding);
    /* the variance cannot be estimated from counts this small: a sample of two equal deals seems to have no
     * variance */
    if (!sb_finding_expects(&finding) && finding.p > alpha / 2)
        finding.effect_low = 0;
    return finding;
}
