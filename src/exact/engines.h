/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the exact engines share, and what connects the files of one engine. Only the engines and their tests include
 * this header. */
#ifndef SB_EXACT_ENGINES_H
#define SB_EXACT_ENGINES_H

#include "exact/engine.h"

/* Sets the error of an engine that was stopped before it knew the law, or that ran out of memory. Returns the
 * status. */
enum sb_status sb_engine_fail(const struct sb_law *law, enum sb_status status, struct sb_error *error);

/* Sets weight[0..bound-1] to the weights of the answers below `bound`, 1 <= bound. The weights have no common factor.
 * If the draw is exactly uniform, all weights are 1. Returns the sum of the weights minus 1, since the sum may be 2^64.
 * O(bound). */
uint64_t sb_weights_get(const struct sb_law *law, size_t bound, uint64_t weight[]);

/* One of the two draws of a swap: the positions that it may choose, and their weights. */
struct sb_draw_weights {
    size_t first, bound; /* the positions first..first+bound-1 */
    uint64_t *narrow;    /* [n] the weights from `first` on; owned */
    mpz_t *weight;       /* [n] weight of each position; owned */
    mpz_t total;         /* sum of the weights */
};

/* The caller closes the draw, even after a failure. SB_NO_MEMORY. */
enum sb_status sb_draw_weights_open(size_t n, struct sb_draw_weights *draw);
void sb_draw_weights_close(size_t n, struct sb_draw_weights *draw);
void sb_draw_weights_set(const struct sb_law *law, size_t first, size_t bound, struct sb_draw_weights *draw);

/* For a shuffle made of swaps: sets `denominator`, which the caller has initialised, to the product of the sums of the
 * weights of all its draws. weight[0..n-1] is scratch space. */
void sb_weights_denominator(const struct sb_law *law, uint64_t weight[], mpz_t denominator);

/* ---- closed forms ---- */

extern const struct sb_engine_type sb_engine_closed;

/* The effects of a closed form: those of a fair sample have no meaning. */
extern const struct sb_effect sb_closed_effect;

/* Returns (1 + x) ln(1 + x) - x, for x >= -1: the integrand of the Kullback-Leibler divergence from uniform. A deal has
 * the probability (1 + x)/K, where K is the number of deals. The result is accurate to all digits, even if x is tiny.
 */
double sb_closed_divergence(double x);

/* Returns the ratio whose excess over 1 and whose ln are given. Each is accurate where the other is not: the ln of a
 * ratio near 1 loses digits, and so does the excess of a small ratio. The result is 0 if ln_ratio is -HUGE_VAL. */
double sb_closed_ratio(double excess, double ln_ratio);

/* Returns whether the draws of the shuffle map one to one onto its deals. This takes three shuffles. SB_NO_MEMORY. */
enum sb_status sb_draws_has(const struct sb_law *law, bool *has);

/* A possible value of a ratio: `deviation` is this value minus 1, and `weight` is the probability of the
 * value under uniformity. */
struct sb_atom {
    double deviation, weight;
};

enum { SB_FACTOR_VALUES = 8 };

/* A factor of the ratio to uniform: a random variable with mean 1 and few values. */
struct sb_factor {
    size_t count;
    /* [count] in ascending order of deviation; the weights add up to 1 */
    struct sb_atom atom[SB_FACTOR_VALUES];
};

/* Bounds on total variation. The bounds are equal if total variation is known exactly (up to rounding at
 * about the 12th digit). */
struct sb_bracket {
    double low, high;
};

/* Computes the total variation if the ratio is the product of factor[0..count-1]. Uses `threads` and `stop` of the law.
 * SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_product_variation(const struct sb_factor factor[], size_t count, const struct sb_law *law,
                                    struct sb_bracket *bracket);

/* Returns whether the shuffle is a riffle with fair coins or a sort by random keys, and n is small enough. If
 * only part of the deck is dealt, the permutations must also be few enough to give each a count. */
bool sb_piles_has(const struct sb_law *law);

/* Returns whether the permutations are few enough to give each a count. */
bool sb_piles_countable(const struct sb_law *law);

/* Fills in the counts of evidence that is open. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_counts(const struct sb_law *law, struct sb_evidence *evidence);

/* Computes the effects of the law of whole permutations. The caller closes the effects. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_effect(const struct sb_law *law, struct sb_effect *effect);

/* ---- the matrix ---- */

enum {
    SB_POSITION_EXACT_MOST = 256,     /* the largest n for a matrix in integers */
    SB_POSITION_FIRST_MOST = 1024,    /* the largest n for its first column alone, if one card is dealt */
    SB_POSITION_CELLS_MOST = 1 << 26, /* the largest number of cells of a matrix, items times positions */
    SB_POSITION_ORIGINS_MOST = 1024,  /* the largest n for a shuffle with `origin` */
};

/*
 * Computes the matrix as exact evidence, which the caller closes. evidence->cells is 0, since the counts by
 * rank are unknown. If `exact` is true, the matrix has integers over one denominator, and n is at most
 * SB_POSITION_EXACT_MOST or, if one card is dealt, SB_POSITION_FIRST_MOST. Otherwise the matrix has doubles,
 * whose relative error is at most evidence->error unless a double is below 1e-290. SB_INVALID: the shuffle
 * has neither a plan nor `origin`. SB_TOO_LARGE. SB_NO_MEMORY. SB_STOPPED.
 */
enum sb_status sb_position_matrix(const struct sb_law *law, bool exact, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* Fill in the matrix of zeroed evidence, for shuffles with `origin`, in integers and in doubles. */
enum sb_status sb_position_origins_integers(const struct sb_law *law, struct sb_evidence *evidence);
enum sb_status sb_position_origins_doubles(const struct sb_law *law, struct sb_evidence *evidence);

#endif
