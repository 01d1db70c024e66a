/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bets on the next item of a shuffle with weights (Plackett and Luce): given the items before, each item that is left
 * comes next with a probability proportional to its weight. So for any other law, the product of the ratios of the
 * conditional probabilities, over all positions of all permutations, is a martingale of mean 1 under the intended law.
 * The other laws are
 *
 *   an item's weight is wrong: it is multiplied by 1/2, 4/5, 5/4 or 2
 *   all weights are wrong: weight w is w^t, t = 0 (no weights), 1/2, 4/5, 5/4, 2 or -1 (upside down)
 *   the items are drawn from the last position to the first (of whole permutations)
 *
 * E is the average of all products. Half of the stake is on the items, and half on the other laws. If only the weight
 * of item i is multiplied by L, the ratio of a permutation is L times the product of R/(R + (L-1) w) over the positions
 * up to that of the item, where R is the sum of the weights that are left; if the item is not dealt, without the factor
 * L.
 *
 * Rounding, with u = 2^-53: a permutation adds at most n logarithms, or that of a product of 2 n roundings, and each
 * sum of positive terms has a relative error of n u. So it adds an error of at most (8 n^2 + |ln|) u, and the sum
 * rounds by u times itself. A product that underflows makes E smaller.
 *
 * Cost: 2 n^2 divisions for each permutation; 10 us for 52 items.
 *
 * Of a uniform order without equal neighbours, the other laws are those of programs that draw each next card from the
 * cards, or from the kinds of cards, that differ from the one before, and start again if there are none. Their
 * probabilities are divided by that of an end, which is a sum over all arrangements.
 *
 * R. D. Luce, Individual choice behavior, 1959; R. L. Plackett, The analysis of permutations, doi:10.2307/2346567.
 */
#include "tally/tally.h"

#include <float.h>

enum {
    WEIGHER_FACTORS = 4,
    WEIGHER_POWERS = 6,
    WEIGHER_LAWS = WEIGHER_POWERS + 1,
    WEIGHER_CONTEXT = SB_ITEM_ROOM + 32
};

static const double weigher_factor[WEIGHER_FACTORS] = { 0.5, 0.8, 1.25, 2 };
static const double weigher_power[WEIGHER_POWERS] = { 0, 0.5, 0.8, 1.25, 2, -1 };

/* What the items come as if: of each power, and of the last law. */
static const char *const weigher_says[WEIGHER_LAWS] = {
    "all weights were equal", "weights mattered less",         "weights mattered less",     "weights mattered more",
    "weights mattered more",  "small weights were the larger", "the last items came first",
};

/* The same of the laws of orders without equal neighbours. */
enum { WEIGHER_GREEDY = 2 };
static const char *const weigher_says_greedy[WEIGHER_GREEDY] = {
    "each next card was drawn from the cards that fit",
    "each next card was drawn from the kinds of cards that fit",
};

struct sb_weigher {
    const struct sb_fair *fair;               /* borrowed */
    size_t items, laws;                       /* numbers of bets on items and on other laws */
    const char *const *says;                  /* [laws] what the bets on other laws say; static */
    double ln_end[WEIGHER_GREEDY], ln_orders; /* of orders without equal neighbours; their number */
    uint32_t left[SB_ARRANGED_MOST];          /* scratch: how many cards of each kind are left */
    uint64_t total;
    double *rest;         /* [n] the sum of the weights that are left at each position */
    bool *dealt;          /* [n] scratch: which items are dealt; all false between deals */
    double *weight;       /* [WEIGHER_POWERS * n] the powers of the weights */
    double *ln_bet;       /* [n * WEIGHER_FACTORS + WEIGHER_LAWS] ln of the product of each bet */
    double largest, ln_e; /* the largest |ln_bet| so far; ln E */
    char context[WEIGHER_CONTEXT];
};

