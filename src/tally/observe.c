/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies of statistics. If only few distinct deals are possible, the observer counts how often each deal
 * occurs, and derives all statistics from these counts in sb_observer_read(). Otherwise the observer
 * classifies each deal.
 *
 * The observer counts deals by the code of their first four items (deal_code.h) if this code identifies a
 * deal, else by rank.
 *
 * A batch of several deals of at most 64 items is classified side by side (statistic/rows).
 *
 * Cost if the observer counts deals: for each deal, computing its code or its rank; for each call of
 * sb_observer_read(), an addition for each distinct deal and each member. Cost otherwise: for each deal, a
 * classification and an addition for each member.
 */
#include "tally/observe.h"

#include "core/core.h"
#include "tally/deal_code.h"
#include "tally/observe_part.h"

#include <stdlib.h>
#include <string.h>

enum {
    OBSERVE_ROWS_LEAST = 8, /* the fewest deals that are worth classifying side by side */
    /* the most distinct deals for which the observer counts deals */
    OBSERVE_FEW = 720,
};

struct sb_observer {
    size_t n, deal;
    uint64_t total;
    bool forked; /* whether the laws are borrowed from another observer */
    size_t few;  /* number of distinct deals if the observer counts deals, else 0 */
    bool coded;  /* whether deals are counted by code, not by rank */
    /* [few or SB_DEAL_CODES] how often each rank or code occurred since the last sb_observer_read() */
    uint64_t *times;
    uint16_t *code; /* [few] the code of each rank */
    size_t parts_count;
    struct sb_observe_part *part; /* [parts_count] the statistics */
};

/* Finds the code of each rank, if the observer counts deals. */
static void observe_encode(struct sb_observer *observer)
{
    sb_item a[OBSERVE_FEW]; /* n <= OBSERVE_FEW, since there are at least n deals */

    for (size_t rank = 0; rank < observer->few; rank++) {
        sb_permutation_unrank(observer->n, observer->deal, rank, a);
        observer->code[rank] = (uint16_t)(observer->coded ? sb_deal_code(a) : rank);
    }
}

/* Opens an observer. If `fine` is set, the statistics that sb_statistic_merges() exempts keep their own
 * cells. If `few` is set, and at most OBSERVE_FEW distinct deals are possible, the observer counts deals. */
static enum sb_status observer_open(const struct sb_multiset *multiset, size_t n, size_t deal,
                                    const struct sb_statistic_type *const types[], size_t count, size_t most,
                                    bool fine, bool few, struct sb_error *error,
                                    struct sb_observer **observer)
{
    struct sb_observer *const made = calloc(1, sizeof *made);
    enum sb_status status = SB_NO_MEMORY;

    if (!made)
        return sb_error_memory(error, "tallies");
    made->n = n;
    made->deal = deal;
    made->few = few && sb_deals(n, deal) <= OBSERVE_FEW ? (size_t)sb_deals(n, deal) : 0;
    made->coded = n <= SB_DEAL_CODED_MOST && (deal == SB_DEAL_CODED || (deal == n && n == SB_DEAL_CODED + 1));
    made->times = calloc(SB_DEAL_CODES, sizeof made->times[0]);
    made->code = calloc(OBSERVE_FEW, sizeof made->code[0]);
    made->part = calloc(count + 1, sizeof made->part[0]);
    if (made->times && made->code && made->part)
        status = SB_OK;
    for (; status == SB_OK && made->parts_count < count; made->parts_count++)
        status = sb_observe_part_open(types[made->parts_count], multiset, n, deal, most, fine, made->few,
                                      error, &made->part[made->parts_count]);
    if (status) {
        sb_observer_free(made);
        return status == SB_NO_MEMORY ? sb_error_memory(error, "tallies") : status;
    }
    observe_encode(made);
    *observer = made;
    return SB_OK;
}

enum sb_status sb_observer_new(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                               size_t count, size_t most, struct sb_error *error,
                               struct sb_observer **observer)
{
    return observer_open(NULL, n, deal, types, count, most, false, true, error, observer);
}

enum sb_status sb_observer_new_equal(const struct sb_multiset *multiset, size_t n, size_t deal,
                                     const struct sb_statistic_type *const types[], size_t count, size_t most,
                                     bool fine, struct sb_error *error, struct sb_observer **observer)
{
    return observer_open(multiset, n, deal, types, count, most, fine, true, error, observer);
}

