/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bound on an e-value (fit/e_process.c) from sums of powers. Let K cells have the law q, and let
 * c be their counts among t deals. Let x = c - q t, and
 *   S = 1/2 sum x^2/(q t) + 1/2 sum_{x < 0} |x|^3/(q t)^2,
 *   D = sum_{x < 0} |x|/(q t),   d = (K - 1 - D)/2.
 * An empty cell adds 1 to D, so d is half the number of cells that count, less one. Then, up to the remainder
 * of Stirling's formula, which is less than 1/8,
 *   ln E <= S - d - d ln(S/d) if S > d, else 0.
 *
 * Proof: with a concentration A, k = q A + c, m = q (A+t) and r = t/(A+t),
 *   ln E = sum (k ln(k/m) + m - k) + 1/2 sum ln(m/k) + (K-1)/2 ln(1-r).
 * With s = (k-m)/m = r x/(q t), a term of the first sum is m f(s), f(s) = (1+s) ln(1+s) - s. For s >= 0, f(s)
 * <= s^2/2; for -1 <= s < 0, f is the sum of |s|^j/(j(j-1)), so f(s) <= s^2/2 + |s|^3/2. So the first sum is
 * at most r S. A term of the second sum is -ln(1+s)/2. It is negative for s > 0; and because it is convex, it is
 * at most -|x|/(q t) ln(1-r)/2 for -r <= s < 0. So the second sum is at most -D/2 ln(1-r), and ln E is at most
 * r S + d ln(1-r), which is largest at 1-r = d/S. The remainders are rest(k) - rest(q A) <= 0 for each cell, and
 * rest(A) - rest(A+t) < rest(A), where A is at least 0.7.
 *
 * Cost of S and D: a few multiplications for each count.
 */
#include "fit/sequential.h"

/* number of independent sums, so that an addition need not wait for the previous one */
enum { BOUND_LANES = 4 };

/* An upper bound on the remainder of Stirling's formula. */
static const double bound_rest = 0.125;

/* Stands for 1/p of a cell that cannot occur, so that one deal in this cell exceeds every bound. A rarer cell that
 * can occur is left out of K, as if it were an empty cell of D. */
static const double bound_never = 1e100;

/* The number of null laws. */
static size_t bound_laws(const struct sb_tally *tally)
{
    return tally->separate ? tally->members : 1;
}

size_t sb_e_bound_cells(const struct sb_tally *tally, struct sb_e_cell cell[])
{
    const size_t cells = tally->cells, laws = bound_laws(tally);
    size_t least = cells;

    for (size_t law = 0; law < laws; law++) {
        size_t possible = 0;

        for (size_t i = law * cells; i < (law + 1) * cells; i++) {
            const double p = tally->ln_p ? exp(tally->ln_p[i]) : 1 / (double)cells;

            cell[i].p = p;
            cell[i].inverse = fmin(1 / p, bound_never);
            possible += cell[i].inverse < bound_never;
        }
        least = possible < least ? possible : least;
    }
    return least;
}

/* Adds the terms of one count: of S, without the factor 1/(2 t), and of D. `share` is 1/t. */
static inline void bound_add(const struct sb_e_cell *cell, double t, double share, uint64_t count, double *sum,
                             double *empty)
{
    const double x = (double)(int64_t)count - cell->p * t, y = x * cell->inverse;
    const double missing = (x < 0 ? -y : 0) * share; /* |x|/(q t) */

    *sum += x * y * (1 + missing);
    *empty += missing;
}

struct sb_e_bound sb_e_bound_of(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                                const uint64_t then[], uint64_t total)
{
    const double t = (double)total, share = 1 / t;
    double sum[BOUND_LANES] = { 0 }, empty[BOUND_LANES] = { 0 };
    size_t i = 0;

    for (; i + BOUND_LANES <= cells; i += BOUND_LANES)
        for (size_t j = 0; j < BOUND_LANES; j++)
            bound_add(&cell[i + j], t, share, now[i + j] - then[i + j], &sum[j], &empty[j]);
    for (; i < cells; i++)
        bound_add(&cell[i], t, share, now[i] - then[i], &sum[0], &empty[0]);
    return (struct sb_e_bound) {
        .sum = ((sum[0] + sum[1]) + (sum[2] + sum[3])) / (2 * t),
        .empty = (empty[0] + empty[1]) + (empty[2] + empty[3]),
    };
}

