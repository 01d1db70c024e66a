/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each function of fit/ that allocates memory, without each of its allocations: it returns SB_NO_MEMORY, or
 * finds another way to the right result, and frees the rest.
 */
#include "unit/test.h"

#include "unit/failing_memory.h"

#include "fit/fit.h"
#include "fit/sequential.h"

#include <stdlib.h>
#include <string.h>

/* So many members and cells that counts in bytes have ways of their own. */
enum { CELLS = 8, MEMBERS = 80 };

static const double ln_level = 7;

/* The same law and counts for each member. */
static double ln_p[CELLS];
static uint64_t counts[MEMBERS * CELLS];
static uint8_t small[MEMBERS * CELLS];
static const struct sb_tally even = { "x",          .members = MEMBERS, .cells = CELLS,
                                      .total = 100, .count = counts,    .small = small };
static const struct sb_tally uneven = { "x",          .members = MEMBERS, .cells = CELLS,
                                        .total = 100, .count = counts,    .ln_p = ln_p };
static const struct sb_tally single = { "x",          .members = 1,    .cells = CELLS,
                                        .total = 100, .count = counts, .ln_p = ln_p };

static int fill_counts(void **state)
{
    static const double p[CELLS] = { 0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05 };
    static const uint8_t row[CELLS] = { 31, 20, 9, 10, 11, 10, 5, 4 };

    for (size_t i = 0; i < MEMBERS * CELLS; i++) {
        small[i] = row[i % CELLS];
        counts[i] = row[i % CELLS];
        ln_p[i % CELLS] = log(p[i % CELLS]);
    }
    return 0;
}

static enum sb_status high(const void *tally)
{
    double bound[MEMBERS] = { 0 };
    const enum sb_status status = sb_tv_high(tally, ln_level, bound);

    assert_true(status == SB_OK ? bound[0] > 0 : bound[0] == 0);
    return status;
}

static enum sb_status high_largest(const void *tally)
{
    double bound = 0;
    const enum sb_status status = sb_tv_high_largest(tally, ln_level, &bound);

    assert_true(status == SB_OK ? bound > 0 : bound == 0);
    return status;
}

static enum sb_status high_below(const void *tally)
{
    bool below = false;
    const enum sb_status status = sb_tv_high_below(tally, ln_level, 0.9, &below);

    assert_int_equal(below, status == SB_OK);
    return status;
}

static enum sb_status low(const void *tally)
{
    struct sb_e_value e[MEMBERS];
    double bound[MEMBERS];

    sb_e_process(tally, e);
    return sb_tv_low(tally, e, 1, bound);
}

static enum sb_status low_of_steps(const void *tally)
{
    struct sb_tally steps = *(const struct sb_tally *)tally;

    steps.lag = 1;
    return low(&steps);
}

TEST_WITH(bounds, fill_counts, NULL)
{
    assert_true(failing_memory_each(high, &even) > 1);
    assert_true(failing_memory_each(high, &uneven) > 1);
    assert_true(failing_memory_each(high_largest, &even) > 1);
    assert_true(failing_memory_each(high_largest, &uneven) > 1);
    assert_true(failing_memory_each(high_below, &even) > 1);
    assert_true(failing_memory_each(high_below, &uneven) > 1);
    assert_true(failing_memory_each(low, &uneven) > 1);
    assert_true(failing_memory_each(low_of_steps, &uneven) > 1);
}

static enum sb_status e_table(const void *tally)
{
    struct sb_e_value e[MEMBERS], slow[MEMBERS];
    struct sb_tally wide = *(const struct sb_tally *)tally;
    struct sb_e_table *const table = sb_e_table_new();

    if (!table)
        return SB_NO_MEMORY;
    wide.small = NULL;
    sb_e_process(&wide, slow);
    sb_e_process_by(table, tally, e); /* without memory for the sums of bytes, it takes the 64-bit counts */
    sb_e_table_free(table);
    for (size_t i = 0; i < MEMBERS; i++)
        assert_true(e[i].ln_e == slow[i].ln_e && e[i].ln_best == slow[i].ln_best);
    return SB_OK;
}

