/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In what a run that is asked for is another than the one that was saved. Field after field is held against
 * what was, and the first that differs is kept with both values: "seed", 1 and 2.
 */
#ifndef SB_SUBJECT_MISMATCH_H
#define SB_SUBJECT_MISMATCH_H

#include "subject/scheme.h"

enum { SB_MISMATCH_ROOM = 208 };

/* Begins with zeroes. */
struct sb_mismatch {
    const char *field; /* NULL: nothing differs so far; static, as all names of fields */
    char was[SB_MISMATCH_ROOM], is[SB_MISMATCH_ROOM]; /* cut where they are long */
};

void sb_mismatch_integer(struct sb_mismatch *differs, const char *field, uint64_t was, uint64_t is);
void sb_mismatch_real(struct sb_mismatch *differs, const char *field, double was, double is);
void sb_mismatch_bool(struct sb_mismatch *differs, const char *field, bool was, bool is);

/* Texts are kept only up to their room, but compared as a whole; NULL: not given. */
void sb_mismatch_text(struct sb_mismatch *differs, const char *field, const char *was, const char *is);

/* Of schemes: "scheme", or "draw" or "rng" where the scheme is `typed` with the same shuffle or not at
 * all, which is NULL. */
void sb_mismatch_scheme(struct sb_mismatch *differs, const struct sb_scheme *was, const struct sb_scheme *is,
                        const char *typed);

/* The line about it, SB_INVALID, where the file at `path` has what was; SB_OK: nothing differs. */
enum sb_status sb_mismatch_say(const struct sb_mismatch *differs, const char *path, const char *remedy,
                               struct sb_error *error);

#endif
