/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks that are there again: a key for each at its place in the sample, sorted at the end. The number does
 * not depend on the order of the decks, so threads need not agree on one. Cost: a key and 16 bytes for each
 * deck that is compared, at most 256 MiB, and their sorting.
 */
#include "tally/again.h"

#include "tally/distinct_decks.h"

#include <math.h>
#include <stdlib.h>

struct sb_again {
    size_t n, k, most;
    struct sb_seeds_key *key; /* [most] by place in the sample; zeroes: not noted */
};

static size_t again_most(size_t n, size_t k, uint64_t total)
{
    const double few = pow((double)sb_deals(n, k), 0.75) / 2; /* 2^47 where there are more than can be said */
    const uint64_t most = few < SB_AGAIN_MOST ? (uint64_t)few : SB_AGAIN_MOST;

    return (size_t)(total < most ? total : most);
}

struct sb_again *sb_again_new(size_t n, size_t k, uint64_t total)
{
    struct sb_again *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    *made = (struct sb_again) { .n = n, .k = k, .most = again_most(n, k, total) };
    made->key = calloc(made->most + 1, sizeof made->key[0]);
    if (made->key)
        return made;
    free(made);
    return NULL;
}

void sb_again_free(struct sb_again *again)
{
    if (!again)
        return;
    free(again->key);
    free(again);
}

bool sb_again_wants(const struct sb_again *again, uint64_t first)
{
    return first < again->most;
}

void sb_again_note(struct sb_again *again, uint64_t first, const sb_item items[], size_t count)
{
    for (size_t i = 0; i < count && first + i < again->most; i++) {
        struct sb_seeds_key key = sb_seeds_key(again->n, again->k, items + i * again->k);

        key.low += !(key.high | key.low);
        again->key[first + i] = key;
    }
}

void sb_again_meet(struct sb_again *again, const struct sb_ranks *ranks)
{
    sb_ranks_sum(ranks, (uint64_t *)again->key, 2 * again->most); /* each key is the only one at its place */
}

void sb_again_count(struct sb_again *again, size_t threads, uint64_t *decks, uint64_t *repeats)
{
    uint64_t distinct, most;
    size_t noted = 0;

    for (size_t i = 0; i < again->most; i++)
        if (again->key[i].high | again->key[i].low)
            again->key[noted++] = again->key[i];
    sb_seeds_sort(again->key, noted, threads, &distinct, &most);
    *decks = noted;
    *repeats = noted - distinct;
    again->most = 0;
}
