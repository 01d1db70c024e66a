/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E-processes, and bounds on total variation that hold at all times. */
#ifndef SB_FIT_SEQUENTIAL_H
#define SB_FIT_SEQUENTIAL_H

#include "fit/fit.h"

/* ---- counts that fit in bytes, such as those of a thousand permutations of a thousand items ---- */

enum {
    SB_SMALL_COUNT_MOST = 127, /* the largest count whose terms are added up by count */
    SB_SMALL_TERMS = 8,        /* number of terms of each count */
    SB_SMALL_LEVELS_MOST = 32, /* the most levels */
};

/* The largest count of a tally that has its counts as bytes. */
uint8_t sb_small_counts_largest(const struct sb_tally *tally);

/* For each j below `levels`, at most SB_SMALL_LEVELS_MOST, sets excess[j] to the sum of max(count - j, 0) over all
 * cells. No count may be above `levels`. */
void sb_small_counts_excess(const uint8_t count[], size_t cells, size_t levels, uint32_t excess[]);

/* For each member i, sets sum[i] to term[count[0]] + term[count[1]] + ... for the counts of the member's cells, of
 * which none is above `most`. */
void sb_small_counts_sum(const uint8_t count[], size_t members, size_t cells, size_t most,
                         double term[][SB_SMALL_TERMS], double sum[][SB_SMALL_TERMS]);

/* E-processes measure the evidence against a null law, and stay valid after any number of looks. */

struct sb_e_value {
    /* ln E of the mixture. Under the null law, the probability that E ever reaches 1/alpha is at most alpha.
     * 0 if nothing was tallied. */
    double ln_e;
    double ln_best; /* sum c ln(p/q) for the counts c, their shares p and the null law q; never below ln_e */
};

/*
 * For each member i of a statistic, sets e[i] to the e-value of this member. For up to 2^31 deals, the error
 * is at most 1e-9, and 1e-14 of ln_best more. If a cell that cannot occur has a count, ln_e and ln_best are
 * infinite.
 */
void sb_e_process(const struct sb_tally *tally, struct sb_e_value e[]);

/* An upper bound on the error of a statistic's e-values, from rounding and from errors of the null law. */
struct sb_e_error {
    double fixed;     /* the part that does not depend on the counts */
    double per_best;  /* times ln_best */
    double deviation; /* times the square root of ln_best + 1 */
};

/* The errors that a tally's e-values may have. Valid for sb_e_process(), sb_e_process_by() and
 * sb_e_process_half(). */
struct sb_e_error sb_e_process_error(const struct sb_tally *tally);

/* The upper bound for one e-value: |ln_e - true ln_e| and |ln_best - true ln_best| are at most this. 0 if
 * ln_e is infinite. */
double sb_e_error_of(const struct sb_e_error *error, const struct sb_e_value *e);

/* A table of terms. Two tallies use the same terms if they have the same total and the same number of equally
 * likely cells. Terms that do not depend on counts are the same at all looks. The caller frees the table;
 * freeing NULL is allowed. NULL if memory runs out. */
struct sb_e_table;
struct sb_e_table *sb_e_table_new(void);
void sb_e_table_free(struct sb_e_table *table);

/* The same as sb_e_process(), but takes known terms from the table, and adds new terms to the table. */
void sb_e_process_by(struct sb_e_table *table, const struct sb_tally *tally, struct sb_e_value e[]);

/* The same as sb_e_process(), but with half of each count, for sb_tv_low(). These values are not evidence by
 * themselves. */
void sb_e_process_half(const struct sb_tally *tally, struct sb_e_value e[]);

/* ---- bets on single cells ---- */

struct sb_single;

/* Whether a tally has bets on single cells: several members with equally likely cells, neither merged nor few. */
bool sb_single_joins(const struct sb_tally *tally);

/* Computes the bets on the counts of a tally for which sb_single_joins(). The caller frees them; freeing NULL is
 * allowed. SB_NO_MEMORY. */
enum sb_status sb_single_new(const struct sb_tally *tally, struct sb_single **single);
void sb_single_free(struct sb_single *single);

/* Shares the stake of a member: its ln E, and the bound on the error of that, become those of the average of the member
 * and the bets on its cells. */