/* ln of the probability that a program draws this order, from the cards or, if `kinds`, from the kinds that fit. */
static double weigher_ln_greedy(struct sb_weigher *weigher, const sb_item a[], bool kinds)
{
    const struct sb_multiset *const multiset = weigher->fair->names->multiset;
    size_t last = multiset->kinds;
    double ln_p = 0;

    for (size_t kind = 0; kind < multiset->kinds; kind++)
        weigher->left[kind] = (uint32_t)sb_multiset_copies(multiset, kind);
    for (size_t j = 0; j < multiset->n; j++) {
        const size_t now = multiset->kind[a[j]];
        double ways = 0;

        for (size_t kind = 0; kind < multiset->kinds; kind++)
            ways += kind == last ? 0 : kinds ? weigher->left[kind] > 0 : weigher->left[kind];
        ln_p += log((kinds ? 1 : weigher->left[now]) / ways);
        weigher->left[now]--;
        last = now;
    }
    return ln_p;
}

/* Adds up the probabilities of all orders that are possible. */
static void weigher_find_ends(struct sb_weigher *weigher)
{
    const struct sb_fair *const fair = weigher->fair;
    double end[WEIGHER_GREEDY] = { 0 };
    sb_item a[SB_ARRANGED_MOST];

    for (size_t rank = 0; rank < fair->orders; rank++) {
        if (fair->p[rank] <= 0)
            continue;
        sb_multiset_unrank(fair->names->multiset, rank, a);
        for (size_t k = 0; k < WEIGHER_GREEDY; k++)
            end[k] += exp(weigher_ln_greedy(weigher, a, k == 1));
    }
    for (size_t k = 0; k < WEIGHER_GREEDY; k++)
        weigher->ln_end[k] = log(end[k]);
    weigher->ln_orders = log((double)sb_fair_orders(fair));
}

enum sb_status sb_weigher_new(const struct sb_fair *fair, struct sb_weigher **weigher)
{
    const size_t n = fair->n;
    struct sb_weigher *const made = calloc(1, sizeof *made);

    if (!made)
        return SB_NO_MEMORY;
    made->fair = fair;
    made->items = fair->weight ? n * WEIGHER_FACTORS : 0;
    made->says = fair->weight ? weigher_says : weigher_says_greedy;
    made->laws = fair->weight ? WEIGHER_LAWS : WEIGHER_GREEDY;
    made->rest = calloc(n, sizeof made->rest[0]);
    made->dealt = calloc(n, sizeof made->dealt[0]);
    made->weight = calloc(WEIGHER_POWERS * n, sizeof made->weight[0]);
    made->ln_bet = calloc(made->items + made->laws, sizeof made->ln_bet[0]);
    if (!made->rest || !made->dealt || !made->weight || !made->ln_bet) {
        sb_weigher_free(made);
        return SB_NO_MEMORY;
    }
    if (!fair->weight)
        weigher_find_ends(made);
    for (size_t k = 0; k < WEIGHER_POWERS && fair->weight; k++)
        for (size_t i = 0; i < n; i++)
            made->weight[k * n + i] = pow(fair->weight[i], weigher_power[k]);
    *weigher = made;
    return SB_OK;
}

void sb_weigher_free(struct sb_weigher *weigher)
{
    if (!weigher)
        return;
    free(weigher->rest);
    free(weigher->dealt);
    free(weigher->weight);
    free(weigher->ln_bet);
    free(weigher);
}

/* Sets rest[] to the sums of the weights of the items that are left before each position of a deal. */
static void weigher_left(struct sb_weigher *weigher, const double weight[], const sb_item a[])
{
    const size_t n = weigher->fair->n, deal = weigher->fair->deal;
    double rest = 0;

    for (size_t i = 0; i < n; i++)
        rest += weigher->dealt[i] ? 0 : weight[i];
    for (size_t j = deal; j-- > 0;)
        weigher->rest[j] = rest += weight[a[j]];
}

/* ln of the probability of a deal with these weights. */
static double weigher_ln_p(struct sb_weigher *weigher, const double weight[], const sb_item a[])
{
    double ln_p = 0;

    weigher_left(weigher, weight, a);
    for (size_t j = 0; j < weigher->fair->deal; j++)
        ln_p += log(weight[a[j]] / weigher->rest[j]);
    return ln_p;
}

