/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/fit.h"
#include "core/numbers.h"
#include "fit/numeric.h"
#include "fit/sequential.h"
#include "fuzz/fuzz.h"

#include <math.h>
#include <string.h>

/* ---- fit ---- */

/*
 * Tallies of any size and law, whose counts and law the bytes choose: each test, e-value and bound obeys its rules.
 * p-values are probabilities, intervals contain what they are about, the order of the cells does not matter, and the
 * short forms agree with the long ones: an e-value with its bound and with the table.
 */
/* Bounds below this, near the least bound of all, may be larger than necessary. */
#define FIT_SMALL 1e-5

enum { FIT_FEW = 4, FIT_MEMBERS = 80, FIT_CELLS = 12, FIT_COUNTS = FIT_MEMBERS * FIT_CELLS };

extern const struct sb_test_type sb_test_likelihood_ratio, sb_test_birthday;

/* A tally and its arrays. */
struct made {
    struct sb_tally tally;
    uint64_t count[FIT_COUNTS];
    uint8_t small[FIT_COUNTS];
    double ln_p[FIT_CELLS];
};

/* Makes a law: some cells are rare, down to 2^-255, and some cannot occur. At least one can. */
static void made_law(struct fuzz *fuzz, struct made *made)
{
    double sum = 0;

    for (size_t i = 0; i < made->tally.cells; i++) {
        const unsigned byte = fuzz_byte(fuzz), rare = byte & 64 ? fuzz_byte(fuzz) : 0;

        made->ln_p[i] = byte & 128 && i > 0 ? 0 : ldexp(1 + (byte & 63), -(int)rare);
        sum += made->ln_p[i];
    }
    for (size_t i = 0; i < made->tally.cells; i++)
        made->ln_p[i] = made->ln_p[i] > 0 ? log(made->ln_p[i]) - log(sum) : -INFINITY;
    made->tally.ln_p = made->ln_p;
}

/* Moves deals from one cell of a member to another. */
static void made_move(struct made *made, size_t member, const size_t possible[], size_t count, uint64_t *random)
{
    uint64_t *const row = made->count + member * made->tally.cells;

    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth's */
    uint64_t *const from = &row[possible[(*random >> 33) % count]], *const to = &row[possible[(*random >> 43) % count]];
    const uint64_t moved = *from / 2 < UINT8_MAX - *to || *from > UINT8_MAX ? *from / 2 : 0;

    *from -= moved;
    *to += moved;
}

/* Makes the counts of the first member. Each other member has the same counts in the next cells that can occur, and,
 * if there are many members, some of them are moved. */
static void made_counts(struct fuzz *fuzz, struct made *made)
{
    const unsigned byte = fuzz_byte(fuzz), shift = byte & 128 ? 0 : byte % 40;
    uint64_t random = byte;
    const size_t cells = made->tally.cells;
    size_t possible[FIT_CELLS], count = 0;
    bool small = true;

    for (size_t i = 0; i < cells; i++)
        if (!made->tally.ln_p || !isinf(made->ln_p[i]))
            possible[count++] = i;
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = (uint64_t)fuzz_byte(fuzz) << shift;

        made->tally.total += value;
        for (size_t member = 0; member < made->tally.members; member++)
            made->count[member * cells + possible[(i + member) % count]] = value;
    }
    for (size_t member = FIT_FEW; member < made->tally.members; member++)
        made_move(made, member, possible, count, &random);
    for (size_t i = 0; i < made->tally.members * cells; i++) {
        made->small[i] = (uint8_t)made->count[i];
        small = small && made->count[i] <= UINT8_MAX;
    }
    made->tally.count = made->count;
    made->tally.small = small ? made->small : NULL;
}

static void made_take(struct fuzz *fuzz, struct made *made)
{
    const unsigned how = fuzz_byte(fuzz);

    *made = (struct made) { .tally.statistic = "fixed-points" };
    made->tally.members = how & 32 ? FIT_MEMBERS : 1 + how % FIT_FEW;
    made->tally.cells = 1 + fuzz_byte(fuzz) % FIT_CELLS;
    made->tally.lag = how & 64 ? 1 : 0;
    if (how & 128)
        made_law(fuzz, made);
    made_counts(fuzz, made);
}

