/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes the swaps of a plan as weighted pairs of positions. If position at + x has weight u(x) and
 * position from + y has weight v(y), then
 *
 *   weight(i, j) = u(i - at) v(j - from) + u(j - at) v(i - from),   stay = sum of u(i - at) v(i - from)
 *
 * All weights of a swap are divided by their common factor, so that most weights are 1 and need no
 * multiplication.
 *
 * Cost: O(n^2) for each swap.
 */
#include "exact/convolve/convolve_plan.h"

#include "core/evidence.h"

#include <stdlib.h>

/* The weights of all n positions in one draw, and their sum. */
struct plan_draw {
    uint64_t weight[SB_CONVOLVE_ITEMS_MOST];
    sb_wide sum;
};

static struct plan_draw plan_draw(const struct sb_law *law, size_t first, size_t bound)
{
    const bool uniform = bound == 1 || !law->draw || !law->draw->type->law;
    struct plan_draw draw = { .sum = sb_wide_from(bound) };

    for (size_t j = 0; j < bound; j++)
        draw.weight[first + j] = 1;
    if (!uniform) {
        law->draw->type->law(law->draw, law->largest, (uint32_t)bound, draw.weight + first);
        draw.sum = sb_wide_add(sb_wide_from(law->largest), sb_wide_from(1));
    }
    return draw;
}

static void plan_swap(const struct sb_law *law, const struct sb_swap *step, struct sb_convolve_swap *swap)
{
    const struct plan_draw at = plan_draw(law, step->at, step->at_bound);
    const struct plan_draw from = plan_draw(law, step->from, step->bound);
    const size_t n = law->shuffler->n;

    *swap = (struct sb_convolve_swap) {
        .centre = step->at_bound == 1 ? step->at
                  : step->bound == 1  ? step->from
                                      : 0,
        .sum_at = at.sum,
        .sum_from = from.sum,
    };
    for (size_t x = 0; x < n; x++) {
        swap->stay = sb_wide_add(swap->stay, sb_wide_product(at.weight[x], from.weight[x]));
        for (size_t y = x + 1; y < n; y++) {
            const sb_wide weight = sb_wide_add(sb_wide_product(at.weight[x], from.weight[y]),
                                               sb_wide_product(at.weight[y], from.weight[x]));

            if (sb_wide_is_zero(weight))
                continue;
            swap->pair[swap->pairs].x = (uint8_t)x;
            swap->pair[swap->pairs].y = (uint8_t)y;
            swap->pair[swap->pairs++].weight = weight;
        }
    }
}

static sb_wide plan_common(sb_wide a, sb_wide b)
{
    while (!sb_wide_is_zero(b)) {
        sb_wide rest;

        (void)sb_wide_divide(a, b, &rest);
        a = b;
        b = rest;
    }
    return a;
}

/* Divides the weights by their common factor. */
static void plan_reduce(struct sb_convolve_swap *swap)
{
    /* at least one weight is not 0, so the common factor is not 0 either */
    sb_wide rest, common = swap->stay;

    for (size_t k = 0; k < swap->pairs; k++)
        common = plan_common(common, swap->pair[k].weight);
    swap->common = common;
    if (sb_wide_is_zero(common))
        return;
    swap->stay = sb_wide_divide(swap->stay, common, &rest);
    for (size_t k = 0; k < swap->pairs; k++)
        swap->pair[k].weight = sb_wide_divide(swap->pair[k].weight, common, &rest);
}

static void plan_multiply(mpz_t product, sb_wide factor)
{
    mpz_t wide;

    mpz_init(wide);
    sb_mpz_set_wide(wide, factor);
    mpz_mul(product, product, wide);
    mpz_clear(wide);
}

enum sb_status sb_convolve_plan_open(const struct sb_law *law, struct sb_convolve_plan *plan)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const size_t n = shuffler->n, size = n < SB_CONVOLVE_TILE ? n : SB_CONVOLVE_TILE;
    struct sb_convolve_plan made = {
        .n = n,
        .deal = shuffler->deal,
        .size = size,
        .m = n - size,
        .run = (size_t)sb_deals(size - 1, size - 1),
        .tile = (size_t)sb_deals(size, size),
        .cells = (size_t)sb_deals(n, n),
        .count = shuffler->count,
        .swap = calloc(shuffler->count + 1, sizeof *made.swap),
    };

    if (!made.swap)
        return SB_NO_MEMORY;
    mpz_init_set_ui(made.denominator, 1);
    for (size_t k = 0; k < made.count; k++) {
        plan_swap(law, &shuffler->steps[k], &made.swap[k]);
        plan_reduce(&made.swap[k]);
        plan_multiply(made.denominator, made.swap[k].sum_at);
        plan_multiply(made.denominator, made.swap[k].sum_from);
    }
    *plan = made; /* the copy takes over the memory of the denominator */
    return SB_OK;
}

void sb_convolve_plan_close(struct sb_convolve_plan *plan)
{
    free(plan->swap);
    mpz_clear(plan->denominator);
    *plan = (struct sb_convolve_plan) { 0 };
}

void sb_convolve_layout(const struct sb_convolve_plan *plan, size_t centre, size_t missing,
                        struct sb_convolve_layout *layout)
{
    size_t count = 1;

    layout->missing = centre <= plan->m ? centre : missing;
    layout->position[0] = (sb_item)centre;
    for (size_t p = 0; p <= plan->m; p++)
        if (p != layout->missing)
            layout->position[count++] = (sb_item)p;
    for (size_t p = 0; p < plan->n; p++)
        if (p != centre && (p > plan->m || p == layout->missing))
            layout->position[count++] = (sb_item)p;
}
