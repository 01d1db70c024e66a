/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gates on decks that the bytes choose, in turn or each from the last one, also with equal cards: so verdicts of each
 * kind occur, also about steps, lags and repeated decks. Each format says the same verdict, and E decides it.
 */
#include "fuzz/fuzz.h"
#include "fuzz/page_rules.h"
#include "fuzz/series.h"

#include "core/calls.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { LIMIT = 250 };

/* Checks the findings in each format. */
static void verdict_written(const struct sb_gate *gate, const struct sb_gate_summary *summary)
{
    static const char *const formats[] = { "json", "text", "markdown", "junit", "tap", "html", "svg" };
    struct sb_error error;

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t length;
        char *text;

        fuzz_check(sb_gate_text(gate, formats[i], NULL, &error, &text, &length) == SB_OK && length > 0,
                   "findings can be written");
        page_check(formats[i], text);
        if (i == 0) {
            json_t *const found = json_loads(text, 0, NULL);
            const json_t *const one = json_array_get(json_object_get(found, "gates"), 0);
            const char *const sentence = json_string_value(json_object_get(one, "sentence"));

            fuzz_check(sentence && strstr(summary->sentence, sentence), "JSON has the sentence");
            json_decref(found);
        }
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const cards[] = { NULL, "A A B", "A A B B", "A B B B B", "A B C", "A A B B C C D" };
    struct fuzz fuzz = { data, size };
    struct series series = { .next = 0 };
    struct sb_subject subject = { .shuffle = series_deal, .state = &series };
    const unsigned how = fuzz_byte(&fuzz);
    struct sb_request options;
    struct sb_gate_summary summary;
    struct sb_error error = { .text = "" };
    struct sb_gate *gate = NULL;

    subject.cards = cards[fuzz_byte(&fuzz) % (sizeof cards / sizeof cards[0])];
    subject.n = subject.cards ? 0 : 2 + fuzz_byte(&fuzz) % 8;
    subject.deal = !subject.cards && how & 1 ? 1 + fuzz_byte(&fuzz) % subject.n : 0;
    subject.chained = how & 2;
    series.from_last = how & 4;
    series_take(&fuzz, &series);
    sb_request_init(&options, SB_GATE);
    options.alpha = how & 8 ? 1e-9 : 0.05;
    options.exclude = how & 16 ? 0.5 : 0.01;
    options.tolerate = how & 32 ? options.exclude / 4 : 0;
    options.increments = how & 64;
    options.seeds = how & 128 ? 100 : 0;
    options.limit = LIMIT;
    const enum sb_status status = sb_gate_new(&subject, &options, &error, &gate);

    fuzz_check(status == SB_OK || (status == SB_INVALID && error.text[0]), "a gate runs, or says why not");
    if (!gate)
        return 0;
    sb_gate_summary_get(gate, &summary);
    fuzz_check((strcmp(summary.verdict, "fail") == 0) <= (summary.ln_e >= -log(options.alpha)),
               "a failure takes E of 1/alpha");
    fuzz_check(summary.tv_low <= summary.tv_high && summary.tv_high <= 1, "bounds are in order");
    verdict_written(gate, &summary);
    sb_gate_free(gate);
    return 0;
}
