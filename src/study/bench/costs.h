/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs of shuffles. A cost that could not be determined is NaN. */
#ifndef SB_STUDY_BENCH_COSTS_H
#define SB_STUDY_BENCH_COSTS_H

#include "report/result.h"
#include "study/results.h"

/* The cost of one scheme: averages per deck. */
struct sb_cost {
    char *name;                           /* name of the scheme; owned */
    const char *title;                    /* title of the shuffle; static */
    double draws, words;                  /* draws per deck, and random words that the draws take per deck */
    double reads, writes;                 /* accesses to items and keys */
    size_t bytes;                         /* bytes of the arrays that the shuffle accesses */
    double draws_growth, accesses_growth; /* exponents of n: log2 of (cost at 2n / cost at n) */
    /* The next five costs are in nanoseconds of processor time per deck, in one thread. */
    double plain, side_by_side;   /* shuffling in plain C; shuffling several decks at once and tallying */
    double generator, fill, copy; /* generating only the words; writing 0..n-1; copying 0..n-1 */
};

/* The opaque handle of shufflebias.h points to this struct. */
struct sb_costs {
    size_t n, deal;
    uint64_t decks; /* number of decks timed for each scheme */
    size_t count;
    struct sb_cost *cost; /* [count]; owned */
};

extern const struct sb_result_type sb_costs_result;

#endif
