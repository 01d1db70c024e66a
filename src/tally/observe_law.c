/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of a statistic of an observer, and which of its cells are merged. */
#include "tally/observe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum sb_status law_merge(size_t most, double ln_p[], struct sb_observe_part *part)
{
    const size_t cells = part->cells;
    double *const merged = calloc(cells, sizeof *merged);

    part->map = calloc(cells, sizeof part->map[0]);
    part->first = calloc(2 * most, sizeof part->first[0]);
    if (!merged || !part->map || !part->first) {
        free(merged);
        return SB_NO_MEMORY;
    }
    part->cells = sb_merge_cells(ln_p, cells, 1 / (double)most, part->map, merged);
    part->last = part->first + most;
    for (size_t cell = 0; cell < cells; cell++)
        if (ln_p[cell] > -HUGE_VAL)
            part->last[part->map[cell]] = (uint32_t)cell;
    for (size_t cell = cells; cell-- > 0;)
        if (ln_p[cell] > -HUGE_VAL)
            part->first[part->map[cell]] = (uint32_t)cell;
    if (part->cells == cells) { /* no cells were merged */
        free(part->map);
        free(part->first);
        part->map = part->first = part->last = NULL;
    }
    memcpy(ln_p, merged, part->cells * sizeof ln_p[0]);
    free(merged);
    return SB_OK;
}

/* Sets part->separate to whether members differ in their laws. */
static enum sb_status law_fair(const struct sb_fair *fair, double ln_p[], struct sb_observe_part *part)
{
    const size_t size = part->cells * sizeof ln_p[0];
    const enum sb_status status = sb_fair_null_law(fair, part->type, part->multiset, ln_p);

    for (size_t member = 1; status == SB_OK && member < part->members; member++)
        part->separate = part->separate || memcmp(ln_p, ln_p + member * part->cells, size) != 0;
    return status;
}

/* Counts the unmerged values of a number, too. */
static enum sb_status law_seek(const double ln_p[], struct sb_observe_part *part)
{
    const struct sb_statistic_type *const type = part->type;
    const bool number = part->equal ? !part->equal->label : !type->label;
    const struct sb_window window =
        !part->equal && type->window ? type->window(part->n, part->deal) : (struct sb_window) { 0 };
    enum sb_status status;

    if (!number || part->members > 1)
        return SB_OK;
    status = sb_outlier_new(type->name, type->title, ln_p, part->cells, window.low, part->deal, &part->outlier);
    if (part->outlier) {
        part->outlier->law->below = window.below;
        part->outlier->law->above = window.above;
    }
    return status;
}

enum sb_status sb_observe_law(const struct sb_fair *fair, size_t most, bool fine, bool seek,
                              struct sb_observe_part *part)
{
    const bool merged = fine ? sb_statistic_merges(part->type, part->n) : part->type != &sb_statistic_rank;
    double *const ln_p = calloc((fair ? part->members : 1) * part->cells + 1, sizeof *ln_p);
    enum sb_status status = ln_p ? SB_OK : SB_NO_MEMORY;
    bool uniform = true;

    if (status == SB_OK)
        status = fair ? law_fair(fair, ln_p, part)
                      : sb_statistic_null_law(part->type, part->multiset, part->n, part->deal, ln_p);
    if (status == SB_OK && seek)
        status = law_seek(ln_p, part);
    /* a value that an intended law forbids keeps its cell */
    if (status == SB_OK && merged && most && (!fair || (!part->separate && part->cells > most)))
        status = law_merge(most, ln_p, part);
    if (status) {
        free(ln_p);
        return status;
    }
    for (size_t cell = 1; cell < (part->separate ? part->members : 1) * part->cells; cell++)
        uniform = uniform && ln_p[cell] == ln_p[0];
    part->separate = part->separate && !uniform;
    if (uniform)
        free(ln_p);
    else
        part->ln_p = ln_p;
    return SB_OK;
}
