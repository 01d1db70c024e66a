/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's verdict in words: what the verdict means for the shuffle, and how often a verdict of this kind
 * is wrong.
 */
#include "fit/sequential/tv_high.h"
#include "gate/gate.h"
#include "report/number.h"
#include "statistic/statistic.h"
#include "study/catalogue/catalogue_look.h"
#include "study/gate/gate_text.h"
#include "study/sentence.h"

#include <math.h>
#include <string.h>

/* Writes an error probability: "at most once in 1,000,000 runs, on average" if `own` is 1e-6. If runs share a ledger,
 * writes `all` instead of `own`; `all` is the bound for all of these runs together. */
static void gate_sentence_once(struct sb_sentence *s, const struct sb_gate *gate, double own, double all)
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

/* Says that whole decks came up again, and how often. `begins`: the words begin a sentence. */
static void gate_sentence_repeats(struct sb_sentence *s, const struct sb_gate *gate, bool begins)
{
    sb_sentence_add(s, "%s whole %s came up again %s time%s, which hardly ever happens to a fair shuffle. ",
                    begins ? "A" : "a", gate->chained ? "step" : "deck",
                    sb_number_grouped(gate->repeats).text, gate->repeats == 1 ? "" : "s");
}

/* Says how often a fair shuffle fails. */
static void gate_sentence_once_fair(struct sb_sentence *s, const struct sb_gate *gate)
{
    sb_sentence_add(s, gate->terms.tolerate > 0 ? "One that is no farther fails " : "A fair one fails ");
    gate_sentence_once(s, gate, gate->terms.alpha, gate->budget.alpha);
}

static void gate_sentence_fail(struct sb_sentence *s, const struct sb_gate *gate)
{
    if (!gate->looks_like.always && (gate->chain || sb_gate_dependence(gate))) {
        sb_sentence_dependent(s, gate);
        sb_sentence_add(s, "A fair shuffle that starts anew each time fails ");
        gate_sentence_once(s, gate, gate->terms.alpha, gate->budget.alpha);
        return;
    }
    if (gate->looks_like.always) {
        sb_sentence_always(s, &gate->looks_like, gate->chained, false);
        gate_sentence_once_fair(s, gate);
        return;
    }
    sb_sentence_add(s, "this is no fair shuffle");
    if (gate->terms.tolerate > 0)
        sb_sentence_add(s, ", and farther from one than the %s tolerated",
                        sb_number_given(gate->terms.tolerate).text);
    const struct sb_gate_line *const bettor = sb_gate_predicted(gate);
    const bool repeats = !gate->cells_count && gate->repeats && !gate->whole;

    sb_sentence_add(s, gate->cells_count || repeats || bettor ? "; " : ". ");
    sb_sentence_cells(s, gate);
    if (bettor)
        sb_sentence_predicted(s, gate, bettor);
    if (repeats)
        gate_sentence_repeats(s, gate, bettor != NULL);
    sb_sentence_looks_like(s, &gate->looks_like);
    gate_sentence_once_fair(s, gate);
}

/* Lists the statistics that have a bound: "the position of each item, and 10 more". */
static void gate_sentence_statistics(struct sb_sentence *s, const struct sb_gate *gate)
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
static bool gate_sentence_groups(const struct sb_gate_line *line)
{
    /* the other members' values are grouped in the same way */
    return line->merged && line->member == 0 && line->lag == 0;
}

/* Says that the bounds apply to groups of values: "Values of cycles, descents and inversions were counted
 * together in groups". */
static void gate_sentence_merged(struct sb_sentence *s, const struct sb_gate *gate)
{
    size_t left = 0;
    const char *before = ". Values of ";

    for (size_t i = 0; i < gate->lines_count; i++)
        left += gate_sentence_groups(&gate->line[i]);
    for (size_t i = 0; i < gate->lines_count; i++) {
        if (!gate_sentence_groups(&gate->line[i]))
            continue;
        sb_sentence_add(s, "%s%s", before, gate->line[i].statistic);
        before = --left > 1 ? ", " : " and ";
    }
    if (gate->merged)
        sb_sentence_add(s,
                        " were counted together in groups: the bound is on the groups, and a bias within one "
                        "is not ruled out");
}

/* Says what a pass assumes. The bounds on total variation need independence at every lag: that the lags raised
 * no alarm does not show independence, not even at these lags. */
static void gate_sentence_independent(struct sb_sentence *s, const struct sb_gate *gate)
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
        sb_sentence_add(s, "tested only at lags %zu to %zu", first, last);
    else
        sb_sentence_add(s, last ? "tested only from each to the next" : "not tested");
}

/* Says what follows from the small number of repeated decks. */
static void gate_sentence_seeds(struct sb_sentence *s, const struct sb_gate *gate)
{
    const char *const what = gate->chained ? "step" : "deck";

    if (gate->seeds_low < 2)
        return;
    sb_sentence_add(s,
                    ". No %s came up twice: fewer than 2^%d equally likely %ss are ruled out; such a shuffle "
                    "gets this far without a repeat ",
                    what, (int)floor(log2(gate->seeds_low)), what);
    gate_sentence_once(s, gate, gate->terms.delta, gate->budget.delta);
}

