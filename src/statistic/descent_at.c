/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single places of a deck: whether the item at position i is above the next one, or above the one after that, and how
 * long the first and the last ascending run are. The number of descents says nothing about where they are, so these
 * find "the last two are sorted" and "three are sorted in the middle" soon. The gate and the watch test them; a report
 * does if they are named.
 *
 * Null laws: 1/2 for each pair of positions. A run has k items or more if the first (or last) k dealt items are sorted,
 * with the probability 1/k!.
 *
 * Cost of classifying: a comparison for each position, or for each item of a run.
 *
 * D. E. Knuth, The Art of Computer Programming, vol. 3, 5.1.3 (runs).
 */
#include "statistic/statistic.h"

#include <math.h>
#include <stdio.h>

enum {
    DESCENT_DEAL_LEAST = 8, /* of fewer items, the other statistics see enough */
    DESCENT_RUNS = 4,       /* longer runs share the last cell */
};

static bool descent_of(size_t n, size_t k)
{
    return k >= DESCENT_DEAL_LEAST && n <= SB_LAW_ITEMS_MOST;
}

static size_t descent_at_members(size_t n, size_t k)
{
    return descent_of(n, k) ? k - 1 : 0;
}

static size_t descent_at_2_members(size_t n, size_t k)
{
    return descent_of(n, k) ? k - 2 : 0;
}

static size_t descent_at_cells(size_t n, size_t k)
{
    return descent_of(n, k) ? 2 : 0;
}

static void descent_at_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    for (size_t i = 0; i + 1 < k; i++)
        cell[i] = a[i] > a[i + 1];
}

static void descent_at_2_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    for (size_t i = 0; i + 2 < k; i++)
        cell[i] = a[i] > a[i + 2];
}

static void descent_at_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                             char text[SB_LABEL_ROOM])
{
    snprintf(text, SB_LABEL_ROOM, "%s", cell ? "out of order" : "in order");
}

/* What the four have in common. */
#define DESCENT_TYPE                                                                                      \
    .cite = "Knuth, TAOCP vol. 3, 5.1.3", .obtained = "closed form", .range = "deals of 8 to 1000 items", \
    .profile = SB_STATISTIC_GATED

const struct sb_statistic_type sb_statistic_descent_at = {
    .name = "descent-at",
    .title = "whether the item and the next are in order",
    DESCENT_TYPE,
    .each = "position",
    .members = descent_at_members,
    .cells = descent_at_cells,
    .classify = descent_at_classify,
    .label = descent_at_label,
};

const struct sb_statistic_type sb_statistic_descent_at_2 = {
    .name = "descent-at-2",
    .title = "whether the item and the next but one are in order",
    DESCENT_TYPE,
    .each = "position",
    .members = descent_at_2_members,
    .cells = descent_at_cells,
    .classify = descent_at_2_classify,
    .label = descent_at_label,
};

static struct sb_window run_window(size_t n, size_t k)
{
    return (struct sb_window) { .low = 1, .cells = descent_of(n, k) ? DESCENT_RUNS : 0, .above = true };
}

/* P(r) = 1/r! - 1/(r+1)! = r/(r+1)!, and 1/r! for the last cell. */
static enum sb_status run_null_law(size_t n, size_t k, double ln_p[])
{
    double factorial = 1;

    for (size_t r = 1; r <= DESCENT_RUNS; r++) {
        factorial *= (double)r;
        ln_p[r - 1] = log((r < DESCENT_RUNS ? (double)r / ((double)r + 1) : 1) / factorial);
    }
    return SB_OK;
}

static void first_run_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = 0;
    while (cell[0] + 1 < DESCENT_RUNS && a[cell[0]] < a[cell[0] + 1])
        cell[0]++;
}

static void last_run_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = 0;
    while (cell[0] + 1 < DESCENT_RUNS && a[k - 2 - cell[0]] < a[k - 1 - cell[0]])
        cell[0]++;
}

const struct sb_statistic_type sb_statistic_first_run = {
    .name = "first-run",
    .title = "how many items rise at the start",
    DESCENT_TYPE,
    .window = run_window,
    .null_law = run_null_law,
    .classify = first_run_classify,
};

const struct sb_statistic_type sb_statistic_last_run = {
    .name = "last-run",
    .title = "how many items rise at the end",
    DESCENT_TYPE,
    .window = run_window,
    .null_law = run_null_law,
    .classify = last_run_classify,
};
