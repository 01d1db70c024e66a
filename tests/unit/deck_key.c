/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of decks: the polynomial at both points by GMP; the counts of equal keys by comparing all pairs. */
#include "unit/test.h"

#include "tally/order.h"

#include <gmp.h>
#include <stdlib.h>

static uint64_t state = 1;

static uint64_t word(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}

/* SplitMix64's mixing of bits (doi:10.1145/2714064.2660195). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* w_1 r^m + ... + w_m r modulo 2^61 - 1, of words of three items. */
static uint64_t polynomial(size_t n, size_t k, const sb_item deal[], const char *point)
{
    const unsigned long base = n <= 65536 ? 65536 : 1048576;
    mpz_t prime, r, at, w;

    mpz_inits(prime, r, at, w, NULL);
    mpz_ui_pow_ui(prime, 2, 61);
    mpz_sub_ui(prime, prime, 1);
    mpz_set_str(r, point, 16);
    for (size_t i = 0; i < k; i += 3) {
        mpz_set_ui(w, 0);
        for (size_t j = i + 3; j-- > i;) {
            mpz_mul_ui(w, w, base);
            mpz_add_ui(w, w, j < k ? deal[j] : 0);
        }
        mpz_add(at, at, w);
        mpz_mul(at, at, r);
        mpz_mod(at, at, prime);
    }
    const uint64_t value = mpz_get_ui(at);

    mpz_clears(prime, r, at, w, NULL);
    return value;
}

TEST(polynomials_are_gmps)
{
    static const size_t sizes[][2] = {
        { 21, 21 }, { 22, 22 },   { 23, 23 },      { 24, 24 },        { 52, 52 },
        { 53, 40 }, { 300, 300 }, { 65536, 5000 }, { 1000000, 7777 },
    };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t n = sizes[i][0], k = sizes[i][1];
        sb_item *const deal = calloc(k, sizeof *deal);

        assert_non_null(deal);
        for (size_t j = 0; j < k; j++) /* a hash needs no permutation; the largest item is the hardest */
            deal[j] = (sb_item)(j % 5 ? word() % n : n - 1);
        const struct sb_deck_key key = sb_deck_key(n, k, deal);

        assert_true(key.high == mix(polynomial(n, k, deal, "1dfa0b5833e984c1")));
        assert_true(key.low == mix(polynomial(n, k, deal, "01140079b8722e9d")));
        free(deal);
    }
}

/* Keys of which some are equal, or equal in one half, or equal in their leading bits. */
TEST(equal_keys_are_counted)
{
    enum { KEYS = 8000 }; /* more than fit in one hash table */
    static struct sb_deck_key key[KEYS];

    for (unsigned kind = 0; kind < 5; kind++) {
        uint64_t distinct = 0, most = 0, found, run;

        for (size_t i = 0; i < KEYS; i++) {
            key[i] = (struct sb_deck_key) { .high = word(), .low = word() };
            if (kind == 1)
                key[i] = (struct sb_deck_key) { .high = word() % 40, .low = word() % 40 };
            if (kind == 2)
                key[i].high >>= 24;
            if (kind == 4)
                key[i].high = 1;
            if (kind == 3 && i % 2)
                key[i] = key[word() % i];
        }
        for (size_t i = 0; i < KEYS; i++) {
            uint64_t before = 0, all = 0;

            for (size_t j = 0; j < KEYS; j++)
                if (key[j].high == key[i].high && key[j].low == key[i].low) {
                    before += j < i;
                    all++;
                }
            distinct += before == 0;
            most = all > most ? all : most;
        }
        sb_deck_key_count(key, KEYS, kind % 2 + 1, &found, &run);
        assert_true(found == distinct && run == most);
    }
}
