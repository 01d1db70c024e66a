/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Increments of a chain of permutations: each item's position, and permutations that have no increment. */
#include "unit/test.h"

#include "subject/parts.h"
#include "unit/stream_script.h"

static struct outcome increments(const char *text, const struct sb_form *form, size_t chunk)
{
    struct outcome outcome = { 0 };
    struct sb_feed *inner, *feed;

    if (sb_stream_new(script_new(text, strlen(text), chunk), form, &outcome.error, &inner) ||
        sb_chained_new(inner, &outcome.error, &feed))
        return outcome;
    return outcome_of(feed, 1000);
}

/*
 * The second line is the first with its last card put on top, the third that with its first two cards
 * exchanged: the increments are those shuffles, whatever the cards' order was.
 */
TEST(increments_are_the_shuffles)
{
    const sb_item expected[] = { 3, 0, 1, 2, 1, 0, 2, 3 };
    const struct sb_form form = { .base = -1, .timeout = 60 };

    for (size_t chunk = 1; chunk < 40; chunk++) {
        struct outcome outcome = increments("2 4 1 3\n3 2 4 1\n2 3 4 1\n", &form, chunk);

        assert_int_equal(outcome.error.status, SB_OK);
        assert_int_equal(outcome.count, 2);
        assert_memory_equal(outcome.items, expected, sizeof expected);
        outcome_close(&outcome);
    }
}

TEST(the_start_alone_has_no_increment)
{
    const struct sb_form form = { .base = -1, .timeout = 60 };
    struct outcome outcome = increments("0 1\n", &form, 100);

    assert_int_equal(outcome.error.status, SB_OK);
    assert_int_equal(outcome.count, 0);
    outcome = increments("0 1\n1 0\n1 1\n", &form, 100);
    assert_int_equal(outcome.error.status, SB_SUBJECT);
    assert_int_equal(outcome.count, 1);
    outcome_close(&outcome);
}

TEST(deals_of_fewer_have_none)
{
    const struct sb_form form = { .n = 5, .deal = 2, .base = 0, .timeout = 60 };
    const struct outcome outcome = increments("0 1\n", &form, 100);

    assert_int_equal(outcome.error.status, SB_INVALID);
    assert_non_null(strstr(outcome.error.text, "`chained` needs whole permutations, not 2 of 5"));
}
