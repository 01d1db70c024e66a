/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics of deals in rows. This file is compiled once per instruction set: SB_ROWS_ISA is the name of
 * the resulting variable, and SB_LANES_NAME is the name of the instruction set. Each function computes what
 * the statistic's classify() does, for all deals.
 *
 * Cost per deal, for 64 deals and 64-byte vectors: a few operations for most statistics; n^2/64 operations
 * for inversions; n operations on 64-bit words for the longest increasing subsequence; n steps without
 * vectors for the inverse, for the cycles, and for each method that counts a cell for every item. Each step
 * along a cycle waits for the previous step of this cycle, so each step is done for eight deals before the
 * next step.
 */
#include "statistic/rows/rows.h"
#include "statistic/rows/rows_bits.h"
#include "statistic/rows/rows_vector.h"

#include <string.h>

enum { ROWS_CHASED = 8 }; /* deals whose cycles are followed side by side */

/* Whether this instruction set includes that of rows_bits.c. */
static const bool rows_has_bits = SB_VECTOR_BYTES == 64;

static void rows_fixed_points(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        sb_signed8 points = { 0 }; /* comparing vectors yields -1 for true, so subtracting adds 1 */

        for (size_t j = 0; j < rows->n; j++)
            points -= rows_load(rows->item[j], u) == (int8_t)j;
        rows_store(points, u, cell);
    }
}

static void rows_adjacent(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        sb_signed8 pairs = { 0 };

        for (size_t j = 0; j + 1 < rows->n; j++)
            pairs -= rows_load(rows->item[j + 1], u) == rows_load(rows->item[j], u) + 1;
        rows_store(pairs, u, cell);
    }
}

static void rows_descents(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        sb_signed8 descents = { 0 };

        for (size_t j = 0; j + 1 < rows->deal; j++)
            descents -= rows_load(rows->item[j], u) > rows_load(rows->item[j + 1], u);
        rows_store(descents, u, cell);
    }
}

static void rows_records(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    const sb_signed8 zero = { 0 };

    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        sb_signed8 records = zero, highest = zero - 1;

        for (size_t j = 0; j < rows->deal; j++) {
            const sb_signed8 item = rows_load(rows->item[j], u), above = item > highest;

            records -= above;
            highest = (item & above) | (highest & ~above);
        }
        rows_store(records, u, cell);
    }
}

static void rows_displacement(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        struct rows_sums sums = { 0 };

        for (size_t j = 0; j < rows->n; j++) {
            const sb_signed8 by = rows_load(rows->item[j], u) - (int8_t)j, back = by < 0;

            rows_add(&sums, (by ^ back) - back);
        }
        rows_store_sums(&sums, u, cell);
    }
}

/* Counts, for each item, the later items that are smaller, and adds up these counts. */
static void rows_inversions(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        struct rows_sums sums = { 0 };

        for (size_t i = 0; i + 1 < rows->deal; i++) {
            const sb_signed8 item = rows_load(rows->item[i], u);
            sb_signed8 smaller = { 0 };

            for (size_t j = i + 1; j < rows->deal; j++)
                smaller = rows_count_above(smaller, item, rows_load(rows->item[j], u));
            rows_add(&sums, smaller);
        }
        rows_store_sums(&sums, u, cell);
    }
}

/*
 * Patience sorting: each item goes on the pile whose top is the smallest of all tops that are larger than the
 * item. If no top is larger, the item starts a new pile. The set of a deal's tops is stored as the bits of
 * one word.
 */
static void rows_longest_increasing(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    enum {
        TOGETHER = 8
    }; /* vectors of words that are processed side by side, because each step waits for the previous step */
    const sb_vector64 one = (sb_vector64) { 0 } + 1;

    for (size_t d = 0; d < SB_ROWS_DEALS; d += TOGETHER * ROWS_WORDS) {
        sb_vector64 tops[TOGETHER] = { { 0 } };

        for (size_t j = 0; j < rows->deal; j++)
#pragma GCC unroll 8
            for (size_t t = 0; t < TOGETHER; t++) {
                const sb_vector64 bit = one << rows_words(rows->item[j] + d + t * ROWS_WORDS),
                                  above = tops[t] & -bit;

                tops[t] = (tops[t] & ~(above & -above)) | bit;
            }
        for (size_t i = 0; i < TOGETHER * ROWS_WORDS; i++)
            cell[d + i] = (uint16_t)__builtin_popcountll(tops[i / ROWS_WORDS][i % ROWS_WORDS]);
    }
}

