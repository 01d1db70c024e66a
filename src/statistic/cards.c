/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of playing cards: the suit and the rank of the card at each position, the poker hand of the first five
 * cards, and how many cards of each suit are among the first 13, a hand of bridge.
 *
 * Null laws: 1/4 for each suit, and 1/13 for each rank. Poker has nine classes of hands, from a straight flush (which
 * includes the royal flush) to a high card; the ace is high or low. Their law is that of counts of the C(52,5) =
 * 2,598,960 hands. For example, 13*48 hands are four of a kind, and 13 C(4,3) 12 C(4,2) are a full house. 40 hands
 * are straight flushes; these are not included among the 10*4^5 - 40 straights and the 4 C(13,5) - 40 flushes. The
 * length of a suit is hypergeometric, C(13,c) C(39,13-c)/C(52,13).
 *
 * Packel, The Mathematics of Games and Gambling, 1981, ch. 4. Borel and Chéron, Théorie mathématique du bridge, 1940.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <stdio.h>

/* Each position is a member. */
static size_t cards_dealt(size_t n, size_t k)
{
    return n == SB_CARDS ? k : 0;
}

/* The functions of a statistic of single cards that has `count` values. */
#define CARDS_AT(name, count, value)                                                    \
    static size_t name##_cells(size_t n, size_t k)                                      \
    {                                                                                   \
        return n == SB_CARDS && k ? (count) : 0;                                        \
    }                                                                                   \
    static void name##_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[]) \
    {                                                                                   \
        for (size_t j = 0; j < k; j++)                                                  \
            cell[j] = value(a[j]);                                                      \
    }

CARDS_AT(suit_at, SB_SUITS, sb_card_suit)
CARDS_AT(rank_at, SB_CARD_RANKS, sb_card_rank)

static void suit_at_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                          char text[SB_LABEL_ROOM])
{
    snprintf(text, SB_LABEL_ROOM, "suit %zu", cell + 1);
}

const struct sb_statistic_type sb_statistic_suit_at = {
    .name = "suit-at",
    .title = "the suit at each position",
    .cite = "GLI-19 3.2.2, total distribution (as secondary sources have it)",
    .obtained = "closed form",
    .range = "52 cards",
    .profile = "cards",
    .each = "position",
    .members = cards_dealt,
    .cells = suit_at_cells,
    .classify = suit_at_classify,
    .label = suit_at_label,
};

static void rank_at_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                          char text[SB_LABEL_ROOM])
{
    static const char *const name[] = { "ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king" };

    snprintf(text, SB_LABEL_ROOM, "%s", name[cell]);
}

const struct sb_statistic_type sb_statistic_rank_at = {
    .name = "rank-at",
    .title = "the rank at each position",
    .cite = "GLI-19 3.2.2, total distribution (as secondary sources have it)",
    .obtained = "closed form",
    .range = "52 cards",
    .profile = "cards",
    .each = "position",
    .members = cards_dealt,
    .cells = rank_at_cells,
    .classify = rank_at_classify,
    .label = rank_at_label,
};

enum poker_class {
    POKER_STRAIGHT_FLUSH,
    POKER_FOUR,
    POKER_FULL_HOUSE,
    POKER_FLUSH,
    POKER_STRAIGHT,
    POKER_THREE,
    POKER_TWO_PAIRS,
    POKER_PAIR,
    POKER_HIGH_CARD,
    POKER_CLASSES,
};

static const struct {
    const char *name;
    uint32_t hands;
} poker_class[POKER_CLASSES] = {
    [POKER_STRAIGHT_FLUSH] = { "straight flush", 40 }, [POKER_FOUR] = { "four of a kind", 624 },
    [POKER_FULL_HOUSE] = { "full house", 3744 },       [POKER_FLUSH] = { "flush", 5108 },
    [POKER_STRAIGHT] = { "straight", 10200 },          [POKER_THREE] = { "three of a kind", 54912 },
    [POKER_TWO_PAIRS] = { "two pairs", 123552 },       [POKER_PAIR] = { "pair", 1098240 },
    [POKER_HIGH_CARD] = { "high card", 1302540 },
};

static const double poker_hands = 2598960;

static size_t poker_cells(size_t n, size_t k)
{
    return n == SB_CARDS && k >= SB_POKER_HAND ? POKER_CLASSES : 0;
}

static enum sb_status poker_null_law(size_t n, size_t k, double ln_p[])
{
    for (size_t i = 0; i < POKER_CLASSES; i++)
        ln_p[i] = log(poker_class[i].hands / poker_hands);
    return SB_OK;
}

/* Returns the class of five cards of different ranks; `seen` has a bit for the rank of each of these
 * cards. */
static uint32_t poker_different(uint32_t seen, bool flush)
{
    const uint32_t five = 31, royal = 1U | 15U << 9; /* royal: the ace, and ten to king */
    const bool straight = seen == royal || (seen >> __builtin_ctz(seen)) == five;

    if (straight)
        return flush ? POKER_STRAIGHT_FLUSH : POKER_STRAIGHT;
    return flush ? POKER_FLUSH : POKER_HIGH_CARD;
}

static void poker_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    uint32_t seen = 0;
    size_t equal = 0; /* number of pairs of cards with the same rank */
    bool flush = true;

    for (size_t i = 0; i < SB_POKER_HAND; i++) {
        seen |= 1U << sb_card_rank(a[i]);
        flush = flush && sb_card_suit(a[i]) == sb_card_suit(a[0]);
        for (size_t j = 0; j < i; j++)
            equal += sb_card_rank(a[i]) == sb_card_rank(a[j]);
    }
    static const uint32_t by_equal[] = {
        [1] = POKER_PAIR, [2] = POKER_TWO_PAIRS, [3] = POKER_THREE, [4] = POKER_FULL_HOUSE, [6] = POKER_FOUR,
    };

    cell[0] = equal ? by_equal[equal] : poker_different(seen, flush);
}

static void poker_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                        char text[SB_LABEL_ROOM])
{
    snprintf(text, SB_LABEL_ROOM, "%s", poker_class[cell].name);
}

const struct sb_statistic_type sb_statistic_poker = {
    .name = "poker",
    .title = "the poker hand of the first five cards",
    .cite = "Packel, The Mathematics of Games and Gambling, 1981",
    .obtained = "counts of hands",
    .range = "52 cards, five of them dealt",
    .profile = "cards",
    .cells = poker_cells,
    .null_law = poker_null_law,
    .classify = poker_classify,
    .label = poker_label,
};

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

static enum sb_status suit_length_null_law(size_t n, size_t k, double ln_p[])
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
