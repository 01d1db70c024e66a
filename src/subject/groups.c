/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns lines whose groups have no order, sets and hands, into decks: the card at position j is the group of item j
 * (core/core.h). So all that is known of decks with equal cards holds for them. The items of a line are in the order of
 * their groups; the cards of a group are numbered in the order of the deck.
 *
 * If groups of one size have no order either, a Fisher-Yates shuffle of these groups names them anew in each line. If
 * all partitions are equally likely, all partitions with names then are, too. The seed is a hash of the lines before,
 * as in ties.c.
 */
#include "core/core.h"

#include "rng/rng.h"
#include "subject/parts.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS_ITEMS = 1 << 14 }; /* the most items in a batch, unless a single deck has more */

struct groups {
    struct sb_feed feed;
    struct sb_feed *inner; /* owned */
    struct sb_grouping grouping;
    struct sb_rng rng;
    struct sb_words *words; /* owned; NULL: groups keep their names */
    uint64_t history;       /* hash of all lines so far */
    sb_item *items;         /* [GROUPS_ITEMS + n] decks; owned */
    uint32_t *group;        /* [n] the group of each item of a line; owned */
    uint32_t *next;         /* [kinds] the next card of each group; owned */
    uint32_t *called;       /* [kinds] the name of each group in this line; owned */
};

extern const struct sb_rng_type sb_rng_philox;

/* Names the groups of one size at random. */
static void groups_call(struct groups *self, const sb_item line[])
{
    const struct sb_multiset *const deck = self->feed.names->multiset;

    for (size_t g = 0; g < deck->kinds; g++)
        self->called[g] = (uint32_t)g;
    if (!self->words)
        return;
    self->rng.type->reseed(self->words, self->history);
    for (size_t g = deck->groups; g-- > 1;) {
        size_t equal = 0, other = g;

        for (size_t h = 0; h <= g; h++)
            equal += sb_multiset_copies(deck, h) == sb_multiset_copies(deck, g);
        for (size_t left = (size_t)sb_words_below(self->words, equal) + 1, h = 0; h <= g && left; h++)
            if (sb_multiset_copies(deck, h) == sb_multiset_copies(deck, g)) {
                other = h;
                left--;
            }
        const uint32_t name = self->called[g];

        self->called[g] = self->called[other];
        self->called[other] = name;
    }
    self->history = sb_hash_add(self->history, line, self->inner->deal * sizeof line[0]);
}

static void groups_take(struct groups *self, const sb_item line[], sb_item deck[])
{
    const struct sb_multiset *const multiset = self->feed.names->multiset;
    const size_t n = multiset->n, deal = self->inner->deal;

    groups_call(self, line);
    for (size_t i = 0; deal < n && i < n; i++)
        self->group[i] = (uint32_t)multiset->groups;
    for (size_t j = 0; j < deal; j++)
        self->group[line[j]] = self->called[multiset->kind[j]];
    memcpy(self->next, multiset->begin, multiset->kinds * sizeof self->next[0]);
    for (size_t i = 0; i < n; i++)
        deck[i] = self->next[self->group[i]]++; /* the cards of a group are neighbours */
}

/* Makes the names when the first lines show those of the items. */
static enum sb_status groups_begin(struct groups *self, struct sb_error *error)
{
    const size_t n = self->inner->n;
    enum sb_status status =
        sb_grouping_names(&self->grouping, self->inner->names, n, self->inner->deal, error, &self->feed.names);

    if (status)
        return status;
    const size_t kinds = self->feed.names->multiset->kinds;

    self->feed.n = self->feed.deal = n;
    self->items = calloc(GROUPS_ITEMS + n, sizeof self->items[0]);
    self->group = calloc(n, sizeof self->group[0]);
    self->next = calloc(kinds, sizeof self->next[0]);
    self->called = calloc(kinds, sizeof self->called[0]);
    if (self->items && self->group && self->next && self->called &&
        (!self->grouping.unordered || sb_rng_open(&self->rng, 0, &self->words) == SB_OK))
        return SB_OK;
    return sb_error_memory(error, "a subject");
}

