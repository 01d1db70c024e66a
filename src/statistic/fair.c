/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of statistics if not every order is meant to be equally likely.
 *
 * Of up to SB_FAIR_LISTED_MOST items, the intended law is a list of the probabilities of all orders. The law of a
 * statistic is then a sum over the orders: each adds its probability to the cell of each member. Items that look the
 * same are told apart at random, so each permutation that shows an arrangement has the same share of its probability.
 *
 * Cost: for each statistic, a classification of each order; 10 ms for 8 items.
 *
 * Of larger decks with equal items and few arrangements, the arrangements are listed instead, and only statistics of
 * arrangements have laws. Of more items, a file lists the orders that are possible; and of a scheme, the matrix of items
 * by positions is the law of `position`.
 *
 * Of more items, a few statistics have laws of their own, most of which need only the probability that given items are
 * at given positions: fair_at(). Let m items be given, and let N = n - m be left, of which h could still be at their
 * own places. Then
 *   cycle         the given steps must not close a cycle; each such set of steps is in (N-1)! of the (n-1)! cycles
 *   derangement   by inclusion and exclusion, N! share(N, h) ways are left of the n! share(n, n), where
 *                 share(N, h) = sum (-1)^i C(h, i) (N-i)!/N! is the share of the permutations of N items that leave
 *                 none of h items at its place
 *   fixed         as of a fair shuffle of the items that have no fixed place
 *   weights       the product of the weights, each divided by the sum of those that are left, for the first positions
 * Terms of share() fall like 1/i!, so that no digits are lost.
 *
 * R. Stanley, Enumerative Combinatorics 1, 2.2 and 2.3; R. D. Luce, Individual choice behavior, 1959; R. L. Plackett,
 * The analysis of permutations, doi:10.2307/2346567.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAIR_FOLLOW_MOST = 128 }; /* up to this n, the items that follow each item have a law */

/* share(N, h), as above. */
static double fair_share(size_t items, size_t home)
{
    double term = 1, sum = 0;

    for (size_t i = 0; i <= home && fabs(term) > 1e-18; i++) {
        sum += term;
        term *= -(double)(home - i) / ((double)(i + 1) * (double)(items - i));
    }
    return sum;
}

/* Returns the number of items of SB_FAIR_FIXED that have no fixed place and, if `home` is not NULL, sets *home to how
 * many of these could be at their own places. */
static size_t fair_free_items(const struct sb_fair *fair, size_t *home)
{
    const size_t n = fair->n;
    size_t free_items = n, homes = n;

    for (size_t j = 0; j < n; j++) {
        if (fair->at[j] == n)
            continue;
        free_items--;
        homes--;                             /* place j is taken */
        homes -= fair->at[fair->at[j]] == n; /* the item's own place is free, but the item is not */
    }
    if (home)
        *home = homes;
    return free_items;
}

/* Whether the steps from position at[i] to item[i] close a cycle. */
static bool fair_closes(size_t count, const size_t at[], const sb_item item[])
{
    for (size_t i = 0; i < count; i++) {
        size_t now = item[i];

        for (size_t steps = 0; steps < count; steps++) {
            size_t k = 0;

            if (now == at[i])
                return true;
            while (k < count && at[k] != now)
                k++;
            if (k == count)
                break;
            now = item[k];
        }
    }
    return false;
}

static double fair_at_derangement(size_t n, size_t count, const size_t at[], const sb_item item[])
{
    size_t home = n - 2 * count; /* less the items and the positions, of which some may be the same */
    double p = 1 / fair_share(n, n);

    for (size_t i = 0; i < count; i++) {
        if (at[i] == item[i])
            return 0;
        for (size_t k = 0; k < count; k++)
            home += at[i] == item[k];
        p /= (double)(n - i);
    }
    return p * fair_share(n - count, home);
}

