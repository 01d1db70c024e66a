/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of many deals at once. Deals of at most 64 items lie side by side in rows: row j has the item at
 * position j of each deal, in one byte. So an operation on a vector of bytes serves one position of 16, 32 or 64
 * deals.
 */
#ifndef SB_STATISTIC_ROWS_ROWS_H
#define SB_STATISTIC_ROWS_ROWS_H

#include "core/permutation.h"
#include "shufflebias.h"

enum {
    SB_ROWS_DEALS = 64,      /* number of deals side by side */
    SB_ROWS_ITEMS_MOST = 64, /* so that a set of items fits in a word, and an item in a signed byte */
};

/* Deals side by side. After the last deal, and after the last item of each, are the items of the identity. */
struct sb_rows {
    size_t n, deal, deals; /* 2..64 items, of which each deal has 1..n; 1..64 deals */
    uint8_t deck[SB_ROWS_DEALS][SB_ROWS_ITEMS_MOST] __attribute__((aligned(64))); /* [deal][position] */
    uint8_t item[SB_ROWS_ITEMS_MOST][SB_ROWS_DEALS] __attribute__((aligned(64))); /* [position][deal] */
    uint8_t place[SB_ROWS_ITEMS_MOST][SB_ROWS_DEALS]
        __attribute__((aligned(64)));                          /* [item][deal], if placed */
    uint8_t cycles[SB_ROWS_DEALS], first_cycle[SB_ROWS_DEALS]; /* number; length of item 0's; if cycled */
    bool placed, cycled; /* whether these were computed for the present deals */
};

/* How one statistic is computed from rows. */
struct sb_rows_method {
    const char *statistic;
    bool partial; /* whether deals of fewer than n items have it, too */
    /* Computes the cell of each deal, of the only member. NULL: see `count`. */
    void (*cells)(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS]);
    /* Adds the first rows->deals deals to the counts of all members, count[members * cells]. */
    void (*count)(const struct sb_rows *rows, uint64_t count[]);
};

/* The methods for one instruction set; statistic/rows/rows_wide.c is compiled several times. */
struct sb_rows_isa {
    const char *name; /* "plain", "avx2", "avx512" */
    const struct sb_rows_method *method;
    size_t methods;
};

extern const struct sb_rows_isa sb_rows_plain;
#if defined __x86_64__ || defined __i386__
extern const struct sb_rows_isa sb_rows_avx2, sb_rows_avx512;
#endif

/* to[j][i] = from[i][j] */
void sb_rows_transpose(uint8_t from[SB_ROWS_DEALS][SB_ROWS_DEALS], uint8_t to[SB_ROWS_DEALS][SB_ROWS_DEALS]);

/* The instruction sets of this machine, best first; NULL beyond the last. */
const struct sb_rows_isa *sb_rows_get(size_t index);

/* The best method of this machine for a statistic of deals of k out of n; NULL if there is none. */
const struct sb_rows_method *sb_rows_find(const char *statistic, size_t n, size_t k);

/* Fills the rows with deals of k out of n, items[deals * k]; 1 <= deals <= 64. */
void sb_rows_fill(size_t n, size_t k, const sb_item items[], size_t deals, struct sb_rows *rows);

#endif
