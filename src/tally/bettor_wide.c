/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bets on one deck in two contexts with the same label. Compiled once per instruction set; SB_BETTOR_PLAY
 * names the resulting function. The formula is that of bettor.c. All sums are of integers, and the operations
 * on doubles have a fixed order, so all instruction sets give the same bits.
 *
 * Cost: for each card and context, n/32 additions of vectors of 64 bytes, and one sum over a vector.
 */
#include "tally/bettor_wide.h"

#include "core/vector.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    PLAY_COUNTS = SB_VECTOR_BYTES / 2, /* counts in a vector */
    PLAY_FEW = 8,                      /* counts in the smallest vector */
    PLAY_WEALTHS = 8, /* wealths that are updated side by side, the last two of them not used */
};

typedef int16_t play_counts __attribute__((vector_size(SB_VECTOR_BYTES), may_alias));
typedef int16_t play_few __attribute__((vector_size(2 * PLAY_FEW), may_alias));
/* eight counts of each of two rows */
typedef int16_t play_pair __attribute__((vector_size(2 * SB_BETTOR_PAIR * PLAY_FEW), may_alias));
typedef uint64_t play_words __attribute__((vector_size(2 * SB_BETTOR_PAIR * PLAY_FEW), may_alias));
typedef int32_t play_integers __attribute__((vector_size(4 * SB_BETTOR_PRODUCTS), may_alias));
typedef double play_doubles __attribute__((vector_size(8 * SB_BETTOR_PRODUCTS), may_alias));

/* Sets sum[k][i] to the sum of the eight counts of row k in pair[i]. Each sum is below 2^16. All arrays have a
 * multiple of eight elements. */
static inline void play_totals(const play_pair pair[], size_t n, int32_t sum[SB_BETTOR_PAIR][SB_BETTOR_MOST])
{
#if defined __AVX2__
    for (size_t i = 0; i < n; i += PLAY_FEW) {
        const __m256i *const x = (const __m256i *)(pair + i);
        const __m256i low = _mm256_hadd_epi16(
            _mm256_hadd_epi16(x[0], x[1]), _mm256_hadd_epi16(x[2], x[3])); /* two sums for each of x[0..3] */
        const __m256i high = _mm256_hadd_epi16(_mm256_hadd_epi16(x[4], x[5]), _mm256_hadd_epi16(x[6], x[7]));
        const __m256i sums = _mm256_hadd_epi16(low, high);

        _mm256_storeu_si256((__m256i *)(sum[0] + i), _mm256_cvtepu16_epi32(_mm256_castsi256_si128(sums)));
        _mm256_storeu_si256((__m256i *)(sum[1] + i),
                            _mm256_cvtepu16_epi32(_mm256_extracti128_si256(sums, 1)));
    }
#else
    for (size_t i = 0; i < n; i++) {
        const play_words words = (play_words)pair[i];

        for (size_t k = 0; k < SB_BETTOR_PAIR;
             k++) /* the top 16 bits of the product are the sum of four lanes */
            sum[k][i] = (int32_t)((words[2 * k] + words[2 * k + 1]) * UINT64_C(0x0001000100010001) >> 48);
    }
#endif
}

/* Sets *pair to the sums of the 128-bit parts of each of two vectors. */
static inline void play_fold(play_counts a, play_counts b, play_pair *pair)
{
#if defined __AVX512BW__
    /* the parts 0 + 2 and 1 + 3 of a, and then of b */
    const __m512i halves = _mm512_add_epi16(_mm512_shuffle_i64x2((__m512i)a, (__m512i)b, 0x44),
                                            _mm512_shuffle_i64x2((__m512i)a, (__m512i)b, 0xee));

    *pair = (play_pair)_mm256_add_epi16(_mm512_castsi512_si256(_mm512_shuffle_i64x2(halves, halves, 0x08)),
                                        _mm512_castsi512_si256(_mm512_shuffle_i64x2(halves, halves, 0x0d)));
#elif defined __AVX2__
    *pair = (play_pair)_mm256_add_epi16(_mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x20),
                                        _mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x31));
#else
    memcpy(pair, &a, sizeof a);
    memcpy((char *)pair + sizeof a, &b, sizeof b);
#endif
}

/* Adds the counts of the labels whose cards are dealt after turn `last`. */
static inline play_counts play_add(play_counts sum, const uint16_t row[], const int16_t turn[],
                                   play_counts last)
{
    play_counts when, counts;

    memcpy(&when, turn, sizeof when);
    memcpy(&counts, row, sizeof counts);
#if defined __AVX512BW__ /* one instruction, where GCC takes two */
    return (play_counts)_mm512_mask_add_epi16(
        (__m512i)sum, _mm512_cmpgt_epi16_mask((__m512i)when, (__m512i)last), (__m512i)sum, (__m512i)counts);
#else
    return sum + (counts & (when > last));
#endif
}

/* For each of two rows, adds up the counts of the labels whose cards are dealt after turn `gone`. Each result
 * consists of eight partial sums. */
static inline void play_sum(const uint16_t a[], const uint16_t b[], const int16_t turn[], size_t width,
                            int gone, play_pair *sum)
{
    const play_counts last = (play_counts) { 0 } + (int16_t)gone;
    play_counts sum_a = { 0 }, sum_b = { 0 };
    size_t j = 0;

    for (; j + PLAY_COUNTS <= width; j += PLAY_COUNTS) {
        sum_a = play_add(sum_a, a + j, turn + j, last);
        sum_b = play_add(sum_b, b + j, turn + j, last);
    }
    play_fold(sum_a, sum_b, sum);
    for (; j < width; j += PLAY_FEW) {
        play_few when[SB_BETTOR_PAIR], counts[SB_BETTOR_PAIR];
        play_pair whens, both;

        memcpy(&when[0], turn + j, sizeof when[0]);
        memcpy(&when[1], turn + j, sizeof when[1]);
        memcpy(&counts[0], a + j, sizeof counts[0]);
        memcpy(&counts[1], b + j, sizeof counts[1]);
        memcpy(&whens, when, sizeof whens);
        memcpy(&both, counts, sizeof both);
        *sum += both & (whens > (int16_t)gone);
    }
}