void sb_single_share(const struct sb_single *single, const struct sb_tally *tally, size_t member, double *ln_e,
                     double *error);

/* A condition that counts must meet if the e-value is large (fit/sequential.h). The check needs no
 * logarithm for each count. */

/* A cell of a null law. */
struct sb_e_cell {
    double p, inverse; /* the probability of the cell, and 1/p */
};

/* Computes the cells of a tally's null law, cell[tally->cells], or of all laws if its members have laws of their own.
 * Returns how many of a law have a probability above 1e-100: of the law with the fewest, whose bound is the largest. */
size_t sb_e_bound_cells(const struct sb_tally *tally, struct sb_e_cell cell[]);

/* The sums S and D of e_bound.c. */
struct sb_e_bound {
    double sum;   /* S */
    double empty; /* D, which counts empty cells, and in part those with too few deals */
};

/* The sums for the counts now[i] - then[i] of one member, from `total` deals; total > 0. */
struct sb_e_bound sb_e_bound_of(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                                const uint64_t then[], uint64_t total);

/* An upper bound on ln E. `possible` is the result of sb_e_bound_cells(). Rounding may make it too small by 1e-14 of
 * the sum. */
double sb_e_bound_ln_e(const struct sb_e_bound *bound, size_t possible);

/* An e-detector: collects evidence of a change that may begin at any time. Needs constant memory. */

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
    size_t count;           /* number of tallies */
    size_t cells;           /* number of cells of all members of all tallies */
    size_t lines;           /* number of members of all tallies */
    size_t bets;            /* number of bets of the tallies without cells */
    unsigned round;         /* from this level on, levels are longer than a round of bets; 0: there are no rounds */
    double *weight;         /* [lines] weight of each member; owned, like all other arrays */
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
enum sb_status sb_detector_open(const struct sb_tally tally[], size_t count, const double weight[], double alpha,
                                struct sb_detector *detector);
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

/* Silences all levels after an alarm at `total` deals, until sb_detector_start() starts them anew. */
void sb_detector_silence(struct sb_detector *detector, uint64_t total);

/* Starts every level k for which `total` is a multiple of 2^k, if the last alarm is 2^k deals or more ago, and silences
 * the levels that are shorter than the distance between two looks. Call this function after each look. */
void sb_detector_start(struct sb_detector *detector, const struct sb_tally tally[], uint64_t total);

/* ---- detector.c ---- */

/* Sets the least ln E at which a look at a detector can raise an alarm, so that the look may skip other sums.
 * sb_detector_open() calls it; a test may change the levels and call it again. */
void sb_detector_worth_open(const struct sb_tally tally[], struct sb_detector *detector);

/* A lower bound on total variation that is valid at all times simultaneously, however often one looks. */

/*
 * For each member i, sets low[i] to a lower bound on the total variation between the true law of the member's
 * cells and the null law. e[] holds the e-values of the members. The probability that low[i] is ever above
 * the true value is at most e^-ln_level; ln_level > 0. The rounding error of low[i] is at most
 * sb_tv_low_error(). A bound is 0 if nothing has been tallied, or if a cell that cannot occur has a count.
 *
 * If tally->lag is not 0, the counts are of steps X[t]^-1 X[t+lag] between independent permutations with the
 * same law. Unless this law is fair, steps that share a permutation depend on each other; the bounds allow
 * for this dependence. SB_NO_MEMORY.
 */
enum sb_status sb_tv_low(const struct sb_tally *tally, const struct sb_e_value e[], double ln_level, double low[]);

/* An upper bound on the error of a lower bound from rounding, if the errors of ln_e and ln_best are at most
 * e_error. */
double sb_tv_low_error(double e_error, double ln_level);

/* An upper bound on total variation that is valid at all times simultaneously, however often one looks. */

/* An upper bound on the error of a bound from rounding, and from errors of the null law: see tv_sets.c. */
#define SB_TV_HIGH_ERROR 2e-11

/* No bound falls below this, however many deals there are, except by chance: half of the smallest step of tv_sets.c.
 * With a fair coin, theta must be farther from the coin than v is. */
