/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing cards: item i is the card of suit i / 13 and rank i % 13. The ace has rank 0, and the king has rank
 * 12. So the deck starts in new-deck order: suit by suit, from ace to king.
 */
#ifndef SB_STATISTIC_CARDS_H
#define SB_STATISTIC_CARDS_H

#include "core/permutation.h"

enum { SB_CARDS = 52, SB_SUITS = 4, SB_CARD_RANKS = 13, SB_POKER_HAND = 5, SB_BRIDGE_HAND = 13 };

static inline uint32_t sb_card_suit(sb_item card)
{
    return card / SB_CARD_RANKS;
}

static inline uint32_t sb_card_rank(sb_item card)
{
    return card % SB_CARD_RANKS;
}

#endif