/* ln of the probability of a permutation that is drawn from the last position to the first. */
static double weigher_ln_p_reversed(size_t n, const double weight[], const sb_item a[])
{
    double rest = 0, ln_p = 0;

    for (size_t j = 0; j < n; j++) {
        rest += weight[a[j]];
        ln_p += log(weight[a[j]] / rest);
    }
    return ln_p;
}

static void weigher_bet(struct sb_weigher *weigher, size_t bet, double ln_ratio)
{
    weigher->ln_bet[bet] += ln_ratio;
    if (isfinite(weigher->ln_bet[bet])) /* a bet may lose all */
        weigher->largest = fmax(weigher->largest, fabs(weigher->ln_bet[bet]));
}

/* Bets that the weight of an item is wrong, which is at position j, or not dealt if j is `deal`. */
static void weigher_bet_item(struct sb_weigher *weigher, size_t item, size_t j)
{
    const size_t deal = weigher->fair->deal, last = j < deal ? j + 1 : deal;

    for (size_t k = 0; k < WEIGHER_FACTORS; k++) {
        const double more = (weigher_factor[k] - 1) * weigher->fair->weight[item];
        double ratio = j < deal ? weigher_factor[k] : 1;

        for (size_t i = 0; i < last; i++)
            ratio *= weigher->rest[i] / (weigher->rest[i] + more);
        weigher_bet(weigher, item * WEIGHER_FACTORS + k, log(ratio));
    }
}

static void weigher_add(struct sb_weigher *weigher, const sb_item a[])
{
    const size_t n = weigher->fair->n, deal = weigher->fair->deal, items = n * WEIGHER_FACTORS;
    const double *const weight = weigher->fair->weight;

    for (size_t j = 0; j < deal; j++)
        weigher->dealt[a[j]] = true;
    const double ln_p = weigher_ln_p(weigher, weight, a);

    for (size_t j = 0; j < deal; j++)
        weigher_bet_item(weigher, a[j], j);
    for (size_t i = 0; i < n && deal < n; i++)
        if (!weigher->dealt[i])
            weigher_bet_item(weigher, i, deal);
    for (size_t k = 0; k < WEIGHER_POWERS; k++)
        weigher_bet(weigher, items + k, weigher_ln_p(weigher, weigher->weight + k * n, a) - ln_p);
    if (deal == n)
        weigher_bet(weigher, items + WEIGHER_POWERS, weigher_ln_p_reversed(n, weight, a) - ln_p);
    for (size_t j = 0; j < deal; j++)
        weigher->dealt[a[j]] = false;
}

/* An order that the law forbids decides the gate by itself. */
static void weigher_add_greedy(struct sb_weigher *weigher, const sb_item a[])
{
    const uint32_t *const kind = weigher->fair->names->multiset->kind;

    for (size_t j = 1; j < weigher->fair->n; j++)
        if (kind[a[j]] == kind[a[j - 1]])
            return;
    for (size_t k = 0; k < WEIGHER_GREEDY; k++)
        weigher_bet(weigher, k, weigher_ln_greedy(weigher, a, k == 1) - weigher->ln_end[k] + weigher->ln_orders);
}

void sb_weigher_add(struct sb_weigher *weigher, const sb_item items[], size_t count)
{
    const bool weights = weigher->fair->weight;

    for (size_t i = 0; i < count; i++)
        (weights ? weigher_add : weigher_add_greedy)(weigher, items + i * weigher->fair->deal);
    weigher->total += count;
}

static void weigher_say(struct sb_weigher *weigher, size_t best)
{
    char item[SB_ITEM_ROOM];

    if (best >= weigher->items)
        snprintf(weigher->context, sizeof weigher->context, "%s", weigher->says[best - weigher->items]);
    else
        snprintf(weigher->context, sizeof weigher->context, "the weight of %s was %s",
                 sb_item_words(weigher->fair->names, best / WEIGHER_FACTORS, item),
                 weigher_factor[best % WEIGHER_FACTORS] > 1 ? "larger" : "smaller");
}