static double fair_at_fixed(const struct sb_fair *fair, size_t count, const size_t at[], const sb_item item[])
{
    const size_t n = fair->n;
    size_t left = fair_free_items(fair, NULL);
    double p = 1;

    for (size_t i = 0; i < count; i++) {
        if (fair->at[at[i]] == item[i])
            continue;
        if (fair->at[at[i]] < n)
            return 0;
        for (size_t j = 0; j < n; j++)
            if (fair->at[j] == item[i])
                return 0;
        p /= (double)left--;
    }
    return p;
}

/* Sums are from the last item to the first, without differences, so that light items keep their digits beside heavy
 * ones. */
static double fair_at_weights(const struct sb_fair *fair, size_t count, const sb_item item[])
{
    double p = 1, rest = 0;

    for (size_t i = 0; i < fair->n; i++) {
        bool left = true;

        for (size_t k = 0; k < count; k++)
            left = left && item[k] != i;
        rest += left ? fair->weight[i] : 0;
    }
    for (size_t i = count; i-- > 0;) {
        rest += fair->weight[item[i]];
        p *= fair->weight[item[i]] / rest;
    }
    return p;
}

/* The probability that item[i] is at position at[i], for all i below `count`, which is below n; with weights, at[i]
 * must be i. All positions differ, and so do all items. */
static double fair_at(const struct sb_fair *fair, size_t count, const size_t at[], const sb_item item[])
{
    const size_t n = fair->n;
    double p = 1;

    if (fair->rule == SB_FAIR_DERANGEMENT)
        return fair_at_derangement(n, count, at, item);
    if (fair->rule == SB_FAIR_FIXED)
        return fair_at_fixed(fair, count, at, item);
    if (fair->rule == SB_FAIR_CYCLE) {
        for (size_t i = 1; i <= count; i++)
            p /= (double)(n - i);
        return fair_closes(count, at, item) ? 0 : p;
    }
    return fair_at_weights(fair, count, item);
}

/* A law of a statistic of many items: sets p[members * cells], which are 0 before. */
typedef void fair_law(const struct sb_fair *fair, double p[]);

static void fair_position(const struct sb_fair *fair, double p[])
{
    const size_t n = fair->n;

    for (sb_item item = 0; item < n; item++)
        for (size_t j = 0; j < n; j++)
            p[item * n + j] = fair_at(fair, 1, &j, &item);
}

static void fair_successor(const struct sb_fair *fair, double p[])
{
    const size_t n = fair->n, last = n - 1;

    for (sb_item item = 0; item < n; item++) {
        p[item * n + last] = fair_at(fair, 1, &last, &item);
        for (size_t cell = 0; cell < last; cell++)
            for (size_t j = 0; j < last; j++) {
                const sb_item pair[] = { item, (sb_item)((item + cell + 1) % n) };
                const size_t at[] = { j, j + 1 };

                p[item * n + cell] += fair_at(fair, 2, at, pair);
            }
    }
}

/* The law of the first few cards, by their rank. */
static void fair_first(const struct sb_fair *fair, size_t cards, double p[])
{
    const size_t n = fair->n, cells = (size_t)sb_deals(n, cards);
    size_t at[SB_FIRST_K_CARDS_MOST];
    sb_item item[SB_FIRST_K_CARDS_MOST];

    for (size_t i = 0; i < cards; i++)
        at[i] = i;
    for (size_t cell = 0; cell < cells; cell++) {
        sb_permutation_unrank(n, cards, cell, item);
        p[cell] = fair_at(fair, cards, at, item);
    }
}

static void fair_first_k(const struct sb_fair *fair, double p[])
{
    fair_first(fair, sb_first_k_cards(fair->n, fair->deal), p);
}

static void fair_rank(const struct sb_fair *fair, double p[])
{
    fair_first(fair, fair->deal, p);
}

