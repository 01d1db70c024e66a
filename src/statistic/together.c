/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which two items are in one group: two numbers of a lottery that come together too often, or two players who are in
 * one team. A pair has a member of its own.
 *
 * Of m items in a group, m(m-1) of the n(n-1) ordered pairs are in it, so two items are together with probability (sum
 * of m(m-1))/(n(n-1)). The pairs of one set depend on each other, and have no common chi-square: each pair is tested by
 * itself. W. Feller, An Introduction to Probability Theory and Its Applications, vol. 1 (1968), II.6.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <string.h>

enum { TOGETHER_ITEMS_MOST = 64, TOGETHER_ITEMS_LEAST = 4 };

static double together_share(const struct sb_multiset *multiset)
{
    const double n = (double)multiset->n;
    double pairs = 0;

    for (size_t g = 0; g < multiset->groups; g++) {
        const double size = (double)sb_multiset_copies(multiset, g);

        pairs += size * (size - 1);
    }
    return pairs / (n * (n - 1));
}

static size_t together_members(const struct sb_multiset *multiset, size_t k)
{
    const size_t n = multiset->n;

    return multiset->groups && n >= TOGETHER_ITEMS_LEAST && n <= TOGETHER_ITEMS_MOST && together_share(multiset) > 0
               ? n * (n - 1) / 2
               : 0;
}

static size_t together_cells(const struct sb_multiset *multiset, size_t k)
{
    return 2;
}

static enum sb_status together_null_law(const struct sb_multiset *multiset, size_t k, double ln_p[])
{
    const double share = together_share(multiset);

    ln_p[0] = log1p(-share);
    ln_p[1] = log(share);
    return SB_OK;
}

static void together_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[])
{
    size_t place[TOGETHER_ITEMS_MOST];

    memset(cell, 0, k * (k - 1) / 2 * sizeof cell[0]);
    for (size_t g = 0; g < multiset->groups; g++) {
        size_t found = 0;

        for (size_t j = 0; j < k; j++) {
            if (multiset->kind[a[j]] != g)
                continue;
            for (size_t i = 0; i < found; i++)
                cell[j * (j - 1) / 2 + place[i]] = 1;
            place[found++] = j;
        }
    }
}

static void together_label(const struct sb_item_names *names, size_t k, size_t cell, char text[SB_LABEL_ROOM])
{
    snprintf(text, SB_LABEL_ROOM, "%s", cell ? "together" : "apart");
}

static const struct sb_statistic_equal together_equal = {
    .members = together_members,
    .cells = together_cells,
    .null_law = together_null_law,
    .classify = together_classify,
    .label = together_label,
};

const struct sb_statistic_type sb_statistic_together = {
    .name = "together",
    .title = "which two are together",
    .cite = "Feller, An Introduction to Probability Theory and Its Applications, vol. 1, II.6",
    .obtained = "closed form",
    .range = "sets and hands of 4 to 64 items",
    .each = "pair",
    .unmerged = SIZE_MAX,
    .equal = &together_equal,
};
