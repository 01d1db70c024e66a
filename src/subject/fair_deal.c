/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deals from the law that a shuffle is meant to have, as a feed: the option `fair` of a request to deal. The law is
 *   listed        an order is looked up in the sums of the probabilities, by 53 random bits
 *   derangement   Fisher-Yates, again until no item is at its place: e times on average (P. R. de Montmort, 1708)
 *   cycle         Sattolo's algorithm
 *   fixed         Fisher-Yates of the items that have no fixed place
 *   weights       the items in the order of the keys -ln(u)/w, the smallest first: each next item is the least of
 *                 exponential variables with the rates w (P. S. Efraimidis and P. G. Spirakis,
 *                 doi:10.1016/j.ipl.2005.11.003)
 */
#include "core/core.h"

#include "sample/sample.h"
#include "statistic/statistic.h"
#include "subject/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fair_key {
    double key;
    sb_item item;
};

struct fair_feed {
    struct sb_feed feed; /* must be the first member, because callers have a pointer to this member */
    struct sb_fair *fair;
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_recipe recipe;
    struct sb_plain plain;
    double *sum;          /* [fair->orders] the probabilities up to each order; owned, like all arrays */
    struct fair_key *key; /* [n] scratch of weights */
    sb_item *items;       /* [n] the last order */
    sb_item *left;        /* [n] the items that have no fixed place */
};

static void fair_feed_free(struct sb_feed *self)
{
    struct fair_feed *const from = (struct fair_feed *)self;

    sb_plain_close(&from->plain);
    sb_shuffler_close(&from->shuffler);
    sb_fair_free(from->fair);
    free(from->sum);
    free(from->key);
    free(from->items);
    free(from->left);
    free(from);
}

/* A random number between 0 and 1, but neither. */
static double fair_random(struct fair_feed *from)
{
    return ((double)sb_draw_bits(&from->plain.src, 53) + 0.5) * 0x1p-53;
}

