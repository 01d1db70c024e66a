/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the steps X[t-L]^-1 X[t] at several lags L, without composing permutations. For up to five items,
 * the rank of the step is counted: a table of n!^2 bytes maps the ranks of both permutations to the rank of
 * the step. For more items, the counted statistics follow from the position P[i] of each item i in the old
 * and in the new permutation:
 *
 *   fixed points   the number of i with P_old[i] = P_new[i],                  up to 1000 items,
 *   displacement   the sum of |P_old[i] - P_new[i]|,                          up to  200 items,
 *   parity         odd if exactly one of the two permutations is odd,         from   201 items on.
 *
 * Of sets and hands (core/core.h), the number of items that are in the same group again is counted, and of deals of
 * fewer than n items the number of items that are dealt again.
 *
 * The law of the displacement changes strongly if successive permutations differ too little, and also for the
 * steps of the naive swap.
 *
 * Cost of a permutation of up to five items: a code, and two table look-ups for each lag. Cost of a
 * permutation of 6 to 1000 items: two writes for each item, and for each lag a pass over four rows, which
 * compilers vectorise. Additional cost of a permutation of more than 200 items: a pass that counts cycles.
 */

#include "core/system.h"
#include "tally/tally.h"

enum {
    LAGS_RANKED = 5, /* the most items for which the rank of a step is counted */
    /* the most items for which the law of the displacement is known, and its values fit in 16 bits */
    LAGS_FOOTRULE = 200,
    LAGS_PLACED = 1000, /* the most items for which the law of the fixed points is known */
    LAGS_RANKS = 120,   /* ranks of LAGS_RANKED items */
    LAGS_CHUNK = 1024,  /* number of permutations whose ranks are computed together */
    LAGS_BLOCK = 64,    /* the most permutations whose rows are filled together */
    LAGS_ROWS = SB_LAGS_FARTHEST + LAGS_BLOCK,
    LAGS_WIDTH = 32, /* rows are padded with zeroes to a multiple of a vector of AVX2 */
};

struct sb_lags {
    size_t n;
    size_t deal;
    const struct sb_multiset *groups; /* of sets, hands and deals; NULL: of permutations */
    struct sb_multiset *own;          /* the groups of deals: what is dealt, and what is not; owned; NULL: none */
    size_t begin, end;                /* the lags are 2^begin, ..., 2^(end-1) */
    bool only_next;                   /* only outliers are counted, of steps to the next permutation, without an end */
    size_t known;                     /* number of remembered permutations, at most SB_LAGS_FARTHEST */
    uint64_t taken[SB_LAGS];          /* number of counted steps at each lag */

    /* for up to five items */
    size_t ranks;     /* n!; 0 for more items */
    uint8_t *rank_of; /* [SB_DEAL_CODES] rank of the permutation with each code; owned */
    uint8_t *step;    /* [ranks^2] rank of the step from one rank to another; owned */
    /* ranks of the remembered permutations, followed by those of the current chunk */
    uint8_t recent[SB_LAGS_FARTHEST + LAGS_CHUNK];
    uint64_t count[SB_LAGS][LAGS_RANKS];

    /* for more items */
    size_t next; /* the row for the next permutation */
    bool bytes;  /* whether rows have bytes, for up to LAGS_FOOTRULE items */
    /* [LAGS_ROWS * width] rows of item positions or, of sets and hands, of the groups of items; owned; NULL: unused */
    uint16_t *place;
    uint8_t *byte_place;
    /* [LAGS_ROWS * width] rows of the item that follows each item, or the largest number; owned; NULL: unused */
    uint16_t *after;
    uint8_t *byte_after;
    sb_item last[LAGS_ROWS]; /* the last item */
    bool odd[LAGS_ROWS];
    size_t types; /* number of statistics of each lag, if ranks are not counted */
    /* owned; the first observer owns the laws, and the other observers borrow these laws */
    struct sb_observer *observer[SB_LAGS];
    /* how many items are followed by the same item again; owned, the first with the law, and NULL: not counted */
    struct sb_outlier *adjacent[SB_LAGS];
    uint64_t number; /* of the permutation, from 1 */
};

static const double lags_share = 0.01; /* share of alpha of all lags together */

static size_t lags_lag(size_t l)
{
    return (size_t)1 << l;
}

/* A code that identifies a permutation: a code of its first four items if there are four or five, and of its
 * first two items if there are fewer. */
static size_t lags_code(size_t n, const sb_item a[])
{
    return n < SB_DEAL_CODED ? a[0] * n + a[1] : sb_deal_code(a);
}

