/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate's verdict in words: what the verdict means for the shuffle, and how often a verdict of this kind is
 * wrong. */
#include "fit/sequential.h"
#include "statistic/statistic.h"
#include "study/catalogue/look.h"
#include "study/gate/gate_page.h"
#include "study/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pass_ln_doubt = 4.6051701859880914; /* ln 100 */

/* Writes an error probability: "at most once in 1,000,000 runs, on average" if `own` is 1e-6. If runs share a ledger,
 * writes `all` instead of `own`; `all` is the bound for all of these runs together. */
static void sentence_once(struct sb_sentence *s, const struct sb_gate *gate, double own, double all)
{
    const double probability = gate->budget.ledger ? all : own, runs = 1 / probability;

    if (gate->budget.ledger)
        sb_sentence_add(s, "with probability %s at most in all runs on this ledger together",
                        sb_number_general_up(probability, 6).text);
    else if (runs >= 10 && runs < 1e15)
        sb_sentence_add(s, "at most once in %s runs, on average", sb_number_grouped((uint64_t)(runs + 1e-6)).text);
    else
        sb_sentence_add(s, "with probability %s at most", sb_number_general_up(probability, 6).text);
}

static bool gate_doubtful(const struct sb_gate *gate)
{
    return gate->ln_e >= pass_ln_doubt && !sb_gate_shows_bias(gate);
}

static void sentence_doubt(struct sb_sentence *s, const struct sb_gate *gate)
{
    sb_sentence_add(s,
                    "E = %s is too small for a FAIL, which takes %s, but the E of a fair shuffle ever gets "
                    "that far with probability %s at most",
                    sb_number_exp(gate->ln_e).text, sb_number_goal(gate->terms.alpha).text,
                    sb_number_general_up(exp(-gate->ln_e), 2).text);
}

static void pass_statistics(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_statistic_type *const first = sb_statistic_find(gate->line[0].statistic);
    size_t families = 1;

    for (size_t i = 1; i < gate->lines_count; i++)
        families += gate->line[i].member == 0 && gate->line[i].cells > 0 && !gate->line[i].dependence;
    sb_sentence_add(s, "%s",
                    first == &sb_statistic_card_at && sb_item_groups(gate->names) ? "the group of each item"
                                                                                  : first->title);
    if (families > 1)
        sb_sentence_add(s, ", and %zu more", families - 1);
}

static bool pass_groups(const struct sb_gate_line *line)
{
    /* the other members' values are grouped in the same way */
    return line->merged && line->member == 0 && line->lag == 0;
}

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
        sb_sentence_add(s, " were counted together in groups: the bound is on the groups, and a bias within "
                           "one is not ruled out");
}

bool sb_gate_has_increments(const struct sb_gate *gate)
{
    bool increments = false;

    for (size_t i = 0; i < gate->lines_count; i++)
        increments = increments || (gate->line[i].lag && !gate->line[i].dependence);
    return increments;
}

