/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bettor's bets on sets and hands: group_bets.c. */
#ifndef SB_TALLY_GROUP_BETS_H
#define SB_TALLY_GROUP_BETS_H

#include "tally/order.h"

struct sb_group_bets;

/* Whether the multiset has few enough items and groups for bets. */
bool sb_group_bets_can(const struct sb_multiset *multiset);

/* Makes bets on decks of groups; `multiset` must outlive them. The caller frees them; freeing NULL is allowed. NULL if
 * memory runs out. */
struct sb_group_bets *sb_group_bets_new(const struct sb_multiset *multiset);
void sb_group_bets_free(struct sb_group_bets *bets);

/* Forgets what was learnt. */
void sb_group_bets_forget(struct sb_group_bets *bets);

/* Bets on a valid deck, and learns from it: multiplies the wealths part[SB_BETTOR_WEALTHS] 2^power[]. */
void sb_group_bets_add(struct sb_group_bets *bets, const sb_item deck[], double part[], int64_t power[]);

/* The name of a context, and how many lines it looks back. */
const char *sb_group_bets_name(size_t context);
size_t sb_group_bets_ago(size_t context);

/* What a deck adds to the rounding error of ln of each wealth, in units of 2^-53. */
double sb_group_bets_error(const struct sb_group_bets *bets);

#endif