static enum sb_status lags_open_ranks(struct sb_lags *lags)
{
    const size_t n = lags->n, ranks = (size_t)sb_deals(n, n);
    sb_item a[LAGS_RANKED], b[LAGS_RANKED], place[LAGS_RANKED];

    lags->rank_of = calloc(SB_DEAL_CODES, sizeof lags->rank_of[0]);
    lags->step = calloc(ranks * ranks, sizeof lags->step[0]);
    if (!lags->rank_of || !lags->step)
        return SB_NO_MEMORY;
    lags->ranks = ranks;
    for (size_t from = 0; from < ranks; from++) {
        sb_permutation_unrank(n, n, from, a);
        lags->rank_of[lags_code(n, a)] = (uint8_t)from;
        for (size_t j = 0; j < n; j++)
            place[a[j]] = (sb_item)j;
        for (size_t to = 0; to < ranks; to++) {
            sb_permutation_unrank(n, n, to, b);
            for (size_t j = 0; j < n; j++)
                b[j] = place[b[j]];
            lags->step[from * ranks + to] = (uint8_t)sb_permutation_rank(n, n, b);
        }
    }
    return SB_OK;
}

static size_t lags_width(size_t n)
{
    return (n + LAGS_WIDTH - 1) / LAGS_WIDTH * LAGS_WIDTH;
}

/* Makes rows; owned by the caller. */
static enum sb_status lags_open_rows(const struct sb_lags *lags, uint16_t **row, uint8_t **bytes)
{
    const size_t cells = LAGS_ROWS * lags_width(lags->n);

    if (lags->bytes)
        *bytes = calloc(cells, sizeof **bytes);
    else
        *row = calloc(cells, sizeof **row);
    return *row || *bytes ? SB_OK : SB_NO_MEMORY;
}

/* Pairs of neighbours of the step from the old permutation are the items that the same item follows again. */
static enum sb_status lags_open_adjacent(struct sb_lags *lags)
{
    const size_t n = lags->n;
    double *const ln_p = calloc(n + 1, sizeof *ln_p);
    enum sb_status status = ln_p ? lags_open_rows(lags, &lags->after, &lags->byte_after) : SB_NO_MEMORY;

    if (status == SB_OK)
        sb_law_matches(n, true, ln_p);
    for (size_t l = lags->begin; l < SB_LAGS && status == SB_OK; l++) {
        const struct sb_outlier *const first = lags->adjacent[lags->begin];

        status = first ? sb_outlier_fork(first, &lags->adjacent[l])
                       : sb_outlier_new("adjacent", "how many items are followed by the same one again", ln_p, n, 0, n,
                                        &lags->adjacent[l]);
        if (!lags->adjacent[l])
            break;
        lags->adjacent[l]->lag = lags_lag(l);
    }
    free(ln_p);
    return status;
}

static enum sb_status lags_open_places(struct sb_error *error, struct sb_lags *lags)
{
    const size_t n = lags->n;
    const struct sb_statistic_type *type[SB_LAGS_STATISTICS];
    enum sb_status status = SB_OK;

    if (lags->groups) {
        type[lags->types++] = sb_statistic_find("overlap");
    } else {
        if (n <= LAGS_PLACED)
            type[lags->types++] = sb_statistic_find("fixed-points");
        type[lags->types++] = sb_statistic_find(n <= LAGS_FOOTRULE ? "displacement" : "parity");
    }
    lags->bytes = n <= LAGS_FOOTRULE && !lags->groups;
    if (n <= LAGS_PLACED || lags->groups)
        status = lags_open_rows(lags, &lags->place, &lags->byte_place);
    for (size_t l = lags->begin; l < SB_LAGS && status == SB_OK; l++)
        status = l == lags->begin ? sb_observer_new_of_cells(lags->groups, n, lags->deal, type, lags->types,
                                                             SB_LAGS_CELLS_MOST, error, &lags->observer[l])
                                  : sb_observer_fork(lags->observer[lags->begin], &lags->observer[l]);
    if (status == SB_OK && n <= LAGS_PLACED && !lags->groups)
        status = lags_open_adjacent(lags);
    return status;
}

static enum sb_status lags_open(const struct sb_multiset *multiset, bool first, struct sb_error *error,
                                struct sb_lags *lags)
{
    enum sb_status status = SB_OK;

