/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E-values are within the errors that fit/sequential.h states. The program's own bound on the error
 * of an e-value is at least the true error. */
#include "certified/exact_e.h"

#include "fit/sequential.h"

#include <math.h>
#include <string.h>

static struct claim claim_e = { "sb_e_process: ln E", .relative = 1e-14, .absolute = 1e-9 };
static struct claim claim_best = { "sb_e_process: ln best", .relative = 1e-14, .absolute = 1e-9 };
static struct claim claim_half = { "sb_e_process_half: ln E", .relative = 1e-14, .absolute = 1e-9 };
static struct claim claim_error = { "sb_e_error_of", .absolute = 1 }; /* times the program's own bound */
static struct claim claim_off = { "sb_e_error_of, laws off by 1e-11", .absolute = 1 };

static void check_error(struct claim *claim, const struct sb_e_value *e, const arb_t truth)
{
    const struct sb_e_error error = sb_e_process_error(&drawn);
    const double own = sb_e_error_of(&error, e), x[4] = { (double)drawn.cells, (double)drawn.total, e->ln_e, own };
    ARBS(scaled, by);

    arb_set_d(by, e->ln_e);
    arb_sub(scaled, truth, by, 256);
    arb_set_d(by, own);
    arb_div(scaled, scaled, by, 256);
    certify_enclosed(claim, 0, scaled, x);
}

/* Checks the e-value of the present tally. */
static void check_e(void)
{
    const double x[4] = { (double)drawn.cells, (double)drawn.total, drawn.ln_p != NULL };
    struct sb_e_value e, half;
    ARBS(truth);

    sb_e_process(&drawn, &e);
    sb_e_process_half(&drawn, &half);
    exact_ln_e(1, 256, truth);
    certify_enclosed(&claim_e, e.ln_e, truth, x);
    check_error(&claim_error, &e, truth);
    exact_ln_best(256, truth);
    certify_enclosed(&claim_best, e.ln_best, truth, x);
    exact_ln_e(0.5, 256, truth);
    certify_enclosed(&claim_half, half.ln_e, truth, x);
    check_error(&claim_error, &half, truth);
}

TEST(random_tallies)
{
    uint64_t seed = 20;

    for (size_t i = 0; i < certify_cases(120); i++) {
        random_law(&seed, 2 + random_below(&seed, i % 10 ? 30 : 200), i % 2);
        random_counts(&seed, random_scale(&seed, 1, i % 3 ? 1e6 : 0x1p31),
                      i % 4 ? random_scale(&seed, 1e-4, 0.1) : 0.9);
        check_e();
    }
}

/* Laws that are off by as much as the error of E allows for. */
TEST(laws_off)
{
    static double law[CELLS_MOST];
    uint64_t seed = 26;

    for (size_t i = 0; i < certify_cases(60); i++) {
        struct sb_e_value e;
        struct sb_tally tally;
        ARBS(truth);

        random_law(&seed, 2 + random_below(&seed, i % 10 ? 30 : 200), false);
        random_counts(&seed, random_scale(&seed, 10, i % 3 ? 1e6 : 1e12), i % 4 ? random_scale(&seed, 1e-4, 0.1) : 0.9);
        tally = drawn;
        tally.ln_p = law;
        law_off(&seed, 1e-11, law);
        sb_e_process(&tally, &e);
        exact_ln_e(1, 256, truth);
        check_error(&claim_off, &e, truth);
    }
}

/* All deals in one cell, which is the largest E that a law allows; no deals at all. */
TEST(extreme_tallies)
{
    uint64_t seed = 21;

    for (size_t cells = 2; cells <= 120; cells *= 3)
        for (double total = 1; total < 0x1p31; total *= 77)
            for (size_t even = 0; even < 2; even++) {
                random_law(&seed, cells, even);
                memset(drawn_count, 0, sizeof drawn_count);
                drawn.total = drawn_count[random_below(&seed, cells)] = (uint64_t)total;
                check_e();
            }
}

/* The rank of seven items. */
TEST(many_cells)
{
    uint64_t seed = 22;

    random_law(&seed, 5040, true);
    for (double total = 1e3; total <= 1e7; total *= 1e4) {
        random_counts(&seed, total, 0.01);
        check_e();
    }
}