TEST_WITH(e_values, fill_counts, NULL)
{
    assert_int_equal(failing_memory_each_or_right(e_table, &even), 2); /* the table, the sums */
}

static enum sb_status detector(const void *tally)
{
    const double weight[MEMBERS] = { 1 };
    struct sb_detector made;
    const enum sb_status status = sb_detector_open(tally, 1, weight, 1e-3, &made);

    sb_detector_close(&made);
    return status;
}

TEST_WITH(detectors, fill_counts, NULL)
{
    assert_int_equal(failing_memory_each(detector, &single), 9);
}

struct tested {
    const struct sb_test_type *test;
    const struct sb_tally *tally;
};

static enum sb_status run_tested(const void *argument)
{
    const struct tested *const tested = argument;
    struct sb_finding finding = { .value = -1 };
    const enum sb_status status = tested->test->run(tested->tally, 0.01, &finding);

    assert_true((status == SB_OK) == (finding.value != -1));
    return status;
}

static const struct sb_test_type *test_of(const char *name)
{
    for (size_t i = 0; i < sb_test_types_count; i++)
        if (strcmp(sb_test_types[i]->name, name) == 0)
            return sb_test_types[i];
    fail();
    return NULL;
}

/* 60 deals of two of three items: by rank, and the matrix with a column for what was not dealt. */
TEST_WITH(tests, fill_counts, NULL)
{
    static const uint64_t by_rank[] = { 7, 13, 9, 11, 12, 8 };
    static const uint64_t by_place[] = { 20, 21, 19, 20, 20, 20, 20, 19, 21 };
    static const double third[] = { -1.0986122886681098, -1.0986122886681098, -1.0986122886681098 };
    const struct sb_tally ranks = { "rank", .members = 1, .cells = 6, .total = 60, .count = by_rank };
    const struct sb_tally matrix = { "position",        .members = 3,  .cells = 3,     .total = 60,
                                     .count = by_place, .ln_p = third, .ranks = &ranks };

    assert_int_equal(failing_memory_each(run_tested, &(struct tested) { test_of("merged"), &uneven }), 3);
    assert_int_equal(failing_memory_each(run_tested, &(struct tested) { test_of("matrix"), &matrix }), 2);
}

static enum sb_status rows(const void *evidence)
{
    struct sb_row *made = NULL;
    size_t count = 0;
    const enum sb_status status = sb_rows_of(evidence, evidence, 0.01, &made, &count);

    assert_true((status == SB_OK) == (made != NULL && count == 6));
    free(made);
    return status;
}

/* The naive swap of three items. */
static enum sb_status effect(const void *evidence)
{
    struct sb_effect made;
    const enum sb_status status = sb_effect_of(evidence, &made);

    if (status == SB_OK) {
        assert_true(fabs(made.total_variation - 1.0 / 18) < 1e-15);
        /* 3 (4/27) log2(24/27) + 3 (5/27) log2(30/27) */
        assert_true(fabs(made.kl_bits - 0.00892394016) < 1e-11);
        sb_effect_close(&made);
    }
    return status;
}

TEST_WITH(effects, fill_counts, NULL)
{
    static const uint64_t naive[] = { 4, 5, 5, 5, 4, 4 };
    struct sb_evidence evidence;

    assert_int_equal(sb_evidence_open(SB_BY_EXACT, 3, 3, &evidence), SB_OK);
    memcpy(evidence.counts.u64, naive, sizeof naive);
    evidence.total = 27;
    mpz_set_ui(evidence.denominator, 27);
    assert_int_equal(failing_memory_each(rows, &evidence), 1);
    assert_true(failing_memory_each_or_right(effect, &evidence) > 0);
    sb_numbers_close(&evidence.counts);
    assert_int_equal(sb_numbers_open(SB_NUMBERS_U32, 6, &evidence.counts), SB_OK);
    for (size_t i = 0; i < 6;
         i++) /* without memory to group these cells by their counts, it takes them one by one */
        evidence.counts.u32[i] = (uint32_t)naive[i];
    assert_true(failing_memory_each_or_right(effect, &evidence) > 0);
    sb_evidence_close(&evidence);
}
