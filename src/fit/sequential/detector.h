/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An e-detector: collects evidence of a change that may begin at any time. Needs constant memory. */
#ifndef SB_FIT_SEQUENTIAL_DETECTOR_H
#define SB_FIT_SEQUENTIAL_DETECTOR_H

#include "core/calls.h"
#include "core/tally.h"
#include "fit/sequential/e_bound.h"

enum { SB_DETECTOR_LEVELS = 40 }; /* the last level starts for the first time after 2^39 deals */

/* Level k: the evidence since a multiple of 2^k deals. */
struct sb_detector_level {
    uint64_t start;          /* number of deals before the level started; 0: the level is silent */
    uint64_t *total, *count; /* [tallies] totals and [cells] counts at the start; owned by the detector */
    double *bet;             /* [bets] ln E of each bet at the start; owned by the detector */
};

struct sb_detector {
    double ln_level; /* ln(1/alpha) */
    /* ln of the largest factor of a level, ln(1/alpha); a field of its own for a test that changes the level */
    double ln_factor;
    size_t count;   /* number of tallies */
    size_t cells;   /* number of cells of all members of all tallies */
    size_t lines;   /* number of members of all tallies */
    size_t bets;    /* number of bets of the tallies without cells */
    unsigned round; /* from this level on, levels are longer than a round of bets; 0: there are no rounds */
    double *weight; /* [lines] weight of each member; owned, like all other arrays */
    struct sb_e_cell *cell; /* the null laws of all tallies, one after the other */
    size_t *possible;       /* [count] number of possible cells of each tally: sb_e_bound_cells() */
    /* [SB_DETECTOR_LEVELS * count] for each level and tally: an alarm is possible only if ln E of a member, or of
     * the bets, is at least this */
    double *least;
    uint64_t alarm; /* number of deals at the last alarm; 0: no alarm yet */
    struct sb_detector_level level[SB_DETECTOR_LEVELS];
    uint64_t *memory;     /* holds all levels' totals and counts */
    double *bet;          /* holds all levels' bets */
    double *ln_e;         /* [count] ln E of each tally with bets, since the start of level `best` */
    uint64_t *since;      /* [cells] scratch: counts since the start of a level */
    struct sb_e_value *e; /* [lines] scratch: the e-value of each member */
    double ln_sum;        /* ln of the sum over the due levels, at the last look that computed this sum */
    unsigned best;        /* the level with the largest term of that sum */
    uint64_t start;       /* the start of level `best` */
};

/*
 * Returns the number of deals at the next look after `total` deals. Looks come at multiples of a power of
 * two. This power is the largest that is at most 1024 and at most 1/1024 of the number of deals so far. In
 * the beginning, there is a look after every deal. The result depends only on `total`.
 */
uint64_t sb_detector_next_look(uint64_t total);

/*
 * Opens a detector for tallies with these members, cells and laws. There is a weight for each member of each
 * tally, and all weights add up to 1. The detector raises an alarm if the sum M of detector.c reaches
 * 1/alpha. The caller closes the detector even after an error. SB_NO_MEMORY.
 */
enum sb_status sb_detector_open(const struct sb_tally tally[], size_t count, const double weight[],
                                double alpha, struct sb_detector *detector);
void sb_detector_close(struct sb_detector *detector);

/*
 * Looks at the tallies after `total` deals, where `total` must be a result of sb_detector_next_look().
 * Returns true for an alarm. After an alarm, the caller must call sb_detector_silence(). Does not compute the
 * sum if no member of a due level can be large enough for an alarm.
 */
bool sb_detector_look(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total);

/* ln of the sum over all levels that have started, whether due or not; for display. -infinity if no level has
 * started. */
double sb_detector_ln_sum(const struct sb_detector *detector, const struct sb_tally tally[]);

/* Returns tally[index] with only the counts since the start of a level: the level that had the largest term
 * at the last look. The detector owns the counts and ln E until the next look. */
struct sb_tally sb_detector_since(struct sb_detector *detector, const struct sb_tally tally[], size_t index);

/*
 * For the tally with bets tally[index], returns ln E since level k started, where E is the average growth of
 * the bets. Of ln of each bet's growth, `errors` times its rounding error is subtracted. The tally's first
 * bet has the index `from` in the level's bet[]. If the bets come in rounds and the level is longer than a
 * round, the level bets nothing, and ln E is 0. If `best` is not NULL, *best becomes the index of the bet
 * that grew most.
 */
double sb_detector_bets(const struct sb_detector *detector, unsigned k, const struct sb_tally tally[],
                        size_t index, size_t from, double errors, size_t *best);

/* Silences all levels after an alarm at `total` deals, until sb_detector_start() starts them anew. */
void sb_detector_silence(struct sb_detector *detector, uint64_t total);

/* Starts every level k for which `total` is a multiple of 2^k, if the last alarm is 2^k deals or more ago, and silences the levels that are shorter than
 * the distance between two looks. Call this function after each look. */
void sb_detector_start(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total);

/* Whether a look after `total` deals includes level k. */
bool sb_detector_due(const struct sb_detector_level *level, unsigned k, uint64_t total);

/* ---- detector_worth.c ---- */

/* Prepares an open detector for sb_detector_worth(). */
void sb_detector_worth_open(const struct sb_tally tally[], struct sb_detector *detector);

/* Whether a look after `total` deals may raise an alarm; if not, the look need not compute the sum. */
bool sb_detector_worth(const struct sb_detector *detector, const struct sb_tally tally[], uint64_t total);

#endif
