/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics of deals in rows. Each function computes what the statistic's classify() does, for 64 deals.
 *
 * Cost per deal of n items: a few operations on vectors of 16 bytes for most statistics; n^2/32 for inversions; n
 * operations on 64-bit words for the longest increasing subsequence; n steps without vectors for the inverse, for the
 * cycles, and for each method that counts a cell for every item. All of them together make a report on sampled
 * decks of 52 three times as fast (tests/bench/speed.md).
 */
#include "core/system.h"
#include "statistic/statistic.h"

#include <string.h>

enum {
    ROWS_BYTES = 16,   /* deals in a vector */
    ROWS_WIDE = 32,    /* bytes in a vector of AVX2 */
    ROWS_TOGETHER = 8, /* deals whose steps are done side by side, where a step may wait for what another has written */
};

typedef int8_t rows_bytes __attribute__((vector_size(ROWS_BYTES), may_alias));

/* Vector u of a row. */
static inline rows_bytes rows_load(const uint8_t row[SB_ROWS_DEALS], size_t u)
{
    rows_bytes part;

    memcpy(&part, row + u, sizeof part);
    return part;
}

/* Adds the values of the deals from u on. */
static inline void rows_add(rows_bytes value, size_t u, uint16_t cell[SB_ROWS_DEALS])
{
    uint8_t byte[ROWS_BYTES];

    memcpy(byte, &value, sizeof byte);
    for (size_t i = 0; i < ROWS_BYTES; i++)
        cell[u + i] = (uint16_t)(cell[u + i] + byte[i]);
}

/* Transposes a block of 16 by 16 bytes in four passes. Each pass interleaves the bytes of row r with the
 * bytes of row r + 8. */
static void rows_transpose_block(uint8_t (*from)[SB_ROWS_DEALS], uint8_t (*to)[SB_ROWS_DEALS])
{
    enum { SIDE = 16 };
    typedef uint8_t bytes __attribute__((vector_size(SIDE)));
    bytes x[SIDE], y[SIDE];

    for (size_t r = 0; r < SIDE; r++)
        memcpy(&x[r], from[r], SIDE);
    for (int turn = 0; turn < 4; turn++) {
        for (size_t r = 0; r < SIDE / 2; r++) {
            y[2 * r] =
                __builtin_shufflevector(x[r], x[r + SIDE / 2], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            y[2 * r + 1] = __builtin_shufflevector(x[r], x[r + SIDE / 2], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                                   14, 30, 15, 31);
        }
        memcpy(x, y, sizeof x);
    }
    for (size_t r = 0; r < SIDE; r++)
        memcpy(to[r], &x[r], SIDE);
}

void sb_rows_transpose(uint8_t from[SB_ROWS_DEALS][SB_ROWS_DEALS], uint8_t to[SB_ROWS_DEALS][SB_ROWS_DEALS])
{
    enum { SIDE = 16 };

    for (size_t i = 0; i < SB_ROWS_DEALS; i += SIDE)
        for (size_t j = 0; j < SB_ROWS_DEALS; j += SIDE)
            rows_transpose_block((uint8_t(*)[SB_ROWS_DEALS])(from[i] + j), (uint8_t(*)[SB_ROWS_DEALS])(to[j] + i));
}

static void rows_fixed_points(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < SB_ROWS_DEALS; u += ROWS_BYTES) {
        rows_bytes points = { 0 }; /* comparing vectors yields -1 for true, so subtracting adds 1 */

        for (size_t j = 0; j < rows->n; j++)
            points -= rows_load(rows->item[j], u) == (int8_t)j;
        rows_add(points, u, cell);
    }
}

static void rows_adjacent(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < SB_ROWS_DEALS; u += ROWS_BYTES) {
        rows_bytes pairs = { 0 };

        for (size_t j = 0; j + 1 < rows->n; j++)
            pairs -= rows_load(rows->item[j + 1], u) == rows_load(rows->item[j], u) + 1;
        rows_add(pairs, u, cell);
    }
}

static void rows_descents(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < SB_ROWS_DEALS; u += ROWS_BYTES) {
        rows_bytes descents = { 0 };

        for (size_t j = 0; j + 1 < rows->deal; j++)
            descents -= rows_load(rows->item[j], u) > rows_load(rows->item[j + 1], u);
        rows_add(descents, u, cell);
    }
}

