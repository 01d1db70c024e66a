/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After a proof has followed all paths, it repeats some. A function that asks otherwise then has a hidden state, even if
 * its decks are as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/calls.h"

#include <string.h>

enum { REPEATS = 64 }; /* the last calls of a proof with few paths */

struct counter {
    unsigned calls;
    unsigned late; /* the call that asks for one more draw */
};

/* Asks for a draw, and leaves all items where they are. */
static int asks(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    struct counter *const counter = state;

    sb_draws_below(draws, 3);
    if (++counter->calls == counter->late)
        sb_draws_below(draws, 3);
    return 0;
}

static enum sb_status prove(struct counter *counter, struct sb_error *error)
{
    struct sb_reports *reports = NULL;
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    const enum sb_status status = sb_prove_callback("mine", asks, counter, &proof, error, &reports);

    sb_reports_free(reports);
    return status;
}

static void a_question_too_many_is_found_in_any_repeat(void **state)
{
    struct counter steady = { .late = 0 };
    struct sb_error error = { .text = "" };

    assert_int_equal(prove(&steady, &error), SB_OK);
    assert_true(steady.calls > REPEATS + 3); /* first an estimate, and the three paths */
    for (unsigned late = steady.calls - REPEATS + 1; late <= steady.calls; late++) {
        struct counter counter = { .late = late };

        assert_int_equal(prove(&counter, &error), SB_SUBJECT);
        assert_non_null(strstr(error.text, "the same answers do not lead to the same shuffle"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_question_too_many_is_found_in_any_repeat) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
