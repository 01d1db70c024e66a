/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of riffles and of their inverses, which are the sorts by random keys. */
#ifndef SB_EXACT_CLOSED_CLOSED_PILES_H
#define SB_EXACT_CLOSED_CLOSED_PILES_H

#include "core/finding.h"
#include "exact/law.h"

enum {
    SB_PILES_MOST = 2000,  /* the most items; the cost grows with the cube of their number */
    SB_PILES_COUNTED = 10, /* the most items for counting permutations one by one, ... */
    SB_PILES_WIDE = 9,     /* ... and the most if the counts need numbers beyond 64 bits */
};

/* The numbers of the law's formula. */
struct sb_piles {
    size_t n;
    unsigned bits;
    mpz_t *ways;  /* [n] number of permutations with d descents, once requested; owned */
    mpz_t *count; /* [n] count of each such permutation: C(2^bits + n-1 - d, n); owned */
    mpz_t orders; /* n! */
    mpz_t all;    /* 2^(n bits) */
};

/* Sets everything except `ways`. The caller closes it. SB_NO_MEMORY. */
enum sb_status sb_piles_open(const struct sb_law *law, struct sb_piles *piles);
void sb_piles_close(struct sb_piles *piles);

/* Whether the shuffle has this form, its coins are fair, and its deals are either whole or few enough to
 * count. */
bool sb_piles_has(const struct sb_law *law);

/* Whether there are few enough permutations to count them one by one. */
bool sb_piles_countable(const struct sb_law *law);

/* Fills the counts of open evidence. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_counts(const struct sb_law *law, struct sb_evidence *evidence);

/* The effects of the whole law; 2 <= n <= SB_PILES_MOST. The caller closes them. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_effect(const struct sb_law *law, struct sb_effect *effect);

#endif
