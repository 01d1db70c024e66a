/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The e-detector against its definition, computed anew at every look from all earlier permutations. tests/promise measures
 * how often it raises an alarm.
 */
#include "unit/test.h"

#include "fit/fit.h"
#include "fit/sequential.h"
#include "unit/assert_near.h"

#include <math.h>
#include <string.h>

enum { SIDES = 3, ROLLS = 6000, STATISTICS = 4, LEVELS = 40, BETS = 2, ROUND = 64 };

/* Knuth's 64-bit linear congruential generator: a number below 1. */
static double number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* A die whose first side comes up with this probability, the others share the rest. */
static unsigned roll(uint64_t *state, double first)
{
    const double u = number(state);

    return u < first ? 0 : u < first + (1 - first) / 2 ? 1 : 2;
}

/*
 * What is tallied of a die: its sides; whether it was the first, and the second; and repeats and bets that come in
 * rounds, of which only ln E is made up here.
 */
struct dice {
    uint64_t total, side[SIDES], is[4];
    struct sb_birthday birthday;
    double ln_e;
    double bet[BETS], ln_bets; /* of the current round */
};

static const double ln_is[] = { -1.0986122886681098, -0.40546510810816438 }; /* ln 1/3, ln 2/3 */
static const double weights[] = { 0.4, 0.3, 0.1, 0.1, 0.1 };

static void dice_roll(struct dice *dice, unsigned side, uint64_t *state)
{
    for (size_t i = 0; i < BETS; i++)
        dice->bet[i] = (dice->total % ROUND ? dice->bet[i] : 0) +
                       0.3 * (number(state) - (dice->total < 3000 ? 0.6 : 0.2)) * (double)(i + 1);
    dice->total++;
    dice->side[side]++;
    dice->is[side != 0]++;
    dice->is[2 + (side != 1)]++;
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++)
        dice->birthday.ln_e[i] += 0.02 * (number(state) - 0.6) * (double)i;
}

static void dice_tally(struct dice *dice, struct sb_tally tally[STATISTICS])
{
    dice->ln_e = sb_birthday_ln_e(&dice->birthday);
    tally[0] = (struct sb_tally) { .members = 1, .cells = SIDES, .total = dice->total, .count = dice->side };
    tally[1] = (struct sb_tally) { .members = 2, .cells = 2, .total = dice->total, .count = dice->is, .ln_p = ln_is };
    tally[2] = (struct sb_tally) {
        .members = 1,
        .total = dice->total,
        .ln_e = &dice->ln_e,
        .bets = SB_BIRTHDAY_ALTERNATIVES,
        .ln_bet = dice->birthday.ln_e,
    };
    tally[3] = (struct sb_tally) {
        .members = 1,
        .total = dice->total,
        .ln_e = &dice->ln_bets,
        .bets = BETS,
        .ln_bet = dice->bet,
        .round = ROUND,
    };
}

/* E of counts by the formula of docs and comments, K cells with the law p. More than 6 cells have one concentration
 * more. */
static long double value(const uint64_t count[], const double p[], size_t cells)
{
    const int first = cells > 6 ? -1 : 0;
    long double sum = 0, total = 0;

    for (size_t i = 0; i < cells; i++)
        total += (long double)count[i];
    for (int g = first; g < 6; g++) {
        const long double a = (long double)cells * powl(10, g);
        long double ln = lgammal(a) - lgammal(a + total);

        for (size_t i = 0; i < cells; i++)
            ln += lgammal(a * p[i] + (long double)count[i]) - lgammal(a * p[i]) - (long double)count[i] * logl(p[i]);
        sum += expl(ln) / (6 - first);
    }
    return sum;
}

/* E of the bets of a level: if it is no longer than a round, it lies in one, and may start with it. */
static long double value_of_bets(const struct dice *then, const struct dice *now, uint64_t length)
{
    long double sum = 0;

    for (size_t i = 0; i < BETS; i++)
        sum += expl((long double)now->bet[i] - (then->total % ROUND ? (long double)then->bet[i] : 0)) / BETS;
    return length > ROUND ? 1 : sum;
}