/* The same tally with its cells in the opposite order. */
static void made_reversed(const struct made *made, struct made *other)
{
    const size_t cells = made->tally.cells;

    *other = *made;
    for (size_t i = 0; i < made->tally.members * cells; i++) {
        const size_t from = i / cells * cells + cells - 1 - i % cells;

        other->count[i] = made->count[from];
        other->small[i] = made->small[from];
    }
    for (size_t i = 0; i < cells; i++)
        other->ln_p[i] = made->ln_p[cells - 1 - i];
    other->tally.count = other->count;
    other->tally.small = made->tally.small ? other->small : NULL;
    other->tally.ln_p = made->tally.ln_p ? other->ln_p : NULL;
}

static bool near(double one, double other, double relative)
{
    return (isnan(one) && isnan(other)) || one == other ||
           fabs(one - other) <= relative * (1 + fmax(fabs(one), fabs(other)));
}

/* The rules for each finding. */
static void check_finding(const struct sb_finding *finding)
{
    fuzz_check(isnan(finding->p) == isnan(finding->ln_p) && !(finding->p < 0) && !(finding->p > 1) &&
                   !(finding->ln_p > 0),
               "p is a probability");
    fuzz_check(!(finding->effect < 0) && !(finding->effect_low > finding->effect * (1 + 1e-9)) &&
                   !(finding->effect > finding->effect_high * (1 + 1e-9)),
               "an interval contains its effect");
}

/* Runs a test on the tally and on the reversed one. The test may refuse the shape of a tally. */
static void check_test(const struct sb_test_type *test, const struct made *made, const struct made *reversed,
                       double alpha, bool any_order)
{
    struct sb_finding one, other;
    const enum sb_status status = test->run(&made->tally, alpha, &one);

    fuzz_check(status == SB_OK || status == SB_INVALID, "a test runs, or cannot take the shape");
    fuzz_check(test->run(&reversed->tally, alpha, &other) == status, "the order does not matter");
    if (status)
        return;
    check_finding(&one);
    fuzz_check(!(one.value < 0) && !isinf(one.value), "a statistic is a number");
    if (!any_order)
        return;
    fuzz_check(near(one.value, other.value, 1e-9) && near(one.ln_p, other.ln_p, 1e-8) &&
                   near(one.effect, other.effect, 1e-8) && near(one.effect_low, other.effect_low, 1e-8) &&
                   near(one.effect_high, other.effect_high, 1e-8),
               "the order of the cells does not matter");
}

/* The e-values, whose bound and table must agree with them. */
static void check_e(const struct made *made, const struct made *reversed, struct sb_e_value e[])
{
    const struct sb_e_error error = sb_e_process_error(&made->tally);
    const uint64_t none[FIT_CELLS] = { 0 };
    struct sb_e_table *const table = sb_e_table_new();
    struct sb_e_value other[FIT_MEMBERS], again[FIT_MEMBERS];
    struct sb_e_cell cell[FIT_CELLS];
    const size_t cells = made->tally.cells, possible = sb_e_bound_cells(&made->tally, cell);

    fuzz_check(table, "there is memory");
    sb_e_process(&made->tally, e);
    sb_e_process(&reversed->tally, other);
    sb_e_process_by(table, &made->tally, again);
    sb_e_process_by(table, &made->tally, again);
    for (size_t i = 0; i < made->tally.members; i++) {
        const uint64_t *const now = made->count + i * cells;
        const double off = sb_e_error_of(&error, &e[i]);

        fuzz_check(e[i].ln_e <= e[i].ln_best + off, "the best law explains the counts best");
        fuzz_check(e[i].ln_e == again[i].ln_e && e[i].ln_best == again[i].ln_best, "a table has the same terms");
        fuzz_check(fabs(e[i].ln_e - other[i].ln_e) <= 2 * off, "the order of the cells does not matter");
        if (made->tally.total == 0)
            continue;
        const struct sb_e_bound most = sb_e_bound_of(cell, cells, now, none, made->tally.total);

        fuzz_check(e[i].ln_e - off <= sb_e_bound_ln_e(&most, possible) + 1e-14 * most.sum,
                   "an e-value is below its bound");
    }
    sb_e_table_free(table);
}

