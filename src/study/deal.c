/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decks one after another: the very ones that a report tallies for the same scheme, n and seed. */
#include "core/error.h"
#include "engine/sample.h"
#include "study/study.h"
#include "subject/scheme.h"

#include <stdlib.h>

struct sb_dealer {
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_recipe recipe;
    size_t block; /* decks in a block */
    uint64_t next;
    bool side_by_side;
    struct sb_lanes_program program;
    sb_item *items; /* [block * deal] of the block at hand, where decks are side by side; owned */
    struct sb_plain plain;
};

void sb_dealer_free(struct sb_dealer *dealer)
{
    if (!dealer)
        return;
    sb_plain_close(&dealer->plain);
    sb_shuffler_close(&dealer->shuffler);
    free(dealer->items);
    free(dealer);
}

static enum sb_status deal_open(struct sb_dealer *dealer, const struct sb_options *options)
{
    if (sb_shuffler_open(dealer->scheme.shuffle, options->n, options->deal, &dealer->shuffler))
        return SB_NO_MEMORY;
    dealer->recipe = (struct sb_recipe) {
        .shuffler = &dealer->shuffler,
        .draw = &dealer->scheme.draw,
        .rng = &dealer->scheme.rng,
        .seed = options->seed,
        .stop = options->stop,
    };
    dealer->block = sb_block_decks(options->n);
    dealer->side_by_side = sb_sample_side_by_side(&dealer->recipe, &dealer->program);
    if (!dealer->side_by_side)
        return sb_plain_open(&dealer->recipe, &dealer->plain);
    dealer->items = calloc(dealer->block * options->deal + 1, sizeof *dealer->items);
    return dealer->items ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_dealer_new(const char *scheme, const struct sb_options *options, struct sb_error *error,
                             struct sb_dealer **dealer)
{
    struct sb_options settled;
    struct sb_dealer *made;
    enum sb_status status = sb_options_settle(options, error, &settled);

    if (status)
        return status;
    made = calloc(1, sizeof *made);
    if (!made)
        return sb_error_memory(error, "a dealer");
    status = sb_scheme_parse(scheme, settled.draw, settled.rng, error, &made->scheme);
    if (status == SB_OK)
        status = sb_scheme_check(&made->scheme, settled.n, error);
    if (status == SB_OK)
        status = deal_open(made, &settled);
    if (status == SB_NO_MEMORY)
        sb_error_memory(error, "a dealer");
    else if (status && made->recipe.rng)
        sb_error_set(error, status, "%s does not work with seed %llu: take another", made->scheme.rng.name,
                     (unsigned long long)settled.seed);
    if (status)
        sb_dealer_free(made);
    else
        *dealer = made;
    return status;
}

enum sb_status sb_dealer_next(struct sb_dealer *dealer, const uint16_t **items)
{
    const uint64_t block = dealer->next / dealer->block;
    const size_t place = (size_t)(dealer->next % dealer->block);

    dealer->next++;
    if (dealer->side_by_side) {
        if (place == 0)
            sb_lanes_best()->deal(&dealer->program, dealer->recipe.seed, block, dealer->block, dealer->items);
        *items = dealer->items + place * dealer->shuffler.deal;
        return SB_OK;
    }
    if (place == 0)
        sb_plain_seek(&dealer->plain, block);
    const enum sb_status status = sb_plain_next(&dealer->plain);
    if (status == SB_OK)
        *items = dealer->plain.deck.a;
    return status;
}