double sb_e_bound_ln_e(const struct sb_e_bound *bound, size_t possible)
{
    const double d = fmax(0, 0.5 * ((double)possible - 1 - bound->empty)), s = bound->sum;

    if (s <= d)
        return bound_rest;
    return bound_rest + s - (d > 0 ? d + d * log(s / d) : 0);
}

/* One level of a detector: the looks that include it, and its evidence from bets. */

static const double detector_unit = 0x1p-53; /* the largest relative error of one rounding */

enum { DETECTOR_PARTS = 5 }; /* level k is due at multiples of 2^(k-5) */

/* Whether a look after `total` deals includes level k. */
static bool detector_due(const struct sb_detector_level *level, unsigned k, uint64_t total)
{
    const unsigned place = k > DETECTOR_PARTS ? k - DETECTOR_PARTS : 0;

    return level->start && (total & ((UINT64_C(1) << place) - 1)) == 0;
}

/* An upper bound on the rounding error of the growth of a bet in `deals` deals (core/evidence.h). Each of the
 * two logarithms and their difference round by a few units in the last place, too. */
static double detector_bet_error(const struct sb_tally *tally, double deals, double now, double start)
{
    const double size = fmax(fabs(now), fabs(start));
    const double sums = tally->bet_range > 0 ? 2 * (deals + 0x1p13) * (size + tally->bet_range) : 0;

    return deals * tally->bet_error + detector_unit * (sums + 64 * (size + 1));
}

/* ln of the growth of bet i, less `errors` times its rounding error. */
static double detector_grown(const struct sb_tally *tally, double deals, size_t i, double start, double errors)
{
    const double now = tally->ln_bet[i], grown = isinf(now) ? now : now - start; /* a bet may have lost all */

    return errors > 0 ? grown - errors * detector_bet_error(tally, deals, now, start) : grown;
}

/* ln of the growth of the bet that grew most, whose index is set unless `best` is NULL. */
static double detector_most(const struct sb_tally *tally, double deals, const double start[], double errors,
                            size_t *best)
{
    double most = -HUGE_VAL;

    for (size_t i = 0; i < tally->bets; i++) {
        const double grown = detector_grown(tally, deals, i, start[i], errors);

        if (best && grown > most)
            *best = i;
        most = fmax(most, grown);
    }
    return most;
}

/* Whether the bets are not followed: they come in rounds, and the level is longer than a round. */
static bool detector_bets_nothing(const struct sb_detector *detector, unsigned k, const struct sb_tally *tally)
{
    return tally->round && k >= detector->round;
}

/*
 * For the tally with bets tallies[index], returns ln E since level k started, where E is the average growth of the
 * bets. Of ln of each bet's growth, `errors` times its rounding error is subtracted. The tally's first bet has the
 * index `from` in the level's bet[]. If the bets come in rounds and the level is longer than a round, the level bets
 * nothing, and ln E is 0. If `best` is not NULL, *best becomes the index of the bet that grew most.
 */
static double detector_bets(const struct sb_detector *detector, unsigned k, const struct sb_tally tallies[],
                            size_t index, size_t from, double errors, size_t *best)
{
    const struct sb_tally *const tally = &tallies[index];
    const double *const start = detector->level[k].bet + from;
    const double deals = (double)(tally->total - detector->level[k].total[index]);
    double sum = 0;

    if (best)
        *best = 0;
    if (detector_bets_nothing(detector, k, tally))
        return 0;
    const double most = detector_most(tally, deals, start, errors, best);

    for (size_t i = 0; i < tally->bets; i++)
        sum += exp(detector_grown(tally, deals, i, start[i], errors) - most);
    return most + log(sum) - log((double)tally->bets);
}

/*
 * Whether a look at an e-detector may raise an alarm. Let there be `lines` members with weights w, and L
 * levels. A member at level k adds the term min(2^k, 1/alpha)/L w E to a sum, and the alarm comes when the
 * sum reaches 1/alpha. If each term is below 1/(alpha L lines), then the sum is below 1/alpha, and there is no alarm.
 * So the sum is computed only if, by the bound of fit/detector.c, some member at some level of this look may have ln E
 * >= max(0, ln(1/alpha) - k ln 2) - ln(w lines).
 *
 * Cost of a look, for each distinct start of the levels that the look includes: six multiplications for each
 * count, and a logarithm for each member.
 */