/* The bounds on total variation: in order, around what the counts show, and the same in each form. */
static void check_bounds(const struct made *made, const struct sb_e_value e[], double ln_level)
{
    double low[FIT_MEMBERS], high[FIT_MEMBERS], most = 0, largest = 0;

    fuzz_check(sb_tv_low(&made->tally, e, ln_level, low) == SB_OK &&
                   sb_tv_high(&made->tally, ln_level, high) == SB_OK &&
                   sb_tv_high_largest(&made->tally, ln_level, &largest) == SB_OK,
               "there is memory");
    for (size_t i = 0; i < made->tally.members; i++) {
        const double seen = sb_tv_seen(&made->tally, i).seen;

        fuzz_check(low[i] >= 0 && low[i] <= high[i] && high[i] <= 1, "bounds are in order");
        fuzz_check(!(seen < low[i] - 1e-10) && !(seen > high[i] + 1e-10), "bounds contain what is seen");
        most = fmax(most, high[i]);
    }
    fuzz_check(largest >= (1 - 1.1e-3) * most && (largest <= 1.0011 * most + 1e-10 || most < FIT_SMALL),
               "the largest bound is that of a member");
}

/* Counts in bytes are only a faster way to the same bounds and e-values. */
static void check_bytes(const struct made *made, const struct sb_e_value e[], double ln_level)
{
    double with[FIT_MEMBERS], without[FIT_MEMBERS], largest = 0, most = 0;
    struct sb_e_value other[FIT_MEMBERS];
    struct sb_tally tally = made->tally;

    tally.small = NULL;
    sb_e_process(&tally, other);
    fuzz_check(sb_tv_high(&made->tally, ln_level, with) == SB_OK && sb_tv_high(&tally, ln_level, without) == SB_OK &&
                   sb_tv_high_largest(&made->tally, ln_level, &largest) == SB_OK &&
                   sb_tv_high_largest(&tally, ln_level, &most) == SB_OK,
               "there is memory");
    for (size_t i = 0; i < tally.members; i++)
        fuzz_check(fabs(with[i] - without[i]) <= 1e-11 && near(e[i].ln_e, other[i].ln_e, 1e-11),
                   "bytes change no number");
    fuzz_check(fabs(largest - most) <= 1e-11, "bytes do not change the largest bound");
}

/* Adds up the last two cells of a law, which cannot raise an upper bound. (Equally likely cells have bounds of their
 * own, which only look at whole cells.) */
static void check_coarser(struct made *made, double ln_level)
{
    const size_t cells = made->tally.cells - 1;
    double fine[FIT_MEMBERS], coarse[FIT_MEMBERS];

    fuzz_check(sb_tv_high(&made->tally, ln_level, fine) == SB_OK, "there is memory");
    for (size_t member = 0; member < made->tally.members; member++) {
        for (size_t i = 0; i < cells; i++)
            made->count[member * cells + i] = made->count[member * (cells + 1) + i];
        made->count[member * cells + cells - 1] += made->count[member * (cells + 1) + cells];
    }
    made->ln_p[cells - 1] = log(exp(made->ln_p[cells - 1]) + exp(made->ln_p[cells]));
    made->tally.small = NULL;
    made->tally.cells = cells;
    fuzz_check(sb_tv_high(&made->tally, ln_level, coarse) == SB_OK, "there is memory");
    for (size_t i = 0; i < made->tally.members; i++)
        fuzz_check(coarse[i] <= fine[i] * 1.0011 + 1e-10, "coarser cells give no larger bound");
}