static void pass_lags(struct sb_sentence *s, const struct sb_gate *gate, size_t first, size_t last)
{
    sb_sentence_add(s, "tested only at lags %zu to %zu", first, last);
    if (gate->total > SB_LAGS_STEPS)
        sb_sentence_add(s, "%s only among the first %s", sb_gate_has_increments(gate) ? ", beyond lag 1" : ", and",
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

static void pass_seeds(struct sb_sentence *s, const struct sb_gate *gate)
{
    const char *const what = gate->chained ? "step" : "deck";

    if (gate->seeds_low < 2)
        return;
    if (gate->total > SB_REPEATS_MOST)
        sb_sentence_add(s, ". None of the first %s %ss came up again", sb_number_grouped(SB_REPEATS_MOST).text, what);
    else
        sb_sentence_add(s, ". No %s came up twice", what);
    sb_sentence_add(
        s, ": fewer than 2^%d equally likely %ss are ruled out; such a shuffle gets this far without a repeat ",
        (int)floor(log2(gate->seeds_low)), what);
    sentence_once(s, gate, gate->terms.delta, gate->budget.delta);
}

static void sentence_pass(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_number exclude = sb_number_given(gate->terms.exclude);
    const struct sb_number percent = sb_number_general_up(100 * gate->terms.exclude, 6);

    if (sb_gate_shows_bias(gate)) /* a bias that is tolerated */
        sb_sentence_add(s, "this is %s, but ", gate->fair ? "not the intended law" : "no fair shuffle");
    if (gate->whole) {
        if (gate->fair)
            sb_sentence_add(s, "%s to within %s%%", gate->fair, percent.text);
        else
            sb_sentence_add(s, "fair to within %s%%", percent.text);
        sb_sentence_add(s,
                        ": fewer than %s%% of all %s%s would have to end otherwise (total "
                        "variation below %s)",
                        percent.text, gate->deal < gate->n ? "deals" : "shuffles",
                        sb_gate_has_increments(gate) ? ", and of the steps from one to the next," : "", exclude.text);
        sb_sentence_add(s, ". A shuffle with a larger bias passes ");
    } else {
        sb_sentence_add(s, "in each of the statistics tested (");
        pass_statistics(s, gate);
        sb_sentence_add(s, ") it is less than %s from %s, in total variation", exclude.text,
                        gate->fair ? gate->fair : "fair");
        pass_merged(s, gate);
        sb_sentence_add(s, ". This says nothing of a bias that shows only elsewhere. A shuffle with a larger "
                           "bias in one of them passes ");
    }
    sentence_once(s, gate, gate->terms.delta, gate->budget.delta);
    if (gate_doubtful(gate)) {
        sb_sentence_add(s, ". ");
        sentence_doubt(s, gate);
    }
    pass_seeds(s, gate);
    pass_independent(s, gate);
}

static bool sentence_lines(const struct sb_gate *gate)
{
    return strcmp(gate->kind, "scheme") != 0 && strcmp(gate->kind, "callback") != 0;
}

/* Says how often a single item comes back within a few lines. */
static void sentence_within(struct sb_sentence *s, const struct sb_gate *gate)
{
    const double lines = (double)gate->compared;

    if (gate->within_again == 0)
        sb_sentence_add(s, "no item came up again within %zu line%s; by chance one would in %s%% of lines. ",
                        gate->within, gate->within == 1 ? "" : "s",
                        sb_number_short(100 * gate->within_fair / lines, 2).text);
    else
        sb_sentence_add(s, "in %s%% of lines an item came up again within %zu line%s, and by chance in %s%%. ",
                        sb_number_short(100 * (double)gate->within_again / lines, 2).text, gate->within,
                        gate->within == 1 ? "" : "s", sb_number_short(100 * gate->within_fair / lines, 2).text);
}

static void sentence_dependent(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_gate_line *const line = sb_gate_dependence(gate);
    const size_t lag = line ? line->lag : 1;
    const char *const each = gate->chained ? "step" : sentence_lines(gate) && lag == 1 ? "line" : "permutation";
    const struct sb_gate_line *const bettor = sb_gate_predicted(gate);

    if (gate->order == SB_ORDER_CHAIN)
        sb_sentence_add(s, "each %s looks like a shuffle of the one before: use `chained`; ", each);
    else if (lag == 1)
        sb_sentence_add(s, "each %s depends on the one before; ", each);
    else
        sb_sentence_add(s, "each %s depends on the one %zu before; ", each, lag);
    if (gate->within)
        sentence_within(s, gate);
    else
        sb_sentence_cells(s, gate);
    if (bettor)
        sb_sentence_predicted(s, gate, bettor);
}

const struct sb_gate_line *sb_gate_predicted(const struct sb_gate *gate)
{
    for (size_t i = 0; i < gate->lines_count && gate->cells_count == 0; i++)
        if (gate->line[i].rejected && gate->line[i].context)
            return &gate->line[i];
    return NULL;
}

void sb_sentence_predicted(struct sb_sentence *s, const struct sb_gate *gate, const struct sb_gate_line *bettor)
{
    if (gate->context) {
        sb_sentence_add(s, "the items come as if %s: bets on this multiplied a stake by %s. ", bettor->context,
                        sb_number_exp(bettor->ln_e).text);
        return;
    }
    sb_sentence_add(s, "its %s can be predicted from %s: bets on such predictions multiplied a stake by %s. ",
                    gate->chained ? "steps" : "cards", gate->order == SB_ORDER_ANY ? "earlier cards" : bettor->context,
                    sb_number_exp(bettor->ln_e).text);
}

/*
 * The gate's bounds in words and in numbers. Lower bounds are rounded down, and upper bounds up.
 *
 * A failure shows that a shuffle is biased long before it shows by how much: the lower bound of the total variation
 * is then 0, and "at least 0.0000" would look as if the shuffle could be fair. This does not hold if only dependence
 * or repeated decks were shown: permutations that depend on each other may each have the law of a fair shuffle.
 */

/* Returns whether the failure shows that the law of the permutations, or of their increments, is not fair. */
static bool bounds_biased(const struct sb_gate *gate)
{
    size_t law = 0, other = 0;

    if (gate->verdict != SB_VERDICT_FAIL || gate->terms.tolerate > 0)
        return false;
    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];
        const bool of_law =
            line->cells ? !line->dependence
                        : strcmp(line->statistic, "catalogue") == 0 || strcmp(line->statistic, sb_outliers_decks) == 0;

        law += line->rejected && of_law;
        other += line->rejected && !of_law;
    }
    return law > 0 && (other == 0 || !gate->jointly);
}

