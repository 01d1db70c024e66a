/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies of statistics. If only few distinct deals are possible, the observer counts how often each deal occurs, and
 * derives all statistics from these counts in sb_observer_read(). Otherwise the observer classifies each deal.
 *
 * The observer counts deals by the code of their first four items (deal_code.h) if this code identifies a deal, else by
 * rank.
 *
 * A batch of several deals of at most 64 items is classified side by side (statistic/rows).
 *
 * Cost if the observer counts deals: for each deal, computing its code or its rank; for each call of
 * sb_observer_read(), an addition for each distinct deal and each member. Cost otherwise: for each deal, a
 * classification and an addition for each member.
 */
#include "tally/tally.h"

#include "core/system.h"

enum {
    OBSERVE_ROWS_LEAST = 8, /* the fewest deals that are worth classifying side by side */
    /* the most distinct deals for which the observer counts deals; n items have at least n deals */
    OBSERVE_FEW = 720,
    OBSERVE_SMALL = 64, /* the fewest members whose counts are also kept as bytes */
    OBSERVE_AHEAD = 24, /* how many members ahead the memory of a count is requested */
    /* the most items for counting whole permutations, and for counting positions; more would have too many cells */
    OBSERVE_RANKED = 10,
    OBSERVE_PLACED = 8192,
};

static void part_values(const struct sb_observe_part *part, const sb_item a[], uint32_t cell[])
{
    if (part->equal)
        part->equal->classify(part->multiset, part->deal, a, cell);
    else
        part->type->classify(part->n, part->deal, a, cell);
}

static void part_cells(const struct sb_observe_part *part, const sb_item a[], uint32_t cell[])
{
    part_values(part, a, cell);
    for (size_t member = 0; part->map && member < part->members; member++)
        cell[member] = part->map[cell[member]];
}

/* Updates part->small, after any change of the counts but that of part_add(). */
static void part_refresh(const struct sb_observe_part *part)
{
    const size_t cells = part->members * part->cells;

    part->small[cells] = part->small[cells + 1] = 0;
    for (size_t i = 0; i < cells; i++) {
        part->small[i] = (uint8_t)part->count[i];
        part->small[cells] |= part->count[i] > UINT8_MAX;
        if (part->small[i] > part->small[cells + 1])
            part->small[cells + 1] = part->small[i];
    }
}

/* Adds a deal to part->count and to part->small. cell[] has the cell of each member. The counts of a thousand
 * members of a thousand cells are in no cache, so each is requested in advance. */
static inline void part_add_small(const struct sb_observe_part *part, const uint32_t cell[])
{
    const size_t members = part->members, cells = part->cells;
    uint64_t *const count = part->count;
    uint8_t *const small = part->small, *const end = small + members * cells, over = 0, most = end[1];

    for (size_t member = 0; member < members; member++) {
        const size_t at = member * cells + cell[member], next = member + OBSERVE_AHEAD;

        if (next < members)
            __builtin_prefetch(&count[next * cells + cell[next]], 1);
        count[at]++;
        const uint8_t now = ++small[at];

        over |= now == 0;
        most = now > most ? now : most;
    }
    end[0] |= over;
    end[1] = most;
}

static inline void part_add(const struct sb_observe_part *part, const uint32_t cell[], uint64_t times)
{
    uint64_t *row = part->count;

    if (part->small && times == 1) {
        part_add_small(part, cell);
        return;
    }
    for (size_t member = 0; member < part->members; member++, row += part->cells)
        row[cell[member]] += times;
    if (part->small)
        part_refresh(part);
}

static void part_add_rows(const struct sb_observe_part *part, const sb_item items[], uint64_t number,
                          struct sb_rows *rows)
{
    const size_t deals = rows->deals; /* not read again after each count */
    uint16_t cell[SB_ROWS_DEALS] = { 0 };

