/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the statistics have in common. */
#include "statistic/statistic.h"

#include "statistic/laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct sb_statistic_type *sb_statistic_find(const char *name)
{
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (strcmp(sb_statistic_types[i]->name, name) == 0)
            return sb_statistic_types[i];
    return NULL;
}

bool sb_statistic_joins(const struct sb_statistic_type *type, size_t n, size_t k)
{
    enum { STATISTIC_DEALS_FEW = 6 };

    if (type->members(n, k) == 0 || type->cells(n, k) < 2)
        return false;
    return type == &sb_statistic_rank || type == &sb_statistic_position ||
           (k > 1 && sb_deals(n, k) > STATISTIC_DEALS_FEW);
}

size_t sb_statistic_single(size_t n, size_t k)
{
    (void)n;
    (void)k;
    return 1;
}

char *sb_statistic_label(const struct sb_statistic_type *type, size_t n, size_t k, size_t member, size_t cell,
                         char text[SB_LABEL_ROOM])
{
    if (type->label)
        type->label(n, k, member, cell, text);
    else
        snprintf(text, SB_LABEL_ROOM, "%zu", cell);
    return text;
}

void sb_law_uniform(size_t cells, double ln_p[])
{
    for (size_t cell = 0; cell < cells; cell++)
        ln_p[cell] = -log((double)cells);
}
