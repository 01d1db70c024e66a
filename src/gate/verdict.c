/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict at a look. E is the weighted average of the lines' e-processes. By Ville's inequality, the
 * probability that E of a fair shuffle ever reaches 1/alpha is at most alpha.
 *
 * FAIL: E has reached 1/alpha. If a bias is tolerated, some line's lower bound on total variation must also
 * exceed the tolerated bias. PASS: the upper bounds that decide are all below `exclude`, and the evidence
 * rules out a shuffle with fewer than `seeds` equally likely decks. If the rank is tested, the other
 * statistics do not decide, because the rank covers the whole law. If increments are tested, too, the ranks
 * of both permutations and increments decide. If the rank is not tested, the bounds of all lines decide. In a
 * false pass, all of these bounds are below `exclude`, including the bound of a line whose true total
 * variation is `exclude` or more. So each bound can have all of delta.
 *
 * The bounds on increments hold although the increments of a biased shuffle depend on each other. (The bound
 * on the permutations' rank would be enough: the law of the increments is a convolution of the permutations'
 * law with another law, and so is no farther from fair.)
 *
 * Rounding never decides: gate/budget.c makes the comparisons.
 *
 * Cost: see fit/e_process.c and fit/tv_high.c. Ville, Étude critique de la notion de
 * collectif, 1939.
 */
#include "fit/sequential.h"
#include "gate/gate.h"

/* ln 100. The E of a fair shuffle ever reaches 100 in at most one of 100 runs; while E is below 100, its
 * trend cannot be extrapolated. */
static const double verdict_ln_trend = 4.6051701859880914;

/* More deals than any run has. */
static const double verdict_never = 1e18;

enum {
    VERDICT_POINTS_LEAST = 128, /* initial capacity for looks */
    /* smallest total for which the gate may skip E; with a smaller total, many counts are equal, so E is
     * cheap to compute */
    VERDICT_PLENTY = 1000,
};

/* Whether some cell is a group of several possible values of the statistic. */
static bool verdict_merged(const struct sb_tally *tally)
{
    for (size_t i = 0; tally->first && i < tally->cells; i++)
        if (tally->first[i] < tally->last[i])
            return true;
    return false;
}

/* The number of cells that can occur, if not all are equally likely; else 0. */
static size_t verdict_possible(const struct sb_tally *tally, size_t member)
{
    const size_t first = tally->separate ? member * tally->cells : 0;
    size_t possible = 0;

    for (size_t i = 0; tally->ln_p && i < tally->cells; i++)
        possible += tally->ln_p[first + i] > -HUGE_VAL;
    return possible;
}

enum sb_status sb_gate_open(const struct sb_gate_terms *terms, const struct sb_tally tally[], size_t count,
                            struct sb_gate *gate)
{
    struct sb_gate made = { .terms = *terms, .tv_high = 1, .needed = NAN };
    size_t lines = 0;

    for (size_t i = 0; i < count; i++)
        lines += tally[i].members;
    made.line = calloc(lines + 1, sizeof *made.line);
    if (!made.line)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        made.whole = made.whole || sb_gate_is_rank(&tally[i]);
        made.merged = made.merged || (!tally[i].dependence && verdict_merged(&tally[i]));
        for (size_t member = 0; member < tally[i].members; member++)
            made.line[made.lines_count++] = (struct sb_gate_line) {
                .statistic = tally[i].statistic,
                .member = member,
                .members = tally[i].members,
                .cells = tally[i].cells,
                .possible = verdict_possible(&tally[i], member),
                .each = tally[i].each,
                .lag = tally[i].lag,
                .dependence = tally[i].dependence,
                .outliers = tally[i].outliers,
                .merged = verdict_merged(&tally[i]),
                .even = sb_tv_sets_join(&tally[i]),
                .weight = sb_gate_weight(tally, count, i),
                .tv_high = tally[i].ln_e || tally[i].dependence ? NAN : 1,
                .tv_seen = NAN,
                .tv_fair = NAN,
            };
    }
    *gate = made;
    return SB_OK;
}