static void rows_find_places(struct sb_rows *rows)
{
    const size_t n = rows->n;

    if (rows->placed)
        return;
    for (size_t d = 0; d < SB_ROWS_DEALS; d++) {
        const uint8_t *const deck = rows->deck[d];
        uint8_t *const inverse = rows->inverse[d];

#pragma GCC unroll 8
        for (size_t j = 0; j < n; j++)
            inverse[deck[j]] = (uint8_t)j;
    }
    sb_rows_transpose(rows->inverse, rows->place);
    rows->placed = true;
}

/* Computes the number of rising sequences, which is 1 plus the number of descents of the inverse. */
static void rows_rising_sequences(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    rows_find_places(rows);
    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        sb_signed8 sequences = (sb_signed8) { 0 } + 1;

        for (size_t i = 0; i + 1 < rows->n; i++)
            sequences -= rows_load(rows->place[i], u) > rows_load(rows->place[i + 1], u);
        rows_store(sequences, u, cell);
    }
}

/* A deal whose cycles are followed. */
struct rows_chase {
    uint64_t left; /* set of the items that have not been reached yet */
    size_t at;
    unsigned cycles, first;
};

/* Follows the cycles of ROWS_CHASED deals side by side, starting with the cycle of item 0, one item per
 * step. */
static void rows_chase(struct sb_rows *rows, size_t d)
{
    struct rows_chase chase[ROWS_CHASED];

    for (size_t i = 0; i < ROWS_CHASED; i++)
        chase[i] = (struct rows_chase) { .left = UINT64_MAX };
    for (size_t step = 0; step < rows->n; step++)
#pragma GCC unroll 8
        for (size_t i = 0; i < ROWS_CHASED; i++) {
            struct rows_chase *const c = &chase[i];
            const size_t next = rows->deck[d + i][c->at];

            c->left &= ~(UINT64_C(1) << c->at);
            c->first += c->cycles == 0;
            const uint64_t open = c->left >> next & 1;

            c->cycles += !open;
            /* after the last step the set is empty; the added bit keeps ctz defined, and the result of ctz is
             * not used */
            const size_t other = (size_t)__builtin_ctzll(c->left | UINT64_C(1) << 63);

            c->at = open ? next : other;
        }
    for (size_t i = 0; i < ROWS_CHASED; i++) {
        rows->cycles[d + i] = (uint8_t)chase[i].cycles;
        rows->first_cycle[d + i] = (uint8_t)chase[i].first;
    }
}

#if defined __AVX512BW__
/*
 * Finds the cycles with an instruction that composes two permutations. Computes for each item the smallest
 * item reached in fewer than 2, 4, 8, ... steps, and the item reached after exactly 1, 2, 4, ... steps. The
 * number of cycles is the number of items that are the smallest of their cycle.
 */
__attribute__((target("avx512vbmi"))) static void rows_double(struct sb_rows *rows)
{
    uint8_t identity[SB_VECTOR_BYTES];

    for (size_t j = 0; j < sizeof identity; j++)
        identity[j] = (uint8_t)j;
    const __m512i items = _mm512_loadu_si512(identity);
    for (size_t d = 0; d < SB_ROWS_DEALS; d++) {
        __m512i after = _mm512_load_si512(rows->deck[d]), smallest = _mm512_min_epu8(items, after);

        for (size_t reached = 2; reached < rows->n; reached *= 2) {
            after = _mm512_permutexvar_epi8(after, after);
            smallest = _mm512_min_epu8(smallest, _mm512_permutexvar_epi8(after, smallest));
        }
        const uint64_t own = _mm512_cmpeq_epi8_mask(smallest, items);
        const uint64_t first = _mm512_cmpeq_epi8_mask(smallest, _mm512_setzero_si512());

        rows->cycles[d] = (uint8_t)((size_t)__builtin_popcountll(own) + rows->n - SB_ROWS_ITEMS_MOST);
        rows->first_cycle[d] = (uint8_t)__builtin_popcountll(first);
    }
}
#endif

