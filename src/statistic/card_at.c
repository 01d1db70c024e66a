/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which card is at each position, in a deck with equal cards. Of n cards, m are of a kind, so a fair shuffle puts this
 * kind at each position with probability m/n. In a deck of different cards the statistic `position` says the same.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <stdio.h>

static size_t card_at_members(const struct sb_multiset *multiset, size_t k)
{
    return multiset->n <= SB_PLACED_ITEMS_MOST ? k : 0;
}

static size_t card_at_cells(const struct sb_multiset *multiset, size_t k)
{
    return multiset->kinds;
}

static enum sb_status card_at_null_law(const struct sb_multiset *multiset, size_t k, double ln_p[])
{
    for (size_t kind = 0; kind < multiset->kinds; kind++)
        ln_p[kind] = log((double)sb_multiset_copies(multiset, kind) / (double)multiset->n);
    return SB_OK;
}

static void card_at_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[])
{
    for (size_t j = 0; j < k; j++)
        cell[j] = multiset->kind[a[j]];
}

static void card_at_label(const struct sb_item_names *names, size_t k, size_t cell, char text[SB_LABEL_ROOM])
{
    const struct sb_multiset *const multiset = names->multiset;

    snprintf(text, SB_LABEL_ROOM, "%s", names->name[multiset->member[multiset->begin[cell]]]);
}

static const struct sb_statistic_equal card_at_equal = {
    .members = card_at_members,
    .cells = card_at_cells,
    .null_law = card_at_null_law,
    .classify = card_at_classify,
    .label = card_at_label,
};

const struct sb_statistic_type sb_statistic_card_at = {
    .name = "card-at",
    .title = "the card at each position",
    .cite = "Robbins and Bolker, Aequationes Mathematicae 22 (1981) 268",
    .obtained = "closed form",
    .range = "decks with equal cards, which `cards` names",
    .each = "position",
    .unmerged = SIZE_MAX,
    .equal = &card_at_equal,
};
