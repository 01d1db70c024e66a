/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scheme as a feed. Decks come in the blocks of sample/sample.c; each block has its own range of the
 * generator's counter. The feed shuffles a whole block at once if the scheme's decks can be shuffled side by
 * side; otherwise the feed shuffles deck by deck.
 *
 * Or the generator is seeded again for each deck, like a program that seeds with the time of day. Each single
 * deck is as fair as the generator allows, but there are at most 2^bits different decks. Cost per deck: a
 * seeding and a shuffle.
 */
#include "core/core.h"

#include "sample/sample.h"
#include "subject/subject.h"

#include <stdlib.h>
#include <string.h>

enum { DEALT_ITEMS = 4096 }; /* items in a batch, if the feed shuffles deck by deck */

struct dealt_feed {
    struct sb_feed feed; /* must be the first member, because callers have a pointer to this member */
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_recipe recipe;
    size_t block;  /* number of decks in a block */
    uint64_t next; /* index of the next deck, from 0 */
    unsigned bits; /* bits of each deck's own seed; 0: all decks have the recipe's seed */
    uint64_t mix;  /* state of the generator of seeds */
    bool side_by_side;
    struct sb_lanes_program program;
    sb_item *items; /* [room * deal]; the current block if side_by_side, else the last batch; owned */
    size_t room;
    struct sb_plain plain;
};

static void dealt_free(struct sb_feed *self)
{
    struct dealt_feed *const dealt = (struct dealt_feed *)self;

    sb_plain_close(&dealt->plain);
    sb_shuffler_close(&dealt->shuffler);
    free(dealt->items);
    free(dealt);
}

static enum sb_status dealt_open(struct dealt_feed *dealt, const struct sb_dealt *from)
{
    const size_t few = from->bits ? 1 : DEALT_ITEMS / (from->deal + 1);

    dealt->block = sb_block_decks(from->n);
    if (sb_shuffler_open(dealt->scheme.shuffle, from->n, from->deal, &dealt->shuffler))
        return SB_NO_MEMORY;
    dealt->recipe = (struct sb_recipe) {
        .shuffler = &dealt->shuffler,
        .draw = &dealt->scheme.draw,
        .rng = &dealt->scheme.rng,
        .seed = from->bits ? 0 : from->seed,
        .stop = from->stop,
    };
    dealt->side_by_side = !from->bits && sb_sample_side_by_side(&dealt->recipe, &dealt->program);
    dealt->room = dealt->side_by_side ? dealt->block : few + !few;
    dealt->items = calloc(dealt->room * from->deal + 1, sizeof *dealt->items);
    if (!dealt->items)
        return SB_NO_MEMORY;
    return dealt->side_by_side ? SB_OK : sb_plain_open(&dealt->recipe, &dealt->plain);
}

/* Returns the next seed from SplitMix64, doi:10.1145/2714064.2660195. */
static uint64_t dealt_seed(struct dealt_feed *dealt)
{
    uint64_t z = dealt->mix += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) >> (64 - dealt->bits);
}

/* Shuffles `count` decks of one block, one by one. Sets *made to the number of finished decks, even after a failure. */
static enum sb_status dealt_shuffle(struct dealt_feed *dealt, size_t count, size_t *made)
{
    const size_t deal = dealt->shuffler.deal;
    enum sb_status status = SB_OK;

    if (dealt->next % dealt->block == 0 && !dealt->bits)
        sb_plain_seek(&dealt->plain, dealt->next / dealt->block);
    for (*made = 0; *made < count && status == SB_OK; *made += status == SB_OK) {
        if (dealt->bits)
            status = sb_plain_reseed(&dealt->plain, dealt_seed(dealt));
        if (status == SB_OK)
            status = sb_plain_next(&dealt->plain);
        memcpy(dealt->items + *made * deal, dealt->plain.deck.a, deal * sizeof *dealt->items);
    }
    return status;
}

static enum sb_status dealt_failed(const struct dealt_feed *dealt, enum sb_status status, struct sb_error *error)
{
    const char *const name = dealt->scheme.name;

