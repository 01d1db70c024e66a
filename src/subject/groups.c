/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feeds on top of other feeds: groups, ties and chained steps.
 *
 * Turns lines whose groups have no order, sets and hands, into decks: the card at position j is the group of item j
 * (core/core.h). So all that is known of decks with equal cards holds for them. The items of a line are in the order of
 * their groups; the cards of a group are numbered in the order of the deck.
 *
 * If groups of one size have no order either, a Fisher-Yates shuffle of these groups names them anew in each line. If
 * all partitions are equally likely, all partitions with names then are, too. The seed is a hash of the lines before,
 * as below.
 */
#include "subject/parts.h"

/* A feed on top of another one: it has that one's name, kind, position and check of the order. */
struct feed_over {
    struct sb_feed feed;
    struct sb_feed *inner; /* owned */
};

static void over_position(const struct sb_feed *feed, struct sb_log_position *position)
{
    const struct sb_feed *const inner = ((const struct feed_over *)feed)->inner;

    inner->position(inner, position);
}

static enum sb_status over_check_order(const struct sb_feed *feed, struct sb_error *error)
{
    return sb_feed_check_order(((const struct feed_over *)feed)->inner, error);
}

/* Begins a feed on top of `inner`, with the methods `next` and `free`, and takes ownership of `inner`. */
static void feed_over_begin(struct feed_over *over, struct sb_feed *inner,
                            enum sb_status (*next)(struct sb_feed *self, size_t most, const sb_item **items,
                                                   size_t *count, struct sb_error *error),
                            void (*free)(struct sb_feed *self))
{
    over->feed = (struct sb_feed) {
        .name = inner->name,
        .kind = inner->kind,
        .replays = inner->replays,
        .n = inner->n,
        .deal = inner->deal,
        .next = next,
        .position = inner->position ? over_position : NULL,
        .check_order = over_check_order,
        .free = free,
    };
    inner->name = NULL;
    over->inner = inner;
}

/* Returns a hash of the position from which `inner` is read. */
static uint64_t feed_over_hash(const struct sb_feed *inner)
{
    struct sb_log_position position;

    if (!inner->position)
        return SB_HASH_EMPTY;
    inner->position(inner, &position);
    return sb_hash_add(SB_HASH_EMPTY, &position.offset, sizeof position.offset);
}

const char *const sb_bridge_hands[] = { "North's hand", "East's hand", "South's hand", "West's hand" };

enum { GROUPS_ITEMS = 1 << 14 }; /* the most items in a batch, unless a single deck has more */

struct groups {
    struct feed_over over;
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
    feed_over_begin(&self->over, inner, groups_next, groups_free);
    self->over.feed.deal = inner->n;
    self->over.feed.check_order = NULL; /* the order within a group says nothing */
    self->grouping = *grouping;
    self->rng = (struct sb_rng) { .type = &sb_rng_philox, .name = sb_rng_philox.name, .largest = UINT64_MAX };
    self->history = feed_over_hash(inner);
    *feed = &self->over.feed;
    return SB_OK;
}

/* ---- kinds ---- */

/* A feed of the same deals under the names of kinds. The items stay different ones, so equal cards need no numbers. */

static enum sb_status kinds_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                 struct sb_error *error)
{
    struct sb_feed *const inner = ((struct feed_over *)feed)->inner;
    const enum sb_status status = inner->next(inner, most, items, count, error);

    feed->n = inner->n;
    feed->deal = inner->deal;
    return status;
}

static void kinds_free(struct sb_feed *feed)
{
    sb_feed_free(((struct feed_over *)feed)->inner);
    free(feed);
}

enum sb_status sb_kinds_new(struct sb_feed *inner, const char *kinds, struct sb_error *error, struct sb_feed **feed)
{
    struct feed_over *const self = calloc(1, sizeof *self);
    size_t n = 0;

    *feed = NULL;
    if (!self) {
        sb_feed_free(inner);
        return sb_error_memory(error, "a subject");
    }
    feed_over_begin(self, inner, kinds_next, kinds_free);
    const enum sb_status status = sb_kinds_names(kinds, &n, error, &self->feed.names);

    if (status)
        sb_feed_free(&self->feed);
    else
        *feed = &self->feed;
    return status;
}

/*
 * Numbers the equal items of each deal at random, by a Fisher-Yates shuffle of the items of each kind. The shuffle
 * starts from the order in which the previous deal left the items, since its result is uniform from any order.
 *
 * The seed of a deal is a hash of the arrangements before the deal. A fair shuffle's next arrangement is independent of
 * the arrangements before, and the seeds of different deals differ, so the numbers are independent of everything else.
 * A log that is read from a position on starts with a hash of this position.
 */

struct ties {
    struct feed_over over;
    struct sb_rng rng;
    struct sb_words *words; /* owned */
    uint64_t history;       /* hash of all arrangements so far */
    sb_item *items;         /* [n + n] a deal, and the items kind by kind; owned */
    uint32_t *used;         /* [kinds] how many items of each kind the deal has so far; owned */
};

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
    feed_over_begin(&self->over, inner, ties_next, ties_free);
    self->rng = (struct sb_rng) { .type = &sb_rng_philox, .name = sb_rng_philox.name, .largest = UINT64_MAX };
    self->history = feed_over_hash(inner);
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
    struct feed_over over;
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
    feed_over_begin(&self->over, inner, chained_next, chained_free);
    self->over.feed.n = self->over.feed.deal = 0; /* until the first increment */
    self->over.feed.position = NULL;              /* an increment needs the permutation before it */
    *feed = &self->over.feed;
    return SB_OK;
}
