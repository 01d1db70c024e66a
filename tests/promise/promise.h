/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulates what the program promises: docs/testing.md. A case is a setting under which one or several
 * promises are tested, trial by trial. Each trial has its own seed, so that the figures depend neither on the
 * number of processes nor on the order of the trials, and the tallies of several processes add up.
 */
#ifndef PROMISE_H
#define PROMISE_H

#include "core/calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PROMISE_LINES_MOST = 5 };

/* A promise: an event has at most this probability. */
struct promise_line {
    const char *promise; /* the event, in words */
    double allowed;
    /* the trials come from another law: an outcome is the weight of the trial divided by `allowed` */
    bool weighted;
};

struct promise_case {
    const char *name;     /* on the command line and in files of tallies */
    const char *setting;  /* in words */
    uint64_t full, brief; /* number of trials in the full and in the short form; brief = 0: left out */
    struct promise_line line[PROMISE_LINES_MOST]; /* the last ones may be unused: promise is NULL */
    /*
     * Runs one trial; `index` counts from 0. Sets outcome[i] for each line: 1 if the event happened, 0 if not,
     * or a weight; NaN, the initial value, if the trial says nothing about this promise.
     */
    void (*trial)(const struct promise_case *one, uint64_t index, double outcome[]);
    const void *about; /* the setting, for `trial` */
};

struct promise_part {
    const char *title;
    size_t count;
    const struct promise_case *cases; /* [count] */
    bool wide;                        /* the table has one row for each case, and not one for each line */
};

extern const struct promise_part promise_alarms, promise_passes, promise_rare, promise_watches, promise_suites,
    promise_ledgers, promise_reports, promise_few;

/* What the trials of a line have shown. The sums have the unit 2^-32, so they add up exactly. */
struct promise_tally {
    uint64_t trials, events; /* trials that say something; trials with an outcome above 0 */
    uint64_t sum, squares;   /* of the outcomes */
};

/* Ends the program with the error, if there is one. */
void promise_check(enum sb_status status, const struct promise_case *one, const struct sb_error *error);

void promise_add(double outcome, struct promise_tally *tally);

/* The tables of all parts in Markdown; tally[] has PROMISE_LINES_MOST tallies for each case of each part.
 * Returns whether all promises hold. */
bool promise_table(const struct promise_part *const part[], size_t parts, const struct promise_tally tally[],
                   FILE *stream);

/* Makes a folder for the files of one trial. The caller removes the folder. */
void promise_folder(char folder[64]);

/* ---- fair.c: a fair shuffle that shares no code with the library ---- */

/* The generator of a trial; 2^64 seeds. */
struct promise_random {
    uint64_t word;
};

struct promise_random promise_seed(uint64_t stream, uint64_t index);
uint64_t promise_below(struct promise_random *random, uint64_t bound); /* bound < 2^32 */
double promise_uniform(struct promise_random *random);                 /* in [0, 1) */

/* A fair shuffle of uint16_t, as in struct sb_subject; the state is a struct promise_random. */
int promise_fair(void *items, size_t n, size_t size, void *state);

/* A uniform derangement: shuffles again until no item is at its own place. */
int promise_deranged(void *items, size_t n, size_t size, void *state);

/* A shuffle of three items with total variation 0.3 from fair: an odd order becomes an even one with probability
 * 0.6. */
int promise_biased(void *items, size_t n, size_t size, void *state);

/* Whether the reports of this program observe no table of orders, and whether its gates compute no upper bounds:
 * laws.c */
extern bool promise_no_orders, promise_no_bounds;

#endif