static enum sb_status groups_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                  struct sb_error *error)
{
    struct groups *const self = (struct groups *)feed;
    const size_t fit = GROUPS_ITEMS / (self->inner->n + 1) + 1;
    const sb_item *lines;
    enum sb_status status = self->inner->next(self->inner, most < fit ? most : fit, &lines, count, error);

    if (status || *count == 0)
        return status;
    if (!feed->names && (status = groups_begin(self, error)))
        return status;
    for (size_t t = 0; t < *count; t++)
        groups_take(self, lines + t * self->inner->deal, self->items + t * feed->n);
    *items = self->items;
    return SB_OK;
}

static void groups_position(const struct sb_feed *feed, struct sb_log_position *position)
{
    const struct groups *const self = (const struct groups *)feed;

    self->inner->position(self->inner, position);
}

static void groups_free(struct sb_feed *feed)
{
    struct groups *const self = (struct groups *)feed;

    sb_feed_free(self->inner);
    if (self->words)
        sb_rng_close(self->words);
    free(self->items);
    free(self->group);
    free(self->next);
    free(self->called);
    free(self);
}

enum sb_status sb_groups_new(struct sb_feed *inner, const struct sb_grouping *grouping, struct sb_error *error,
                             struct sb_feed **feed)
{
    struct groups *const self = calloc(1, sizeof *self);

    *feed = NULL;
    if (!self) {
        sb_feed_free(inner);
        return sb_error_memory(error, "a subject");
    }
    *self = (struct groups) {
        .feed = {
            .name = inner->name,
            .kind = inner->kind,
            .replays = inner->replays,
            .n = inner->n,
            .deal = inner->n,
            .next = groups_next,
            .position = inner->position ? groups_position : NULL,
            .free = groups_free,
        },
        .inner = inner,
        .grouping = *grouping,
        .rng = { .type = &sb_rng_philox, .name = sb_rng_philox.name, .largest = UINT64_MAX },
        .history = SB_HASH_EMPTY,
    };
    inner->name = NULL;
    if (inner->position) {
        struct sb_log_position position;

        inner->position(inner, &position);
        self->history = sb_hash_add(self->history, &position.offset, sizeof position.offset);
    }
    *feed = &self->feed;
    return SB_OK;
}

/* ---- kinds ---- */

/* A feed of the same deals under the names of kinds. The items stay different ones, so equal cards need no numbers. */

struct kinds {
    struct sb_feed feed;
    struct sb_feed *inner; /* owned */
};

static enum sb_status kinds_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                 struct sb_error *error)
{
    struct sb_feed *const inner = ((struct kinds *)feed)->inner;
    const enum sb_status status = inner->next(inner, most, items, count, error);

    feed->n = inner->n;
    feed->deal = inner->deal;
    return status;
}

static void kinds_position(const struct sb_feed *feed, struct sb_log_position *position)
{
    const struct sb_feed *const inner = ((const struct kinds *)feed)->inner;

    inner->position(inner, position);
}

static enum sb_status kinds_check_order(const struct sb_feed *feed, struct sb_error *error)
{
    return sb_feed_check_order(((const struct kinds *)feed)->inner, error);
}

static void kinds_free(struct sb_feed *feed)
{
    sb_feed_free(((struct kinds *)feed)->inner);
    free(feed);
}

enum sb_status sb_kinds_new(struct sb_feed *inner, const char *kinds, struct sb_error *error, struct sb_feed **feed)
{
    struct kinds *const self = calloc(1, sizeof *self);
    size_t n = 0;

    *feed = NULL;
    if (!self) {
        sb_feed_free(inner);
        return sb_error_memory(error, "a subject");
    }
    self->inner = inner;
    self->feed = (struct sb_feed) {
        .name = inner->name,
        .kind = inner->kind,
        .replays = inner->replays,
        .n = inner->n,
        .deal = inner->deal,
        .next = kinds_next,
        .position = inner->position ? kinds_position : NULL,
        .check_order = kinds_check_order,
        .free = kinds_free,
    };
    inner->name = NULL;
    const enum sb_status status = sb_kinds_names(kinds, &n, error, &self->feed.names);

    if (status)
        sb_feed_free(&self->feed);
    else
        *feed = &self->feed;
    return status;
}