struct sb_tally sb_weigher_read(struct sb_weigher *weigher)
{
    const size_t n = weigher->fair->n, bets = weigher->items + weigher->laws;
    const double u = DBL_EPSILON / 2, total = (double)weigher->total, part = weigher->items ? 0.5 : 1;
    size_t best = 0;
    double sum = 0;

    for (size_t i = 1; i < bets; i++)
        best = weigher->ln_bet[i] > weigher->ln_bet[best] ? i : best;
    for (size_t i = 0; i < bets; i++)
        sum += exp(weigher->ln_bet[i] - weigher->ln_bet[best]) * part /
               (double)(i < weigher->items ? weigher->items : weigher->laws);
    weigher->ln_e = weigher->ln_bet[best] + log(sum);
    weigher_say(weigher, best);
    return (struct sb_tally) {
        .statistic = "next-item",
        .members = 1,
        .total = weigher->total,
        .ln_e = &weigher->ln_e,
        .bets = bets,
        .ln_bet = weigher->ln_bet,
        .bet_error = u * (8 * (double)n * (double)n + (double)weigher->fair->orders),
        .bet_range = weigher->largest,
        .ln_e_error = u * (total * (8 * (double)n * (double)n + 2 * weigher->largest + (double)weigher->fair->orders) +
                           16 * (double)bets),
        .context = weigher->context,
    };
}

/*
 * Bets on which items are in the next set or hand, for the bettor (bettor.c).
 *
 * The items are taken in their order. Before item i, let m items be left, and m(g) places of group g for them. Given
 * the groups of the items before, a fair shuffle puts item i in group g with probability p(g) = m(g)/m, whatever the
 * lines before were. A wealth is multiplied by
 *
 *   r(g) / sum over h of p(h) r(h),    r(g) = N(g) n/s(g) + a,
 *
 * where the item came to group g, which is one of s(g) items. The mean of this factor is 1, so a wealth is an
 * e-process, as long as r depends only on what came before. N(g) is how often an item with the same key came to group g, and a is
 * a pseudo-count. The key is the item, the group of the next lower item, the group that the item had some lines ago, or
 * the item with that group.
 *
 * Rounding: let u = 2^-53. r has a relative error of 3u, the sum of G positive products one of (G + 4) u, and quotient
 * and product add 2u. So a line adds at most (G + 9) n u to the error of ln of a wealth.
 *
 * Cost: for each item and context, a sum over the G groups. Memory: 4 n G (G + 1) bytes for a context.
 */

enum {
    GROUPS_MOST = 8,
    LINES_MOST = 8, /* more than the lines that a context looks back */
    TOGETHER = 8,   /* factors between 2^-40 and 2^40 that are multiplied at once */
};

/* The group of the next lower item is the key if there is neither an item nor a line. */
static const struct bets_context {
    bool own;   /* whether the key contains the item */
    size_t ago; /* how many lines back to look up the item's group; 0: that is no part of the key */
    const char *name;
} bets_contexts[SB_BETTOR_CONTEXTS] = {
    { true, 0, "where each item was in the lines before" },
    { false, 0, "where the item before it is" },
    { false, 1, "the last line" },
    { true, 1, "where each item was in the last line" },
    { false, 2, "the second last line" },
    { true, 2, "where each item was in the second last line" },
    { false, 3, "the third last line" },
    { true, 3, "where each item was in the third last line" },
    { false, 5, "the fifth last line" },
    { true, 5, "where each item was in the fifth last line" },
    { false, 7, "the seventh last line" },
    { true, 7, "where each item was in the seventh last line" },
};

struct sb_group_bets {
    const struct sb_multiset *groups; /* borrowed */
    size_t n, count;                  /* numbers of items and of groups */
    double scale[GROUPS_MOST];        /* n/s(g) */
    uint64_t lines;
    uint8_t group[LINES_MOST][SB_BETTOR_MOST]; /* of each item in the latest lines */
    uint32_t *seen[SB_BETTOR_CONTEXTS];        /* [keys * count] N; part of `all` */
    size_t all_count;
    uint32_t *all; /* [all_count] owned */
};

static size_t bets_keys(const struct sb_group_bets *bets, const struct bets_context *context)
{
    return (context->own ? bets->n : 1) * (bets->count + 1);
}

