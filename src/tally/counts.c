/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of one statistic without its law. */
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