enum sb_status sb_observer_new_of_cells(size_t n, const struct sb_statistic_type *const types[], size_t count,
                                        size_t most, struct sb_error *error, struct sb_observer **observer)
{
    return observer_open(NULL, n, n, types, count, most, false, false, error, observer);
}

void sb_observer_free(struct sb_observer *observer)
{
    if (!observer)
        return;
    for (size_t i = 0; i < observer->parts_count; i++)
        sb_observe_part_close(&observer->part[i], observer->forked);
    free(observer->part);
    free(observer->times);
    free(observer->code);
    free(observer);
}

/* Classifies a deal and adds it `times` times; not used if the observer counts deals. */
static inline void observe_deal(struct sb_observer *observer, const sb_item items[], uint64_t times)
{
    for (size_t i = 0; i < observer->parts_count; i++) {
        const struct sb_observe_part *const part = &observer->part[i];

        sb_observe_part_cells(part, items, part->cell);
        sb_observe_part_add(part, part->cell, times);
    }
}

/* Classifies deals one at a time, for one statistic. */
static void observe_part_deals(const struct sb_observe_part *part, const sb_item items[], size_t count)
{
    for (size_t d = 0; d < count; d++) {
        sb_observe_part_cells(part, items + d * part->deal, part->cell);
        sb_observe_part_add(part, part->cell, 1);
    }
}

/* Adds deals to the counts of codes. The loop computes two codes before it adds to a count, because the
 * compiler cannot know that the counts are not items. */
static void observe_coded(struct sb_observer *observer, const sb_item items[], size_t count)
{
    const size_t deal = observer->deal;
    uint64_t *const times = observer->times;

    for (; count >= 2; count -= 2, items += 2 * deal) {
        const size_t first = sb_deal_code(items), second = sb_deal_code(items + deal);

        times[first]++;
        times[second]++;
    }
    if (count > 0)
        times[sb_deal_code(items)]++;
}

/* Adds deals to the counts of deals. */
static void observe_few(struct sb_observer *observer, const sb_item items[], size_t count)
{
    const size_t n = observer->n, deal = observer->deal;

    if (observer->coded) {
        observe_coded(observer, items, count);
        return;
    }
    for (size_t d = 0; d < count; d++, items += deal)
        observer->times[sb_permutation_rank(n, deal, items)]++;
}

void sb_observer_add_rows(struct sb_observer *observer, const sb_item items[], struct sb_rows *rows)
{
    observer->total += rows->deals;
    if (observer->few)
        observe_few(observer, items, rows->deals);
    for (size_t i = 0; i < observer->parts_count && !observer->few; i++) {
        const struct sb_observe_part *const part = &observer->part[i];

        if (part->rows)
            sb_observe_part_add_rows(part, rows);
        else
            observe_part_deals(part, items, rows->deals);
    }
}

void sb_observer_add(struct sb_observer *observer, const sb_item items[], size_t count)
{
    const size_t n = observer->n, deal = observer->deal;
    struct sb_rows rows;

    if (observer->few) {
        observer->total += count;
        observe_few(observer, items, count);
        return;
    }
    for (size_t deals; count > 0; count -= deals, items += deals * deal) {
        deals = count < SB_ROWS_DEALS ? count : SB_ROWS_DEALS;
        if (deals >= OBSERVE_ROWS_LEAST && n <= SB_ROWS_ITEMS_MOST) {
            sb_rows_fill(n, deal, items, deals, &rows);
            sb_observer_add_rows(observer, items, &rows);
            continue;
        }
        observer->total += deals;
        for (size_t i = 0; i < observer->parts_count; i++)
            observe_part_deals(&observer->part[i], items, deals);
    }
}

void sb_observer_add_times(struct sb_observer *observer, const sb_item items[], uint64_t times)
{
    observer->total += times;
    if (observer->few)
        observer->times[observer->coded ? sb_deal_code(items)
                                        : sb_permutation_rank(observer->n, observer->deal, items)] += times;
    else
        observe_deal(observer, items, times);
}

void sb_observer_add_cells(struct sb_observer *observer, const uint32_t cell[])
{
    observer->total++;
    for (size_t i = 0; i < observer->parts_count; i++) {
        const struct sb_observe_part *const part = &observer->part[i];

        part->count[part->map ? part->map[cell[i]] : cell[i]]++;
    }
}

