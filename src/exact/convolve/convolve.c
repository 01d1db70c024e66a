/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact law of a shuffle made of swaps: describes the swaps as weighted pairs of positions, chooses the
 * number type of the counts, and checks that the counts are correct.
 *
 * If position at + x has weight u(x) and position from + y has weight v(y), then
 *
 *   weight(i, j) = u(i - at) v(j - from) + u(j - at) v(i - from),   stay = sum of u(i - at) v(i - from)
 *
 * The walk through the steps of the shuffle only adds and multiplies, so cells of 32 or 64 bits hold the
 * counts modulo 2^32 or 2^64, even after overflows. A cell is never more than the true count, so if the cells
 * add up to the denominator, each cell equals its count. The engine tries such cells if the mean count is
 * small enough; in the first steps, where counts are smaller, cells of 16 bits. Larger counts of up to 9 items come
 * from residues modulo primes p_1, p_2, ..., whose product exceeds the denominator. Let M be the product of some of the
 * primes, let x equal a count modulo M, and let r be the residue of the count modulo another prime p. Then the step
 *
 *   x <- x + M ((r - x) M^-1 mod p),   M <- M p
 *
 * makes x equal the count modulo p as well. For more items, the engine uses doubles: each probability is a sum of
 * products of positive numbers, so the relative error of a probability is at most the number of roundings
 * times 2^-53.
 *
 * Cost: O(n^2) for each swap, and a walk; for residues, a walk for each 28 bits of the denominator.
 *
 * Garner, doi:10.1109/TEC.1959.5219515.
 */
#include "exact/convolve/convolve.h"

#include "core/system.h"

enum {
    CONVOLVE_WIDE_CELLS = 362880, /* 9!: the largest number of counts of more than 64 bits */
    CONVOLVE_CACHED = 3628800,    /* 10!: with at most this many cells, 16 bits would gain little */
    CONVOLVE_NARROW_MEAN = 1024,  /* the largest mean count for 16 bits: 1/64 of 2^16 */
    CONVOLVE_NOTHING = 16384,     /* the fixed part of the cost, in nanoseconds */
    CONVOLVE_USE = 60,            /* nanoseconds that a report needs for each count */
    CONVOLVE_UNCHECKED = 1 << 28, /* fewer bytes are not checked beforehand, because the estimate is rough */
    RESIDUES_TOP = 1 << 28,
};

static const double convolve_gib = 1073741824;

/* ---- the plan ---- */

/* The weights of all n positions in one draw, and their sum. */
struct plan_draw {
    uint64_t weight[SB_CONVOLVE_ITEMS_MOST];
    sb_wide sum;
};

static struct plan_draw plan_draw(const struct sb_law *law, size_t first, size_t bound)
{
    struct plan_draw draw = { .sum = sb_wide_from(bound) };

    for (size_t j = 0; j < bound; j++)
        draw.weight[first + j] = 1;
    if (bound > 1 && law->draw && law->draw->type->law) {
        law->draw->type->law(law->draw, law->largest, (uint32_t)bound, draw.weight + first);
        draw.sum = sb_wide_add(sb_wide_from(law->largest), sb_wide_from(1));
    }
    return draw;
}

static sb_wide plan_common(sb_wide a, sb_wide b)
{
    while (!sb_wide_is_zero(b)) {
        sb_wide rest;

        (void)sb_wide_divide(a, b, &rest);
        a = b;
        b = rest;
    }
    return a;
}

/* Divides the weights by their common factor, which is not 0, since at least one weight is not 0. */
static void plan_reduce(struct sb_convolve_swap *swap)
{
    sb_wide rest, common = swap->stay;

    for (size_t k = 0; k < swap->pairs; k++)
        common = plan_common(common, swap->pair[k].weight);
    swap->common = common;
    if (sb_wide_is_zero(common))
        return;
    swap->stay = sb_wide_divide(swap->stay, common, &rest);
    for (size_t k = 0; k < swap->pairs; k++)
        swap->pair[k].weight = sb_wide_divide(swap->pair[k].weight, common, &rest);
}

