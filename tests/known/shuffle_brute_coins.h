/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brute-force computations for the sorts by coins: each sort is run with every string of as many coins as it
 * can use.
 */
#ifndef SB_TESTS_SHUFFLE_BRUTE_COINS_H
#define SB_TESTS_SHUFFLE_BRUTE_COINS_H

#include "shuffle_brute.h"

struct coins {
    uint32_t string;
    unsigned used;
};

static inline bool heads(struct coins *coins)
{
    return coins->string >> coins->used++ & 1;
}

typedef void sorting(size_t n, uint8_t a[], struct coins *coins);

/* Sorts with every string of c coins, which must be enough for the longest sort. */
static inline void toss(struct law *law, sorting *sort, unsigned c)
{
    for (uint32_t string = 0; string < UINT32_C(1) << c; string++) {
        struct coins coins = { .string = string };
        uint8_t a[MOST] = { 0 };

        for (size_t j = 0; j < law->n; j++)
            a[j] = (uint8_t)j;
        sort(law->n, a, &coins);
        if (coins.used > c) /* then the law would be wrong: let it show */
            continue;
        law->weight[encode(law->n, a)]++;
    }
}

static inline unsigned pairs(size_t n)
{
    return (unsigned)(n * (n - 1) / 2);
}

/* a[i] comes to its place among a[0..i-1] by asking neighbour after neighbour. */
static inline void by_insertion(size_t n, uint8_t a[], struct coins *coins)
{
    for (size_t i = 1; i < n; i++) {
        size_t place = i;

        while (place > 0 && heads(coins))
            place--;
        lift(n, a, place, i);
    }
}

/* The place among lo..hi found by halving. */
static inline size_t halve(size_t lo, size_t hi, struct coins *coins)
{
    const size_t middle = (lo + hi) / 2;

    if (lo == hi)
        return lo;
    return heads(coins) ? halve(lo, middle, coins) : halve(middle + 1, hi, coins);
}

static inline void by_halving(size_t n, uint8_t a[], struct coins *coins)
{
    for (size_t i = 1; i < n; i++)
        lift(n, a, halve(0, i, coins), i);
}

static inline void by_run(size_t n, uint8_t a[], struct coins *coins)
{
    const bool down = heads(coins);
    size_t i = 2;

    for (; i < n; i++)
        if (heads(coins) != down)
            break;
    if (down)
        reverse(i, a, 0, 0);
    for (; i < n; i++)
        lift(n, a, halve(0, i, coins), i);
}

/* Sorts a[lo..hi-1]. */
static void merge_part(size_t lo, size_t hi, uint8_t a[], struct coins *coins)
{
    const size_t middle = lo + (hi - lo) / 2;
    uint8_t merged[MOST] = { 0 };
    size_t left = lo, right = middle;

    if (hi - lo < 2)
        return;
    merge_part(lo, middle, a, coins);
    merge_part(middle, hi, a, coins);
    for (size_t k = lo; k < hi; k++) {
        const bool choice = left < middle && right < hi;
        const bool from_left = choice ? heads(coins) : left < middle;

        merged[k] = from_left ? a[left++] : a[right++];
    }
    for (size_t k = lo; k < hi; k++)
        a[k] = merged[k];
}

static inline void by_merging(size_t n, uint8_t a[], struct coins *coins)
{
    merge_part(0, n, a, coins);
}

static inline void by_partition(size_t n, uint8_t a[], struct coins *coins)
{
    size_t less = 0;

    if (n < 2)
        return;
    for (size_t j = 0; j < n - 1; j++)
        if (heads(coins))
            swap(n, a, less++, j);
    swap(n, a, less, n - 1);
    by_partition(less, a, coins);
    by_partition(n - 1 - less, a + less + 1, coins);
}

/* Sinks node i, counted from 1, in a heap of m. */
static inline void sink(size_t m, uint8_t a[], size_t i, struct coins *coins)
{
    size_t child = 2 * i;

    if (child > m)
        return;
    if (child < m && heads(coins))
        child++;
    if (heads(coins)) {
        swap(m, a, i - 1, child - 1);
        sink(m, a, child, coins);
    }
}

static inline void by_heap(size_t n, uint8_t a[], struct coins *coins)
{
    for (size_t i = n / 2; i >= 1; i--)
        sink(n, a, i, coins);
    for (size_t m = n; m >= 2; m--) {
        swap(n, a, 0, m - 1);
        sink(m - 1, a, 1, coins);
    }
}

static inline void by_selection(size_t n, uint8_t a[], struct coins *coins)
{
    size_t least = 0;

    if (n < 2)
        return;
    for (size_t j = 1; j < n; j++)
        least = heads(coins) ? j : least;
    swap(n, a, 0, least);
    by_selection(n - 1, a + 1, coins);
}

static inline void by_bubbles(size_t n, uint8_t a[], struct coins *coins)
{
    for (size_t k = 0; k < n * (n - 1); k++)
        if (heads(coins))
            swap(n, a, k % (n - 1), k % (n - 1) + 1);
}

static inline void sort_insertion(struct law *law)
{
    toss(law, by_insertion, pairs(law->n));
}

static inline void sort_binary_insertion(struct law *law)
{
    toss(law, by_halving, pairs(law->n));
}

static inline void sort_timsort(struct law *law)
{
    toss(law, by_run, pairs(law->n) + 2);
}

static inline void sort_merge(struct law *law)
{
    toss(law, by_merging, pairs(law->n));
}

static inline void sort_quick(struct law *law)
{
    toss(law, by_partition, pairs(law->n));
}

static inline void sort_heap(struct law *law)
{
    toss(law, by_heap, pairs(law->n) + 2);
}

static inline void sort_selection(struct law *law)
{
    toss(law, by_selection, pairs(law->n));
}

static inline void sort_bubble(struct law *law)
{
    toss(law, by_bubbles, 2 * pairs(law->n));
}

#endif
