/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A saved subject and the format of its stream: the object `subject` of a file of evidence. */
#ifndef SB_STORE_EVIDENCE_SUBJECT_SAVED_H
#define SB_STORE_EVIDENCE_SUBJECT_SAVED_H

#include "store/field_table.h"

/* A record that was read owns its texts. */
struct sb_subject_saved {
    const char *kind; /* kind, as in a feed; static */
    const char *name; /* name, as in a feed */
    uint64_t words;   /* sb_subject_words() of a command */
    uint64_t seed;    /* seed of a scheme's generator */
    bool chained;
    /* values as in struct sb_subject; NULL: not given */
    const char *input, *base, *cards, *match, *json_path, *field, *separator;
    bool free;
};

extern const struct sb_store_field sb_subject_saved_fields[];

/* The record of a subject of this kind and name, with all fields set. The record borrows from the subject. */
struct sb_subject_saved sb_subject_saved_of(const char *kind, const char *name,
                                            const struct sb_subject *subject);

/* Whether the subject is a command, whose name is its command line. */
bool sb_subject_saved_is_command(const struct sb_subject_saved *saved);

/* If the subject leaves out fields about the stream, sets these fields to the saved values, which the subject
 * borrows. */
void sb_subject_saved_fill(const struct sb_subject_saved *saved, struct sb_subject *subject);

#endif
