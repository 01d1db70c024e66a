/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pearson's chi-square test of homogeneity: whether two samples have the same law. Cells with the counts a of n and b of
 * m add (a m - b n)^2 / (n m (a + b)). Neighbouring cells are merged until a + b is large enough; what is left at the end
 * joins the last merged cell. Of g merged cells, the sum is chi-square with g - 1 degrees of freedom.
 */
#include "fit/fit.h"
#include "fit/numeric.h"

#include <math.h>

struct two_cells {
    double a, b;
};

static double two_term(struct two_cells cell, double n, double m)
{
    const double d = cell.a * m - cell.b * n;

    return d * d / (n * m * (cell.a + cell.b));
}

struct sb_finding sb_two_samples(const struct sb_tally *one, const struct sb_tally *other, size_t member, double least)
{
    const double n = (double)one->total, m = (double)other->total;
    struct sb_finding finding = sb_finding_none(one, "two-sample");
    struct two_cells now = { 0 }, last = { 0 };
    double value = 0, groups = 0;

    for (size_t i = member * one->cells; i < (member + 1) * one->cells; i++) {
        now.a += (double)one->count[i];
        now.b += (double)other->count[i];
        if (now.a + now.b < least)
            continue;
        value += two_term(now, n, m);
        groups++;
        last = now;
        now = (struct two_cells) { 0 };
    }
    if (groups < 2)
        return finding;
    if (now.a + now.b > 0) {
        value -= two_term(last, n, m);
        value += two_term((struct two_cells) { last.a + now.a, last.b + now.b }, n, m);
    }
    finding.value = value;
    finding.dof = groups - 1;
    finding.ln_p = sb_chisq_ln_q(value, groups - 1);
    finding.p = exp(finding.ln_p);
    return finding;
}