static void fair_next_listed(struct fair_feed *from)
{
    const struct sb_fair *const fair = from->fair;
    const double u = fair_random(from) * from->sum[fair->orders - 1];
    size_t low = 0, high = fair->orders - 1; /* the order is the first whose sum is above u */

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (from->sum[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    sb_fair_order(fair, sb_item_multiset(from->feed.names), low, from->items);
}

static int fair_compare_keys(const void *x, const void *y)
{
    const double a = ((const struct fair_key *)x)->key, b = ((const struct fair_key *)y)->key;

    return (a > b) - (a < b);
}

static void fair_next_weighted(struct fair_feed *from)
{
    const size_t n = from->fair->n;

    for (size_t i = 0; i < n; i++)
        from->key[i] = (struct fair_key) { -log(fair_random(from)) / from->fair->weight[i], (sb_item)i };
    qsort(from->key, n, sizeof from->key[0], fair_compare_keys);
    for (size_t i = 0; i < n; i++)
        from->items[i] = from->key[i].item;
}

static bool fair_stays(const struct fair_feed *from)
{
    for (size_t i = 0; from->fair->rule == SB_FAIR_DERANGEMENT && i < from->fair->n; i++)
        if (from->plain.deck.a[i] == i)
            return true;
    return false;
}

static enum sb_status fair_next_shuffled(struct fair_feed *from)
{
    const struct sb_fair *const fair = from->fair;
    const sb_item *next;
    enum sb_status status;

    do
        status = sb_plain_next(&from->plain);
    while (status == SB_OK && fair_stays(from));
    next = from->plain.deck.a;
    for (size_t i = 0; status == SB_OK && i < fair->n; i++)
        from->items[i] = fair->at && fair->at[i] < fair->n ? fair->at[i] : from->left[*next++];
    return status;
}

static enum sb_status fair_feed_next(struct sb_feed *self, size_t most, const sb_item **items, size_t *count,
                                     struct sb_error *error)
{
    struct fair_feed *const from = (struct fair_feed *)self;
    enum sb_status status = SB_OK;

    (void)most;
    if (from->fair->p)
        fair_next_listed(from);
    else if (from->fair->weight)
        fair_next_weighted(from);
    else
        status = fair_next_shuffled(from);
    status = status ? status : from->plain.src.status;
    *items = from->items;
    *count = 1;
    return status == SB_STOPPED ? sb_error_set(error, status, "%s: stopped", self->name)
           : status             ? sb_error_stuck(error, status, self->name, from->recipe.seed)
                                : SB_OK;
}

/* Lists the items that have no fixed place. Returns their number. */
static size_t fair_list_left(struct fair_feed *from)
{
    const struct sb_fair *const fair = from->fair;
    size_t left = 0;

    for (size_t item = 0; item < fair->n; item++) {
        bool fixed = false;

        for (size_t j = 0; fair->at && j < fair->n; j++)
            fixed = fixed || fair->at[j] == item;
        if (!fixed)
            from->left[left++] = (sb_item)item;
    }
    return left;
}

static enum sb_status fair_feed_open(struct fair_feed *from)
{
    const struct sb_fair *const fair = from->fair;
    struct sb_sum sum = { 0 };

    from->sum = calloc(fair->orders + 1, sizeof from->sum[0]);
    from->key = calloc(fair->n + 1, sizeof from->key[0]);
    from->items = calloc(fair->n + 1, sizeof from->items[0]);
    from->left = calloc(fair->n + 1, sizeof from->left[0]);
    if (!from->sum || !from->key || !from->items || !from->left)
        return SB_NO_MEMORY;
    for (size_t rank = 0; rank < fair->orders; rank++) {
        sb_sum_add(&sum, fair->p[rank]);
        from->sum[rank] = sb_sum_value(&sum);
    }
    const size_t left = fair_list_left(from);

    if (sb_shuffler_open(from->scheme.shuffle, left, left, &from->shuffler))
        return SB_NO_MEMORY;
    return sb_plain_open(&from->recipe, &from->plain);
}

enum sb_status sb_fair_feed(const struct sb_request *settled, struct sb_error *error, struct sb_feed **feed)
{
    struct fair_feed *const made = calloc(1, sizeof *made);
    const size_t n = settled->n;
    enum sb_status status;

    if (!made)
        return sb_error_memory(error, "the deals of a law");
    made->feed = (struct sb_feed) { .n = n, .deal = settled->deal, .next = fair_feed_next, .free = fair_feed_free };
    made->feed.name = strdup(settled->fair);
    made->recipe = (struct sb_recipe) {
        .shuffler = &made->shuffler,
        .draw = &made->scheme.draw,
        .rng = &made->scheme.rng,
        .seed = settled->seed,
        .stop = settled->stop,
    };
    status = settled->cards ? sb_item_names_new(settled->cards, error, &made->feed.names)
             : made->feed.name && sb_item_names_numbers(0, &made->feed.names) == SB_OK
                 ? SB_OK
                 : sb_error_memory(error, "the deals of a law");
    if (status == SB_OK && n == 0)
        status = sb_error_set(error, SB_INVALID, "`fair`: `n = 0` leaves nothing to deal: use items");
    if (status == SB_OK)
        status = sb_fair_new(settled->fair, settled, n, n, made->feed.names, error, &made->fair);
    if (status == SB_OK && made->fair->scheme)
        status = sb_error_set(error, SB_INVALID, "`fair = %s`: decks of a scheme need no law: name it without `fair`",
                              made->fair->scheme);
    if (status == SB_OK)
        status = sb_scheme_parse(!made->fair->p && made->fair->rule == SB_FAIR_CYCLE ? "sattolo" : "fisher-yates",
                                 settled->draw, settled->rng, error, &made->scheme);
    if (status == SB_OK && (status = fair_feed_open(made)))
        status = status == SB_NO_MEMORY ? sb_error_memory(error, "the deals of a law")
                                        : sb_error_set(error, status, "%s does not work with seed %llu: take another",
                                                       made->scheme.rng.name, (unsigned long long)settled->seed);
    if (status)
        sb_feed_free(&made->feed);
    else
        *feed = &made->feed;
    return status;
}
