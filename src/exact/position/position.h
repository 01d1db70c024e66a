/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact item-by-position matrix. The matrix can be computed for n far beyond the limits of the law
 * itself.
 *
 * Under a plan of swaps, the position of a single item is a Markov chain with n states. A step swaps
 * positions at + x and from + y. Let p be the row of an item: p_q is the probability that the item is at
 * position q. Let v_q = P(at + x = q), w_q = P(from + y = q), V = sum_r v_r p_r and W = sum_r w_r p_r. Then
 * the step turns p into
 *
 *     p'_q = v_q W + w_q V + (1 - v_q - w_q) p_q,
 *
 * since the item moves from r to q != r with probability v_r w_q + v_q w_r, and stays at q with probability
 * (1 - v_q)(1 - w_q) + v_q w_q. So a step costs O(n) per item, and O(n^2) for all items.
 *
 * If a shuffle has the method `origin` (see shuffle/origin.h), the position of an item is a Markov chain,
 * too. If T_qr is the probability that a step moves the item at r to q, then p'_q = sum_r T_qr p_r. If the
 * matrix T is dense, this costs O(n^2) per item and step.
 */
#ifndef SB_EXACT_POSITION_POSITION_H
#define SB_EXACT_POSITION_POSITION_H

#include "exact/law.h"

enum {
    SB_POSITION_EXACT_MOST = 256,     /* the largest n for a matrix in integers */
    SB_POSITION_FIRST_MOST = 1024,    /* the largest n for its first column alone, if one card is dealt */
    SB_POSITION_CELLS_MOST = 1 << 26, /* the largest number of cells of a matrix, items times positions */
    SB_POSITION_ORIGINS_MOST = 1024,  /* the largest n for a shuffle with `origin` */
};

/* The largest result of sb_position_work() that is allowed. This much work takes hours. */
#define SB_POSITION_WORK_MOST 2e12

/* Returns the estimated number of products for a plan of swaps, or 0 for other shuffles. */
double sb_position_work(const struct sb_law *law);

/*
 * Computes the matrix as exact evidence, which the caller closes. evidence->cells is 0, since the counts by
 * rank are unknown. If `exact` is true, the matrix has integers over one denominator, and n is at most
 * SB_POSITION_EXACT_MOST or, if one card is dealt, SB_POSITION_FIRST_MOST. Otherwise the matrix has doubles,
 * whose relative error is at most evidence->error unless a double is below 1e-290. SB_INVALID: the shuffle
 * has neither a plan nor `origin`. SB_TOO_LARGE. SB_NO_MEMORY. SB_STOPPED.
 */
enum sb_status sb_position_matrix(const struct sb_law *law, bool exact, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* sb_position_matrix() checks the arguments and then calls one of the next four functions. Each of them fills
 * in the matrix of zeroed evidence. The first two are for plans of swaps, in integers and in doubles. */
enum sb_status sb_position_integers(const struct sb_law *law, struct sb_evidence *evidence);
enum sb_status sb_position_doubles(const struct sb_law *law, struct sb_evidence *evidence);
/* The last two are for shuffles with `origin`, in integers and in doubles. */
enum sb_status sb_position_origins_integers(const struct sb_law *law, struct sb_evidence *evidence);
enum sb_status sb_position_origins_doubles(const struct sb_law *law, struct sb_evidence *evidence);

#endif
