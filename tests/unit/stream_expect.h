/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expected permutations of a text, wherever chunks end. */
#ifndef TESTS_STREAM_EXPECT_H
#define TESTS_STREAM_EXPECT_H

#include "unit/stream_script.h"

#include <stdio.h>

static const struct sb_subject text_form = { .timeout = 60 };

/* The items of all deals from 0, "0 1|1 0", then the error after a colon. */
static inline void describe(const struct outcome *outcome, char text[], size_t room)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < outcome->count * outcome->deal && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%u",
                                 i == 0              ? ""
                                 : i % outcome->deal ? " "
                                                     : "|",
                                 outcome->items[i]);
    if (outcome->error.status && used < room)
        snprintf(text + used, room - used, ":%s", outcome->error.text);
}

/* Reads the text in chunks of 1, 2, 3 ... bytes and at once, deals one by one and many at a time. */
static inline void expect_bytes(const struct sb_subject *form, const char text[], size_t length, const char *expected)
{
    const size_t known = strcspn(expected, "*"); /* what follows a star may be anything */

    for (size_t chunk = 1; chunk <= length + 1; chunk += 1 + chunk / 8)
        for (size_t most = 1; most <= 1000; most += 999) {
            struct outcome outcome = outcome_read(text, length, form, chunk, most);
            char got[1024];

            describe(&outcome, got, sizeof got);
            if (strncmp(got, expected, known) != 0 || (expected[known] != '*' && got[known]))
                fail_msg("'%s' in chunks of %zu:\n%s\ninstead of\n%s", text, chunk, got, expected);
            outcome_close(&outcome);
        }
}

static inline void expect(const struct sb_subject *form, const char *text, const char *expected)
{
    expect_bytes(form, text, strlen(text), expected);
}

#endif