/* Of N items of which h have a home, k are at home in C(h, k) (N-k)! share(N-k, h-k) ways. */
static void fair_fixed_points(const struct sb_fair *fair, double p[])
{
    size_t home = 0, certain = 0;
    double ways = 1;

    if (fair->rule != SB_FAIR_FIXED) {
        p[0] = 1;
        return;
    }
    const size_t items = fair_free_items(fair, &home);

    for (size_t j = 0; j < fair->n; j++)
        certain += fair->at[j] == j;
    for (size_t k = 0; k <= home; k++) {
        p[certain + k] = ways * fair_share(items - k, home - k);
        if (k < home)
            ways *= (double)(home - k) / ((double)(k + 1) * (double)(items - k));
    }
}

/* d(n, k) = (n-1) (d(n-1, k) + d(n-2, k-1)) derangements have k cycles: item n joins one, or makes one of two items. */
static void fair_cycles(const struct sb_fair *fair, double p[])
{
    const size_t n = fair->n;
    double one[SB_LAW_ITEMS_MOST + 1] = { 0 }, two[SB_LAW_ITEMS_MOST + 1] = { 1 }; /* d(m, k)/m! for m = 1 and m = 0 */

    if (fair->rule == SB_FAIR_CYCLE) {
        p[1] = 1;
        return;
    }
    for (size_t m = 2; m <= n; m++)
        for (size_t k = m / 2 + 1; k-- > 0;) {
            const double made = ((double)(m - 1) * one[k] + (k ? two[k - 1] : 0)) / (double)m;

            /* from the largest k down, two[k] is not needed any more */
            two[k] = one[k];
            one[k] = made;
        }
    for (size_t k = 1; k <= n / 2; k++) /* a value that underflows is still possible */
        p[k] = fmax(one[k] / fair_share(n, n), 1e-300);
}

/* (n-1)!/(n-L)! cycles of length L hold the first item; the others are deranged by themselves. */
static void fair_cycle_of_first(const struct sb_fair *fair, double p[])
{
    const size_t n = fair->n;

    for (size_t length = 2; length <= n; length++)
        p[length] = fair->rule == SB_FAIR_CYCLE ? length == n
                                                : fair_share(n - length, n - length) / fair_share(n, n) / (double)n;
}

/* There are (-1)^(n-1) (n-1) more even than odd derangements. */
static void fair_parity(const struct sb_fair *fair, double p[])
{
    const size_t n = fair->n;
    double more = 0;

    if (fair->rule == SB_FAIR_CYCLE)
        more = n % 2 ? 1 : -1;
    else if (fair->rule == SB_FAIR_DERANGEMENT)
        more = (n % 2 ? 1 : -1) * ((double)n - 1) / fair_share(n, n) / exp(sb_ln_gamma((double)n + 1));
    p[0] = 0.5 * (1 + more);
    p[1] = 0.5 * (1 - more);
}

enum { FAIR_UNIFORM = 1 << SB_FAIR_DERANGEMENT | 1 << SB_FAIR_CYCLE | 1 << SB_FAIR_FIXED };

static const struct fair_closed {
    const char *statistic;
    unsigned rules; /* a bit for each rule */
    size_t most;    /* the largest n */
    fair_law *law;
} fair_closed[] = {
    { "position", FAIR_UNIFORM, SB_LAW_ITEMS_MOST, fair_position },
    { "successor", FAIR_UNIFORM, FAIR_FOLLOW_MOST, fair_successor },
    { "fixed-points", FAIR_UNIFORM, SB_LAW_ITEMS_MOST, fair_fixed_points },
    { "cycles", FAIR_UNIFORM & ~(1U << SB_FAIR_FIXED), SB_LAW_ITEMS_MOST, fair_cycles },
    { "cycle-of-first", FAIR_UNIFORM & ~(1U << SB_FAIR_FIXED), SB_LAW_ITEMS_MOST, fair_cycle_of_first },
    { "parity", FAIR_UNIFORM, SB_LAW_ITEMS_MOST, fair_parity },
    { "first-k", FAIR_UNIFORM | 1 << SB_FAIR_WEIGHTS, SB_LAW_ITEMS_MOST, fair_first_k },
    { "rank", 1 << SB_FAIR_WEIGHTS, SB_LAW_ITEMS_MOST, fair_rank },
};