/* Decks and their repeats. */
static void check_repeats(struct fuzz *fuzz, double alpha)
{
    const uint64_t decks = fuzz_number(fuzz, 1 + fuzz_byte(fuzz) % 6);
    const uint64_t repeats = decks ? fuzz_number(fuzz, 6) % decks : 0;
    const double ln_pair = -(1 + (double)fuzz_number(fuzz, 2) / 128);
    const struct sb_tally tally = {
        .statistic = "repeat", .members = 1, .cells = 1, .total = decks, .count = &repeats, .ln_p = &ln_pair
    };
    struct sb_finding one;

    fuzz_check(sb_test_birthday.run(&tally, alpha, &one) == SB_OK, "the test runs");
    fuzz_check(isnan(one.p) == (decks < 2), "a pair of decks is needed");
    check_finding(&one);
}

static void part_fit(struct fuzz *fuzz)
{
    static const double alphas[] = { 0.05, 1e-3, 1e-9, 0.5, 0.999, 1e-100 };
    const double alpha = alphas[fuzz_byte(fuzz) % (sizeof alphas / sizeof alphas[0])];
    struct sb_e_value e[FIT_MEMBERS];
    struct made made, reversed;

    made_take(fuzz, &made);
    made_reversed(&made, &reversed);
    check_test(&sb_test_pearson, &made, &reversed, alpha, true);
    check_test(&sb_test_likelihood_ratio, &made, &reversed, alpha, true);
    check_test(&sb_test_merged, &made, &reversed, alpha, false);
    check_repeats(fuzz, alpha);
    check_e(&made, &reversed, e);
    check_bounds(&made, e, -log(alpha));
    if (made.tally.small)
        check_bytes(&made, e, -log(alpha));
    if (made.tally.cells > 1 && made.tally.ln_p)
        check_coarser(&made, -log(alpha));
}

/* ---- merge ---- */

/*
 * Merged cells: neighbours, in order, that keep their probability. Each is likely enough, unless only one is
 * left, and none could have ended earlier.
 */
enum { MERGE_CELLS = 64 };

/* A law of 1 to 64 cells with the weights of the bytes; returns the number of cells. */
static size_t merge_law(struct fuzz *fuzz, double p[], double ln_p[])
{
    const size_t cells = 1 + fuzz_byte(fuzz) % MERGE_CELLS;
    double sum = 0;

    for (size_t i = 0; i < cells; i++) {
        const unsigned byte = fuzz_byte(fuzz);

        p[i] = byte & 128 ? exp2(-(double)(byte & 127) * 8) : 1 + byte; /* down to 2^-1016 */
        sum += p[i];
    }
    for (size_t i = 0; i < cells; i++) {
        p[i] /= sum;
        ln_p[i] = log(p[i]);
    }
    return cells;
}

static void part_merge(struct fuzz *fuzz)
{
    const double least = (double)fuzz_number(fuzz, 2) / 65536;
    double p[MERGE_CELLS], ln_p[MERGE_CELLS], merged[MERGE_CELLS], sum[MERGE_CELLS] = { 0 };
    uint32_t map[MERGE_CELLS], in_place[MERGE_CELLS];
    const size_t cells = merge_law(fuzz, p, ln_p), count = sb_merge_cells(ln_p, cells, least, map, merged);

    fuzz_check(map[0] == 0 && map[cells - 1] + 1 == count, "the map goes from the first to the last");
    for (size_t i = 0; i < cells; i++) {
        const bool starts = i > 0 && map[i] != map[i - 1];

        fuzz_check(!starts || map[i] == map[i - 1] + 1, "merged cells are neighbours");
        fuzz_check(i == 0 || starts || map[i] + 1 == count || sum[map[i]] < least,
                   "a merged cell ends as soon as it is likely enough");
        sum[map[i]] += p[i];
    }
    for (size_t k = 0; k < count; k++) {
        fuzz_check(fabs(exp(merged[k]) - sum[k]) <= 1e-12 * sum[k], "a merged cell has the sum");
        fuzz_check(count == 1 || sum[k] >= least * (1 - 2e-9), "a merged cell is likely enough");
    }
    fuzz_check(sb_merge_cells(ln_p, cells, least, in_place, ln_p) == count &&
                   memcmp(map, in_place, cells * sizeof map[0]) == 0 &&
                   memcmp(merged, ln_p, count * sizeof merged[0]) == 0,
               "the law may be replaced by that of the merged cells");
}

FUZZ_TARGET(part_fit, part_merge)