static void rows_follow_cycles(struct sb_rows *rows)
{
    if (rows->cycled)
        return;
    rows->cycled = true;
#if defined __AVX512BW__
    if (__builtin_cpu_supports("avx512vbmi")) {
        rows_double(rows);
        return;
    }
#endif
    for (size_t d = 0; d < SB_ROWS_DEALS; d += ROWS_CHASED)
        rows_chase(rows, d);
}

static void rows_cycles(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    rows_follow_cycles(rows);
    for (size_t d = 0; d < SB_ROWS_DEALS; d++)
        cell[d] = rows->cycles[d];
}

static void rows_cycle_of_first(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    rows_follow_cycles(rows);
    for (size_t d = 0; d < SB_ROWS_DEALS; d++)
        cell[d] = rows->first_cycle[d];
}

static void rows_parity(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    rows_follow_cycles(rows);
    for (size_t d = 0; d < SB_ROWS_DEALS; d++)
        cell[d] = (uint16_t)((rows->n - rows->cycles[d]) % 2);
}

static void rows_position(struct sb_rows *rows, uint64_t count[])
{
    if (rows_has_bits && sb_rows_bits_possible()) {
        rows_find_places(rows);
        sb_rows_bits_position(rows, count);
        return;
    }
    for (size_t j = 0; j < rows->n; j++)
        for (size_t d = 0; d < rows->deals; d++)
            count[rows->item[j][d] * rows->n + j]++;
}

/* For each item i: counts cell c if item i + 1 + c modulo n follows item i, or cell n - 1 if no item follows
 * item i. */
static void rows_successor(struct sb_rows *rows, uint64_t count[])
{
    const uint16_t n = (uint16_t)rows->n;
    uint16_t cell[SB_ROWS_DEALS];

    if (rows_has_bits && sb_rows_bits_possible()) {
        rows_find_places(rows);
        sb_rows_bits_successor(rows, count);
        return;
    }
    for (size_t j = 0; j + 1 < n; j++) {
        for (size_t d = 0; d < SB_ROWS_DEALS; d++) {
            const uint16_t item = rows->item[j][d], next = rows->item[j + 1][d];

            cell[d] = (uint16_t)(item * n + next - item - 1 + (next < item ? n : 0));
        }
        for (size_t d = 0; d < rows->deals; d++)
            count[cell[d]]++;
    }
    for (size_t d = 0; d < rows->deals; d++)
        count[rows->item[n - 1][d] * n + n - 1U]++;
}

static const struct sb_rows_method rows_methods[] = {
    { .statistic = "position", .count = rows_position },
    { .statistic = "successor", .count = rows_successor },
    { .statistic = "adjacent", .cells = rows_adjacent },
    { .statistic = "fixed-points", .cells = rows_fixed_points },
    { .statistic = "cycles", .cells = rows_cycles },
    { .statistic = "cycle-of-first", .cells = rows_cycle_of_first },
    { .statistic = "parity", .cells = rows_parity },
    { .statistic = "records", .partial = true, .cells = rows_records },
    { .statistic = "descents", .partial = true, .cells = rows_descents },
    { .statistic = "rising-sequences", .cells = rows_rising_sequences },
    { .statistic = "inversions", .partial = true, .cells = rows_inversions },
    { .statistic = "longest-increasing", .partial = true, .cells = rows_longest_increasing },
    { .statistic = "displacement", .cells = rows_displacement },
    { .statistic = "first-k", .partial = true, .cells = sb_rows_first_k },
    { .statistic = "first-k-set", .partial = true, .cells = sb_rows_first_k_set },
};

const struct sb_rows_isa SB_ROWS_ISA = {
    .name = SB_LANES_NAME,
    .find_places = rows_find_places,
    .method = rows_methods,
    .methods = sizeof rows_methods / sizeof rows_methods[0],
};
