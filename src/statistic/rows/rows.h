/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of many deals at once. Deals of at most 64 items lie side by side in rows: row j has, for each
 * deal, one byte with the item at position j. So an operation on a vector of bytes processes one position of
 * 16, 32 or 64 deals.
 */
#ifndef SB_STATISTIC_ROWS_ROWS_H
#define SB_STATISTIC_ROWS_ROWS_H

#include "core/calls.h"
#include "core/permutation.h"

enum {
    SB_ROWS_DEALS = 64, /* number of deals side by side */
    /* the largest number of items: a set of items fits in a 64-bit word, and an item fits in a signed byte */
    SB_ROWS_ITEMS_MOST = 64,
};

/* Deals side by side. The unused bytes, after the last deal and after the last item of each deal, have the
 * items of the identity. */
struct sb_rows {
    /* `n`: number of items, 2..64; `deal`: items of each deal, 1..n; `deals`: number of deals, 1..64 */
    size_t n, deal, deals;
    uint8_t deck[SB_ROWS_DEALS][SB_ROWS_ITEMS_MOST] __attribute__((aligned(64))); /* [deal][position] */
    uint8_t inverse[SB_ROWS_DEALS][SB_ROWS_ITEMS_MOST] /* [deal][item]; valid if `placed` */
        __attribute__((aligned(64)));
    uint8_t item[SB_ROWS_ITEMS_MOST][SB_ROWS_DEALS] __attribute__((aligned(64))); /* [position][deal] */
    uint8_t place[SB_ROWS_ITEMS_MOST][SB_ROWS_DEALS]
        /* [item][deal] position of each item; valid if `placed` */
        __attribute__((aligned(64)));
    /* number of cycles, and length of the cycle of item 0; valid if `cycled` */
    uint8_t cycles[SB_ROWS_DEALS], first_cycle[SB_ROWS_DEALS];
    bool placed,
        cycled; /* whether `place` and `inverse` are set; whether `cycles` and `first_cycle` are set */
};

/* A method that computes one statistic from rows. */
struct sb_rows_method {
    const char *statistic;
    bool partial; /* whether the method also works for deals of fewer than n items */
    /* For a statistic with one member: computes the cell of each deal. NULL: the method has `count`
     * instead. */
    void (*cells)(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS]);
    /* For a statistic with several members: adds the first rows->deals deals to the counts, count[members *
     * cells]. NULL: the method has `cells` instead. */
    void (*count)(struct sb_rows *rows, uint64_t count[]);
};

/* The methods for one instruction set. statistic/rows/rows_wide.c is compiled once for each instruction
 * set. */
struct sb_rows_isa {
    const char *name; /* "plain", "avx2", "avx512" */
    void (*find_places)(
        struct sb_rows *rows); /* sets rows->place and rows->inverse, for whole permutations */
    const struct sb_rows_method *method;
    size_t methods;
};

extern const struct sb_rows_isa sb_rows_plain;
#if defined __x86_64__ || defined __i386__
extern const struct sb_rows_isa sb_rows_avx2, sb_rows_avx512;
#endif

/* to[j][i] = from[i][j] */
void sb_rows_transpose(uint8_t from[SB_ROWS_DEALS][SB_ROWS_DEALS], uint8_t to[SB_ROWS_DEALS][SB_ROWS_DEALS]);

/* The methods of first-k and first-k-set, which are the same for all instruction sets. */
void sb_rows_first_k(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS]);
void sb_rows_first_k_set(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS]);

/* Returns the methods for one instruction set of this machine; index 0 is the best instruction set. NULL if
 * the index is too large. */
const struct sb_rows_isa *sb_rows_get(size_t index);

/* Returns the fastest method of this machine for a statistic of deals of k out of n; NULL if there is no
 * method. */
const struct sb_rows_method *sb_rows_find(const char *statistic, size_t n, size_t k);

/* Fills the rows with deals of k out of n, items[deals * k]; 1 <= deals <= 64. */
void sb_rows_fill(size_t n, size_t k, const sb_item items[], size_t deals, struct sb_rows *rows);

#endif
