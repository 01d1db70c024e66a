/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shuffle on trial, for gates, watches and reports: a scheme, a command, a file or a C function. */
#ifndef SHUFFLEBIAS_SUBJECTS_H
#define SHUFFLEBIAS_SUBJECTS_H

#include "shufflebias/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A shuffle on trial that draws its own random numbers: it shuffles an array of n items, `size` bytes each,
 * in place. The items are those of sb_drawn_shuffle in shufflebias/proofs.h. Example: gate_gsl.c.
 */
typedef void sb_own_shuffle(void *items, size_t n, size_t size, void *state);

/*
 * The shuffle on trial. Zero-initialise the struct, set exactly one of scheme, command, file and shuffle, and
 * set what else you need. The caller keeps all strings and pointers alive until the call returns.
 */
struct sb_subject {
    const char *scheme;         /* SHUFFLE, SHUFFLE/DRAW or SHUFFLE/DRAW/RNG */
    const char *const *command; /* a program and its arguments, then NULL; no shell starts it */
    const char *file;           /* a file of permutations; "-" is standard input */
    sb_own_shuffle *shuffle;    /* the library calls it for each permutation in turn, from one thread */

    size_t n;    /* items; 0: 3, or as a text's first line shows; binary input requires it */
    size_t deal; /* cards dealt of the n, 1..n; 0 for all; a text of deals requires n, too */

    /* Only for a function. */
    const char *name; /* name in results; NULL for "callback" */
    void *state;      /* passed to the function */
    size_t size;      /* bytes of an item; 0 for 2: uint16_t, for n up to 65,536 */

    /* Only for a scheme. */
    uint64_t seed;    /* seed of the generator, below 2^63 */
    const char *draw; /* as in struct sb_options */
    const char *rng;  /* as in struct sb_options */

    /* Only for a stream, that is, a command or a file. */
    const char *input; /* "text", the default for NULL; "u8", "u16", "u32": little-endian, without a header */
    const char *base;  /* text: "0" or "1", the number of the first item; NULL: the first line shows it */
    /* Text: the items' names in the order before the shuffle, separated by blanks; or NULL. */
    const char *cards;
    bool free; /* text: a permutation may span lines; requires n */
    /*
     * Each permutation is a shuffle of the previous one, so the steps between them are tested; a function
     * then receives its previous result again.
     */
    bool chained;
    double timeout;          /* seconds without a permutation until the call gives up, above 0; 0 for 60 */
    sb_overheard *overheard; /* receives a command's standard error; NULL discards it */
    void *overheard_state;   /* passed to overheard */
    /*
     * Holds the command's process group while the command runs, else 0. A signal handler that ends the
     * program at once can kill() the group first. May be NULL.
     */
    volatile sig_atomic_t *group;
};

#ifdef __cplusplus
}
#endif

#endif
