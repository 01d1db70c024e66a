/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of decks: a hash that tells decks apart, and a sort that counts equal keys.
 *
 * The hash of a deck: each group of three items forms a word of 48 bits, or of 60 bits if there are more than
 * 65,536 items. The words w_1 .. w_m are the coefficients of the polynomial w_1 r^m + ... + w_m r modulo 2^61 -
 * 1, which is evaluated at two fixed points r that were drawn at random. Two different decks agree at a random
 * point with a probability of at most m / (2^61 - 1), because the difference of their polynomials has at most m
 * roots. For 52 cards, they agree at both points with a probability below 10^-34, so the probability that any
 * two different decks among 10^8 have equal keys is below 10^-18.
 *
 * The sort relies on the even distribution of keys. A pass in place partitions them by their leading bits, and
 * each part is partitioned in the same way by the next bits, until a part has few keys. The parts of the first
 * pass are distributed among the threads. Cost for each key: 2m multiplications, and about 0.04 us to sort.
 *
 * J. L. Carter and M. N. Wegman, Universal classes of hash functions, doi:10.1016/0022-0000(79)90044-8. The
 * mixing of bits is SplitMix64's, doi:10.1145/2714064.2660195.
 */
#include "tally/deck_key.h"

#include "core/system/threads.h"
#include "core/wide.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* words per reduction modulo 2^61 - 1, because each reduction waits for the previous one */
enum { KEY_WORDS = 4 };

static const uint64_t key_prime = (UINT64_C(1) << 61) - 1;

/* A bijection of 64-bit numbers; every bit of the result depends on all bits of x. */
static uint64_t key_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t key_reduce(uint64_t x)
{
    x = (x & key_prime) + (x >> 61);
    return x >= key_prime ? x - key_prime : x;
}

/* (at + word[0]) power[0] + word[1] power[1] + ... modulo 2^61 - 1. `at`, the words and the powers are below
 * 2^61. */
static uint64_t key_step(uint64_t at, const uint64_t word[KEY_WORDS], const uint64_t power[KEY_WORDS])
{
    sb_wide sum = sb_wide_product(at + word[0], power[0]);

    for (size_t i = 1; i < KEY_WORDS; i++)
        sum = sb_wide_add(sum, sb_wide_product(word[i], power[i]));
    const uint64_t low = sb_wide_low(sum) & key_prime, high = sb_wide_low(sb_wide_shift(sum, 61));

    return key_reduce(low + (high & key_prime) + (high >> 61));
}

/* Word i of a deal: three items, or in the last word the one or two items that are left. */
static inline uint64_t key_word(size_t k, const sb_item deal[], size_t i, unsigned bits)
{
    const sb_item *const item = deal + 3 * i;
    const size_t left = k - 3 * i;

    if (left >= 3)
        return item[0] | (uint64_t)item[1] << bits | (uint64_t)item[2] << 2 * bits;
    return item[0] | (left == 2 ? (uint64_t)item[1] << bits : 0);
}

/* The polynomial at both points; the caller sets at[0] and at[1] to 0. Inline, so that the number of bits is a
 * constant. */
static inline void key_polynomial(size_t k, const sb_item deal[], unsigned bits, uint64_t at[2])
{
    /* Two points in 0..2^61-2: the fourth, third, second and first power of each. */
    static const uint64_t power[2][KEY_WORDS] = {
        { UINT64_C(0x133a3c6979c7cf2d), UINT64_C(0x19c71539934fa90f), UINT64_C(0x0b8390f8f67191a8),
          UINT64_C(0x1dfa0b5833e984c1) },
        { UINT64_C(0x1713fee5f3223c15), UINT64_C(0x0b18f68d63a0df93), UINT64_C(0x0365b2e170004cec),
          UINT64_C(0x01140079b8722e9d) },
    };
    const size_t words = (k + 2) / 3;
    /* number of zero words before the first word */
    size_t done = 0, missing = (KEY_WORDS - words % KEY_WORDS) % KEY_WORDS;

    while (done < words) {
        uint64_t word[KEY_WORDS] = { 0 };

        for (size_t j = missing; j < KEY_WORDS; j++)
            word[j] = key_word(k, deal, done++, bits);
        for (size_t point = 0; point < 2; point++)
            at[point] = key_step(at[point], word, power[point]);
        missing = 0;
    }
}

struct sb_deck_key sb_deck_key(size_t n, size_t k, const sb_item deal[])
{
    uint64_t at[2] = { 0, 0 };

    if (sb_deals(n, k) != UINT64_MAX)
        return (struct sb_deck_key) { .high = key_mix(sb_permutation_rank(n, k, deal)), .low = 0 };
    if (n <= 1 << 16)
        key_polynomial(k, deal, 16, at);
    else
        key_polynomial(k, deal, 20, at); /* n <= SB_TALLIED_MOST < 2^20 */
    return (struct sb_deck_key) { .high = key_mix(at[0]), .low = key_mix(at[1]) };
}