void sb_gate_close(struct sb_gate *gate)
{
    free(gate->name);
    free(gate->title);
    free(gate->command);
    free(gate->fair);
    free(gate->context);
    sb_item_names_free(gate->names);
    free(gate->budget.ledger);
    free(gate->line);
    free(gate->left_out);
    free(gate->point);
    free(gate->outlier.items);
    free(gate->sentence);
    free(gate->details);
    sb_e_table_free(gate->table);
    sb_looks_like_close(&gate->looks_like);
    sb_evidence_close(&gate->evidence);
    *gate = (struct sb_gate) { 0 };
}

const char *sb_gate_title(const struct sb_gate *gate)
{
    return gate->title ? gate->title : gate->name;
}

/* Whether a pass depends on this line's bound. The line may test permutations or increments. */
static bool verdict_decides(const struct sb_gate *gate, const struct sb_gate_line *line)
{
    return !line->dependence && (gate->whole ? strcmp(line->statistic, "rank") == 0 : line->cells > 0);
}

/*
 * Whether the counts c of t deals, in a tally of one member, are unremarkable: t is at least VERDICT_PLENTY,
 * and the sum of (c - tq)^2/(tq) is less than two standard deviations above its mean under the null law q. E
 * is then too small to affect a verdict, and computing E would cost seven logarithms per cell.
 */
static bool verdict_unremarkable(const struct sb_tally *tally)
{
    const double total = (double)tally->total, freedom = (double)tally->cells - 1;
    double sum = 0;

    for (size_t i = 0; i < tally->cells; i++) {
        const double expected = total * (tally->ln_p ? exp(tally->ln_p[i]) : 1 / (double)tally->cells);
        const double excess = (double)tally->count[i] - expected;

        sum += expected > 0 ? excess * excess / expected : excess > 0 ? HUGE_VAL : 0;
    }
    return tally->total >= VERDICT_PLENTY && sum < freedom + 2 * sqrt(2 * freedom);
}

/* Shares the stake of each line with bets on single cells. */
static enum sb_status verdict_single(const struct sb_tally *tally, struct sb_gate_line line[])
{
    struct sb_single *single = NULL;
    enum sb_status status = SB_OK;

    if (!sb_single_joins(tally))
        return SB_OK;
    status = sb_single_new(tally, &single);
    for (size_t i = 0; !status && i < tally->members; i++)
        sb_single_share(single, tally, i, &line[i].ln_e, &line[i].ln_e_error);
    sb_single_free(single);
    return status;
}

/* Fills in ln E of the lines of one statistic. If `low` is set, also fills in the lower bounds. If `high` is
 * set, also fills in the upper bounds. */
static enum sb_status verdict_fill(const struct sb_gate_terms *terms, const struct sb_tally *tally, bool low, bool high,
                                   struct sb_e_table *table, struct sb_gate_line line[])
{
    if (tally->ln_e) {
        line->ln_e = *tally->ln_e;
        line->ln_e_error = tally->ln_e_error;
        line->context = tally->context;
        return SB_OK;
    }
    struct sb_e_value *const e = calloc(tally->members + 1, sizeof *e);
    double *const bound = calloc(tally->members + 1, sizeof *bound);
    enum sb_status status = e && bound ? SB_OK : SB_NO_MEMORY;

    if (!status)
        sb_e_process_by(table, tally, e);
    const struct sb_e_error error = sb_e_process_error(tally);

    for (size_t i = 0; !status && i < tally->members; i++) {
        line[i].ln_e = e[i].ln_e;
        line[i].ln_e_error = sb_e_error_of(&error, &e[i]);
    }
    if (!status)
        status = verdict_single(tally, line);
    if (!status && low)
        status = sb_tv_low(tally, e, sb_gate_ln_level(line->weight, terms->alpha), bound);
    for (size_t i = 0; !status && low && i < tally->members; i++)
        line[i].tv_low = bound[i];
    if (!status && high)
        status = sb_tv_high(tally, sb_gate_ln_level(line->weight, terms->delta), bound);
    for (size_t i = 0; !status && high && i < tally->members; i++)
        line[i].tv_high = bound[i];
    free(e);
    free(bound);
    return status;
}

/* Raises *high to an upper bound on the total variation of a statistic that decides, which may be just below
 * terms->exclude. */
static enum sb_status verdict_bound(const struct sb_gate_terms *terms, const struct sb_tally *tally, double *high)
{
    const double ln_level = -log(terms->delta), most = terms->exclude - 2 * SB_TV_HIGH_ERROR;
    double bound = *high;
    bool excluded = false;

