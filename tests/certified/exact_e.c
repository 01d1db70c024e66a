/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random tallies, and their e-values by Arb's ln Gamma: the formula of fit/e_process.c before it
 * is rearranged. */
#include "certified/exact_e.h"

#include <math.h>

enum { MIXTURE = 7, FEW = 6, LAW_BITS = 320 };

struct sb_tally drawn;
uint64_t drawn_count[CELLS_MOST];

double drawn_ln_p[CELLS_MOST];
static arb_t law_sum; /* of exp(ln_p); zeroes are a valid number */

void given_law(size_t cells)
{
    ARBS(p);

    drawn = (struct sb_tally) {
        .statistic = "test", .members = 1, .cells = cells, .count = drawn_count, .ln_p = drawn_ln_p
    };
    arb_zero(law_sum);
    for (size_t i = 0; i < cells; i++) {
        arb_set_d(p, drawn_ln_p[i]);
        arb_exp(p, p, LAW_BITS);
        arb_add(law_sum, law_sum, p, LAW_BITS);
    }
}

void random_law(uint64_t *seed, size_t cells, bool even)
{
    double sum = 0;

    drawn = (struct sb_tally) { .statistic = "test", .members = 1, .cells = cells, .count = drawn_count };
    if (even)
        return;
    for (size_t i = 0; i < cells; i++)
        sum += drawn_ln_p[i] = random_scale(seed, 1e-7, 1);
    for (size_t i = 0; i < cells; i++)
        drawn_ln_p[i] = log(drawn_ln_p[i] / sum);
    given_law(cells);
}

void law_off(uint64_t *seed, double error, double ln_p[])
{
    for (size_t i = 0; i < drawn.cells; i++)
        ln_p[i] = drawn_ln_p[i] + (random_below(seed, 2) ? error : -error);
}

void random_counts(uint64_t *seed, double total, double bias)
{
    drawn.total = 0;
    for (size_t i = 0; i < drawn.cells; i++) {
        const double p = drawn.ln_p ? exp(drawn_ln_p[i]) : 1 / (double)drawn.cells;
        const double mean = total * p * (1 + bias * (2 * random_share(seed) - 1));
        const double spread = sqrt(3 * mean) * (2 * random_share(seed) - 1);

        drawn_count[i] = (uint64_t)fmax(0, floor(mean + spread + random_share(seed)));
        drawn.total += drawn_count[i];
    }
}

void exact_probability(size_t cell, slong bits, arb_t p)
{
    if (drawn.ln_p) {
        arb_set_d(p, drawn.ln_p[cell]);
        arb_exp(p, p, bits);
        arb_div(p, p, law_sum, bits);
    } else {
        arb_one(p);
        arb_div_ui(p, p, drawn.cells, bits);
    }
}

/* ln Gamma(A)/Gamma(A+t) + sum of ln Gamma(A q + c)/Gamma(A q) - c ln q, for counts c times `part`. */
static void exact_ln_e_of(double concentration, double part, slong bits, arb_t ln_e)
{
    ARBS(a, p, term, known, ln_p_cell);
    uint64_t known_count = UINT64_MAX;

    arb_set_d(a, concentration);
    arb_lgamma(ln_e, a, bits);
    arb_set_d(term, part * (double)drawn.total);
    arb_add(a, a, term, bits);
    arb_lgamma(term, a, bits);
    arb_sub(ln_e, ln_e, term, bits);
    for (size_t i = 0; i < drawn.cells; i++) {
        if (drawn.ln_p || drawn_count[i] != known_count) {
            const double c = part * (double)drawn_count[i];

            exact_probability(i, bits, p);
            arb_log(ln_p_cell, p, bits);
            arb_set_d(a, concentration);
            arb_mul(a, a, p, bits);
            arb_lgamma(term, a, bits);
            arb_neg(known, term);
            arb_set_d(term, c);
            arb_submul(known, term, ln_p_cell, bits);
            arb_add(a, a, term, bits);
            arb_lgamma(term, a, bits);
            arb_add(known, known, term, bits);
            known_count = drawn_count[i];
        }
        arb_add(ln_e, ln_e, known, bits);
    }
}

void exact_ln_e(double part, slong bits, arb_t ln_e)
{
    const size_t number = drawn.cells > FEW ? MIXTURE : MIXTURE - 1;
    ARBS(sum, term, first);

    for (size_t g = 0; g < number; g++) {
        exact_ln_e_of((double)drawn.cells * pow(10, 5 - (double)g), part, bits, term);
        if (g == 0)
            arb_set(first, term);
        arb_sub(term, term, first, bits);
        arb_exp(term, term, bits);
        arb_add(sum, sum, term, bits);
    }
    arb_div_ui(sum, sum, number, bits);
    arb_log(sum, sum, bits);
    arb_add(ln_e, first, sum, bits);
}

void exact_ln_best(slong bits, arb_t best)
{
    ARBS(p, term);

    arb_zero(best);
    for (size_t i = 0; i < drawn.cells; i++) {
        if (drawn_count[i] == 0)
            continue;
        exact_probability(i, bits, p);
        arb_set_ui(term, (ulong)drawn.total);
        arb_mul(p, p, term, bits);
        arb_set_ui(term, (ulong)drawn_count[i]);
        arb_div(p, term, p, bits);
        arb_log(p, p, bits);
        arb_addmul(best, p, term, bits);
    }
}

void exact_pearson(const uint64_t counts[], slong bits, arb_t sum)
{
    ARBS(expected, off);

    arb_zero(sum);
    for (size_t i = 0; i < drawn.cells; i++) {
        exact_probability(i, bits, expected);
        arb_mul_ui(expected, expected, (ulong)drawn.total, bits);
        arb_sub_ui(off, expected, (ulong)counts[i], bits);
        arb_mul(off, off, off, bits);
        arb_div(off, off, expected, bits);
        arb_add(sum, sum, off, bits);
    }
}

void exact_repeat(double m, const arb_t each, double d, bool again, arb_t ratio)
{
    const double q = fmin(d / m, 1 - 1 / m); /* exact, because m is a power of two */
    ARBS(p, part);

    arb_set_d(part, d);
    arb_mul(p, each, part, 256);
    if (m < 1) {
        arb_set_d(part, m);
        arb_div(p, part, p, 256);
        arb_sub_ui(part, part, 1, 256);
        arb_neg(part, part);
        if (again)
            arb_add(part, part, p, 256);
        arb_mul(ratio, ratio, part, 256);
        return;
    }
    arb_set_d(part, again ? q : q - 1);
    if (!again)
        arb_sub_ui(p, p, 1, 256);
    arb_div(part, part, p, 256);
    arb_mul(ratio, ratio, part, 256);
}
