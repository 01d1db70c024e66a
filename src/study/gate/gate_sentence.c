/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate's verdict in words: a line, and a few details that fold below it. The words are those of data/pages/gate.md;
 * this file computes their values. */
#include "study/catalogue/look.h"
#include "study/gate/gate_page.h"
#include "study/run/run.h"

static const double pass_ln_doubt = 4.6051701859880914; /* ln 100 */

/* Returns whether steps from one permutation to the next were tested on request. */
static bool gate_has_increments(const struct sb_gate *gate)
{
    bool increments = false;

    for (size_t i = 0; i < gate->lines_count; i++)
        increments = increments || (gate->line[i].lag && !gate->line[i].dependence);
    return increments;
}

const struct sb_gate_line *sb_gate_predicted(const struct sb_gate *gate)
{
    /* cells of a statistic that is not biased are listed where nothing else is known */
    const bool cells = gate->cells_count && gate->line[gate->cell->line].rejected;

    for (size_t i = 0; i < gate->lines_count && !cells; i++)
        if (gate->line[i].rejected && gate->line[i].context)
            return &gate->line[i];
    return NULL;
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

bool sb_gate_replayed(const struct sb_gate *gate)
{
    double repeats = -HUGE_VAL, most = -HUGE_VAL;

    for (size_t i = 0; i < gate->lines_count; i++) {
        double *const ln_e = strcmp(gate->line[i].statistic, "repeat") == 0 ? &repeats : &most;

        *ln_e = fmax(*ln_e, gate->line[i].ln_e);
    }
    return gate->replay.length && sb_gate_repeats_rejected(gate) && repeats >= most;
}

void sb_sentence_replay(struct sb_sentence *s, const struct sb_replay_run *run, const char *deck)
{
    sb_sentence_fill(s, "gate", "replay",
                     json_pack("{s:I, s:I, s:I, s:I, s:b, s:s}", "first", (json_int_t)run->first, "to",
                               (json_int_t)(run->first + run->length - 1), "again", (json_int_t)run->again, "until",
                               (json_int_t)(run->again + run->length - 1), "many", run->length > 1, "deck", deck));
}

/* ---- the values of the texts ---- */

static void value_text(json_t *values, const char *name, const char *text)
{
    json_object_set_new(values, name, json_string(text));
}

static void value_number(json_t *values, const char *name, double number)
{
    json_object_set_new(values, name,
                        number == floor(number) && fabs(number) < 9e15 ? json_integer((json_int_t)number)
                                                                       : json_real(number));
}

/* Adds a part of data/pages/gate.md, with values that are the caller's to free. */
static void gate_say(struct sb_sentence *s, const char *part, json_t *values)
{
    sb_sentence_fill(s, "gate", part, json_incref(values));
}

/* Sets a value to a sentence, which it closes. Where memory ran out the value is missing, and so is each text with it. */
static void value_part(json_t *values, const char *name, struct sb_sentence *s)
{
    value_text(values, name, s->lost ? NULL : s->text ? s->text : "");
    sb_sentence_close(s);
}

/* Sets what `at_most` says of an error probability: that of this run, or the bound for all runs on a ledger. */
static void value_error(json_t *values, const struct sb_gate *gate, double own, double all)
{
    const double probability = gate->budget.ledger ? all : own, runs = floor(1 / probability + 1e-6);
    struct sb_sentence s = { 0 };

    json_object_set_new(values, "ledger", json_boolean(gate->budget.ledger));
    value_text(values, "probability", sb_number_general_up(probability, 6).text);
    value_number(values, "runs", runs >= 10 && runs < 1e15 ? runs : 0);
    gate_say(&s, "at_most", values);
    value_part(values, "at_most", &s);
}

static bool gate_reads_lines(const struct sb_gate *gate)
{
    return strcmp(gate->kind, "scheme") != 0 && strcmp(gate->kind, "callback") != 0;
}

static bool gate_doubtful(const struct sb_gate *gate)
{
    return gate->ln_e >= pass_ln_doubt && !sb_gate_shows_bias(gate);
}

/* Counts the statistics, by families, and those of which neighbouring values are counted together. The other members'
 * values are grouped in the same way. */
static void value_statistics(json_t *values, const struct sb_gate *gate)
{
    size_t families = 1, groups = 0, first = 0, last = 0;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];

        families += i && line->member == 0 && line->cells > 0 && !line->dependence;
        groups += line->merged && line->member == 0 && line->lag == 0;
        first = line->lag && (!first || line->lag < first) ? line->lag : first;
        last = line->lag > last ? line->lag : last;
    }
    value_number(values, "statistics", (double)families);
    value_number(values, "groups", (double)groups);
    value_number(values, "first", (double)first);
    value_number(values, "last", (double)last);
    value_number(values, "steps", SB_LAGS_STEPS);
}

