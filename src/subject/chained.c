/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A feed of increments. Cost: the cost of core/permutation.c, and a copy. */
#include "subject/chained.h"
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

struct chained {
    struct sb_feed feed;
    struct sb_feed *inner;
    struct sb_increment step;
    sb_item *items; /* [max(CHAINED_ITEMS, n)]; the increments of a batch; owned */
};

enum { CHAINED_ITEMS = 1 << 14 }; /* the most items in a batch, unless a single permutation has more */

static enum sb_status chained_check(const struct sb_feed *inner, struct sb_error *error)
{
    if (inner->deal == inner->n)
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "`chained` needs whole permutations, not %zu of %zu: leave `deal` out, or start each "
                        "shuffle from the same order",
                        inner->deal, inner->n);
}

/* Takes the first permutation, which is only the start of the first increment. */
static enum sb_status chained_start(struct chained *self, const sb_item first[], struct sb_error *error)
{
    const size_t n = self->inner->n;
    enum sb_status status = chained_check(self->inner, error);

    if (status)
        return status;
    if (!self->items)
        self->items = calloc(n + CHAINED_ITEMS, sizeof self->items[0]);
    if (!self->items || sb_increment_open(n, &self->step))
        return sb_error_memory(error, "increments");
    sb_increment_take(&self->step, first);
    self->feed.n = self->feed.deal = n;
    return SB_OK;
}

static enum sb_status chained_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                   struct sb_error *error)
{
    struct chained *const self = (struct chained *)feed;
    const sb_item *now;
    size_t got = 0;
    enum sb_status status = SB_OK;

    if (!self->step.begun) {
        status = self->inner->next(self->inner, 1, &now, &got, error);
        if (status == SB_OK && got)
            status = chained_start(self, now, error);
        if (status || got == 0) {
            *count = 0;
            return status;
        }
    }
    const size_t fit = feed->n < CHAINED_ITEMS ? CHAINED_ITEMS / (feed->n + 1) + 1 : 1;
    status = self->inner->next(self->inner, most < fit ? most : fit, &now, &got, error);
    if (status)
        return status;
    for (size_t t = 0; t < got; t++) {
        sb_increment_take(&self->step, now + t * feed->n);
        memcpy(self->items + t * feed->n, self->step.items, feed->n * sizeof self->items[0]);
    }
    *items = self->items;
    *count = got;
    return SB_OK;
}

static enum sb_status chained_check_order(const struct sb_feed *feed, struct sb_error *error)
{
    return sb_feed_check_order(((const struct chained *)feed)->inner, error);
}

static void chained_free(struct sb_feed *feed)
{
    struct chained *const self = (struct chained *)feed;

    sb_feed_free(self->inner);
    sb_increment_close(&self->step);
    free(self->items);
    free(self);
}

enum sb_status sb_chained_new(struct sb_feed *inner, struct sb_error *error, struct sb_feed **feed)
{
    enum sb_status status = chained_check(inner, error);
    struct chained *const self = status ? NULL : calloc(1, sizeof *self);

    *feed = NULL;
    if (!self) {
        sb_feed_free(inner);
        return status ? status : sb_error_memory(error, "increments");
    }
    self->feed = (struct sb_feed) {
        .name = inner->name,
        .kind = inner->kind,
        .replays = inner->replays,
        .next = chained_next,
        .check_order = chained_check_order,
        .free = chained_free,
    };
    inner->name = NULL;
    self->inner = inner;
    *feed = &self->feed;
    return SB_OK;
}
