/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The p-values of single large permutations: their bounds against exact laws
 * of smaller decks, their counts against definitions, and all of them on fair permutations.
 */
#include "unit/test.h"

#include "core/calls.h"
#include "fit/fit.h"
#include "statistic/statistic.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The law of a statistic of n items; the caller frees it. */
static double *law_of(const char *name, size_t n, size_t *cells)
{
    const struct sb_statistic_type *const type = sb_statistic_find(name);
    double *ln_p;

    *cells = sb_statistic_cells(type, NULL, n, n);
    ln_p = calloc(*cells, sizeof *ln_p);
    assert_non_null(ln_p);
    assert_int_equal(sb_statistic_null_law(type, NULL, n, n, ln_p), SB_OK);
    return ln_p;
}

/* Bounds are at least the exact probability. Of inversions the normal law is off by less than is stated. */
TEST(test_bounds)
{
    for (size_t n = 2; n <= 200; n = n * 3 / 2 + 1) {
        const double items = (double)n, deviation = sqrt(items * (items - 1) * (2 * items + 5) / 72);
        size_t cells;
        double *ln_p = law_of("inversions", n, &cells), below = 0, harmonic = 0, above = 0;

        for (size_t i = 0; i < cells; i++) {
            const double z = ((double)i - items * (items - 1) / 4) / deviation;

            assert_true(sb_tails_subgaussian(z) >= sb_tails_cells(ln_p, cells, i) - 1e-9);
            assert_true(fabs(below - erfc(-z / sqrt(2)) / 2) <= 0.95 / sqrt(items));
            below += exp(ln_p[i]);
            assert_true(fabs(below - erfc(-z / sqrt(2)) / 2) <= 0.95 / sqrt(items));
        }
        free(ln_p);
        ln_p = law_of("descents", n, &cells);
        for (size_t i = 0; i < cells; i++) {
            const double x = (double)i, off = fmax(0, fmax(x - items / 2, items / 2 - x - 1));

            assert_true(sb_tails_subgaussian(off / sqrt(items / 12)) >= sb_tails_cells(ln_p, cells, i) - 1e-9);
        }
        free(ln_p);
        ln_p = law_of("cycles", n, &cells);
        for (size_t i = 1; i <= n; i++)
            harmonic += 1 / (double)i;
        for (size_t i = n; (double)i > harmonic; i--) {
            above += exp(ln_p[i]);
            assert_true(sb_tails_bits_above(harmonic, (double)i) >= fmin(0, log(2 * above)) - 1e-9);
        }
        free(ln_p);
    }
}

/* A random permutation by a congruential generator of 64 bits. */
static void shuffle(size_t n, uint64_t *seed, sb_item a[])
{
    for (size_t i = 0; i < n; i++)
        a[i] = (sb_item)i;
    for (size_t i = n; i-- > 1;) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t j = (size_t)((*seed >> 32) * (i + 1) >> 32);
        const sb_item item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
}

static uint32_t cell_of(const char *name, size_t n, const sb_item a[])
{
    uint32_t cell = UINT32_MAX;

    sb_statistic_find(name)->classify(n, n, a, &cell);
    return cell;
}

/* Up to 1000 items, each number is the cell of a statistic, which has its own tests. */
TEST(test_counts)
{
    static struct sb_large_counts counts;
    sb_item a[1000];
    uint64_t seed = 1;

    for (size_t n = 64; n <= 1000; n += 13) {
        uint32_t eighths[64] = { 0 };

        shuffle(n, &seed, a);
        assert_int_equal(sb_large_count(n, a, &counts), SB_OK);
        assert_int_equal(counts.adjacent, cell_of("adjacent", n, a));
        assert_int_equal(counts.fixed_points, cell_of("fixed-points", n, a));
        assert_int_equal(counts.cycles, cell_of("cycles", n, a));
        assert_int_equal(counts.cycle_of_first, cell_of("cycle-of-first", n, a));
        assert_int_equal(counts.records, cell_of("records", n, a));
        assert_int_equal(counts.descents, cell_of("descents", n, a));
        assert_int_equal(counts.rising_sequences, cell_of("rising-sequences", n, a));
        assert_int_equal(counts.inversions, cell_of("inversions", n, a));
        for (size_t p = 0; p < n; p++)
            if (a[p] < n / 8 * 8 && p < n / 8 * 8)
                eighths[a[p] / (n / 8) * 8 + p / (n / 8)]++;
        assert_memory_equal(counts.eighths, eighths, sizeof eighths);
    }
}

enum { FAIR_ITEMS = 8193, FAIR_RUNS = 400 };

/* A function of sb_subject that shuffles 32-bit items. */
static int fair(void *items, size_t n, size_t size, void *state)
{
    assert_int_equal(size, sizeof(sb_item));
    shuffle(n, state, items);
    return 0;
}

static void note_progress(void *counted, const char *subject, uint64_t done, uint64_t total)
{
    assert_non_null(subject);
    assert_int_equal(total, 1);
    *(uint64_t *)counted = done;
}

/*
 * Reports on 400 fair permutations: of each number, p is at most 0.1 in at most 80 of them, which is beyond 10^-9 of
 * the binomial law of 400 and 0.1.
 */
TEST(test_fair)
{
    uint64_t seed = 1, counted = 0;
    size_t small[10] = { 0 };
    struct sb_request options;
    const struct sb_subject subject = { .shuffle = fair, .state = &seed, .n = FAIR_ITEMS, .size = sizeof(sb_item) };

    sb_request_init(&options, SB_REPORT);
    options.samples = 1;
    options.progress = note_progress;
    options.progress_state = &counted;
    for (size_t run = 0; run < FAIR_RUNS; run++) {
        struct sb_reports *reports = NULL;

        assert_int_equal(sb_reports_observe(&subject, &options, NULL, &reports), SB_OK);
        assert_int_equal(reports->report->findings_count, 10);
        assert_int_equal(reports->report->evidence.total, 1);
        assert_int_equal(counted, 1);
        counted = 0;
        for (size_t i = 0; i < 10; i++)
            small[i] += reports->report->findings[i].p <= 0.1;
        sb_reports_free(reports);
    }
    for (size_t i = 0; i < 10; i++)
        if (small[i] > 80)
            fail_msg("test %zu: p <= 0.1 in %zu of 400", i, small[i]);
}
