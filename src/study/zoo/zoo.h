/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and functions that the source files of the zoo share. */
#ifndef SB_STUDY_ZOO_ZOO_H
#define SB_STUDY_ZOO_ZOO_H

#include "study/results.h"

enum { SB_ZOO_NAME = 96 };

/* One shuffle of the zoo. */
struct sb_zoo_row {
    char name[SB_ZOO_NAME];
    struct sb_scheme scheme;
    unsigned bits; /* if not 0, the generator gets a new seed of this many bits for each deck */
    bool fair;     /* whether the shuffle is fair, so that no test should reject it */
    bool exact;    /* whether `needed` comes from the exact law; false: from runs */
    /* [columns]; the number of permutations that each statistic needs to detect the bias. Infinity: no number
     * suffices; NaN: the number exceeds the limit. Owned; NULL if there is a user's test. */
    double *needed;
    /* number of runs of the user's test, and number of those runs in which the test reported no bias */
    size_t runs, passed;
};

/* The zoo. The opaque handle of shufflebias.h points to this struct. */
struct sb_zoo {
    size_t n, deal;
    double alpha;
    uint64_t samples;
    unsigned seeds;
    char *test;          /* command of the user's test; owned; NULL: the zoo runs the statistics */
    size_t columns;      /* number of statistics; 0 if there is a user's test */
    const char **column; /* [columns]; owned; the names of the statistics are static */
    size_t rows;
    struct sb_zoo_row *row; /* [rows]; owned; a fair control comes first */
};

/* A running zoo. */
struct sb_zoo_run {
    const struct sb_request *options;
    struct sb_error *error;
    const struct sb_statistic_type **type; /* [count]; owned */
    size_t count;
    struct sb_zoo *zoo;
};

/* Makes the rows for deals of `deal` out of n items. The caller frees the array. SB_NO_MEMORY. */
enum sb_status sb_zoo_rows(size_t n, size_t deal, struct sb_error *error, struct sb_zoo_row **rows, size_t *count);

/* Opens a feed of the row's deals, beginning from `seed`. */
enum sb_status sb_zoo_feed(const struct sb_zoo_row *row, size_t n, size_t deal, uint64_t seed,
                           const volatile sig_atomic_t *stop, struct sb_error *error, struct sb_feed **feed);

/* Sets row->exact, and row->needed[0..count-1] to the number of permutations with which a chi-square test of each
 * statistic at level alpha has a power of 1/2. Does nothing if the exact law would take more than about a second.
 * SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_zoo_of_law(const struct sb_request *options, const struct sb_statistic_type *const types[],
                             size_t count, struct sb_error *error, struct sb_zoo_row *row);

/* Runs each row for which sb_zoo_of_law() has done nothing, from several seeds. Sets row->needed to the median
 * number of permutations after which each statistic rejects. SB_NO_MEMORY, SB_STOPPED, and the errors of the feeds. */
enum sb_status sb_zoo_sample(const struct sb_zoo_run *run);

/* Runs the user's test on the permutations of a feed. Sets *passed to whether its exit status was 0. SB_SUBJECT if
 * the test did not run; SB_IO, SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_zoo_ask(const struct sb_request *options, struct sb_feed *feed, struct sb_error *error, bool *passed);

#endif
