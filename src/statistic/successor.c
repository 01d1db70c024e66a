/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The item that follows each item: n members. Cell c of item i means that item i + 1 + c, modulo n, follows
 * item i. For c = n - 1, this would be item i itself, which cannot follow itself. So cell n - 1 has another
 * meaning, "nobody": item i is the last. For a deal of k < n cards, cell n means that item i is not dealt.
 * With this numbering, all members have the same law.
 *
 * Null law: 1/n for "nobody", (k-1)/(n (n-1)) for each of the n-1 other items (1/n for a whole
 * permutation), and (n-k)/n for "not dealt".
 *
 * Cost of classifying: n + k writes.
 *
 * D. E. Knuth, The Art of Computer Programming, vol. 2, 3.3.2 (serial test).
 */
#include "statistic/statistic.h"

#include <math.h>
#include <stdio.h>

static size_t successor_members(size_t n, size_t k)
{
    return n;
}

static size_t successor_cells(size_t n, size_t k)
{
    return n <= SB_LAW_ITEMS_MOST && k > 0 ? n + (k < n) : 0;
}

static enum sb_status successor_null_law(size_t n, size_t k, double ln_p[])
{
    const double items = (double)n, dealt = (double)k;

    for (size_t i = 0; i + 1 < n; i++)
        ln_p[i] = k < n ? log((dealt - 1) / (items * (items - 1))) : -log(items);
    ln_p[n - 1] = -log(items);
    if (k < n)
        ln_p[n] = log((items - dealt) / items);
    return SB_OK;
}

static void successor_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    if (k < n)
        for (size_t i = 0; i < n; i++)
            cell[i] = (uint32_t)n;
    for (size_t j = 0; j + 1 < k; j++) {
        const uint32_t turn =
            (uint32_t)n & -(uint32_t)(a[j + 1] < a[j]); /* no branch, because a processor could not predict it */

        cell[a[j]] = turn + a[j + 1] - a[j] - 1U;
    }
    cell[a[k - 1]] = (uint32_t)n - 1;
}

static void successor_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                            char text[SB_LABEL_ROOM])
{
    char number[SB_ITEM_ROOM];

    if (cell + 1 >= n)
        snprintf(text, SB_LABEL_ROOM, "%s", cell == n ? "not dealt" : "nobody");
    else
        snprintf(text, SB_LABEL_ROOM, "%s", sb_item_name(names, (member + cell + 1) % n, number));
}

const struct sb_statistic_type sb_statistic_successor = {
    .name = "successor",
    .title = "who follows each item",
    .cite = "Knuth, TAOCP vol. 2, 3.3.2 (serial test)",
    .obtained = "closed form",
    .range = "up to 1000 items",
    .unmerged = SB_UNMERGED_ITEMS_MOST,
    .members = successor_members,
    .cells = successor_cells,
    .null_law = successor_null_law,
    .classify = successor_classify,
    .label = successor_label,
};
