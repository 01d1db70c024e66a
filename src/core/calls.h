/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the calls behind the public interface take and return. The files of commands (study/NAME) and their tests use
 * these calls, which take structs; callers of the library make requests, which study/call.c turns into calls.
 */
#ifndef SB_CORE_CALLS_H
#define SB_CORE_CALLS_H

#include "core/request.h"

#include <string.h>

/* The line that sb_error() returns, and what it names; defined after a call that failed. Calls accept NULL for the
 * struct. */
struct sb_error {
    enum sb_status status;
    char field[32]; /* the first field that the line names, such as "deal"; or "" if there is none */
    char value[96]; /* the value of that field, such as "4"; or "" if there is none; a long value is cut */
    char text[512];
};

/* What sb_entry() returns. The strings are static. */
struct sb_entry {
    const char *family;    /* "shuffle", "draw", "rng", "statistic", "test", "format" */
    const char *name;      /* the name, as written in a scheme */
    const char *parameter; /* the name of the number after the colon (the W of `modulo:W`), or NULL */
    const char *title;     /* a description in one line */
    const char *cite;      /* citation of the publication, or NULL */
};

/* How text looks. */
struct sb_look {
    bool unicode;       /* draws with Unicode block characters; if false, with plain ASCII */
    bool colour;        /* uses ANSI colours */
    bool details;       /* texts have the tables behind a verdict */
    const char *figure; /* the figure of the format "svg"; NULL: the one that suits the result */
    /* width of the terminal, cut to 40..120; 0: sentences have up to 100 columns, and tables what they need */
    size_t columns;
};

/* The shuffle under test: exactly one of scheme, command, file and shuffle. */
struct sb_subject {
    const char *scheme;         /* SHUFFLE, SHUFFLE/DRAW or SHUFFLE/DRAW/RNG */
    const char *const *command; /* a program and its arguments, then NULL; no shell */
    const char *file;           /* a file of permutations; "-" is standard input */
    sb_own_shuffle *shuffle;    /* called once for each permutation, always from the same thread */

    size_t n;    /* items; 0: as the first line of a text shows; a scheme or a function has 3 */
    size_t deal; /* cards dealt, 1..n; 0: all; needs n in a text */

    /* These fields are only for a function. */
    const char *name; /* name in results; NULL for "callback" */
    void *state;      /* passed to the function */
    size_t size;      /* bytes of an item; 0 means 2: uint16_t, for n up to 65,536 */

    /* These fields are only for a scheme. */
    uint64_t seed; /* seed of the generator, below 2^63 */
    const char *draw, *rng;

    /* These fields, except `cards`, are only for a stream, that is, a command or a file. */
    const char *input; /* "text", or "u8", "u16", "u32": little-endian integers; NULL: "text" */
    const char *base;  /* number of the first item in a text, "0" or "1"; NULL: as the first line shows */
    const char *cards; /* names of the items in a text, in order; equal names: docs/multisets.md */
    bool free;         /* for text: a permutation may span several lines; requires n */
    /* where the permutation is in a line: docs/logs.md */
    const char *match, *json_path, *field, *separator;
    bool chained;                 /* each permutation is a shuffle of the previous one, the input of a function */
    double timeout;               /* the call fails after this many seconds without a permutation; 0 means 60 */
    sb_overheard *overheard;      /* receives a command's standard error; NULL discards it */
    void *overheard_state;        /* passed to overheard */
    volatile sig_atomic_t *group; /* receives the process group of the command while it runs, else 0; may be NULL */

    /* These fields are only for a command. */
    const char *cwd; /* the folder in which the command starts; NULL: the current folder */
    bool once;       /* starts the command anew whenever it has exited with status 0 */

    const char *title; /* what results call the subject; NULL: by its name */

    bool ordered;                /* sorted deals are no error */
    bool kept;                   /* the run is saved, or follows a log: later runs go on with what is read */
    bool recorded;               /* the file can be read again from its start; sb_feed_start() knows it */
    struct sb_grouping grouping; /* lines that are sets or hands, or items that are of kinds */
};

/* Reports on one or more schemes; for each scheme, the exact report comes before the sampled report. */
struct sb_reports;

/* The gate's findings on one subject. */
struct sb_gate;

struct sb_suite_item;

/* Receives the findings on a subject of a suite as soon as they are known. The pointer `item` lives as long as the
 * suite. */
typedef void sb_suite_finished(void *state, const struct sb_suite_item *item);

/* One subject of a suite, with its own options. */
struct sb_suite_case {
    const char *name; /* name in results, different for each case; NULL: the name of the subject */
    const struct sb_subject *subject;
    const struct sb_request *options; /* NULL: the defaults */
    sb_suite_finished *finished;      /* may be NULL */
    void *finished_state;             /* passed to finished */
};

/* The gate's findings on several subjects. */
struct sb_suite;

/* The state of a watch at its end. */
struct sb_watch;

/* The exact probability of one permutation. The strings live as long as the odds. */
struct sb_odds_line {
    const char *permutation; /* one-line notation, items from 1: "231"; with 10 or more: "10.2.1..." */
    const char *count;       /* the numerator in decimal digits; all lines have the same denominator */
    const char *probability; /* the probability in lowest terms: "p/q", "0" or "1" */
    /* the probability, and the probability times n!; a value that is too small or too large for a double is 0
     * or infinity */
    double share, ratio;
};

/* The odds of several permutations. */
struct sb_odds;

/* The bias that a test should detect. */
struct sb_aim {
    const char *scheme; /* the scheme whose bias is to be detected; NULL: any bias of the size `detect` */
    double detect;      /* size of the bias if `scheme` is NULL; 0: the plan finds the size */
    double power;       /* the probability of detecting the bias, in (0, 1); 0 stands for 0.9 */
};

/* The number of shuffles that one test needs. A field that has no value is NaN. The strings are static. */
struct sb_plan_line {
    const char *statistic;  /* name of the statistic: "rank" or "position" */
    const char *test;       /* "pearson", "likelihood-ratio", "matrix" or "known-alternative" */
    const char *direction;  /* "worst" or "typical" bias of the given size; NULL if the aim has a scheme */
    double total_variation; /* total variation distance of the law from uniform, 0..1 */
    double samples;         /* the fewest that detect the bias; on average for "known-alternative"; NaN: never */
    /* noncentrality per shuffle; for "known-alternative" the Kullback-Leibler divergence in nats */
    double effect;
    double dof;            /* degrees of freedom; NaN for "known-alternative" */
    double expected_least; /* the smallest expected count of a cell in `samples` shuffles */
    double power;          /* on options->samples shuffles; NaN if that is 0 */
    const char *warning;   /* why `samples` is unreliable, or NULL */
};

/* The number of shuffles that each test needs to detect a bias. */
struct sb_plan;

/* The law of a statistic under a fair shuffle. */
struct sb_null_law;

/* The costs of shuffles: draws, memory accesses, memory and time. */
struct sb_costs;

/* A shuffle explained: its steps, its tree of draws, the orders at the leaves, and why it is fair or biased. */
struct sb_explain;

/* Which test detects which bias, and after how many permutations. */
struct sb_zoo;

#endif
