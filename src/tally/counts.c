/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of tallies. Cost: a copy of every cell. */
#include "tally/counts.h"

#include <stdlib.h>
#include <string.h>

void sb_counts_free(struct sb_counts counts[], size_t count)
{
    for (size_t i = 0; counts && i < count; i++) {
        free(counts[i].statistic);
        free(counts[i].count);
    }
    free(counts);
}

struct sb_counts *sb_counts_copy(const struct sb_tally tally[], size_t count)
{
    struct sb_counts *const copy = calloc(count + 1, sizeof *copy);
    bool well = copy;

    for (size_t i = 0; well && i < count; i++) {
        const size_t cells = tally[i].members * tally[i].cells;

        copy[i].lag = tally[i].lag;
        copy[i].dependence = tally[i].dependence;
        copy[i].total = tally[i].total;
        copy[i].members = tally[i].members;
        copy[i].cells = tally[i].cells;
        copy[i].statistic = strdup(tally[i].statistic);
        copy[i].count = calloc(cells + 1, sizeof copy[i].count[0]);
        well = copy[i].statistic && copy[i].count;
        if (well)
            memcpy(copy[i].count, tally[i].count, cells * sizeof copy[i].count[0]);
    }
    if (well)
        return copy;
    sb_counts_free(copy, count);
    return NULL;
}

bool sb_counts_lend(const struct sb_counts counts[], size_t count, struct sb_tally tally[])
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(counts[i].statistic, tally[i].statistic) != 0 || counts[i].lag != tally[i].lag ||
            counts[i].dependence != tally[i].dependence || counts[i].members != tally[i].members ||
            counts[i].cells != tally[i].cells)
            return false;
    for (size_t i = 0; i < count; i++) {
        tally[i].count = counts[i].count;
        tally[i].total = counts[i].total;
    }
    return true;
}
