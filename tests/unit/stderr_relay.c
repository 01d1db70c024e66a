/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lines of a command's standard error are relayed: the first ten and the last, each cut to 400 bytes. */
#include "unit/test.h"

#include <stdio.h>
#include <string.h>

#include "subject/parts.h"

enum { HEARD = 4096 };

static void hear(void *state, const char *line)
{
    char *const heard = state;
    const size_t used = strlen(heard);

    assert_in_range(snprintf(heard + used, HEARD - used, "%s\n", line), 2, HEARD - used - 1);
}

/* Relays the lines 1 to `count`, in pieces of three bytes. */
static void expect_lines(int count, const char *expected)
{
    char heard[HEARD] = "", text[HEARD] = "";
    struct sb_stderr_relay relay = { .tell = hear, .state = heard };

    for (int i = 1; i <= count; i++)
        snprintf(text + strlen(text), HEARD - strlen(text), "%d%s", i, i < count ? "\n\n" : "");
    for (size_t at = 0; at < strlen(text); at += 3)
        sb_stderr_relay_take(&relay, text + at, strnlen(text + at, 3));
    sb_stderr_relay_end(&relay);
    assert_string_equal(heard, expected);
    sb_stderr_relay_end(&relay); /* says nothing twice */
    assert_string_equal(heard, expected);
}

TEST(the_first_lines_and_the_last)
{
    expect_lines(0, "");
    expect_lines(1, "1\n");
    expect_lines(10, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    expect_lines(11, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n");
    expect_lines(12, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n(1 more line, and the last:)\n12\n");
    expect_lines(500, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n(489 more lines, and the last:)\n500\n");
}

TEST(long_lines_are_cut)
{
    static const char zeros[100000];
    char heard[HEARD] = "", line[HEARD] = "";
    struct sb_stderr_relay relay = { .tell = hear, .state = heard };

    for (int i = 0; i < 10; i++)
        sb_stderr_relay_take(&relay, zeros, sizeof zeros);
    sb_stderr_relay_end(&relay);
    for (size_t i = 0; i + 3 <= SB_STDERR_RELAY_LINE; i += 3)
        strcat(line, "\uFFFD");
    strcat(line, "...\n");
    assert_string_equal(heard, line);
}