    lags->begin = first ? 0 : 1;
    lags->end = SB_LAGS;
    lags->groups = multiset && multiset->groups ? multiset : NULL;
    if (!lags->groups && lags->deal < lags->n) {
        status = sb_groups_dealt(lags->n, lags->deal, false, &lags->own);
        lags->groups = lags->own;
    }
    if (status)
        return status;
    return lags->n <= LAGS_RANKED && !lags->groups ? lags_open_ranks(lags) : lags_open_places(error, lags);
}

enum sb_status sb_lags_new(const struct sb_multiset *multiset, size_t n, size_t deal, bool first,
                           struct sb_error *error, struct sb_lags **lags)
{
    struct sb_lags *made;
    enum sb_status status;

    *lags = NULL;
    if ((deal < n || (multiset && multiset->groups)) && !sb_overlap_known(multiset, n, deal))
        return SB_OK;
    made = calloc(1, sizeof *made);
    if (!made)
        return sb_error_memory(error, "tallies of steps");
    made->n = n;
    made->deal = deal;
    status = lags_open(multiset, first, error, made);
    if (status) {
        sb_lags_free(made);
        return status == SB_NO_MEMORY ? sb_error_memory(error, "tallies of steps") : status;
    }
    *lags = made;
    return SB_OK;
}

void sb_lags_free(struct sb_lags *lags)
{
    if (!lags)
        return;
    for (size_t l = SB_LAGS; l-- > 0;) /* frees the first observer last, because the others borrow its laws */
        sb_observer_free(lags->observer[l]);
    for (size_t l = SB_LAGS; l-- > 0;)
        sb_outlier_free(lags->adjacent[l]);
    free(lags->after);
    free(lags->byte_after);
    free(lags->byte_place);
    free(lags->rank_of);
    free(lags->step);
    free(lags->place);
    sb_multiset_free(lags->own);
    free(lags);
}

/* Counts, at each lag, the steps to the last `count` permutations whose ranks are in lags->recent. */
static void lags_count_ranks(struct sb_lags *lags, size_t count)
{
    const size_t ranks = lags->ranks;

    for (size_t l = lags->begin; l < SB_LAGS; l++) {
        const size_t lag = lags_lag(l), from = lags->known < lag ? lag - lags->known : 0;
        const uint8_t *const now = lags->recent + SB_LAGS_FARTHEST, *const old = now - lag;
        const uint64_t left = SB_LAGS_STEPS - lags->taken[l];
        size_t to = from < count ? count : from;

        if (to - from > left)
            to = from + (size_t)left;
        for (size_t i = from; i < to; i++)
            lags->count[l][lags->step[old[i] * ranks + now[i]]]++;
        lags->taken[l] += to - from;
    }
}

static void lags_add_ranks(struct sb_lags *lags, const sb_item items[], size_t count, bool counted)
{
    while (count) {
        const size_t chunk = count < LAGS_CHUNK ? count : LAGS_CHUNK;

        for (size_t i = 0; i < chunk; i++, items += lags->n)
            lags->recent[SB_LAGS_FARTHEST + i] = lags->rank_of[lags_code(lags->n, items)];
        if (counted)
            lags_count_ranks(lags, chunk);
        memmove(lags->recent, lags->recent + chunk, SB_LAGS_FARTHEST);
        lags->known = lags->known + chunk < SB_LAGS_FARTHEST ? lags->known + chunk : SB_LAGS_FARTHEST;
        count -= chunk;
    }
}

/* The number of items that are in the same group again; items that are not dealt do not count. */
static uint32_t lags_overlap(const struct sb_lags *lags, const uint16_t x[], const uint16_t y[])
{
    uint32_t same = 0;

    for (size_t i = 0; i < lags->n; i++)
        same += x[i] == y[i] && x[i] < lags->groups->groups;
    return same;
}

/* The number of elements that are the same in both rows. */
SB_VERSIONS static uint32_t lags_equal(size_t n, const uint16_t x[], const uint16_t y[])
{
    const size_t width = lags_width(n);
    uint16_t same = 0;

    for (size_t i = 0; i < width; i++)
        same = (uint16_t)(same + (x[i] == y[i]));
    return (uint32_t)(same - (width - n));
}

/* What is counted of the steps to the permutations of a block. */
struct lags_cells {
    uint32_t cell[SB_LAGS_STATISTICS][LAGS_BLOCK];
    uint32_t adjacent[LAGS_BLOCK]; /* how many items are followed by the same item again */
};

/* The fixed points, the displacement and the adjacent items of the steps to permutations from..end-1 of a block. */
SB_VERSIONS static void lags_find_bytes(const struct sb_lags *lags, size_t lag, size_t from, size_t end,
                                        struct lags_cells *found)
{
    const size_t width = lags_width(lags->n), padding = width - lags->n;

