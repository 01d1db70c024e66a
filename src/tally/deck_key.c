/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of decks: a hash that tells decks apart, and how equal keys are counted.
 *
 * The hash of a deck: each group of three items forms a word of 48 bits, or of 60 bits if there are more than
 * 65,536 items. The words w_1 .. w_m are the coefficients of the polynomial w_1 r^m + ... + w_m r modulo 2^61
 * - 1, which is evaluated at two fixed points r that were drawn at random. The polynomials of two different
 * decks agree at a random point with a probability of at most m / (2^61 - 1), because the difference of their
 * polynomials has at most m roots. For 52 cards, two polynomials agree at both points with a probability
 * below 10^-34, so the probability that any two different decks among 10^8 have equal keys is below 10^-18.
 *
 * Counting relies on the even distribution of keys. A first pass partitions the keys in place by their
 * leading bits. Each part is partitioned in the same way by the next bits, until a hash table in the cache
 * can hold the distinct keys of a part. The parts of the first pass are distributed among the threads. Cost
 * for each key: 2m multiplications, and about 0.03 us to count.
 *
 * J. L. Carter and M. N. Wegman, Universal classes of hash functions, doi:10.1016/0022-0000(79)90044-8. The
 * mixing of bits is SplitMix64's, doi:10.1145/2714064.2660195.
 */
#include "tally/deck_key.h"

#include "core/numbers.h"
#include "core/system.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* number of words per reduction modulo 2^61 - 1, enough for 66 items; each reduction waits for the previous
 * one, so fewer reductions are faster */
enum { KEY_WORDS = 22 };

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

/* The value modulo 2^61 - 1: the remainder of the sum of its digits in base 2^61. */
static uint64_t key_remainder(sb_wide value)
{
    const uint64_t digit[] = {
        sb_wide_low(value) & key_prime,
        sb_wide_low(sb_wide_shift(value, 61)) & key_prime,
        sb_wide_low(sb_wide_shift(value, 122)),
    };

    return key_reduce(digit[0] + digit[1] + digit[2]);
}

/* A word of three items. */
static inline uint64_t key_word(const sb_item item[], unsigned bits)
{
    return item[0] | (uint64_t)item[1] << bits | (uint64_t)item[2] << 2 * bits;
}

/* The last word of a deal, if only one or two items are left for it. */
static inline uint64_t key_last_word(const sb_item item[], size_t left, unsigned bits)
{
    return item[0] | (left == 2 ? (uint64_t)item[1] << bits : 0);
}

/* Stores the values of the polynomial at both points in at[], which must contain zeroes. The function is
 * inline so that the number of bits is a constant. */
