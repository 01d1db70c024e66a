/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks are written into lines in several ways, among lines without a deck. Wherever chunks end, the decks that come
 * out are those that were written. tests/fuzz/lines.c damages and compresses logs.
 */
#include "unit/test.h"

#include "subject/parts.h"
#include "unit/stream_script.h"

#include <stdio.h>

enum { LOG_MOST = 1 << 15, DECKS_MOST = 24, STYLES = 8, CARDS = 52 };

static uint64_t state_of_random = 88172645463325252;

/* Marsaglia's xorshift, 64 bits. */
static size_t below(size_t bound)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (size_t)(state_of_random % bound);
}

static void shuffle(size_t n, sb_item a[])
{
    for (size_t i = 0; i < n; i++)
        a[i] = (sb_item)i;
    for (size_t i = n; i-- > 1;) {
        const size_t j = below(i + 1);
        const sb_item item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
}

/* A way to write decks: what stands before, between and after the items; the options that read it; and
 * whether other lines may stand between. */
static const struct style {
    const char *before, *between, *after, *other;
    struct sb_subject form;
} styles[STYLES] = {
    { "", " ", "", "", { 0 } },
    { "2026 game deck: ", ",", " end", "login of deck 7", { .match = "deck: ([0-9,]+)" } },
    { "7 8  ", " ", "", "", { .field = "3-" } },
    { "a;b;", " ", ";c", "", { .field = "3", .separator = ";" } },
    { "{\"t\": 1, \"d\": [", ", ", "], \"u\": [0]}", "", { .json_path = ".d" } },
    { "{\"d\": [{}, \"", " ", "\"]}", "", { .json_path = ".d[1]" } },
    { "x {\"d\": [", ",", "]}", "x {}y", { .match = "^x (.*\\]\\})", .json_path = ".d" } },
    { "deal 1 ", " ", "", "bid", { .match = "deal (.*)", .field = "2-" } },
};

/* Writes an item: a number, or a card in one of three notations. */
static size_t write_item(sb_item item, size_t notation, char text[])
{
    static const char *const ranks[] = { "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K" };
    static const char *const symbols[] = { "\u2660", "\u2665", "\u2666", "\u2663" };

    if (notation == 0)
        return (size_t)sprintf(text, "%u", (unsigned)item);
    if (notation == 1)
        return (size_t)sprintf(text, "%s%c", ranks[item % 13], "shdc"[item / 13]);
    if (notation == 2)
        return (size_t)sprintf(text, "%s%s", ranks[item % 13], symbols[item / 13]);
    const unsigned low = 0xA1 + 16 * (item / 13) + item % 13 + (item % 13 > 10); /* U+1F0xx */

    text[0] = (char)0xF0;
    text[1] = (char)0x9F;
    text[2] = (char)(0x80 | (low >> 6));
    text[3] = (char)(0x80 | (low & 63));
    text[4] = '\0';
    return 4;
}

struct log {
    struct sb_subject form;
    size_t n, decks, length;
    sb_item items[DECKS_MOST * CARDS];
    char text[LOG_MOST];
};

static void write_log(size_t style, size_t notation, struct log *log)
{
    const struct style *const as = &styles[style];
    const char *const end = below(2) ? "\r\n" : "\n";
    size_t used = below(4) ? 0 : (size_t)sprintf(log->text, "\xEF\xBB\xBF");

    log->form = as->form;
    log->n = notation ? CARDS : 2 + below(11);
    log->decks = 1 + below(notation ? 8 : DECKS_MOST);
    for (size_t d = 0; d < log->decks; d++) {
        sb_item *const deck = log->items + d * log->n;

        for (; below(3) == 0; used += (size_t)sprintf(log->text + used, "%s%s", as->other, end))
            continue;
        shuffle(log->n, deck);
        used += (size_t)sprintf(log->text + used, "%s", as->before);
        for (size_t j = 0; j < log->n; j++) {
            used += (size_t)sprintf(log->text + used, "%s", j ? as->between : "");
            used += write_item(deck[j], notation, log->text + used);
        }
        used += (size_t)sprintf(log->text + used, "%s%s", as->after, d + 1 < log->decks || below(2) ? end : "");
    }
    log->length = used;
}

/* Reads bytes in chunks of about `chunk` bytes through both stages. */
static struct outcome read_log(const struct log *log, const char text[], size_t length, size_t chunk)
{
    const struct sb_subject form = { .timeout = 60 };
    struct sb_bytes *bytes = script_new(text, length, chunk);
    struct outcome outcome = { 0 };
    struct sb_feed *feed;

    if (sb_text_stages_add(&log->form, NULL, &outcome.error, &bytes) ||
        sb_stream_new(bytes, &form, &outcome.error, &feed))
        return outcome;
    return outcome_of(feed, 1 + below(30));
}

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
