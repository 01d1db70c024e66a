/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pearson's chi-square over the cells of any statistic. Neighbouring cells are merged until each has an
 * expected count of 20 or more; only the null law decides which cells are merged. For a family of m members,
 * the finding is that of the member with the smallest p. This p is multiplied by m (Bonferroni), and the
 * interval of the effect has the level 1 - alpha/m. Cost: O(members * cells).
 *
 * The smallest p of many members is far out in its tail, where two cells are no longer nearly normal: of 52 cards by
 * two places, 1.75% of the corrected p were at most 1%. Of two cells, the p of the member with the largest chi-square is
 * therefore the exact one of the binomial law. It is never below the smallest exact p of all members, so Bonferroni's
 * bound holds for it.
 *
 * With few samples, all cells merge into one, and no degree of freedom is left. Then the finding has no
 * p-value and is not reliable. The expected_least of the finding is then the expected count of the less
 * likely cell if all cells were merged into two cells with probabilities as equal as possible.
 *
 * W. G. Cochran, Some methods for strengthening the common chi-square tests, Biometrics 10 (1954) 417,
 * requires an expected count of only 5. But all tests of a report divide alpha among them, and at such small
 * levels 5 is too low: for decks of 52 cards, false alarms were 1.3 times as frequent as alpha allows
 * (docs/accuracy.md).
 */
#include "fit/fit.h"

#include "core/numbers.h"
#include "fit/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double merged_expected_least = 20;

/* The merged cells: which cells they contain, their law, and the counts of one member. */
struct merged_cells {
    size_t cells;
    uint32_t *map;   /* [tally->cells] for each cell, the index of the merged cell that contains this cell */
    double *ln_p;    /* [tally->cells] the law of the merged cells; only the first `cells` entries are used */
    uint64_t *count; /* [tally->cells] counts of the merged cells; only the first `cells` entries are used */
};

static void merged_close(struct merged_cells *merged)
{
    free(merged->map);
    free(merged->ln_p);
    free(merged->count);
}

static enum sb_status merged_open(const struct sb_tally *tally, struct merged_cells *merged)
{
    const size_t cells = tally->cells;

    *merged = (struct merged_cells) {
        .map = calloc(cells, sizeof *merged->map),
        .ln_p = calloc(cells, sizeof *merged->ln_p),
        .count = calloc(cells, sizeof *merged->count),
    };
    if (!merged->map || !merged->ln_p || !merged->count) {
        merged_close(merged);
        return SB_NO_MEMORY;
    }
    for (size_t i = 0; i < cells; i++)
        merged->ln_p[i] = tally->ln_p ? tally->ln_p[i] : -log((double)cells);
    merged->cells =
        sb_merge_cells(merged->ln_p, cells, merged_expected_least / (double)tally->total, merged->map, merged->ln_p);
    return SB_OK;
}

static enum sb_status merged_member(const struct sb_tally *tally, size_t member, double alpha,
                                    const struct merged_cells *merged, struct sb_finding *finding)
{
    const struct sb_tally one = {
        .statistic = tally->statistic,
        .members = 1,
        .cells = merged->cells,
        .total = tally->total,
        .count = merged->count,
        .ln_p = merged->ln_p,
    };

    memset(merged->count, 0, merged->cells * sizeof merged->count[0]);
    for (size_t i = 0; i < tally->cells; i++)
        merged->count[merged->map[i]] += tally->count[member * tally->cells + i];
    return sb_test_pearson.run(&one, alpha, finding);
}

/* The probability of the less likely cell if all cells are merged into two cells that are as equal as
 * possible; 0 if only one cell is possible. */
static double merged_half(const struct sb_tally *tally)
{
    double before = 0, half = 0;

    for (size_t i = 0; i + 1 < tally->cells && before < 0.5; i++) {
        before += tally->ln_p ? sb_exp(tally->ln_p[i]) : 1 / (double)tally->cells;
        half = fmax(half, fmin(before, 1 - before));
    }
    return half > 1e-12 ? half : 0;
}

/* ln of the exact p of the first of two merged cells, of one member. */
static double merged_ln_binomial(const struct sb_tally *tally, size_t member, const struct merged_cells *merged)
{
    uint64_t first = 0;

    for (size_t i = 0; i < tally->cells; i++)
        first += merged->map[i] == 0 ? tally->count[member * tally->cells + i] : 0;
    return sb_binomial_ln_p(first, tally->total, sb_exp(merged->ln_p[0]));
}

static enum sb_status merged_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    const double members = (double)tally->members;
    struct sb_finding worst = { .ln_p = INFINITY };
    struct merged_cells merged;
    enum sb_status status;
    size_t at = 0;

    if (tally->members == 0 || tally->cells == 0)
        return SB_INVALID;
    status = merged_open(tally, &merged);
    if (status)
        return status;
    for (size_t member = 0; member < tally->members && status == SB_OK; member++) {
        struct sb_finding one;

        status = merged_member(tally, member, alpha / members, &merged, &one);
        if (status == SB_OK && !(one.ln_p >= worst.ln_p)) {
            worst = one;
            at = member;
        }
    }
    if (status == SB_OK && tally->members > 1 && merged.cells == 2)
        worst.ln_p = merged_ln_binomial(tally, at, &merged);
    merged_close(&merged);
    if (status)
        return status;
    worst.test = "merged";
    if (worst.dof > 0) {
        worst.least[0].ln_factor = log(members);
        worst.ln_p = fmin(0, worst.ln_p + log(members));
        worst.p = tally->members > 1 ? exp(worst.ln_p) : worst.p;
    } else if (merged_half(tally) > 0) {
        worst.expected_least = (double)tally->total * merged_half(tally);
        worst.expected_needed = merged_expected_least;
        worst.value = NAN;
    }
    *finding = worst;
    return SB_OK;
}

const struct sb_test_type sb_test_merged = {
    .name = "merged",
    .title = "Pearson's chi-square, cells merged until each expects 20",
    .cite = "Cochran, Biometrics 10 (1954) 417",
    .run = merged_run,
};
