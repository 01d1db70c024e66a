/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expected permutations of the lines of a log, wherever chunks end. */
#ifndef TESTS_LINES_EXPECT_H
#define TESTS_LINES_EXPECT_H

#include "subject/parts.h"
#include "unit/stream_expect.h"

/* What a text becomes: its deals, then the error after a colon. What follows a star may be anything. */
static inline void expect_lines(const struct sb_line_form *lines, const char *text, const char *expected)
{
    const struct sb_form form = {
        .base = -1, .timeout = 60, .n = lines->n, .deal = lines->deal, .cards = lines->names
    };
    const size_t length = strlen(text), known = strcspn(expected, "*");

    for (size_t chunk = 1; chunk <= length + 1; chunk += 1 + chunk / 4) {
        struct sb_bytes *bytes = script_new(text, length, chunk);
        struct outcome outcome = { 0 };
        struct sb_feed *feed;
        char got[4096];

        if (sb_lines_new(bytes, lines, &outcome.error, &bytes) == SB_OK &&
            sb_stream_new(bytes, &form, &outcome.error, &feed) == SB_OK)
            outcome = outcome_of(feed, 1 + chunk % 3);
        describe(&outcome, got, sizeof got);
        if (strncmp(got, expected, known) != 0 || (expected[known] != '*' && got[known]))
            fail_msg("'%s' in chunks of %zu:\n%s\ninstead of\n%s", text, chunk, got, expected);
        outcome_close(&outcome);
    }
}

/* An option, a text, and what becomes of it. */
struct row {
    const char *option, *text, *expected;
};

#endif