static void rows_records(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    const rows_bytes zero = { 0 };

    for (size_t u = 0; u < SB_ROWS_DEALS; u += ROWS_BYTES) {
        rows_bytes records = zero, highest = zero - 1;

        for (size_t j = 0; j < rows->deal; j++) {
            const rows_bytes item = rows_load(rows->item[j], u), above = item > highest;

            records -= above;
            highest = (item & above) | (highest & ~above);
        }
        rows_add(records, u, cell);
    }
}

/* Four distances, each below 64, have a sum that fits in a byte. */
static void rows_displacement(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < SB_ROWS_DEALS; u += ROWS_BYTES)
        for (size_t j = 0; j < rows->n;) {
            rows_bytes sum = { 0 };

            for (const size_t end = rows->n - j < 4 ? rows->n : j + 4; j < end; j++) {
                const rows_bytes by = rows_load(rows->item[j], u) - (int8_t)j, back = by < 0;

                sum += (by ^ back) - back;
            }
            rows_add(sum, u, cell);
        }
}

/* Vectors of as many bytes as AVX2 has, which other instruction sets take in parts. */
typedef int8_t rows_wide __attribute__((vector_size(ROWS_WIDE), aligned(1), may_alias));

/* Counts, for each item, the later items that are smaller, and adds up these counts. */
SB_VERSIONS static void rows_inversions(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    enum { PARTS = SB_ROWS_DEALS / ROWS_WIDE };

    for (size_t i = 0; i + 1 < rows->deal; i++) {
        const rows_wide *const item = (const rows_wide *)rows->item[i];
        rows_wide smaller[PARTS] = { { 0 } };
        uint8_t byte[SB_ROWS_DEALS];

        for (size_t j = i + 1; j < rows->deal; j++)
            for (size_t u = 0; u < PARTS; u++)
                smaller[u] -= item[u] > ((const rows_wide *)rows->item[j])[u];
        memcpy(byte, smaller, sizeof byte);
        for (size_t d = 0; d < SB_ROWS_DEALS; d++)
            cell[d] = (uint16_t)(cell[d] + byte[d]);
    }
}

/*
 * Patience sorting: each item goes on the pile whose top is the smallest of all tops that are larger than the
 * item. If no top is larger, the item starts a new pile. The set of a deal's tops is stored as the bits of
 * one word.
 */
SB_VERSIONS static void rows_longest_increasing(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    enum { WORDS = ROWS_WIDE / sizeof(uint64_t), BYTES = sizeof(uint64_t) };
    typedef uint64_t words __attribute__((vector_size(ROWS_WIDE)));

    for (size_t d = 0; d < SB_ROWS_DEALS; d += ROWS_WIDE) {
        words tops[BYTES] = { { 0 } }; /* one for each byte of the words of items */
        uint64_t lengths[WORDS] = { 0 };
        uint8_t length[ROWS_WIDE];

        for (size_t j = 0; j < rows->deal; j++) {
            words items;

            memcpy(&items, rows->item[j] + d, sizeof items);
#pragma GCC unroll 8
            for (size_t t = 0; t < BYTES; t++) {
                const words bit = ((words) { 0 } + 1) << (items >> 8 * t & UINT8_MAX), above = tops[t] & -bit;

                tops[t] = (tops[t] & ~(above & -above)) | bit;
            }
        }
        for (size_t t = 0; t < BYTES; t++)
            for (size_t w = 0; w < WORDS; w++)
                lengths[w] |= (uint64_t)__builtin_popcountll(tops[t][w]) << 8 * t;
        memcpy(length, lengths, sizeof length);
        for (size_t i = 0; i < ROWS_WIDE; i++)
            cell[d + i] = length[i];
    }
}

/* Finds the position of each item. */
static void rows_invert(struct sb_rows *rows)
{
    const size_t n = rows->n; /* not read again after each write of a byte */

    for (size_t d = 0; d < SB_ROWS_DEALS && !rows->inverted; d++)
#pragma GCC unroll 8
        for (size_t j = 0; j < n; j++)
            rows->inverse[d][rows->deck[d][j]] = (uint8_t)j;
    rows->inverted = true;
}

