/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The suit of the card at each position of a deck of playing cards: a member for each position, and a cell
 * for each suit.
 *
 * Null law: 1/4 for each suit. Cost of classifying: a division for each position.
 */
#include "statistic/statistic.h"

#include <stdio.h>

static size_t suit_at_members(size_t n, size_t k)
{
    return n == SB_CARDS ? k : 0;
}

static size_t suit_at_cells(size_t n, size_t k)
{
    return n == SB_CARDS && k ? SB_SUITS : 0;
}

static enum sb_status suit_at_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    sb_law_uniform(SB_SUITS, ln_p);
    return SB_OK;
}

static void suit_at_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    for (size_t j = 0; j < k; j++)
        cell[j] = sb_card_suit(a[j]);
}

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
    .members = suit_at_members,
    .cells = suit_at_cells,
    .null_law = suit_at_null_law,
    .classify = suit_at_classify,
    .label = suit_at_label,
};