    if (dealt->bits)
        return sb_error_set(error, status, "%s: no deck from a seed: take another generator", name);
    return status == SB_STOPPED ? sb_error_set(error, status, "%s: stopped", name)
                                : sb_error_stuck(error, status, name, dealt->recipe.seed);
}

static enum sb_status dealt_next(struct sb_feed *self, size_t most, const sb_item **items, size_t *count,
                                 struct sb_error *error)
{
    struct dealt_feed *const dealt = (struct dealt_feed *)self;
    const size_t place = (size_t)(dealt->next % dealt->block), left = dealt->block - place;
    const size_t wanted = left < most ? left : most;
    size_t made = wanted < dealt->room ? wanted : dealt->room;

    if (dealt->side_by_side) {
        if (place == 0)
            sb_lanes_best()->deal(&dealt->program, dealt->recipe.seed, dealt->next / dealt->block, dealt->block,
                                  dealt->items, NULL);
        *items = dealt->items + place * dealt->shuffler.deal;
    } else {
        const enum sb_status status = dealt_shuffle(dealt, made, &made);

        if (status && made == 0)
            return dealt_failed(dealt, status, error);
        *items = dealt->items;
    }
    dealt->next += made;
    *count = made;
    return SB_OK;
}

/* Skips to the start of a block. This costs nothing, because the generator's counter can be set. */
static uint64_t dealt_skip(struct sb_feed *self, uint64_t most)
{
    struct dealt_feed *const dealt = (struct dealt_feed *)self;
    const uint64_t to = (dealt->next + most) / dealt->block * dealt->block;
    const uint64_t passed = to > dealt->next ? to - dealt->next : 0;

    dealt->next += passed;
    return passed;
}

enum sb_status sb_dealt_new(const struct sb_dealt *dealt, struct sb_error *error, struct sb_feed **feed)
{
    struct dealt_feed *const made = calloc(1, sizeof *made);
    enum sb_status status;

    if (!made)
        return sb_error_memory(error, "the decks of a scheme");
    made->feed = (struct sb_feed) {
        .n = dealt->n,
        .deal = dealt->deal,
        .next = dealt_next,
        .free = dealt_free,
    };
    made->scheme = *dealt->scheme;
    made->bits = dealt->bits;
    made->mix = dealt->seed * UINT64_C(0xd1342543de82ef95);
    status = dealt_open(made, dealt);
    if (made->side_by_side || (made->scheme.rng.type->seek && !made->bits))
        made->feed.skip = dealt_skip;
    if (status == SB_NO_MEMORY)
        sb_error_memory(error, "the decks of a scheme");
    else if (status)
        sb_error_set(error, status, "%s does not work with seed %llu: take another", made->scheme.rng.name,
                     (unsigned long long)dealt->seed);
    if (status)
        dealt_free(&made->feed);
    else
        *feed = &made->feed;
    return status;
}

enum sb_status sb_scheme_feed(const char *text, const struct sb_request *options, struct sb_error *error,
                              struct sb_feed **feed)
{
    struct sb_request settled;
    struct sb_scheme scheme;
    enum sb_status status = sb_options_settle(options, error, &settled);

    if (status == SB_OK && settled.fair && text)
        return sb_error_set(error, SB_INVALID,
                            "`fair = %.60s` and %s: deals are of a law or of a scheme: leave one out", settled.fair,
                            text);
    if (status == SB_OK && settled.fair)
        return sb_fair_feed(&settled, error, feed);
    if (status == SB_OK)
        status = sb_scheme_parse(text, settled.draw, settled.rng, error, &scheme);
    if (status == SB_OK)
        status = sb_scheme_check(&scheme, settled.n, settled.deal, error);
    if (status)
        return status;
    const struct sb_dealt dealt = {
        .scheme = &scheme,
        .n = settled.n,
        .deal = settled.deal,
        .seed = settled.seed,
        .stop = settled.stop,
    };

    status = sb_dealt_new(&dealt, error, feed);
    if (status == SB_OK)
        (*feed)->name = strdup(scheme.name);
    if (status == SB_OK && settled.cards && options->of == SB_DEAL && !(*feed)->names)
        status = sb_item_names_new(settled.cards, error, &(*feed)->names);
    return status;
}