/* Computes the number of rising sequences, which is 1 plus the number of descents of the inverse. */
static void rows_rising_sequences(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    uint8_t place[SB_ROWS_ITEMS_MOST][SB_ROWS_DEALS];

    rows_invert(rows);
    sb_rows_transpose(rows->inverse, place);
    for (size_t u = 0; u < SB_ROWS_DEALS; u += ROWS_BYTES) {
        rows_bytes sequences = (rows_bytes) { 0 } + 1;

        for (size_t i = 0; i + 1 < rows->n; i++)
            sequences -= rows_load(place[i], u) > rows_load(place[i + 1], u);
        rows_add(sequences, u, cell);
    }
}

/* Takes one item after the other out of its cycle, from item n - 1 to item 1, and adds what it stood for to the item
 * before it. An item that is alone in its cycle ends the cycle. */
static void rows_take_out(struct sb_rows *rows, size_t d)
{
    const size_t n = rows->n;
    uint8_t next[ROWS_TOGETHER][SB_ROWS_ITEMS_MOST], before[ROWS_TOGETHER][SB_ROWS_ITEMS_MOST];
    uint8_t length[ROWS_TOGETHER][SB_ROWS_ITEMS_MOST];
    uint8_t cycles[ROWS_TOGETHER];

    memcpy(next, rows->deck[d], sizeof next);
    memcpy(before, rows->inverse[d], sizeof before);
    memset(length, 1, sizeof length);
    memset(cycles, 1, sizeof cycles); /* item 0's */
    for (size_t i = n - 1; i > 0; i--)
#pragma GCC unroll 8
        for (size_t k = 0; k < ROWS_TOGETHER; k++) {
            const uint8_t to = next[k][i], from = before[k][i];

            cycles[k] = (uint8_t)(cycles[k] + (to == i));
            next[k][from] = to;
            before[k][to] = from;
            length[k][from] = (uint8_t)(length[k][from] + length[k][i]);
        }
    for (size_t k = 0; k < ROWS_TOGETHER; k++) {
        rows->cycles[d + k] = cycles[k];
        rows->first_cycle[d + k] = length[k][0];
    }
}

static void rows_find_cycles(struct sb_rows *rows)
{
    if (rows->cycled)
        return;
    rows->cycled = true;
    rows_invert(rows);
    for (size_t d = 0; d < SB_ROWS_DEALS; d += ROWS_TOGETHER)
        rows_take_out(rows, d);
}

static void rows_cycles(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    rows_find_cycles(rows);
    for (size_t d = 0; d < SB_ROWS_DEALS; d++)
        cell[d] = rows->cycles[d];
}

static void rows_cycle_of_first(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    rows_find_cycles(rows);
    for (size_t d = 0; d < SB_ROWS_DEALS; d++)
        cell[d] = rows->first_cycle[d];
}

static void rows_parity(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    rows_find_cycles(rows);
    for (size_t d = 0; d < SB_ROWS_DEALS; d++)
        cell[d] = (uint16_t)((rows->n - rows->cycles[d]) % 2);
}

static void rows_position(struct sb_rows *rows, uint64_t count[])
{
    const size_t n = rows->n, deals = rows->deals;

    for (size_t j = 0; j < n; j++)
        for (size_t d = 0; d < deals; d++)
            count[rows->item[j][d] * n + j]++;
}

/* For each item i: counts cell c if item i + 1 + c modulo n follows item i, or cell n - 1 if no item follows
 * item i. */
SB_VERSIONS static void rows_successor(struct sb_rows *rows, uint64_t count[])
{
    const uint16_t n = (uint16_t)rows->n;
    const size_t deals = rows->deals;
    uint16_t cell[SB_ROWS_DEALS];

    for (size_t j = 0; j + 1 < n; j++) {
        for (size_t d = 0; d < SB_ROWS_DEALS; d++) {
            const uint16_t item = rows->item[j][d], next = rows->item[j + 1][d];

            cell[d] = (uint16_t)(item * n + next - item - 1 + (next < item ? n : 0));
        }
        for (size_t d = 0; d < deals; d++)
            count[cell[d]]++;
    }
    for (size_t d = 0; d < deals; d++)
        count[rows->item[n - 1][d] * n + n - 1U]++;
}

/* Sets below[d] to the number of positions in first..end-1 at which deal d has a smaller item than at
 * position j. */