void sb_observer_add_cells_of(struct sb_observer *observer, const uint16_t *const cell[], size_t count)
{
    observer->total += count;
    for (size_t i = 0; i < observer->parts_count; i++) {
        const struct sb_observe_part *const part = &observer->part[i];

        for (size_t d = 0; d < count; d++)
            part->count[part->map ? part->map[cell[i][d]] : cell[i][d]]++;
    }
}

enum sb_status sb_observer_fork(const struct sb_observer *observer, struct sb_observer **forked)
{
    struct sb_observer *const made = calloc(1, sizeof *made);
    bool had = made;

    if (!had)
        return SB_NO_MEMORY;
    made->n = observer->n;
    made->deal = observer->deal;
    made->forked = true;
    made->part = calloc(observer->parts_count + 1, sizeof made->part[0]);
    for (; made->part && made->parts_count < observer->parts_count; made->parts_count++)
        had = sb_observe_part_fork(&observer->part[made->parts_count], &made->part[made->parts_count]) ==
                  SB_OK &&
              had;
    if (!had || !made->part) {
        sb_observer_free(made);
        return SB_NO_MEMORY;
    }
    *forked = made;
    return SB_OK;
}

void sb_observer_join(struct sb_observer *observer, const struct sb_observer *forked)
{
    observer->total += forked->total;
    for (size_t i = 0; i < observer->parts_count; i++) {
        const struct sb_observe_part *const part = &observer->part[i];

        for (size_t k = 0; k < part->members * part->cells; k++)
            part->count[k] += forked->part[i].count[k];
        if (part->small)
            sb_observe_part_refresh(part);
    }
}

void sb_observer_meet(struct sb_observer *observer, const struct sb_ranks *ranks)
{
    sb_ranks_sum(ranks, &observer->total, 1);
    for (size_t i = 0; i < observer->parts_count; i++)
        sb_ranks_sum(ranks, observer->part[i].count, observer->part[i].members * observer->part[i].cells);
}

void sb_observer_resume(struct sb_observer *observer, const struct sb_tally tally[])
{
    for (size_t i = 0; i < observer->parts_count; i++) {
        const struct sb_observe_part *const part = &observer->part[i];
        const uint32_t *const map = tally[i].cells == part->cells ? NULL : part->map;
        const uint64_t *count = tally[i].count;

        for (size_t member = 0; member < part->members; member++)
            for (size_t cell = 0; cell < tally[i].cells; cell++)
                part->count[member * part->cells + (map ? map[cell] : cell)] += *count++;
        if (part->small)
            sb_observe_part_refresh(part);
    }
    observer->total += observer->parts_count ? tally[0].total : 0;
}

/* Adds the counts of the deals since the last sb_observer_read() to the cells of the statistics. */
static void observe_settle(struct sb_observer *observer)
{
    uint64_t times[OBSERVE_FEW];

    for (size_t rank = 0; rank < observer->few; rank++) {
        uint64_t *const here = &observer->times[observer->code[rank]];

        times[rank] = *here;
        *here = 0;
    }
    for (size_t i = 0; i < observer->parts_count; i++)
        sb_observe_part_add_few(&observer->part[i], times);
}

void sb_observer_read(struct sb_observer *observer, struct sb_tally tally[])
{
    if (observer->few)
        observe_settle(observer);
    for (size_t i = 0; i < observer->parts_count; i++) {
        const struct sb_observe_part *const part = &observer->part[i];
        const uint8_t *const end = part->small ? part->small + part->members * part->cells : NULL;
        struct sb_window window = { 0 };

        if (!part->equal && part->type->window)
            window = part->type->window(part->n, part->deal);
        tally[i] = (struct sb_tally) {
            .statistic = part->type->name,
            .each = part->type->each,
            .number = part->equal ? !part->equal->label : !part->type->label,
            .below = window.below,
            .above = window.above,
            .low = window.low,
            .members = part->members,
            .cells = part->cells,
            .total = observer->total,
            .count = part->count,
            .small = end && !end[0] ? part->small : NULL,
            .small_most = end ? end[1] : 0,
            .ln_p = part->ln_p,
            .first = part->first,
            .last = part->last,
        };
    }
}
