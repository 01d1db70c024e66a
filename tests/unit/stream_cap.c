/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest line of a text. A test of its own, because the others are quick. */
#include "unit/test.h"

#include "unit/stream_expect.h"

TEST(a_line_has_a_cap)
{
    char *const endless = malloc(2 * SB_LINE_MOST);
    const size_t most = SB_LINE_MOST;

    assert_non_null(endless);
    memset(endless, ' ', 2 * most);
    endless[0] = '0';
    endless[2] = '1';
    for (int longer = 1; longer < 3; longer++) { /* half a second each */
        endless[most - 2 + (size_t)longer] = longer < 2 ? '\n' : ' ';
        for (size_t chunk = 65536; chunk < 100000; chunk = 10 * chunk + 7) {
            struct outcome outcome = outcome_read(endless, 2 * most, &text_form, chunk, 1);

            assert_int_equal(outcome.count, longer < 2);
            assert_int_equal(outcome.error.status, SB_SUBJECT);
            assert_non_null(strstr(outcome.error.text, longer < 2 ? "line 2: longer than 134217728 bytes"
                                                                  : "line 1: longer than 134217728 bytes"));
            outcome_close(&outcome);
        }
        endless[most - 2 + (size_t)longer] = ' ';
    }
    free(endless);
}
