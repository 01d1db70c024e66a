/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts values 0..63 of 64 deals. Bit b of the values of all deals is one word. The deals with a value are the ones of
 * the conjunction of six such words, of which each is negated if the value lacks the bit. One vector has the
 * conjunctions for the eight values with the same three upper bits. Cost: for each row, six comparisons, and for eight
 * values about six operations.
 */
#include "statistic/rows/rows_bits.h"

#if defined __x86_64__

#include <immintrin.h>

enum {
    BITS_TOGETHER = 8, /* values in a vector */
    BITS_LOW = 3,      /* bits that tell these values apart */
    BITS_ALL = 6,      /* bits of a value */
};

#define BITS_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vpopcntdq")))

bool sb_rows_bits_possible(void)
{
    return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vpopcntdq");
}

/* For each of eight words, the conjunction of the low bits of the value with the word's index. */
BITS_TARGET static inline __m512i bits_low(const uint64_t bit[BITS_ALL])
{
    const __m512i index = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    __m512i low = _mm512_set1_epi64(-1);

    for (int b = 0; b < BITS_LOW; b++) {
        const __mmask8 lacks = _mm512_testn_epi64_mask(index, _mm512_set1_epi64(1 << b));
        const __m512i word = _mm512_set1_epi64((int64_t)bit[b]);

        low = _mm512_and_si512(low, _mm512_mask_xor_epi64(word, lacks, word, _mm512_set1_epi64(-1)));
    }
    return low;
}

/* Adds the number of deals with each value below n to count[n]. `deals` has a bit for each counted deal. */
BITS_TARGET static inline void bits_count(const uint8_t row[SB_ROWS_DEALS], size_t n, uint64_t deals,
                                          uint64_t count[])
{
    const __m512i values = _mm512_load_si512(row);
    uint64_t bit[BITS_ALL];

    for (int b = 0; b < BITS_ALL; b++)
        bit[b] = _mm512_test_epi8_mask(values, _mm512_set1_epi8((char)(1 << b)));
    const __m512i low = bits_low(bit);

    for (size_t value = 0; value < n; value += BITS_TOGETHER) {
        const __mmask8 some = (__mmask8)(n - value < BITS_TOGETHER ? (1U << (n - value)) - 1 : 255U);
        uint64_t high = deals;

        for (int b = BITS_LOW; b < BITS_ALL; b++)
            high &= value >> b & 1 ? bit[b] : ~bit[b];
        const __m512i found = _mm512_popcnt_epi64(_mm512_and_si512(low, _mm512_set1_epi64((int64_t)high)));

        _mm512_mask_storeu_epi64(count + value, some,
                                 _mm512_add_epi64(found, _mm512_maskz_loadu_epi64(some, count + value)));
    }
}

/* A bit for each deal of the rows. */
static uint64_t bits_deals(const struct sb_rows *rows)
{
    return UINT64_MAX >> (SB_ROWS_DEALS - rows->deals);
}

BITS_TARGET void sb_rows_bits_position(const struct sb_rows *rows, uint64_t count[])
{
    const uint64_t deals = bits_deals(rows);

    for (size_t i = 0; i < rows->n; i++)
        bits_count(rows->place[i], rows->n, deals, count + i * rows->n);
}

/* Item i + 1 + c modulo n follows item i in cell c; in cell n - 1 no item does. */
BITS_TARGET void sb_rows_bits_successor(const struct sb_rows *rows, uint64_t count[])
{
    uint8_t deck[SB_ROWS_DEALS][SB_ROWS_ITEMS_MOST] __attribute__((aligned(64)));
    uint8_t cell[SB_ROWS_ITEMS_MOST][SB_ROWS_DEALS] __attribute__((aligned(64)));
    uint8_t identity[SB_ROWS_ITEMS_MOST] __attribute__((aligned(64)));
    const __m512i n = _mm512_set1_epi8((char)rows->n), one = _mm512_set1_epi8(1);
    const uint64_t deals = bits_deals(rows);

    for (size_t i = 0; i < SB_ROWS_ITEMS_MOST; i++)
        identity[i] = (uint8_t)i;
    const __m512i item = _mm512_load_si512(identity), last = _mm512_sub_epi8(n, one);

    for (size_t d = 0; d < SB_ROWS_DEALS; d++) {
        const __m512i place = _mm512_load_si512(rows->inverse[d]);
        const __m512i next =
            _mm512_permutexvar_epi8(_mm512_add_epi8(place, one), _mm512_load_si512(rows->deck[d]));
        const __m512i above = _mm512_sub_epi8(_mm512_sub_epi8(next, item), one);
        const __m512i steps = _mm512_mask_add_epi8(above, _mm512_cmplt_epu8_mask(next, item), above, n);

        _mm512_store_si512(deck[d], _mm512_mask_mov_epi8(steps, _mm512_cmpeq_epi8_mask(place, last), last));
    }
    sb_rows_transpose(deck, cell);
    for (size_t i = 0; i < rows->n; i++)
        bits_count(cell[i], rows->n, deals, count + i * rows->n);
}

#else

bool sb_rows_bits_possible(void)
{
    return false;
}

void sb_rows_bits_position(const struct sb_rows *rows, uint64_t count[])
{
    (void)rows;
    (void)count;
}

void sb_rows_bits_successor(const struct sb_rows *rows, uint64_t count[])
{
    (void)rows;
    (void)count;
}

#endif
