/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law slice by slice is the law, at the least number of items that have slices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property/slices_law.h"

enum { ITEMS_LEAST = SB_SLICES_ITEMS_LEAST };

static void every_shuffle_of_swaps(void **state)
{
    (void)state;
    assert_in_range(check_shuffles(ITEMS_LEAST, STEPS), 7, 50);
}

static void any_series_of_swaps(void **state)
{
    (void)state;
    check_series(ITEMS_LEAST, 36, 20261123);
}

/* Each step exchanges the first two positions or not, so the two counts that are not 0 are 2^22. */
static void counts_that_20_bits_do_not_hold(void **state)
{
    struct sb_swap steps[23];
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;

    (void)state;
    open_any(&shuffler);
    struct sb_shuffler made = shuffler;
    made.n = made.deal = ITEMS_LEAST;
    made.steps = steps;
    made.count = 23;
    for (size_t k = 0; k < made.count; k++)
        steps[k] = (struct sb_swap) { 0, 1, 0, 2 };
    assert_true(possible(&made));
    assert_false(slices_law(&(struct sb_law) { .shuffler = &made }, STEPS, &evidence));
    assert_int_equal(evidence.counts.form, SB_NUMBERS_NONE);
    sb_evidence_close(&evidence);
    made.count = 20;
    check(&made, 0, 1);
    sb_shuffler_close(&shuffler);
}

/* Progress that raises the flag in the middle. */
struct watch {
    volatile sig_atomic_t stop;
    uint64_t calls;
};

static void watch_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    struct watch *const watch = state;

    assert_string_equal(subject, "naive");
    assert_true(done <= total);
    watch->calls += watch->stop;
    watch->stop = 2 * done >= total;
}

static void a_walk_can_be_stopped(void **state)
{
    struct sb_shuffler shuffler;
    struct watch watch = { 0 };
    struct sb_law law = {
        .shuffler = &shuffler,
        .threads = 2,
        .stop = &watch.stop,
        .progress = watch_progress,
        .progress_state = &watch,
        .subject = "naive",
    };
    struct sb_evidence evidence = { .by = SB_BY_EXACT, .n = 9, .deal = 9, .cells = factorial(9) };
    struct sb_convolve_plan plan;
    bool certain;

    (void)state;
    open_shuffle(named("naive"), 9, &shuffler);
    assert_int_equal(sb_convolve_plan_open(&law, &plan), SB_OK);
    const struct sb_slices_plan slices = sb_slices_plan(&plan);

    assert_int_equal(sb_slices_law(&law, &slices, &evidence, &certain), SB_STOPPED);
    assert_false(certain);
    assert_int_equal(watch.calls, 0);
    sb_convolve_plan_close(&plan);
    sb_shuffler_close(&shuffler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shuffle_of_swaps),
        cmocka_unit_test(any_series_of_swaps),
        cmocka_unit_test(counts_that_20_bits_do_not_hold),
        cmocka_unit_test(a_walk_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
