/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sum of the numbers in a group: of a lottery's set, or of each of the first hands of one size. Items are numbered
 * from 1 in their order before the shuffle.
 *
 * Draw items 1, 2, ... into the group in turn. If j of k are still to be found among the last m of n items, the next
 * one is in the group with probability j/m. So the law of the sum follows from n steps that only add. Cell c is the sum
 * k(k+1)/2 + c. Cost: n k^2 (n-k) additions. The numbers of sets with each sum are Gaussian binomial coefficients: H.
 * B. Mann and D. R. Whitney, Annals of Mathematical Statistics 18 (1947) 50, doi:10.1214/aoms/1177730491.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_SUM_COST 2e7

static size_t group_sum_members(const struct sb_multiset *multiset, size_t k)
{
    const double size = (double)sb_multiset_copies(multiset, 0), n = (double)multiset->n;

    return n * size * size * (n - size) <= GROUP_SUM_COST ? sb_groups_alike(multiset) : 0;
}

static size_t group_sum_cells(const struct sb_multiset *multiset, size_t k)
{
    const size_t size = sb_multiset_copies(multiset, 0);

    return size * (multiset->n - size) + 1;
}

static enum sb_status group_sum_null_law(const struct sb_multiset *multiset, size_t k, double ln_p[])
{
    const size_t n = multiset->n, size = sb_multiset_copies(multiset, 0), cells = group_sum_cells(multiset, k);
    /* p[j * cells + s]: j items are in the group, and the sum of their numbers is s above the least */
    double *const p = calloc((size + 1) * cells, sizeof *p);

    if (!p)
        return SB_NO_MEMORY;
    p[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = size < i + 1 ? size : i + 1; j-- > 0;) {
            const double in = (double)(size - j) / (double)(n - i);

            /* item i as the one with index j in the group adds i - j */
            for (size_t s = 0; s + (i - j) < cells; s++)
                p[(j + 1) * cells + s + (i - j)] += in * p[j * cells + s];
            for (size_t s = 0; s < cells; s++)
                p[j * cells + s] *= 1 - in;
        }
    for (size_t s = 0; s < cells; s++)
        ln_p[s] = log(p[size * cells + s]);
    free(p);
    return SB_OK;
}

static void group_sum_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[])
{
    const size_t members = sb_groups_alike(multiset), size = sb_multiset_copies(multiset, 0);

    for (size_t g = 0; g < members; g++)
        cell[g] = 0;
    for (size_t j = 0; j < k; j++)
        if (multiset->kind[a[j]] < members)
            cell[multiset->kind[a[j]]] += (uint32_t)j;
    for (size_t g = 0; g < members; g++)
        cell[g] -= (uint32_t)(size * (size - 1) / 2);
}

static void group_sum_label(const struct sb_item_names *names, size_t k, size_t cell, char text[SB_LABEL_ROOM])
{
    const size_t size = sb_multiset_copies(names->multiset, 0);

    snprintf(text, SB_LABEL_ROOM, "%zu", size * (size + 1) / 2 + cell);
}

static const struct sb_statistic_equal group_sum_equal = {
    .members = group_sum_members,
    .cells = group_sum_cells,
    .null_law = group_sum_null_law,
    .classify = group_sum_classify,
    .label = group_sum_label,
};

const struct sb_statistic_type sb_statistic_group_sum = {
    .name = "group-sum",
    .title = "the sum of the numbers in a group",
    .cite = "Mann and Whitney, doi:10.1214/aoms/1177730491",
    .obtained = "item by item",
    .range = "sets and hands of up to about 60 items",
    .each = "hand",
    .equal = &group_sum_equal,
};
