/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks are written into lines in several ways, among lines without a deck. Wherever chunks end, the decks that come
 * out are those that were written; and a damaged log has the same outcome in any chunks.
 */
#include "unit/test.h"

#include "property/random_logs.h"

/* JSON's strings need words, and notations other than numbers need a style that keeps them apart. */
static bool suits(size_t style, size_t notation)
{
    return notation == 0 || style == 0 || style == 2 || style == 3 || style == 5 || style == 7;
}

TEST(what_was_written_is_read)
{
    static struct log log;

    for (int times = 0; times < 4000; times++) {
        const size_t style = below(STYLES), notation = below(4);

        if (!suits(style, notation))
            continue;
        write_log(style, notation, &log);
        struct outcome outcome = read_log(&log, log.text, log.length, below(2) ? 1 + below(40) : SIZE_MAX);

        if (outcome.error.status || outcome.count != log.decks)
            fail_msg("'%.*s': %zu of %zu '%s'", (int)log.length, log.text, outcome.count, log.decks,
                     outcome.error.text);
        for (size_t i = 0; i < log.decks * log.n; i++)
            assert_int_equal(outcome.items[i], log.items[i]);
        outcome_close(&outcome);
    }
}

TEST(a_damaged_log_has_one_outcome)
{
    static struct log log;

    for (int times = 0; times < 8000; times++) {
        write_log(below(STYLES), below(4), &log);
        spoil(&log);
        struct outcome whole = read_log(&log, log.text, log.length, SIZE_MAX);
        struct outcome pieces = read_log(&log, log.text, log.length, 1 + below(1 + below(100)));

        if (!outcome_same(&whole, &pieces))
            fail_msg("'%.*s': %zu '%s', in pieces %zu '%s'", (int)log.length, log.text, whole.count, whole.error.text,
                     pieces.count, pieces.error.text);
        outcome_close(&whole);
        outcome_close(&pieces);
    }
}