static const double worth_ln_2 = 0.69314718055994531;

/* More than the rounding error of the bound, relative to its sum. */
static const double worth_rounding = 1e-14;

void sb_detector_worth_open(const struct sb_tally tally[], struct sb_detector *detector)
{
    struct sb_e_cell *cell = detector->cell;
    size_t line = 0;

    for (size_t i = 0; i < detector->count; i++) {
        const size_t cells = tally[i].ln_e ? 0 : bound_laws(&tally[i]) * tally[i].cells;
        double weight = 0;

        detector->possible[i] = cells ? sb_e_bound_cells(&tally[i], cell) : 0;
        for (size_t j = 0; j < tally[i].members; j++)
            weight = fmax(weight, detector->weight[line++]);
        for (unsigned k = 0; k < SB_DETECTOR_LEVELS; k++)
            detector->least[k * detector->count + i] =
                detector->ln_level - fmin(k * worth_ln_2, detector->ln_factor) - log(weight * (double)detector->lines);
        cell += cells;
    }
}

/* Whether ln E may be `least` or more, for the counts of some member since the start of the level. then[] holds
 * the counts of all members at that start, one member after the other. */
static bool worth_tally(const struct sb_tally *tally, const struct sb_e_cell cell[], size_t possible,
                        const uint64_t then[], uint64_t total, double least)
{
    const size_t cells = tally->cells;
    const uint64_t *now = tally->count;

    for (size_t i = 0; total && i < tally->members; i++, now += cells, then += cells) {
        const struct sb_e_bound bound = sb_e_bound_of(cell, cells, now, then, total);

        if (sb_e_bound_ln_e(&bound, possible) + worth_rounding * bound.sum >= least)
            return true;
        cell += tally->separate ? cells : 0;
    }
    return false;
}

/* Whether ln E of bets may be `least` or more: the average is at most the largest bet. */
static bool worth_bets(const struct sb_detector *detector, unsigned k, const struct sb_tally *tally, size_t from,
                       double least)
{
    return (detector_bets_nothing(detector, k, tally)
                ? 0
                : detector_most(tally, 0, detector->level[k].bet + from, 0, NULL)) >= least;
}

static bool worth_level(const struct sb_detector *detector, unsigned k, const struct sb_tally tally[])
{
    const struct sb_detector_level *const level = &detector->level[k];
    const double *const least = detector->least + k * detector->count;
    const struct sb_e_cell *cell = detector->cell;
    const uint64_t *then = level->count;
    size_t bet = 0;

    for (size_t i = 0; i < detector->count; i++) {
        if (tally[i].ln_e) {
            if (worth_bets(detector, k, &tally[i], bet, least[i]))
                return true;
            bet += tally[i].bets;
            continue;
        }
        if (worth_tally(&tally[i], cell, detector->possible[i], then, tally[i].total - level->total[i], least[i]))
            return true;
        cell += bound_laws(&tally[i]) * tally[i].cells;
        then += tally[i].members * tally[i].cells;
    }
    return false;
}

/* Whether a look after `total` deals may raise an alarm; if not, the look need not compute the sum. */
static bool detector_worth(const struct sb_detector *detector, const struct sb_tally tally[], uint64_t total)
{
    uint64_t start =
        /* start of the previous level. Levels come from long to short, and of two levels with the same start,
         * the longer level has the lower `least`. So the shorter level need not be checked */
        0;

    for (unsigned k = SB_DETECTOR_LEVELS; k-- > 0;) {
        const struct sb_detector_level *const level = &detector->level[k];

        if (!detector_due(level, k, total) || (level->start == start && k + 1 != detector->round))
            continue;
        start = level->start;
        if (worth_level(detector, k, tally))
            return true;
    }
    return false;
}

