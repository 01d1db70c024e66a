/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error budget. A weighted average of e-processes is an e-process, even if the e-processes depend on each
 * other. Bounds whose levels add up to delta hold simultaneously with confidence 1 - delta. So weights that
 * add up to 1 can divide both alpha and delta. The members of one statistic form a family. Some families have
 * a fixed share of the budget. A fixed share of 1% costs the other families only ln(1/0.99) = 0.01 nats. The
 * fixed shares leave a remainder. The rank gets one half of this remainder, because only the rank sees every
 * bias. The other families without a fixed share divide the other half equally; without the rank, they divide
 * the whole remainder. Each family divides its share equally among its members; families without members get
 * nothing.
 *
 * If the tests of a series divide `level` among them, test k gets the part level/(k(k+1)) = level/k -
 * level/(k+1). The sum of these parts over all k is `level`.
 */
#include "gate/gate.h"

#include "fit/numeric.h"
#include "fit/sequential.h"

#include <math.h>
#include <string.h>

bool sb_gate_is_rank(const struct sb_tally *tally)
{
    return tally->members && !tally->lag && strcmp(tally->statistic, "rank") == 0;
}

double sb_gate_weight(const struct sb_tally tally[], size_t count, size_t at)
{
    const double members = (double)tally[at].members;
    double rest = 1;
    size_t others = 0;
    bool rank = false;

    for (size_t i = 0; i < count; i++) {
        rank = rank || sb_gate_is_rank(&tally[i]);
        rest -= tally[i].members ? tally[i].share : 0;
        others += tally[i].members && tally[i].share <= 0 && !sb_gate_is_rank(&tally[i]);
    }
    if (tally[at].share > 0)
        return tally[at].share / members;
    if (sb_gate_is_rank(&tally[at]))
        return others ? 0.5 * rest : rest;
    return (rank ? 0.5 : 1) * rest / (double)others / members;
}

double sb_gate_share(double level, uint64_t share)
{
    return level / (double)share / ((double)share + 1);
}

double sb_gate_ln_level(double weight, double level)
{
    return -log(weight) - log(level);
}

/*
 * When to look, and how many deals a pass needs.
 *
 * E-processes and bounds hold at all times, so a look costs only computing time, and no part of the error
 * budget. With steps of 2% there are 650 looks up to 2,000,000 deals, and a verdict comes at most 2% late.
 * Looks depend only on the number of deals, never on the clock.
 *
 * A pass needs an upper bound on total variation below `exclude`. A fair subject's bound falls as deals are
 * added.
 */

enum { SCHEDULE_SHARE = 50 }; /* a step is at most 1/50 of the total */

static const double schedule_ln_most = 41; /* e^41 deals fit in 64 bits */

/* An average run of a fair subject should pass within this share of the limit, because some runs take
 * longer. */
static const double schedule_room = 0.85;

struct schedule_goal {
    double cells, ln_level, exclude;
};

static double schedule_beyond(const void *state, double ln_total)
{
    const struct schedule_goal *const goal = state;

    return log(goal->exclude / sb_tv_high_fair(exp(ln_total), goal->cells, goal->ln_level));
}

bool sb_gate_reaches(const struct sb_gate_terms *terms, size_t cells)
{
    const struct schedule_goal goal = {
        .cells = (double)cells,
        .ln_level = -log(terms->delta),
        .exclude = terms->exclude,
    };

    return cells && sb_tv_high_fair(schedule_room * (double)terms->limit, goal.cells, goal.ln_level) < terms->exclude;
}

double sb_gate_deals_needed(const struct sb_gate_terms *terms, const struct sb_gate_line *line)
{
    const double ln_level = -log(terms->delta);
    const struct schedule_goal goal = {
        .cells = (double)(line->possible ? line->possible : line->cells),
        /* the bound from the steps at a lag is about the bound from half as many deals */
        .ln_level = line->lag ? 2 * (ln_level + log(2) + 1) : ln_level,
        .exclude = terms->exclude,
    };

    if (terms->exclude <= SB_TV_HIGH_LEAST)
        return INFINITY;
    if (line->even)
        return fmax(1, sb_tv_sets_fair(goal.cells, ln_level, terms->exclude));
    if (schedule_beyond(&goal, 0) >= 0)
        return 1;
    return exp(sb_root_find(schedule_beyond, &goal, 0, schedule_ln_most, 1e-6));
}

uint64_t sb_gate_next_look(uint64_t total)
{
    const uint64_t step = total / SCHEDULE_SHARE;

    return total + (step ? step : 1);
}

/*
 * The comparisons that decide a verdict, with rounding errors on the safe side.
 *
 * E must reach 1/alpha although each line's ln E is smaller by its rounding error, which the line knows
 * (fit/e_process.c, and the files of tally/ and fit/test/ that make E). Let u = 2^-53 and the
 * relative errors of log and exp be at most 4u. The average of L lines, whose terms are not negative, has a
 * relative error of at most (2L + 64) u, and the logarithms of this average and of alpha have errors of at
 * most 8u of their values. Both sides are close to ln(1/alpha) where this matters.
 *
 * Bounds on total variation must clear `tolerate` and `exclude` by their rounding errors
 * (fit/tv_low.c, tv_coin.c). The number of decks that are ruled out is a sum of whole numbers, one
 * for each deck, divided by a logarithm.
 *
 * N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002, section 4.2.
 */

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

bool sb_gate_shows_only_outliers(const struct sb_gate *gate)
{
    double sum = 0;

    for (size_t i = 0; i < gate->lines_count; i++)
        if (!gate->line[i].outliers)
            sum += gate->line[i].weight * exp(fmin(700, gate->line[i].ln_e));
    return sb_gate_shows_bias(gate) && log(sum) < -log(gate->terms.alpha);
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
    return line->tv_low - sb_tv_low_error(line->ln_e_error, sb_gate_ln_level(line->weight, gate->terms.alpha));
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

/* The verdict of a suite is the worst verdict of its subjects. */

enum sb_verdict sb_suite_item_verdict(const struct sb_suite_item *item)
{
    return item->gate ? item->gate->verdict : SB_VERDICT_BROKEN;
}

enum sb_verdict sb_suite_verdict(const struct sb_suite *suite)
{
    static const int badness[] = {
        [SB_VERDICT_PASS] = 0,
        [SB_VERDICT_INCONCLUSIVE] = 1,
        [SB_VERDICT_FAIL] = 2,
        [SB_VERDICT_BROKEN] = 3,
    };
    enum sb_verdict worst = SB_VERDICT_PASS;

    for (size_t i = 0; i < suite->count; i++) {
        const enum sb_verdict verdict = sb_suite_item_verdict(&suite->item[i]);

        if (badness[verdict] > badness[worst])
            worst = verdict;
    }
    return worst;
}

double sb_suite_alpha(const struct sb_suite *suite)
{
    double sum = 0;
    bool found = false;

    for (size_t i = 0; i < suite->count; i++) {
        const struct sb_gate *const gate = suite->item[i].gate;

        sum += gate ? gate->terms.alpha : suite->item[i].alpha;
        found = found || gate;
    }
    return found ? sum : NAN;
}

bool sb_suite_interrupted(const struct sb_suite *suite)
{
    for (size_t i = 0; i < suite->count; i++)
        if (suite->item[i].gate ? suite->item[i].gate->interrupted : suite->item[i].error.status == SB_STOPPED)
            return true;
    return false;
}
