/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brute-force computations of the exact laws of shuffles of n <= 5, which share no code with the shuffles.
 * They keep weights of arrangements. A shuffle that is a series of random moves is a series of mixtures of
 * such weights. All other shuffles are enumerated.
 */
#ifndef SB_TESTS_SHUFFLE_BRUTE_H
#define SB_TESTS_SHUFFLE_BRUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 5, ARRANGEMENTS = 3125 };

struct law {
    size_t n;
    size_t deal; /* for those that take another way for it */
    uint64_t weight[ARRANGEMENTS];
};

static inline size_t power(size_t base, size_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

static inline size_t encode(size_t n, const uint8_t a[])
{
    size_t code = 0;

    for (size_t j = 0; j < n; j++)
        code = code * n + a[j];
    return code;
}

static inline void decode(size_t n, size_t code, uint8_t a[])
{
    for (size_t j = n; j-- > 0; code /= n)
        a[j] = (uint8_t)(code % n);
}

static inline void start(struct law *law)
{
    uint8_t a[MOST] = { 0 };

    for (size_t j = 0; j < law->n; j++)
        a[j] = (uint8_t)j;
    law->weight[encode(law->n, a)] = 1;
}

typedef void move(size_t n, uint8_t a[], size_t i, size_t j);

static inline void swap(size_t n, uint8_t a[], size_t i, size_t j)
{
    const uint8_t item = a[i];

    a[i] = a[j];
    a[j] = item;
}

/* The item at j comes to i <= j; those from i on make room. */
static inline void lift(size_t n, uint8_t a[], size_t i, size_t j)
{
    const uint8_t item = a[j];

    for (; j > i; j--)
        a[j] = a[j - 1];
    a[i] = item;
}

/* The new item i enters at j; what was there goes to the end, i. */
static inline void enter(size_t n, uint8_t a[], size_t i, size_t j)
{
    a[i] = a[j];
    a[j] = (uint8_t)i;
}

static inline void turn(size_t n, uint8_t a[], size_t i, size_t j)
{
    uint8_t turned[MOST] = { 0 };

    for (size_t p = 0; p < n; p++)
        turned[p] = a[(p + j) % n];
    memcpy(a, turned, n);
}

static inline void reverse(size_t n, uint8_t a[], size_t i, size_t j)
{
    for (size_t p = 0; p < n / 2; p++)
        swap(n, a, p, n - 1 - p);
}

/* Makes the move with each i in i0..i1-1 and j in j0..j1-1, all equally likely; where `apart`, with i != j
 * alone. */
static inline void mix(struct law *law, move *make, size_t i0, size_t i1, size_t j0, size_t j1, bool apart)
{
    const struct law before = *law;

    memset(law->weight, 0, sizeof law->weight);
    for (size_t code = 0; code < power(law->n, law->n); code++)
        for (size_t i = i0; before.weight[code] && i < i1; i++)
            for (size_t j = j0; j < j1; j++) {
                uint8_t a[MOST] = { 0 };

                if (apart && i == j)
                    continue;
                decode(law->n, code, a);
                make(law->n, a, i, j);
                law->weight[encode(law->n, a)] += before.weight[code];
            }
}

static inline void fisher_yates(struct law *law)
{
    start(law);
    for (size_t i = law->n - 1; i >= 1; i--)
        mix(law, swap, i, i + 1, 0, i + 1, false);
}

static inline void fisher_yates_forward(struct law *law)
{
    start(law);
    for (size_t i = 0; i < law->n - 1; i++)
        mix(law, swap, i, i + 1, i, law->n, false);
}

/* The source shrinks at the front of the array; the cards drawn pile up behind it, the first at the very
 * end. */
static inline void fisher_yates_original(struct law *law)
{
    start(law);
    for (size_t m = law->n; m > 0; m--)
        mix(law, swap, m - 1, m, 0, m, false);
    mix(law, reverse, 0, 1, 0, 1, false);
}

/* The cards drawn are at the front, and the source behind them. */
static inline void splice(struct law *law)
{
    start(law);
    for (size_t i = 0; i < law->n; i++)
        mix(law, lift, i, i + 1, i, law->n, false);
}

static inline void inside_out(struct law *law)
{
    start(law);
    for (size_t i = 0; i < law->n; i++)
        mix(law, enter, i, i + 1, 0, i + 1, false);
}

static inline void naive(struct law *law)
{
    start(law);
    for (size_t i = 0; i < law->n; i++)
        mix(law, swap, i, i + 1, 0, law->n, false);
}

static inline void naive_backward(struct law *law)
{
    start(law);
    for (size_t i = law->n; i > 0; i--)
        mix(law, swap, i - 1, i, 0, law->n, false);
}

static inline void transpositions(struct law *law)
{
    start(law);
    for (size_t k = 0; k < law->n; k++)
        mix(law, swap, 0, law->n, 0, law->n, false);
}

static inline void sattolo(struct law *law)
{
    start(law);
    for (size_t i = law->n - 1; i >= 1; i--)
        mix(law, swap, i, i + 1, 0, i, false);
}

static inline void fisher_yates_stops_early(struct law *law)
{
    start(law);
    for (size_t i = law->n - 1; i >= 2; i--)
        mix(law, swap, i, i + 1, 0, i + 1, false);
}

static inline void fisher_yates_full_range(struct law *law)
{
    start(law);
    for (size_t i = law->n - 1; i >= 1; i--)
        mix(law, swap, i, i + 1, 0, law->n, false);
}

static inline void naive_no_self(struct law *law)
{
    start(law);
    for (size_t i = 0; i < law->n; i++)
        mix(law, swap, i, i + 1, 0, law->n, true);
}

static inline void planet_poker(struct law *law)
{
    start(law);
    for (size_t i = 0; i < law->n; i++)
        mix(law, swap, i, i + 1, 0, law->n - 1, false);
}

static inline void rotate(struct law *law)
{
    start(law);
    mix(law, turn, 0, 1, 0, law->n, false);
}

static inline void inside_out_truncated(struct law *law)
{
    start(law);
    for (size_t i = 0; i < law->deal; i++)
        mix(law, enter, i, i + 1, 0, i + 1, false);
}

static inline void fisher_yates_partial_head(struct law *law)
{
    start(law);
    for (size_t i = law->n; i > law->n - law->deal; i--)
        mix(law, swap, i - 1, i, 0, i, false);
}

/* Every series of draws; a card that is drawn overwrites another. */
static inline void reservoir(struct law *law)
{
    size_t count = 1;

    for (size_t i = law->deal; i < law->n; i++)
        count *= i + 1;
    for (size_t series = 0; series < count; series++) {
        uint8_t a[MOST] = { 0, 1, 2, 3, 4 };
        size_t rest = series;

        for (size_t i = law->deal; i < law->n; rest /= i + 1, i++)
            if (rest % (i + 1) < law->deal)
                a[rest % (i + 1)] = (uint8_t)i;
        law->weight[encode(law->n, a)]++;
    }
}

/*
 * Every series of n+1 cards drawn from the whole deck. A series that has not come to the end, since too
 * few of its cards are different, is left out: that does not depend on which cards they are, so the
 * others keep their proportions.
 */
static inline void redraw(struct law *law)
{
    const size_t n = law->n;

    for (size_t series = 0; series < power(n, n + 1); series++) {
        uint8_t a[MOST] = { 0 };
        unsigned seen = 0;
        size_t length = 0;

        for (size_t k = 0, rest = series; k < n + 1; k++, rest /= n)
            if (!(seen & 1U << rest % n)) {
                seen |= 1U << rest % n;
                a[length++] = (uint8_t)(rest % n);
            }
        if (length == n)
            law->weight[encode(n, a)]++;
    }
}

/* Every series of n keys; for each key in turn the items that have it come, the first first. */
static inline void sort_by_key(struct law *law, size_t keys)
{
    const size_t n = law->n;

    for (size_t series = 0; series < power(keys, n); series++) {
        uint8_t a[MOST] = { 0 };
        size_t length = 0;

        for (size_t key = 0; key < keys; key++)
            for (size_t item = 0; item < n; item++)
                if (series / power(keys, item) % keys == key)
                    a[length++] = (uint8_t)item;
        law->weight[encode(n, a)]++;
    }
}

static inline void sort_by_1_bit(struct law *law)
{
    sort_by_key(law, 2);
}

static inline void sort_by_2_bits(struct law *law)
{
    sort_by_key(law, 4);
}

#endif
