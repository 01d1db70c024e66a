/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers the equal items of each deal at random, by a Fisher-Yates shuffle of the items of each kind. The shuffle
 * starts from the order in which the previous deal left the items, since its result is uniform from any order.
 *
 * The seed of a deal is a hash of the arrangements before the deal. A fair shuffle's next arrangement is independent of
 * the arrangements before, and the seeds of different deals differ, so the numbers are independent of everything else.
 * A log that is read from a position on starts with a hash of this position.
 */
#include "core/core.h"

#include "rng/rng.h"
#include "subject/parts.h"

#include <stdlib.h>
#include <string.h>

struct ties {
    struct sb_feed_over over;
    struct sb_rng rng;
    struct sb_words *words; /* owned */
    uint64_t history;       /* hash of all arrangements so far */
    sb_item *items;         /* [n + n] a deal, and the items kind by kind; owned */
    uint32_t *used;         /* [kinds] how many items of each kind the deal has so far; owned */
};

extern const struct sb_rng_type sb_rng_philox;

static void ties_break(struct ties *self, const sb_item deal[])
{
    const struct sb_multiset *const multiset = self->over.feed.names->multiset;
    sb_item *const order = self->items + multiset->n;

    self->rng.type->reseed(self->words, self->history);
    memset(self->used, 0, multiset->kinds * sizeof self->used[0]);
    for (size_t j = 0; j < self->over.feed.deal; j++) {
        const uint32_t kind = multiset->kind[deal[j]];
        const size_t at = multiset->begin[kind] + self->used[kind]++, left = multiset->begin[kind + 1] - at;
        const size_t from = left > 1 ? at + (size_t)sb_words_below(self->words, left) : at;

        self->items[j] = order[from];
        order[from] = order[at];
        order[at] = self->items[j];
        self->history = sb_hash_add(self->history, &kind, sizeof kind);
    }
}

static enum sb_status ties_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                struct sb_error *error)
{
    struct ties *const self = (struct ties *)feed;
    const enum sb_status status = self->over.inner->next(self->over.inner, most ? 1 : 0, items, count, error);

    feed->n = self->over.inner->n;
    feed->deal = self->over.inner->deal;
    if (status || *count == 0)
        return status;
    ties_break(self, *items);
    *items = self->items;
    return SB_OK;
}

static void ties_free(struct sb_feed *feed)
{
    struct ties *const self = (struct ties *)feed;

    sb_feed_free(self->over.inner);
    if (self->words)
        sb_rng_close(self->words);
    free(self->items);
    free(self->used);
    free(self);
}

static void ties_take(struct ties *self, struct sb_feed *inner)
{
    sb_feed_over_begin(&self->over, inner, ties_next, ties_free);
    self->rng = (struct sb_rng) { .type = &sb_rng_philox, .name = sb_rng_philox.name, .largest = UINT64_MAX };
    self->history = sb_feed_over_hash(inner);
}

enum sb_status sb_ties_new(struct sb_feed *inner, struct sb_error *error, struct sb_feed **feed)
{
    const struct sb_multiset *const multiset = inner->names->multiset;
    struct ties *const self = calloc(1, sizeof *self);

    *feed = NULL;
    if (!self) {
        sb_feed_free(inner);
        return sb_error_memory(error, "a subject");
    }
    ties_take(self, inner);
    self->items = calloc(2 * multiset->n, sizeof self->items[0]);
    self->used = calloc(multiset->kinds, sizeof self->used[0]);
    if (!self->items || !self->used || sb_item_names_copy(inner->names, &self->over.feed.names) ||
        sb_rng_open(&self->rng, 0, &self->words)) {
        sb_feed_free(&self->over.feed);
        return sb_error_memory(error, "a subject");
    }
    memcpy(self->items + multiset->n, multiset->member, multiset->n * sizeof multiset->member[0]);
    *feed = &self->over.feed;
    return SB_OK;
}

/* ---- chained ---- */

/* A feed of increments. Cost: the cost of core/permutation.c, and a copy. */

struct chained {
    struct sb_feed_over over;
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

static enum sb_status chained_start(struct chained *self, const sb_item first[], struct sb_error *error)
{
    const size_t n = self->over.inner->n;
    enum sb_status status = chained_check(self->over.inner, error);

    if (status)
        return status;
    if (!self->items)
        self->items = calloc(n + CHAINED_ITEMS, sizeof self->items[0]);
    if (!self->items || sb_increment_open(n, &self->step))
        return sb_error_memory(error, "increments");
    sb_increment_take(&self->step, first);
    self->over.feed.n = self->over.feed.deal = n;
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
        status = self->over.inner->next(self->over.inner, 1, &now, &got, error);
        if (status == SB_OK && got)
            status = chained_start(self, now, error);
        if (status || got == 0) {
            *count = 0;
            return status;
        }
    }
    const size_t fit = feed->n < CHAINED_ITEMS ? CHAINED_ITEMS / (feed->n + 1) + 1 : 1;
    status = self->over.inner->next(self->over.inner, most < fit ? most : fit, &now, &got, error);
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

static void chained_free(struct sb_feed *feed)
{
    struct chained *const self = (struct chained *)feed;

    sb_feed_free(self->over.inner);
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
    sb_feed_over_begin(&self->over, inner, chained_next, chained_free);
    self->over.feed.n = self->over.feed.deal = 0; /* until the first increment */
    self->over.feed.position = NULL;              /* an increment needs the permutation before it */
    *feed = &self->over.feed;
    return SB_OK;
}
