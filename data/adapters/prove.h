/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lets `shufflebias prove` answer the draws of a C function, without a library: include this file, let the
 * function draw by prove_below() or prove_random(), and call prove() from main().
 *
 *     shufflebias prove -n 3 -- ./my-shuffle 3
 *
 * A program that links libshufflebias does not need this file: see sb_prove_callback() in shufflebias.h.
 */
#ifndef PROVE_H
#define PROVE_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline double prove_ask(const char *question, unsigned bound)
{
    char answer[64];

    printf(question, bound);
    fflush(stdout);
    if (!fgets(answer, sizeof answer, stdin))
        exit(0);
    char *const point = strchr(answer, '.');
    if (point) /* strtod() expects the decimal mark of the program's locale, such as a comma */
        *point = *localeconv()->decimal_point;
    return strtod(answer, NULL);
}

/* An integer in 0..bound-1, instead of rand() % bound. */
static inline unsigned prove_below(unsigned bound)
{
    return (unsigned)prove_ask("draw %u\n", bound);
}

/* A number in [0, 1), instead of drand48(). */
static inline double prove_random(void)
{
    return prove_ask("random\n", 0);
}

/* Shuffles deck[0..n-1] as often as `shufflebias prove` asks. */
static inline void prove(void (*shuffle)(int deck[], size_t n), int deck[], size_t n)
{
    char line[64];

    while (fgets(line, sizeof line, stdin) && strcmp(line, "start\n") == 0) {
        for (size_t i = 0; i < n; i++)
            deck[i] = (int)i;
        shuffle(deck, n);
        printf("deck");
        for (size_t i = 0; i < n; i++)
            printf(" %d", deck[i]);
        printf("\n");
        fflush(stdout);
    }
}

#endif
