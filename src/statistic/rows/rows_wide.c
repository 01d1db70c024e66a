/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics of deals in rows. Compiled once per instruction set: SB_ROWS_ISA is the name of the resulting
 * variable, SB_LANES_NAME the name of the set. Each function computes what the statistic's classify() does, for
 * all deals.
 *
 * Cost for each of 64 deals with 64-byte vectors: a few operations for most statistics; n^2/64 for the
 * inversions; n operations on words for the longest increasing subsequence; n steps of plain C for the inverse,
 * for the cycles (eight deals are followed in turn, because each step waits for the one before), and for each
 * count of all items.
 */
#include "core/vector.h"
#include "statistic/rows/rows.h"

#include <string.h>

enum {
    ROWS_VECTORS = SB_ROWS_DEALS / SB_VECTOR_BYTES, /* vectors in a row */
    ROWS_WORDS = SB_VECTOR_BYTES / 8,               /* deals in a vector of words */
    ROWS_CHASED = 8,                                /* deals whose cycles are followed in turn */
};

/* A byte for each word of a vector. */
typedef uint8_t rows_bytes __attribute__((vector_size(SB_VECTOR_BYTES / 8)));

/* The part u of a row. */
static inline sb_signed8 rows_load(const uint8_t row[SB_ROWS_DEALS], size_t u)
{
    sb_signed8 part;

    memcpy(&part, row + u * SB_VECTOR_BYTES, sizeof part);
    return part;
}

/* Writes a value for each deal of part u. */
static inline void rows_store(sb_signed8 value, size_t u, uint16_t cell[SB_ROWS_DEALS])
{
    uint8_t byte[SB_VECTOR_BYTES];

    memcpy(byte, &value, sizeof byte);
    for (size_t i = 0; i < SB_VECTOR_BYTES; i++)
        cell[u * SB_VECTOR_BYTES + i] = byte[i];
}

/* Sums of 16 bits, for the even and the odd deals of a part. */
struct rows_sums {
    sb_vector16 even, odd;
};

static inline void rows_add(struct rows_sums *sums, sb_signed8 byte)
{
    sums->even += (sb_vector16)byte & 0xFF;
    sums->odd += (sb_vector16)byte >> 8;
}

static inline void rows_store_sums(const struct rows_sums *sums, size_t u, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t i = 0; i < SB_VECTOR_BYTES / 2; i++) {
        cell[u * SB_VECTOR_BYTES + 2 * i] = sums->even[i];
        cell[u * SB_VECTOR_BYTES + 2 * i + 1] = sums->odd[i];
    }
}

static void rows_fixed_points(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        sb_signed8 points = { 0 }; /* in a vector, true is -1 */

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

/* For each item, the later items that are smaller. */
static void rows_inversions(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < ROWS_VECTORS; u++) {
        struct rows_sums sums = { 0 };

        for (size_t i = 0; i + 1 < rows->deal; i++) {
            const sb_signed8 item = rows_load(rows->item[i], u);
            sb_signed8 smaller = { 0 };

            for (size_t j = i + 1; j < rows->deal; j++)
                smaller -= item > rows_load(rows->item[j], u);
            rows_add(&sums, smaller);
        }
        rows_store_sums(&sums, u, cell);
    }
}

/*
 * Patience sorting: an item goes on the pile with the smallest top above it. The tops of a deal's piles are a set
 * of items, the bits of a word.
 */
static void rows_longest_increasing(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    enum {
        TOGETHER = 4
    }; /* vectors of words: a step waits for the one before, so several run side by side */
    const sb_vector64 one = (sb_vector64) { 0 } + 1;

    for (size_t d = 0; d < SB_ROWS_DEALS; d += TOGETHER * ROWS_WORDS) {
        sb_vector64 tops[TOGETHER] = { { 0 } };

        for (size_t j = 0; j < rows->deal; j++)
#pragma GCC unroll 4
            for (size_t t = 0; t < TOGETHER; t++) {
                rows_bytes item;

                memcpy(&item, rows->item[j] + d + t * ROWS_WORDS, sizeof item);
                const sb_vector64 bit = one << __builtin_convertvector(item, sb_vector64),
                                  above = tops[t] & -bit;

                tops[t] = (tops[t] & ~(above & -above)) | bit;
            }
        for (size_t i = 0; i < TOGETHER * ROWS_WORDS; i++)
            cell[d + i] = (uint16_t)__builtin_popcountll(tops[i / ROWS_WORDS][i % ROWS_WORDS]);
    }
}

static void rows_find_places(struct sb_rows *rows)
{
    uint8_t inverse[SB_ROWS_DEALS][SB_ROWS_ITEMS_MOST];

    if (rows->placed)
        return;
    for (size_t d = 0; d < SB_ROWS_DEALS; d++)
        for (size_t j = 0; j < rows->n; j++)
            inverse[d][rows->deck[d][j]] = (uint8_t)j;
    sb_rows_transpose(inverse, rows->place);
    rows->placed = true;
}

/* One more than the descents of the inverse. */
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
    uint64_t left; /* set of the items that were not reached */
    size_t at;
    unsigned cycles, first;
};

/* Follows ROWS_CHASED deals from item 0 through all of their cycles, an item per step. */
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
            /* after the last step nothing may be left, and no position is needed */
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
 * With an instruction that composes two permutations: the smallest item that is reached in fewer than 2, 4, 8, ...
 * steps, and the position after as many steps. Each cycle has one item that is its own smallest.
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

static void rows_position(const struct sb_rows *rows, uint64_t count[])
{
    for (size_t j = 0; j < rows->n; j++)
        for (size_t d = 0; d < rows->deals; d++)
            count[rows->item[j][d] * rows->n + j]++;
}

/* Cell c of item i: it is followed by item i + 1 + c, modulo n; cell n - 1: by none. */
static void rows_successor(const struct sb_rows *rows, uint64_t count[])
{
    const uint16_t n = (uint16_t)rows->n;
    uint16_t cell[SB_ROWS_DEALS];

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
};

const struct sb_rows_isa SB_ROWS_ISA = {
    .name = SB_LANES_NAME,
    .method = rows_methods,
    .methods = sizeof rows_methods / sizeof rows_methods[0],
};
