/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watches on decks that the bytes choose, and that change after a while: alarms come in order, each has a sentence and
 * JSON, and each format has the numbers of the summary.
 */
#include "fuzz/fuzz.h"
#include "fuzz/page_rules.h"
#include "fuzz/series.h"

#include "core/calls.h"

#include <jansson.h>
#include <string.h>

enum { ALARM_DECKS = 400 };

/* Decks of one series, and then of another. */
struct change {
    struct series first, then;
    unsigned after, dealt;
};

static int change_deal(void *items, size_t n, size_t size, void *state)
{
    struct change *const change = state;

    return series_deal(items, n, size, change->dealt++ < change->after ? &change->first : &change->then);
}

/* The alarms of a watch so far. */
struct alarms {
    uint64_t count, after;
};

static int alarm_check(void *state, const struct sb_alarm *alarm)
{
    struct alarms *const alarms = state;
    struct sb_error error;
    char *text = NULL;

    fuzz_check(sb_alarm_text(alarm, "json", &error, &text, NULL) == SB_OK && sb_alarm_sentence(alarm)[0],
               "an alarm can be written");
    json_t *const value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const uint64_t after = (uint64_t)json_integer_value(json_object_get(value, "total"));

    fuzz_check(value && after > alarms->after, "alarms come in order");
    alarms->after = after;
    alarms->count++;
    json_decref(value);
    sb_text_free(text);
    return 0;
}

static void watch_check(const struct sb_watch *watch, const struct alarms *alarms, bool window)
{
    static const char *const formats[] = { "text", "markdown", "html", "svg", "json" };
    struct sb_watch_summary summary;
    struct sb_error error;

    sb_watch_summary_get(watch, &summary);
    fuzz_check(summary.total <= ALARM_DECKS && summary.alarms == alarms->count &&
                   alarms->after <= summary.total && (window || alarms->count <= 1),
               "the summary counts the alarms");
    fuzz_check(summary.tv_low <= summary.tv_high && summary.tv_low >= 0 && summary.tv_high <= 1,
               "bounds are in order");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = NULL;

        fuzz_check(sb_watch_text(watch, formats[i], NULL, &error, &text, NULL) == SB_OK && text[0],
                   "a watch can be written");
        page_check(formats[i], text);
        sb_text_free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const cards[] = { NULL, NULL, NULL, "A A B", "A A B B", "A B C" };
    struct fuzz fuzz = { data, size };
    const unsigned how = fuzz_byte(&fuzz);
    struct change change = { .after = 2 * fuzz_byte(&fuzz),
                             .first.from_last = how & 1,
                             .then.from_last = how & 2 };
    struct sb_subject subject = { .shuffle = change_deal, .state = &change };
    struct alarms alarms = { 0 };
    struct sb_request options;
    struct sb_error error = { .text = "" };
    struct sb_watch *watch = NULL;

    subject.cards = cards[fuzz_byte(&fuzz) % (sizeof cards / sizeof cards[0])];
    subject.n = subject.cards ? 0 : 2 + fuzz_byte(&fuzz) % 8;
    subject.deal = !subject.cards && how & 4 ? 1 + fuzz_byte(&fuzz) % subject.n : 0;
    subject.chained = how & 8;
    sb_request_init(&options, SB_WATCH);
    options.window = how & 16;
    options.increments = how & 32;
    options.alpha = how & 64 ? 1e-9 : 0.05;
    options.limit = 1 + fuzz_byte(&fuzz) * ALARM_DECKS / 256;
    options.alarmed = alarm_check;
    options.alarmed_state = &alarms;
    series_take(&fuzz, &change.first);
    series_take(&fuzz, &change.then);
    const enum sb_status status = sb_watch_new(&subject, &options, &error, &watch);

    fuzz_check(status == SB_OK || (status == SB_INVALID && error.text[0]), "a watch runs, or says why not");
    if (watch)
        watch_check(watch, &alarms, options.window);
    sb_watch_free(watch);
    return 0;
}
