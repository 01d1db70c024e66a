/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who was on trial, and how a stream is read: the object `subject` of a file of evidence. */
#ifndef SB_STORE_EVIDENCE_SUBJECT_SAVED_H
#define SB_STORE_EVIDENCE_SUBJECT_SAVED_H

#include "store/field_table.h"

/* The texts belong to a record that was read. */
struct sb_subject_saved {
    const char *kind; /* as in a trial; static */
    const char *name; /* likewise */
    uint64_t words;   /* of a command: sb_subject_words() */
    uint64_t seed;    /* of a scheme's generator */
    bool chained;
    const char *input, *base, *cards; /* as in struct sb_subject; NULL: nothing was said */
    bool free;
};

extern const struct sb_store_field sb_subject_saved_fields[];

/* The record of a subject that is whole, of this kind and name; borrows from it. */
struct sb_subject_saved sb_subject_saved_of(const char *kind, const char *name,
                                            const struct sb_subject *subject);

/* What the subject does not say of its stream becomes what it was; borrowed. */
void sb_subject_saved_fill(const struct sb_subject_saved *saved, struct sb_subject *subject);

#endif
