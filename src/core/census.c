/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds deals to the lists of a census. Each list keeps only the deals that come first in the list's order. */
#include "core/census.h"

#include <stdlib.h>

struct sb_census *sb_census_new(size_t entries)
{
    struct sb_census *const census = calloc(1, sizeof *census);

    if (!census)
        return NULL;
    census->entries = entries;
    census->times = calloc(entries + 1, sizeof *census->times);
    if (census->times)
        return census;
    free(census);
    return NULL;
}

void sb_census_free(struct sb_census *census)
{
    if (census)
        free(census->times);
    free(census);
}

/* Returns whether deal a comes before deal b. */
static bool census_before(enum sb_census_order order, struct sb_census_deal a, struct sb_census_deal b)
{
    if (a.count != b.count)
        return order == SB_CENSUS_TOP ? a.count > b.count : a.count < b.count;
    return order == SB_CENSUS_BOTTOM ? a.rank > b.rank : a.rank < b.rank;
}

bool sb_census_wants(const struct sb_census_list *list, enum sb_census_order order,
                     struct sb_census_deal deal)
{
    return list->size < SB_CENSUS_ENDS || census_before(order, deal, list->deal[list->size - 1]);
}

void sb_census_add(struct sb_census_list *list, enum sb_census_order order, struct sb_census_deal deal)
{
    size_t at;

    if (!sb_census_wants(list, order, deal))
        return;
    if (list->size < SB_CENSUS_ENDS)
        list->size++;
    for (at = list->size - 1; at > 0 && census_before(order, deal, list->deal[at - 1]); at--)
        list->deal[at] = list->deal[at - 1];
    list->deal[at] = deal;
}

uint64_t sb_census_count(const struct sb_census *census, uint64_t rank)
{
    for (size_t order = 0; order < SB_CENSUS_ORDERS; order++)
        for (size_t i = 0; i < census->list[order].size; i++)
            if (census->list[order].deal[i].rank == rank)
                return census->list[order].deal[i].count;
    return 0;
}