/* What all verdicts share. The caller frees the values. */
static json_t *gate_values(const struct sb_gate *gate)
{
    json_t *const values = json_object();
    const struct sb_multiset *const groups = sb_item_groups(gate->names);
    const struct sb_number tolerate = sb_number_given(gate->terms.tolerate);

    value_number(values, "total", (double)gate->total);
    value_text(values, "shuffle", gate->chained ? "step" : !groups ? "shuffle" : groups->groups == 1 ? "draw" : "deal");
    value_text(values, "deck", gate->chained ? "step" : !groups ? "deck" : groups->groups == 1 ? "set" : "deal");
    value_text(values, "each", gate->chained ? "step" : gate_reads_lines(gate) ? "line" : "shuffle");
    value_text(values, "fair", gate->fair ? gate->fair : "fair");
    value_text(values, "tolerate", gate->terms.tolerate > 0 ? tolerate.text : "");
    value_text(values, "max_bias", sb_number_given(gate->terms.exclude).text);
    value_text(values, "percent", sb_number_general_up(100 * gate->terms.exclude, 6).text);
    value_text(values, "e", sb_number_exp(gate->ln_e).text);
    value_text(values, "goal", sb_number_goal(gate->terms.alpha).text);
    value_text(values, "e_probability", sb_number_general_up(exp(-gate->ln_e), 2).text);
    json_object_set_new(values, "law", json_boolean(gate->fair));
    json_object_set_new(values, "whole", json_boolean(gate->whole));
    json_object_set_new(values, "chained", json_boolean(gate->chained));
    json_object_set_new(values, "biased", json_boolean(sb_gate_shows_bias(gate)));
    json_object_set_new(values, "doubt", json_boolean(gate_doubtful(gate)));
    json_object_set_new(values, "increments", json_boolean(gate_has_increments(gate)));
    value_number(values, "repeats", (double)gate->repeats);
    json_object_set_new(values, "replayed", json_false());
    value_number(values, "compared", (double)gate->compared);
    value_statistics(values, gate);
    return values;
}

/* ---- PASS ---- */

/* Adds a part as a line of its own. */
static void gate_detail(struct sb_sentence *details, const char *part, json_t *values)
{
    if (details->used)
        sb_sentence_add(details, "\n");
    gate_say(details, part, values);
}

static void gate_passes(const struct sb_gate *gate, json_t *values, struct sb_sentence *line,
                        struct sb_sentence *details)
{
    value_error(values, gate, gate->terms.delta, gate->budget.delta);
    gate_say(line, "pass", values);
    gate_detail(details, "pass_bound", values);
    if (gate->merged && !gate->whole)
        gate_detail(details, "pass_groups", values);
    gate_detail(details, "pass_error", values);
    if (gate->seeds_low >= 2) {
        value_number(values, "seeds", floor(log2(gate->seeds_low)));
        value_number(values, "compared", SB_REPEATS_MOST);
        gate_detail(details, "pass_seeds", values);
    }
    gate_detail(details, "pass_independent", values);
    if (gate_doubtful(gate))
        gate_detail(details, "doubt", values);
}

/* ---- FAIL ---- */

void sb_sentence_predicted(struct sb_sentence *s, const struct sb_gate *gate, const struct sb_gate_line *bettor)
{
    const bool any = gate->order == SB_ORDER_ANY && !gate->context;

    sb_sentence_fill(s, "gate", "fail_predicted",
                     json_pack("{s:b, s:b, s:b, s:s, s:s}", "within", gate->context != NULL, "chained", gate->chained,
                               "sets", sb_item_groups(gate->names) != NULL, "context",
                               any ? "earlier cards" : bettor->context, "stake", sb_number_exp(bettor->ln_e).text));
}

