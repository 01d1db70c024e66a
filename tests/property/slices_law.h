/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares the census and the matrix of a law by slices with those of a plain walk: an array of n! counts, and a rank for
 * each exchange of each step, which shares no code with `convolve`. Include it after cmocka.h.
 */
#ifndef TESTS_PROPERTY_SLICES_LAW_H
#define TESTS_PROPERTY_SLICES_LAW_H

#include "exact/convolve/convolve_slices.h"
#include "subject/scheme.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 10, STEPS = 40 };

static inline size_t factorial(size_t n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static inline size_t rank_of(size_t n, const uint8_t a[])
{
    size_t rank = 0;

    for (size_t i = 0; i < n; i++) {
        size_t smaller = 0;

        for (size_t j = i + 1; j < n; j++)
            smaller += a[j] < a[i];
        rank = rank * (n - i) + smaller;
    }
    return rank;
}

/* Sets a[n] to the next permutation in lexicographic order. */
static inline void next_permutation(size_t n, uint8_t a[])
{
    size_t i = n - 1;

    while (i > 0 && a[i - 1] > a[i])
        i--;
    for (size_t low = i, high = n - 1; low < high; low++, high--) {
        const uint8_t held = a[low];

        a[low] = a[high];
        a[high] = held;
    }
    if (i == 0)
        return;
    for (size_t j = i; j < n; j++)
        if (a[j] > a[i - 1]) {
            const uint8_t held = a[j];

            a[j] = a[i - 1];
            a[i - 1] = held;
            return;
        }
}

/* The counts after swaps of position at + x with position from + y, for each x < at_bound and y < bound. */
static inline uint64_t *plain_walk(size_t n, const struct sb_swap steps[], size_t count)
{
    const size_t cells = factorial(n);
    uint64_t *old = calloc(cells, sizeof *old), *new = calloc(cells, sizeof *new);

    assert_true(old && new);
    old[0] = 1;
    for (size_t k = 0; k < count; k++) {
        uint8_t a[ITEMS];
        uint64_t *const held = old;

        for (size_t i = 0; i < n; i++)
            a[i] = (uint8_t)i;
        memset(new, 0, cells * sizeof *new);
        for (size_t cell = 0; cell < cells; cell++, next_permutation(n, a))
            for (size_t x = steps[k].at; old[cell] && x < steps[k].at + steps[k].at_bound; x++)
                for (size_t y = steps[k].from; y < steps[k].from + steps[k].bound; y++) {
                    uint8_t b[ITEMS];

                    memcpy(b, a, n);
                    b[x] = a[y];
                    b[y] = a[x];
                    new[rank_of(n, b)] += old[cell];
                }
        old = new;
        new = held;
    }
    free(new);
    return old;
}

/* Whether deal a comes before deal b in an order. */
static inline bool comes_before(enum sb_census_order order, const uint64_t count[], size_t a, size_t b)
{
    if (count[a] != count[b])
        return order == SB_CENSUS_TOP ? count[a] > count[b] : count[a] < count[b];
    return order == SB_CENSUS_BOTTOM ? a > b : a < b;
}

/* The deals of a list are in order, and no others come before the last of them. */
static inline void assert_list(const struct sb_census_list *list, enum sb_census_order order,
                               const uint64_t count[], size_t cells)
{
    const size_t last = (size_t)list->deal[SB_CENSUS_ENDS - 1].rank;
    size_t before = 0;

    assert_int_equal(list->size, SB_CENSUS_ENDS);
    for (size_t i = 0; i < list->size; i++) {
        const size_t rank = (size_t)list->deal[i].rank;

        assert_true(list->deal[i].count == count[rank]);
        assert_true(i == 0 || comes_before(order, count, (size_t)list->deal[i - 1].rank, rank));
    }
    for (size_t other = 0; other < cells; other++)
        before += comes_before(order, count, other, last);
    assert_int_equal(before, SB_CENSUS_ENDS - 1);
}

static inline void assert_matrix(const struct sb_evidence *evidence, size_t n, const uint64_t count[],
                                 size_t cells)
{
    uint64_t matrix[ITEMS * ITEMS] = { 0 };
    uint8_t a[ITEMS];

    for (size_t i = 0; i < n; i++)
        a[i] = (uint8_t)i;
    for (size_t cell = 0; cell < cells; cell++, next_permutation(n, a))
        for (size_t j = 0; j < n; j++)
            matrix[a[j] * n + j] += count[cell];
    assert_memory_equal(evidence->matrix.u64, matrix, n * n * sizeof matrix[0]);
}

static inline void assert_census(const struct sb_evidence *evidence, const uint64_t count[], size_t cells)
{
    const struct sb_census *const census = evidence->counts.census;
    uint64_t *const times = calloc(census->entries, sizeof *times);

    assert_non_null(times);
    for (size_t cell = 0; cell < cells; cell++) {
        assert_true(count[cell] < census->entries);
        times[count[cell]]++;
    }
    assert_memory_equal(census->times, times, census->entries * sizeof *times);
    assert_true(times[census->entries - 1] > 0);
    free(times);
    for (enum sb_census_order order = 0; order < SB_CENSUS_ORDERS; order++)
        assert_list(&census->list[order], order, count, cells);
}

/* The law of a shuffler by slices. narrow: the most steps in 16 bits. Returns whether its sum is correct. */
static inline bool slices_law(const struct sb_law *law, size_t narrow, struct sb_evidence *evidence)
{
    struct sb_convolve_plan plan;
    bool certain;

    assert_int_equal(sb_convolve_plan_open(law, &plan), SB_OK);
    assert_true(sb_slices_possible(&plan));
    struct sb_slices_plan slices = sb_slices_plan(&plan);

    slices.narrow = narrow < slices.narrow ? narrow : slices.narrow;
    *evidence = (struct sb_evidence) { .by = SB_BY_EXACT, .n = plan.n, .deal = plan.n, .cells = plan.cells };
    mpz_init_set(evidence->denominator, plan.denominator);
    evidence->total = mpz_get_ui(plan.denominator);
    assert_int_equal(sb_slices_law(law, &slices, evidence, &certain), SB_OK);
    sb_convolve_plan_close(&plan);
    return certain;
}

static inline void check(struct sb_shuffler *shuffler, size_t narrow, unsigned threads)
{
    const size_t n = shuffler->n, cells = factorial(n);
    const struct sb_law law = { .shuffler = shuffler, .threads = threads };
    uint64_t *const count = plain_walk(n, shuffler->steps, shuffler->count);
    struct sb_evidence evidence;

    assert_true(slices_law(&law, narrow, &evidence));
    assert_census(&evidence, count, cells);
    assert_matrix(&evidence, n, count, cells);
    sb_evidence_close(&evidence);
    free(count);
}

static inline void open_shuffle(const struct sb_shuffle_type *type, size_t n, struct sb_shuffler *shuffler)
{
    struct sb_scheme scheme;

    assert_int_equal(sb_scheme_parse(type->name, NULL, NULL, NULL, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, n, shuffler), SB_OK);
}

/* Opens a shuffle made of swaps, whose swaps the caller replaces. */
static inline void open_any(struct sb_shuffler *shuffler)
{
    size_t t = 0;

    while (!sb_shuffle_types[t]->plan)
        t++;
    open_shuffle(sb_shuffle_types[t], 2, shuffler);
}

static inline bool possible(const struct sb_shuffler *shuffler)
{
    struct sb_convolve_plan plan;
    const bool has_steps = shuffler->steps && shuffler->count > 0;

    if (!has_steps)
        return false;
    assert_int_equal(sb_convolve_plan_open(&(struct sb_law) { .shuffler = shuffler }, &plan), SB_OK);
    const bool can = sb_slices_possible(&plan);

    sb_convolve_plan_close(&plan);
    return can;
}

/* Checks every shuffle of swaps at this n. Returns their number. */
static inline size_t check_shuffles(size_t n, size_t narrow)
{
    size_t checked = 0;

    for (size_t t = 0; t < sb_shuffle_types_count; t++) {
        struct sb_shuffler shuffler;

        if (!sb_shuffle_types[t]->plan)
            continue;
        open_shuffle(sb_shuffle_types[t], n, &shuffler);
        if (possible(&shuffler)) {
            check(&shuffler, narrow, (unsigned)(t % 3) + 1);
            checked++;
        }
        sb_shuffler_close(&shuffler);
    }
    return checked;
}

/* Checks series of swaps with any centres, also the same one twice, so that the slice of the centre is not empty, and with
 * partners that leave slices empty. */
static inline void check_series(size_t n, size_t rounds, uint64_t random)
{
    for (size_t round = 0; round < rounds; round++) {
        struct sb_swap steps[9];
        struct sb_shuffler shuffler;

        open_any(&shuffler);
        struct sb_shuffler made = shuffler;
        made.n = made.deal = n;
        made.steps = steps;
        made.count = 1 + round % 9;
        for (size_t k = 0; k < made.count; k++) {
            uint64_t draw[3];

            for (size_t i = 0; i < 3; i++) {
                random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                draw[i] = random >> 33;
            }
            const size_t first = draw[1] % 3 ? 0 : draw[1] % n, bound = n - first - draw[2] % 3 % (n - first);

            steps[k] = (struct sb_swap) { draw[0] % n, 1, first, bound };
        }
        if (possible(&made))
            check(&made, round % 2 ? STEPS : 1 + round % 5, 2);
        sb_shuffler_close(&shuffler);
    }
}

static inline const struct sb_shuffle_type *named(const char *name)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        if (strcmp(sb_shuffle_types[t]->name, name) == 0)
            return sb_shuffle_types[t];
    fail_msg("there is no %s", name);
    return NULL;
}

#endif