bool sb_group_bets_can(const struct sb_multiset *multiset)
{
    return multiset->kinds <= GROUPS_MOST && multiset->n <= SB_BETTOR_MOST;
}

struct sb_group_bets *sb_group_bets_new(const struct sb_multiset *multiset)
{
    struct sb_group_bets *const made = calloc(1, sizeof *made);
    size_t used = 0;

    if (!made)
        return NULL;
    made->groups = multiset;
    made->n = multiset->n;
    made->count = multiset->kinds;
    for (size_t g = 0; g < made->count; g++)
        made->scale[g] = (double)made->n / (double)sb_multiset_copies(multiset, g);
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++)
        made->all_count += bets_keys(made, &bets_contexts[c]) * made->count;
    made->all = calloc(made->all_count, sizeof made->all[0]);
    if (!made->all) {
        free(made);
        return NULL;
    }
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++) {
        made->seen[c] = made->all + used;
        used += bets_keys(made, &bets_contexts[c]) * made->count;
    }
    return made;
}

void sb_group_bets_free(struct sb_group_bets *bets)
{
    if (!bets)
        return;
    free(bets->all);
    free(bets);
}

void sb_group_bets_forget(struct sb_group_bets *bets)
{
    memset(bets->all, 0, bets->all_count * sizeof bets->all[0]);
    bets->lines = 0;
}

const char *sb_group_bets_name(size_t context)
{
    return bets_contexts[context].name;
}

size_t sb_group_bets_ago(size_t context)
{
    return bets_contexts[context].ago;
}

double sb_group_bets_error(const struct sb_group_bets *bets)
{
    return ((double)bets->count + 9) * (double)bets->n;
}

/* Returns N of the item's key in a context. */
static uint32_t *bets_find(struct sb_group_bets *bets, size_t c, size_t item, const uint8_t now[])
{
    const struct bets_context *const context = &bets_contexts[c];
    const uint8_t *const before = bets->group[(bets->lines + LINES_MOST - context->ago) % LINES_MOST];
    size_t key = bets->count; /* nothing is known */

    if (context->ago)
        key = before[item];
    else if (!context->own && item > 0)
        key = now[item - 1];
    return bets->seen[c] + ((context->own ? item * (bets->count + 1) : 0) + key) * bets->count;
}

/* Bets on the line in one context, and learns from it. */
static void bets_play(struct sb_group_bets *bets, size_t c, const uint8_t now[], double part[], int64_t power[])
{
    const size_t n = bets->n, count = bets->count;
    double product[SB_BETTOR_PSEUDO], places[GROUPS_MOST];

    for (size_t g = 0; g < count; g++)
        places[g] = (double)sb_multiset_copies(bets->groups, g);
    for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++)
        product[a] = 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t *const seen = bets_find(bets, c, i, now);
        const double left = (double)(n - i), own = seen[now[i]] * bets->scale[now[i]];
        double mean = 0;

        for (size_t g = 0; g < count; g++)
            mean += places[g] / left * (seen[g] * bets->scale[g]);
        for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++)
            product[a] *= (own + sb_bettor_pseudo[a]) / (mean + sb_bettor_pseudo[a]);
        seen[now[i]]++;
        places[now[i]]--;
        for (size_t a = 0; a < SB_BETTOR_PSEUDO && (i + 1 == n || (i + 1) % TOGETHER == 0); a++) {
            int shift;

            part[a] = frexp(part[a] * product[a], &shift);
            power[a] += shift;
            product[a] = 1;
        }
    }
}

void sb_group_bets_add(struct sb_group_bets *bets, const sb_item deck[], double part[], int64_t power[])
{
    uint8_t *const now = bets->group[bets->lines % LINES_MOST];

    for (size_t i = 0; i < bets->n; i++)
        now[i] = (uint8_t)bets->groups->kind[deck[i]];
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++)
        if (bets->lines >= bets_contexts[c].ago)
            bets_play(bets, c, now, part + c * SB_BETTOR_PSEUDO, power + c * SB_BETTOR_PSEUDO);
    bets->lines++;
}
