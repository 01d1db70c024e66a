/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of an item's origin. The origin of the item at a given position is the position from which it came
 * in one step of a shuffle (see shuffle/origin.h). This source tries all answers to the step's questions. A
 * question asks for one draw, or for one number about many draws (enum sb_many).
 *
 * Suppose that each of m draws below a bound uses one of S words. Let a be the number of words that give the
 * answer 0, and let b = S - a be the number of all other words. Of all S^m series of words, C(m,k) a^k
 * b^(m-k) series have exactly k draws that are 0. In b^k a S^(m-k-1) series, exactly k draws come before the
 * first 0, for each k < m. In b^m series, no draw is 0. These numbers are the weights of the answers.
 *
 * Cost: a call of the method `origin` for each series of answers. For each position there are at most n^2 / 4
 * series if the method asks two questions.
 */
#ifndef SB_EXACT_POSITION_ORIGINS_H
#define SB_EXACT_POSITION_ORIGINS_H

#include "exact/law.h"

enum { SB_ORIGINS_DEPTH = 64 }; /* the largest number of questions in a series */

/* One question and its current answer. */
struct sb_origin_question {
    int what; /* enum sb_many, or -1 for a single draw */
    uint32_t bound;
    size_t draws;
    size_t answers, answer;
    size_t room;   /* capacity of the arrays below */
    mpz_t *weight; /* [room] weight of each answer; owned */
    double *share; /* [room] weight / total of each answer, with a relative error up to 5 * 2^-53; owned */
    mpz_t total;   /* sum of the weights */
};

struct sb_origins {
    struct sb_source src; /* must be the first member: a shuffle sees only this member */
    const struct sb_law *law;
    uint64_t *word; /* [word_room] the weights of the answers to a single draw; owned */
    size_t word_room;
    struct sb_origin_question question[SB_ORIGINS_DEPTH];
    size_t length, depth; /* number of questions in the series, and how many of them this call has answered */
    bool begun;
};

/* Opens a source, which the caller closes. */
void sb_origins_open(const struct sb_law *law, struct sb_origins *origins);
void sb_origins_close(struct sb_origins *origins);

/* Returns the number of steps of the shuffle, or 0 if there are fewer than 2 items. */
size_t sb_origins_steps(const struct sb_shuffler *shuffler);

/* Moves to the next series of answers about this step and this position, and sets *from to the position where
 * the item came from. Returns false after the last series; the next call may then be about another position.
 * Also returns false after an error, which is in src.status. */
bool sb_origins_next(struct sb_origins *origins, size_t step, size_t position, size_t *from);

/* Sets `weight` and `total`, which the caller has initialised, so that weight / total is the probability of
 * the current series. */
void sb_origins_weigh(const struct sb_origins *origins, mpz_t weight, mpz_t total);

/* Returns the probability of the current series as a double, with a relative error of 6u or less for each
 * question, where u = 2^-53. */
double sb_origins_share(const struct sb_origins *origins);

#endif
