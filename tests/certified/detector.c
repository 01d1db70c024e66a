/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A watch with windows: where a detector raises an alarm, the true sum over its levels has reached 1/alpha, even if a
 * law is off by as much as the detector allows for. */
#include "certified/exact_dice.h"

#include "fit/sequential.h"

#include <math.h>

enum { BITS = 256 };

/* Errors are shares of the margin that the detector takes off. */
static struct claim claim_sum = { "sb_detector_look: all statistics", .absolute = 1 };
static struct claim claim_even = { "sb_detector_look: equally likely", .absolute = 1 };
static struct claim claim_bets = { "sb_detector_look: repeats and bets", .absolute = 1 };

/* The largest difference between ln of the sum and ln(1/alpha) at which a look raises no alarm, and a little more. */
static double margin(struct sb_detector *detector, const struct sb_tally tally[], uint64_t t, double ln_sum)
{
    double low = 0, high = 1e-3;

    while (high - low > 1e-3 * high) {
        const double middle = low > 0 ? sqrt(low * high) : 1e-3 * high;

        detector->ln_level = ln_sum - middle;
        if (sb_detector_look(detector, tally, t))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void check_look(struct sb_detector *detector, const struct sb_tally tally[], unsigned use, uint64_t t,
                       uint64_t before)
{
    const double ln_level = detector->ln_level, ln_sum = detector->ln_sum;
    ARBS(truth, by);

    exact_ln_sum(use, t, before, truth);
    const double off = margin(detector, tally, t, ln_sum);

    arb_set_d(by, ln_sum);
    arb_sub(truth, by, truth, BITS);
    arb_set_d(by, off);
    arb_div(truth, truth, by, BITS);
    certify_enclosed(use == USE_ALL     ? &claim_sum
                     : use == USE_SIDES ? &claim_even
                                        : &claim_bets,
                     0, truth, (const double[4]) { (double)t, ln_sum, off, use });
    detector->ln_level = ln_level;
}

/* A die that is loaded from roll `loaded` on, and a detector that always computes the sum. */
static void watch_die(unsigned use, uint64_t seed)
{
    const uint64_t loaded = 100 + random_below(&seed, ROLLS), often = ROLLS / 40;
    const double first = 1.0 / 3 + 0.3 * random_share(&seed);
    struct sb_tally tally[STATISTICS];
    struct sb_detector detector;
    double ln_bet[BETS], weight[STATISTICS + 1];
    uint64_t before = 0;

    dice_begin(seed % 3 == 0 ? 1e-11 : seed % 3 == 1 ? -1e-11 : 0);
    const size_t count = dice_tally(0, use, ln_bet, weight, tally);

    assert_int_equal(sb_detector_open(tally, count, weight, 1, &detector), SB_OK);
    detector.ln_factor = HUGE_VAL; /* the factors are those of a small alpha, although this one is 1 */
    sb_detector_worth_open(tally, &detector);
    for (uint64_t t = 1; t <= ROLLS; t++) {
        dice_roll(t, t < loaded ? 1.0 / 3 : first, &seed);
        if (t != sb_detector_next_look(before))
            continue;
        dice_tally(t, use, ln_bet, weight, tally);
        if (sb_detector_look(&detector, tally, t) && random_below(&seed, often) == 0)
            check_look(&detector, tally, use, t, before);
        sb_detector_start(&detector, tally, t);
        before = t;
    }
    sb_detector_close(&detector);
    dice_clear();
}

TEST(watches)
{
    for (uint64_t seed = 1; seed <= certify_cases(3); seed++) {
        watch_die(USE_ALL, seed);
        watch_die(USE_SIDES, seed);
        watch_die(USE_REPEATS | USE_BETS, seed);
    }
    assert_true(claim_sum.cases > 20 && claim_even.cases > 20 && claim_bets.cases > 20);
}
