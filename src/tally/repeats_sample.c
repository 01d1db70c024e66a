/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated decks of a sample: stores the key of each deck at the deck's index in the sample, and counts equal
 * keys at the end. The number of repeats does not depend on the order of the decks, so threads need no common
 * order. Cost for each compared deck: computing and counting its key, and 16 bytes of memory (256 MiB in all
 * at most).
 */
#include "tally/repeats.h"

#include <math.h>
#include <stdlib.h>

struct sb_repeats_sample {
    size_t n, k, most;
    struct sb_deck_key *key; /* [most] by index in the sample; zero: not noted */
};

static size_t sample_most(size_t n, size_t k, uint64_t total)
{
    const double few =
        pow((double)sb_deals(n, k), 0.75) / 2; /* 2^47 if the number of deals does not fit in 64 bits */
    const uint64_t most = few < SB_REPEATS_MOST ? (uint64_t)few : SB_REPEATS_MOST;

    return (size_t)(total < most ? total : most);
}

struct sb_repeats_sample *sb_repeats_sample_new(size_t n, size_t k, uint64_t total)
{
    struct sb_repeats_sample *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    *made = (struct sb_repeats_sample) { .n = n, .k = k, .most = sample_most(n, k, total) };
    made->key = calloc(made->most + 1, sizeof made->key[0]);
    if (made->key)
        return made;
    free(made);
    return NULL;
}

void sb_repeats_sample_free(struct sb_repeats_sample *repeats)
{
    if (!repeats)
        return;
    free(repeats->key);
    free(repeats);
}

bool sb_repeats_sample_wants(const struct sb_repeats_sample *repeats, uint64_t first)
{
    return first < repeats->most;
}

void sb_repeats_sample_note(struct sb_repeats_sample *repeats, uint64_t first, const sb_item items[],
                            size_t count)
{
    for (size_t i = 0; i < count && first + i < repeats->most; i++)
        repeats->key[first + i] = sb_repeats_key(repeats->n, repeats->k, items + i * repeats->k);
}

void sb_repeats_sample_meet(struct sb_repeats_sample *repeats, const struct sb_ranks *ranks)
{
    sb_ranks_sum(ranks, (uint64_t *)repeats->key,
                 2 * repeats->most); /* only one MPI rank has a key at each index */
}

void sb_repeats_sample_count(struct sb_repeats_sample *repeats, size_t threads, uint64_t *decks,
                             uint64_t *count)
{
    uint64_t distinct, most;
    size_t noted = 0;

    for (size_t i = 0; i < repeats->most; i++)
        if (repeats->key[i].high | repeats->key[i].low)
            repeats->key[noted++] = repeats->key[i];
    sb_deck_key_count(repeats->key, noted, threads, &distinct, &most);
    *decks = noted;
    *count = noted - distinct;
    repeats->most = 0;
}
