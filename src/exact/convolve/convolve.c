/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact law of a shuffle made of swaps: chooses the number type of the counts, and checks that
 * the counts are correct.
 *
 * The walk through the steps of the shuffle only adds and multiplies, so cells of 32 or 64 bits hold the
 * counts modulo 2^32 or 2^64, even after overflows. A cell is never more than the true count, so if the cells
 * add up to the denominator, each cell equals its count. The engine tries such cells if the mean count is
 * small enough; in the first steps, where counts are smaller, the engine uses 16 bits. Larger counts come
 * from residues, for up to 9 items. For more items, the engine uses doubles: each probability is a sum of
 * products of positive numbers, so the relative error of a probability is at most the number of roundings
 * times 2^-53.
 */
#include "exact/convolve/convolve.h"

#include "core/core.h"
#include "core/evidence.h"
#include "exact/convolve/convolve_memory.h"
#include "exact/convolve/convolve_walk.h"
#include "exact/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONVOLVE_WIDE_CELLS = 362880, /* 9!: the largest number of counts of more than 64 bits */
    CONVOLVE_CACHED = 3628800,    /* 10!: with at most this many cells, 16 bits would gain little */
    CONVOLVE_NARROW_MEAN = 1024,  /* the largest mean count for 16 bits: 1/64 of 2^16 */
    CONVOLVE_NOTHING = 16384,     /* the fixed part of the cost, in nanoseconds */
    CONVOLVE_USE = 60,            /* nanoseconds that a report needs for each count */
};

/* Returns the cost of the law and of its effect sizes. */
static double convolve_cost(const struct sb_law *law, enum sb_engine_task task)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    struct sb_convolve_plan plan;
    double pairs = 0;

    if (task != SB_TASK_LAW || !shuffler->steps || shuffler->n > SB_CONVOLVE_ITEMS_MOST)
        return HUGE_VAL;
    if (sb_convolve_plan_open(law, &plan))
        return NAN;
    for (size_t k = 0; k < plan.count; k++)
        pairs += (double)plan.swap[k].pairs + 4;
    const double bits = (double)mpz_sizeinbase(plan.denominator, 2), cells = (double)plan.cells;
    const bool narrow = bits - log2(cells) < 62, wide = !narrow && cells <= CONVOLVE_WIDE_CELLS;
    const double rounds = narrow ? 1 : wide ? bits / 14 : 2;
    const double tables = (double)plan.count * (double)plan.tile * 60;
    sb_convolve_plan_close(&plan);
    if (law->fractions && !narrow && !wide)
        return HUGE_VAL;
    return CONVOLVE_NOTHING + rounds * (tables + 0.4 * pairs * cells) + CONVOLVE_USE * cells;
}

/* Sets the error if memory ran out. Returns the status. */
static enum sb_status convolve_said(const struct sb_law *law, enum sb_status status, double needs,
                                    struct sb_error *error)
{
    if (status != SB_NO_MEMORY)
        return status;
    return sb_error_set(
        error, status, "%s: out of memory: the exact law of `n = %zu` takes %.1f GiB: use n <= %zu",
        law->shuffler->shuffle.type->name, law->shuffler->n, needs / 1073741824, law->shuffler->n - 1);
}

static enum sb_status convolve_walk(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                    const struct sb_convolve_cells *arithmetic, size_t narrow,
                                    struct sb_error *error, void **cells)
{
    const struct sb_convolve_walk walk = { law, plan, arithmetic, .narrow = narrow, .rounds = 1 };
    enum sb_status status = sb_convolve_fits(law, sb_convolve_walk_bytes(plan, arithmetic), error);

    if (status)
        return status;
    status = sb_convolve_walk_run(&walk, cells);
    return convolve_said(law, status, sb_convolve_walk_bytes(plan, arithmetic), error);
}

/* Returns the sum of 32-bit cells. There are fewer than 2^32 cells, so the sum does not overflow. */
static uint64_t convolve_sum_small(const uint32_t cells[], size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += cells[i];
    return sum;
}

static sb_wide convolve_sum_count(const uint64_t cells[], size_t count)
{
    sb_wide sum = sb_wide_from(0);

    for (size_t i = 0; i < count; i++)
        sum = sb_wide_add(sum, sb_wide_from(cells[i]));
    return sum;
}