/*
 * An e-detector. Level k starts anew at every multiple of 2^k deals, the first time after 2^k deals. E_k is
 * the e-process of the deals since the last start of level k: a weighted average over the members of all
 * statistics. With L levels, the alarm comes when
 *   M = sum min(2^k, 1/alpha) / L * E_k
 * reaches 1/alpha. A factor above 1/alpha would let a level alarm although its E is below 1, that is, although
 * its deals speak for a fair shuffle.
 *
 * The guarantee: for a fair shuffle, the average number of deals before the first alarm is at least 1/alpha.
 * Up to a stopping time T, level k has started floor(T/2^k) times. Each start begins an e-process, whose
 * value at T is at most 1 on average. So for each level, the mean of 2^k E_k(T) is at most the mean of T. The
 * same holds for M(T), which is at most the average of 2^k E_k(T) over the levels. At an alarm M >= 1/alpha, so the
 * mean of T is at least 1/alpha.
 *
 * After an alarm at S deals, all levels are silent. Level k starts anew at the first multiple of 2^k that is S + 2^k or
 * more. So up to a stopping time S + T it has started at most floor(T/2^k) times since the alarm, as if the alarm were
 * the beginning. S is a stopping time, so given all that came up to S, the deals after S are those of a fair shuffle,
 * each start begins an e-process, and the whole argument holds from each alarm on. If a level started at the
 * alarm itself, or soon after, this would not hold: most alarms come at multiples of 1024, where ten levels start.
 *
 * M need not be computed after each deal, since the first look with M >= 1/alpha is a stopping time, too. A
 * look does not need the whole sum either: if a part of the sum reaches 1/alpha, so does M. So a look
 * includes only the levels that are due: level k is due at multiples of 2^(k-5) deals, that is, 32 times
 * between two of its starts. Levels that are shorter than the distance between two looks are left out. For a
 * fair shuffle, the bound of fit/detector.c shows at almost every look that no term is large enough
 * for an alarm; then the sum is not computed. All of this depends only on the deals, and not on when they
 * arrive.
 *
 * Rounding raises no alarm: before an alarm, the sum is computed again with the rounding error of each E
 * subtracted (fit/e_process.c, core/evidence.h).
 *
 * A tally may have bets instead of cells (core/evidence.h), and each bet has an e-process. Since the start of a
 * level, this e-process has grown by the factor (value now)/(value at the start). Bets may come in rounds of
 * 2^r deals. If so, all bets start anew at each multiple of 2^r. A level k <= r always lies in one round. A
 * level k > r does not use these bets (in this level, their E counts as 1), because level r covers each whole
 * round.
 *
 * Memory: the counts at the start of each level. Cost of a look: six multiplications for each pair of a count
 * and a distinct start of the due levels (see detector_worth()). If the sum is computed, one e-process is
 * added for each distinct start.
 *
 * J. Shin, A. Ramdas and A. Rinaldo, E-detectors: a nonparametric framework for sequential change detection,
 * The New England Journal of Statistics in Data Science 2 (2024), doi:10.51387/23-NEJSDS51.
 */

enum {
    /* The distance between looks is at most 2^DETECTOR_STEP deals and at most 2^-DETECTOR_EARLY times the
     * number of deals so far, but at least one deal. */
    DETECTOR_STEP = 10,
    DETECTOR_EARLY = 10,
};

static const double detector_ln_2 = 0.69314718055994531;

/* After `total` deals, looks come at multiples of a power of two. Returns the exponent of this power. */
static unsigned detector_step(uint64_t total)
{
    unsigned step = 0;

    while (step < DETECTOR_STEP && total >> (DETECTOR_EARLY + step + 1))
        step++;
    return step;
}

uint64_t sb_detector_next_look(uint64_t total)
{
    const unsigned step = detector_step(total);

    return ((total >> step) + 1) << step;
}

enum sb_status sb_detector_open(const struct sb_tally tally[], size_t count, const double weight[], double alpha,
                                struct sb_detector *detector)
{
    struct sb_detector made = { .ln_level = -log(alpha), .ln_factor = -log(alpha), .count = count };
    size_t each, laws = 0;

