/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For each byte of a block that is a digit, computes the number that ends there, from this digit and the
 * digit before it. The last digits of the numbers are then packed: their bytes are the numbers. A block ends
 * after its last byte that is not a digit, so that no number is in two blocks. Cost: about 40 operations for
 * 64 bytes, and 50 for a line.
 */
#include "subject/stream/stream_numbers_wide.h"

#if defined __x86_64__

#include "subject/stream/stream_parts.h"

#include <immintrin.h>

enum {
    WIDE_BLOCK = 64, /* bytes of a block; also the most items */
    WIDE_WORDS = 8,  /* items whose bits are set together */
    WIDE_ITEMS = 16, /* items that are stored together */
    WIDE_ABOVE = 100 /* numbers have two digits */
};

#define WIDE_TARGET \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,popcnt")))

static bool wide_machine(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2");
}

bool sb_numbers_wide_possible(const struct sb_numbers_form *form)
{
    return form->n <= WIDE_BLOCK && form->n + form->base <= WIDE_ABOVE && wide_machine();
}

/* The bits below bit `length`. */
static inline uint64_t wide_below(size_t length)
{
    return length < WIDE_BLOCK ? (UINT64_C(1) << length) - 1 : UINT64_MAX;
}

/* Finds the line's end among the bytes that are neither digits nor blanks. Returns its index; WIDE_BLOCK if the line
 * does not end in this block; a larger number if numbers may not have one of these bytes between them. */
static inline size_t wide_end(const uint8_t class[256], const uint8_t *at, size_t there, uint64_t others)
{
    for (; others; others &= others - 1) {
        const size_t here = (size_t)__builtin_ctzll(others);
        const uint8_t kind = class[at[here]];

        if (kind == TEXT_LF || (kind == TEXT_CR && here + 1 < there && at[here + 1] == '\n'))
            return here;
        if (kind != TEXT_BLANK && kind != TEXT_OTHER)
            return WIDE_BLOCK + 1;
    }
    return WIDE_BLOCK;
}

/* The number that ends at each digit; 0 for all other bytes. */
WIDE_TARGET static inline __m512i wide_values(__m512i digit, uint64_t digits)
{
    static const uint8_t before[WIDE_BLOCK] __attribute__((aligned(64))) = {
        0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
        21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42,
        43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,
    };
    const __m512i ones = _mm512_maskz_mov_epi8(digits, digit);
    const __m512i tens =
        _mm512_maskz_permutexvar_epi8(digits & ~UINT64_C(1), _mm512_load_si512(before), ones);
    const __m512i twice = _mm512_add_epi8(tens, tens), four = _mm512_add_epi8(twice, twice);

    return _mm512_add_epi8(_mm512_add_epi8(ones, twice), _mm512_add_epi8(four, four));
}

/* Whether these numbers are different items below n; then stores them. */
WIDE_TARGET static inline bool wide_store(const struct sb_numbers_form *form, __m512i number, sb_item items[])
{
    const size_t deal = form->deal;
    const __m512i item = _mm512_sub_epi8(number, _mm512_set1_epi8((char)form->base));
    const uint64_t inside = _mm512_cmplt_epu8_mask(item, _mm512_set1_epi8((char)form->n));
    uint8_t byte[WIDE_BLOCK] __attribute__((aligned(64)));
    __m512i seen = _mm512_setzero_si512();

    if (~inside & wide_below(deal)) /* a number below the base wraps to a large item */
        return false;
    _mm512_store_si512(byte, item);
    for (size_t i = 0; i < deal; i += WIDE_WORDS) {
        const __m512i some = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(byte + i)));
        const __mmask8 used = (__mmask8)wide_below(deal - i);

        seen = _mm512_or_si512(seen, _mm512_maskz_sllv_epi64(used, _mm512_set1_epi64(1), some));
    }
    if ((size_t)__builtin_popcountll((uint64_t)_mm512_reduce_or_epi64(seen)) != deal)
        return false;
    for (size_t i = 0; i < deal; i += WIDE_ITEMS)
        _mm512_mask_storeu_epi32(items + i, (__mmask16)wide_below(deal - i),
                                 _mm512_cvtepu8_epi32(_mm_load_si128((const __m128i *)(byte + i))));
    return true;
}