static void plan_swap(const struct sb_law *law, const struct sb_swap *step, struct sb_convolve_swap *swap)
{
    const struct plan_draw at = plan_draw(law, step->at, step->at_bound);
    const struct plan_draw from = plan_draw(law, step->from, step->bound);
    const size_t n = law->shuffler->n;

    *swap = (struct sb_convolve_swap) {
        .centre = step->at_bound == 1 ? step->at
                  : step->bound == 1  ? step->from
                                      : 0,
        .sum_at = at.sum,
        .sum_from = from.sum,
    };
    for (size_t x = 0; x < n; x++) {
        swap->stay = sb_wide_add(swap->stay, sb_wide_product(at.weight[x], from.weight[x]));
        for (size_t y = x + 1; y < n; y++) {
            const sb_wide weight = sb_wide_add(sb_wide_product(at.weight[x], from.weight[y]),
                                               sb_wide_product(at.weight[y], from.weight[x]));

            if (sb_wide_is_zero(weight))
                continue;
            swap->pair[swap->pairs].x = (uint8_t)x;
            swap->pair[swap->pairs].y = (uint8_t)y;
            swap->pair[swap->pairs++].weight = weight;
        }
    }
    plan_reduce(swap);
}

static void plan_multiply(mpz_t product, sb_wide factor)
{
    mpz_t wide;

    mpz_init(wide);
    sb_mpz_set_wide(wide, factor);
    mpz_mul(product, product, wide);
    mpz_clear(wide);
}

static void plan_close(struct sb_convolve_plan *plan)
{
    free(plan->swap);
    mpz_clear(plan->denominator);
}

/* Opens a plan, which the caller closes. The shuffler must have steps, and 2 <= n <= SB_CONVOLVE_ITEMS_MOST.
 * SB_NO_MEMORY. */
static enum sb_status plan_open(const struct sb_law *law, struct sb_convolve_plan *plan)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const size_t n = shuffler->n, size = n < SB_CONVOLVE_TILE ? n : SB_CONVOLVE_TILE;

    *plan = (struct sb_convolve_plan) {
        .n = n,
        .deal = shuffler->deal,
        .size = size,
        .m = n - size,
        .run = (size_t)sb_deals(size - 1, size - 1),
        .tile = (size_t)sb_deals(size, size),
        .cells = (size_t)sb_deals(n, n),
        .count = shuffler->count,
        .swap = calloc(shuffler->count + 1, sizeof *plan->swap),
    };
    if (!plan->swap)
        return SB_NO_MEMORY;
    mpz_init_set_ui(plan->denominator, 1);
    for (size_t k = 0; k < plan->count; k++) {
        plan_swap(law, &shuffler->steps[k], &plan->swap[k]);
        plan_multiply(plan->denominator, plan->swap[k].sum_at);
        plan_multiply(plan->denominator, plan->swap[k].sum_from);
    }
    return SB_OK;
}

/* ---- the law ---- */

/* Returns the cost of the law and of its effect sizes. */
static double convolve_cost(const struct sb_law *law, enum sb_engine_task task)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    struct sb_convolve_plan plan;
    double pairs = 0;

    if (task != SB_TASK_LAW || !shuffler->steps || shuffler->n > SB_CONVOLVE_ITEMS_MOST)
        return HUGE_VAL;
    if (plan_open(law, &plan))
        return NAN;
    for (size_t k = 0; k < plan.count; k++)
        pairs += (double)plan.swap[k].pairs + 4;
    const double bits = (double)mpz_sizeinbase(plan.denominator, 2), cells = (double)plan.cells;
    const bool narrow = bits - log2(cells) < 62, wide = !narrow && cells <= CONVOLVE_WIDE_CELLS;
    const double rounds = narrow ? 1 : wide ? bits / 14 : 2;
    const double tables = (double)plan.count * (double)plan.tile * 60;
    plan_close(&plan);
    if (law->fractions && !narrow && !wide)
        return HUGE_VAL;
    return CONVOLVE_NOTHING + rounds * (tables + 0.4 * pairs * cells) + CONVOLVE_USE * cells;
}

/* Returns the largest n, 2 <= n <= `most`, for which two arrays of n! 32-bit counts fit in `bytes`, with 64
 * MB to spare. Returns 2 if none fits. */
static size_t convolve_items(double bytes, size_t most)
{
    size_t n = most;

    while (n > 2 && 8 * (double)sb_deals(n, n) + 64e6 > bytes)
        n--;
    return n;
}