/* Says how often a single item comes back within a few lines. */
static void fail_within(struct sb_sentence *s, const struct sb_gate *gate, json_t *values)
{
    const double percent = 100 / (double)gate->compared;

    value_number(values, "within", (double)gate->within);
    value_number(values, "again", (double)gate->within_again);
    value_text(values, "share", sb_number_short(percent * (double)gate->within_again, 2).text);
    value_text(values, "expected", sb_number_short(percent * gate->within_fair, 2).text);
    gate_say(s, "fail_within", values);
}

/* Names the rejected line with the most evidence, if none of its cells stands out. The catalogue has no cells. */
static void fail_most(struct sb_sentence *s, const struct sb_gate *gate, json_t *values)
{
    const struct sb_gate_line *most = NULL;

    for (size_t i = 0; i < gate->lines_count; i++)
        if (gate->line[i].rejected && (!most || gate->line[i].ln_e > most->ln_e))
            most = &gate->line[i];
    const bool catalogue = most && strcmp(most->statistic, "catalogue") == 0, outliers = most && most->outliers;

    if (!most || (!catalogue && !outliers && !most->cells))
        return;
    json_object_set_new(values, "catalogue", json_boolean(catalogue));
    value_text(values, "statistic",
               catalogue  ? ""
               : outliers ? "single decks are too unlikely"
                          : sb_statistic_find(most->statistic)->title);
    value_text(values, "e", sb_number_exp(most->ln_e).text);
    gate_say(s, "fail_most", values);
}

/* What stands out where the order of the permutations matters. */
static void fail_depends(struct sb_sentence *s, const struct sb_gate *gate, json_t *values)
{
    const struct sb_gate_line *const lagged = sb_gate_dependence(gate), *const bettor = sb_gate_predicted(gate);
    const size_t lag = lagged ? lagged->lag : 1;

    json_object_set_new(values, "chain", json_boolean(gate->order == SB_ORDER_CHAIN));
    value_number(values, "lag", (double)lag);
    gate_say(s, "fail_depends", values);
    if (gate->within || (gate->cells_count && !bettor))
        sb_sentence_add(s, "; ");
    if (gate->within)
        fail_within(s, gate, values);
    else if (!bettor)
        sb_sentence_cells(s, gate);
    if (bettor) {
        sb_sentence_add(s, "; ");
        sb_sentence_predicted(s, gate, bettor);
    }
}

static void fail_replayed(struct sb_sentence *s, const struct sb_gate *gate, json_t *values)
{
    if (gate->repeats) {
        json_object_set_new(values, "replayed", json_true());
        gate_say(s, "fail_repeats", values);
        sb_sentence_add(s, ": ");
    }
    sb_sentence_replay(s, &gate->replay, json_string_value(json_object_get(values, "deck")));
}

/* What stands out whatever the order is. */
static void fail_plain(struct sb_sentence *s, const struct sb_gate *gate, json_t *values)
{
    const struct sb_gate_line *const bettor = sb_gate_predicted(gate);
    const bool repeats = (bettor || !gate->cells_count) && sb_gate_repeats_rejected(gate);

    value_number(values, "again", (double)gate->again);
    value_text(values, "expected", sb_number_short(gate->again_fair, 2).text);
    if (!bettor)
        sb_sentence_cells(s, gate);
    if (bettor && gate->within)
        fail_within(s, gate, values);
    else if (bettor && gate->again && !repeats)
        gate_say(s, "fail_again", values);
    else if (bettor)
        sb_sentence_predicted(s, gate, bettor);
    sb_sentence_odd(s, &gate->outlier);
    if (repeats) {
        sb_sentence_add(s, "%s", s->used ? "; " : "");
        gate_say(s, "fail_repeats", values);
    }
    if (!s->used)
        fail_most(s, gate, values);
}

static void gate_fails(const struct sb_gate *gate, json_t *values, struct sb_sentence *line,
                       struct sb_sentence *details)
{
    const bool always = gate->looks_like.always, same = !always && gate->order == SB_ORDER_SAME;
    const bool replayed = !always && !same && sb_gate_replayed(gate);
    const bool depends = !always && !same && !replayed &&
                         (gate->order == SB_ORDER_CHAIN || (gate->order != SB_ORDER_ANY && sb_gate_dependence(gate)));
    const char *const each = gate_reads_lines(gate) ? "line" : "shuffle";
    struct sb_sentence told = { 0 };