/* Returns whether `count` cells add up to the denominator, which is below 2^128. Cells have 32 bits if `small`,
 * else 64 bits. */
static bool convolve_certain(const struct sb_convolve_plan *plan, size_t count, bool small, const void *cells)
{
    uint64_t halves[2] = { 0 };

    mpz_export(halves, NULL, -1, sizeof halves[0], 0, 0, plan->denominator);
    return sb_wide_equal(sb_wide_join(halves[1], halves[0]),
                         small ? sb_wide_from(convolve_sum_small(cells, count))
                               : convolve_sum_count(cells, count));
}

/* Makes the counts of evidence from 32-bit cells in the order of ranks. If all items are dealt and there are
 * many cells, the cells are used unchanged. If not, the sum of the cells of each deal becomes a 64-bit
 * count. */
static enum sb_status convolve_keep_small(const struct sb_convolve_plan *plan, uint32_t *small,
                                          struct sb_evidence *evidence)
{
    if (plan->deal == plan->n && plan->cells > SB_CELLS_MOST) {
        evidence->counts =
            (struct sb_numbers) { .form = SB_NUMBERS_U32, .size = evidence->cells, .u32 = small };
        return SB_OK;
    }
    const size_t share = plan->cells / evidence->cells;
    uint64_t *const counts = malloc(evidence->cells * sizeof *counts);

    for (size_t i = 0; counts && i < evidence->cells; i++) {
        uint64_t sum = 0; /* a loop that adds to counts[i] takes twice as long */

        for (size_t k = i * share; k < (i + 1) * share; k++)
            sum += small[k];
        counts[i] = sum;
    }
    free(small);
    if (!counts)
        return SB_NO_MEMORY;
    evidence->counts = (struct sb_numbers) { .form = SB_NUMBERS_U64, .size = evidence->cells };
    evidence->counts.u64 = counts; /* static analysers would lose the pointer in the braces */
    return SB_OK;
}

/* Returns the number of steps to try in 16 bits: as many as keep the mean count small enough. The last step
 * always writes 32 bits. */
static size_t convolve_narrow(const struct sb_convolve_plan *plan)
{
    double mean = 1 / (double)plan->cells;
    size_t steps = 0;

    if (plan->cells <= CONVOLVE_CACHED)
        return 0;
    for (size_t k = 0; k < plan->count; k++)
        mean *= sb_wide_double(plan->swap[k].common); /* the identity's count is the product of these */
    while (steps + 1 < plan->count && mean <= CONVOLVE_NARROW_MEAN) {
        const struct sb_convolve_swap *const swap = &plan->swap[steps];

        mean *= sb_wide_double(swap->sum_at) * sb_wide_double(swap->sum_from) / sb_wide_double(swap->common);
        steps += mean <= CONVOLVE_NARROW_MEAN;
    }
    return steps;
}

/* If `small`, tries cells of 16 bits in the first `narrow` steps and cells of 32 bits in the later steps.
 * Otherwise tries cells of 64 bits. Sets *certain to whether the sum of the counts is correct. If the sum is
 * correct, the counts are valid. */
static enum sb_status convolve_count(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                     bool small, size_t narrow, struct sb_error *error,
                                     struct sb_evidence *evidence, bool *certain)
{
    void *cells = NULL;
    enum sb_status status =
        convolve_walk(law, plan, small ? &sb_convolve_small : &sb_convolve_count, narrow, error, &cells);

    if (status)
        return status;
    if (!small)
        sb_convolve_deals_count(plan,
                                cells); /* modulo 2^64, too: a deal may have more than each of its cells */
    *certain = convolve_certain(plan, small ? plan->cells : evidence->cells, small, cells);
    if (!*certain) {
        free(cells);
        return SB_OK;
    }
    if (small)
        return convolve_keep_small(plan, cells, evidence);
    evidence->counts = (struct sb_numbers) { .form = SB_NUMBERS_U64, .size = evidence->cells, .u64 = cells };
    return SB_OK;
}

