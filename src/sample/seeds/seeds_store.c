/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stores the decks from many seeds, to count the different decks. With each method, the result does not
 * depend on the order of the decks.
 *
 * Cost for a deck, by method: its rank and an increment (counts), its rank and a change of a bit (bits), its
 * key and an entry in a list (keys), or its key and a change of a register (estimate).
 */
#include "sample/seeds/seeds_store.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the function `either` of struct sb_ranks takes store->bit as an array of plain words */
static_assert(sizeof(_Atomic uint64_t) == sizeof(uint64_t), "an atomic word is a plain one");

enum sb_status sb_seeds_store_open(size_t n, size_t deal, uint64_t decks, uint64_t room,
                                   struct sb_seeds_store *store)
{
    const uint64_t deals = sb_deals(n, deal);

    room = room < SIZE_MAX ? room : SIZE_MAX; /* so that the sizes below fit in a size_t */
    *store = (struct sb_seeds_store) { .n = n, .deal = deal, .cells = sb_cells(n, deal) };
    if (store->cells) {
        store->way = SB_SEEDS_COUNT;
        return SB_OK;
    }
    if (decks <= room / sizeof *store->key) {
        store->way = SB_SEEDS_SORT;
        store->key = malloc((size_t)decks * sizeof *store->key);
        return store->key ? SB_OK : SB_NO_MEMORY;
    }
    if (deals / 8 <= room) {
        store->way = SB_SEEDS_BITS;
        store->bit = calloc((size_t)(deals / 64) + 1, sizeof *store->bit);
        return store->bit ? SB_OK : SB_NO_MEMORY;
    }
    store->way = SB_SEEDS_SKETCH;
    store->sketch = calloc(SB_SKETCH_SIZE, 1);
    return store->sketch ? SB_OK : SB_NO_MEMORY;
}

void sb_seeds_store_close(struct sb_seeds_store *store)
{
    free(store->key);
    free(store->bit);
    free(store->sketch);
    *store = (struct sb_seeds_store) { 0 };
}

enum sb_status sb_seeds_notes_open(const struct sb_seeds_store *store, size_t block,
                                   struct sb_seeds_notes *notes)
{
    bool had = true;

    *notes = (struct sb_seeds_notes) { 0 };
    if (store->way == SB_SEEDS_COUNT)
        had = (notes->count = calloc(store->cells, sizeof *notes->count));
    else if (store->way == SB_SEEDS_SORT)
        had = (notes->key = calloc(block, sizeof *notes->key));
    else if (store->way == SB_SEEDS_SKETCH)
        had = (notes->sketch = calloc(SB_SKETCH_SIZE, 1));
    return had ? SB_OK : SB_NO_MEMORY;
}

void sb_seeds_notes_close(struct sb_seeds_notes *notes)
{
    free(notes->count);
    free(notes->key);
    free(notes->sketch);
    *notes = (struct sb_seeds_notes) { 0 };
}

void sb_seeds_see(struct sb_seeds_store *store, struct sb_seeds_notes *notes, const sb_item deck[])
{
    const size_t n = store->n, deal = store->deal;

    notes->seen++;
    if (store->way == SB_SEEDS_COUNT) {
        notes->count[sb_permutation_rank(n, deal, deck)]++;
    } else if (store->way == SB_SEEDS_SORT) {
        notes->key[notes->held++] = sb_deck_key(n, deal, deck);
    } else if (store->way == SB_SEEDS_SKETCH) {
        sb_sketch_add(notes->sketch, sb_deck_key(n, deal, deck));
    } else {
        const uint64_t rank = sb_permutation_rank(n, deal, deck);

        atomic_fetch_or(&store->bit[rank / 64], UINT64_C(1) << rank % 64);
    }
}

void sb_seeds_end_block(struct sb_seeds_store *store, struct sb_seeds_notes *notes)
{
    if (notes->held == 0)
        return;
    const uint64_t at = atomic_fetch_add(&store->keys, notes->held);
    memcpy(store->key + at, notes->key, notes->held * sizeof *notes->key);
    notes->held = 0;
}

void sb_seeds_collect(struct sb_seeds_store *store, const struct sb_seeds_notes *notes,
                      struct sb_evidence *evidence)
{
    evidence->total += notes->seen;
    for (size_t i = 0; notes->count && i < store->cells; i++)
        evidence->counts.u64[i] += notes->count[i];
    if (notes->sketch)
        sb_sketch_merge(store->sketch, notes->sketch);
}

void sb_seeds_meet(struct sb_seeds_store *store, const struct sb_ranks *ranks, struct sb_evidence *evidence)
{
    sb_ranks_sum(ranks, &evidence->total, 1);
    sb_ranks_sum(ranks, &evidence->reach->refused, 1);
    if (store->cells)
        sb_ranks_sum(ranks, evidence->counts.u64, store->cells);
    if (ranks && store->way == SB_SEEDS_SORT)
        store->keys = ranks->gather(ranks->state, store->key, (size_t)store->keys * sizeof *store->key) /
                      sizeof *store->key;
    if (ranks && store->way == SB_SEEDS_BITS)
        ranks->either(ranks->state, (uint64_t *)store->bit,
                      (size_t)(sb_deals(store->n, store->deal) / 64) + 1);
    if (ranks && store->way == SB_SEEDS_SKETCH)
        ranks->most(ranks->state, store->sketch, SB_SKETCH_SIZE);
}

void sb_seeds_settle_reach(struct sb_seeds_store *store, size_t threads, const struct sb_evidence *evidence)
{
    struct sb_reach *const reach = evidence->reach;
    const uint64_t deals = sb_deals(store->n, store->deal), *const count = evidence->counts.u64;

    reach->least = store->cells ? count[0] : 0;
    for (size_t i = 0; i < store->cells; i++) {
        reach->reached += count[i] > 0;
        reach->most = count[i] > reach->most ? count[i] : reach->most;
        reach->least = count[i] < reach->least ? count[i] : reach->least;
    }
    if (store->way == SB_SEEDS_SORT)
        sb_deck_key_count(store->key, (size_t)store->keys, threads, &reach->reached, &reach->most);
    for (uint64_t i = 0; store->way == SB_SEEDS_BITS && i <= deals / 64; i++)
        reach->reached += (uint64_t)__builtin_popcountll(store->bit[i]);
    if (store->way == SB_SEEDS_SKETCH) {
        const double estimate = nearbyint(sb_sketch_estimate(store->sketch));

        reach->reached = estimate < (double)evidence->total ? (uint64_t)estimate : evidence->total;
        reach->reached_error = sb_sketch_error();
    }
    reach->least_known =
        store->cells || evidence->total < deals || (reach->reached < deals && reach->reached_error == 0);
}