static void gate_sentence_pass(struct sb_sentence *s, const struct sb_gate *gate)
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
        gate_sentence_statistics(s, gate);
        sb_sentence_add(s, ") it is less than %s from fair, in total variation", exclude.text);
        gate_sentence_merged(s, gate);
        sb_sentence_add(
            s, ". This says nothing of a bias that shows only elsewhere. A shuffle with a larger bias in "
               "one of them passes ");
    }
    gate_sentence_once(s, gate, gate->terms.delta, gate->budget.delta);
    gate_sentence_seeds(s, gate);
    gate_sentence_independent(s, gate);
}

/* Returns the words that say why no more permutations were read. */
static const char *gate_sentence_end(const struct sb_gate *gate)
{
    if (gate->interrupted)
        return "it was interrupted";
    if (gate->reported)
        return gate->evidence.part[0] ? "these parts of the run ended" : "the run ended";
    return gate->total - gate->budget.carried >= gate->terms.limit ? "the limit was reached"
                                                                   : "the subject ended";
}

/* Writes a number that is rounded to two digits: "about 22,000,000". */
static void gate_sentence_needed(struct sb_sentence *s, double needed)
{
    const double unit = pow(10, fmax(0, floor(log10(needed)) - 1));
    const uint64_t rounded = (uint64_t)fmin(unit * ceil(needed / unit), 9e18);

    sb_sentence_add(s, "about %s more permutation%s", sb_number_grouped(rounded).text,
                    rounded == 1 ? "" : "s");
}

/* Says that the shuffle is biased, although the bias may be within the tolerated size. */
static void gate_sentence_biased(struct sb_sentence *s, const struct sb_gate *gate)
{
    sb_sentence_add(s, "It is no fair shuffle, ");
    if (gate->tv_low > 0)
        sb_sentence_add(s, "at least %s from one, ", sb_number_short_down(gate->tv_low, 2).text);
    sb_sentence_add(s, "but whether by more than the %s tolerated is open",
                    sb_number_given(gate->terms.tolerate).text);
}

/* Returns the words that say what the bounds apply to. */
static const char *gate_sentence_of(const struct sb_gate *gate)
{
    return gate->whole    ? ""
           : gate->merged ? ", in what was tested, some of it in groups of values"
                          : ", in what was tested";
}

/* Says how many equally likely decks are ruled out, which is fewer than `seeds` asks for. */
static void gate_sentence_few(struct sb_sentence *s, const struct sb_gate *gate)
{
    const char *const what = gate->chained ? "step" : "deck";
    const struct sb_number asked = sb_number_grouped(gate->terms.seeds);

    if (gate->seeds_low < 2) /* there is at least one deck */
        sb_sentence_add(s, "; fewer than %s %ss are not ruled out", asked.text, what);
    else
        sb_sentence_add(s, "; fewer than %s %ss are ruled out, not %s",
                        sb_number_grouped((uint64_t)gate->seeds_low).text, what, asked.text);
}

static void gate_sentence_open_end(struct sb_sentence *s, const struct sb_gate *gate)
{
    sb_sentence_add(s, "%s before the question was settled. ", gate_sentence_end(gate));
    if (sb_gate_shows_dependence(gate)) {
        sb_sentence_add(s, "The %s depend on each other, so no bound on the bias holds",
                        gate->chained ? "steps" : "permutations");
        return;
    }
    if (sb_gate_shows_bias(gate))
        gate_sentence_biased(s, gate);
    else if (gate->tv_high <= 0.99) /* a larger one is 1.0 in two digits */
        /* "above", because a bound of the largest bias that there can be rules out nothing */
        sb_sentence_add(s, "No bias was shown, but only one above %s (total variation%s) is ruled out",
                        sb_number_short_up(gate->tv_high, 2).text, gate_sentence_of(gate));
    else
        sb_sentence_add(s, "No bias was shown, but none is ruled out either");
    if (gate->terms.seeds && gate->repeats) {
        sb_sentence_add(s, "; whole %ss came up again, so that %s of them cannot be shown",
                        gate->chained ? "step" : "deck", sb_number_grouped(gate->terms.seeds).text);
        return;
    }
    if (gate->terms.seeds && gate->seeds_low < (double)gate->terms.seeds)
        gate_sentence_few(s, gate);
    if (gate->terms.exclude <= SB_TV_HIGH_LEAST) {
        sb_sentence_add(s, "; no number of permutations rules out %s",
                        sb_number_given(gate->terms.exclude).text);
    } else if (gate->needed > 0) {
        sb_sentence_add(s, "; a verdict takes "); /* which may be a failure */
        gate_sentence_needed(s, gate->needed);
    }
}

void sb_sentence_gate(struct sb_sentence *s, const struct sb_gate *gate)
{
    static const char *const word[] = {
        [SB_VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
        [SB_VERDICT_PASS] = "PASS",
        [SB_VERDICT_FAIL] = "FAIL",
    };

    sb_sentence_add(s, "%s after %s permutation%s: ", word[gate->verdict],
                    sb_number_grouped(gate->total).text, gate->total == 1 ? "" : "s");
    if (gate->verdict == SB_VERDICT_FAIL)
        gate_sentence_fail(s, gate);
    else if (gate->verdict == SB_VERDICT_PASS)
        gate_sentence_pass(s, gate);
    else
        gate_sentence_open_end(s, gate);
    sb_sentence_add(s, ".");
}
