/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faulty shuffles that are in no catalogue, for the test of names (named_outsiders.py). They share no code with the
 * program: a generator of their own, and each shuffle as its author might have written it.
 *
 *     outsiders NAME N SEED [DECKS]    writes decks of N items, a byte per item, without an end or DECKS of them
 *     outsiders                        lists the names
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* splitmix64 (Steele, Lea and Flood, doi:10.1145/2660193.2660195) */
static uint64_t word(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* An integer in 0..k-1; its bias of k/2^31 does not matter here. */
static int below(int k)
{
    return (int)((word() >> 33) % (uint64_t)k);
}

static int coin(int percent)
{
    return below(100) < percent;
}

static void swap(unsigned char a[], int i, int j)
{
    const unsigned char kept = a[i];

    a[i] = a[j];
    a[j] = kept;
}

static void fair(unsigned char a[], int n)
{
    for (int i = n - 1; i > 0; i--)
        swap(a, i, below(i + 1));
}

static void naive(unsigned char a[], int n)
{
    for (int i = 0; i < n; i++)
        swap(a, i, below(n));
}

static void sattolo(unsigned char a[], int n)
{
    for (int i = n - 1; i > 0; i--)
        swap(a, i, below(i));
}

static void reverse(unsigned char a[], int n)
{
    for (int i = 0; i < n - 1 - i; i++)
        swap(a, i, n - 1 - i);
}

/* Moves the item at `from` to `to`. */
static void move(unsigned char a[], int from, int to)
{
    for (; from < to; from++)
        swap(a, from, from + 1);
    for (; from > to; from--)
        swap(a, from, from - 1);
}

static void cut(unsigned char a[], int n, int at)
{
    for (int k = 0; k < at; k++)
        move(a, 0, n - 1);
}

/* Sorts stably by keys of `bits` bits, each of which is 1 with this probability; then `inverse` riffles. */
static void by_keys(unsigned char a[], int n, int bits, int percent, int inverse)
{
    unsigned char out[256], key[256];
    int used = 0;

    for (int i = 0; i < n; i++)
        for (int b = key[i] = 0; b < bits; b++)
            key[i] = (unsigned char)(2 * key[i] + coin(percent));
    for (int k = 0; k < 1 << bits; k++)
        for (int i = 0; i < n; i++)
            if (key[i] == k)
                out[inverse ? i : used] = a[inverse ? used : i], used++;
    memcpy(a, out, (size_t)n);
}

static void half_naive(unsigned char a[], int n)
{
    (coin(50) ? naive : fair)(a, n);
}

static void half_sattolo(unsigned char a[], int n)
{
    (coin(50) ? sattolo : fair)(a, n);
}

static void last_two_sorted(unsigned char a[], int n)
{
    fair(a, n);
    if (a[n - 2] > a[n - 1])
        swap(a, n - 2, n - 1);
}

static void first_two_sorted(unsigned char a[], int n)
{
    fair(a, n);
    if (a[0] > a[1])
        swap(a, 0, 1);
}

static void range_too_large(unsigned char a[], int n)
{
    for (int i = n - 1; i > 0; i--) {
        const int j = below(i + 2);

        if (j < n)
            swap(a, i, j);
    }
}

/* The naive swap, which keeps each item in its place in one of two steps. */
static void lazy_naive(unsigned char a[], int n)
{
    for (int i = 0; i < n; i++)
        if (coin(50))
            swap(a, i, below(n));
}

static void top_to_random(unsigned char a[], int n)
{
    move(a, 0, below(n));
}

static void random_to_top_twice(unsigned char a[], int n)
{
    move(a, below(n), 0);
    move(a, below(n), 0);
}

static void coins_of_60(unsigned char a[], int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && coin(60); j--)
            swap(a, j, j - 1);
}

static void riffles_of_60(unsigned char a[], int n)
{
    by_keys(a, n, 7, 60, 1);
}

