/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a proof says that it is: the paths so far, and how many there will probably be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/calls.h"

static void exchange(uint16_t items[], size_t i, size_t j)
{
    const uint16_t item = items[i];

    items[i] = items[j];
    items[j] = item;
}

static int naive(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = 0; i < n; i++)
        exchange(items, i, sb_draws_below(draws, (uint32_t)n));
    return 0;
}

/* Fisher-Yates with draws below 4 that are drawn again if they are too large. */
static int rejects(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = n; i > 1; i--) {
        uint32_t drawn;

        do
            drawn = sb_draws_below(draws, 4);
        while (drawn >= i);
        exchange(items, i - 1, drawn);
    }
    return 0;
}

struct seen {
    uint64_t calls, last, total, halfway; /* `halfway` is the total after 500 paths */
};

static void look(void *state, const char *name, uint64_t done, uint64_t total)
{
    struct seen *const seen = state;

    assert_string_equal(name, "mine");
    assert_int_equal(done, ++seen->calls);
    assert_true(done <= total);
    seen->last = done;
    seen->total = total;
    if (done == 500)
        seen->halfway = total;
}

static struct seen watch(sb_drawn_shuffle *shuffle, size_t n, uint64_t paths)
{
    struct sb_reports *reports = NULL;
    struct seen seen = { 0 };
    struct sb_error error;
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    proof.n = n;
    proof.paths = paths;
    proof.progress = look;
    proof.progress_state = &seen;
    assert_int_equal(sb_prove_callback("mine", shuffle, NULL, &proof, &error, &reports), SB_OK);
    sb_reports_free(reports);
    return seen;
}

static void a_tree_with_an_end_is_followed_to_its_end(void **state)
{
    const struct seen seen = watch(naive, 4, 1000000);

    assert_int_equal(seen.last, 256);
    assert_int_equal(seen.total, 256);
}

static void a_tree_without_an_end_is_followed_to_the_limit(void **state)
{
    const struct seen seen = watch(rejects, 3, 1000);

    assert_int_equal(seen.halfway, 1000);
    assert_int_equal(seen.last, 1000);
    assert_int_equal(seen.total, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_with_an_end_is_followed_to_its_end),
        cmocka_unit_test(a_tree_without_an_end_is_followed_to_the_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