/* Runs a single walk, if there is enough memory. If not, the error says how much it takes and what to do. */
static enum sb_status convolve_walk(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                    const struct sb_convolve_cells *arithmetic, size_t narrow, struct sb_error *error,
                                    void **cells)
{
    const char *const name = law->shuffler->shuffle.type->name;
    const struct sb_convolve_walk walk = { law, plan, arithmetic, .narrow = narrow, .rounds = 1 };
    const double needs = 2.0 * (double)plan->cells * (double)arithmetic->width + 64e6;
    const double available = sb_memory_available();

    if (needs >= CONVOLVE_UNCHECKED && needs > available)
        return sb_error_set(error, SB_NO_MEMORY,
                            "%s: the exact law of `n = %zu` takes %.1f GiB of memory, and %.1f GiB are available: "
                            "free memory, or use n <= %zu",
                            name, plan->n, needs / convolve_gib, available / convolve_gib,
                            convolve_items(available, plan->n - 1));
    const enum sb_status status = sb_convolve_walk_run(&walk, cells);

    if (status == SB_NO_MEMORY)
        return sb_error_set(error, status, "%s: out of memory: the exact law of `n = %zu` takes %.1f GiB: use n <= %zu",
                            name, plan->n, needs / convolve_gib, plan->n - 1);
    return status;
}

/* For each deal, adds up the counts or, if `shares`, the probabilities of the permutations that begin with this deal.
 * The sums replace cells[0..deals-1]. One position is added up at a time: so the rounding error of a probability grows
 * with n instead of n!. */
static void convolve_join(const struct sb_convolve_plan *plan, bool shares, union sb_convolve_number cells[])
{
    size_t left = plan->cells;

    for (size_t group = 2; group <= plan->n - plan->deal; group++) {
        left /= group;
        for (size_t i = 0; i < left; i++) {
            union sb_convolve_number sum = cells[i * group];

            for (size_t k = 1; k < group; k++)
                if (shares)
                    sum.share += cells[i * group + k].share;
                else
                    sum.count += cells[i * group + k].count;
            cells[i] = sum;
        }
    }
}

/* Makes the counts of evidence from 32-bit cells in the order of ranks. If all items are dealt and there are many
 * cells, the cells are used unchanged. If not, the sum of the cells of each deal becomes a 64-bit count. */