    for (size_t t = from; t < end; t++) {
        const size_t now = (lags->next + t) % LAGS_ROWS, old = (now + LAGS_ROWS - lag) % LAGS_ROWS;
        const uint8_t *const x = lags->byte_place + old * width, *const y = lags->byte_place + now * width;
        const uint8_t *const after = lags->byte_after + old * width, *const again = lags->byte_after + now * width;
        uint8_t points = 0, adjacent = 0;
        uint32_t total = 0;

        for (size_t i = 0; i < width; i++) {
            points = (uint8_t)(points + (x[i] == y[i]));
            adjacent = (uint8_t)(adjacent + (after[i] == again[i]));
            total += (uint32_t)abs(x[i] - y[i]);
        }
        found->cell[0][t] = (uint32_t)(points - padding);
        found->cell[1][t] = total;
        found->adjacent[t] = (uint32_t)(adjacent - padding - (lags->last[old] == lags->last[now]));
    }
}

/* The same for more items, without the displacement, and for sets, hands and deals. */
static void lags_find(const struct sb_lags *lags, size_t lag, size_t from, size_t end, struct lags_cells *found)
{
    const size_t n = lags->n, width = lags_width(n);

    for (size_t t = from; t < end; t++) {
        const size_t now = (lags->next + t) % LAGS_ROWS, old = (now + LAGS_ROWS - lag) % LAGS_ROWS;

        if (lags->groups)
            found->cell[0][t] = lags_overlap(lags, lags->place + old * width, lags->place + now * width);
        else if (lags->place)
            found->cell[0][t] = lags_equal(n, lags->place + old * width, lags->place + now * width);
        if (!lags->groups)
            found->cell[lags->types - 1][t] = lags->odd[old] != lags->odd[now];
        if (lags->after)
            found->adjacent[t] = lags_equal(n, lags->after + old * width, lags->after + now * width) -
                                 (lags->last[old] == lags->last[now]);
    }
}

/* Counts the steps to the next `count` permutations, whose rows have been filled. */
static void lags_count_places(struct sb_lags *lags, const sb_item items[], size_t count)
{
    struct lags_cells found = { .adjacent = { 0 } };

    for (size_t l = lags->begin; l < lags->end; l++) {
        const size_t lag = lags_lag(l), from = lags->known < lag ? lag - lags->known : 0;
        const uint64_t left = lags->only_next ? UINT64_MAX : SB_LAGS_STEPS - lags->taken[l];
        size_t end = from < count ? count : from;

        if (end - from > left)
            end = from + (size_t)left;
        if (from == end)
            continue;
        if (lags->bytes)
            lags_find_bytes(lags, lag, from, end, &found);
        else
            lags_find(lags, lag, from, end, &found);
        for (size_t i = 0; i < lags->types; i++)
            sb_observer_add_cells(lags->observer[l], i, found.cell[i] + from, end - from, lags->number + from + 1,
                                  items + from * lags->deal);
        for (size_t t = from; t < end && lags->adjacent[l]; t++)
            sb_outlier_note(lags->adjacent[l], found.adjacent[t], lags->number + t + 1, items + t * lags->deal);
        lags->taken[l] += end - from;
    }
    lags->number += count;
}

/* Writes the rows of a permutation: of positions, and of the items that follow. */
static void lags_fill_bytes(const struct sb_lags *lags, const sb_item items[], uint8_t place[], uint8_t after[])
{
    const size_t n = lags->n; /* not read again after each write of a byte */
    size_t item = items[0];

    for (size_t j = 0; j + 1 < n; j++) {
        const size_t next = items[j + 1];

        place[item] = (uint8_t)j;
        after[item] = (uint8_t)next;
        item = next;
    }
    place[item] = (uint8_t)(n - 1);
    after[item] = UINT8_MAX;
}

/* Writes the row of a permutation: the position or, of sets, hands and deals, the group of each item. */
static void lags_fill(const struct sb_lags *lags, const sb_item items[], uint16_t row[])
{
    if (lags->own) {
        for (size_t i = 0; i < lags->n; i++)
            row[i] = 1;
        for (size_t j = 0; j < lags->deal; j++)
            row[items[j]] = 0;
        return;
    }
    for (size_t j = 0; j < lags->n; j++)
        if (lags->groups)
            row[j] = (uint16_t)lags->groups->kind[items[j]];
        else
            row[items[j]] = (uint16_t)j;
}