struct sb_number sb_gate_bounds(const struct sb_gate *gate, double low, double high)
{
    struct sb_number bounds;

    if (low > 0)
        snprintf(bounds.text, sizeof bounds.text, "between %.100s and %.100s",
                 low >= 1e-4 ? sb_number_fixed_down(low, 4).text : sb_number_short_down(low, 2).text,
                 sb_number_fixed_up(high, 4).text);
    else
        snprintf(bounds.text, sizeof bounds.text, "%sat most %.100s", bounds_biased(gate) ? "above 0 and " : "",
                 sb_number_fixed_up(high, 4).text);
    return bounds;
}

struct sb_number sb_gate_bounds_range(double low, double high)
{
    return sb_number_range(sb_number_fixed_down(low, 4), sb_number_fixed_up(high, 4));
}

bool sb_gate_repeats_rejected(const struct sb_gate *gate)
{
    bool rejected = false;

    for (size_t i = 0; i < gate->lines_count; i++)
        rejected = rejected || (gate->line[i].rejected && strcmp(gate->line[i].statistic, "repeat") == 0);
    return rejected;
}

static void gate_sentence_once_fair(struct sb_sentence *s, const struct sb_gate *gate)
{
    sb_sentence_add(s, gate->terms.tolerate > 0 ? "One that is no farther fails "
                       : gate->fair             ? "One that has this law fails "
                                                : "A fair one fails ");
    sentence_once(s, gate, gate->terms.alpha, gate->budget.alpha);
}

/* Names the rejected line with the most evidence, if none of its cells stands out. The catalogue has no cells. */
static void gate_sentence_most(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_gate_line *most = NULL;

    for (size_t i = 0; i < gate->lines_count; i++)
        if (gate->line[i].rejected && (!most || gate->line[i].ln_e > most->ln_e))
            most = &gate->line[i];
    if (most && strcmp(most->statistic, "catalogue") == 0)
        sb_sentence_add(s, "; known faulty shuffles make these %s %s times as likely as a fair one, on average",
                        gate->chained ? "steps" : "permutations", sb_number_exp(most->ln_e).text);
    else if (most && most->outliers)
        sb_sentence_add(s, "; single %s are too unlikely: E = %s", gate->chained ? "steps" : "decks",
                        sb_number_exp(most->ln_e).text);
    else if (most && most->cells)
        sb_sentence_add(s, "; %s: E = %s", sb_statistic_find(most->statistic)->title, sb_number_exp(most->ln_e).text);
    sb_sentence_add(s, ". ");
}

static void gate_sentence_fail(struct sb_sentence *s, const struct sb_gate *gate)
{
    const bool same = gate->order == SB_ORDER_SAME;

    if (!gate->looks_like.always &&
        (same || gate->order == SB_ORDER_CHAIN || (gate->order != SB_ORDER_ANY && sb_gate_dependence(gate)))) {
        if (same)
            sb_sentence_neighbours(s, gate->same, gate->compared, sentence_lines(gate) ? "line" : "permutation", "");
        else
            sentence_dependent(s, gate);
        sb_sentence_add(s, "A fair shuffle that starts anew each time fails ");
        sentence_once(s, gate, gate->terms.alpha, gate->budget.alpha);
        return;
    }
    if (gate->looks_like.always) {
        sb_sentence_always(s, &gate->looks_like, gate->chained, false);
        gate_sentence_once_fair(s, gate);
        return;
    }
    if (gate->fair)
        sb_sentence_add(s, "this is not %s", gate->fair);
    else
        sb_sentence_add(s, "this is no fair shuffle");
    if (gate->terms.tolerate > 0)
        sb_sentence_add(s, ", and farther from one than the %s tolerated", sb_number_given(gate->terms.tolerate).text);
    const struct sb_gate_line *const bettor = sb_gate_predicted(gate);
    const bool repeats = !gate->cells_count && sb_gate_repeats_rejected(gate);

    if (gate->cells_count || repeats || bettor || gate->outlier.deck)
        sb_sentence_add(s, "; ");
    else
        gate_sentence_most(s, gate);
    sb_sentence_cells(s, gate);
    if (bettor && gate->again && !repeats)
        sb_sentence_add(s,
                        "%s of %s %ss had come up before, where %s are expected, as with a short seed or the same "
                        "run twice. ",
                        sb_number_grouped(gate->again).text, sb_number_grouped(gate->compared).text,
                        sentence_lines(gate) ? "line" : "permutation", sb_number_short(gate->again_fair, 2).text);
    else if (bettor)
        sb_sentence_predicted(s, gate, bettor);
    sb_sentence_outlier(s, gate);
    if (repeats)
        sb_sentence_add(s, "%s whole %s came up again %s time%s, which hardly ever happens to a fair shuffle. ",
                        bettor ? "A" : "a", gate->chained ? "step" : "deck", sb_number_grouped(gate->repeats).text,
                        gate->repeats == 1 ? "" : "s");
    sb_sentence_looks_like(s, &gate->looks_like);
    gate_sentence_once_fair(s, gate);
}

