/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An e-detector: collects evidence of a change that may begin at any time. Needs constant memory. */
#ifndef SB_FIT_SEQUENTIAL_DETECTOR_H
#define SB_FIT_SEQUENTIAL_DETECTOR_H

#include "core/tally.h"
#include "fit/sequential/e_bound.h"
#include "fit/test/birthday.h"
#include "shufflebias.h"

enum { SB_DETECTOR_LEVELS = 40 }; /* the last level first starts at 2^39 deals */

/* Level k: the evidence since a multiple of 2^k deals. */
struct sb_detector_level {
    uint64_t start; /* number of deals before the start; 0 if the level is silent */
    /* totals [tallies] and counts [cells] at the start; owned by the detector */
    uint64_t *total, *count;
    double repeat[SB_BIRTHDAY_ALTERNATIVES]; /* ln E of the repeats at the start */
};

struct sb_detector {
    double ln_level;        /* ln(1/alpha) */
    size_t count;           /* number of tallies */
    size_t cells;           /* number of cells of all members of the tallies that have cells */
    size_t lines;           /* number of members of all tallies */
    double *weight;         /* [lines] weight of each member; owned, as are the arrays below */
    struct sb_e_cell *cell; /* the null law of each tally, one after the other */
    /* [SB_DETECTOR_LEVELS * count] for each level and tally: the least sb_e_bound_sum() of a member with
     * which a look may raise an alarm. For repeats, the least ln E. */
    double *least;
    struct sb_detector_level level[SB_DETECTOR_LEVELS];
    uint64_t *memory;     /* the totals and counts of all levels */
    uint64_t *since;      /* [cells] scratch: the counts since the start of a level */
    struct sb_e_value *e; /* [lines] */
    double ln_sum;        /* ln of the sum over the due levels, at the last look that computed this sum */
    unsigned best;        /* the level with the largest term of that sum */
    uint64_t start;       /* the start of level `best`; 0 if no level was due */
};

/*
 * After `total` deals, the number of deals at the next look. Looks come at multiples of a power of two: the
 * largest that is at most 1024 and at most 1/1024 of the deals. In the beginning, there is a look at every
 * deal. The result depends only on `total`.
 */
uint64_t sb_detector_next_look(uint64_t total);

/*
 * Opens a detector for tallies with these members, cells and laws. There is a weight for each member of each
 * tally, and all weights add up to 1. The detector raises an alarm if its sum reaches 1/alpha. The caller
 * closes the detector even after an error. SB_NO_MEMORY.
 */
enum sb_status sb_detector_open(const struct sb_tally tally[], size_t count, const double weight[],
                                double alpha, struct sb_detector *detector);
void sb_detector_close(struct sb_detector *detector);

/*
 * Looks at the tallies after `total` deals. A look must be due there. `birthday` belongs to the only tally
 * without cells; NULL if there is no such tally. Returns true for an alarm, after which the caller calls
 * sb_detector_silence(). Computes the sum only if some member of a due level may be large enough for an
 * alarm.
 */
bool sb_detector_look(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total,
                      const struct sb_birthday *birthday);

/* For display: ln of the sum over all levels that have started, whether they are due or not; -infinity if no
 * level has started. */
double sb_detector_ln_sum(const struct sb_detector *detector, const struct sb_tally tally[],
                          const struct sb_birthday *birthday);

/* Returns tally `index`, which must have cells, with only the counts since the start of the level that had
 * the largest term at the last look. The detector owns these counts, which are valid until the next look. */
struct sb_tally sb_detector_since(const struct sb_detector *detector, const struct sb_tally tally[],
                                  size_t index);

/* ln E of the repeats since a level started. E is the average, over the alternatives, of the factor by which
 * the e-process has grown. */
double sb_detector_repeat(const struct sb_detector_level *level, const struct sb_birthday *birthday);

/* To be called after an alarm. Silences all levels until they start anew. */
void sb_detector_silence(struct sb_detector *detector);

/* To be called after each look. Starts the levels that are to start after `total` deals, and silences levels
 * that have become shorter than the distance between two looks. */
void sb_detector_start(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total,
                       const struct sb_birthday *birthday);

/* Whether a look after `total` deals includes level k. */
bool sb_detector_due(const struct sb_detector_level *level, unsigned k, uint64_t total);

/* ---- detector_worth.c ---- */

/* Prepares an open detector for sb_detector_worth(). */
void sb_detector_worth_open(const struct sb_tally tally[], struct sb_detector *detector);

/* Whether a look after `total` deals may raise an alarm. If not, the look need not compute the sum. */
bool sb_detector_worth(const struct sb_detector *detector, const struct sb_tally tally[], uint64_t total,
                       const struct sb_birthday *birthday);

#endif
