/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One shuffle of a peer along a path of answers. */
#ifndef SB_EXACT_ORACLE_ORACLE_RUN_H
#define SB_EXACT_ORACLE_ORACLE_RUN_H

#include "exact/oracle/oracle.h"

/* A question and its answer. */
struct sb_question {
    /* number of answers, at least 2, because with one there is no choice; for a number, the cells, at
     * least 1 */
    uint32_t bound;
    uint32_t answer;
    bool number; /* the question was for a number in [0, 1) */
};

/* Where numbers lie in their cells. */
enum sb_oracle_end { SB_ORACLE_MIDDLE, SB_ORACLE_LOW, SB_ORACLE_HIGH };

/* What a run does with a question after the end of its path. */
enum sb_oracle_fresh {
    SB_ORACLE_FIRST,  /* gives the first answer, and appends the question to the path */
    SB_ORACLE_RANDOM, /* gives a random answer, and appends the question to the path */
    SB_ORACLE_NONE,   /* treats it as a violation: this path is being repeated */
};

struct sb_oracle_run {
    struct sb_draws draws; /* must be the first member: the peer sees only this */
    const struct sb_oracle *oracle;
    struct sb_question *path; /* [draws_most]; owned */
    size_t length;            /* number of questions on the path */
    size_t known;             /* how many of the path's questions come from earlier runs */
    enum sb_oracle_end end;
    enum sb_oracle_fresh fresh;
    size_t asked;             /* questions of this run so far, including those with one answer */
    size_t passed;            /* how many questions of the path this run has answered */
    bool cut;                 /* the peer asked more than draws_most questions */
    bool strayed;             /* whether a question differs from the path, or a deck came instead */
    struct sb_question stray; /* the question that differs; its bound is 0 if a deck came instead */
    bool stopped;             /* the stop flag ended the run */
    bool endless;             /* whether no deck came after too many questions */
    bool boundless;           /* whether the peer asked for a draw below 0 */
    bool numbers;             /* whether a question of the path asks for a number in [0, 1) */
    uint64_t state;           /* state of the generator for random answers */
    sb_item *deck;            /* [n] the result; owned */
    size_t rank;              /* rank of the deck */
};

/* SB_NO_MEMORY. */
enum sb_status sb_oracle_run_open(const struct sb_oracle *oracle, struct sb_oracle_run *run);
void sb_oracle_run_close(struct sb_oracle_run *run);

/*
 * Lets the peer shuffle once. path[0..length-1] are the expected questions, with the answers to give; further
 * questions are appended. A run that is cut or has strayed gets random answers until it ends, and its deck
 * has no meaning. SB_SUBJECT, also for an invalid deck and for a deck that never comes; SB_STOPPED.
 */
enum sb_status sb_oracle_run_once(struct sb_oracle_run *run, enum sb_oracle_fresh fresh,
                                  enum sb_oracle_end end, struct sb_error *error);

/* 32 random bits. */
uint32_t sb_oracle_random(uint64_t *state);

/* The number that stands for a cell in the answer to question `index`. */
double sb_oracle_number(uint32_t cell, uint32_t cells, size_t index, enum sb_oracle_end end);

#endif