    if (always)
        sb_sentence_always(&told, &gate->looks_like, gate->chained);
    else if (same)
        sb_sentence_neighbours(&told, gate->same, gate->compared, each);
    else if (replayed)
        fail_replayed(&told, gate, values);
    else if (depends)
        fail_depends(&told, gate, values);
    else
        fail_plain(&told, gate, values);
    value_part(values, "told", &told);
    json_object_set_new(values, "plain", json_boolean(!always && !same && !depends));
    json_object_set_new(values, "anew", json_boolean(same || depends));
    gate_say(line, "fail", values);
    if (always)
        sb_sentence_always_ask(details, &gate->looks_like, gate->chained);
    else if (same)
        sb_sentence_neighbours_ask(details, each);
    else if (depends && gate->order == SB_ORDER_CHAIN)
        sb_sentence_add(details, "To test the steps between them, use `chained`. ");
    else if (replayed)
        sb_sentence_add(details, "Is a generator seeded again from few seeds, or a recording read twice? ");
    else if (!depends && gate->outlier.deck)
        sb_sentence_odd_alike(details, &gate->outlier, gate->total);
    else if (!depends)
        sb_sentence_looks_like(details, &gate->looks_like);
    value_error(values, gate, gate->terms.alpha, gate->budget.alpha);
    gate_say(details, "fail_error", values);
}

/* ---- INCONCLUSIVE ---- */

/* Rounds up to two digits. */
static double open_needed(double needed)
{
    const double unit = pow(10, fmax(0, floor(log10(needed)) - 1));

    return fmin(unit * ceil(needed / unit), 9e15);
}

static void gate_opens(const struct sb_gate *gate, json_t *values, struct sb_sentence *line,
                       struct sb_sentence *details)
{
    const bool least = gate->terms.exclude <= SB_TV_HIGH_LEAST, short_of = gate->seeds_low < (double)gate->terms.seeds;
    const bool ended = gate->total - gate->budget.carried < gate->terms.limit;
    const struct sb_number report = sb_number_p(exp(gate->report_ln_p), gate->report_ln_p);

    json_object_set_new(values, "depends", json_boolean(sb_gate_shows_dependence(gate)));
    value_text(values, "report", gate->report_ln_p < 0 ? report.text : "");
    value_text(values, "low", gate->tv_low > 0 ? sb_number_short_down(gate->tv_low, 2).text : "");
    value_text(values, "high", gate->tv_high <= 0.99 ? sb_number_short_up(gate->tv_high, 2).text : "");
    value_number(values, "needed", !least && gate->needed > 0 ? open_needed(gate->needed) : 0);
    gate_say(line, "open", values);
    json_object_set_new(values, "interrupted", json_boolean(gate->interrupted));
    json_object_set_new(values, "reported", json_boolean(gate->reported));
    json_object_set_new(values, "part", json_boolean(gate->evidence.part[0]));
    json_object_set_new(values, "limited", json_boolean(!ended));
    json_object_set_new(values, "least", json_boolean(least));
    gate_say(details, "open_end", values);
    if (gate_doubtful(gate) && gate->report_ln_p >= 0)
        gate_detail(details, "doubt", values);
    if (gate->terms.seeds && (gate->repeats || short_of)) {
        value_number(values, "asked", (double)gate->terms.seeds);
        value_number(values, "seeds_low", floor(gate->seeds_low));
        gate_detail(details, "open_seeds", values);
    }
}

enum sb_status sb_gate_sentence_set(struct sb_gate *gate)
{
    static const char *const word[] = {
        [SB_VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
        [SB_VERDICT_PASS] = "PASS",
        [SB_VERDICT_FAIL] = "FAIL",
    };
    json_t *const values = gate_values(gate);
    struct sb_sentence line = { 0 }, details = { 0 };

    sb_sentence_add(&line, "%s  ", word[gate->verdict]);
    (gate->verdict == SB_VERDICT_FAIL   ? gate_fails
     : gate->verdict == SB_VERDICT_PASS ? gate_passes
                                        : gate_opens)(gate, values, &line, &details);
    json_decref(values);
    gate->sentence = sb_sentence_take(&line);
    gate->details = sb_sentence_take(&details);
    return gate->sentence && gate->details ? SB_OK : SB_NO_MEMORY;
}