    if (part->rows->count) {
        part->rows->count(rows, part->count);
        return;
    }
    part->rows->cells(rows, cell);
    for (size_t d = 0; d < deals; d++)
        part->count[part->map ? part->map[cell[d]] : cell[d]]++;
    for (size_t d = 0; part->outlier && d < deals; d++)
        sb_outlier_note(part->outlier, cell[d], number + d, items + d * part->deal);
}

/* Sets part->rank and part->end: sorts the ranks of all distinct deals by their cells. */
static enum sb_status part_group(size_t few, struct sb_observe_part *part)
{
    const size_t members = part->members, cells = part->cells;
    uint32_t *const cell = calloc(few * members + 1, sizeof *cell);
    sb_item a[OBSERVE_FEW];

    part->few = few;
    part->rank = calloc(few * members + 1, sizeof part->rank[0]);
    part->end = calloc(members * cells + 1, sizeof part->end[0]);
    if (!cell || !part->rank || !part->end) {
        free(cell);
        return SB_NO_MEMORY;
    }
    for (size_t r = 0; r < few; r++) {
        sb_permutation_unrank(part->n, part->deal, r, a);
        part_cells(part, a, cell + r * members);
    }
    for (size_t member = 0; member < members; member++) {
        uint16_t *const rank = part->rank + member * few, *const end = part->end + member * cells;
        size_t placed = 0;

        for (size_t c = 0; c < cells; c++) {
            for (size_t r = 0; r < few; r++)
                if (cell[r * members + member] == c)
                    rank[placed++] = (uint16_t)r;
            end[c] = (uint16_t)placed;
        }
    }
    free(cell);
    return SB_OK;
}

static void part_add_few(const struct sb_observe_part *part, const uint64_t times[])
{
    for (size_t member = 0; member < part->members; member++) {
        const uint16_t *const rank = part->rank + member * part->few;
        const uint16_t *const end = part->end + member * part->cells;
        uint64_t *const count = part->count + member * part->cells;
        size_t i = 0;

        for (size_t c = 0; c < part->cells; c++) {
            uint64_t sum = 0;

            for (; i < end[c]; i++)
                sum += times[rank[i]];
            count[c] += sum;
        }
    }
}

/* Opens a statistic of deals of k out of n with all counts 0. `few` is the number of distinct deals if the observer
 * counts deals, else 0. The caller closes the part even after an error. */
static enum sb_status part_open(const struct sb_statistic_type *type, const struct sb_multiset *multiset,
                                const struct sb_fair *fair, size_t n, size_t k, size_t most, bool fine, size_t few,
                                struct sb_error *error, struct sb_observe_part *part)
{
    *part = (struct sb_observe_part) {
        .n = n,
        .deal = k,
        .type = type,
        .multiset = multiset,
        .equal = multiset ? type->equal : NULL,
        .members = sb_statistic_members(type, multiset, n, k),
        .cells = sb_statistic_cells(type, multiset, n, k),
    };
    if (part->cells == 0 || part->members > SB_MATRIX_MOST / part->cells)
        return sb_error_set(error, SB_TOO_LARGE,
                            "`n = %zu` is too large for the tallies of %s: use n <= %d, or a smaller `deal`", n,
                            type->name, type == &sb_statistic_rank ? OBSERVE_RANKED : OBSERVE_PLACED);
    if (sb_observe_law(fair, most, fine, most && !fair && !few, part))
        return sb_error_memory(error, "tallies");
    part->rows = part->equal ? NULL : sb_rows_find(type->name, n, k);
    if (part->rows && part->rows->count && part->map) /* this method would count unmerged cells */
        part->rows = NULL;
    part->count = sb_huge_pages_new(part->members * part->cells + 1, sizeof part->count[0]);
    part->cell = calloc(part->members + 1, sizeof part->cell[0]);
    if (fine && few == 0 && !part->rows && part->members >= OBSERVE_SMALL)
        part->small = calloc(part->members * part->cells + 2, 1); /* may be NULL, which only costs time */
    if (!part->count || !part->cell || (few && part_group(few, part)))
        return sb_error_memory(error, "tallies");
    return SB_OK;
}

