/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shuffle under test, for gates, watches and reports: a scheme, a command, a file or a C function. */
#ifndef SHUFFLEBIAS_SUBJECTS_H
#define SHUFFLEBIAS_SUBJECTS_H

#include "shufflebias/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A shuffle under test that draws its own random numbers. The function shuffles an array of n items, `size`
 * bytes each, in place. The items are those of sb_drawn_shuffle in shufflebias/proofs.h. The function returns
 * 0. Another value says that the shuffle failed: the library calls the function no more, and the run ends
 * with SB_SUBJECT. Example: gate_gsl.c.
 */
typedef int sb_own_shuffle(void *items, size_t n, size_t size, void *state);

/*
 * The shuffle under test. Set exactly one of scheme, command, file
 * and shuffle. Set other fields as needed. The caller keeps all strings and pointers alive until the call
 * returns.
 */
struct sb_subject {
    const char *scheme; /* SHUFFLE, SHUFFLE/DRAW or SHUFFLE/DRAW/RNG */
    /* a program and its arguments, then NULL; the library starts the program without a shell */
    const char *const *command;
    const char *file; /* a file of permutations; "-" is standard input */
    /* the library calls this function once for each permutation, always from the same thread */
    sb_own_shuffle *shuffle;

    /*
     * number of items; binary input requires this field. 0: the first line of a text shows the number, and a
     * scheme or a function has 3 items
     */
    size_t n;
    /* number of cards dealt, 1..n; 0 means all. A text that contains deals of fewer than n cards requires
     * both n and deal */
    size_t deal;

    /* These fields are only for a function. */
    const char *name; /* name in results; NULL for "callback" */
    void *state;      /* passed to the function */
    size_t size;      /* bytes of an item; 0 means 2: uint16_t, for n up to 65,536 */

    /* These fields are only for a scheme. */
    uint64_t seed;    /* seed of the generator, below 2^63 */
    const char *draw; /* as in struct sb_request */
    const char *rng;  /* as in struct sb_request */

    /* These fields, except `cards`, are only for a stream, that is, a command or a file. */
    /* "text"; or little-endian integers without a header: "u8", "u16", "u32"; NULL means "text" */
    const char *input;
    /* for text: number of the first item, "0" or "1"; NULL: the first line shows the number */
    const char *base;
    /* For text: the items' names in the order before the shuffle, separated by blanks; or NULL. Results then name the
     * items. A scheme or a function may have names, too. Equal names are equal items: docs/multisets.md. Example:
     * name_cards.c. */
    const char *cards;
    bool free; /* for text: a permutation may span several lines; requires n */
    /*
     * For text: where the permutation is in a line, as in logs; NULL: the line is a permutation. `match` is
     * a regular expression of PCRE2, whose first group is taken; lines that do not match are skipped, and
     * docs/logs.md has the limits. `json_path`, such as ".deck" or ".hands[0]", is an array or a string in a
     * line of JSON. `field` is "N", "N-" or "N-M": fields from 1, between blanks, or between the texts
     * `separator`. With `match`, the two others look at the group; they exclude each other. Example:
     * gate_log.c.
     */
    const char *match, *json_path, *field, *separator;
    /*
     * Each permutation is a shuffle of the previous permutation, so the tests look at the steps from one
     * permutation to the next. A function then receives its previous result as input.
     */
    bool chained;
    double timeout;          /* the call fails after this many seconds without a permutation; 0 means 60 */
    sb_overheard *overheard; /* receives a command's standard error; NULL discards it */
    void *overheard_state;   /* passed to overheard */
    /*
     * Receives the command's process group while the command runs, and 0 afterwards. A signal handler can
     * kill() the group before the handler ends the program. May be NULL.
     */
    volatile sig_atomic_t *group;

    /* These fields are only for a command. Example: gate_command.c. */
    const char *cwd; /* the folder in which the command starts; NULL: the current folder */
    /*
     * Starts the command anew whenever it has exited with status 0, for programs that deal once. Then the
     * permutations end only at a limit, and each costs the time of a start. Every start must print something.
     */
    bool once;

    const char *title; /* what results call the subject; NULL: by its name */

    /*
     * For a stream: the order of the items is the order of the draw even if the items are sorted. Otherwise, the call
     * fails with SB_SUBJECT instead of finding a bias if all deals are sorted and chance makes that rarer than 1 in
     * 10^6.
     */
    bool ordered;
};

#ifdef __cplusplus
}
#endif

#endif