    if (!sb_tv_sets_join(tally))
        return sb_tv_high_largest(tally, ln_level, terms->exclude, high);
    enum sb_status status = sb_tv_high_largest(tally, sb_tv_sets_ln_rest(ln_level), 0, &bound);

    if (!status && *high <= most && bound > most)
        status = sb_tv_sets_exclude(tally, ln_level, terms->exclude, &excluded);
    if (!status)
        *high = excluded ? most : bound;
    return status;
}

/*
 * Fills in ln E of all lines. If `end` is set, also fills in all lower and upper bounds of the lines; the
 * upper bounds divide delta among them. Otherwise, computes only the bounds that a verdict needs, among them
 * gate->tv_high. Also replaces the E of a lag whose counts are unremarkable by 0, which can only make the
 * average of E smaller.
 */
static enum sb_status verdict_fill_lines(const struct sb_tally tally[], size_t count, bool end, struct sb_gate *gate)
{
    const struct sb_gate_terms *const terms = &gate->terms;
    struct sb_gate_line *line = gate->line;

    if (!end)
        gate->tv_high = 0;
    for (size_t i = 0; i < count; line += tally[i++].members) {
        if (!tally[i].members)
            continue;
        if (tally[i].dependence && tally[i].members == 1 && !end && verdict_unremarkable(&tally[i])) {
            line->ln_e = -HUGE_VAL; /* replaces E by 0, its least possible value */
            continue;
        }
        const bool bounded = !tally[i].dependence, decides = verdict_decides(gate, line);

        if (verdict_fill(terms, &tally[i], bounded && (end || decides || terms->tolerate > 0), bounded && end,
                         gate->table, line))
            return SB_NO_MEMORY;
        if (!end && decides && verdict_bound(terms, &tally[i], &gate->tv_high))
            return SB_NO_MEMORY;
        if (!tally[i].lag) /* there are fewer steps than permutations */
            gate->total = tally[i].total;
    }
    return SB_OK;
}

static enum sb_status verdict_fill_all(const struct sb_tally tally[], size_t count, bool end, struct sb_gate *gate)
{
    if (!gate->table)
        gate->table = sb_e_table_new();
    return gate->table ? verdict_fill_lines(tally, count, end, gate) : SB_NO_MEMORY;
}

static void verdict_reach(struct sb_gate *gate)
{
    gate->ln_e = sb_gate_ln_average(gate, 0);
    gate->tv_low = 0;
    for (size_t i = 0; i < gate->lines_count; i++)
        gate->tv_low = fmax(gate->tv_low, gate->line[i].tv_low);
    if (sb_gate_shows_bias(gate) && (gate->terms.tolerate <= 0 || sb_gate_exceeds(gate)))
        gate->verdict = SB_VERDICT_FAIL;
    else if (sb_gate_excludes(gate) && !sb_gate_shows_dependence(gate))
        gate->verdict = SB_VERDICT_PASS;
    else
        gate->verdict = SB_VERDICT_INCONCLUSIVE;
}

static enum sb_status verdict_add_point(const struct sb_gate_point *added, struct sb_gate *gate)
{
    if (gate->points_count == gate->points_room) {
        const size_t room = gate->points_room ? 2 * gate->points_room : VERDICT_POINTS_LEAST;
        struct sb_gate_point *const point = realloc(gate->point, room * sizeof *point);

        if (!point)
            return SB_NO_MEMORY;
        gate->point = point;
        gate->points_room = room;
    }
    gate->point[gate->points_count++] = *added;
    return SB_OK;
}

enum sb_status sb_gate_restore(const struct sb_gate_point point[], size_t count, struct sb_gate *gate)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < count && status == SB_OK; i++) {
        status = verdict_add_point(&point[i], gate);
        gate->total = point[i].total;
    }
    return status;
}

enum sb_status sb_gate_look(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    const enum sb_status status = verdict_fill_all(tally, count, false, gate);

    if (status)
        return status;
    verdict_reach(gate);
    const struct sb_gate_point point = {
        .total = gate->total,
        .ln_e = gate->ln_e,
        .tv_low = gate->tv_low,
        .tv_high = gate->tv_high,
    };

    return verdict_add_point(&point, gate);
}

/*
 * The number of deals at which the bound `from` reaches the number `to`, if both bounds keep approaching the total
 * variation `centre` like 1/sqrt(number of deals). INFINITY if `to` is on the other side of `centre`, or is `centre`.
 */
