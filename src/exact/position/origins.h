/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of where the item at a position came from in one step of a shuffle (see shuffle/origin.h): the
 * source of draws that answers with everything in turn, many draws at once being one answer.
 *
 * Of m draws below a bound, a of S words of which give 0 and b = S - a do not, k are 0 with the weight C(m,k)
 * a^k b^(m-k) of S^m; and k < m come before the first 0 with a b^k S^(m-k-1), all m with b^m.
 *
 * Cost: a call of the shuffle's method for each series of answers: at most n^2 / 4 of a position, where two
 * questions are asked.
 */
#ifndef SB_EXACT_POSITION_ORIGINS_H
#define SB_EXACT_POSITION_ORIGINS_H

#include "exact/law.h"

enum { SB_ORIGINS_DEPTH = 64 }; /* the most questions in a row */

/* One question, and its answer at hand. */
struct sb_origin_question {
    int what; /* enum sb_many, or -1 for a single draw */
    uint32_t bound;
    size_t draws;
    size_t answers, answer;
    size_t room;   /* in the arrays */
    mpz_t *weight; /* [room]; of each answer; owned */
    double *share; /* [room]; weight / total, with a relative error of 5u or less; owned */
    mpz_t total;   /* of the weights */
};

struct sb_origins {
    struct sb_source src; /* first: a shuffle sees this */
    const struct sb_law *law;
    uint64_t *word; /* [word_room], the weights of a single draw; owned */
    size_t word_room;
    struct sb_origin_question question[SB_ORIGINS_DEPTH];
    size_t length, depth; /* questions on the path; how many of them this call has passed */
    bool begun;
};

/* Owned by the caller, who closes it. */
void sb_origins_open(const struct sb_law *law, struct sb_origins *origins);
void sb_origins_close(struct sb_origins *origins);

/* How many steps: 0 for fewer than 2 items. */
size_t sb_origins_steps(const struct sb_shuffler *shuffler);

/* The next series of answers about a position in a step, and where its item came from with them; false after
 * the last, when another position may be asked about. SB_NO_MEMORY in src.status ends it too. */
bool sb_origins_next(struct sb_origins *origins, size_t step, size_t position, size_t *from);

/* The probability of that series, as weight / total; the integers are initialised. */
void sb_origins_weigh(const struct sb_origins *origins, mpz_t weight, mpz_t total);

/* The same as a double, with a relative error of 6u or less for each question. */
double sb_origins_share(const struct sb_origins *origins);

#endif
