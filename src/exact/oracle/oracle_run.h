/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One shuffle of a peer along a path of answers. */
#ifndef SB_EXACT_ORACLE_ORACLE_RUN_H
#define SB_EXACT_ORACLE_ORACLE_RUN_H

#include "exact/oracle/oracle.h"

/* A question, and the answer to it. */
struct sb_question {
    uint32_t bound; /* 2 or more, as there is nothing to ask else; of a number the cells, 1 or more */
    uint32_t answer;
    bool number; /* it was for a number in [0, 1) */
};

/* Where in their cells numbers lie. */
enum sb_oracle_end { SB_ORACLE_MIDDLE, SB_ORACLE_LOW, SB_ORACLE_HIGH };

/* What a run does with questions that are not on its path yet. */
enum sb_oracle_fresh {
    SB_ORACLE_FIRST,  /* gives the first answer, and puts them on the path */
    SB_ORACLE_RANDOM, /* gives any, likewise */
    SB_ORACLE_NONE,   /* takes them for a breach: this path has been gone before */
};

struct sb_oracle_run {
    struct sb_draws draws; /* first: the peer sees this */
    const struct sb_oracle *oracle;
    struct sb_question *path; /* [draws_most]; owned */
    size_t length;            /* of the path */
    size_t known;             /* the first so many were there before this run */
    enum sb_oracle_end end;
    enum sb_oracle_fresh fresh;
    size_t asked;             /* questions of this run so far, those with one answer included */
    size_t passed;            /* questions of the path that this run has passed; where it strayed */
    bool cut;                 /* more than draws_most were asked */
    bool strayed;             /* another question than on the path, or a deck in its place */
    struct sb_question stray; /* that question; a bound of 0 where it was the deck */
    bool stopped;             /* by the stop flag */
    bool endless;             /* no deck in sight */
    bool boundless;           /* a draw below 0 was asked for */
    bool numbers;             /* the path has some */
    uint64_t state;           /* of the generator for answers that are of no account */
    sb_item *deck;            /* [n] the result; owned */
    size_t rank;              /* of the deck */
};

/* SB_NO_MEMORY. */
enum sb_status sb_oracle_run_open(const struct sb_oracle *oracle, struct sb_oracle_run *run);
void sb_oracle_run_close(struct sb_oracle_run *run);

/*
 * Has the peer shuffle once: path[0..length-1] is what it asked before, with the answers to give; what it
 * asks beyond that is put behind. Cut or strayed runs are answered at random until they end, and their deck
 * means nothing. SB_SUBJECT, also for a deck that is none and for one that never comes; SB_STOPPED.
 */
enum sb_status sb_oracle_run_once(struct sb_oracle_run *run, enum sb_oracle_fresh fresh,
                                  enum sb_oracle_end end, struct sb_error *error);

/* 32 bits that are of no account. */
uint32_t sb_oracle_random(uint64_t *state);

/* The number that stands for a cell in the answer to question `index`. */
double sb_oracle_number(uint32_t cell, uint32_t cells, size_t index, enum sb_oracle_end end);

#endif
