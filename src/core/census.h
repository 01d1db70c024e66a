/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A census summarises the counts of all deals, for use when there are too many counts to store. The census
 * says how many deals have each count, and which deals have the largest and the smallest counts. A report
 * needs nothing else from the counts, except the matrix.
 */
#ifndef SB_CORE_CENSUS_H
#define SB_CORE_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_CENSUS_ENDS = 12 }; /* the largest number of deals in a list of a census or of a report */

/* Orders of deals, by count and, among equal counts, by rank. */
enum sb_census_order {
    SB_CENSUS_TOP,    /* descending counts, ascending ranks */
    SB_CENSUS_BOTTOM, /* ascending counts, descending ranks: the reverse of SB_CENSUS_TOP */
    SB_CENSUS_LEAST,  /* ascending counts, ascending ranks */
    SB_CENSUS_ORDERS,
};

struct sb_census_deal {
    uint64_t rank, count;
};

/* The first deals in an order. */
struct sb_census_list {
    size_t size;
    struct sb_census_deal deal[SB_CENSUS_ENDS];
};

struct sb_census {
    size_t entries;  /* largest count + 1 */
    uint64_t *times; /* [entries] how many deals have each count; owned */
    struct sb_census_list list[SB_CENSUS_ORDERS];
};

/* Allocates a census without deals, for counts below `entries`. The caller frees the census with
 * sb_census_free(). Returns NULL if memory runs out. */
struct sb_census *sb_census_new(size_t entries);
void sb_census_free(struct sb_census *census);

/* Returns whether sb_census_add() would add this deal to a list. */
bool sb_census_wants(const struct sb_census_list *list, enum sb_census_order order,
                     struct sb_census_deal deal);

/* Adds a deal to a list, if the deal is among the first SB_CENSUS_ENDS deals so far. Deals may come in any
 * order. */
void sb_census_add(struct sb_census_list *list, enum sb_census_order order, struct sb_census_deal deal);

/* Returns the count of a deal that is in one of the lists; 0 for other deals. */
uint64_t sb_census_count(const struct sb_census *census, uint64_t rank);

#endif
