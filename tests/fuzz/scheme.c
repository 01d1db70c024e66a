/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of schemes: the decks of every scheme that is accepted are deals, and its name gives the same decks again. */
#include "fuzz/deals.h"

#include "subject/subject.h"

#include <stdio.h>

static struct outcome scheme_decks(const char *text, const struct sb_request *options, char name[])
{
    struct outcome outcome = { 0 };
    struct sb_scheme scheme;
    struct sb_feed *feed;

    if (sb_scheme_feed(text, options, &outcome.error, &scheme, &feed))
        return outcome;
    snprintf(name, SB_SCHEME_ROOM, "%s", scheme.name);
    const sb_item *items;

    if (feed->next(feed, 5, &items, &outcome.count, &outcome.error) == SB_OK) {
        outcome.n = feed->n;
        outcome.deal = feed->deal;
        outcome.items = malloc((outcome.count * feed->deal + 1) * sizeof outcome.items[0]);
        if (!outcome.items)
            abort();
        memcpy(outcome.items, items, outcome.count * feed->deal * sizeof items[0]);
    }
    sb_feed_free(feed);
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    struct sb_request options;
    char text[SB_SCHEME_ROOM], name[SB_SCHEME_ROOM] = "", same[SB_SCHEME_ROOM];

    sb_request_init(&options, SB_REPORT);
    options.n = fuzz_byte(&fuzz) % 20;
    options.deal = options.n ? fuzz_byte(&fuzz) % (options.n + 1) : 0;
    options.seed = fuzz_byte(&fuzz);
    struct outcome one = scheme_decks(fuzz_text(&fuzz, text, sizeof text), &options, name);

    if (name[0]) {
        struct outcome other = scheme_decks(name, &options, same);

        deals_check_same(&one, &other);
    } else {
        outcome_close(&one);
    }
    return 0;
}
