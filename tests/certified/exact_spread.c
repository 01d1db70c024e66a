/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spread of test statistics: plain sums, which lose digits, with as many bits as it takes. */
#include "certified/exact_spread.h"

enum { BITS = SPREAD_BITS };

void exact_spread_init(struct exact_spread *spread)
{
    arb_init(spread->effect);
    arb_init(spread->noise);
    arb_init(spread->trace);
    arb_init(spread->slope);
    arb_init(spread->curve);
}

void exact_spread_clear(struct exact_spread *spread)
{
    arb_clear(spread->effect);
    arb_clear(spread->noise);
    arb_clear(spread->trace);
    arb_clear(spread->slope);
    arb_clear(spread->curve);
}

void exact_not_below_0(arb_t x)
{
    ARBS(zero);

    arb_max(x, x, zero, BITS);
}

void exact_per_tuple(arb_t x, ulong k)
{
    for (ulong i = 0; i < k; i++)
        arb_div_ui(x, x, (ulong)drawn.total - i, BITS);
}

/* p/q of a cell with this count. */
static void exact_ratio(size_t cell, uint64_t count, arb_t ratio)
{
    exact_probability(cell, BITS, ratio);
    arb_mul_ui(ratio, ratio, (ulong)drawn.total, BITS);
    arb_ui_div(ratio, (ulong)count, ratio, BITS);
}

/* D + 3/2 m3/m2, from the sample's moments of r = p/q. */
static void exact_curve(const uint64_t count[], arb_t curve)
{
    arb_ptr r = _arb_vec_init(drawn.cells);
    ARBS(second, third, term);

    arb_zero(curve);
    for (size_t i = 0; i < drawn.cells; i++) {
        exact_ratio(i, count[i], r + i);
        arb_addmul_ui(curve, r + i, (ulong)count[i], BITS);
    }
    exact_per_tuple(curve, 1);
    for (size_t i = 0; i < drawn.cells; i++) {
        arb_sub(r + i, r + i, curve, BITS);
        arb_mul(term, r + i, r + i, BITS);
        arb_addmul_ui(second, term, (ulong)count[i], BITS);
        arb_mul(term, term, r + i, BITS);
        arb_addmul_ui(third, term, (ulong)count[i], BITS);
    }
    if (arb_is_positive(second)) { /* otherwise all decks have the same r, and m3 is 0 */
        arb_div(third, third, second, BITS);
        arb_mul_ui(third, third, 3, BITS);
        arb_mul_2exp_si(third, third, -1);
        arb_add(curve, curve, third, BITS);
    }
    _arb_vec_clear(r, (slong)drawn.cells);
}

void exact_spread_cells(const uint64_t count[], struct exact_spread *spread)
{
    ARBS(d, cube, rare, q, term);

    arb_zero(spread->noise);
    for (size_t i = 0; i < drawn.cells; i++) {
        if (count[i] == 0)
            continue;
        exact_probability(i, BITS, q);
        arb_set_ui(term, (ulong)count[i]);
        arb_div(term, term, q, BITS);
        arb_add(spread->noise, spread->noise, term, BITS); /* O/q */
        arb_mul_ui(term, term, (ulong)count[i] - 1, BITS);
        arb_add(d, d, term, BITS); /* O (O-1)/q */
        arb_div(term, term, q, BITS);
        arb_add(rare, rare, term, BITS); /* O (O-1)/q^2 */
        if (count[i] > 2)
            arb_addmul_ui(cube, term, (ulong)count[i] - 2, BITS); /* O (O-1) (O-2)/q^2 */
    }
    exact_per_tuple(spread->noise, 1);
    exact_per_tuple(d, 2);
    exact_per_tuple(rare, 2);
    exact_per_tuple(cube, 3);
    arb_sub_ui(spread->effect, d, 1, BITS);
    arb_sub(spread->noise, spread->noise, d, BITS);
    arb_mul(d, d, d, BITS);
    arb_sub(spread->slope, cube, d, BITS);
    arb_sub(spread->trace, rare, cube, BITS);
    arb_sub(spread->trace, spread->trace, spread->slope, BITS);
    exact_not_below_0(spread->slope);
    exact_curve(count, spread->curve);
}

void exact_spread_g(const arb_t g, struct exact_spread *spread)
{
    arb_ptr moment = _arb_vec_init(4);
    ARBS(ln, inverse);
    ulong reached = 0;

    for (size_t i = 0; i < drawn.cells; i++) {
        if (drawn_count[i] == 0)
            continue;
        exact_ratio(i, drawn_count[i], ln);
        arb_log(ln, ln, BITS);
        arb_set_ui(moment, (ulong)drawn_count[i]);
        for (size_t k = 1; k < 4; k++) { /* the sample's moments of ln(p/q) */
            arb_mul(moment, moment, ln, BITS);
            arb_add(moment + k, moment + k, moment, BITS);
        }
        arb_set_ui(ln, (ulong)drawn_count[i]);
        arb_inv(ln, ln, BITS);
        arb_add(inverse, inverse, ln, BITS);
        reached++;
    }
    for (size_t k = 1; k < 4; k++)
        exact_per_tuple(moment + k, 1);
    arb_one(ln);
    exact_per_tuple(ln, 1);
    arb_sub(inverse, inverse, ln, BITS);
    arb_div_ui(inverse, inverse, 6, BITS);
    arb_add_ui(spread->noise, inverse, reached - 1, BITS);
    arb_sub(spread->effect, g, spread->noise, BITS);
    exact_per_tuple(spread->effect, 1);
    arb_set_ui(spread->trace, reached - 1);
    arb_mul(ln, moment + 1, moment + 1, BITS);
    arb_sub(ln, moment + 2, ln, BITS); /* the variance */
    arb_set(spread->slope, spread->trace);
    exact_per_tuple(spread->slope, 1);
    arb_sub(spread->slope, ln, spread->slope, BITS);
    exact_not_below_0(spread->slope);
    arb_mul(inverse, moment + 1, moment + 1, BITS); /* the third central moment */
    arb_mul_2exp_si(inverse, inverse, 1);
    arb_submul_ui(inverse, moment + 2, 3, BITS);
    arb_mul(inverse, inverse, moment + 1, BITS);
    arb_add(inverse, inverse, moment + 3, BITS);
    arb_div(inverse, inverse, ln, BITS);
    arb_mul_2exp_si(inverse, inverse, -1);
    arb_add_ui(spread->curve, inverse, 1, BITS);
    _arb_vec_clear(moment, 4);
}

void exact_spread_matrix(const arb_t value, struct exact_spread *spread)
{
    const ulong n = drawn.members, dof = (n - 1) * (n - 1);
    struct exact_spread row;

    exact_spread_init(&row);
    arb_sub_ui(spread->effect, value, dof, BITS);
    arb_div_ui(spread->effect, spread->effect, (ulong)drawn.total - 1, BITS);
    arb_sub_ui(spread->noise, spread->effect, dof, BITS);
    arb_neg(spread->noise, spread->noise);
    arb_set_ui(spread->trace, dof);
    arb_zero(spread->slope);
    arb_zero(spread->curve);
    for (size_t item = 0; item < n; item++) {
        exact_spread_cells(drawn_count + item * n, &row);
        arb_add(spread->slope, spread->slope, row.slope, BITS);
        arb_max(spread->curve, spread->curve, row.curve, BITS);
    }
    arb_mul_ui(spread->slope, spread->slope, dof, BITS);
    arb_div_ui(spread->slope, spread->slope, n, BITS);
    exact_spread_clear(&row);
}