static const struct fair_closed *fair_closed_of(const struct sb_fair *fair, const struct sb_statistic_type *type)
{
    for (size_t i = 0; i < sizeof fair_closed / sizeof fair_closed[0]; i++)
        if (strcmp(fair_closed[i].statistic, type->name) == 0 && fair_closed[i].rules >> fair->rule & 1 &&
            fair->n <= fair_closed[i].most)
            return &fair_closed[i];
    return NULL;
}

bool sb_fair_knows(const struct sb_fair *fair, const struct sb_statistic_type *type)
{
    if (fair->counted)
        return false;
    if (fair->position)
        return type == &sb_statistic_position;
    if (fair->order)
        return type != &sb_statistic_rank; /* of nine items, 362,880 cells for a few orders */
    return fair->p ? !fair->arranged || type->equal : fair_closed_of(fair, type) != NULL;
}

bool sb_fair_many(const struct sb_fair *fair)
{
    const unsigned rules = 1U << SB_FAIR_WEIGHTS | (fair->deal == fair->n ? FAIR_UNIFORM : 0);

    return fair->n <= SB_LAW_ITEMS_MOST && (rules >> fair->rule & 1 || fair->order || fair->scheme);
}

double sb_fair_ln_orders(const struct sb_fair *fair)
{
    const double n = (double)fair->n;

    switch (fair->rule) {
    case SB_FAIR_DERANGEMENT:
        return sb_ln_gamma(n + 1) + log(fair_share(fair->n, fair->n));
    case SB_FAIR_CYCLE:
        return sb_ln_gamma(n);
    case SB_FAIR_FIXED:
        return sb_ln_gamma((double)fair_free_items(fair, NULL) + 1);
    default:
        return 0;
    }
}

size_t sb_fair_orders(const struct sb_fair *fair)
{
    size_t orders = 0;

    for (size_t rank = 0; rank < fair->orders; rank++)
        orders += fair->p[rank] > 0;
    return orders;
}

bool sb_fair_repeats(const struct sb_fair *fair)
{
    return fair->deal == fair->n && fair->rule != SB_FAIR_APART && sb_fair_ln_orders(fair) > 16 * log(2);
}

/* Sets ln_p[] to the logarithms of sums. */
static void fair_logarithms(const struct sb_sum sum[], size_t count, double ln_p[])
{
    for (size_t i = 0; i < count; i++) {
        const double p = sb_sum_value(&sum[i]);

        ln_p[i] = p > 0 ? log(p) : -HUGE_VAL;
    }
}

void sb_fair_order(const struct sb_fair *fair, const struct sb_multiset *multiset, size_t index, sb_item a[])
{
    if (fair->order)
        memcpy(a, fair->order + index * fair->n, fair->n * sizeof a[0]);
    else if (fair->arranged)
        sb_multiset_unrank(multiset, index, a);
    else
        sb_permutation_unrank(fair->n, fair->n, index, a);
}

/* The law of `position` from the matrix of a scheme: of a deal, the last cell is "not dealt". */
static void fair_matrix(const struct sb_fair *fair, size_t cells, double p[])
{
    for (size_t item = 0; item < fair->n; item++) {
        double rest = 0;

        for (size_t j = 0; j < fair->n; j++) {
            if (j < fair->deal)
                p[item * cells + j] = fair->position[item * fair->n + j];
            else
                rest += fair->position[item * fair->n + j];
        }
        if (cells > fair->deal)
            p[item * cells + fair->deal] = rest;
    }
}