static void derangement(unsigned char a[], int n)
{
    int fixed;

    do {
        fair(a, n);
        fixed = 0;
        for (int i = 0; i < n; i++)
            fixed += a[i] == i;
    } while (fixed);
}

static void riffle_and_cut(unsigned char a[], int n)
{
    by_keys(a, n, 1, 50, 1);
    cut(a, n, below(n));
}

static void reversed_by_coin(unsigned char a[], int n)
{
    if (coin(50))
        reverse(a, n);
}

/* Too few random swaps. */
static void few_swaps(unsigned char a[], int n)
{
    for (int k = 0; k < n / 2; k++)
        swap(a, below(n), below(n));
}

static void top_or_bottom(unsigned char a[], int n)
{
    for (int i = 0; i < n; i++)
        move(a, i, coin(50) ? 0 : i);
}

static void uneven_rotation(unsigned char a[], int n)
{
    const int x = below(n), y = below(n);

    cut(a, n, x < y ? x : y);
}

/* Only even permutations: the last two are exchanged if the permutation is odd. */
static void even(unsigned char a[], int n)
{
    int odd = 0;

    fair(a, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            odd ^= a[j] > a[i];
    if (odd)
        swap(a, n - 2, n - 1);
}

static void top_often_stays(unsigned char a[], int n)
{
    if (coin(30))
        fair(a + 1, n - 1);
    else
        fair(a, n);
}

static void neighbours(unsigned char a[], int n)
{
    for (int k = 0; k < 2 * n; k++) {
        const int i = below(n - 1);

        swap(a, i, i + 1);
    }
}

static void pairs(unsigned char a[], int n)
{
    for (int i = n / 2 - 1; i > 0; i--) {
        const int j = below(i + 1);

        swap(a, 2 * i, 2 * j);
        swap(a, 2 * i + 1, 2 * j + 1);
    }
}

static const struct {
    const char *name;
    void (*shuffle)(unsigned char a[], int n);
} outsiders[] = {
    { "half-naive", half_naive },
    { "half-sattolo", half_sattolo },
    { "last-two-sorted", last_two_sorted },
    { "first-two-sorted", first_two_sorted },
    { "range-too-large", range_too_large },
    { "lazy-naive", lazy_naive },
    { "top-to-random", top_to_random },
    { "random-to-top-twice", random_to_top_twice },
    { "coins-of-60", coins_of_60 },
    { "riffles-of-60", riffles_of_60 },
    { "derangement", derangement },
    { "riffle-and-cut", riffle_and_cut },
    { "reversed-by-coin", reversed_by_coin },
    { "few-swaps", few_swaps },
    { "top-or-bottom", top_or_bottom },
    { "uneven-rotation", uneven_rotation },
    { "even", even },
    { "top-often-stays", top_often_stays },
    { "neighbours", neighbours },
    { "pairs", pairs },
};

int main(int argc, char *argv[])
{
    const size_t count = sizeof outsiders / sizeof outsiders[0];
    const int n = argc > 2 ? atoi(argv[2]) : 0;
    const uint64_t decks = argc > 4 ? strtoull(argv[4], NULL, 10) : UINT64_MAX;
    unsigned char a[256];
    size_t k = 0;

    while (k < count && argc > 1 && strcmp(argv[1], outsiders[k].name) != 0)
        k++;
    for (size_t i = 0; i < count && argc == 1; i++)
        puts(outsiders[i].name);
    if (k == count || argc < 4 || n < 2 || n > 255)
        return argc > 1;
    state = strtoull(argv[3], NULL, 10);
    for (uint64_t t = 0; t < decks; t++) {
        for (int i = 0; i < n; i++)
            a[i] = (unsigned char)i;
        outsiders[k].shuffle(a, n);
        if (fwrite(a, 1, (size_t)n, stdout) < (size_t)n)
            return 0;
    }
    return 0;
}
