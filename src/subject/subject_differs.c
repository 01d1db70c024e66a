/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a subject with a saved subject. */
#include "core/core.h"
#include "subject/feed_start.h"
#include "subject/mismatch.h"
#include "subject/scheme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t sb_subject_words(const struct sb_subject *subject)
{
    uint64_t hash = subject->command ? SB_HASH_EMPTY : 0;

    for (size_t i = 0; subject->command && subject->command[i]; i++)
        hash = sb_hash_add(hash, subject->command[i],
                           strlen(subject->command[i]) + 1); /* hashes the word including its terminating 0 */
    return subject->command && subject->cwd ? sb_hash_add(hash, subject->cwd, strlen(subject->cwd) + 1)
                                            : hash;
}

/* Adds a text to a hash, so that NULL, the empty text and the boundaries between texts make a difference. */
static uint64_t differs_hash(uint64_t hash, const char *text)
{
    return text ? sb_hash_add(sb_hash_add(hash, "+", 1), text, strlen(text) + 1) : sb_hash_add(hash, "-", 1);
}

uint64_t sb_subject_identity(const struct sb_subject *subject)
{
    const bool usual = !subject->input || strcmp(subject->input, "text") == 0;
    const char *const texts[] = {
        sb_subject_kind(subject),
        subject->file,
        usual ? NULL : subject->input,
        subject->base,
        subject->cards,
        subject->match,
        subject->json_path,
        subject->field,
        subject->separator,
        subject->free ? "free" : NULL,
    };
    uint64_t hash = sb_subject_words(subject);

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        hash = differs_hash(hash, texts[i]);
    return hash ? hash : 1; /* 0 stands for an unknown identity */
}

enum sb_status sb_subject_differs(const struct sb_subject *subject, const char *kind, const char *name,
                                  uint64_t words, struct sb_error *error, struct sb_mismatch *differs)
{
    const char *const own = sb_subject_kind(subject);
    char was[SB_MISMATCH_ROOM], *is;
    enum sb_status status;

    if (subject->scheme && strcmp(kind, "scheme") == 0) {
        struct sb_scheme saved, asked;

        status = sb_scheme_parse(name, NULL, NULL, error, &saved);
        if (status == SB_OK)
            status = sb_scheme_parse(subject->scheme, subject->draw, subject->rng, error, &asked);
        if (status == SB_OK)
            sb_mismatch_scheme(differs, &saved, &asked, subject->scheme);
        return status;
    }
    is = sb_subject_name(subject);
    if (!is)
        return sb_error_memory(error, "a subject");
    snprintf(was, sizeof was, "%s %s", kind, name);
    sb_mismatch_text(differs, own, strcmp(kind, own) == 0 ? name : was, is);
    if (sb_subject_words(subject) != words)
        sb_mismatch_text(differs, own, "one with other words, or in another folder", is);
    free(is);
    return SB_OK;
}
