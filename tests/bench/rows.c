/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the statistics of whole permutations cost, in nanoseconds for each, on one thread: side by side in rows
 * and one at a time. Medians of repetitions over 4,096 random permutations. The last line is everything
 * that an observer of all these statistics does.
 *
 *     build/tests/bench-rows [N]       52 items by default
 */
#include "bench/timing.h"
#include "statistic/statistic.h"
#include "tally/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECKS = 4096, REPEATS = 9 };

static struct sb_rows rows[DECKS / SB_ROWS_DEALS];
static sb_item decks[DECKS * SB_ROWS_ITEMS_MOST];
static uint64_t count[10000];

static void deal(size_t n)
{
    uint64_t state = 1;
    sb_item *deck = decks;

    for (size_t d = 0; d < DECKS; d++, deck += n) {
        for (size_t i = 0; i < n; i++)
            deck[i] = (sb_item)i;
        for (size_t i = n; i-- > 1;) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const size_t j = (size_t)(state >> 33) % (i + 1);
            const sb_item item = deck[i];

            deck[i] = deck[j];
            deck[j] = item;
        }
    }
}

static void fill(size_t n)
{
    for (size_t b = 0; b < DECKS / SB_ROWS_DEALS; b++)
        sb_rows_fill(n, n, decks + b * SB_ROWS_DEALS * n, SB_ROWS_DEALS, &rows[b]);
}

static void in_rows(const struct sb_rows_method *method)
{
    for (size_t b = 0; b < DECKS / SB_ROWS_DEALS; b++) {
        uint16_t cell[SB_ROWS_DEALS] = { 0 };

        rows[b].cycled = false;
        if (method->count) {
            method->count(&rows[b], count);
            continue;
        }
        method->cells(&rows[b], cell);
        for (size_t d = 0; d < SB_ROWS_DEALS; d++)
            count[cell[d]]++;
    }
}

static void one_at_a_time(const struct sb_statistic_type *type, size_t n)
{
    const size_t members = type->members(n, n), cells = type->cells(n, n);
    uint32_t cell[SB_ROWS_ITEMS_MOST];

    for (size_t d = 0; d < DECKS; d++) {
        type->classify(n, n, decks + d * n, cell);
        for (size_t member = 0; member < members; member++)
            count[member * cells + cell[member]]++;
    }
}

/* The median time of a permutation; method or type. */
static double took(const struct sb_rows_method *method, const struct sb_statistic_type *type,
                   struct sb_observer *observer, size_t n)
{
    double time[REPEATS];

    for (size_t r = 0; r < REPEATS; r++) {
        const double began = timing_seconds(CLOCK_PROCESS_CPUTIME_ID);

        if (method)
            in_rows(method);
        else if (type)
            one_at_a_time(type, n);
        else if (observer)
            sb_observer_add(observer, decks, DECKS);
        else
            fill(n);
        time[r] = timing_seconds(CLOCK_PROCESS_CPUTIME_ID) - began;
    }
    return 1e9 * timing_median(time, REPEATS) / DECKS;
}

int main(int argc, char *argv[])
{
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 52;
    const struct sb_statistic_type *types[64];
    struct sb_observer *observer;
    double sum[2] = { 0 };

    if (n < 2 || n > SB_ROWS_ITEMS_MOST)
        return EXIT_FAILURE;
    deal(n);
    printf("%-20s%8s%14s\n%-20s%8.1f\n", "statistic", "in rows", "one at a time", "putting in rows",
           took(NULL, NULL, NULL, n));
    for (size_t m = 0; m < sb_rows_methods_count; m++) {
        types[m] = sb_statistic_find(sb_rows_methods[m].statistic);
        const double time = took(&sb_rows_methods[m], NULL, NULL, n), alone = took(NULL, types[m], NULL, n);

        sum[0] += time;
        sum[1] += alone;
        printf("%-20s%8.1f%14.1f\n", sb_rows_methods[m].statistic, time, alone);
    }
    printf("%-20s%8.1f%14.1f\n", "sum", sum[0], sum[1]);
    if (sb_observer_new(NULL, n, n, types, sb_rows_methods_count, 0, false, NULL, &observer))
        return EXIT_FAILURE;
    printf("%-20s%8.1f\n", "an observer of all", took(NULL, NULL, observer, n));
    sb_observer_free(observer);
    return EXIT_SUCCESS;
}
