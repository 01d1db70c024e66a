/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scheme, or an intended law (further below), as a feed. Decks come in the blocks of sample/sample.c; each block has
 * its own range of the generator's counter. The feed shuffles a whole block at once if the scheme's decks can be
 * shuffled side by side; otherwise the feed shuffles deck by deck.
 *
 * Or the generator is seeded again for each deck, like a program that seeds with the time of day. Each single
 * deck is as fair as the generator allows, but there are at most 2^bits different decks. Cost per deck: a
 * seeding and a shuffle.
 */
#include "sample/sample.h"
#include "subject/subject.h"

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

/* Makes a feed of deals from the law settled->fair: the other options are those of sb_scheme_feed(), settled. The
 * caller frees the feed. The errors are those of sb_fair_new(). */
static enum sb_status fair_feed_new(const struct sb_request *settled, struct sb_error *error, struct sb_feed **feed)
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
        return fair_feed_new(&settled, error, feed);
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
