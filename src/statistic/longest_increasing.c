/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The length of the longest increasing subsequence, 1..k. Only the order of the dealt cards matters, so a
 * deal of k cards has the law of a permutation of k items.
 *
 * Null law: by Schensted's correspondence, the number of permutations of n items whose longest increasing
 * subsequence has length l is the sum of f^2 over the partitions of n whose first row has length l. Here f is
 * the number of standard tableaux, n!/(product of the hook lengths). So the probability of length l is the
 * sum of n!/(product of the hook lengths)^2. Cost: a product of n hooks for each partition; the 966,467
 * partitions at n = 60, the largest n, take 0.1 s.
 *
 * Cost of classifying: k steps. A step searches a set of n bits for the next bit that is set. The search
 * reads one word or, at worst, n/64 words.
 *
 * C. Schensted, Longest increasing and decreasing subsequences, Canadian J. Math. 13 (1961) 179; J. S. Frame,
 * G. de B. Robinson, R. M. Thrall, The hook graphs of the symmetric group, Canadian J. Math. 6 (1954) 316;
 * OEIS A047874.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <string.h>

enum { LONGEST_ITEMS_MOST = 60 };

static size_t longest_increasing_cells(size_t n, size_t k)
{
    return k <= LONGEST_ITEMS_MOST && n <= SB_LAW_ITEMS_MOST ? k + 1 : 0;
}

/* A partition of n under construction. */
struct longest_partition {
    size_t rows;
    size_t row[LONGEST_ITEMS_MOST];    /* [rows] length of each row, in descending order */
    size_t column[LONGEST_ITEMS_MOST]; /* for each column, the number of rows that reach it */
    double factorial;                  /* n! */
    struct sb_sum p[LONGEST_ITEMS_MOST + 1];
};

/* Adds the partition to the law. */
static void longest_add(struct longest_partition *partition)
{
    double hooks = 1;

    for (size_t i = 0; i < partition->rows; i++)
        for (size_t j = 0; j < partition->row[i]; j++)
            hooks *= (double)(partition->row[i] - j + partition->column[j] - i - 1);
    sb_sum_add(&partition->p[partition->rows ? partition->row[0] : 0], partition->factorial / hooks / hooks);
}

/* Completes the partition in all possible ways, and adds each result to the law. The rows still to be chosen
 * hold `left` cells in total, and each has at most `longest` cells. */
static void longest_walk(struct longest_partition *partition, size_t left, size_t longest)
{
    if (left == 0) {
        longest_add(partition);
        return;
    }
    partition->rows++;
    for (size_t length = 1; length <= longest && length <= left; length++) {
        partition->row[partition->rows - 1] = length;
        partition->column[length - 1]++;
        longest_walk(partition, left - length, length);
    }
    partition->rows--;
    for (size_t j = 0; j < longest && j < left; j++)
        partition->column[j]--;
}

static enum sb_status longest_increasing_null_law(size_t n, size_t k, double ln_p[])
{
    struct longest_partition partition = { .factorial = 1 };

    for (size_t i = 2; i <= k; i++)
        partition.factorial *= (double)i;
    longest_walk(&partition, k, k);
    for (size_t length = 0; length <= k; length++)
        ln_p[length] = log(sb_sum_value(&partition.p[length]));
    return SB_OK;
}

/*
 * Patience sorting: an item goes on the pile whose top is the smallest of all tops that are larger than the
 * item. If no top is larger, the item begins a new pile. Only the number of piles matters, so the code keeps
 * only the set of tops, as bits.
 */
static void longest_increasing_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    uint64_t tops[SB_LAW_ITEMS_MOST / 64 + 1];
    const size_t words = n / 64 + 1;
    uint32_t piles = 0;

    memset(tops, 0, words * sizeof tops[0]);
    for (size_t i = 0; i < k; i++) {
        size_t word = a[i] / 64;
        uint64_t above = tops[word] >> a[i] % 64 << a[i] % 64;

        tops[word] |= UINT64_C(1) << a[i] % 64;
        while (above == 0 && ++word < words)
            above = tops[word];
        if (above)
            tops[word] &= ~(above & -above);
        else
            piles++;
    }
    cell[0] = piles;
}

const struct sb_statistic_type sb_statistic_longest_increasing = {
    .name = "longest-increasing",
    .title = "how long the longest increasing subsequence is",
    .cite = "Schensted, Canadian J. Math. 13 (1961) 179; OEIS A047874",
    .obtained = "sum over partitions",
    .range = "up to 60 items dealt of up to 1000",
    .cells = longest_increasing_cells,
    .null_law = longest_increasing_null_law,
    .classify = longest_increasing_classify,
};
