/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and functions that the files of the zoo share. */
#ifndef SB_STUDY_ZOO_ZOO_H
#define SB_STUDY_ZOO_ZOO_H

#include "core/feed.h"
#include "statistic/statistic.h"
#include "study/zoo/zoo_result.h"
#include "subject/scheme.h"

enum { SB_ZOO_NAME = 96 };

/* A shuffle in the zoo. */
struct sb_zoo_entrant {
    char name[SB_ZOO_NAME];
    struct sb_scheme scheme;
    unsigned bits; /* bits of a seed for each deck; 0: all decks come from one stream */
    bool fair;
};

/* A running zoo. */
struct sb_zoo_run {
    const struct sb_zoo_options *options;
    struct sb_error *error;
    struct sb_zoo_entrant *entrant;        /* [zoo->rows] owned */
    const struct sb_statistic_type **type; /* [count] owned */
    size_t count;
    struct sb_zoo *zoo;
};

/* The shuffles of the zoo for deals of `deal` out of n items: [*count]. The caller frees the array.
 * SB_NO_MEMORY. */
enum sb_status sb_zoo_entrants(size_t n, size_t deal, struct sb_error *error,
                               struct sb_zoo_entrant **entrants, size_t *count);

/* Opens the feed of the entrant's deals from a seed. The caller frees the feed. */
enum sb_status sb_zoo_feed(const struct sb_zoo_entrant *entrant, size_t n, size_t deal, uint64_t seed,
                           const volatile sig_atomic_t *stop, struct sb_error *error, struct sb_feed **feed);

/*
 * Computes the exact numbers, if the law takes at most about a second: the permutations with which a
 * chi-square test of each statistic at level alpha has a power of 1/2. Sets row->exact in that case.
 * row->needed has room for count statistics. SB_NO_MEMORY, SB_STOPPED.
 */
enum sb_status sb_zoo_of_law(const struct sb_zoo_entrant *entrant, const struct sb_zoo_options *options,
                             const struct sb_statistic_type *const types[], size_t count,
                             struct sb_error *error, struct sb_zoo_row *row);

/*
 * Runs each entrant without exact numbers from several seeds: row->needed becomes the medians of the
 * permutations after which each statistic rejects. SB_NO_MEMORY, SB_STOPPED; errors of the feeds.
 */
enum sb_status sb_zoo_sample(const struct sb_zoo_run *run);

/* Runs the user's test on the permutations of a feed, and returns whether its exit status was 0. SB_SUBJECT:
 * the test did not run; SB_IO, SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_zoo_ask(const struct sb_zoo_options *options, struct sb_feed *feed, struct sb_error *error,
                          bool *passed);

#endif
