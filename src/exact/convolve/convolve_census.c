/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the census of a law. The counts arrive in runs of 720 (convolve_run.h). */
#include "exact/convolve/convolve_census.h"

#include <stdlib.h>
#include <string.h>

enum { RUN = SB_CONVOLVE_RUN, COUNTS = 1 << SB_CENSUS_COUNT_BITS };

struct sb_convolve_census_part *sb_convolve_census_open(size_t n, size_t item, size_t count)
{
    struct sb_convolve_census_part *const part = calloc(count, sizeof *part);
    bool had = part;

    for (size_t i = 0; part && i < count; i++) {
        part[i].n = n;
        part[i].item = item;
        part[i].times = calloc(COUNTS, sizeof *part[i].times);
        had = had && part[i].times;
    }
    if (had)
        return part;
    sb_convolve_census_close(part, part ? count : 0);
    free(part);
    return NULL;
}

void sb_convolve_census_close(struct sb_convolve_census_part *part, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(part[i].times);
        part[i].times = NULL;
    }
}

/* Sets a[0..n-1] to the permutation that the slice stores as b[0..n-2]. */
static void census_permutation(const struct sb_convolve_census_part *part, const sb_item b[], sb_item a[])
{
    a[part->position] = (sb_item)part->item;
    for (size_t c = 0; c + 1 < part->n; c++)
        a[part->layout.position[c]] = b[c] + (b[c] >= part->item);
}

/* Returns the rank of permutation `index` of the slice. */
static uint64_t census_rank(const struct sb_convolve_census_part *part, size_t index)
{
    sb_item a[SB_CONVOLVE_ITEMS_MOST], b[SB_CONVOLVE_ITEMS_MOST];

    sb_permutation_unrank(part->n - 1, part->n - 1, index, b);
    census_permutation(part, b, a);
    return sb_permutation_rank(part->n, part->n, a);
}

/* Returns the least or the greatest rank in run `number`. All permutations of a run have the same items at
 * the first places of the layout. The rank is least if the other items ascend with their positions, and
 * greatest if they descend. */
static uint64_t census_bound(const struct sb_convolve_census_part *part, size_t number, bool greatest)
{
    const size_t n = part->n, fixed = n - SB_CONVOLVE_TILE;
    sb_item a[SB_CONVOLVE_ITEMS_MOST], b[SB_CONVOLVE_ITEMS_MOST];
    sb_item rest[SB_CONVOLVE_TILE] = { 0 }; /* each is set below, which gcc 14 does not see */
    bool inner[SB_CONVOLVE_ITEMS_MOST] = { false };
    size_t next = 0;

    /* the first permutation of a run has its other items in ascending order */
    sb_permutation_unrank(n - 1, n - 1, number * RUN, b);
    census_permutation(part, b, a);
    for (size_t c = fixed; c + 1 < n; c++) {
        rest[c - fixed] = a[part->layout.position[c]];
        inner[part->layout.position[c]] = true;
    }
    for (size_t p = 0; p < n; p++)
        if (inner[p]) {
            a[p] = rest[greatest ? SB_CONVOLVE_TILE - 2 - next : next];
            next++;
        }
    return sb_permutation_rank(n, n, a);
}

/* Adds the deals of a run that belong in the list of this order. `best` is the count that comes first in the
 * order, among all counts of the run. */
static void census_list(struct sb_convolve_census_part *part, enum sb_census_order order, size_t number,
                        const uint32_t run[RUN], uint32_t best)
{
    struct sb_census_list *const list = &part->list[order];
    const struct sb_census_deal *const last = &list->deal[SB_CENSUS_ENDS - 1];
    const bool full = list->size == SB_CENSUS_ENDS;

    if (full && (order == SB_CENSUS_TOP ? best < last->count : best > last->count))
        return;
    if (full && best == last->count &&
        !sb_census_wants(
            list, order,
            (struct sb_census_deal) { census_bound(part, number, order == SB_CENSUS_BOTTOM), best }))
        return;
    for (size_t i = 0; i < RUN; i++)
        if (list->size < SB_CENSUS_ENDS ||
            (order == SB_CENSUS_TOP ? run[i] >= last->count : run[i] <= last->count))
            sb_census_add(list, order,
                          (struct sb_census_deal) { census_rank(part, number * RUN + i), run[i] });
}

void sb_convolve_census_put(size_t number, const uint32_t run[RUN], void *state)
{
    struct sb_convolve_census_part *const part = state;
    uint32_t most = 0, least = UINT32_MAX;

    for (size_t i = 0; i < RUN; i++) {
        most = run[i] > most ? run[i] : most;
        least = run[i] < least ? run[i] : least;
    }
    part->most = most > part->most ? most : part->most;
    for (size_t i = 0; i < RUN; i++)
        part->times[run[i]]++;
    census_list(part, SB_CENSUS_TOP, number, run, most);
    census_list(part, SB_CENSUS_BOTTOM, number, run, least);
    census_list(part, SB_CENSUS_LEAST, number, run, least);
}

size_t sb_convolve_census_collect(struct sb_convolve_census_part *part, size_t count, uint64_t times[])
{
    uint32_t most = 0;

    for (size_t k = 0; k < count; k++) {
        most = part[k].most > most ? part[k].most : most;
        for (size_t i = 0; i <= part[k].most; i++) {
            times[i] += part[k].times[i];
            part[k].times[i] = 0;
        }
    }
    return (size_t)most + 1;
}

void sb_convolve_census_merge(const struct sb_census_list from[SB_CENSUS_ORDERS],
                              struct sb_census_list to[SB_CENSUS_ORDERS])
{
    for (enum sb_census_order order = 0; order < SB_CENSUS_ORDERS; order++)
        for (size_t i = 0; i < from[order].size; i++)
            sb_census_add(&to[order], order, from[order].deal[i]);
}

struct sb_census *sb_convolve_census_join(const struct sb_convolve_census_part *part, size_t count,
                                          const uint64_t times[], size_t entries)
{
    struct sb_census *const census = sb_census_new(entries);

    if (!census)
        return NULL;
    memcpy(census->times, times, entries * sizeof *times);
    for (size_t k = 0; k < count; k++)
        sb_convolve_census_merge(part[k].list, census->list);
    return census;
}
