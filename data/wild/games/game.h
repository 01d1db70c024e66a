/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deals with the shuffle of a game or a player written in C: GAME N [prove]. build.py cuts the function out of the program's source and
 * writes it to cut.h, which the game's file here includes. With `prove`, the words of rand() and random() come from `shufflebias prove`.
 */
#ifndef GAME_H
#define GAME_H

#include "../../adapters/prove.h"

#include <stdbool.h>
#include <time.h>
#include <unistd.h>

static bool proving;

/* A number for `word % k` and for `word * k / 2^31`, k up to 4: the middle of one of twelve equal parts, which is d modulo 12. */
static long game_word(void)
{
    if (!proving)
        return (random)();
    const long part = prove_below(12), middle = (long)((2 * part + 1) * (1L << 31) / 24);

    return middle - middle % 12 + part;
}

#define random() game_word()
#define rand() ((int)game_word())

/* Shuffles the items of a deck in place; each game defines it. */
static void game_shuffle(int deck[], size_t n);

int main(int argc, char *argv[])
{
    static int deck[256];
    const size_t n = (size_t)atoi(argv[1]);

    proving = argc > 2;
    srandom((unsigned)time(NULL) ^ (unsigned)getpid() << 16);
    if (proving)
        prove(game_shuffle, deck, n);
    while (!proving && !ferror(stdout)) {
        for (size_t i = 0; i < n; i++)
            deck[i] = (int)i;
        game_shuffle(deck, n);
        for (size_t i = 0; i < n; i++)
            printf("%d%c", deck[i], i + 1 < n ? ' ' : '\n');
    }
}

#endif