/* E of the rolls after `start`, from what was there then and is now, for a level of this length. */
static long double value_since(const struct dice *then, const struct dice *now, uint64_t length)
{
    static const double fair[] = { 1.0 / 3, 1.0 / 3, 1.0 / 3 }, is[] = { 1.0 / 3, 2.0 / 3 };
    uint64_t side[SIDES], first[4];
    long double repeat = 0;

    for (size_t i = 0; i < SIDES; i++)
        side[i] = now->side[i] - then->side[i];
    for (size_t i = 0; i < 4; i++)
        first[i] = now->is[i] - then->is[i];
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++)
        repeat += expl((long double)now->birthday.ln_e[i] - (long double)then->birthday.ln_e[i]) / 4;
    return (long double)weights[0] * value(side, fair, SIDES) + (long double)weights[1] * value(first, is, 2) +
           (long double)weights[2] * value(first + 2, is, 2) + (long double)weights[3] * repeat +
           (long double)weights[4] * value_of_bets(then, now, length);
}

/* How far apart looks are after so many rolls: 2^10 at most. */
static unsigned step_of(uint64_t total)
{
    unsigned step = 0;

    while (step < 10 && (UINT64_C(2048) << step) <= total)
        step++;
    return step;
}

TEST(against_the_definition)
{
    static struct dice at[ROLLS + 1];
    struct sb_tally tally[STATISTICS];
    struct sb_detector detector;
    uint64_t random = 1, look = 0, before = 0, silent = 0;
    unsigned alarms = 0;

    dice_tally(&at[0], tally);
    assert_int_equal(sb_detector_open(tally, STATISTICS, weights, 1e-4, &detector), SB_OK);
    look = sb_detector_next_look(0);
    for (uint64_t t = 1; t <= ROLLS; t++) {
        const bool shown = t % 20 == 0; /* it takes longer */
        long double sum = 0, whole = 0;

        at[t] = at[t - 1];
        dice_roll(&at[t], roll(&random, t < 3000 ? 1.0 / 3 : 0.5), &random);
        if (t != look)
            continue;
        assert_int_equal(t, (before / (UINT64_C(1) << step_of(before)) + 1) << step_of(before));
        for (unsigned k = step_of(before); k < LEVELS; k++) {
            const uint64_t length = UINT64_C(1) << k, start = (t - 1) / length * length;

            const bool due = k <= 5 || t % (length / 32) == 0;

            if (start < silent + length || (!due && !shown))
                continue;
            const long double term = powl(2, k) / LEVELS * value_since(&at[start], &at[t], length);

            whole += term;
            sum += due ? term : 0;
        }
        dice_tally(&at[t], tally);
        if (shown && whole > 0)
            assert_within(sb_detector_ln_sum(&detector, tally), (double)logl(whole), 1e-8);
        const bool alarm = sb_detector_look(&detector, tally, t);

        assert_int_equal(alarm, sum >= 1e4L); /* also where it was not worked out */
        if (alarm) {
            assert_within(detector.ln_sum, (double)logl(sum), 1e-8);
            const uint64_t start = detector.start;
            const struct sb_tally since = sb_detector_since(&detector, tally, 1);

            assert_int_equal(start % (UINT64_C(1) << detector.best), 0);
            assert_int_equal(since.total, t - start);
            for (size_t i = 0; i < 4; i++)
                assert_int_equal(since.count[i], at[t].is[i] - at[start].is[i]);
            sb_detector_silence(&detector, t);
            silent = t;
            alarms++;
        }
        sb_detector_start(&detector, tally, t);
        before = t;
        look = sb_detector_next_look(t);
    }
    assert_in_range(alarms, 2, 40);
    sb_detector_close(&detector);
}

/* All but one of the cells are rare, and stay empty. This is weak evidence, of which no part may be left out: each look
 * raises an alarm if and only if the definition does. There is a look after each deal. */
