/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparisons that decide a verdict, with rounding errors on the safe side.
 *
 * E must reach 1/alpha although each line's ln E is smaller by its rounding error, which the line knows
 * (fit/sequential/e_error.c, and the files of tally/ and fit/test/ that make E). Let u = 2^-53 and the
 * relative errors of log and exp be at most 4u. The average of L lines, whose terms are not negative, has a
 * relative error of at most (2L + 64) u, and the logarithms of this average and of alpha have errors of at
 * most 8u of their values. Both sides are close to ln(1/alpha) where this matters.
 *
 * Bounds on total variation must clear `tolerate` and `exclude` by their rounding errors
 * (fit/sequential/tv_low.c, tv_coin.c). The number of decks that are ruled out is a sum of whole numbers, one
 * for each deck, divided by a logarithm.
 *
 * N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002, section 4.2.
 */
#include "fit/sequential/tv_high.h"
#include "fit/sequential/tv_low.h"
#include "gate/gate_internal.h"

#include <math.h>

static const double certain_unit = 0x1p-53; /* u */

double sb_gate_ln_average(const struct sb_gate *gate, double errors)
{
    double most = -HUGE_VAL, sum = 0;

    for (size_t i = 0; i < gate->lines_count; i++)
        most = fmax(most, gate->line[i].ln_e - errors * gate->line[i].ln_e_error);
    if (isinf(most))
        return gate->lines_count ? most : 0;
    for (size_t i = 0; i < gate->lines_count; i++)
        sum += gate->line[i].weight * exp(gate->line[i].ln_e - errors * gate->line[i].ln_e_error - most);
    return most + log(sum);
}

double sb_gate_certain_ln_e(const struct sb_gate *gate)
{
    const double ln_e = sb_gate_ln_average(gate, 1);

    if (isinf(ln_e))
        return ln_e;
    return ln_e - certain_unit * (2 * (double)gate->lines_count + 128 + 64 * fabs(ln_e));
}

bool sb_gate_shows_bias(const struct sb_gate *gate)
{
    return sb_gate_certain_ln_e(gate) >= -log(gate->terms.alpha);
}

bool sb_gate_shows_dependence(const struct sb_gate *gate)
{
    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];
        const double ln_e = line->ln_e - line->ln_e_error + log(line->weight);

        if (line->dependence && ln_e - certain_unit * (128 + 64 * fabs(ln_e)) >= -log(gate->terms.alpha))
            return true;
    }
    return false;
}

double sb_gate_certain_tv(const struct sb_gate *gate, const struct sb_gate_line *line)
{
    return line->tv_low -
           sb_tv_low_error(line->ln_e_error, sb_gate_ln_level(line->weight, gate->terms.alpha));
}

bool sb_gate_exceeds(const struct sb_gate *gate)
{
    for (size_t i = 0; i < gate->lines_count; i++)
        if (sb_gate_certain_tv(gate, &gate->line[i]) > gate->terms.tolerate)
            return true;
    return false;
}

bool sb_gate_excludes(const struct sb_gate *gate)
{
    return gate->tv_high + SB_TV_HIGH_ERROR < gate->terms.exclude &&
           gate->seeds_low * (1 - certain_unit * ((double)gate->total + 16)) >= (double)gate->terms.seeds;
}
