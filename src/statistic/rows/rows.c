/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies deals into rows, and finds the methods for this machine. */
#include "statistic/rows/rows.h"

#include "core/system.h"

#include <string.h>

const struct sb_rows_isa *sb_rows_get(size_t index)
{
    static const struct sb_rows_isa *const version[] = {
        &sb_rows_plain,
#if defined __x86_64__ || defined __i386__
        &sb_rows_avx2,
        &sb_rows_avx512,
#endif
    };
    const size_t count = sb_instruction_sets();

    return index < count ? version[count - 1 - index] : NULL;
}

const struct sb_rows_method *sb_rows_find(const char *statistic, size_t n, size_t k)
{
    const struct sb_rows_isa *const isa = sb_rows_get(0);

    if (!isa || n < 2 || n > SB_ROWS_ITEMS_MOST || k == 0)
        return NULL;
    for (size_t i = 0; i < isa->methods; i++)
        if (strcmp(isa->method[i].statistic, statistic) == 0)
            return k == n || isa->method[i].partial ? &isa->method[i] : NULL;
    return NULL;
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
            y[2 * r] = __builtin_shufflevector(x[r], x[r + SIDE / 2], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,
                                               21, 6, 22, 7, 23);
            y[2 * r + 1] = __builtin_shufflevector(x[r], x[r + SIDE / 2], 8, 24, 9, 25, 10, 26, 11, 27, 12,
                                                   28, 13, 29, 14, 30, 15, 31);
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
            rows_transpose_block((uint8_t(*)[SB_ROWS_DEALS])(from[i] + j),
                                 (uint8_t(*)[SB_ROWS_DEALS])(to[j] + i));
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
    rows->placed = rows->cycled = false;
    for (size_t j = 0; j < SB_ROWS_ITEMS_MOST; j++)
        identity[j] = (uint8_t)j;
    for (size_t d = 0; d < SB_ROWS_DEALS; d++) {
        const size_t items_here = d < deals ? k : 0;

        memcpy(rows->deck[d], identity, sizeof identity);
        rows_narrow(items_here, items + d * items_here, rows->deck[d]);
    }
    sb_rows_transpose(rows->deck, rows->item);
}
