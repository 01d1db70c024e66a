/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's verdict in words: what the verdict means for the shuffle, and how often a verdict of this kind
 * is wrong.
 */
#include "fit/sequential.h"
#include "gate/gate.h"
#include "report/number.h"
#include "statistic/statistic.h"
#include "study/catalogue/catalogue_look.h"
#include "study/gate/gate_sentence_parts.h"
#include "study/gate/gate_text.h"

#include <math.h>
#include <string.h>

bool sb_gate_repeats_rejected(const struct sb_gate *gate)
{
    bool rejected = false;

    for (size_t i = 0; i < gate->lines_count; i++)
        rejected = rejected || (gate->line[i].rejected && strcmp(gate->line[i].statistic, "repeat") == 0);
    return rejected;
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
    sb_sentence_once(s, gate, gate->terms.alpha, gate->budget.alpha);
}

static void gate_sentence_fail(struct sb_sentence *s, const struct sb_gate *gate)
{
    if (!gate->looks_like.always && (gate->chain || sb_gate_dependence(gate))) {
        sb_sentence_dependent(s, gate);
        sb_sentence_add(s, "A fair shuffle that starts anew each time fails ");
        sb_sentence_once(s, gate, gate->terms.alpha, gate->budget.alpha);
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
    const bool repeats = !gate->cells_count && sb_gate_repeats_rejected(gate);

    sb_sentence_add(s, gate->cells_count || repeats || bettor ? "; " : ". ");
    sb_sentence_cells(s, gate);
    if (bettor)
        sb_sentence_predicted(s, gate, bettor);
    if (repeats)
        gate_sentence_repeats(s, gate, bettor != NULL);
    sb_sentence_looks_like(s, &gate->looks_like);
    gate_sentence_once_fair(s, gate);
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

/* Says which bias is ruled out, and what speaks for a bias that is not shown. */
static void gate_sentence_unbiased(struct sb_sentence *s, const struct sb_gate *gate)
{
    const bool open = sb_gate_doubtful(gate);

    if (open)
        sb_sentence_doubt(s, gate);
    sb_sentence_add(s, open ? ". " : "No bias was shown, but ");
    if (gate->tv_high <= 0.99) /* a larger one is 1.0 in two digits */
        /* "above", because a bound of the largest bias that there can be rules out nothing */
        sb_sentence_add(s, "%s above %s (total variation%s) is ruled out", open ? "Only a bias" : "only one",
                        sb_number_short_up(gate->tv_high, 2).text, gate_sentence_of(gate));
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
        sb_sentence_pass(s, gate);
    else
        gate_sentence_open_end(s, gate);
    sb_sentence_add(s, ".");
}