static const char *gate_sentence_end(const struct sb_gate *gate)
{
    if (gate->interrupted)
        return "it was interrupted";
    if (gate->reported)
        return gate->evidence.part[0] ? "these parts of the run ended" : "the run ended";
    return gate->total - gate->budget.carried >= gate->terms.limit ? "the limit was reached" : "the subject ended";
}

static void gate_sentence_needed(struct sb_sentence *s, double needed)
{
    const double unit = pow(10, fmax(0, floor(log10(needed)) - 1));
    const uint64_t rounded = (uint64_t)fmin(unit * ceil(needed / unit), 9e18);

    sb_sentence_add(s, "about %s more permutation%s", sb_number_grouped(rounded).text, rounded == 1 ? "" : "s");
}

static void gate_sentence_biased(struct sb_sentence *s, const struct sb_gate *gate)
{
    if (gate->fair)
        sb_sentence_add(s, "It is not %s, ", gate->fair);
    else
        sb_sentence_add(s, "It is no fair shuffle, ");
    if (gate->tv_low > 0)
        sb_sentence_add(s, "at least %s from one, ", sb_number_short_down(gate->tv_low, 2).text);
    sb_sentence_add(s, "but whether by more than the %s tolerated is open", sb_number_given(gate->terms.tolerate).text);
}

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

static void gate_sentence_unbiased(struct sb_sentence *s, const struct sb_gate *gate)
{
    const bool open = gate_doubtful(gate);

    if (open)
        sentence_doubt(s, gate);
    sb_sentence_add(s, open ? ". " : "No bias was shown, but ");
    if (gate->tv_high <= 0.99) /* a larger one is 1.0 in two digits */
        /* "above", because a bound of the largest bias that there can be rules out nothing */
        sb_sentence_add(s, "%s above %s (total variation%s) is ruled out", open ? "Only a bias" : "only one",
                        sb_number_short_up(gate->tv_high, 2).text,
                        gate->whole    ? ""
                        : gate->merged ? ", in what was tested, some of it in groups of values"
                                       : ", in what was tested");
    else
        sb_sentence_add(s, open ? "No bias is ruled out" : "none is ruled out either");
}

static void gate_sentence_open_end(struct sb_sentence *s, const struct sb_gate *gate)
{
    sb_sentence_add(s, "%s before the question was settled. ", gate_sentence_end(gate));
    if (sb_gate_shows_dependence(gate)) {
        sb_sentence_add(s, "The %s depend on each other, so no bound on the bias holds",
                        gate->chained ? "steps" : "permutations");
        return;
    }
    if (gate->report_ln_p < 0) {
        sb_sentence_add(s, "A gate needs more permutations, but a report on these shows a bias (p = %s)",
                        sb_number_p(exp(gate->report_ln_p), gate->report_ln_p).text);
        return;
    }
    if (sb_gate_shows_bias(gate))
        gate_sentence_biased(s, gate);
    else
        gate_sentence_unbiased(s, gate);
    if (gate->terms.seeds && gate->repeats) {
        sb_sentence_add(s, "; whole %ss came up again, so that %s of them cannot be shown",
                        gate->chained ? "step" : "deck", sb_number_grouped(gate->terms.seeds).text);
        return;
    }
    if (gate->terms.seeds && gate->seeds_low < (double)gate->terms.seeds)
        gate_sentence_few(s, gate);
    if (gate->terms.exclude <= SB_TV_HIGH_LEAST) {
        sb_sentence_add(s, "; no number of permutations rules out %s", sb_number_given(gate->terms.exclude).text);
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

    sb_sentence_add(s, "%s after %s permutation%s: ", word[gate->verdict], sb_number_grouped(gate->total).text,
                    gate->total == 1 ? "" : "s");
    if (gate->verdict == SB_VERDICT_FAIL)
        gate_sentence_fail(s, gate);
    else if (gate->verdict == SB_VERDICT_PASS)
        sentence_pass(s, gate);
    else
        gate_sentence_open_end(s, gate);
    sb_sentence_add(s, ".");
}
