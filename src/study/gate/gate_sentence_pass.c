/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pass means in words: what it rules out, what it assumes, and what was tested of that. And two parts of every
 * sentence of the gate: how often it is wrong, and what E says. */
#include "gate/gate.h"
#include "report/number.h"
#include "statistic/statistic.h"
#include "study/gate/gate_sentence_parts.h"
#include "tally/order.h"

#include <math.h>

static const double pass_ln_doubt = 4.6051701859880914; /* ln 100 */

void sb_sentence_once(struct sb_sentence *s, const struct sb_gate *gate, double own, double all)
{
    const double probability = gate->budget.ledger ? all : own, runs = 1 / probability;

    if (gate->budget.ledger)
        sb_sentence_add(s, "with probability %s at most in all runs on this ledger together",
                        sb_number_general_up(probability, 6).text);
    else if (runs >= 10 && runs < 1e15)
        sb_sentence_add(s, "at most once in %s runs, on average",
                        sb_number_grouped((uint64_t)(runs + 1e-6)).text);
    else
        sb_sentence_add(s, "with probability %s at most", sb_number_general_up(probability, 6).text);
}

bool sb_gate_doubtful(const struct sb_gate *gate)
{
    return gate->ln_e >= pass_ln_doubt && !sb_gate_shows_bias(gate);
}

void sb_sentence_doubt(struct sb_sentence *s, const struct sb_gate *gate)
{
    sb_sentence_add(
        s,
        "E = %s is too small for a FAIL, which takes %s, but the E of a fair shuffle ever gets that far "
        "with probability %s at most",
        sb_number_exp(gate->ln_e).text, sb_number_goal(gate->terms.alpha).text,
        sb_number_general_up(exp(-gate->ln_e), 2).text);
}

/* Lists the statistics that have a bound: "the position of each item, and 10 more". */
static void pass_statistics(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_statistic_type *const first = sb_statistic_find(gate->line[0].statistic);
    size_t families = 1;

    for (size_t i = 1; i < gate->lines_count; i++)
        families += gate->line[i].member == 0 && gate->line[i].cells > 0 && !gate->line[i].dependence;
    sb_sentence_add(s, "%s", first->title);
    if (families > 1)
        sb_sentence_add(s, ", and %zu more", families - 1);
}

/* Returns whether the line is the first of a statistic whose values were counted in groups. */
static bool pass_groups(const struct sb_gate_line *line)
{
    /* the other members' values are grouped in the same way */
    return line->merged && line->member == 0 && line->lag == 0;
}

/* Says that the bounds apply to groups of values: "Values of cycles, descents and inversions were counted
 * together in groups". */
static void pass_merged(struct sb_sentence *s, const struct sb_gate *gate)
{
    size_t left = 0;
    const char *before = ". Values of ";

    for (size_t i = 0; i < gate->lines_count; i++)
        left += pass_groups(&gate->line[i]);
    for (size_t i = 0; i < gate->lines_count; i++) {
        if (!pass_groups(&gate->line[i]))
            continue;
        sb_sentence_add(s, "%s%s", before, gate->line[i].statistic);
        before = --left > 1 ? ", " : " and ";
    }
    if (gate->merged)
        sb_sentence_add(s,
                        " were counted together in groups: the bound is on the groups, and a bias within one "
                        "is not ruled out");
}

/* Says at which lags the gate tested for dependence, and up to which permutation. Increments have no limit. */
static void pass_lags(struct sb_sentence *s, const struct sb_gate *gate, size_t first, size_t last)
{
    bool increments = false;

    for (size_t i = 0; i < gate->lines_count; i++)
        increments = increments || (gate->line[i].lag && !gate->line[i].dependence);
    sb_sentence_add(s, "tested only at lags %zu to %zu", first, last);
    if (gate->total > SB_LAGS_STEPS)
        sb_sentence_add(s, "%s only among the first %s", increments ? ", beyond lag 1" : ", and",
                        sb_number_grouped(SB_LAGS_STEPS).text);
}

/* Says what a pass assumes. The bounds on total variation need independence at every lag: that the lags raised
 * no alarm does not show independence, not even at these lags. */
static void pass_independent(struct sb_sentence *s, const struct sb_gate *gate)
{
    size_t first = 0, last = 0;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const size_t lag = gate->line[i].lag;

        first = lag && (!first || lag < first) ? lag : first;
        last = lag > last ? lag : last;
    }
    sb_sentence_add(s, ". It assumes that the %s are independent, which was ",
                    gate->chained ? "steps" : "permutations");
    if (last > first)
        pass_lags(s, gate, first, last);
    else
        sb_sentence_add(s, last ? "tested only from each to the next" : "not tested");
}

/* Says what follows from the small number of repeated decks. */
static void pass_seeds(struct sb_sentence *s, const struct sb_gate *gate)
{
    const char *const what = gate->chained ? "step" : "deck";

    if (gate->seeds_low < 2)
        return;
    if (gate->total > SB_REPEATS_MOST)
        sb_sentence_add(s, ". None of the first %s %ss came up again",
                        sb_number_grouped(SB_REPEATS_MOST).text, what);
    else
        sb_sentence_add(s, ". No %s came up twice", what);
    sb_sentence_add(
        s,
        ": fewer than 2^%d equally likely %ss are ruled out; such a shuffle gets this far without a "
        "repeat ",
        (int)floor(log2(gate->seeds_low)), what);
    sb_sentence_once(s, gate, gate->terms.delta, gate->budget.delta);
}

/* Says what speaks for a bias smaller than the bias that a pass rules out. */
static void pass_doubt(struct sb_sentence *s, const struct sb_gate *gate)
{
    if (!sb_gate_doubtful(gate))
        return;
    sb_sentence_add(s, ". ");
    sb_sentence_doubt(s, gate);
}

void sb_sentence_pass(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_number exclude = sb_number_given(gate->terms.exclude);
    const struct sb_number percent = sb_number_general_up(100 * gate->terms.exclude, 6);
    bool increments = false;

    for (size_t i = 0; i < gate->lines_count; i++)
        increments = increments || (gate->line[i].lag && !gate->line[i].dependence);
    if (sb_gate_shows_bias(gate)) /* a bias that is tolerated */
        sb_sentence_add(s, "this is no fair shuffle, but ");
    if (gate->whole) {
        sb_sentence_add(s,
                        "fair to within %s%%: fewer than %s%% of all %s%s would have to end otherwise (total "
                        "variation below %s)",
                        percent.text, percent.text, gate->deal < gate->n ? "deals" : "shuffles",
                        increments ? ", and of the steps from one to the next," : "", exclude.text);
        sb_sentence_add(s, ". A shuffle with a larger bias passes ");
    } else {
        sb_sentence_add(s, "in each of the statistics tested (");
        pass_statistics(s, gate);
        sb_sentence_add(s, ") it is less than %s from fair, in total variation", exclude.text);
        pass_merged(s, gate);
        sb_sentence_add(
            s, ". This says nothing of a bias that shows only elsewhere. A shuffle with a larger bias in "
               "one of them passes ");
    }
    sb_sentence_once(s, gate, gate->terms.delta, gate->budget.delta);
    pass_doubt(s, gate);
    pass_seeds(s, gate);
    pass_independent(s, gate);
}