#define SB_TV_HIGH_LEAST 0x1p-21

/*
 * For each member i, sets high[i] to an upper bound on the total variation between the true law of the
 * member's cells and the null law. The probability that high[i] is ever below the true value is at most
 * e^-ln_level; ln_level > 0. If nothing has been tallied, the bound is 1, or 1 - 1/K if all K cells are
 * equally likely. Each bound may be up to 0.1% larger than the method requires, and a bound below 1e-5 more; its
 * rounding error is at most SB_TV_HIGH_ERROR.
 *
 * If tally->lag is not 0, the counts are of steps X[t]^-1 X[t+lag] between independent permutations with the
 * same law, as in fit/sequential.h. SB_NO_MEMORY.
 */
enum sb_status sb_tv_high(const struct sb_tally *tally, double ln_level, double high[]);

/* Raises *largest to the largest bound of all members, unless *largest is already larger. Faster than
 * sb_tv_high(). If `size` is not 0, the bounds of a fair law fall below this size sooner, and below other sizes later.
 * SB_NO_MEMORY. */
enum sb_status sb_tv_high_largest(const struct sb_tally *tally, double ln_level, double size, double *largest);

/* The approximate mean of the bound for a fair law of `cells` equally likely cells after `total` deals. The
 * mean falls with `total`. */
double sb_tv_high_fair(double total, double cells, double ln_level);

/* Whether counts of equally likely cells rule out a total variation of `exclude` or more, sooner than the bounds do. */

/* Whether there is such a test for this tally: there is none for steps at a lag, and for very many cells. */
bool sb_tv_sets_join(const struct sb_tally *tally);

/* The test leaves a part of delta = e^-ln_level to bounds on the same tally. Returns -ln of this part. */
double sb_tv_sets_ln_rest(double ln_level);

/* Sets *excluded to whether it is ruled out that the total variation of a member is `exclude` or more. If it is, the
 * probability that the test, or the bound at the part of delta that is left, ever rules it out is at most delta.
 * SB_NO_MEMORY. */
enum sb_status sb_tv_sets_exclude(const struct sb_tally *tally, double ln_level, double exclude, bool *excluded);

/* About how many deals it takes a fair law of `cells` cells. */
double sb_tv_sets_fair(double cells, double ln_level, double exclude);

/* Tests whether a coin shows heads with a given probability or more. Heads are the deals in a set of
 * cells. */

/* The number of steps. A step is a value of theta - v (see tv_sets.c). The smallest step is 2^-20, so no
 * bound falls below about 2^-21: SB_TV_HIGH_LEAST of tv_high.h. */
enum { SB_TV_COIN_STEPS = 29, SB_TV_COIN_STEPS_MOST = 32 };

/* What the tests of all coins have in common. For E, L_v, theta and v, see tv_sets.c. */
struct sb_tv_coin {
    double step[SB_TV_COIN_STEPS_MOST];      /* the values of theta - v, in descending order */
    double ln_weight[SB_TV_COIN_STEPS_MOST]; /* ln of SB_TV_COIN_STEPS times the weight of each L_v */
    size_t steps;                            /* number of steps */
    double ln_level; /* ln(SB_TV_COIN_STEPS/delta), which ln of the weighted sum of the L_v must reach */
    double share;    /* the factor of each count: 1/2 if tally->lag is not 0, else 1 */
    double total;    /* number of deals, times `share` */
};

/* A set of cells, or a point between two sets. `count` is the number of deals in the set, times `share`. `q`
 * is the probability of the set under the null law. */
struct sb_tv_set {
    double count, q;
};

/* Prepares the tests for a tally at the level delta = e^-ln_level. If tally->lag is not 0, the tests use half
 * of each count, and delta/2. */
void sb_tv_coin_open(const struct sb_tally *tally, double ln_level, struct sb_tv_coin *coin);

/* Adds steps that are best for a bound on a fair law near `size`, and gives them most of the weight. */
void sb_tv_coin_tune(const struct sb_tally *tally, double size, struct sb_tv_coin *coin);

/* Whether the set is settled for `bound`, which means that E of the set at theta = q + bound reaches
 * 1/delta. */