/* Opens a part for an observer that does not count deals, with all counts 0, which borrows the law of `of`. */
static enum sb_status part_fork(const struct sb_observe_part *of, struct sb_observe_part *part)
{
    *part = *of;
    part->small = NULL;
    part->few = 0;
    part->rank = part->end = NULL;
    part->count = calloc(part->members * part->cells + 1, sizeof part->count[0]);
    part->cell = calloc(part->members + 1, sizeof part->cell[0]);
    part->outlier = NULL;
    return part->count && part->cell && (!of->outlier || sb_outlier_fork(of->outlier, &part->outlier) == SB_OK)
               ? SB_OK
               : SB_NO_MEMORY;
}

static void part_close(struct sb_observe_part *part, bool forked)
{
    sb_outlier_free(part->outlier);
    free(part->count);
    free(part->small);
    free(part->cell);
    free(part->rank);
    free(part->end);
    if (forked)
        return;
    free(part->ln_p);
    free(part->map);
    free(part->first);
}

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
static enum sb_status observer_open(const struct sb_multiset *multiset, const struct sb_fair *fair, size_t n,
                                    size_t deal, const struct sb_statistic_type *const types[], size_t count,
                                    size_t most, bool fine, bool few, struct sb_error *error,
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
        status = part_open(types[made->parts_count], multiset, fair, n, deal, most, fine, made->few, error,
                           &made->part[made->parts_count]);
    if (status) {
        sb_observer_free(made);
        return status == SB_NO_MEMORY ? sb_error_memory(error, "tallies") : status;
    }
    observe_encode(made);
    *observer = made;
    return SB_OK;
}

enum sb_status sb_observer_new(const struct sb_multiset *multiset, size_t n, size_t deal,
                               const struct sb_statistic_type *const types[], size_t count, size_t most, bool fine,
                               struct sb_error *error, struct sb_observer **observer)
{
    return observer_open(multiset, NULL, n, deal, types, count, most, fine, true, error, observer);
}

enum sb_status sb_observer_new_fair(const struct sb_fair *fair, const struct sb_multiset *multiset,
                                    const struct sb_statistic_type *const types[], size_t count, size_t most, bool fine,
                                    struct sb_error *error, struct sb_observer **observer)
{
    return observer_open(multiset, fair, fair->n, fair->deal, types, count, most, fine, true, error, observer);
}

enum sb_status sb_observer_new_of_cells(const struct sb_multiset *multiset, size_t n, size_t deal,
                                        const struct sb_statistic_type *const types[], size_t count, size_t most,
                                        struct sb_error *error, struct sb_observer **observer)
{
    const enum sb_status status =
        observer_open(multiset, NULL, n, n, types, count, most, false, false, error, observer);

    for (size_t i = 0; status == SB_OK && i < count; i++)
        if ((*observer)->part[i].outlier)
            (*observer)->part[i].outlier->deal = deal;
    return status;
}

void sb_observer_free(struct sb_observer *observer)
{
    if (!observer)
        return;
    for (size_t i = 0; i < observer->parts_count; i++)
        part_close(&observer->part[i], observer->forked);
    free(observer->part);
    free(observer->times);
    free(observer->code);
    free(observer);
}

