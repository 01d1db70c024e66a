/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of an item's origin: where the item at a position came from in one step of a shuffle (see
 * shuffle/origin.h). This source of draws tries all answers; a question about many draws has one answer.
 *
 * Let m draws below a bound use S words each, of which a give 0 and b = S - a do not. The weight, out of S^m,
 * that k draws are 0 is C(m,k) a^k b^(m-k). The weight that k < m draws come before the first 0 is a b^k
 * S^(m-k-1), and that all m do is b^m.
 *
 * Cost: a call of the shuffle's method for each series of answers: at most n^2 / 4 per position, if the
 * method asks two questions.
 */
#ifndef SB_EXACT_POSITION_ORIGINS_H
#define SB_EXACT_POSITION_ORIGINS_H

#include "exact/law.h"

enum { SB_ORIGINS_DEPTH = 64 }; /* the most questions in a row */

/* One question and its current answer. */
struct sb_origin_question {
    int what; /* enum sb_many, or -1 for a single draw */
    uint32_t bound;
    size_t draws;
    size_t answers, answer;
    size_t room;   /* number of elements that the arrays have room for */
    mpz_t *weight; /* [room]; of each answer; owned */
    double *share; /* [room]; weight / total, with a relative error of 5u or less; owned */
    mpz_t total;   /* sum of the weights */
};

struct sb_origins {
    struct sb_source src; /* must be the first member: a shuffle sees only this */
    const struct sb_law *law;
    uint64_t *word; /* [word_room], the weights of a single draw; owned */
    size_t word_room;
    struct sb_origin_question question[SB_ORIGINS_DEPTH];
    size_t length, depth; /* number of questions on the path, and how many of them this call has answered */
    bool begun;
};

/* Starts a source, which the caller closes. */
void sb_origins_open(const struct sb_law *law, struct sb_origins *origins);
void sb_origins_close(struct sb_origins *origins);

/* The number of steps; 0 for fewer than 2 items. */
size_t sb_origins_steps(const struct sb_shuffler *shuffler);

/* Moves to the next series of answers about a position in a step, and sets where the item came from. False
 * after the last series; then the caller may ask about another position. SB_NO_MEMORY in src.status also ends
 * the series. */
bool sb_origins_next(struct sb_origins *origins, size_t step, size_t position, size_t *from);

/* Sets the probability of that series, as weight / total; the caller has initialised the integers. */
void sb_origins_weigh(const struct sb_origins *origins, mpz_t weight, mpz_t total);

/* The probability of that series as a double, with a relative error of 6u or less for each question. */
double sb_origins_share(const struct sb_origins *origins);

#endif