    for (size_t i = 0; i < count; i++) {
        made.lines += tally[i].members;
        made.bets += tally[i].bets;
        while (tally[i].round && made.round < SB_DETECTOR_LEVELS && UINT64_C(1) << made.round <= tally[i].round)
            made.round++;
        made.cells += tally[i].ln_e ? 0 : tally[i].members * tally[i].cells;
        laws += tally[i].ln_e ? 0 : bound_laws(&tally[i]) * tally[i].cells;
    }
    each = count + made.cells;
    made.memory = calloc(SB_DETECTOR_LEVELS * each + 1, sizeof made.memory[0]);
    made.bet = calloc(SB_DETECTOR_LEVELS * made.bets + 1, sizeof made.bet[0]);
    made.ln_e = calloc(count + 1, sizeof made.ln_e[0]);
    made.since = calloc(made.cells + 1, sizeof made.since[0]);
    made.e = calloc(made.lines + 1, sizeof made.e[0]);
    made.weight = calloc(made.lines + 1, sizeof made.weight[0]);
    made.cell = calloc(laws + 1, sizeof made.cell[0]);
    made.possible = calloc(count + 1, sizeof made.possible[0]);
    made.least = calloc(SB_DETECTOR_LEVELS * count + 1, sizeof made.least[0]);
    *detector = made;
    if (!made.memory || !made.bet || !made.ln_e || !made.since || !made.e || !made.weight || !made.cell ||
        !made.possible || !made.least)
        return SB_NO_MEMORY;
    memcpy(made.weight, weight, made.lines * sizeof weight[0]);
    sb_detector_worth_open(tally, detector);
    for (size_t k = 0; k < SB_DETECTOR_LEVELS; k++) {
        detector->level[k].total = made.memory + k * each;
        detector->level[k].count = made.memory + k * each + count;
        detector->level[k].bet = made.bet + k * made.bets;
    }
    return SB_OK;
}

void sb_detector_close(struct sb_detector *detector)
{
    free(detector->memory);
    free(detector->bet);
    free(detector->ln_e);
    free(detector->since);
    free(detector->e);
    free(detector->weight);
    free(detector->cell);
    free(detector->possible);
    free(detector->least);
    *detector = (struct sb_detector) { .count = 0 };
}

/* Returns the tally with only the counts since the level started. These counts are written to since[]. In
 * level->count, the counts of this tally begin at index `from`. */
static struct sb_tally detector_since(const struct sb_detector_level *level, const struct sb_tally *tally, size_t index,
                                      size_t from, uint64_t since[])
{
    struct sb_tally made = *tally;

    for (size_t i = 0; i < tally->members * tally->cells; i++)
        since[i] = tally->count[i] - level->count[from + i];
    made.total -= level->total[index];
    made.count = since;
    made.small = NULL;
    return made;
}

static void detector_subtract(const struct sb_tally *tally, double errors, struct sb_e_value e[])
{
    const struct sb_e_error error = sb_e_process_error(tally);

    for (size_t i = 0; i < tally->members; i++)
        e[i].ln_e -= errors * sb_e_error_of(&error, &e[i]);
}

/* ln E of a level, where E is the weighted average over all members; `errors` times its rounding error is
 * subtracted from each member's ln E. */
static double detector_ln_e(const struct sb_detector *detector, unsigned k, const struct sb_tally tally[],
                            double errors)
{
    const struct sb_detector_level *const level = &detector->level[k];
    struct sb_e_value *const e = detector->e;
    double most = -HUGE_VAL, sum = 0;
    size_t line = 0, from = 0, bet = 0;

    for (size_t i = 0; i < detector->count; line += tally[i++].members) {
        if (tally[i].ln_e) {
            e[line].ln_e = detector_bets(detector, k, tally, i, bet, errors, NULL);
            bet += tally[i].bets;
            continue;
        }
        const struct sb_tally since = detector_since(level, &tally[i], i, from, detector->since + from);

        sb_e_process(&since, e + line);
        if (errors > 0)
            detector_subtract(&since, errors, e + line);
        from += tally[i].members * tally[i].cells;
    }
    for (size_t i = 0; i < detector->lines; i++)
        most = fmax(most, e[i].ln_e);
    if (isinf(most))
        return most;
    for (size_t i = 0; i < detector->lines; i++)
        sum += detector->weight[i] * exp(e[i].ln_e - most);
    return most + log(sum);
}

/* Adds up the terms of all levels that are due after `total` deals. If `total` is 0, adds up the terms of all
 * levels that have started. `errors` is as in detector_ln_e(). */