static void rows_below(const struct sb_rows *rows, size_t j, size_t first, size_t end, uint8_t below[SB_ROWS_DEALS])
{
    memset(below, 0, SB_ROWS_DEALS);
    for (size_t i = first; i < end; i++)
        for (size_t d = 0; d < SB_ROWS_DEALS; d++)
            below[d] = (uint8_t)(below[d] + (rows->item[i][d] < rows->item[j][d]));
}

static void rows_first_k(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    const size_t n = rows->n, cards = sb_first_k_cards(n, rows->deal);
    uint8_t earlier[SB_ROWS_DEALS]; /* number of earlier cards that are smaller than card j */

    memset(cell, 0, SB_ROWS_DEALS * sizeof cell[0]);
    for (size_t j = 0; j < cards; j++) {
        rows_below(rows, j, 0, j, earlier);
        for (size_t d = 0; d < SB_ROWS_DEALS; d++)
            cell[d] = (uint16_t)(cell[d] * (n - j) + rows->item[j][d] - earlier[d]);
    }
}

static void rows_first_k_set(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    const size_t cards = sb_first_k_set_cards(rows->n, rows->deal);
    uint16_t binomial[SB_FIRST_K_CARDS_MOST + 1][SB_ROWS_ITEMS_MOST]; /* [r][a] = C(a, r), by Pascal's rule */
    uint8_t lower[SB_ROWS_DEALS]; /* number of these cards that are smaller than card j */

    for (size_t a = 0; a < rows->n; a++) {
        binomial[0][a] = 1;
        for (size_t r = 1; r <= cards; r++)
            binomial[r][a] = (uint16_t)(a ? binomial[r][a - 1] + binomial[r - 1][a - 1] : 0);
    }
    memset(cell, 0, SB_ROWS_DEALS * sizeof cell[0]);
    for (size_t j = 0; j < cards; j++) {
        rows_below(rows, j, 0, cards, lower);
        for (size_t d = 0; d < SB_ROWS_DEALS; d++)
            cell[d] = (uint16_t)(cell[d] + binomial[lower[d] + 1][rows->item[j][d]]);
    }
}

const struct sb_rows_method sb_rows_methods[] = {
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
    { .statistic = "first-k", .partial = true, .cells = rows_first_k },
    { .statistic = "first-k-set", .partial = true, .cells = rows_first_k_set },
};

const size_t sb_rows_methods_count = sizeof sb_rows_methods / sizeof sb_rows_methods[0];

const struct sb_rows_method *sb_rows_find(const char *statistic, size_t n, size_t k)
{
    if (n < 2 || n > SB_ROWS_ITEMS_MOST || k == 0)
        return NULL;
    for (size_t i = 0; i < sb_rows_methods_count; i++)
        if (strcmp(sb_rows_methods[i].statistic, statistic) == 0)
            return k == n || sb_rows_methods[i].partial ? &sb_rows_methods[i] : NULL;
    return NULL;
}

/* Copies the items of a deal: 16 at a time, then 4 at a time, then one by one. */
static inline void rows_narrow(size_t k, const sb_item items[], uint8_t byte[SB_ROWS_ITEMS_MOST])
{
    size_t i = 0;

    for (; i + 16 <= k; i += 16)
#pragma GCC unroll 16
        for (size_t j = 0; j < 16; j++)
            byte[i + j] = (uint8_t)items[i + j];
    for (; i + 4 <= k; i += 4)
#pragma GCC unroll 4
        for (size_t j = 0; j < 4; j++)
            byte[i + j] = (uint8_t)items[i + j];
    for (; i < k; i++)
        byte[i] = (uint8_t)items[i];
}

void sb_rows_fill(size_t n, size_t k, const sb_item items[], size_t deals, struct sb_rows *rows)
{
    uint8_t identity[SB_ROWS_ITEMS_MOST];

    rows->n = n;
    rows->deal = k;
    rows->deals = deals;
    rows->inverted = rows->cycled = false;
    for (size_t j = 0; j < SB_ROWS_ITEMS_MOST; j++)
        identity[j] = (uint8_t)j;
    for (size_t d = 0; d < SB_ROWS_DEALS; d++) {
        const size_t items_here = d < deals ? k : 0;

        memcpy(rows->deck[d], identity, sizeof identity);
        rows_narrow(items_here, items + d * items_here, rows->deck[d]);
    }
    sb_rows_transpose(rows->deck, rows->item);
}
