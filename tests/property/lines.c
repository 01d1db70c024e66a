/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks are written into lines in several ways, among lines without a deck. Wherever chunks end, the decks that come
 * out are those that were written. Gzip data that is cut off or has a wrong bit is an error. tests/fuzz/lines.c damages
 * and compresses logs.
 */
#include "unit/test.h"

#include "property/random_decks.h"
#include "subject/parts.h"
#include "unit/stream_script.h"

#include <stdio.h>
#if SB_HAS_ZLIB
#include <zlib.h>
#endif

enum { LOG_MOST = 1 << 15, DECKS_MOST = 24, STYLES = 8, CARDS = 52 };

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
    const char *const end = random_below(2) ? "\r\n" : "\n";
    size_t used = random_below(4) ? 0 : (size_t)sprintf(log->text, "\xEF\xBB\xBF");

    log->form = as->form;
    log->n = notation ? CARDS : 2 + random_below(11);
    log->decks = 1 + random_below(notation ? 8 : DECKS_MOST);
    for (size_t d = 0; d < log->decks; d++) {
        sb_item *const deck = log->items + d * log->n;

        for (; random_below(3) == 0; used += (size_t)sprintf(log->text + used, "%s%s", as->other, end))
            continue;
        random_deck(log->n, deck);
        used += (size_t)sprintf(log->text + used, "%s", as->before);
        for (size_t j = 0; j < log->n; j++) {
            used += (size_t)sprintf(log->text + used, "%s", j ? as->between : "");
            used += write_item(deck[j], notation, log->text + used);
        }
        used += (size_t)sprintf(log->text + used, "%s%s", as->after, d + 1 < log->decks || random_below(2) ? end : "");
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
    return outcome_of(feed, 1 + random_below(30));
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
        const size_t style = random_below(STYLES), notation = random_below(4);

        if (!suits(style, notation))
            continue;
        write_log(style, notation, &log);
        struct outcome outcome =
            read_log(&log, log.text, log.length, random_below(2) ? 1 + random_below(40) : SIZE_MAX);

        if (outcome.error.status || outcome.count != log.decks)
            fail_msg("'%.*s': %zu of %zu '%s'", (int)log.length, log.text, outcome.count, log.decks,
                     outcome.error.text);
        for (size_t i = 0; i < log.decks * log.n; i++)
            assert_int_equal(outcome.items[i], log.items[i]);
        outcome_close(&outcome);
    }
}

#if SB_HAS_ZLIB

/* Compresses a text into one member; returns the bytes of the member. */
static size_t compress_member(const char text[], size_t length, char member[], size_t room)
{
    z_stream stream = { .next_in = (z_const Bytef *)text, .avail_in = (uInt)length };

    assert_int_equal(deflateInit2(&stream, (int)random_below(10), Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = (Bytef *)member;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

/* Every place where gzip data can be cut off, and every bit that can be wrong. Bits without a meaning, such as
 * the time in the header, change nothing. */
TEST(broken_gzip_data_is_an_error)
{
    static struct log log;
    static char packed[4 * LOG_MOST];

    write_log(0, 0, &log);
    const size_t length = compress_member(log.text, log.length, packed, sizeof packed);
    struct outcome plain = read_log(&log, log.text, log.length, SIZE_MAX);

    for (size_t cut = 2; cut < length; cut++) {
        struct outcome outcome = read_log(&log, packed, cut, 1 + random_below(9));

        assert_int_equal(outcome.error.status, SB_SUBJECT);
        assert_non_null(strstr(outcome.error.text, "script: the gzip data ends too soon, after "));
        assert_true(outcome.count <= plain.count);
        outcome_close(&outcome);
    }
    for (size_t bit = 16; bit < 8 * length; bit++) {
        packed[bit / 8] = (char)(packed[bit / 8] ^ 1 << bit % 8);
        struct outcome outcome = read_log(&log, packed, length, 1 + random_below(50));

        assert_true(outcome.error.status == SB_SUBJECT || outcome_same(&outcome, &plain));
        outcome_close(&outcome);
        packed[bit / 8] = (char)(packed[bit / 8] ^ 1 << bit % 8);
    }
    outcome_close(&plain);
}

#endif
