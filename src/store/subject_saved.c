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

/* A text about the stream, which is a member of struct sb_subject. */
#define SUBJECT_TEXT(member)                                                                    \
    .name = #member, .kind = SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, of.member), \
    .null = true, .same = true

const struct sb_store_field sb_subject_saved_fields[] = {
    { "kind", SB_STORE_CHOICE, .at = offsetof(struct sb_subject_saved, kind), .choices = saved_kinds },
    { "name", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_subject_saved, name) },
    { "words", SB_STORE_HASH, .at = offsetof(struct sb_subject_saved, words), .given = saved_is_command },
    { "seed", SB_STORE_INTEGER, .at = offsetof(struct sb_subject_saved, of.seed), .given = saved_is_scheme,
      .same = true },
    { "chained", SB_STORE_BOOL, .at = offsetof(struct sb_subject_saved, of.chained), .same = true },
    { SUBJECT_TEXT(input), .usual = "text" },
    { SUBJECT_TEXT(base) },
    { SUBJECT_TEXT(cards) },
    { "free", SB_STORE_BOOL, .at = offsetof(struct sb_subject_saved, of.free), .same = true },
    { SUBJECT_TEXT(match) },
    { SUBJECT_TEXT(json_path) },
    { SUBJECT_TEXT(field) },
    { SUBJECT_TEXT(separator) },
    { .name = NULL },
};

struct sb_subject_saved sb_subject_saved_of(const char *kind, const char *name,
                                            const struct sb_subject *subject)
{
    struct sb_subject_saved made = { kind, name, sb_subject_words(subject), *subject };

    if (!subject->scheme)
        made.of.seed = 0;
    return made;
}

void sb_subject_saved_fill(const struct sb_subject_saved *saved, struct sb_subject *subject)
{
    for (const struct sb_store_field *field = sb_subject_saved_fields; field->name; field++) {
        if (field->kind != SB_STORE_TEXT || !field->null) /* not a text about the stream */
            continue;
        const size_t at = field->at - offsetof(struct sb_subject_saved, of);
        const char **const text = (const char **)(void *)((char *)subject + at);

        if (!*text)
            *text = *(const char *const *)(const void *)((const char *)&saved->of + at);
    }
    subject->chained = subject->chained || saved->of.chained;
    subject->free = subject->free || saved->of.free;
}