static void lags_fill_after(const struct sb_lags *lags, const sb_item items[], uint16_t row[])
{
    for (size_t j = 0; j + 1 < lags->n; j++)
        row[items[j]] = (uint16_t)items[j + 1];
    row[items[lags->n - 1]] = UINT16_MAX;
}

static void lags_fill_rows(struct sb_lags *lags, const sb_item items[], size_t row)
{
    const size_t n = lags->n, width = lags_width(n);

    if (lags->bytes || lags->after)
        lags->last[row] = items[n - 1];
    if (lags->bytes)
        lags_fill_bytes(lags, items, lags->byte_place + row * width, lags->byte_after + row * width);
    if (lags->place)
        lags_fill(lags, items, lags->place + row * width);
    if (lags->after)
        lags_fill_after(lags, items, lags->after + row * width);
    if (n > LAGS_FOOTRULE && !lags->groups)
        lags->odd[row] = (n - sb_permutation_cycles(n, items)) % 2;
}

static void lags_add_places(struct sb_lags *lags, const sb_item items[], size_t count, bool counted)
{
    while (count) {
        const size_t block = count < LAGS_BLOCK ? count : LAGS_BLOCK;

        for (size_t t = 0; t < block; t++)
            lags_fill_rows(lags, items + t * lags->deal, (lags->next + t) % LAGS_ROWS);
        if (counted)
            lags_count_places(lags, items, block);
        lags->next = (lags->next + block) % LAGS_ROWS;
        lags->known = lags->known + block < SB_LAGS_FARTHEST ? lags->known + block : SB_LAGS_FARTHEST;
        items += block * lags->deal;
        count -= block;
    }
}

static bool lags_full(const struct sb_lags *lags)
{
    bool full = !lags->only_next;

    for (size_t l = lags->begin; l < SB_LAGS; l++)
        full = full && lags->taken[l] == SB_LAGS_STEPS;
    return full;
}

static void lags_take(struct sb_lags *lags, const sb_item items[], size_t count, bool counted)
{
    if (lags->ranks)
        lags_add_ranks(lags, items, count, counted);
    else
        lags_add_places(lags, items, count, counted);
}

void sb_lags_add(struct sb_lags *lags, const sb_item items[], size_t count)
{
    if (!lags_full(lags))
        lags_take(lags, items, count, true);
}

void sb_lags_remember(struct sb_lags *lags, const sb_item items[], size_t count)
{
    const size_t passed = count < SB_LAGS_FARTHEST ? 0 : count - SB_LAGS_FARTHEST;

    lags_take(lags, items + passed * lags->deal, count - passed, false);
}

size_t sb_lags_count(const struct sb_lags *lags)
{
    return lags->only_next ? 0 : (SB_LAGS - lags->begin) * (lags->ranks ? 1 : lags->types);
}

void sb_lags_read(struct sb_lags *lags, struct sb_tally tally[])
{
    for (size_t l = lags->begin; l < SB_LAGS && !lags->only_next; l++) {
        const size_t types = lags->ranks ? 1 : lags->types;

        if (lags->ranks)
            *tally = (struct sb_tally) {
                .statistic = sb_statistic_rank.name,
                .members = 1,
                .cells = lags->ranks,
                .total = lags->taken[l],
                .count = lags->count[l],
            };
        else
            sb_observer_read(lags->observer[l], tally);
        for (size_t i = 0; i < types; i++, tally++) {
            tally->lag = lags_lag(l);
            tally->dependence = true;
            tally->share = lags_share / (double)sb_lags_count(lags);
        }
    }
}

void sb_lags_resume(struct sb_lags *lags, const struct sb_tally tally[])
{
    for (size_t l = lags->begin; l < SB_LAGS && !lags->only_next; l++) {
        lags->taken[l] += tally->total;
        for (size_t rank = 0; rank < lags->ranks; rank++)
            lags->count[l][rank] += tally->count[rank];
        if (lags->ranks == 0)
            sb_observer_resume(lags->observer[l], tally);
        tally += lags->ranks ? 1 : lags->types;
    }
}

void sb_lags_join(struct sb_lags *lags, struct sb_outliers *outliers)
{
    for (size_t l = lags->begin; l < lags->end; l++) {
        if (lags->observer[l])
            sb_observer_join_outliers(lags->observer[l], lags_lag(l), outliers);
        sb_outliers_join(outliers, lags->adjacent[l]);
    }
}

void sb_lags_begin(struct sb_lags *lags, uint64_t before)
{
    lags->number = before;
}

void sb_lags_only_next(struct sb_lags *lags)
{
    lags->only_next = true;
    lags->end = 1;
}
