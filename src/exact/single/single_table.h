/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of arrangements of the items, each with a weight, for sb_single_count(). */
#ifndef SB_EXACT_SINGLE_SINGLE_TABLE_H
#define SB_EXACT_SINGLE_SINGLE_TABLE_H

#include "core/calls.h"

#include <gmp.h>

struct sb_single_table {
    size_t n, count, room;
    uint8_t *item;  /* [room * n] the arrangements, one after the other; owned */
    mpz_t *weight;  /* [room] the weights, all initialised; owned */
    uint32_t *slot; /* [slots] by hash: index of an arrangement plus 1, or 0 if the slot is free; owned */
    size_t slots;   /* number of slots: a power of 2, at least twice `room` */
};

/* Opens an empty table. The caller closes the table even after a failure. SB_NO_MEMORY. */
enum sb_status sb_single_table_open(size_t n, struct sb_single_table *table);
void sb_single_table_close(struct sb_single_table *table);
void sb_single_table_clear(struct sb_single_table *table);

/* Adds `weight` to the weight of a[0..n-1]. SB_TOO_LARGE: the table would have more than
 * SB_SINGLE_STATES_MOST arrangements. SB_NO_MEMORY. */
enum sb_status sb_single_table_add(const uint8_t a[], const mpz_t weight, struct sb_single_table *table);

/* Sets `weight` to the weight of a[0..n-1], or to 0 if the table does not contain this arrangement. */
void sb_single_table_get(const struct sb_single_table *table, const uint8_t a[], mpz_t weight);

#endif