static inline void key_polynomial(size_t k, const sb_item deal[], unsigned bits, uint64_t at[2])
{
    /* Powers KEY_WORDS, KEY_WORDS - 1, .., 1 of two points in 0..2^61-2. */
    static const uint64_t power[2][KEY_WORDS] = {
        {
            UINT64_C(0x04ea3c53edcbd534), UINT64_C(0x06fd4f09ccd4cb29), UINT64_C(0x183d93b1f43315bc),
            UINT64_C(0x1cd614898ae2d245), UINT64_C(0x05e01ee511bc6a7d), UINT64_C(0x140d6d042209c69d),
            UINT64_C(0x1cee0324cc12be50), UINT64_C(0x1df6f4baf5a37a02), UINT64_C(0x02d8e1566e84863c),
            UINT64_C(0x0206729281e32d35), UINT64_C(0x1520faa478dc4437), UINT64_C(0x1fb75000b4a6f646),
            UINT64_C(0x0252f8bc0a5914d5), UINT64_C(0x1860c20059e07c5f), UINT64_C(0x02e51a6efaa36c94),
            UINT64_C(0x09b96c52b7527bb9), UINT64_C(0x18103b59013f6ebf), UINT64_C(0x14dbbe71efeb65b0),
            UINT64_C(0x133a3c6979c7cf2d), UINT64_C(0x19c71539934fa90f), UINT64_C(0x0b8390f8f67191a8),
            UINT64_C(0x1dfa0b5833e984c1),
        },
        {
            UINT64_C(0x0e3be9cdb2196633), UINT64_C(0x16093915fa083429), UINT64_C(0x1c92776ad9e0b9c5),
            UINT64_C(0x13d368a653eefc4e), UINT64_C(0x1b6df65011f12ea2), UINT64_C(0x099983bdb70da70a),
            UINT64_C(0x1eb2e277806d7572), UINT64_C(0x0b65a6c9adc1ce09), UINT64_C(0x19a17e5e7fc61903),
            UINT64_C(0x03359eda0b69c717), UINT64_C(0x034a52d59a63e591), UINT64_C(0x0726d386f60f6380),
            UINT64_C(0x0b6af3adc00086fd), UINT64_C(0x1452aceaed031eed), UINT64_C(0x1325f71f0ea8b0e5),
            UINT64_C(0x08d4057602a5ad81), UINT64_C(0x0513daec6135c5ee), UINT64_C(0x1ad0f7df6416ce2a),
            UINT64_C(0x1713fee5f3223c15), UINT64_C(0x0b18f68d63a0df93), UINT64_C(0x0365b2e170004cec),
            UINT64_C(0x01140079b8722e9d),
        },
    };
    size_t left = (k + 2) / 3;

    while (left > 0) {
        const size_t words =
            left % KEY_WORDS ? left % KEY_WORDS : KEY_WORDS; /* only the first group is short */
        const uint64_t *const x = power[0] + KEY_WORDS - words, *const y = power[1] + KEY_WORDS - words;
        /* the sums stay below 2^61 2^61 + KEY_WORDS 2^60 2^61 < 2^126 */
        sb_wide at_x = sb_wide_product(at[0], x[0]), at_y = sb_wide_product(at[1], y[0]);

        const size_t whole = words == left && k % 3 ? words - 1 : words;

        for (size_t i = 0; i < whole; i++, deal += 3) {
            const uint64_t word = key_word(deal, bits);

            at_x = sb_wide_add(at_x, sb_wide_product(word, x[i]));
            at_y = sb_wide_add(at_y, sb_wide_product(word, y[i]));
        }
        if (whole < words) {
            const uint64_t word = key_last_word(deal, k % 3, bits);

            at_x = sb_wide_add(at_x, sb_wide_product(word, x[whole]));
            at_y = sb_wide_add(at_y, sb_wide_product(word, y[whole]));
        }
        at[0] = key_remainder(at_x);
        at[1] = key_remainder(at_y);
        left -= words;
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

/* ln of the probability that two of exp(ln_deals) deals are equal, or that their keys are. */
static double key_ln_pair(size_t n, size_t k, double ln_deals)
{
    if (sb_deals(n, k) < UINT64_MAX)
        return -ln_deals;
    const double ln_key = 2 * log((double)n * 0x1p-61), other = -ln_deals - ln_key;

    return other < 0 ? ln_key + log1p(exp(other)) : -ln_deals + log1p(exp(-other));
}

double sb_deck_key_ln_pair(size_t n, size_t k)
{
    double ln_deals = 0;

    for (size_t i = 0; i < k; i++)
        ln_deals += log((double)(n - i));
    return key_ln_pair(n, k, ln_deals);
}

double sb_deck_key_ln_pair_equal(const struct sb_multiset *multiset)
{
    return key_ln_pair(multiset->n, multiset->n, sb_multiset_ln_arrangements(multiset));
}

enum {
    /* number of bits in the index of a part. There are so few parts that the level-1 cache holds the next key
     * of every part */
    KEY_BITS = 6,
    KEY_PARTS = 1 << KEY_BITS,
    KEY_SLOT_BITS = 13,
    KEY_SLOTS = 1 << KEY_SLOT_BITS, /* slots of a hash table that stays in a cache */
    KEY_SLOT_SHIFT = 64 - KEY_SLOT_BITS,
    KEY_DISTINCT_MOST = KEY_SLOTS / 4 * 3, /* the most distinct keys in this table */
    KEY_THREAD_LEAST = 4096,               /* the fewest keys for each thread */
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

/* The distinct keys of a part, by their hash. */
struct key_set {
    uint32_t first[KEY_SLOTS]; /* 1 + index of the first key of this slot; 0: the slot is free */
    uint32_t again[KEY_SLOTS]; /* number of later keys that equal this key */
};

/* Counts the distinct keys, and how often the most frequent key occurs. Returns false if there are more than
 * KEY_DISTINCT_MOST distinct keys. */
static bool key_count_few(const struct sb_deck_key key[], size_t count, uint64_t *distinct, uint64_t *most)
{
    struct key_set set;
    uint32_t again = 0;

    *distinct = 0;
    memset(&set, 0, sizeof set);
    for (size_t i = 0; i < count; i++) {
        /* Fibonacci hashing: Knuth, The Art of Computer Programming, vol. 3, 6.4 */
        size_t slot = (size_t)((key[i].high + key[i].low) * UINT64_C(0x9e3779b97f4a7c15) >> KEY_SLOT_SHIFT);

        while (set.first[slot] && key_compare(&key[set.first[slot] - 1], &key[i]) != 0)
            slot = (slot + 1) % KEY_SLOTS;
        if (set.first[slot]) {
            set.again[slot]++;
            again = set.again[slot] > again ? set.again[slot] : again;
            continue;
        }
        if (++*distinct > KEY_DISTINCT_MOST)
            return false;
        set.first[slot] = (uint32_t)(i + 1);
    }
    *most = count > 0 ? again + UINT64_C(1) : 0;
    return true;
}

/* Sorts the keys. Counts the distinct keys, and how often the most frequent key occurs. */
static void key_count_runs(struct sb_deck_key key[], size_t count, uint64_t *distinct, uint64_t *most)
{
    uint64_t run = 0;

    *distinct = *most = 0;
    qsort(key, count, sizeof *key, key_compare);
    for (size_t i = 0; i < count; i++) {
        const bool again = i > 0 && key_compare(&key[i - 1], &key[i]) == 0;

        run = again ? run + 1 : 1;
        *distinct += !again;
        *most = run > *most ? run : *most;
    }
}

/* Counts the distinct keys, and how often the most frequent key occurs. Apart from its lowest `bits` bits,
 * key.high is the same in all keys. */
static void key_count_part(struct sb_deck_key key[], size_t count, unsigned bits, uint64_t *distinct,
                           uint64_t *most)
{
    size_t begin[KEY_PARTS + 1];

    if (count <= UINT32_MAX && key_count_few(key, count, distinct, most))
        return;
    if (bits < KEY_BITS) {
        key_count_runs(key, count, distinct, most);
        return;
    }
    key_deal_out(key, count, bits - KEY_BITS, begin);
    *distinct = *most = 0;
    for (size_t p = 0; p < KEY_PARTS; p++) {
        uint64_t different, run;

        key_count_part(key + begin[p], begin[p + 1] - begin[p], bits - KEY_BITS, &different, &run);
        *distinct += different;
        *most = run > *most ? run : *most;
    }
}

/* State that the threads share. */
struct key_counting {
    struct sb_deck_key *key;
    size_t begin[KEY_PARTS + 1];
    atomic_size_t next; /* next part to take */
    pthread_mutex_t lock;
    uint64_t distinct, most; /* totals of the threads that have finished; protected by the lock */
};

/* A thread's work: takes parts until none is left. */
static void key_count_parts(void *state, size_t thread)
{
    struct key_counting *const counting = state;
    uint64_t distinct = 0, most = 0;
    size_t s;

    (void)thread;
    while ((s = atomic_fetch_add(&counting->next, 1)) < KEY_PARTS) {
        uint64_t different, run;

        key_count_part(counting->key + counting->begin[s], counting->begin[s + 1] - counting->begin[s],
                       64 - KEY_BITS, &different, &run);
        distinct += different;
        most = run > most ? run : most;
    }
    pthread_mutex_lock(&counting->lock);
    counting->distinct += distinct;
    counting->most = most > counting->most ? most : counting->most;
    pthread_mutex_unlock(&counting->lock);
}

void sb_deck_key_count(struct sb_deck_key key[], size_t count, size_t threads, uint64_t *distinct,
                       uint64_t *most)
{
    struct key_counting counting = { .key = key, .lock = PTHREAD_MUTEX_INITIALIZER };

    key_deal_out(key, count, 64 - KEY_BITS, counting.begin);
    sb_threads_run(sb_threads_count(threads, count / KEY_THREAD_LEAST), key_count_parts, &counting);
    *distinct = counting.distinct;
    *most = counting.most;
}
