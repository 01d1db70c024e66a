/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An e-detector: evidence for a change that may begin at any time, in constant memory. */
#ifndef SB_FIT_SEQUENTIAL_DETECTOR_H
#define SB_FIT_SEQUENTIAL_DETECTOR_H

#include "core/tally.h"
#include "fit/sequential/e_bound.h"
#include "fit/test/birthday.h"
#include "shufflebias.h"

enum { SB_DETECTOR_LEVELS = 40 }; /* the last one starts at 2^39 for the first time */

/* The evidence since a multiple of 2^k. */
struct sb_detector_level {
    uint64_t start;          /* where it starts: how many deals there had been; 0: it is silent */
    uint64_t *total, *count; /* [tallies], [cells] as they were then; owned by the detector */
    double repeat[SB_BIRTHDAY_ALTERNATIVES]; /* likewise, ln E of the repeats */
};

struct sb_detector {
    double ln_level;        /* ln(1/alpha) */
    size_t count;           /* tallies, */
    size_t cells;           /* their cells, all members', */
    size_t lines;           /* and their members */
    double *weight;         /* [lines] owned, as all else */
    struct sb_e_cell *cell; /* [cells of each tally] the null laws, one behind another */
    double *least; /* [SB_DETECTOR_LEVELS * count] sb_e_bound_sum() of a member by which a look at the level
                      is worth the work; of repeats, their ln E */
    struct sb_detector_level level[SB_DETECTOR_LEVELS];
    uint64_t *memory;     /* behind all levels' totals and counts */
    uint64_t *since;      /* [cells] counts of a level, since it started */
    struct sb_e_value *e; /* [lines] */
    double ln_sum;        /* of the levels that were due at the last look that was worked out */
    unsigned best;        /* the level with the largest term there, ... */
    uint64_t start;       /* ... and where it started; 0: no level was due */
};

/*
 * The next look after `total` deals: at multiples of the largest power of two that is no larger than 1024 and
 * no larger than a 1024th of the deals, but for the first of these. A function of `total` alone.
 */
uint64_t sb_detector_next_look(uint64_t total);

/*
 * A detector for these tallies, of which the shapes and laws alone are looked at, with a weight for each
 * member of each of them, which add up to 1, and an alarm at 1/alpha. To be closed in any case. SB_NO_MEMORY.
 */
enum sb_status sb_detector_open(const struct sb_tally tally[], size_t count, const double weight[],
                                double alpha, struct sb_detector *detector);
void sb_detector_close(struct sb_detector *detector);

/*
 * Looks at the tallies of `total` deals, the next look's; `birthday` is behind the only tally without cells,
 * else NULL. True: an alarm, after which sb_detector_silence() has to come. The sum is not worked out where
 * no member of a level that is due can have so much of it that it comes to an alarm.
 */
bool sb_detector_look(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total,
                      const struct sb_birthday *birthday);

/* ln of the sum over all levels that have started, due or not, at any time: to be shown. -infinite: none has.
 */
double sb_detector_ln_sum(const struct sb_detector *detector, const struct sb_tally tally[],
                          const struct sb_birthday *birthday);

/* Tally `index` as it is since the best level of the last look started, if that has cells; its counts are the
 * detector's and good until the next look. */
struct sb_tally sb_detector_since(const struct sb_detector *detector, const struct sb_tally tally[],
                                  size_t index);

/* ln E of the repeats since a level started: of the average of what the alternatives have grown by. */
double sb_detector_repeat(const struct sb_detector_level *level, const struct sb_birthday *birthday);

/* After an alarm: all levels are silent until they start anew. */
void sb_detector_silence(struct sb_detector *detector);

/* After each look: starts the levels whose place this is, and silences those that are too short by now. */
void sb_detector_start(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total,
                       const struct sb_birthday *birthday);

/* Whether a look after `total` deals looks at level k, too. */
bool sb_detector_due(const struct sb_detector_level *level, unsigned k, uint64_t total);

/* ---- detector_worth.c ---- */

/* Makes an open detector ready for the following. */
void sb_detector_worth_open(const struct sb_tally tally[], struct sb_detector *detector);

/* Whether a look after `total` deals may come to an alarm; where it does not it need not be worked out. */
bool sb_detector_worth(const struct sb_detector *detector, const struct sb_tally tally[], uint64_t total,
                       const struct sb_birthday *birthday);

#endif
