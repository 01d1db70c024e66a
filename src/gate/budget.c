/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error budget, when to look, and what a fail may name. A weighted average of e-processes is an e-process, even if
 * the e-processes depend on each other. Bounds whose levels add up to delta hold simultaneously with confidence 1 -
 * delta. So weights that add up to 1 can divide both alpha and delta. The members of one statistic form a family. Some
 * families have a fixed share of the budget. A fixed share of 1% costs the other families only ln(1/0.99) = 0.01 nats.
 * The fixed shares leave a remainder. The rank gets one half of this remainder, because only the rank sees every
 * bias. The other families without a fixed share divide the other half equally; without the rank, they divide
 * the whole remainder. Each family divides its share equally among its members; families without members get
 * nothing.
 *
 * If the tests of a series divide `level` among them, test k gets the part level/(k(k+1)) = level/k -
 * level/(k+1). The sum of these parts over all k is `level`.
 */
#include "fit/sequential.h"
#include "gate/gate.h"

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
 * (fit/e_process.c, and the files of fit/ and tally/ that make E). Let u = 2^-53 and the
 * relative errors of log and exp be at most 4u. The average of L lines, whose terms are not negative, has a
 * relative error of at most (2L + 64) u, and the logarithms of this average and of alpha have errors of at
 * most 8u of their values. Both sides are close to ln(1/alpha) where this matters.
 *
 * Bounds on total variation must clear `tolerate` and `exclude` by their rounding errors
 * (fit/tv_low.c, tv_sets.c). The number of decks that are ruled out is a sum of whole numbers, one
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

/* The line's lower bound on total variation, less its rounding error. */
static double gate_certain_tv(const struct sb_gate *gate, const struct sb_gate_line *line)
{
    return line->tv_low - sb_tv_low_error(line->ln_e_error, sb_gate_ln_level(line->weight, gate->terms.alpha));
}

bool sb_gate_exceeds(const struct sb_gate *gate)
{
    for (size_t i = 0; i < gate->lines_count; i++)
        if (gate_certain_tv(gate, &gate->line[i]) > gate->terms.tolerate)
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

/*
 * Finds the statistics that are rejected after a fail, by closed testing on weighted averages, and lists
 * their most deviant cells.
 *
 * The null hypothesis of a set of statistics says that each statistic of the set has its null law. Closed
 * testing rejects this hypothesis at level alpha if the weighted average of E over the set, and over every
 * set that contains this set, reaches 1/alpha. Statistic i has the weight w_i and the e-value E_i. Let v_i =
 * w_i (E_i alpha - 1). The average over a set reaches 1/alpha if the sum of its v reaches 0. Of all sets that
 * contain a given set, the set with the smallest sum is the given set together with every j with v_j below 0.
 * So, if -N is the sum of all negative v,
 *
 *   statistic i is rejected   if v_i >= N,
 *   a set is rejected         if the sum of its positive v is at least N.
 *
 * The probability of ever rejecting a statistic that has its null law is at most alpha. If no single
 * statistic is rejected, the gate names the smallest rejected set, which consists of the statistics with the
 * largest v. At least one statistic of this set deviates.
 *
 * If a bias is tolerated, the gate instead rejects the statistics whose own lower bound on total variation
 * exceeds the tolerated bias. These bounds hold simultaneously, because their levels are shares of alpha.
 *
 * A cell deviates by z = (c - t q)/sqrt(t q (1-q)), where c is the cell's count among t deals and q its
 * probability. The denominator is the standard deviation of a binomial count. The gate lists cells with |z|
 * of at least 1. If all rejected lines test for dependence between permutations, the gate lists cells of the
 * line with the most evidence. Otherwise it lists cells of the rank, if the rank is rejected or each
 * permutation has an expected count of at least five. The reason is that permutations tell people more than
 * other statistics do. In all other cases it lists cells of the first family with a rejected line; or of `position`, if
 * one of its cells has the same count as the most deviant one.
 *
 * Cost: linear in the number of lines; quadratic in the size of the rejected set; and an insertion into a
 * short list for each cell. Marcus, Peritz and Gabriel, doi:10.1093/biomet/63.3.655. Vovk and Wang, E-values:
 * calibration, combination and applications, doi:10.1214/20-AOS2020.
 */

/* ln 100: the E of a fair shuffle ever reaches 100 in at most one of 100 runs. */
static const double rejected_ln_trend = 4.6051701859880914;

/* the relative error of a sum, for each of its terms */
static const double rejected_rounding = 0x1p-52;

static const double rejected_same = 1e-9; /* the relative difference of equal expected counts */

/* smallest expected count at which permutations are listed although the rank is not rejected */
enum { REJECTED_EXPECT = 5 };

/* The v of a line, as defined above. The rounding error of E is subtracted from E. */
static double rejected_excess(const struct sb_gate *gate, const struct sb_gate_line *line)
{
    return line->weight * expm1(line->ln_e - line->ln_e_error + log(gate->terms.alpha));
}

/* The index of the line with the largest v among the lines that are not rejected yet; lines_count if all are
 * rejected. */
static size_t rejected_next(const struct sb_gate *gate)
{
    size_t next = gate->lines_count;
    double most = -HUGE_VAL;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const double excess = rejected_excess(gate, &gate->line[i]);

        if (!gate->line[i].rejected && excess > most) {
            most = excess;
            next = i;
        }
    }
    return next;
}

