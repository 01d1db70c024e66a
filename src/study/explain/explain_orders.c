/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes for each order the number of paths that lead to the order, and the order's probability. Orders
 * that agree in both numbers form a group.
 *
 * Suppose that all paths are equally likely and that the shuffle is made of swaps. Then the number of all
 * paths is the product of the bounds. The number of paths to an order is this product times the order's
 * probability. Cost: one sort of the orders.
 */
#include "core/evidence.h"
#include "core/numbers.h"
#include "study/explain/explain.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of all paths of a shuffle that is made of swaps and has ideal draws, so that all paths
 * are equally likely. Returns 0 for any other shuffle, and if the number has more than 64 bits. */
static uint64_t explain_orders_paths(const struct sb_law *law)
{
    uint64_t product = 1;

    if (!law->shuffler->steps || law->draw->type->law)
        return 0;
    for (size_t i = 0; i < law->shuffler->count; i++) {
        const struct sb_swap *const step = &law->shuffler->steps[i];

        if (__builtin_mul_overflow(product, (uint64_t)step->at_bound, &product) ||
            __builtin_mul_overflow(product, (uint64_t)step->bound, &product))
            return 0;
    }
    return product;
}

static enum sb_status explain_orders_one(const struct sb_evidence *evidence, size_t rank, uint64_t paths,
                                         struct sb_explain_order *order)
{
    mpq_t mass;
    mpz_t all;

    mpq_init(mass);
    sb_evidence_fraction(evidence, rank, mass);
    order->mass = sb_mpq_text(mass);
    order->share = mpq_get_d(mass);
    order->ratio = order->share * (double)evidence->cells;
    mpz_init(all);
    sb_mpz_set_u64(all, paths);
    mpz_mul(mpq_numref(mass), mpq_numref(mass), all);
    mpz_clear(all);
    mpq_canonicalize(mass);
    if (paths)
        order->paths = sb_mpz_get_u64(mpq_numref(mass));
    mpq_clear(mass);
    return order->mass ? SB_OK : SB_NO_MEMORY;
}

/* An element of the array in which the orders are sorted. */
struct explain_place {
    const struct sb_evidence *evidence;
    const struct sb_explain_order *order;
    size_t rank;
};

/* Compares two orders: by descending probability, then by descending number of paths, then by rank. */
static int explain_orders_compare(const void *a, const void *b)
{
    const struct explain_place *const one = a, *const other = b;
    const int likelier = sb_numbers_compare(&one->evidence->counts, other->rank, one->rank);

    if (likelier)
        return likelier;
    if (one->order->paths != other->order->paths)
        return one->order->paths < other->order->paths ? 1 : -1;
    return (one->rank > other->rank) - (one->rank < other->rank);
}

static enum sb_status explain_orders_group(const struct sb_evidence *evidence, struct sb_explain *explain)
{
    const size_t count = explain->orders_count;
    struct explain_place *const place = calloc(count, sizeof *place);

    explain->group = calloc(count, sizeof *explain->group);
    if (!place || !explain->group) {
        free(place);
        return SB_NO_MEMORY;
    }
    for (size_t r = 0; r < count; r++)
        place[r] = (struct explain_place) { evidence, &explain->order[r], r };
    qsort(place, count, sizeof *place, explain_orders_compare);
    for (size_t i = 0; i < count; i++) {
        const struct explain_place *const before = i ? &place[i - 1] : NULL;

        if (!before || sb_numbers_compare(&evidence->counts, before->rank, place[i].rank) != 0 ||
            before->order->paths != place[i].order->paths)
            explain->group[explain->groups_count++] =
                (struct sb_explain_group) { .first = place[i].rank, .order = place[i].order };
        explain->group[explain->groups_count - 1].orders++;
    }
    free(place);
    return SB_OK;
}

enum sb_status sb_explain_orders(const struct sb_law *law, const struct sb_evidence *evidence,
                                 struct sb_explain *explain)
{
    const uint64_t paths = explain->paths_count ? 0 : explain_orders_paths(law);

    explain->order = calloc(evidence->cells, sizeof *explain->order);
    if (!explain->order)
        return SB_NO_MEMORY;
    explain->orders_count = evidence->cells;
    explain->paths_known = explain->paths_count || paths;
    for (size_t r = 0; r < evidence->cells; r++)
        if (explain_orders_one(evidence, r, paths, &explain->order[r]))
            return SB_NO_MEMORY;
    for (size_t i = 0; i < explain->paths_count; i++)
        explain->order[explain->path[i].rank].paths++;
    return explain_orders_group(evidence, explain);
}
