/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs: the decks that fields, regular expressions, values in JSON and playing cards say, wherever chunks end. */
#include "fuzz/deals.h"

#include "subject/parts.h"

static struct outcome read_log(const struct fuzz *log, const struct sb_line_form *lines, size_t chunk)
{
    const struct sb_form form = { .base = -1, .timeout = 60 };
    struct outcome outcome = { 0 };
    struct sb_bytes *bytes;
    struct sb_feed *feed;

    if (sb_lines_new(script_new((const char *)log->data, log->size, chunk), lines, &outcome.error, &bytes) ||
        sb_stream_new(bytes, &form, &outcome.error, &feed))
        return outcome;
    return outcome_of(feed, 100);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    const unsigned how = fuzz_byte(&fuzz), chunk = fuzz_byte(&fuzz) + 1;
    struct sb_line_form lines = { .cards = true };
    char how_text[24], separator[4], pattern[200];

    if (how % 4 == 1)
        lines.field = fuzz_text(&fuzz, how_text, sizeof how_text);
    if (how % 4 == 1 && how & 4)
        lines.separator = fuzz_text(&fuzz, separator, sizeof separator);
    if (how % 4 == 2 && how & 8) /* compiled alone, because a match may take seconds until it is refused */
        (void)sb_lines_check(&(struct sb_line_form) { .match = fuzz_text(&fuzz, pattern, sizeof pattern) },
                             &(struct sb_error) { 0 });
    if (how % 4 == 2)
        lines.match = how & 4 ? "deck: (.*)" : "^[a-z]*([0-9 ]+);";
    if (how % 4 == 3)
        lines.json_path = fuzz_text(&fuzz, how_text, sizeof how_text);
    struct outcome whole = read_log(&fuzz, &lines, SIZE_MAX), parts = read_log(&fuzz, &lines, chunk);

    deals_check_same(&whole, &parts);
    return 0;
}
