/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rank of the card at each position of a deck of playing cards: a member for each position, and a cell
 * for each rank.
 *
 * Null law: 1/13 for each rank. Cost of classifying: a division for each position.
 */
#include "statistic/statistic.h"

#include <stdio.h>

static size_t rank_at_members(size_t n, size_t k)
{
    return n == SB_CARDS ? k : 0;
}

static size_t rank_at_cells(size_t n, size_t k)
{
    return n == SB_CARDS && k ? SB_CARD_RANKS : 0;
}

static enum sb_status rank_at_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    sb_law_uniform(SB_CARD_RANKS, ln_p);
    return SB_OK;
}

static void rank_at_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    for (size_t j = 0; j < k; j++)
        cell[j] = sb_card_rank(a[j]);
}

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
    .members = rank_at_members,
    .cells = rank_at_cells,
    .null_law = rank_at_null_law,
    .classify = rank_at_classify,
    .label = rank_at_label,
};
