/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first permutations of a run, which are kept back until there are as many as a run is known again by
 * (study/opening.h): none is tallied before. So a run that ends earlier, or that was there already, adds
 * nothing to the evidence of others, and that depends on its length or on all of its beginning, and never on
 * what a look at a part of it would say.
 */
#ifndef SB_STUDY_FIRST_H
#define SB_STUDY_FIRST_H

#include "study/opening.h"
#include "study/subject.h"

#include <signal.h>

/* Begins as zeroes. */
struct sb_first {
    sb_item *items;      /* [count * deal] owned; NULL: there is none */
    size_t count, taken; /* SB_OPENING, but for a run that ended earlier; given out already */
};

void sb_first_close(struct sb_first *first);

/* Reads on until there are enough, or no more; those that the trial had are the first. Errors as
 * sb_trial_next(): SB_STOPPED also where the stop flag, which may be NULL, was raised before that. */
enum sb_status sb_first_read(struct sb_trial *trial, const volatile sig_atomic_t *stop,
                             struct sb_error *error, struct sb_first *first);

/* The lines, SB_SUBJECT, for a run that the file at `path` takes nothing of: it ended before it could be
 * known again, or it was there already. */
enum sb_status sb_first_few(const struct sb_first *first, const char *name, const char *path,
                            struct sb_error *error);
enum sb_status sb_first_twice(const char *name, const char *path, struct sb_error *error);

/* Puts those of them in the trial that were not there yet, at most `most`; false where none is left. */
bool sb_first_take(struct sb_first *first, uint64_t most, struct sb_trial *trial);

#endif
