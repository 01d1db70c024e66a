/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of riffles and of their inverses, which are the sorts by random keys. */
#ifndef SB_EXACT_CLOSED_CLOSED_PILES_H
#define SB_EXACT_CLOSED_CLOSED_PILES_H

#include "core/finding.h"
#include "exact/law.h"

enum {
    SB_PILES_MOST = 2000,  /* items; the cost grows with the cube */
    SB_PILES_COUNTED = 10, /* items of which all permutations are counted one by one, ... */
    SB_PILES_WIDE = 9,     /* ... and in numbers beyond 64 bits */
};

/* The numbers that the law is made of. */
struct sb_piles {
    size_t n;
    unsigned bits;
    mpz_t *ways;  /* [n] permutations with d descents, once they are asked for; owned */
    mpz_t *count; /* [n] of each of them: C(2^bits + n-1 - d, n); owned */
    mpz_t orders; /* n! */
    mpz_t all;    /* 2^(n bits) */
};

/* Sets all but `ways`. The caller closes it. SB_NO_MEMORY. */
enum sb_status sb_piles_open(const struct sb_law *law, struct sb_piles *piles);
void sb_piles_close(struct sb_piles *piles);

/* Whether the shuffle is one of these, its coins are fair, and its deals are either whole or can be counted.
 */
bool sb_piles_has(const struct sb_law *law);

/* Whether there are few enough permutations to count them one by one. */
bool sb_piles_countable(const struct sb_law *law);

/* Fills evidence that was opened. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_counts(const struct sb_law *law, struct sb_evidence *evidence);

/* The effects of the whole law; 2 <= n <= SB_PILES_MOST. The caller closes them. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_effect(const struct sb_law *law, struct sb_effect *effect);

#endif