static double verdict_approaches(double total, double from, double to, double centre)
{
    const double ratio = (from - centre) / (to - centre);

    return ratio > 0 ? total * ratio * ratio : INFINITY;
}

/*
 * Estimates how many more deals a verdict needs: the smaller of the two numbers for a pass and for a fail.
 * The number for a pass is the larger of two: the number that a fair subject needs, and the number at which
 * the upper bound reaches `exclude`. The bounds are taken to approach 0 or, if a bias is shown, the total variation of
 * the counts. If no bias is tolerated, the number for a fail is the number at which ln E reaches ln(1/alpha) if ln E
 * keeps growing in proportion to the number of deals, and is only considered if ln E is already large. If a bias is
 * tolerated, it is the number at which the lower bound reaches the tolerated bias. NaN if no number of deals below
 * verdict_never leads to either.
 */
static double verdict_needed(const struct sb_gate *gate)
{
    const double total = (double)gate->total, goal = -log(gate->terms.alpha);
    const struct sb_gate_line *const telling = gate->telling;
    const double centre = telling && gate->tv_low > 0 ? fmin(fmax(telling->tv_seen, gate->tv_low), gate->tv_high) : 0;
    double pass = verdict_approaches(total, gate->tv_high, gate->terms.exclude, centre), fail = INFINITY;
    double needed = 0, bounded = 0;

    for (size_t i = 0; i < gate->lines_count; i++) /* all members of a statistic need equally many deals */
        if (verdict_decides(gate, &gate->line[i]) && gate->line[i].member == 0) {
            struct sb_gate_line line = gate->line[i];

            needed = fmax(needed, sb_gate_deals_needed(&gate->terms, &line));
            line.even = false;
            bounded = fmax(bounded, sb_gate_deals_needed(&gate->terms, &line));
        }
    /* fit/tv_sets.c spares a fair subject this share of the deals that the bound needs */
    if (centre <= 0 && needed < bounded)
        pass *= needed / bounded;
    pass = fmax(pass, needed);
    if (gate->tv_high < gate->terms.exclude)
        pass = total;
    if (fabs(gate->tv_high - gate->terms.exclude) <= SB_TV_HIGH_ERROR)
        pass = INFINITY; /* rounding hides which of the two is larger */
    pass = fmax(pass, gate->seeds_total);
    if (gate->terms.tolerate > 0 && gate->tv_low > 0)
        fail = verdict_approaches(total, gate->tv_low, gate->terms.tolerate, centre);
    else if (gate->terms.tolerate <= 0 && gate->ln_e > verdict_ln_trend)
        fail = total * goal / gate->ln_e;
    pass = fmin(pass, fail);
    return pass >= verdict_never || sb_gate_shows_dependence(gate) ? NAN : fmax(1, ceil(pass - total));
}

/* Fills in the observed total variation of each line, and finds the line whose observed total variation
 * exceeds the fair average the most. */
static void verdict_see(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    const struct sb_gate_line *most = NULL;
    size_t k = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t member = 0; member < tally[i].members; member++, k++) {
            struct sb_gate_line *const line = &gate->line[k];

            if (tally[i].ln_e || tally[i].total == 0)
                continue;
            const struct sb_tv_seen found = sb_tv_seen(&tally[i], member);

            line->tv_seen = found.seen;
            line->tv_fair = found.fair;
            if (verdict_decides(gate, line) && (!most || found.seen - found.fair > most->tv_seen - most->tv_fair))
                most = line;
        }
    gate->telling = most;
}

enum sb_status sb_gate_sum_up(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    const enum sb_status status = verdict_fill_all(tally, count, true, gate);

    if (status)
        return status;
    if (gate->total > 0)
        gate->ln_e = sb_gate_ln_average(gate, 0);
    for (size_t i = 0; i < gate->lines_count; i++)
        gate->tv_low = fmax(gate->tv_low, gate->line[i].tv_low);
    verdict_see(tally, count, gate);
    if (gate->verdict == SB_VERDICT_FAIL) {
        sb_gate_reject(gate);
        sb_gate_list_cells(tally, count, gate);
    }
    gate->needed = gate->verdict == SB_VERDICT_INCONCLUSIVE ? verdict_needed(gate) : NAN;
    return SB_OK;
}