bool sb_tv_coin_settles(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound);

/* Whether every point between two sets is known to be settled for `bound`. The function compares a lower
 * limit of E over all these points with 1/delta. */
bool sb_tv_coin_settles_part(const struct sb_tv_coin *coin, struct sb_tv_set one, struct sb_tv_set other, double bound);

/* Does the same with only the best term of E: compares a lower limit of this term with e^margin/delta. This
 * is faster than sb_tv_coin_settles_part() if the answer is no. */
bool sb_tv_coin_settles_soon(const struct sb_tv_coin *coin, struct sb_tv_set one, struct sb_tv_set other, double bound,
                             double margin);

/* Returns a value above `bound` at which E of the set has reached 1/delta: the least such value, up to rounding. At
 * `bound` itself, E must be below 1/delta. */
double sb_tv_coin_raise(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound);

/*
 * The sets of cells that matter for a bound on total variation. Of all sets with the same share of the
 * counts, only the set with the smallest probability under the null law matters. Let the cells be in
 * descending order of count/probability. For each set S there is a point (share of S, probability of S). All
 * these points lie on or above a convex curve: the curve through the points of the prefixes of this order.
 */

/* Prefix m, 0 <= m <= cells, holds the m cells with the largest count/probability. */
struct sb_tv_curve {
    size_t cells;
    double total;
    uint64_t *count; /* [cells + 1] the count of each prefix */
    /* [cells + 1] the probability of each prefix; NULL if all cells are equally likely */
    double *q;
    struct sb_keyed *order, *spare; /* [cells + 1], scratch */
};

/* Opens a curve for the members of this tally. After SB_OK, the caller closes the curve. SB_NO_MEMORY. */
enum sb_status sb_tv_curve_open(const struct sb_tally *tally, struct sb_tv_curve *curve);
void sb_tv_curve_close(struct sb_tv_curve *curve);

/* Computes the curve of a member. Cost: linear in the number of cells. */
void sb_tv_curve_draw(const struct sb_tally *tally, size_t member, struct sb_tv_curve *curve);

/* The first function returns the share of the counts that prefix m has. The second returns the probability of
 * prefix m under the null law. */
double sb_tv_curve_p(const struct sb_tv_curve *curve, size_t m);

double sb_tv_curve_q(const struct sb_tv_curve *curve, size_t m);

/*
 * Finds the members that cannot raise a bound on total variation, in a family of many members with small
 * counts and equally likely cells. The answer is the same as that of a test of each vertex of each member's
 * curve (fit/sequential.h), but takes much less time.
 */

struct sb_tv_levels {
    const struct sb_tv_coin *coin; /* borrowed */
    size_t members, cells;
    size_t levels; /* 1 more than the largest count of any member; 0 if levels are not used */
    /* [members][levels] the excesses; excess j of a member is the sum of max(count - j, 0) over its cells;
     * owned */
    uint32_t *excess;
    /* [levels] over all members: the mean and the largest excess */
    double mean[SB_SMALL_LEVELS_MOST], most[SB_SMALL_LEVELS_MOST];
    /* [levels] If `covers` is set, a member is settled for `bound` if each excess j of the member is at most
     * cover[j]. */
    uint32_t cover[SB_SMALL_LEVELS_MOST];
    bool covers;
    double bound;  /* the bound for which the cover was sought; the cover is valid for larger bounds, too */
    size_t misses; /* number of settled members since then that the cover did not cover */
};

/* Computes the levels if this tally has many members and its counts are bytes. Otherwise sets levels->levels
 * to 0. The cells must be equally likely. The caller closes the levels after SB_OK. SB_NO_MEMORY. */
enum sb_status sb_tv_levels_open(const struct sb_tally *tally, const struct sb_tv_coin *coin,
                                 struct sb_tv_levels *levels);
void sb_tv_levels_close(struct sb_tv_levels *levels);

/* Whether all vertices of the member's curve are proven to be settled for this bound. First compares the member with a
 * cover. `bound` must not fall from one call to the next. False if levels->levels is 0. */
bool sb_tv_levels_settled(struct sb_tv_levels *levels, size_t member, double bound);

#endif
