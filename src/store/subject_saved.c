/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subject in memory and in a file of evidence. */
#include "store/store.h"

#include <string.h>

bool sb_subject_saved_is_command(const struct sb_subject_saved *saved)
{
    return strcmp(saved->kind, "command") == 0;
}

static bool saved_is_command(const void *record)
{
    return sb_subject_saved_is_command(record);
}

static bool saved_is_scheme(const void *record)
{
    const struct sb_subject_saved *const saved = record;

    return strcmp(saved->kind, "scheme") == 0;
}

static const char *const saved_kinds[] = { "scheme", "command", "file", "callback", NULL };

const struct sb_store_field sb_subject_saved_fields[] = {
    { "kind", SB_STORE_CHOICE, .at = offsetof(struct sb_subject_saved, kind), .choices = saved_kinds },
    { "name", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_subject_saved, name) },
    { "words", SB_STORE_HASH, .at = offsetof(struct sb_subject_saved, words), .given = saved_is_command },
    { "seed", SB_STORE_INTEGER, .at = offsetof(struct sb_subject_saved, seed), .given = saved_is_scheme,
      .same = true },
    { "chained", SB_STORE_BOOL, .at = offsetof(struct sb_subject_saved, chained), .same = true },
    { "input", SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, input), .null = true, .same = true,
      .usual = "text" },
    { "base", SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, base), .null = true, .same = true },
    { "cards", SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, cards), .null = true, .same = true },
    { "free", SB_STORE_BOOL, .at = offsetof(struct sb_subject_saved, free), .same = true },
    { "match", SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, match), .null = true, .same = true },
    { "json_path", SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, json_path), .null = true,
      .same = true },
    { "field", SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, field), .null = true, .same = true },
    { "separator", SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, separator), .null = true,
      .same = true },
    { .name = NULL },
};

struct sb_subject_saved sb_subject_saved_of(const char *kind, const char *name,
                                            const struct sb_subject *subject)
{
    return (struct sb_subject_saved) {
        .kind = kind,
        .name = name,
        .words = sb_subject_words(subject),
        .seed = subject->scheme ? subject->seed : 0,
        .chained = subject->chained,
        .input = subject->input,
        .base = subject->base,
        .cards = subject->cards,
        .match = subject->match,
        .json_path = subject->json_path,
        .field = subject->field,
        .separator = subject->separator,
        .free = subject->free,
    };
}

void sb_subject_saved_fill(const struct sb_subject_saved *saved, struct sb_subject *subject)
{
    subject->chained = subject->chained || saved->chained;
    subject->input = subject->input ? subject->input : saved->input;
    subject->base = subject->base ? subject->base : saved->base;
    subject->cards = subject->cards ? subject->cards : saved->cards;
    subject->match = subject->match ? subject->match : saved->match;
    subject->json_path = subject->json_path ? subject->json_path : saved->json_path;
    subject->field = subject->field ? subject->field : saved->field;
    subject->separator = subject->separator ? subject->separator : saved->separator;
    subject->free = subject->free || saved->free;
}
