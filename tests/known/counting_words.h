/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A generator for tests: its words are 0, 1, ..., largest, 0, 1, ... */
#ifndef SB_TESTS_COUNTING_WORDS_H
#define SB_TESTS_COUNTING_WORDS_H

#include "core/draws.h"

struct counting {
    struct sb_words words;
    uint64_t at;    /* the next word */
    uint64_t asked; /* the number of words so far */
};

static inline uint64_t counting_next(struct sb_words *words)
{
    struct counting *counting = (struct counting *)words;
    const uint64_t word = counting->at;

    counting->at = word == words->largest ? 0 : word + 1;
    counting->asked++;
    return word;
}

/* A generator whose first word is `first`. */
static inline struct counting counting_from(uint64_t largest, uint64_t first)
{
    return (struct counting) { .words = { .largest = largest, .next = counting_next }, .at = first };
}

#endif
