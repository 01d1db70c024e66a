/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of riffles and of their inverses, which are sorts by random keys. */
#ifndef SB_EXACT_CLOSED_CLOSED_PILES_H
#define SB_EXACT_CLOSED_CLOSED_PILES_H

#include "core/evidence.h"
#include "exact/law.h"

enum {
    SB_PILES_MOST = 2000,  /* the largest n; the cost grows with the cube of n */
    SB_PILES_COUNTED = 10, /* the largest n for which each permutation gets a count */
    SB_PILES_WIDE = 9,     /* replaces SB_PILES_COUNTED if a count needs more than 64 bits */
};

/* The numbers in the formula of the law. */
struct sb_piles {
    size_t n;
    unsigned bits;
    /* [n] ways[d] is the number of permutations with d descents; 0 until sb_piles_effect() computes it;
     * owned */
    mpz_t *ways;
    mpz_t *count; /* [n] count of each permutation with d descents: C(2^bits + n-1 - d, n); owned */
    mpz_t orders; /* n! */
    mpz_t all;    /* 2^(n bits) */
};

/* Sets everything except `ways`. The caller closes *piles. SB_NO_MEMORY. */
enum sb_status sb_piles_open(const struct sb_law *law, struct sb_piles *piles);
void sb_piles_close(struct sb_piles *piles);

/* Returns whether the shuffle is a riffle with fair coins or a sort by random keys, and n is small enough. If
 * only part of the deck is dealt, the permutations must also be few enough to give each a count. */
bool sb_piles_has(const struct sb_law *law);

/* Returns whether the permutations are few enough to give each a count. */
bool sb_piles_countable(const struct sb_law *law);

/* Fills in the counts of evidence that is open. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_counts(const struct sb_law *law, struct sb_evidence *evidence);

/* Computes the effects of the law of whole permutations, 2 <= n <= SB_PILES_MOST. The caller closes the
 * effects. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_effect(const struct sb_law *law, struct sb_effect *effect);

#endif
