/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many cards the statistics first-k and first-k-set take. */
#ifndef SB_STATISTIC_FIRST_K_H
#define SB_STATISTIC_FIRST_K_H

#include <stddef.h>

/* more cards than either statistic takes: 8 of 16 cards already have C(16, 8) > 10,000 sets */
enum { SB_FIRST_K_CARDS_MOST = 16 };

/* Returns the number of cards that first-k takes from deals of k out of n. */
size_t sb_first_k_cards(size_t n, size_t k);

/* Returns the number of cards that first-k-set takes from deals of k out of n. */
size_t sb_first_k_set_cards(size_t n, size_t k);

#endif
