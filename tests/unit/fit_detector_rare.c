/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The e-detector in rare situations: levels of any length, and sums that are tiny, or at the level itself. */
#include "unit/test.h"

#include "fit/sequential.h"

#include <math.h>

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
    struct sb_tally tally = { .statistic = "x",
                              .members = 1,
                              .cells = 2,
                              .total = UINT64_C(1) << 39,
                              .count = count,
                              .round = UINT64_MAX };
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
