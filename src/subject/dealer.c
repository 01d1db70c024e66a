/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deals the decks of a scheme one by one, from the scheme's feed. */
#include "subject/dealer.h"

#include "core/core.h"
#include "subject/dealt.h"
#include "subject/options.h"

#include <stdlib.h>

struct sb_dealer {
    struct sb_feed *feed; /* owned */
};

void sb_dealer_free(struct sb_dealer *dealer)
{
    if (!dealer)
        return;
    sb_feed_free(dealer->feed);
    free(dealer);
}

enum sb_status sb_scheme_feed(const char *text, const struct sb_options *options, struct sb_error *error,
                              struct sb_scheme *scheme, struct sb_feed **feed)
{
    struct sb_options settled;
    enum sb_status status = sb_options_settle_dealt(options, error, &settled);

    if (status == SB_OK)
        status = sb_scheme_parse(text, settled.draw, settled.rng, error, scheme);
    if (status == SB_OK)
        status = sb_scheme_check(scheme, settled.n, settled.deal, error);
    if (status)
        return status;
    const struct sb_dealt dealt = {
        .scheme = scheme,
        .n = settled.n,
        .deal = settled.deal,
        .seed = settled.seed,
        .stop = settled.stop,
    };

    return sb_dealt_new(&dealt, error, feed);
}

enum sb_status sb_dealer_new(const char *scheme, const struct sb_options *options, struct sb_error *error,
                             struct sb_dealer **dealer)
{
    struct sb_dealer *const made = calloc(1, sizeof *made);
    struct sb_scheme parsed;

    if (!made)
        return sb_error_memory(error, "a dealer");
    const enum sb_status status = sb_scheme_feed(scheme, options, error, &parsed, &made->feed);
    if (status)
        sb_dealer_free(made);
    else
        *dealer = made;
    return status;
}

enum sb_status sb_dealer_next(struct sb_dealer *dealer, const uint32_t **items)
{
    const sb_item *deck = NULL;
    size_t count;
    const enum sb_status status = dealer->feed->next(dealer->feed, 1, &deck, &count, NULL);

    if (status == SB_OK)
        *items = deck;
    return status;
}