enum sb_status sb_fair_null_law(const struct sb_fair *fair, const struct sb_statistic_type *type,
                                const struct sb_multiset *multiset, double ln_p[])
{
    const struct sb_statistic_equal *const equal = multiset ? type->equal : NULL;
    const size_t n = fair->n;
    const size_t members = sb_statistic_members(type, multiset, n, fair->deal);
    const size_t cells = sb_statistic_cells(type, multiset, n, fair->deal);

    if (!fair->p) {
        for (size_t i = 0; i < members * cells; i++)
            ln_p[i] = 0;
        if (fair->position)
            fair_matrix(fair, cells, ln_p);
        else
            fair_closed_of(fair, type)->law(fair, ln_p);
        for (size_t i = 0; i < members * cells; i++)
            ln_p[i] = ln_p[i] > 0 ? log(ln_p[i]) : -HUGE_VAL;
        return SB_OK;
    }
    struct sb_sum *const sum = calloc(members * cells + 1, sizeof *sum);
    uint32_t *const cell = calloc(members + 1, sizeof *cell);
    sb_item *const a = calloc(n + 1, sizeof *a);
    const enum sb_status status = sum && cell && a ? SB_OK : SB_NO_MEMORY;

    for (size_t rank = 0; status == SB_OK && rank < fair->orders; rank++) {
        if (fair->p[rank] <= 0)
            continue;
        sb_fair_order(fair, multiset, rank, a);
        if (equal)
            equal->classify(multiset, fair->deal, a, cell);
        else
            type->classify(n, fair->deal, a, cell);
        for (size_t member = 0; member < members; member++)
            sb_sum_add(&sum[member * cells + cell[member]], fair->p[rank]);
    }
    if (status == SB_OK)
        fair_logarithms(sum, members * cells, ln_p);
    free(sum);
    free(cell);
    free(a);
    return status;
}

/* The weight of an order under a rule; the weights need not add up to 1. */
static double fair_weight(const struct sb_fair *fair, const struct sb_multiset *multiset, const sb_item a[])
{
    const size_t n = fair->n;
    double rest = 0, p = 1;

    switch (fair->rule) {
    case SB_FAIR_DERANGEMENT:
        for (size_t j = 0; j < n; j++)
            p *= a[j] != j;
        return p;
    case SB_FAIR_CYCLE:
        return sb_permutation_cycles(n, a) == 1;
    case SB_FAIR_FIXED:
        for (size_t j = 0; j < n; j++)
            p *= fair->at[j] == n || fair->at[j] == a[j];
        return p;
    case SB_FAIR_APART:
        for (size_t j = 1; j < n; j++)
            p *= multiset->kind[a[j]] != multiset->kind[a[j - 1]];
        return p;
    case SB_FAIR_WEIGHTS:
        for (size_t j = n; j-- > 0;) {
            rest += fair->weight[a[j]];
            p *= fair->weight[a[j]] / rest;
        }
        return p;
    case SB_FAIR_LIST:
        break;
    }
    return 0;
}

enum sb_status sb_fair_list(const struct sb_multiset *multiset, struct sb_fair *fair)
{
    struct sb_sum sum = { 0 };
    sb_item a[SB_LAW_ITEMS_MOST];

    fair->arranged = fair->n > SB_FAIR_LISTED_MOST && !fair->order;
    if (!fair->order)
        fair->orders = fair->arranged ? multiset->arrangements : (size_t)sb_deals(fair->n, fair->n);
    if (!fair->p)
        fair->p = calloc(fair->orders, sizeof fair->p[0]);
    if (!fair->p)
        return SB_NO_MEMORY;
    for (size_t rank = 0; rank < fair->orders; rank++) {
        sb_fair_order(fair, multiset, rank, a);
        if (fair->rule != SB_FAIR_LIST)
            fair->p[rank] = fair_weight(fair, multiset, a);
        sb_sum_add(&sum, fair->p[rank]);
    }
    for (size_t rank = 0; rank < fair->orders; rank++)
        fair->p[rank] /= sb_sum_value(&sum);
    return sb_sum_value(&sum) > 0 ? SB_OK : SB_INVALID;
}

void sb_fair_free(struct sb_fair *fair)
{
    if (!fair)
        return;
    free(fair->words);
    free(fair->p);
    free(fair->order);
    free(fair->position);
    free(fair->scheme);
    free(fair->at);
    free(fair->weight);
    free(fair);
}
