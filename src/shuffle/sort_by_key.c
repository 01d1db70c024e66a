/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sort by key: attach a random key of B bits to each item and sort the items by key; ties keep their order.
 *
 * Fair except for ties, which favour the original order. There are s = 2^B possible keys. A permutation a
 * with d descents a[j] > a[j+1] has probability C(s + n-1 - d, n) / s^n. The identity is the most likely
 * permutation: its probability is C(s + n-1, n) / s^n = (1 + 1/s) (1 + 2/s) ... (1 + (n-1)/s) / n!, which is at
 * least (1 + n(n-1)/(2s)) / n!.
 * Cost: n draws, keys of B bits each. Insertion sort makes runs of 16 items. On average this takes 5n(n-1)/4
 * + 6n - 3H(n) - 2 array accesses if n <= 16, where H(n) = 1 + 1/2 + ... + 1/n, and about 24n if n is larger. Then
 * merging takes at most 6n accesses for each doubling of the run length from 16 to n. Accesses to keys count like
 * accesses to items.
 *
 * The law is the same as the law of an inverse riffle of s piles: D. Bayer and P. Diaconis, Trailing the
 * dovetail shuffle to its lair, Annals of Applied Probability 2 (1992) 294, doi:10.1214/aoap/1177005705.
 */
#include "shuffle/shuffle.h"

enum { SORT_BY_KEY_RUN = 16 };

static size_t sort_by_key_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Sorts a[0..count-1] by the keys of its items, key[item]; stable. */
static void sort_by_key_insert(sb_item a[], size_t count, const uint64_t key[])
{
    for (size_t i = 1; i < count; i++) {
        const sb_item item = a[i];
        size_t j = i;

        for (; j > 0 && key[a[j - 1]] > key[item]; j--)
            a[j] = a[j - 1];
        a[j] = item;
    }
}

/* Merges from[lo..mid-1] and from[mid..hi-1], both sorted, into to[lo..hi-1]; stable. */
static void sort_by_key_merge(const sb_item from[], sb_item to[], size_t lo, size_t mid, size_t hi,
                              const uint64_t key[])
{
    size_t i = lo, j = mid;

    for (size_t k = lo; k < hi; k++) {
        const bool left = j == hi || (i < mid && key[from[i]] <= key[from[j]]);

        to[k] = left ? from[i++] : from[j++];
    }
}

static void sort_by_key_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    uint64_t *const key = deck->key; /* the keys, by item; initially item i is at position i */
    sb_item *from = deck->a, *to = deck->b;

    for (size_t i = 0; i < n; i++)
        key[i] = sb_draw_bits(src, (unsigned)self->parameter);
    for (size_t lo = 0; lo < n; lo += SORT_BY_KEY_RUN)
        sort_by_key_insert(from + lo, sort_by_key_least(SORT_BY_KEY_RUN, n - lo), key);
    for (size_t width = SORT_BY_KEY_RUN; width < n; width *= 2) {
        sb_item *const merged = to;

        for (size_t lo = 0; lo < n; lo += 2 * width)
            sort_by_key_merge(from, merged, lo, sort_by_key_least(lo + width, n), sort_by_key_least(lo + 2 * width, n),
                              key);
        to = from;
        from = merged;
    }
    if (from != deck->a)
        sb_deck_exchange(deck);
}

const struct sb_shuffle_type sb_shuffle_sort_by_key = {
    .name = "sort-by-key",
    .title = "attaching random keys, then a stable sort by key",
    .cite = "doi:10.1214/aoap/1177005705",
    .claim = SB_NEARLY_UNIFORM,
    .pseudocode = "for each item:\n"
                  "    key[item] = B random bits\n"
                  "sort the items by key;\n"
                  "    items with equal keys keep their order\n",
    .why = "As long as no two keys are equal, all orders are equally likely. Equal keys leave the "
           "order that was there, and so favour it: the unshuffled deck has at least "
           "1 + n (n-1) / 2^(B+1) times its share. With keys of 53 bits no feasible test shows that; with 8 bits "
           "it is soon seen.",
    .form = SB_FORM_INVERSE_RIFFLE,
    .parameter = { .name = "B", .meaning = "bits of a key", .low = 1, .high = 64, .standard = 53 },
    .run = sort_by_key_run,
};