/* Whether x is a positive normal double. */
static inline bool play_is_normal(uint64_t bits)
{
    return bits >> 52 > 0 && bits >> 52 < 2047;
}

/* Multiplies wealths, the fractions part[] times powers of two, by factors. Each wealth becomes a fraction in [0.5, 1)
 * and a power again: the same as frexp(), but side by side. */
static inline void play_multiply(double part[PLAY_WEALTHS], const double factor[PLAY_WEALTHS],
                                 int64_t power[PLAY_WEALTHS])
{
    uint64_t bits[PLAY_WEALTHS];
    bool normal = true;

    for (size_t i = 0; i < PLAY_WEALTHS; i++)
        part[i] *= factor[i];
    memcpy(bits, part, sizeof bits);
    for (size_t i = 0; i < PLAY_WEALTHS; i++)
        normal = normal && play_is_normal(bits[i]);
    for (size_t i = 0; i < PLAY_WEALTHS && normal; i++) {
        power[i] += (int64_t)(bits[i] >> 52) - 1022;
        bits[i] = (bits[i] & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1022) << 52;
    }
    for (size_t i = 0; i < PLAY_WEALTHS && !normal; i++) {
        int shift;

        part[i] = frexp(part[i], &shift);
        power[i] += shift;
    }
    if (normal)
        memcpy(part, bits, sizeof bits);
}

/*
 * Computes the products of the factors m P(c) of a deck in one context, in a fixed order: low[a] and high[a] are two
 * parts of the product for pseudo-count a. The products cannot overflow: each element of up[] and down[] has at most 32
 * factors between 3 and 2^17, and the product of all m P(c) is at most n!.
 */
static inline void play_products(const struct sb_bettor_deck *deck, const int32_t seen[], const int32_t sum[],
                                 double low[], double high[])
{
    play_doubles up[SB_BETTOR_PSEUDO], down[SB_BETTOR_PSEUDO];

    for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++)
        up[a] = down[a] = (play_doubles) { 1, 1, 1, 1 };
    for (size_t i = 0; i < deck->n; i += SB_BETTOR_PRODUCTS) {
        play_integers counts, sums;
        play_doubles inverse;

        memcpy(&counts, seen + i, sizeof counts);
        memcpy(&sums, sum + i, sizeof sums);
        memcpy(&inverse, deck->inverse + i, sizeof inverse);
        const play_doubles count = __builtin_convertvector(counts, play_doubles);
        const play_doubles mean = __builtin_convertvector(sums, play_doubles) * inverse;

        for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++) {
            up[a] *= count + sb_bettor_pseudo[a];
            down[a] *= mean + sb_bettor_pseudo[a];
        }
    }
    for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++) {
        low[a] = (up[a][0] * up[a][1]) / (down[a][0] * down[a][1]);
        high[a] = (up[a][2] * up[a][3]) / (down[a][2] * down[a][3]);
    }
}

/* Multiplies the wealths of both contexts by the factors of a deck. */
static inline void play_settle(const struct sb_bettor_deck *deck, int32_t seen[][SB_BETTOR_MOST],
                               int32_t sum[][SB_BETTOR_MOST], double part[], int64_t power[])
{
    double low[PLAY_WEALTHS], high[PLAY_WEALTHS], fraction[PLAY_WEALTHS];
    int64_t powers[PLAY_WEALTHS];
    const size_t wealths = SB_BETTOR_PAIR * SB_BETTOR_PSEUDO;

    for (size_t k = 0; k < SB_BETTOR_PAIR; k++)
        play_products(deck, seen[k], sum[k], low + k * SB_BETTOR_PSEUDO, high + k * SB_BETTOR_PSEUDO);
    memcpy(fraction, part, wealths * sizeof part[0]);
    memcpy(powers, power, wealths * sizeof power[0]);
    for (size_t i = wealths; i < PLAY_WEALTHS; i++) {
        low[i] = high[i] = fraction[i] = 0.5;
        powers[i] = 0;
    }
    play_multiply(fraction, low, powers);
    play_multiply(fraction, high, powers);
    memcpy(part, fraction, wealths * sizeof part[0]);
    memcpy(power, powers, wealths * sizeof power[0]);
}

void SB_BETTOR_PLAY(struct sb_bettor_deck *deck, double part[], int64_t power[])
{
    const size_t n = deck->n;
    int32_t seen[SB_BETTOR_PAIR][SB_BETTOR_MOST], sum[SB_BETTOR_PAIR][SB_BETTOR_MOST];
    play_pair pair[SB_BETTOR_MOST];

    for (size_t i = 0; i < n; i++) {
        uint16_t *const a = deck->row[0][i], *const b = deck->row[1][i];

        play_sum(a, b, deck->turn, deck->width, (int)i - 1, &pair[i]);
        seen[0][i] = a[deck->label[i]]++;
        seen[1][i] = b[deck->label[i]]++;
    }
    for (size_t i = n; i % PLAY_FEW; i++) {
        pair[i] = (play_pair) { 0 };
        seen[0][i] = seen[1][i] = 0;
    }
    play_totals(pair, n, sum);
    for (size_t i = n; i % SB_BETTOR_PRODUCTS; i++)
        sum[0][i] = sum[1][i] = 0;
    play_settle(deck, seen, sum, part, power);
}
