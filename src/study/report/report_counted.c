/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that are not of orders, cell by cell: of a table of counts, or of the items of sets and hands. Each has an
 * interval and an exact p (fit/numeric.h), with Bonferroni's correction for the number of cells. */
#include "fit/fit.h"
#include "fit/numeric.h"
#include "study/report/report_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sb_counted *sb_counted_new(size_t count, const char *of, const char *before)
{
    struct sb_counted *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->of = of;
    made->before = before;
    made->count = count;
    made->cell = calloc(count + 1, sizeof *made->cell);
    if (made->cell)
        return made;
    free(made);
    return NULL;
}

void sb_counted_judge(struct sb_counted *made, uint64_t total, double alpha)
{
    const double cells = (double)made->count;

    for (size_t i = 0; i < made->count; i++) {
        struct sb_counted_cell *const cell = &made->cell[i];

        sb_binomial_interval(cell->count, total, alpha / cells, &cell->low, &cell->high);
        cell->share = (double)cell->count / (double)total;
        cell->ratio = cell->share / cell->fair;
        cell->ln_p = cell->fair > 0 && cell->fair < 1
                         ? fmin(0, sb_binomial_ln_p(cell->count, total, cell->fair) + log(cells))
                         : 0;
    }
}

const struct sb_counted_cell *sb_counted_extreme(const struct sb_counted *counted)
{
    const struct sb_counted_cell *extreme = NULL;

    for (size_t i = 0; i < counted->count; i++)
        if (!isnan(counted->cell[i].ln_p) && (!extreme || counted->cell[i].ln_p < extreme->ln_p))
            extreme = &counted->cell[i];
    return extreme;
}

void sb_counted_free(struct sb_counted *counted)
{
    for (size_t i = 0; counted && i < counted->count; i++)
        free(counted->cell[i].label);
    if (counted)
        free(counted->cell);
    free(counted);
}

enum { GROUPS_CELLS_MOST = 10000 };

enum sb_status sb_report_count_groups(struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_multiset *const groups = sb_item_groups(e->names);
    const size_t cells = groups ? groups->groups * e->n : 0;

    if (!cells || cells > GROUPS_CELLS_MOST || e->matrix.form != SB_NUMBERS_U64 || !e->total)
        return SB_OK;
    report->counted = sb_counted_new(cells, groups->groups == 1 ? "draw" : "deal", NULL);
    for (size_t cell = 0; report->counted && cell < cells; cell++) {
        const size_t group = cell / e->n;
        char item[SB_ITEM_ROOM], label[2 * SB_ITEM_ROOM + 4];
        int used = snprintf(label, sizeof label, "%s", sb_item_words(e->names->places, cell % e->n, item));

        if (groups->groups > 1)
            snprintf(label + used, sizeof label - (size_t)used, " in %s",
                     sb_item_name(e->names, sb_evidence_item(e, group), item));
        report->counted->cell[cell].label = strdup(label);
        report->counted->cell[cell].count = e->matrix.u64[cell];
        report->counted->cell[cell].fair = sb_evidence_fair(e, group);
        if (!report->counted->cell[cell].label)
            return SB_NO_MEMORY;
    }
    if (!report->counted)
        return SB_NO_MEMORY;
    sb_counted_judge(report->counted, e->total, report->alpha);
    return SB_OK;
}
