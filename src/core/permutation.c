/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutations and ordered deals: their number, their ranks, their notation.
 *
 * The Lehmer digit d_i is the number of items below a[i] that are not at positions 0..i-1. So d_i = a[i] -
 * #{j < i : a[j] < a[i]}, and rank(a) = sum over i < k of d_i (n-1-i)!/(n-k)!. Cost: k(k-1)/2 comparisons; if
 * n <= 16, k steps of a few instructions. Knuth, The Art of Computer Programming, vol. 3, 5.1.1.
 */

#include "core/draws.h"

/* for this many items, an array with one bit per item takes 8 KB of the stack */
enum { PERMUTATION_FEW = 65536 };

uint64_t sb_deals(size_t n, size_t k)
{
    uint64_t product = 1;

    if (k > 20) /* at least 21! > 2^64 deals */
        return UINT64_MAX;
    for (size_t i = 0; i < k; i++)
        if (__builtin_mul_overflow(product, (uint64_t)(n - i), &product))
            return UINT64_MAX;
    return product;
}

size_t sb_cells(size_t n, size_t k)
{
    const uint64_t deals = sb_deals(n, k);

    return deals <= SB_CELLS_MOST ? (size_t)deals : 0;
}

/* seen[] is scratch: n bits. */
static bool permutation_valid(size_t n, size_t k, const sb_item a[], uint64_t seen[])
{
    memset(seen, 0, (n + 63) / 64 * sizeof seen[0]);
    for (size_t j = 0; j < k; j++) {
        const uint64_t bit = UINT64_C(1) << (a[j] & 63);

        if (a[j] >= n || (seen[a[j] >> 6] & bit))
            return false;
        seen[a[j] >> 6] |= bit;
    }
    return true;
}

/* This is a separate function, so that only large decks take a megabyte of the stack. Some threads have a
 * stack of less than a megabyte. */
__attribute__((noinline)) static bool permutation_valid_large(size_t n, size_t k, const sb_item a[])
{
    uint64_t seen[(SB_ITEMS_MOST + 64) / 64];

    return permutation_valid(n, k, a, seen);
}

bool sb_permutation_valid(size_t n, size_t k, const sb_item a[])
{
    uint64_t seen[(PERMUTATION_FEW + 64) / 64];

    return n <= PERMUTATION_FEW ? permutation_valid(n, k, a, seen) : permutation_valid_large(n, k, a);
}

/* Does what sb_permutation_rank() does, for n <= 16. `digits` has four bits for each item: the number of
 * smaller items that are not placed yet. This is the item's Lehmer digit if the item is the next to be
 * placed. Placing an item subtracts 1 from the digits of all larger items. */
static uint64_t permutation_rank_small(size_t n, size_t k, const sb_item a[])
{
    uint64_t digits = UINT64_C(0xFEDCBA9876543210), rank = 0;

    for (size_t i = 0; i < k; i++) {
        const unsigned place = 4U * a[i];

        rank = rank * (n - i) + (digits >> place & 15);
        digits -= UINT64_C(0x1111111111111110) << place;
    }
    return rank;
}

uint64_t sb_permutation_rank(size_t n, size_t k, const sb_item a[])
{
    uint64_t rank = 0;

    if (n <= 16)
        return permutation_rank_small(n, k, a);
    for (size_t i = 0; i < k; i++) {
        uint32_t digit = a[i];

        for (size_t j = 0; j < i; j++)
            digit -= a[j] < a[i];
        rank = rank * (n - i) + digit;
    }
    return rank;
}

/* Returns rank / base for 1 <= base <= 16. Ranks below 2^28 take a multiplication, which is several times
 * faster than a division: rank * (2^32 + e) / base / 2^32 with e < 16 is less than 1 / base too large. */
static uint64_t permutation_quotient(uint64_t rank, size_t base)
{
    enum { FAST = 1 << 28 };
    /* [b] 2^32 / b, rounded up */
    static const uint64_t inverse[] = {
        0,         4294967296, 2147483648, 1431655766, 1073741824, 858993460, 715827883, 613566757, 536870912,
        477218589, 429496730,  390451573,  357913942,  330382100,  306783379, 286331154, 268435456,
    };

    return rank < FAST ? rank * inverse[base] >> 32 : rank / base;
}

/* Does what sb_permutation_unrank() does, for n <= 16. `left` has four bits for each item that is not placed
 * yet, in ascending order. A Lehmer digit is an index into this list. */
static void permutation_unrank_small(size_t n, size_t k, uint64_t rank, sb_item a[])
{
    uint64_t left = UINT64_C(0xFEDCBA9876543210);

    for (size_t i = k; i-- > 0;) {
        const uint64_t quotient = permutation_quotient(rank, n - i);

        a[i] = (sb_item)(rank - quotient * (n - i));
        rank = quotient;
    }
    for (size_t i = 0; i < k; i++) {
        const unsigned place = 4U * a[i];
        const uint64_t below = (UINT64_C(1) << place) - 1;

        a[i] = left >> place & 15;
        left = (left & below) | (left >> 4 & ~below);
    }
}

void sb_permutation_unrank(size_t n, size_t k, uint64_t rank, sb_item a[])
{
    if (n <= 16) {
        permutation_unrank_small(n, k, rank, a);
        return;
    }
    /* finds the digits from the last to the first, and adds 1 to each later item that is not below digit i */
    for (size_t i = k; i-- > 0;) {
        a[i] = (sb_item)(rank % (n - i));
        rank /= n - i;
        for (size_t j = i + 1; j < k; j++)
            a[j] = (sb_item)(a[j] + (a[j] >= a[i]));
    }
}

