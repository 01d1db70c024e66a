/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that are not of orders, cell by cell: of a table of counts, or of the items of sets and hands. Each has an
 * interval and an exact p (fit/numeric.h), with Bonferroni's correction for the number of cells. */
#include "fit/fit.h"
#include "fit/numeric.h"
#include "statistic/statistic.h"
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

/* Adds a cell. Error: SB_NO_MEMORY. */
static enum sb_status counted_add(struct sb_counted *counted, const char *label, uint64_t count, double fair)
{
    struct sb_counted_cell *const cell = &counted->cell[counted->count];

    cell->label = strdup(label);
    cell->count = count;
    cell->fair = fair;
    counted->count += cell->label != NULL;
    return cell->label ? SB_OK : SB_NO_MEMORY;
}

/* Adds how often each item was drawn, or was in each hand. */
static enum sb_status counted_items(const struct sb_evidence *e, struct sb_counted *counted)
{
    const struct sb_multiset *const groups = sb_item_groups(e->names);
    enum sb_status status = SB_OK;

    for (size_t cell = 0; cell < groups->groups * e->n && status == SB_OK; cell++) {
        const size_t group = cell / e->n;
        char item[SB_ITEM_ROOM], label[2 * SB_ITEM_ROOM + 4];
        const int used = snprintf(label, sizeof label, "%s", sb_item_words(e->names->places, cell % e->n, item));

        if (groups->groups > 1)
            snprintf(label + used, sizeof label - (size_t)used, " in %s",
                     sb_item_name(e->names, sb_evidence_item(e, group), item));
        status = counted_add(counted, label, e->matrix.u64[cell], sb_evidence_fair(e, group));
    }
    return status;
}

/* Adds how often each count of a kind came up. */
static enum sb_status counted_kinds(const struct sb_evidence *e, const struct sb_tally *tally,
                                    struct sb_counted *counted)
{
    const size_t kind = sb_kind_count_kind(tally->statistic);
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < tally->members * tally->cells && status == SB_OK; i++) {
        const size_t cell = i % tally->cells;
        char number[24], label[3 * SB_ITEM_ROOM];

        if (!(tally->ln_p[cell] > -INFINITY))
            continue;
        snprintf(number, sizeof number, "%zu", cell);
        status = counted_add(counted, sb_kinds_words(e->names, kind, i / tally->cells, number, label), tally->count[i],
                             exp(tally->ln_p[cell]));
    }
    return status;
}

enum sb_status sb_report_count_groups(const struct sb_statistics *statistics, struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_multiset *const groups = sb_item_groups(e->names);
    const bool items = groups && e->matrix.form == SB_NUMBERS_U64;
    size_t cells = items ? groups->groups * e->n : 0;
    enum sb_status status = SB_OK;

    for (size_t i = 0; statistics && i < statistics->tallies.count; i++)
        if (sb_kind_count_kind(statistics->tallies.tally[i].statistic) < SB_KIND_COUNTS)
            cells += statistics->tallies.tally[i].members * statistics->tallies.tally[i].cells;
    if (!cells || cells > GROUPS_CELLS_MOST || !e->total)
        return SB_OK;
    report->counted = sb_counted_new(cells, groups && groups->groups == 1 ? "draw" : "deal", NULL);
    if (!report->counted)
        return SB_NO_MEMORY;
    report->counted->count = 0;
    if (items)
        status = counted_items(e, report->counted);
    for (size_t i = 0; statistics && i < statistics->tallies.count && status == SB_OK; i++)
        if (sb_kind_count_kind(statistics->tallies.tally[i].statistic) < SB_KIND_COUNTS)
            status = counted_kinds(e, &statistics->tallies.tally[i], report->counted);
    sb_counted_judge(report->counted, e->total, report->alpha);
    return status;
}