static void detector_add(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total, double errors)
{
    uint64_t start = 0; /* start of the previous level; many levels have the same start, and so the same E */
    double ln_e = 0, term[SB_DETECTOR_LEVELS], most = -HUGE_VAL;
    unsigned due = 0;

    for (unsigned k = 0; k < SB_DETECTOR_LEVELS; k++) {
        const struct sb_detector_level *const level = &detector->level[k];

        if (!detector_due(level, k, total))
            continue;
        if (level->start != start || k == detector->round)
            ln_e = detector_ln_e(detector, k, tally, errors);
        start = level->start;
        term[due] = fmin(k * detector_ln_2, detector->ln_factor) - log(SB_DETECTOR_LEVELS) + ln_e;
        if (due == 0 || term[due] > most) {
            most = term[due];
            detector->best = k;
            detector->start = start;
        }
        due++;
    }
    detector->ln_sum = due ? sb_ln_sum(term, due) : most;
}

/* Saves ln E of a tally's bets at the start of a level. At a multiple of the round, saves 0, because the bets
 * start anew with the next deal. */
static void detector_note_bets(const struct sb_tally *tally, uint64_t total, double bet[])
{
    for (size_t i = 0; i < tally->bets; i++)
        bet[i] = tally->round && total % tally->round == 0 ? 0 : tally->ln_bet[i];
}

void sb_detector_start(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total)
{
    const unsigned step = detector_step(total);

    for (unsigned k = 0; k < SB_DETECTOR_LEVELS; k++) {
        struct sb_detector_level *const level = &detector->level[k];
        uint64_t *count = level->count;
        double *bet = level->bet;

        if (k < step) {
            level->start = 0;
            continue;
        }
        if (total & ((UINT64_C(1) << k) - 1) || total - detector->alarm < UINT64_C(1) << k)
            return; /* longer levels do not start here either */
        level->start = total;
        for (size_t i = 0; i < detector->count; i++) {
            const size_t cells = tally[i].ln_e ? 0 : tally[i].members * tally[i].cells;

            level->total[i] = tally[i].total;
            if (cells)
                memcpy(count, tally[i].count, cells * sizeof count[0]);
            count += cells;
            detector_note_bets(&tally[i], total, bet);
            bet += tally[i].bets;
        }
    }
}

/* Whether the sum reaches 1/alpha although rounding errors are subtracted from each term. The sum itself has
 * only positive terms, so its relative error is at most twice their number times 2^-53. */
static bool detector_is_certain(const struct sb_detector *detector, const struct sb_tally tally[], uint64_t total)
{
    const double terms = (double)detector->lines + SB_DETECTOR_LEVELS;
    struct sb_detector low = *detector;

    detector_add(&low, tally, total, 1);
    return low.ln_sum >= detector->ln_level + 0x1p-53 * (2 * terms + 256 + 32 * detector->ln_level);
}

bool sb_detector_look(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total)
{
    if (!detector_worth(detector, tally, total))
        return false;
    detector_add(detector, tally, total, 0);
    return detector->ln_sum >= detector->ln_level && /* if no level is due, the sum is 0 */
           detector_is_certain(detector, tally, total);
}

double sb_detector_ln_sum(const struct sb_detector *detector, const struct sb_tally tally[])
{
    struct sb_detector shown = *detector;

    detector_add(&shown, tally, 0, 0);
    return shown.ln_sum;
}

void sb_detector_silence(struct sb_detector *detector, uint64_t total)
{
    detector->alarm = total;
    for (unsigned k = 0; k < SB_DETECTOR_LEVELS; k++)
        detector->level[k].start = 0;
}

struct sb_tally sb_detector_since(struct sb_detector *detector, const struct sb_tally tally[], size_t index)
{
    size_t from = 0, bet = 0, best;

    for (size_t i = 0; i < index; i++) {
        from += tally[i].ln_e ? 0 : tally[i].members * tally[i].cells;
        bet += tally[i].bets;
    }
    if (tally[index].ln_e) {
        struct sb_tally made = tally[index];

        detector->ln_e[index] = detector_bets(detector, detector->best, tally, index, bet, 0, &best);
        made.ln_e = &detector->ln_e[index];
        made.context = made.names ? made.names[best] : NULL;
        return made;
    }
    return detector_since(&detector->level[detector->best], &tally[index], index, from, detector->since + from);
}