/* seen[] is scratch: n bits. */
static size_t permutation_cycles(size_t n, const sb_item a[], uint64_t seen[])
{
    size_t cycles = 0;

    memset(seen, 0, (n + 63) / 64 * sizeof seen[0]);
    for (size_t i = 0; i < n; i++) {
        cycles += !(seen[i >> 6] >> (i & 63) & 1);
        for (size_t at = i; !(seen[at >> 6] >> (at & 63) & 1); at = a[at])
            seen[at >> 6] |= UINT64_C(1) << (at & 63);
    }
    return cycles;
}

/* This is a separate function for the same reason as permutation_valid_large(). */
__attribute__((noinline)) static size_t permutation_cycles_large(size_t n, const sb_item a[])
{
    uint64_t seen[(SB_ITEMS_MOST + 64) / 64];

    return permutation_cycles(n, a, seen);
}

size_t sb_permutation_cycles(size_t n, const sb_item a[])
{
    uint64_t seen[(PERMUTATION_FEW + 64) / 64];

    return n <= PERMUTATION_FEW ? permutation_cycles(n, a, seen) : permutation_cycles_large(n, a);
}

bool sb_permutation_parse(const char *text, size_t most, sb_item a[], size_t *n)
{
    const bool dots = strchr(text, '.');
    size_t items = 0;

    while (items < most && *text >= '1' && *text <= '9') {
        uint32_t item = 0;

        do
            item = 10 * item + (uint32_t)(*text++ - '0');
        while (dots && *text >= '0' && *text <= '9' && item <= most);
        if (item > most)
            return false;
        a[items++] = (sb_item)(item - 1);
        if (dots && *text == '.' && text[1])
            text++;
        else if (dots)
            break;
    }
    *n = items;
    return *text == '\0' && items > 0 && sb_permutation_valid(items, items, a);
}

/*
 * Let X[t] be permutation t. The increments are X[t-1]^-1 X[t]: entry j is the previous position of the item
 * now at position j. This is place[X[t][j]], where place is the inverse of X[t-1]. If each shuffle starts
 * from the result of the previous one, the increments are the shuffles. Cost: two writes per item.
 */

enum sb_status sb_increment_open(size_t n, struct sb_increment *increment)
{
    *increment = (struct sb_increment) {
        .n = n,
        .place = calloc(n + 1, sizeof increment->place[0]),
        .items = calloc(n + 1, sizeof increment->items[0]),
    };
    return increment->place && increment->items ? SB_OK : SB_NO_MEMORY;
}

void sb_increment_close(struct sb_increment *increment)
{
    free(increment->place);
    free(increment->items);
    *increment = (struct sb_increment) { .n = 0 };
}

bool sb_increment_take(struct sb_increment *increment, const sb_item now[])
{
    const bool begun = increment->begun;

    for (size_t j = 0; j < increment->n; j++)
        increment->items[j] = increment->place[now[j]];
    for (size_t j = 0; j < increment->n; j++)
        increment->place[now[j]] = (sb_item)j;
    increment->begun = true;
    return begun;
}

/* Allocates a deck as one block of memory. Each array begins at the start of a cache line, so that the array
 * touches as few cache lines as possible. */

enum { DECK_LINE = 64 };

static size_t deck_lines(size_t bytes)
{
    return (bytes + DECK_LINE) / DECK_LINE * DECK_LINE;
}

enum sb_status sb_deck_open(size_t n, size_t deal, struct sb_deck *deck)
{
    const size_t keys = deck_lines(n * sizeof *deck->key), items = deck_lines(n * sizeof *deck->a);
    unsigned char *const block = aligned_alloc(DECK_LINE, keys + 2 * items);

    if (!block)
        return SB_NO_MEMORY;
    memset(block, 0, keys + 2 * items);
    *deck = (struct sb_deck) {
        .n = n,
        .deal = deal,
        .key = (uint64_t *)(void *)block,
        .a = (sb_item *)(void *)(block + keys),
        .b = (sb_item *)(void *)(block + keys + items),
    };
    return SB_OK;
}

void sb_deck_close(struct sb_deck *deck)
{
    free(deck->key);
    *deck = (struct sb_deck) { 0 };
}

size_t sb_multiset_rank(const struct sb_multiset *multiset, const sb_item a[])
{
    uint32_t left[SB_ARRANGED_MOST] = { 0 };
    uint64_t count = multiset->arrangements, rank = 0;

    for (size_t kind = 0; kind < multiset->kinds; kind++)
        left[kind] = (uint32_t)sb_multiset_copies(multiset, kind);
    for (size_t j = 0; j < multiset->n; j++) {
        const uint32_t kind = multiset->kind[a[j]];
        uint64_t smaller = 0;

        for (uint32_t c = 0; c < kind; c++)
            smaller += left[c];
        rank += count * smaller / (multiset->n - j);
        count = count * left[kind]-- / (multiset->n - j);
    }
    return (size_t)rank;
}

void sb_multiset_unrank(const struct sb_multiset *multiset, size_t rank, sb_item a[])
{
    uint32_t left[SB_ARRANGED_MOST] = { 0 };
    uint64_t count = multiset->arrangements, below = rank;

    for (size_t kind = 0; kind < multiset->kinds; kind++)
        left[kind] = (uint32_t)sb_multiset_copies(multiset, kind);
    for (size_t j = 0; j < multiset->n; j++) {
        uint32_t kind = 0;
        uint64_t share;

        while (below >= (share = count * left[kind] / (multiset->n - j))) {
            below -= share;
            kind++;
        }
        a[j] = multiset->member[multiset->begin[kind + 1] - left[kind]--];
        count = share;
    }
}
