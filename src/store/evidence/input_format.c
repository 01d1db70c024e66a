/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a stream is read, in memory and in JSON: nothing that is read is believed. */
#include "store/evidence/input_format.h"

#include "report/json_writer.h"
#include "store/json_field.h"
#include "subject/feed_start.h"
#include "subject/mismatch.h"

#include <stdlib.h>

static const char reading_usual[] = "text"; /* the input where nothing is said */

void sb_input_format_close(struct sb_input_format *reading)
{
    free(reading->input);
    free(reading->base);
    free(reading->cards);
    *reading = (struct sb_input_format) { .chained = false };
}

void sb_input_format_write(struct sb_json *json, const char *kind, const char *name,
                           const struct sb_subject *subject)
{
    sb_json_object(json, "subject");
    sb_json_string(json, "kind", kind);
    sb_json_string(json, "name", name);
    if (subject->command)
        sb_json_hash(json, "words", sb_subject_words(subject));
    else
        sb_json_null(json, "words");
    if (subject->scheme)
        sb_json_integer(json, "seed", subject->seed);
    else
        sb_json_null(json, "seed");
    sb_json_bool(json, "chained", subject->chained);
    sb_json_string(json, "input", subject->input);
    sb_json_string(json, "base", subject->base);
    sb_json_string(json, "cards", subject->cards);
    sb_json_bool(json, "free", subject->free);
    sb_json_close(json);
}

void sb_input_format_take(struct sb_json_field_reader *in, const json_t *object,
                          struct sb_input_format *reading)
{
    reading->chained = sb_json_field_bool(in, object, "chained");
    reading->input = sb_json_field_string(in, object, "input", true);
    reading->base = sb_json_field_string(in, object, "base", true);
    reading->cards = sb_json_field_string(in, object, "cards", true);
    reading->free = sb_json_field_bool(in, object, "free");
}

void sb_input_format_fill(const struct sb_input_format *reading, struct sb_subject *subject)
{
    subject->chained = subject->chained || reading->chained;
    subject->input = subject->input ? subject->input : reading->input;
    subject->base = subject->base ? subject->base : reading->base;
    subject->cards = subject->cards ? subject->cards : reading->cards;
    subject->free = subject->free || reading->free;
}

void sb_input_format_differs(const struct sb_input_format *reading, const struct sb_subject *subject,
                             struct sb_mismatch *differs)
{
    sb_mismatch_text(differs, "input", reading->input ? reading->input : reading_usual,
                     subject->input ? subject->input : reading_usual);
    sb_mismatch_text(differs, "base", reading->base, subject->base);
    sb_mismatch_text(differs, "cards", reading->cards, subject->cards);
    sb_mismatch_bool(differs, "free", reading->free, subject->free);
    sb_mismatch_bool(differs, "chained", reading->chained, subject->chained);
}
