/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of statistics if not every order is meant to be equally likely.
 *
 * Of up to SB_FAIR_LISTED_MOST items, the intended law is a list of the probabilities of all orders. The law of a
 * statistic is then a sum over the orders: each adds its probability to the cell of each member. Items that look the
 * same are told apart at random, so each permutation that shows an arrangement has the same share of its probability.
 *
 * Cost: for each statistic, a classification of each order; 10 ms for 8 items.
 */
#include "core/core.h"
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <math.h>
#include <stdlib.h>

bool sb_fair_knows(const struct sb_fair *fair, const struct sb_statistic_type *type)
{
    return fair->p != NULL;
}

size_t sb_fair_orders(const struct sb_fair *fair)
{
    const size_t all = fair->p ? (size_t)sb_deals(fair->n, fair->n) : 0;
    size_t orders = 0;

    for (size_t rank = 0; rank < all; rank++)
        orders += fair->p[rank] > 0;
    return orders;
}

/* Sets ln_p[] to the logarithms of sums. */
static void fair_logarithms(const struct sb_sum sum[], size_t count, double ln_p[])
{
    for (size_t i = 0; i < count; i++) {
        const double p = sb_sum_value(&sum[i]);

        ln_p[i] = p > 0 ? log(p) : -HUGE_VAL;
    }
}

enum sb_status sb_fair_null_law(const struct sb_fair *fair, const struct sb_statistic_type *type,
                                const struct sb_multiset *multiset, double ln_p[])
{
    const struct sb_statistic_equal *const equal = multiset ? type->equal : NULL;
    const size_t n = fair->n, orders = (size_t)sb_deals(n, n);
    const size_t members = sb_statistic_members(type, multiset, n, n);
    const size_t cells = sb_statistic_cells(type, multiset, n, n);
    struct sb_sum *const sum = calloc(members * cells + 1, sizeof *sum);
    uint32_t *const cell = calloc(members + 1, sizeof *cell);
    sb_item a[SB_FAIR_LISTED_MOST];
    const enum sb_status status = sum && cell ? SB_OK : SB_NO_MEMORY;

    for (size_t rank = 0; status == SB_OK && rank < orders; rank++) {
        if (fair->p[rank] <= 0)
            continue;
        sb_permutation_unrank(n, n, rank, a);
        if (equal)
            equal->classify(multiset, n, a, cell);
        else
            type->classify(n, n, a, cell);
        for (size_t member = 0; member < members; member++)
            sb_sum_add(&sum[member * cells + cell[member]], fair->p[rank]);
    }
    if (status == SB_OK)
        fair_logarithms(sum, members * cells, ln_p);
    free(sum);
    free(cell);
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
    const size_t orders = (size_t)sb_deals(fair->n, fair->n);
    struct sb_sum sum = { 0 };
    sb_item a[SB_FAIR_LISTED_MOST];

    if (!fair->p)
        fair->p = calloc(orders, sizeof fair->p[0]);
    if (!fair->p)
        return SB_NO_MEMORY;
    for (size_t rank = 0; rank < orders; rank++) {
        sb_permutation_unrank(fair->n, fair->n, rank, a);
        if (fair->rule != SB_FAIR_LIST)
            fair->p[rank] = fair_weight(fair, multiset, a);
        sb_sum_add(&sum, fair->p[rank]);
    }
    for (size_t rank = 0; rank < orders; rank++)
        fair->p[rank] /= sb_sum_value(&sum);
    return sb_sum_value(&sum) > 0 ? SB_OK : SB_INVALID;
}

void sb_fair_free(struct sb_fair *fair)
{
    if (!fair)
        return;
    free(fair->words);
    free(fair->p);
    free(fair->at);
    free(fair->weight);
    free(fair);
}