const struct sb_gate_line *sb_gate_dependence(const struct sb_gate *gate)
{
    const struct sb_gate_line *most = NULL;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];

        if (line->rejected && !line->dependence && !line->context && !line->outliers)
            return NULL;
        if (line->rejected && line->dependence && (!most || line->ln_e > most->ln_e))
            most = line;
    }
    return most;
}

void sb_gate_reject(struct sb_gate *gate)
{
    double missing = 0, named = 0; /* N, and the sum of v over the set */
    size_t alone = 0;

    for (size_t i = 0; i < gate->lines_count; i++)
        missing += fmax(0, -rejected_excess(gate, &gate->line[i]));
    missing *= 1 + rejected_rounding * (double)gate->lines_count;
    for (size_t i = 0; i < gate->lines_count; i++) {
        struct sb_gate_line *const line = &gate->line[i];
        const double excess = rejected_excess(gate, line);

        line->rejected = gate->terms.tolerate > 0 ? gate_certain_tv(gate, line) > gate->terms.tolerate
                                                  : excess >= 0 && excess >= missing;
        alone += line->rejected;
    }
    gate->jointly = alone == 0;
    while (gate->jointly && named < missing) {
        const size_t next = rejected_next(gate);

        if (next == gate->lines_count) /* rounding made E slightly smaller than 1/alpha */
            break;
        gate->line[next].rejected = true;
        named += rejected_excess(gate, &gate->line[next]);
    }
}

/* Inserts the cell into the list after all cells with the same |z|. The list is sorted by falling |z|. */
static void rejected_insert(struct sb_gate *gate, const struct sb_gate_cell *cell)
{
    size_t at = gate->cells_count;

    while (at > 0 && fabs(cell->z) > fabs(gate->cell[at - 1].z))
        at--;
    if (at == SB_GATE_CELLS_MOST)
        return;
    if (gate->cells_count < SB_GATE_CELLS_MOST)
        gate->cells_count++;
    for (size_t i = gate->cells_count - 1; i > at; i--)
        gate->cell[i] = gate->cell[i - 1];
    gate->cell[at] = *cell;
}

static void rejected_cells(const struct sb_tally *tally, size_t line, struct sb_gate *gate)
{
    const size_t member = gate->line[line].member;

    for (size_t i = 0; i < tally->cells; i++) {
        const struct sb_cell seen = sb_cell_get(tally, member, i);
        const double variance = seen.expected * (1 - seen.expected / (double)tally->total);
        const struct sb_gate_cell cell = {
            .line = line,
            .cell = i,
            .count = tally->count[member * tally->cells + i],
            .expected = seen.expected,
            .z = seen.excess == 0 ? 0 : -seen.excess / sqrt(variance),
        };

        if (fabs(cell.z) >= 1)
            rejected_insert(gate, &cell);
    }
}