static enum sb_status convolve_share(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                     struct sb_error *error, struct sb_evidence *evidence)
{
    /* starts with the roundings of adding up permutations to deals */
    double roundings = (double)(plan->n * plan->n), sum = 0;
    void *cells = NULL;
    const enum sb_status status = convolve_walk(law, plan, &sb_convolve_share, 0, error, &cells);

    if (status)
        return status;
    sb_convolve_deals_share(plan, cells);
    evidence->counts =
        (struct sb_numbers) { .form = SB_NUMBERS_SHARE, .size = evidence->cells, .share = cells };
    /* roundings: 5 for a weight, 1 for the product with this weight, 1 for each addition */
    for (size_t k = 0; k < plan->count; k++)
        roundings += (double)plan->swap[k].pairs + 7;
    evidence->error = roundings * 0x1p-53;
    mpz_set_ui(evidence->denominator, 0);
    for (size_t i = 0; i < evidence->cells; i++)
        sum += evidence->counts.share[i];
    return fabs(sum - 1) < 1e-6 ? SB_OK : SB_BROKEN;
}

/* Tries number types: first the narrowest that may suffice, then wider ones. */
static enum sb_status convolve_numbers(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                       struct sb_error *error, struct sb_evidence *evidence)
{
    /* approximate number of bits of the mean count */
    const double mean = (double)mpz_sizeinbase(plan->denominator, 2) - log2((double)plan->cells);
    const size_t narrow = convolve_narrow(plan);
    enum sb_status status = SB_OK;
    bool certain = false;

    if (mean < 31)
        status = convolve_count(law, plan, true, narrow, error, evidence, &certain);
    if (!certain && mean < 31 && narrow > 0 && status == SB_OK)
        status = convolve_count(law, plan, true, 0, error, evidence, &certain);
    if (!certain && mean < 63 && status == SB_OK)
        status = convolve_count(law, plan, false, 0, error, evidence, &certain);
    if (certain || status)
        return status;
    if (plan->cells > CONVOLVE_WIDE_CELLS)
        return convolve_share(law, plan, error, evidence);
    return sb_convolve_residues(law, plan, evidence);
}

/* Computes the law for two items or more. */
static enum sb_status convolve_made(const struct sb_law *law, struct sb_error *error,
                                    struct sb_evidence *evidence)
{
    struct sb_convolve_plan plan;
    enum sb_status status;

    if (sb_convolve_plan_open(law, &plan))
        return SB_NO_MEMORY;
    evidence->cells = (size_t)sb_deals(plan.n, plan.deal);
    mpz_set(evidence->denominator, plan.denominator);
    if (mpz_sizeinbase(plan.denominator, 2) <= 64)
        mpz_export(&evidence->total, NULL, 1, sizeof evidence->total, 0, 0, plan.denominator);
    status = convolve_numbers(law, &plan, error, evidence);
    if (!sb_numbers_narrow(&evidence->counts))
        evidence->total = 0;
    sb_convolve_plan_close(&plan);
    return status;
}

enum sb_status sb_convolve_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const char *const name = shuffler->shuffle.type->name;
    struct sb_evidence made = { .by = SB_BY_EXACT, .n = shuffler->n, .deal = shuffler->deal };
    struct sb_error said = { 0 };
    enum sb_status status;

    if (!shuffler->steps)
        return sb_error_set(error, SB_INVALID, "%s is not made of swaps of two items or more", name);
    if (shuffler->n > SB_CONVOLVE_ITEMS_MOST)
        return sb_error_set(error, SB_TOO_LARGE,
                            "%s: `n = %zu` has too many permutations to count: use n <= %d", name,
                            shuffler->n, SB_CONVOLVE_ITEMS_MOST);
    mpz_init(made.denominator);
    status = convolve_made(law, &said, &made);
    if (status == SB_OK) {
        *evidence = made;
        return SB_OK;
    }
    sb_evidence_close(&made);
    if (said.text[0])
        return sb_error_set(error, status, "%s", said.text);
    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped before the exact law was known", name);
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the exact law");
    return sb_error_broken(error, name);
}

const struct sb_engine_type sb_engine_convolve = {
    .name = "convolve",
    .cost = convolve_cost,
    .law = sb_convolve_law,
};
