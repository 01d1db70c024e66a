/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one shuffle of a peer along a path of answers. */
#ifndef SB_EXACT_ORACLE_ORACLE_RUN_H
#define SB_EXACT_ORACLE_ORACLE_RUN_H

#include "exact/oracle/oracle.h"

/* A question and its answer. */
struct sb_question {
    /* number of answers. If the question asks for an integer, there are at least 2, since a question with one
     * answer has no choice. If the question asks for a number in [0, 1), `bound` is the number of cells, at
     * least 1. */
    uint32_t bound;
    uint32_t answer;
    bool number; /* whether the question asks for a number in [0, 1) */
};

/* Where a number in [0, 1) lies in its cell. */
enum sb_oracle_end { SB_ORACLE_MIDDLE, SB_ORACLE_LOW, SB_ORACLE_HIGH };

/* What a run does with a question after the end of its path. */
enum sb_oracle_fresh {
    SB_ORACLE_FIRST,  /* gives the first answer, and appends the question to the path */
    SB_ORACLE_RANDOM, /* gives a random answer, and appends the question to the path */
    SB_ORACLE_NONE,   /* treats the question as a violation, since a known path is being repeated */
};

struct sb_oracle_run {
    struct sb_draws draws; /* must be the first member: the peer sees only this member */
    const struct sb_oracle *oracle;
    struct sb_question *path; /* [draws_most]; owned */
    size_t length;            /* number of questions on the path */
    size_t known;             /* how many questions of the path come from earlier runs */
    enum sb_oracle_end end;
    /* The numbers of the first `high` questions are at the high ends of their cells, whatever `end` is. The caller sets
     * this field. */
    size_t high;
    enum sb_oracle_fresh fresh;
    size_t asked;             /* questions in this run so far, even questions with one answer */
    size_t passed;            /* how many questions of the path this run has answered */
    bool cut;                 /* whether the peer asked more than draws_most questions */
    bool strayed;             /* whether a question differs from the path, or a deck came too early */
    struct sb_question stray; /* the question that differs; its bound is 0 if a deck came too early */
    bool stopped;             /* whether the stop flag ended the run */
    bool endless;             /* whether no deck came after too many questions */
    bool boundless;           /* whether the peer asked for a draw with the bound 0 */
    bool numbers;             /* whether a question of the path asks for a number in [0, 1) */
    uint64_t state;           /* state of the generator for random answers */
    sb_item *deck;            /* [n] the result; owned */
    size_t rank;              /* rank of the deck */
};

/* Opens a run. SB_NO_MEMORY. */
enum sb_status sb_oracle_run_open(const struct sb_oracle *oracle, struct sb_oracle_run *run);
void sb_oracle_run_close(struct sb_oracle_run *run);

/*
 * Lets the peer shuffle once. path[0..length-1] are the expected questions, with the answers to give. Further
 * questions are appended. If the run is cut or has strayed, the peer gets random answers until the end, and
 * the deck has no meaning. SB_SUBJECT: the peer violated the protocol, its deck is invalid, or no deck came.
 * SB_STOPPED.
 */
enum sb_status sb_oracle_run_once(struct sb_oracle_run *run, enum sb_oracle_fresh fresh,
                                  enum sb_oracle_end end, struct sb_error *error);

/* Returns 32 random bits. */
uint32_t sb_oracle_random(uint64_t *state);

/* Returns the number in [0, 1) that stands for this cell, as the answer to question `index`. */
double sb_oracle_number(uint32_t cell, uint32_t cells, size_t index, enum sb_oracle_end end);

/* Returns the number in [0, 1) with which this run answers question `index` of its path. */
double sb_oracle_run_number(const struct sb_oracle_run *run, size_t index);

#endif
