/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scheme whose generator is seeded again for each deck, like a program that seeds with the time of day.
 * Each single deck is as fair as the generator allows, but there are at most 2^bits different decks. Cost per
 * deck: a seeding and a shuffle.
 */
#include "subject/reseeded.h"

#include "core/core.h"
#include "sample/sample.h"

#include <stdlib.h>

struct reseeded {
    struct sb_feed feed; /* must be the first member, because callers have a pointer to this member */
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_recipe recipe;
    struct sb_plain plain;
    uint64_t state; /* state of the generator of seeds */
    unsigned bits;
};

/* Returns the next seed from SplitMix64, doi:10.1145/2714064.2660195. */
static uint64_t reseeded_seed(struct reseeded *self)
{
    uint64_t z = self->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) >> (64 - self->bits);
}

static enum sb_status reseeded_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                    struct sb_error *error)
{
    struct reseeded *const self = (struct reseeded *)feed;
    enum sb_status status = most ? sb_plain_reseed(&self->plain, reseeded_seed(self)) : SB_OK;

    if (status == SB_OK)
        status = sb_plain_next(&self->plain);
    if (status)
        return sb_error_set(error, status, "%s: no deck from a seed: take another generator",
                            self->scheme.name);
    *items = self->plain.deck.a;
    *count = 1;
    return SB_OK;
}

static void reseeded_free(struct sb_feed *feed)
{
    struct reseeded *const self = (struct reseeded *)feed;

    sb_plain_close(&self->plain);
    sb_shuffler_close(&self->shuffler);
    free(self);
}

enum sb_status sb_reseeded_new(const struct sb_dealt *dealt, unsigned bits, struct sb_error *error,
                               struct sb_feed **feed)
{
    struct reseeded *const made = calloc(1, sizeof *made);
    enum sb_status status;

    if (!made)
        return sb_error_memory(error, "the decks of a scheme");
    made->feed = (struct sb_feed) {
        .n = dealt->n,
        .deal = dealt->deal,
        .next = reseeded_next,
        .free = reseeded_free,
    };
    made->scheme = *dealt->scheme;
    made->state = dealt->seed * UINT64_C(0xd1342543de82ef95);
    made->bits = bits;
    made->recipe = (struct sb_recipe) {
        .shuffler = &made->shuffler,
        .draw = &made->scheme.draw,
        .rng = &made->scheme.rng,
        .stop = dealt->stop,
    };
    status = sb_shuffler_open(made->scheme.shuffle, dealt->n, dealt->deal, &made->shuffler);
    if (status == SB_OK)
        status = sb_plain_open(&made->recipe, &made->plain);
    if (status) {
        reseeded_free(&made->feed);
        if (status == SB_NO_MEMORY)
            return sb_error_memory(error, "the permutations of a scheme");
        return sb_error_set(error, status, "%s: cannot be seeded anew", dealt->scheme->name);
    }
    *feed = &made->feed;
    return SB_OK;
}