static bool rejected_shows(const struct sb_gate *gate, const struct sb_tally *tally, const struct sb_gate_line *line)
{
    const struct sb_gate_line *const lag = sb_gate_dependence(gate);

    return lag ? line == lag
               : line->rejected || (sb_gate_is_rank(tally) && tally->total / REJECTED_EXPECT >= tally->cells);
}

/* If the catalogue is rejected, lists the cells of the line with the largest E among the lines with cells,
 * provided that this E exceeds 100. The catalogue itself has no cells. Call this function only if no cells
 * are listed so far. */
static void rejected_list_most(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    const struct sb_tally *most = NULL;
    size_t line = 0, at = 0;
    double ln_e = rejected_ln_trend;
    bool alone = false;

    for (size_t k = 0; k < gate->lines_count; k++)
        alone = alone || (gate->line[k].rejected && strcmp(gate->line[k].statistic, "catalogue") == 0);
    for (size_t i = 0; alone && i < count; i++)
        for (size_t member = 0; member < tally[i].members; member++, line++)
            if (tally[i].cells && gate->line[line].ln_e > ln_e) {
                ln_e = gate->line[line].ln_e;
                most = &tally[i];
                at = line;
            }
    if (most)
        rejected_cells(most, at, gate);
}

/* If the first cell has the same count and probability as a cell of `position`, lists the cells of that line instead:
 * that the cycle of the first item has length 1 says that this item is at position 1. */
static void rejected_simplify(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    const struct sb_gate_cell first = gate->cell[0];
    size_t line = 0;

    if (gate->cells_count == 0 || gate->line[first.line].lag || gate->line[first.line].members > 1)
        return;
    for (size_t i = 0; i < count; line += tally[i++].members)
        for (size_t k = 0; strcmp(tally[i].statistic, "position") == 0 && k < tally[i].members * tally[i].cells; k++) {
            const struct sb_cell seen = sb_cell_get(&tally[i], k / tally[i].cells, k % tally[i].cells);

            if (tally[i].lag || tally[i].count[k] != first.count ||
                fabs(seen.expected - first.expected) > rejected_same * first.expected)
                continue;
            gate->cells_count = 0;
            rejected_cells(&tally[i], line + k / tally[i].cells, gate);
            return;
        }
}

/* How much an impossible value of a statistic says to people: that an item stayed at its place says more than that
 * there are two cycles, and that more than that one item was followed by another, or than the order itself. */
static int rejected_says(const struct sb_tally *tally)
{
    static const char *const less[] = { "successor", "runs", "first-k", "first-k-set" };

    if (sb_gate_is_rank(tally))
        return 1;
    for (size_t i = 0; i < sizeof less / sizeof less[0]; i++)
        if (strcmp(tally->statistic, less[i]) == 0)
            return 2;
    return strcmp(tally->statistic, "position") == 0 ? 4 : 3;
}

/* Lists the first cell that has a count although it is impossible, and whose statistic says most. Returns whether there
 * is such a cell. */
static bool rejected_list_forbidden(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    size_t line = 0;
    int says = 0; /* how much the listed cell says; 0: none is listed */

    for (size_t i = 0; i < count; line += tally[i++].members)
        for (size_t k = 0; tally[i].cells && k < tally[i].members * tally[i].cells; k++) {
            const size_t member = k / tally[i].cells, cell = k % tally[i].cells;
            const int more = tally[i].lag ? 0 : rejected_says(&tally[i]);

            if (more <= says || !tally[i].count[k] || sb_cell_get(&tally[i], member, cell).expected > 0)
                continue;
            says = more;
            gate->cells_count = 1;
            gate->cell[0] = (struct sb_gate_cell) { line + member, cell, tally[i].count[k], 0, HUGE_VAL, "" };
        }
    return says > 0;
}

void sb_gate_list_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    size_t line = 0;

    gate->cells_count = 0;
    if (rejected_list_forbidden(tally, count, gate))
        return;
    for (size_t i = 0; i < count && gate->cells_count == 0; i++)
        for (size_t member = 0; member < tally[i].members; member++, line++)
            if (rejected_shows(gate, &tally[i], &gate->line[line]))
                rejected_cells(&tally[i], line, gate);
    if (gate->cells_count == 0)
        rejected_list_most(tally, count, gate);
    rejected_simplify(tally, count, gate);
}
