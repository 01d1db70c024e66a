/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans a walk by slices: finds out whether the walk is possible, how many bits the counts need, and how much
 * memory the walk takes. */
#include "exact/convolve/convolve_slices.h"

enum {
    SLICES_WEIGHT_MOST = 16,   /* the largest sum of weights of a swap: 2^20 * 16 = 2^24 */
    SLICES_MEAN16_MOST = 64,   /* the largest mean count for 16 bits: 1/1024 of 2^16 */
    SLICES_MEAN20_MOST = 4096, /* the largest mean count for 20 bits: 1/256 of 2^20 */
};

/* Returns the factor by which a swap multiplies the sum of all counts. */
static double slices_factor(const struct sb_convolve_swap *swap)
{
    return sb_wide_double(swap->sum_at) * sb_wide_double(swap->sum_from) / sb_wide_double(swap->common);
}

/* Returns the mean count after k steps. */
static double slices_mean(const struct sb_convolve_plan *plan, size_t k)
{
    double mean = 1 / (double)plan->cells;

    for (size_t i = 0; i < plan->count; i++) {
        mean *= sb_wide_double(plan->swap[i].common); /* the identity's count starts with these factors */
        mean *= i < k ? slices_factor(&plan->swap[i]) : 1;
    }
    return mean;
}

/* Returns whether the centre is in all pairs, and the weights are small. */
static bool slices_swap_possible(const struct sb_convolve_swap *swap)
{
    bool possible = slices_factor(swap) <= SLICES_WEIGHT_MOST;

    for (size_t k = 0; k < swap->pairs; k++)
        possible = possible && (swap->pair[k].x == swap->centre || swap->pair[k].y == swap->centre);
    return possible;
}

bool sb_slices_possible(const struct sb_convolve_plan *plan)
{
    bool possible = plan->n >= SB_SLICES_ITEMS_LEAST && plan->deal == plan->n && plan->count > 0;

    for (size_t k = 0; possible && k < plan->count; k++)
        possible = slices_swap_possible(&plan->swap[k]);
    return possible && slices_mean(plan, plan->count - 1) <= SLICES_MEAN20_MOST;
}

struct sb_slices_plan sb_slices_plan(const struct sb_convolve_plan *plan)
{
    const size_t n = plan->n - 1;
    struct sb_slices_plan slices = {
        .plan = plan,
        .inner = {
            .n = n,
            .deal = n,
            .size = SB_CONVOLVE_TILE,
            .m = n - SB_CONVOLVE_TILE,
            .run = SB_CONVOLVE_RUN,
            .tile = SB_CONVOLVE_CELLS,
            .cells = (size_t)sb_deals(n, n),
        },
        .item = plan->swap[plan->count - 1].centre,
    };

    while (slices.narrow + 2 < plan->count && slices_mean(plan, slices.narrow + 1) <= SLICES_MEAN16_MOST)
        slices.narrow++;
    return slices;
}

sb_wide sb_slices_weight(const struct sb_convolve_swap *swap, size_t x, size_t y)
{
    for (size_t k = 0; k < swap->pairs; k++)
        if ((swap->pair[k].x == x && swap->pair[k].y == y) || (swap->pair[k].x == y && swap->pair[k].y == x))
            return swap->pair[k].weight;
    return sb_wide_from(0);
}

/* Returns the set of the slices that step k can exchange with the slice of the step's centre. Bit x stands
 * for slice x. */
static unsigned slices_partners(const struct sb_slices_plan *slices, size_t k)
{
    const struct sb_convolve_swap *const swap = &slices->plan->swap[k];
    unsigned partners = 0;

    for (size_t x = 0; x < slices->plan->n; x++)
        if (x != swap->centre && !sb_wide_is_zero(sb_slices_weight(swap, swap->centre, x)))
            partners |= 1U << x;
    return partners;
}

unsigned sb_slices_filled(const struct sb_slices_plan *slices, size_t k)
{
    unsigned filled = 1U << slices->item;

    for (size_t i = 0; i < k; i++) {
        const struct sb_convolve_swap *const swap = &slices->plan->swap[i];
        const unsigned centre = 1U << swap->centre, partners = slices_partners(slices, i);
        const bool stays = filled & centre && !sb_wide_is_zero(swap->stay), enters = filled & partners;

        filled = (filled & ~centre) | (filled & centre ? partners : 0) | (stays || enters ? centre : 0);
    }
    return filled;
}

unsigned sb_slices_opened(const struct sb_slices_plan *slices, size_t k)
{
    const unsigned filled = sb_slices_filled(slices, k);

    return filled >> slices->plan->swap[k].centre & 1 ? slices_partners(slices, k) & ~filled : 0;
}

unsigned sb_slices_mine(const struct sb_slices_plan *slices, const struct sb_ranks *ranks)
{
    unsigned mine = 0;

    for (size_t x = 0; x < slices->plan->n; x++)
        if (!ranks || x % ranks->size == ranks->rank)
            mine |= 1U << x;
    return mine;
}

/* Returns the number of slices in the memory of an MPI rank in step k: the old slices, a copy of another
 * rank's slice of the centre, the new slice of the centre, and another new slice. The last step stores no new
 * slice, but needs a slice of zeroes in place of the empty slices. */
static size_t slices_live(const struct sb_slices_plan *slices, unsigned mine, size_t k)
{
    const unsigned filled = sb_slices_filled(slices, k), centre = 1U << slices->plan->swap[k].centre;
    const unsigned old = (k + 1 < slices->plan->count ? filled | sb_slices_opened(slices, k) : filled) & mine;
    const size_t copies = filled & centre & ~mine ? 1 : 0;

    if (k + 1 < slices->plan->count)
        return (size_t)__builtin_popcount(old) + copies + 2;
    return (size_t)__builtin_popcount(old) + copies + (mine & ~filled ? 1 : 0);
}

size_t sb_slices_most(const struct sb_slices_plan *slices, const struct sb_ranks *ranks)
{
    const unsigned mine = sb_slices_mine(slices, ranks);
    size_t most = 0;

    for (size_t k = 0; k < slices->plan->count; k++)
        most = slices_live(slices, mine, k) > most ? slices_live(slices, mine, k) : most;
    return most;
}

bool sb_slices_packed(const struct sb_slices_plan *slices, size_t k)
{
    return slices->narrow == 0 || k > slices->narrow;
}

size_t sb_slices_width(const struct sb_slices_plan *slices, bool packed)
{
    return slices->inner.cells / SB_CONVOLVE_RUN * (packed ? SB_CONVOLVE_RUN20 : SB_CONVOLVE_RUN) *
           sizeof(uint16_t);
}

double sb_slices_bytes(const struct sb_slices_plan *slices, const struct sb_ranks *ranks)
{
    const unsigned mine = sb_slices_mine(slices, ranks);
    const size_t last = slices->plan->count - 1;
    double most = 0;

    for (size_t k = 0; k <= last; k++) {
        const bool packed = sb_slices_packed(slices, k < last ? k + 1 : k);
        const double bytes = (double)slices_live(slices, mine, k) * (double)sb_slices_width(slices, packed);

        most = bytes > most ? bytes : most;
    }
    return most + 128e6;
}
