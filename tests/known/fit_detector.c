/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The e-detector in rare situations. tests/certified/detector.c has its definition, and tests/promise how often it
 * raises an alarm. */
#include "unit/test.h"

#include "fit/fit.h"
#include "fit/sequential.h"
#include "known/assert_near.h"

#include <math.h>

enum { LEVELS = 40 };

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

/* Two members that have laws of their own, of which one has a cell that cannot occur: each look raises an alarm if and
 * only if the definition does. From the 300th deal on, the second member has another law. */
TEST(laws_of_their_own)
{
    enum { MEMBERS = 2, CELLS = 3, DEALS = 600 };
    static const double weight[MEMBERS] = { 0.5, 0.5 };
    static const double p[MEMBERS][CELLS] = { { 0.5, 0.25, 0.25 }, { 0.75, 0.25, 0 } };
    static uint64_t past[DEALS + 1][MEMBERS * CELLS];
    uint64_t *count = past[0], silent = 0;
    double ln_p[MEMBERS * CELLS];
    struct sb_tally tally = { .statistic = "x", .members = 2, .cells = CELLS, .separate = true, .ln_p = ln_p };
    struct sb_detector detector;
    unsigned alarms = 0;

    for (size_t i = 0; i < MEMBERS * CELLS; i++)
        ln_p[i] = log(p[i / CELLS][i % CELLS]); /* log(0) is -infinity */
    assert_int_equal(sb_detector_open(&tally, 1, weight, 1e-4, &detector), SB_OK);
    for (uint64_t t = 1; t <= DEALS; t++) {
        long double sum = 0;

        count = past[t];
        for (size_t i = 0; i < MEMBERS * CELLS; i++)
            count[i] = past[t - 1][i];
        count[t % 4 < 2 ? 0 : t % 4 - 1]++;
        count[CELLS + (t < 300 ? t % 4 == 0 : t % 4 != 0)]++;
        tally.count = count;
        tally.total = t;
        for (unsigned k = 0; k < LEVELS; k++) {
            const uint64_t length = UINT64_C(1) << k, start = (t - 1) / length * length;

            if (start < silent + length || (k > 5 && t % (length / 32)))
                continue;
            for (size_t member = 0; member < MEMBERS; member++) {
                const size_t cells = member ? 2 : 3; /* those that can occur */
                uint64_t since[CELLS];

                for (size_t i = 0; i < cells; i++)
                    since[i] = count[member * CELLS + i] - past[start][member * CELLS + i];
                sum += fminl(powl(2, k), 1e4L) / LEVELS * value(since, p[member], cells) / MEMBERS;
            }
        }
        const bool alarm = sb_detector_look(&detector, &tally, t);

        assert_int_equal(alarm, sum >= 1e4L);
        if (alarm) {
            sb_detector_silence(&detector, t);
            silent = t;
            alarms++;
        }
        sb_detector_start(&detector, &tally, t);
    }
    assert_in_range(alarms, 1, 10);
    sb_detector_close(&detector);
}

/* Two bets, of which one wins from the 300th deal on: each look raises an alarm if and only if the definition does. E
 * is the average growth of the bets since the start of a level. If the bets start anew after each round, E is 1 in a
 * level that is longer than a round. */
static void check_bets(uint64_t round)
{
    enum { BETS = 2, DEALS = 600 };
    static const double weight[] = { 1 };
    static double past[DEALS + 1][BETS];
    double ln_e, ln_bet[BETS] = { 0 };
    struct sb_tally tally = { .statistic = "x",
                              .members = 1,
                              .ln_e = &ln_e,
                              .bets = BETS,
                              .ln_bet = ln_bet,
                              .bet_error = 1e-13,
                              .round = round };
    struct sb_detector detector;
    uint64_t silent = 0;
    unsigned alarms = 0;

    assert_int_equal(sb_detector_open(&tally, 1, weight, 1e-6, &detector), SB_OK);
    for (uint64_t t = 1; t <= DEALS; t++) {
        double sum = 0;

        ln_bet[0] += t < 300 ? -0.01 : 0.3;
        ln_bet[1] -= 0.05;
        ln_e = log((exp(ln_bet[0]) + exp(ln_bet[1])) / BETS);
        tally.total = t;
        for (unsigned k = 0; k < LEVELS; k++) {
            const uint64_t length = UINT64_C(1) << k, start = (t - 1) / length * length;

            if (start >= silent + length && (k <= 5 || t % (length / 32) == 0))
                for (size_t i = 0; i < BETS; i++)
                    sum += pow(2, k) / LEVELS * (round && length > round ? 1 : exp(ln_bet[i] - past[start][i])) / BETS;
        }
        const bool alarm = sb_detector_look(&detector, &tally, t);

        assert_true(fabs(sum / 1e6 - 1) > 1e-6);
        assert_int_equal(alarm, sum >= 1e6);
        if (alarm) {
            sb_detector_silence(&detector, t);
            silent = t;
            alarms++;
        }
        sb_detector_start(&detector, &tally, t);
        for (size_t i = 0; i < BETS; i++)
            past[t][i] = ln_bet[i] = round && t % round == 0 ? 0 : ln_bet[i];
    }
    assert_in_range(alarms, 2, 10);
    sb_detector_close(&detector);
}

TEST(bets_that_win)
{
    check_bets(0);
    check_bets(64);
}

/* Without rolls, each E is 1, its average under a fair die. Then the sum is at most T after T deals, from the beginning
 * and also from an alarm on, wherever it falls. This is what the bound on the time to the next alarm rests on. */
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