TEST(empty_cells)
{
    enum { RARE = 24, DEALS = 2000 };
    static const double weight[] = { 1 };
    double p[RARE], ln_p[RARE];
    uint64_t count[RARE] = { 0 }, silent = 0;
    struct sb_tally tally = { .statistic = "x", .members = 1, .cells = RARE, .count = count, .ln_p = ln_p };
    struct sb_detector detector;
    unsigned alarms = 0;

    for (size_t i = 0; i < RARE; i++)
        ln_p[i] = log(p[i] = i == 0 ? 0.954 : 0.002);
    assert_int_equal(sb_detector_open(&tally, 1, weight, 1e-6, &detector), SB_OK);
    for (uint64_t t = 1; t <= DEALS; t++) {
        long double sum = 0;

        count[0] = tally.total = t;
        for (unsigned k = 0; k < LEVELS; k++) {
            const uint64_t length = UINT64_C(1) << k, start = (t - 1) / length * length;
            const uint64_t since[RARE] = { t - start };

            if (start >= silent + length && (k <= 5 || t % (length / 32) == 0))
                sum += powl(2, k) / LEVELS * value(since, p, RARE);
        }
        const bool alarm = sb_detector_look(&detector, &tally, t);

        assert_int_equal(alarm, sum >= 1e6L);
        if (alarm) {
            sb_detector_silence(&detector, t);
            silent = t;
            alarms++;
        }
        sb_detector_start(&detector, &tally, t);
    }
    assert_in_range(alarms, 2, 10);
    sb_detector_close(&detector);
}

/* Without rolls, each E is 1, its average under a fair die. Then the sum is at most T after T deals, from the beginning and
 * also from an alarm on, wherever it falls. This is what the bound on the time to the next alarm rests on. */
TEST(sum_since_an_alarm)
{
    static const uint64_t alarms[] = { 1, 7, 1023, 1024, 1025, 4095, 4096, 5120, 65536 };
    static const double weight[] = { 1 };
    const uint64_t count[2] = { 0 };
    const struct sb_tally tally = { .statistic = "x", .members = 1, .cells = 2, .count = count };

    for (size_t i = 0; i < sizeof alarms / sizeof alarms[0]; i++) {
        struct sb_detector detector;
        uint64_t alarm = 0;
        double most = 0;

        assert_int_equal(sb_detector_open(&tally, 1, weight, 1e-9, &detector), SB_OK);
        for (uint64_t t = 1; t < 200000; t = sb_detector_next_look(t)) {
            if (alarm == 0 && t >= alarms[i])
                sb_detector_silence(&detector, alarm = t);
            sb_detector_start(&detector, &tally, t);
            const double sum = exp(sb_detector_ln_sum(&detector, &tally));

            assert_true(sum <= (double)(t - alarm) * (1 + 1e-12));
            most = fmax(most, sum);
        }
        assert_true(most > 1000); /* the levels start again */
        sb_detector_close(&detector);
    }
}

/* A side that cannot come raises the alarm at once, and nothing raises none. */
TEST(what_cannot_happen)
{
    static const double ln_p[] = { 0, -HUGE_VAL }, weight[] = { 1 };
    uint64_t count[] = { 0, 0 };
    struct sb_tally tally = { .statistic = "x", .members = 1, .cells = 2, .count = count, .ln_p = ln_p };
    struct sb_detector detector;

    assert_int_equal(sb_detector_open(&tally, 1, weight, 1e-3, &detector), SB_OK);
    assert_true(sb_detector_ln_sum(&detector, &tally) == -HUGE_VAL); /* no level has started */
    count[0] = tally.total = 1;
    sb_detector_start(&detector, &tally, 1);
    assert_false(sb_detector_look(&detector, &tally, 1)); /* no deal since then */
    count[1] = 1;
    tally.total = 2;
    assert_true(sb_detector_look(&detector, &tally, 2));
    assert_true(sb_detector_ln_sum(&detector, &tally) == HUGE_VAL);
    sb_detector_close(&detector);
}

/* ---- fit detector rare ---- */

