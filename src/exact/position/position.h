/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact matrix of items by positions, far beyond where the law itself can be had.
 *
 * Under a plan of swaps one item by itself is a Markov chain on the n positions. A step swaps positions at +
 * x and from + y; with v_q = P(at + x = q) and w_q = P(from + y = q) a row p of the matrix becomes
 *
 *     p'_q = v_q W + w_q V + (1 - v_q - w_q) p_q,   W = sum_r w_r p_r,  V = sum_r v_r p_r,
 *
 * since the item moves from r to q != r with probability v_r w_q + v_q w_r, and stays at q with
 * (1 - v_q)(1 - w_q) + v_q w_q. So a step costs O(n) per item, and all of it O(n^2) per step.
 *
 * A shuffle that says where single items go (see shuffle/origin.h) is one too, by a step's matrix T: p'_q =
 * sum_r T_qr p_r. That costs O(n^2) per item and step, where T is dense.
 */
#ifndef SB_EXACT_POSITION_POSITION_H
#define SB_EXACT_POSITION_POSITION_H

#include "exact/law.h"

enum {
    SB_POSITION_EXACT_MOST = 256,     /* items of the largest matrix in integers */
    SB_POSITION_CELLS_MOST = 1 << 26, /* items times positions of the largest matrix */
    SB_POSITION_ORIGINS_MOST = 1024,  /* items of the largest whose steps are matrices */
};

/* The most steps times items times draws that are done: hours of work. */
#define SB_POSITION_WORK_MOST 2e12

/* About how many products it takes for a plan of swaps; 0 for others. */
double sb_position_work(const struct sb_law *law);

/*
 * The matrix, as exact evidence that the caller closes; its cells are 0, since counts are not known. `exact`:
 * integers over one denominator (wide_matrix), for n up to SB_POSITION_EXACT_MOST. Otherwise doubles
 * (matrix_share), whose relative error is at most evidence->error, but for those below 1e-290. SB_INVALID:
 * the steps are not known, or not independent; SB_TOO_LARGE; SB_NO_MEMORY; SB_STOPPED by the stop flag.
 */
enum sb_status sb_position_matrix(const struct sb_law *law, bool exact, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* Its parts, whose arguments have been checked; they fill in the matrix of evidence that is all zero. Of
 * plans of swaps, in both kinds of numbers: */
enum sb_status sb_position_integers(const struct sb_law *law, struct sb_evidence *evidence);
enum sb_status sb_position_doubles(const struct sb_law *law, struct sb_evidence *evidence);
/* ... and of steps that are matrices. */
enum sb_status sb_position_origins_integers(const struct sb_law *law, struct sb_evidence *evidence);
enum sb_status sb_position_origins_doubles(const struct sb_law *law, struct sb_evidence *evidence);

#endif
