/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spread of a matrix whose deals are counted by rank, from all pairs of deals. */
#include "certified/exact_spread.h"

#include "core/core.h"

enum { BITS = SPREAD_BITS, ITEMS_MOST = 5 };

/* Permutations that are counted by rank. */
struct ranked {
    size_t n, cells;
    const uint64_t *count;
    sb_item deck[120][ITEMS_MOST]; /* 5! */
};

/* n times the number of items that the permutations of two ranks have at the same place. */
static ulong common_places(const struct ranked *ranked, size_t s, size_t t)
{
    ulong common = 0;

    for (size_t j = 0; j < ranked->n; j++)
        common += ranked->deck[s][j] == ranked->deck[t][j];
    return ranked->n * common;
}

/* The moments over deals, and over pairs of deals: see rank_moments(). */
struct moments {
    arb_t g1, g2, g3, h, hg, square;
};

/* Adds the moments of the deal of rank `s`, whose g is g[s], to the sums. */
static void add_moments(const struct ranked *ranked, size_t s, arb_srcptr g, struct moments *sum)
{
    ARBS(power, h);

    for (size_t t = 0; t < ranked->cells; t++) {
        arb_mul_ui(power, g + t, (ulong)ranked->count[t], BITS);
        arb_addmul_ui(h, power, common_places(ranked, s, t), BITS);
    }
    exact_per_tuple(h, 1);
    arb_mul_ui(h, h, (ulong)ranked->count[s], BITS);
    arb_add(sum->h, sum->h, h, BITS);
    arb_addmul(sum->hg, h, g + s, BITS);
    arb_mul_ui(power, g + s, (ulong)ranked->count[s], BITS);
    arb_add(sum->g1, sum->g1, power, BITS);
    arb_mul(power, power, g + s, BITS);
    arb_add(sum->g2, sum->g2, power, BITS);
    arb_addmul(sum->g3, power, g + s, BITS);
}

/*
 * For permutations s and t with n items, T(s, t) is n times the number of items that both have at the same place, g(s)
 * the mean of T(s, t) over the sample's t, and h(s) the mean of g(t) T(s, t). Computes the means of g, g^2, g^3, h and
 * h g over deals, and of T^2 over pairs of different deals.
 */
static void rank_moments(const struct ranked *ranked, struct moments *m)
{
    arb_ptr g = _arb_vec_init((slong)ranked->cells);
    ARBS(pairs);

    for (size_t s = 0; s < ranked->cells; s++) {
        for (size_t t = 0; t < ranked->cells; t++) {
            const uint64_t count = ranked->count[t];
            const ulong common = common_places(ranked, s, t);

            arb_set_ui(pairs, (ulong)count);
            arb_addmul_ui(g + s, pairs, common, BITS);
            arb_set_ui(pairs, (ulong)(s == t && count ? count - 1 : count));
            arb_mul_ui(pairs, pairs, (ulong)ranked->count[s], BITS);
            arb_addmul_ui(m->square, pairs, common * common, BITS);
        }
        exact_per_tuple(g + s, 1);
    }
    for (size_t s = 0; s < ranked->cells; s++)
        add_moments(ranked, s, g, m);
    exact_per_tuple(m->g1, 1);
    exact_per_tuple(m->g2, 1);
    exact_per_tuple(m->g3, 1);
    exact_per_tuple(m->h, 1);
    exact_per_tuple(m->hg, 1);
    exact_per_tuple(m->square, 2);
    _arb_vec_clear(g, (slong)ranked->cells);
}

/* (E g^3 - E g E g^2 + 2 cov(g, h) - 4 E g var g)/(2 var g) */
static void rank_curve(const struct moments *m, const arb_t variance, arb_t curve)
{
    ARBS(term);

    arb_mul_2exp_si(term, m->h, 1);
    arb_add(term, term, m->g2, BITS);
    arb_addmul_ui(term, variance, 4, BITS);
    arb_mul(term, term, m->g1, BITS);
    arb_sub(curve, m->g3, term, BITS);
    arb_addmul_ui(curve, m->hg, 2, BITS);
    arb_div(curve, curve, variance, BITS);
    arb_mul_2exp_si(curve, curve, -1);
}

void exact_spread_ranks(const uint64_t by_rank[], struct exact_spread *spread)
{
    const ulong n = drawn.members;
    struct ranked ranked = { .n = n, .cells = sb_cells(n, n), .count = by_rank };
    struct moments m;
    ARBS(variance);

    arb_init(m.g1);
    arb_init(m.g2);
    arb_init(m.g3);
    arb_init(m.h);
    arb_init(m.hg);
    arb_init(m.square);
    for (size_t s = 0; s < ranked.cells; s++)
        sb_permutation_unrank(n, n, s, ranked.deck[s]);
    rank_moments(&ranked, &m);
    arb_mul(variance, m.g1, m.g1, BITS);
    arb_sub(variance, m.g2, variance, BITS);
    rank_curve(&m, variance, spread->curve);
    arb_sub(spread->trace, m.square, m.g2, BITS); /* E T^2 - 2 E g^2 + (E g)^2 */
    arb_sub(spread->trace, spread->trace, variance, BITS);
    arb_set(spread->slope, spread->trace);
    exact_per_tuple(spread->slope, 1);
    arb_sub(spread->slope, variance, spread->slope, BITS);
    exact_not_below_0(spread->trace);
    exact_not_below_0(spread->slope);
    arb_set_ui(variance, n - 1); /* the unit (n-1)/n */
    arb_div_ui(variance, variance, n, BITS);
    arb_mul(spread->curve, spread->curve, variance, BITS);
    arb_mul(variance, variance, variance, BITS);
    arb_mul(spread->trace, spread->trace, variance, BITS);
    arb_mul(spread->slope, spread->slope, variance, BITS);
    arb_clear(m.square);
    arb_clear(m.hg);
    arb_clear(m.h);
    arb_clear(m.g3);
    arb_clear(m.g2);
    arb_clear(m.g1);
}