WIDE_TARGET const uint8_t *sb_numbers_wide_line(const struct sb_numbers_form *form, const uint8_t *at,
                                                const uint8_t *end, sb_item items[])
{
    uint8_t number[2 * WIDE_BLOCK];
    size_t count = 0, length = WIDE_BLOCK, block = 0;

    for (; length == WIDE_BLOCK; at += block) {
        const size_t there = end - at < WIDE_BLOCK ? (size_t)(end - at) : WIDE_BLOCK;
        const uint64_t used = wide_below(there);
        const __m512i bytes = _mm512_maskz_loadu_epi8(used, at);
        const __m512i digit = _mm512_sub_epi8(bytes, _mm512_set1_epi8('0'));
        uint64_t digits = _mm512_mask_cmplt_epu8_mask(used, digit, _mm512_set1_epi8(10));
        const uint64_t blanks = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' '));

        length = wide_end(form->class, at, there, used & ~digits & ~blanks);
        if (length > WIDE_BLOCK || (length == WIDE_BLOCK && (there < WIDE_BLOCK || digits == UINT64_MAX)))
            return NULL;
        block = length < WIDE_BLOCK ? length : WIDE_BLOCK - (size_t)__builtin_clzll(~digits);
        digits &= wide_below(block);
        const uint64_t ends = digits & ~(digits >> 1);

        if (digits & digits << 1 & digits << 2 || count > WIDE_BLOCK)
            return NULL;
        _mm512_storeu_si512(number + count, _mm512_maskz_compress_epi8(ends, wide_values(digit, digits)));
        count += (size_t)__builtin_popcountll(ends);
    }
    if (count != form->deal || !wide_store(form, _mm512_loadu_si512(number), items))
        return NULL;
    return at + (*at == '\n' ? 1 : 2);
}

WIDE_TARGET size_t sb_numbers_wide_bytes(const struct sb_numbers_form *form, const uint8_t *at, size_t most,
                                         sb_item items[])
{
    const uint64_t used = wide_below(form->deal);
    size_t count = 0;

    while (count < most && wide_store(form, _mm512_maskz_loadu_epi8(used, at + count * form->deal),
                                      items + count * form->deal))
        count++;
    return count;
}

WIDE_TARGET static size_t wide_take(const uint8_t *at, size_t count, size_t step, uint8_t zero,
                                    sb_item items[])
{
    const __m512i base = _mm512_set1_epi32(zero);
    size_t i = 0;

    for (; step == 1 && i + WIDE_ITEMS <= count; i += WIDE_ITEMS) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(at + i));

        _mm512_storeu_si512(items + i, _mm512_sub_epi32(_mm512_cvtepu8_epi32(bytes), base));
    }
    for (; step == 2 && i + WIDE_ITEMS <= count; i += WIDE_ITEMS) {
        const __m256i pairs = _mm256_loadu_si256((const __m256i *)(at + 2 * i));
        const __m256i bytes = _mm256_and_si256(pairs, _mm256_set1_epi16(255));

        _mm512_storeu_si512(items + i, _mm512_sub_epi32(_mm512_cvtepu16_epi32(bytes), base));
    }
    return i;
}

size_t sb_numbers_wide_take(const uint8_t *at, size_t count, size_t step, uint8_t zero, sb_item items[])
{
    return wide_machine() ? wide_take(at, count, step, zero, items) : 0;
}

#else

bool sb_numbers_wide_possible(const struct sb_numbers_form *form)
{
    (void)form;
    return false;
}

const uint8_t *sb_numbers_wide_line(const struct sb_numbers_form *form, const uint8_t *at, const uint8_t *end,
                                    sb_item items[])
{
    (void)form;
    (void)at;
    (void)end;
    (void)items;
    return NULL;
}

size_t sb_numbers_wide_bytes(const struct sb_numbers_form *form, const uint8_t *at, size_t most,
                             sb_item items[])
{
    (void)form;
    (void)at;
    (void)most;
    (void)items;
    return 0;
}

size_t sb_numbers_wide_take(const uint8_t *at, size_t count, size_t step, uint8_t zero, sb_item items[])
{
    (void)at;
    (void)count;
    (void)step;
    (void)zero;
    (void)items;
    return 0;
}

#endif
