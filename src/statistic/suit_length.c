/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number of cards of each suit among the first 13 of 52, a hand of bridge: a member for each suit, and a
 * cell for each number of cards from 0 to 13.
 *
 * Null law: hypergeometric, C(13,c) C(39,13-c)/C(52,13). Cost of classifying: a division for each of 13
 * cards.
 *
 * Borel and Chéron, Théorie mathématique du bridge, 1940.
 */
#include "statistic/statistic.h"

#include <math.h>

static size_t suit_length_members(size_t n, size_t k)
{
    return n == SB_CARDS && k >= SB_BRIDGE_HAND ? SB_SUITS : 0;
}

static size_t suit_length_cells(size_t n, size_t k)
{
    return suit_length_members(n, k) ? SB_BRIDGE_HAND + 1 : 0;
}

/* Returns ln C(n, k), computed factor by factor. */
static double suit_length_ln_choose(unsigned n, unsigned k)
{
    double product = 1; /* exact: C(52, 13) has 40 bits, and each partial product is a binomial coefficient */

    for (unsigned i = 1; i <= k; i++)
        product = product * (n - k + i) / i;
    return log(product);
}

static enum sb_status suit_length_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    const unsigned others = SB_CARDS - SB_CARD_RANKS;

    for (unsigned c = 0; c <= SB_BRIDGE_HAND; c++)
        ln_p[c] = suit_length_ln_choose(SB_CARD_RANKS, c) + suit_length_ln_choose(others, SB_BRIDGE_HAND - c) -
                  suit_length_ln_choose(SB_CARDS, SB_BRIDGE_HAND);
    return SB_OK;
}

static void suit_length_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    for (size_t suit = 0; suit < SB_SUITS; suit++)
        cell[suit] = 0;
    for (size_t j = 0; j < SB_BRIDGE_HAND; j++)
        cell[sb_card_suit(a[j])]++;
}

const struct sb_statistic_type sb_statistic_suit_length = {
    .name = "suit-length",
    .title = "how many of each suit the first 13 cards have",
    .cite = "Borel and Chéron, Théorie mathématique du bridge, 1940",
    .obtained = "closed form",
    .range = "52 cards, 13 of them dealt",
    .profile = "cards",
    .each = "suit",
    .members = suit_length_members,
    .cells = suit_length_cells,
    .null_law = suit_length_null_law,
    .classify = suit_length_classify,
};