double sb_deck_key_ln_pair(size_t n, size_t k)
{
    double ln_deals = 0;

    for (size_t i = 0; i < k; i++)
        ln_deals += log((double)(n - i));
    if (sb_deals(n, k) < UINT64_MAX)
        return -ln_deals;
    const double ln_key = 2 * log((double)n * 0x1p-61);

    return ln_key + log1p(exp(-ln_deals - ln_key));
}

enum {
    /* bits that number a part; there are so few parts that the next key of each fits in the level-1 cache */
    KEY_BITS = 6,
    KEY_PARTS = 1 << KEY_BITS,
    KEY_FEW = 32,            /* the most keys that are sorted by insertion */
    KEY_THREAD_LEAST = 4096, /* the fewest keys for each thread */
};

/* The part to which a key belongs: the KEY_BITS bits of key.high above its lowest `shift` bits. */
static size_t key_part(struct sb_deck_key key, unsigned shift)
{
    return (size_t)(key.high >> shift) & (KEY_PARTS - 1);
}

/* Partitions the keys in place: part p becomes key[begin[p] .. begin[p+1]-1]. */
static void key_deal_out(struct sb_deck_key key[], size_t count, unsigned shift, size_t begin[KEY_PARTS + 1])
{
    size_t next[KEY_PARTS];

    for (size_t p = 0; p <= KEY_PARTS; p++)
        begin[p] = 0;
    for (size_t i = 0; i < count; i++)
        begin[key_part(key[i], shift) + 1]++;
    for (size_t p = 0; p < KEY_PARTS; p++) {
        next[p] = begin[p];
        begin[p + 1] += begin[p];
    }
    for (size_t p = 0; p < KEY_PARTS; p++)
        while (next[p] < begin[p + 1]) {
            const size_t home = key_part(key[next[p]], shift);

            if (home == p) {
                next[p]++;
            } else {
                const struct sb_deck_key moved = key[next[p]];

                key[next[p]] = key[next[home]];
                key[next[home]++] = moved;
            }
        }
}

static int key_compare(const void *a, const void *b)
{
    const struct sb_deck_key *const x = a, *const y = b;
    const int order = (x->high > y->high) - (x->high < y->high);

    return order ? order : (x->low > y->low) - (x->low < y->low);
}

static void key_insert(struct sb_deck_key key[], size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct sb_deck_key moved = key[i];
        size_t j = i;

        for (; j > 0 && key_compare(&key[j - 1], &moved) > 0; j--)
            key[j] = key[j - 1];
        key[j] = moved;
    }
}

/* Sorts keys that agree in all but the lowest `bits` bits of key.high. */
static void key_sort(struct sb_deck_key key[], size_t count, unsigned bits)
{
    size_t begin[KEY_PARTS + 1];

    if (count <= KEY_FEW) {
        key_insert(key, count);
    } else if (bits < KEY_BITS) { /* many equal keys */
        qsort(key, count, sizeof *key, key_compare);
    } else {
        key_deal_out(key, count, bits - KEY_BITS, begin);
        for (size_t p = 0; p < KEY_PARTS; p++)
            key_sort(key + begin[p], begin[p + 1] - begin[p], bits - KEY_BITS);
    }
}

/* Sorts one part, and counts its different keys and its most frequent key. */
static void key_count_part(struct sb_deck_key key[], size_t count, uint64_t *distinct, uint64_t *most)
{
    uint64_t run = 0;

    *distinct = *most = 0;
    key_sort(key, count, 64 - KEY_BITS);
    for (size_t i = 0; i < count; i++) {
        const bool again = i > 0 && key_compare(&key[i - 1], &key[i]) == 0;

        run = again ? run + 1 : 1;
        *distinct += !again;
        *most = run > *most ? run : *most;
    }
}

/* State that the threads share. */
struct key_sorting {
    struct sb_deck_key *key;
    size_t begin[KEY_PARTS + 1];
    atomic_size_t next; /* next part to take */
    pthread_mutex_t lock;
    uint64_t distinct, most; /* totals of the threads that have finished; protected by the lock */
};

/* A thread's work: takes parts until none is left. */
static void key_sort_parts(void *state, size_t thread)
{
    struct key_sorting *const sorting = state;
    uint64_t distinct = 0, most = 0;
    size_t s;

    (void)thread;
    while ((s = atomic_fetch_add(&sorting->next, 1)) < KEY_PARTS) {
        uint64_t different, run;

        key_count_part(sorting->key + sorting->begin[s], sorting->begin[s + 1] - sorting->begin[s],
                       &different, &run);
        distinct += different;
        most = run > most ? run : most;
    }
    pthread_mutex_lock(&sorting->lock);
    sorting->distinct += distinct;
    sorting->most = most > sorting->most ? most : sorting->most;
    pthread_mutex_unlock(&sorting->lock);
}

void sb_deck_key_sort(struct sb_deck_key key[], size_t count, size_t threads, uint64_t *distinct,
                      uint64_t *most)
{
    struct key_sorting sorting = { .key = key, .lock = PTHREAD_MUTEX_INITIALIZER };

    key_deal_out(key, count, 64 - KEY_BITS, sorting.begin);
    sb_threads_run(sb_threads_count(threads, count / KEY_THREAD_LEAST), key_sort_parts, &sorting);
    *distinct = sorting.distinct;
    *most = sorting.most;
}
