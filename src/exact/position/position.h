/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact matrix of items by positions, for n far beyond the limits of the law itself.
 *
 * Under a plan of swaps, a single item is a Markov chain on the n positions. A step swaps positions at + x
 * and from + y. With v_q = P(at + x = q) and w_q = P(from + y = q), a row p of the matrix becomes
 *
 *     p'_q = v_q W + w_q V + (1 - v_q - w_q) p_q,   W = sum_r w_r p_r,  V = sum_r v_r p_r,
 *
 * since the item moves from r to q != r with probability v_r w_q + v_q w_r, and stays at q with (1 - v_q)(1 -
 * w_q) + v_q w_q. So a step costs O(n) per item, O(n^2) in total.
 *
 * If a shuffle says where single items come from (see shuffle/origin.h), an item is a Markov chain, too, with
 * a step's matrix T: p'_q = sum_r T_qr p_r. That costs O(n^2) per item and step if T is dense.
 */
#ifndef SB_EXACT_POSITION_POSITION_H
#define SB_EXACT_POSITION_POSITION_H

#include "exact/law.h"

enum {
    SB_POSITION_EXACT_MOST = 256,     /* items of the largest matrix in integers */
    SB_POSITION_CELLS_MOST = 1 << 26, /* items times positions of the largest matrix */
    SB_POSITION_ORIGINS_MOST = 1024,  /* the most items if steps are matrices */
};

/* The limit on steps times items times draws: hours of work. */
#define SB_POSITION_WORK_MOST 2e12

/* The estimated number of products for a plan of swaps; 0 for other shuffles. */
double sb_position_work(const struct sb_law *law);

/*
 * Computes the matrix as exact evidence, which the caller closes. Its `cells` are 0, since counts are not
 * known. With `exact`, integers over one denominator, for n up to SB_POSITION_EXACT_MOST. Otherwise doubles,
 * whose relative error is at most evidence->error unless they are below 1e-290. SB_INVALID: the steps are not
 * known, or not independent; SB_TOO_LARGE; SB_NO_MEMORY; SB_STOPPED.
 */
enum sb_status sb_position_matrix(const struct sb_law *law, bool exact, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* Parts of sb_position_matrix(), which has checked the arguments. They fill in the matrix of zeroed evidence.
 * For plans of swaps, in integers and in doubles: */
enum sb_status sb_position_integers(const struct sb_law *law, struct sb_evidence *evidence);
enum sb_status sb_position_doubles(const struct sb_law *law, struct sb_evidence *evidence);
/* ... and for steps that are given as matrices. */
enum sb_status sb_position_origins_integers(const struct sb_law *law, struct sb_evidence *evidence);
enum sb_status sb_position_origins_doubles(const struct sb_law *law, struct sb_evidence *evidence);

#endif
