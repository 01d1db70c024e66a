/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The difference between a requested run and a saved run. The caller compares one field after another. The
 * struct keeps the name of the first field that differs, and both values, for example "seed", 1 and 2.
 */
#ifndef SB_SUBJECT_MISMATCH_H
#define SB_SUBJECT_MISMATCH_H

#include "subject/scheme.h"

enum { SB_MISMATCH_ROOM = 208 };

/* Initialise the struct with zeroes. */
struct sb_mismatch {
    const char *field; /* name of the field; NULL: no difference so far; static */
    char was[SB_MISMATCH_ROOM], is[SB_MISMATCH_ROOM]; /* the two values, truncated if long */
};

void sb_mismatch_integer(struct sb_mismatch *differs, const char *field, uint64_t was, uint64_t is);
void sb_mismatch_real(struct sb_mismatch *differs, const char *field, double was, double is);
void sb_mismatch_bool(struct sb_mismatch *differs, const char *field, bool was, bool is);

/* Compares whole texts, but keeps only the part that fits. A text of NULL means that the field has no
 * value. */
void sb_mismatch_text(struct sb_mismatch *differs, const char *field, const char *was, const char *is);

/* Compares schemes. If the shuffles are equal or `typed` is NULL, the field that differs is "draw" or "rng";
 * otherwise the field is "scheme". */
void sb_mismatch_scheme(struct sb_mismatch *differs, const struct sb_scheme *was, const struct sb_scheme *is,
                        const char *typed);

/* If there is a difference from the run saved at `path`, writes the error line and returns SB_INVALID;
 * otherwise returns SB_OK. */
enum sb_status sb_mismatch_say(const struct sb_mismatch *differs, const char *path, const char *remedy,
                               struct sb_error *error);

#endif
