/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact and the sampled report of one scheme. The two reports are adjacent and have the same name; the
 * exact report comes first. A report by seeds has no partner. Such a report takes the place of the exact
 * report, because its evidence is also a law.
 */
#include "study/report/page/pair.h"

#include <math.h>
#include <string.h>

size_t sb_pair_next(const struct sb_reports *reports, size_t index, struct sb_pair *pair)
{
    const struct sb_report *const first = &reports->report[index];
    const struct sb_report *const second = index + 1 < reports->count ? first + 1 : NULL;

    if (first->evidence.by == SB_BY_SAMPLE) {
        *pair = (struct sb_pair) { .sampled = first };
        return index + 1;
    }
    *pair = (struct sb_pair) { .exact = first };
    if (first->evidence.reach || !second || second->evidence.by != SB_BY_SAMPLE ||
        strcmp(first->name, second->name) != 0 || first->evidence.n != second->evidence.n ||
        first->evidence.deal != second->evidence.deal)
        return index + 1;
    pair->sampled = second;
    return index + 2;
}

const struct sb_report *sb_pair_best(const struct sb_pair *pair)
{
    return pair->exact ? pair->exact : pair->sampled;
}

struct sb_pair sb_pair_counted(const struct sb_pair *pair)
{
    struct sb_pair counted = *pair;

    if (pair->exact && pair->sampled && !pair->exact->evidence.cells)
        counted.exact = NULL;
    return counted;
}

bool sb_report_biased(const struct sb_report *report)
{
    return report && strcmp(report->verdict, "biased") == 0;
}

/* Returns whether a matrix deviates by so little that only exact numbers show it. */
static bool pair_matrix_faint(const struct sb_evidence *e)
{
    const size_t cell = sb_evidence_farthest(e), row = cell / e->deal;
    const double share = sb_evidence_matrix_share(e, row, cell % e->deal);

    return fabs(sb_evidence_ratio(e, row, share) - 1) < SB_RATIO_FAINT;
}

bool sb_pair_invisible(const struct sb_pair *pair)
{
    const struct sb_report *const exact = pair->exact;

    if (!sb_report_biased(exact) || sb_report_biased(pair->sampled))
        return false;
    return exact->has_effect ? sb_effect_invisible(&exact->effect)
                             : exact->evidence.cells == 0 && pair_matrix_faint(&exact->evidence);
}

const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best)
{
    if (sb_pair_invisible(pair))
        return "biased, too little to see";
    return !sb_report_biased(best) && sb_report_biased(pair->sampled) ? "biased in the sample"
                                                                      : best->verdict;
}

const struct sb_row *sb_report_row(const struct sb_report *report, size_t rank)
{
    for (size_t i = 0; i < report->rows_count; i++)
        if (report->rows[i].rank == rank)
            return &report->rows[i];
    return NULL;
}

void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased)
{
    *schemes = 0;
    *biased = 0;
    for (size_t i = 0; i < reports->count; ++*schemes) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        *biased += sb_report_biased(pair.exact) || sb_report_biased(pair.sampled);
    }
}