static void observe_part_deals(const struct sb_observe_part *part, const sb_item items[], uint64_t number, size_t count)
{
    for (size_t d = 0; d < count && !part->outlier; d++) {
        part_cells(part, items + d * part->deal, part->cell);
        part_add(part, part->cell, 1);
    }
    for (size_t d = 0; part->outlier && d < count; d++, items += part->deal) {
        part_values(part, items, part->cell);
        sb_outlier_note(part->outlier, part->cell[0], number + d, items);
        part->count[part->map ? part->map[part->cell[0]] : part->cell[0]]++;
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

static void observe_rows(struct sb_observer *observer, const sb_item items[], uint64_t number, struct sb_rows *rows)
{
    for (size_t i = 0; i < observer->parts_count; i++) {
        const struct sb_observe_part *const part = &observer->part[i];

        if (part->rows)
            part_add_rows(part, items, number, rows);
        else
            observe_part_deals(part, items, number, rows->deals);
    }
}

void sb_observer_add(struct sb_observer *observer, const sb_item items[], size_t count)
{
    const size_t n = observer->n, deal = observer->deal;
    uint64_t number = observer->total + 1;
    struct sb_rows rows;

    observer->total += count;
    if (observer->few) {
        observe_few(observer, items, count);
        return;
    }
    for (size_t deals; count > 0; count -= deals, items += deals * deal, number += deals) {
        deals = count < SB_ROWS_DEALS ? count : SB_ROWS_DEALS;
        if (deals >= OBSERVE_ROWS_LEAST && n <= SB_ROWS_ITEMS_MOST) {
            sb_rows_fill(n, deal, items, deals, &rows);
            observe_rows(observer, items, number, &rows);
            continue;
        }
        for (size_t i = 0; i < observer->parts_count; i++)
            observe_part_deals(&observer->part[i], items, number, deals);
    }
}

void sb_observer_add_times(struct sb_observer *observer, const sb_item items[], uint64_t times)
{
    observer->total += times;
    if (observer->few)
        observer
            ->times[observer->coded ? sb_deal_code(items) : sb_permutation_rank(observer->n, observer->deal, items)] +=
            times;
    for (size_t i = 0; i < observer->parts_count && !observer->few; i++) {
        part_cells(&observer->part[i], items, observer->part[i].cell);
        part_add(&observer->part[i], observer->part[i].cell, times);
    }
}

void sb_observer_add_cells(struct sb_observer *observer, size_t statistic, const uint32_t cell[], size_t count,
                           uint64_t number, const sb_item items[])
{
    const struct sb_observe_part *const part = &observer->part[statistic];

    observer->total += statistic == 0 ? count : 0;
    for (size_t d = 0; d < count; d++)
        part->count[part->map ? part->map[cell[d]] : cell[d]]++;
    for (size_t d = 0; d < count && part->outlier; d++)
        sb_outlier_note(part->outlier, cell[d], number + d, items + d * part->outlier->deal);
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
        had = part_fork(&observer->part[made->parts_count], &made->part[made->parts_count]) == SB_OK && had;
    if (!had || !made->part) {
        sb_observer_free(made);
        return SB_NO_MEMORY;
    }
    *forked = made;
    return SB_OK;
}

void sb_observer_join_outliers(const struct sb_observer *observer, size_t lag, struct sb_outliers *outliers)
{
    for (size_t i = 0; i < observer->parts_count; i++) {
        if (observer->part[i].outlier)
            observer->part[i].outlier->lag = lag;
        sb_outliers_join(outliers, observer->part[i].outlier);
    }
}

enum sb_status sb_observer_seek(struct sb_observer *observer)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < observer->parts_count && status == SB_OK && !observer->few; i++)
        status = observer->part[i].ln_p ? sb_observe_seek(observer->part[i].ln_p, &observer->part[i]) : SB_OK;
    return status;
}

void sb_observer_join(struct sb_observer *observer, const struct sb_observer *forked)
{
    observer->total += forked->total;
    for (size_t i = 0; i < observer->parts_count; i++) {
        const struct sb_observe_part *const part = &observer->part[i];

        for (size_t k = 0; k < part->members * part->cells; k++)
            part->count[k] += forked->part[i].count[k];
        if (part->small)
            part_refresh(part);
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
            part_refresh(part);
    }
    observer->total += observer->parts_count ? tally[0].total : 0;
}

static void observe_settle(struct sb_observer *observer)
{
    uint64_t times[OBSERVE_FEW];

    for (size_t rank = 0; rank < observer->few; rank++) {
        uint64_t *const here = &observer->times[observer->code[rank]];

        times[rank] = *here;
        *here = 0;
    }
    for (size_t i = 0; i < observer->parts_count; i++)
        part_add_few(&observer->part[i], times);
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
            .separate = part->separate,
            .first = part->first,
            .last = part->last,
        };
    }
}
