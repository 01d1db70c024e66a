/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the statistics cost: milliseconds for a null law, and nanoseconds for classifying a whole
 * permutation, the median of repetitions over 4,096 random permutations, on one thread. A dash means that a
 * statistic has no law.
 */
#include "statistic/statistic.h"
#include "bench/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { DECKS = 4096, ITEMS_MOST = 1000, MEMBERS_MOST = ITEMS_MOST, REPEATS = 9 };

/* Random permutations of n items, one after the other; any source will do. */
static void deal(size_t n, sb_item decks[])
{
    uint64_t state = 1;

    for (size_t d = 0; d < DECKS; d++, decks += n) {
        for (size_t i = 0; i < n; i++)
            decks[i] = (sb_item)i;
        for (size_t i = n; i-- > 1;) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const size_t j = (size_t)(state >> 33) % (i + 1);
            const sb_item item = decks[i];

            decks[i] = decks[j];
            decks[j] = item;
        }
    }
}

static double classify(const struct sb_statistic_type *type, size_t n, const sb_item decks[])
{
    static uint32_t cell[MEMBERS_MOST];
    volatile uint32_t sink = 0;
    double took[REPEATS];

    for (size_t r = 0; r < REPEATS; r++) {
        const double began = timing_seconds(CLOCK_PROCESS_CPUTIME_ID);

        for (size_t d = 0; d < DECKS; d++) {
            type->classify(n, n, decks + d * n, cell);
            sink += cell[0];
        }
        took[r] = timing_seconds(CLOCK_PROCESS_CPUTIME_ID) - began;
    }
    (void)sink; /* clang does not count a volatile variable's writes as uses */
    return 1e9 * timing_median(took, REPEATS) / DECKS;
}

static double law(const struct sb_statistic_type *type, size_t n)
{
    double *const ln_p = calloc(type->cells(n, n), sizeof *ln_p);
    const double began = timing_seconds(CLOCK_PROCESS_CPUTIME_ID);

    if (!ln_p || type->null_law(n, n, 0, ln_p))
        abort();
    const double took = timing_seconds(CLOCK_PROCESS_CPUTIME_ID) - began;
    free(ln_p);
    return 1e3 * took;
}

int main(void)
{
    static const size_t sizes[] = { 8, 52, 60, 200, ITEMS_MOST };
    const size_t count = sizeof sizes / sizeof sizes[0];
    static sb_item decks[DECKS * ITEMS_MOST];

    for (size_t i = 0; i < count; i++) {
        double all = 0;

        deal(sizes[i], decks);
        printf("n = %zu\n%-20s %12s %12s %12s\n", sizes[i], "", "cells", "law, ms", "classify, ns");
        for (size_t t = 0; t < sb_statistic_types_count; t++) {
            const struct sb_statistic_type *const type = sb_statistic_types[t];
            const size_t cells = type->cells(sizes[i], sizes[i]);

            if (cells == 0) {
                printf("%-20s %12s %12s %12s\n", type->name, "-", "-", "-");
                continue;
            }
            const double ns = classify(type, sizes[i], decks);
            all += ns;
            printf("%-20s %12zu %12.3f %12.1f\n", type->name, cells, law(type, sizes[i]), ns);
        }
        printf("%-20s %12s %12s %12.1f\n\n", "all", "", "", all);
    }
    return 0;
}