/* The e-detector in rare situations: levels of any length, and sums that are tiny, or at the level itself. */

/* Deals that are as even as can be speak for a fair shuffle, so they raise no alarm however long a level is: 2^11/40 is
 * far above 1/alpha. */
TEST(long_levels_need_evidence)
{
    static const double weight[] = { 1 };
    uint64_t count[] = { 0, 0 }, look = 1;
    struct sb_tally tally = { .statistic = "x", .members = 1, .cells = 2, .count = count };
    struct sb_detector detector;

    assert_int_equal(sb_detector_open(&tally, 1, weight, 0.5, &detector), SB_OK);
    for (uint64_t t = 1; t <= 5000; t++) {
        count[t % 2]++;
        tally.total = t;
        if (t != look)
            continue;
        assert_false(sb_detector_look(&detector, &tally, t));
        sb_detector_start(&detector, &tally, t);
        look = sb_detector_next_look(t);
    }
    sb_detector_close(&detector);
}

/* A quintillion even deals of 200 sides are so much evidence for the null law that E is far below the least double. */
TEST(tiny_evidence_is_a_number)
{
    enum { MANY = 200 };
    static uint64_t count[MANY];
    const double weight[] = { 1 };
    struct sb_tally tally = { .members = 1, .cells = MANY, .count = count };
    struct sb_detector detector;

    assert_int_equal(sb_detector_open(&tally, 1, weight, 1e-3, &detector), SB_OK);
    sb_detector_start(&detector, &tally, 1);
    for (size_t i = 0; i < MANY; i++)
        count[i] = UINT64_C(5000000000000000);
    tally.total = MANY * count[0];
    assert_true(sb_detector_ln_sum(&detector, &tally) < -745);
    sb_detector_close(&detector);
}

/* After 2^39 deals all levels start, but for those below the distance of looks, which is 2^10. Rounds that are longer
 * than all levels change nothing. */
TEST(all_levels_start)
{
    static const double weight[] = { 1 };
    const uint64_t count[] = { UINT64_C(1) << 38, UINT64_C(1) << 38 };
    struct sb_tally tally = {
        .statistic = "x", .members = 1, .cells = 2, .total = UINT64_C(1) << 39, .count = count, .round = UINT64_MAX
    };
    struct sb_detector detector;

    assert_int_equal(sb_detector_open(&tally, 1, weight, 1e-3, &detector), SB_OK);
    assert_int_equal(detector.round, SB_DETECTOR_LEVELS);
    assert_int_equal(sb_detector_next_look(tally.total), tally.total + 1024);
    sb_detector_start(&detector, &tally, tally.total);
    for (size_t k = 0; k < SB_DETECTOR_LEVELS; k++)
        assert_int_equal(detector.level[k].start, k < 10 ? 0 : tally.total);
    sb_detector_close(&detector);
}

/* A sum that is above the level only by what may be a rounding error, here 2e-14, raises no alarm. */
TEST(a_hair_above_the_level)
{
    static const double weight[] = { 1 };
    uint64_t count[] = { 0, 0 };
    struct sb_tally tally = { .statistic = "x", .members = 1, .cells = 2, .count = count };
    double ln_sum = 20, off[] = { 1e-3, 0, -2e-14, -1e-3 };

    for (size_t i = 0; i < 4; i++) {
        struct sb_detector detector;

        count[0] = count[1] = 0;
        tally.total = 0;
        assert_int_equal(sb_detector_open(&tally, 1, weight, exp(-(ln_sum + off[i])), &detector), SB_OK);
        count[0] = tally.total = 1;
        sb_detector_start(&detector, &tally, 1);
        count[0] = tally.total = 40;
        const bool alarm = sb_detector_look(&detector, &tally, 40);

        if (i == 0)
            ln_sum = sb_detector_ln_sum(&detector, &tally); /* the next levels are about this sum */
        assert_int_equal(alarm, i == 3);
        if (i == 2)
            assert_true(detector.ln_sum >= detector.ln_level);
        sb_detector_close(&detector);
    }
}
