/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The difference between a requested run and the saved one. The caller compares field after field; the struct
 * keeps the first field that differs, with both values: "seed", 1 and 2.
 */
#ifndef SB_SUBJECT_MISMATCH_H
#define SB_SUBJECT_MISMATCH_H

#include "subject/scheme.h"

enum { SB_MISMATCH_ROOM = 208 };

/* Initialise it with zeroes. */
struct sb_mismatch {
    const char *field; /* name of the field; NULL: no difference so far; static */
    char was[SB_MISMATCH_ROOM], is[SB_MISMATCH_ROOM]; /* the two values, truncated if long */
};

void sb_mismatch_integer(struct sb_mismatch *differs, const char *field, uint64_t was, uint64_t is);
void sb_mismatch_real(struct sb_mismatch *differs, const char *field, double was, double is);
void sb_mismatch_bool(struct sb_mismatch *differs, const char *field, bool was, bool is);

/* Compares whole texts, but keeps only as much as fits; NULL: not given. */
void sb_mismatch_text(struct sb_mismatch *differs, const char *field, const char *was, const char *is);

/* Compares schemes. If the shuffle is the same or `typed` is NULL, the differing field is "draw" or "rng";
 * otherwise it is "scheme". */
void sb_mismatch_scheme(struct sb_mismatch *differs, const struct sb_scheme *was, const struct sb_scheme *is,
                        const char *typed);

/* Writes the line about the difference from the file at `path`, SB_INVALID; returns SB_OK if nothing
 * differs. */
enum sb_status sb_mismatch_say(const struct sb_mismatch *differs, const char *path, const char *remedy,
                               struct sb_error *error);

#endif
