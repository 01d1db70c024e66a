/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in [0, 1) with thresholds inside the cells of a proof, whose effects on the deck cancel out in pairs. If all numbers
 * moved at once within their cells, the deck would not change, and the proof would count a wrong law. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/calls.h"

#include <string.h>

static void exchange(uint16_t items[], size_t i, size_t j)
{
    const uint16_t item = items[i];

    items[i] = items[j];
    items[j] = item;
}

/* The naive swap with Math.floor(Math.random() * 100) % 2, on two items. */
static int hundredths(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = 0; i < n; i++)
        exchange(items, i, (size_t)(sb_draws_uniform(draws) * 100) % n);
    return 0;
}

/* Exchanges two items up to four times, each time with probability 3/10. */
static int exchanges(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (int i = 0; i < 4; i++)
        if (sb_draws_uniform(draws) < 0.3)
            exchange(items, 0, 1);
    return 0;
}

/* Proves a shuffle of two items. */
static struct sb_reports *prove(sb_drawn_shuffle *shuffle, uint32_t cells)
{
    struct sb_reports *reports = NULL;
    struct sb_error error;
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    proof.cells = cells;
    assert_int_equal(sb_prove_callback("mine", shuffle, NULL, &proof, &error, &reports), SB_OK);
    return reports;
}

static void assert_verdict(sb_drawn_shuffle *shuffle, uint32_t cells, const char *verdict)
{
    struct sb_reports *const reports = prove(shuffle, cells);
    struct sb_summary summary;

    assert_true(sb_reports_summary(reports, 0, &summary));
    assert_string_equal(summary.verdict, verdict);
    sb_reports_free(reports);
}

static void changes_that_cancel_out_are_seen(void **state)
{
    /* 50 of the 100 numbers are even, so each draw is fair, and so is the naive swap of two items */
    assert_verdict(hundredths, 2, "inconclusive");
    assert_verdict(hundredths, 100, "uniform");
    /* an even number of exchanges has probability (1 + (1 - 6/10)^4) / 2 = 641/1250 */
    assert_verdict(exchanges, 1, "inconclusive");
    assert_verdict(exchanges, 10, "biased");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(changes_that_cancel_out_are_seen) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
