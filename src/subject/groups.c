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

const char *const sb_bridge_hands[] = { "North's hand", "East's hand", "South's hand", "West's hand" };

enum { GROUPS_ITEMS = 1 << 14 }; /* the most items in a batch, unless a single deck has more */

struct groups {
    struct sb_feed_over over;
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
    const struct sb_multiset *const deck = self->over.feed.names->multiset;

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
    self->history = sb_hash_add(self->history, line, self->over.inner->deal * sizeof line[0]);
}

static void groups_take(struct groups *self, const sb_item line[], sb_item deck[])
{
    const struct sb_multiset *const multiset = self->over.feed.names->multiset;
    const size_t n = multiset->n, deal = self->over.inner->deal;

    groups_call(self, line);
    for (size_t i = 0; deal < n && i < n; i++)
        self->group[i] = (uint32_t)multiset->groups;
    for (size_t j = 0; j < deal; j++)
        self->group[line[j]] = self->called[multiset->kind[j]];
    sb_groups_deck(multiset, self->group, self->next, deck);
}

/* Makes the names when the first lines show those of the items. */
static enum sb_status groups_begin(struct groups *self, struct sb_error *error)
{
    const size_t n = self->over.inner->n;

    self->grouping.seats = self->over.feed.seats = self->over.inner->seats;
    enum sb_status status = sb_grouping_names(&self->grouping, self->over.inner->names, n, self->over.inner->deal,
                                              error, &self->over.feed.names);

    if (status)
        return status;
    const size_t kinds = self->over.feed.names->multiset->kinds;

    self->over.feed.n = self->over.feed.deal = n;
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
    const size_t fit = GROUPS_ITEMS / (self->over.inner->n + 1) + 1;
    const sb_item *lines;
    enum sb_status status = self->over.inner->next(self->over.inner, most < fit ? most : fit, &lines, count, error);

    if (status || *count == 0)
        return status;
    if (!feed->names && (status = groups_begin(self, error)))
        return status;
    for (size_t t = 0; t < *count; t++)
        groups_take(self, lines + t * self->over.inner->deal, self->items + t * feed->n);
    *items = self->items;
    return SB_OK;
}

static void groups_free(struct sb_feed *feed)
{
    struct groups *const self = (struct groups *)feed;

    sb_feed_free(self->over.inner);
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
    sb_feed_over_begin(&self->over, inner, groups_next, groups_free);
    self->over.feed.deal = inner->n;
    self->over.feed.check_order = NULL; /* the order within a group says nothing */
    self->grouping = *grouping;
    self->rng = (struct sb_rng) { .type = &sb_rng_philox, .name = sb_rng_philox.name, .largest = UINT64_MAX };
    self->history = sb_feed_over_hash(inner);
    *feed = &self->over.feed;
    return SB_OK;
}

/* ---- kinds ---- */

/* A feed of the same deals under the names of kinds. The items stay different ones, so equal cards need no numbers. */

static enum sb_status kinds_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                 struct sb_error *error)
{
    struct sb_feed *const inner = ((struct sb_feed_over *)feed)->inner;
    const enum sb_status status = inner->next(inner, most, items, count, error);

    feed->n = inner->n;
    feed->deal = inner->deal;
    return status;
}

static void kinds_free(struct sb_feed *feed)
{
    sb_feed_free(((struct sb_feed_over *)feed)->inner);
    free(feed);
}

enum sb_status sb_kinds_new(struct sb_feed *inner, const char *kinds, struct sb_error *error, struct sb_feed **feed)
{
    struct sb_feed_over *const self = calloc(1, sizeof *self);
    size_t n = 0;

    *feed = NULL;
    if (!self) {
        sb_feed_free(inner);
        return sb_error_memory(error, "a subject");
    }
    sb_feed_over_begin(self, inner, kinds_next, kinds_free);
    const enum sb_status status = sb_kinds_names(kinds, &n, error, &self->feed.names);

    if (status)
        sb_feed_free(&self->feed);
    else
        *feed = &self->feed;
    return status;
}