static enum sb_status convolve_keep_small(const struct sb_convolve_plan *plan, uint32_t *small,
                                          struct sb_evidence *evidence)
{
    if (plan->deal == plan->n && plan->cells > SB_CELLS_MOST) {
        evidence->counts = (struct sb_numbers) { .form = SB_NUMBERS_U32, .size = evidence->cells, .u32 = small };
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

/* Returns the number of steps to try in 16 bits, which take half the memory traffic: as many as keep the mean count
 * small enough. The last step always has 32 bits. */
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

/* Tries cells of 32 bits if `small`, with 16 bits in the first `narrow` steps, else of 64 bits. Sets *certain to
 * whether the counts add up to the denominator, which is below 2^128. If so, the counts are valid. */
static enum sb_status convolve_count(const struct sb_law *law, const struct sb_convolve_plan *plan, bool small,
                                     size_t narrow, struct sb_error *error, struct sb_evidence *evidence, bool *certain)
{
    const size_t count = small ? plan->cells : evidence->cells;
    uint64_t halves[2] = { 0 };
    sb_wide sum = sb_wide_from(0);
    void *cells = NULL;
    const enum sb_status status =
        convolve_walk(law, plan, small ? &sb_convolve_small : &sb_convolve_count, narrow, error, &cells);

    if (status || !cells)
        return status;
    if (!small) /* modulo 2^64, too: a deal may have more than each of its cells */
        convolve_join(plan, false, cells);
    for (size_t i = 0; i < count; i++)
        sum = sb_wide_add(sum, sb_wide_from(small ? ((uint32_t *)cells)[i] : ((uint64_t *)cells)[i]));
    mpz_export(halves, NULL, -1, sizeof halves[0], 0, 0, plan->denominator);
    *certain = sb_wide_equal(sum, sb_wide_join(halves[1], halves[0]));
    if (*certain && small)
        return convolve_keep_small(plan, cells, evidence);
    if (*certain)
        evidence->counts = (struct sb_numbers) { .form = SB_NUMBERS_U64, .size = evidence->cells, .u64 = cells };
    else
        free(cells);
    return SB_OK;
}

static enum sb_status convolve_share(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                     struct sb_error *error, struct sb_evidence *evidence)
{
    /* starts with the roundings of adding up permutations to deals */
    double roundings = (double)(plan->n * plan->n), sum = 0;
    void *cells = NULL;
    const enum sb_status status = convolve_walk(law, plan, &sb_convolve_share, 0, error, &cells);

    if (status || !cells)
        return status;
    convolve_join(plan, true, cells);
    evidence->counts = (struct sb_numbers) { .form = SB_NUMBERS_SHARE, .size = evidence->cells, .share = cells };
    /* roundings: 5 for a weight, 1 for the product with this weight, 1 for each addition */
    for (size_t k = 0; k < plan->count; k++)
        roundings += (double)plan->swap[k].pairs + 7;
    evidence->error = roundings * 0x1p-53;
    mpz_set_ui(evidence->denominator, 0);
    for (size_t i = 0; i < evidence->cells; i++)
        sum += evidence->counts.share[i];
    return fabs(sum - 1) < 1e-6 ? SB_OK : SB_BROKEN;
}

static uint64_t residues_prime(uint64_t p)
{
    for (bool prime = false; !prime;) {
        prime = --p % 2 == 1;
        for (uint64_t d = 3; prime && d * d <= p; d += 2)
            prime = p % d != 0;
    }
    return p;
}

/* Takes counts that are correct modulo `product`, and makes them correct modulo p, too. Multiplies `product` by p. */
static void residues_join(struct sb_evidence *evidence, const uint64_t residue[], uint64_t p, mpz_t product)
{
    mpz_t inverse, prime;

    mpz_init(inverse);
    mpz_init_set_ui(prime, (unsigned long)p);
    mpz_invert(inverse, product, prime);
    const uint64_t factor = mpz_get_ui(inverse); /* below p, which is below 2^28 */

    for (size_t i = 0; i < evidence->cells; i++) {
        const uint64_t known = mpz_fdiv_ui(evidence->counts.wide[i], (unsigned long)p);

        mpz_addmul_ui(evidence->counts.wide[i], product, (unsigned long)((residue[i] % p + p - known) * factor % p));
    }
    mpz_mul(product, product, prime);
    mpz_clears(inverse, prime, NULL);
}

/* Computes counts of any size, as GMP integers. */
static enum sb_status convolve_residues(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                        struct sb_evidence *evidence)
{
    struct sb_convolve_walk walk = {
        .law = law,
        .plan = plan,
        .cells = &sb_convolve_count,
        .modulus = RESIDUES_TOP,
        .rounds = mpz_sizeinbase(plan->denominator, 2) / 27 + 1,
    };
    enum sb_status status = SB_OK;
    mpz_t product;

    if (sb_numbers_open(SB_NUMBERS_WIDE, evidence->cells, &evidence->counts))
        return SB_NO_MEMORY;
    mpz_init_set_ui(product, 1);
    for (; status == SB_OK && walk.done < walk.rounds; walk.done++) {
        void *cells = NULL;

        walk.modulus = residues_prime(walk.modulus);
        status = sb_convolve_walk_run(&walk, &cells);
        if (status == SB_OK) {
            convolve_join(plan, false, cells);
            residues_join(evidence, cells, walk.modulus, product);
        }
        free(cells);
    }
    mpz_clear(product);
    return status;
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
    return plan->cells > CONVOLVE_WIDE_CELLS ? convolve_share(law, plan, error, evidence)
                                             : convolve_residues(law, plan, evidence);
}

static enum sb_status convolve_made(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    struct sb_convolve_plan plan;
    enum sb_status status;

    if (plan_open(law, &plan))
        return SB_NO_MEMORY;
    evidence->cells = (size_t)sb_deals(plan.n, plan.deal);
    mpz_set(evidence->denominator, plan.denominator);
    if (mpz_sizeinbase(plan.denominator, 2) <= 64)
        mpz_export(&evidence->total, NULL, 1, sizeof evidence->total, 0, 0, plan.denominator);
    status = convolve_numbers(law, &plan, error, evidence);
    if (!sb_numbers_narrow(&evidence->counts))
        evidence->total = 0;
    plan_close(&plan);
    return status;
}

static enum sb_status convolve_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const char *const name = shuffler->shuffle.type->name;
    struct sb_evidence made = { .by = SB_BY_EXACT, .n = shuffler->n, .deal = shuffler->deal };
    struct sb_error said = { 0 };
    enum sb_status status;

    if (!shuffler->steps)
        return sb_error_set(error, SB_INVALID, "%s is not made of swaps of two items or more", name);
    if (shuffler->n > SB_CONVOLVE_ITEMS_MOST)
        return sb_error_set(error, SB_TOO_LARGE, "%s: `n = %zu` has too many permutations to count: use n <= %d", name,
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
    return sb_engine_fail(law, status, error);
}

const struct sb_engine_type sb_engine_convolve = {
    .name = "convolve",
    .cost = convolve_cost,
    .law = convolve_law,
};
