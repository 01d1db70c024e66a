/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fast parsing of records with the layout of an earlier record, the model. The code compares the bytes
 * between the items eight at a time. The items are a permutation if the OR of 1 << item over all n items is
 * 2^n - 1. Cost: two loads and a store per item.
 *
 * In the simplest records, items are adjacent, or each item is followed by one separator byte. The code looks
 * up such records two bytes at a time. For a pair of two items, the table holds the OR of both values 1 <<
 * item. For an item and the model's separator, the table holds 1 << item. For all other pairs, the table
 * holds 0. If the number of bytes is odd, the last pair overlaps the previous pair. Cost: two loads for two
 * bytes.
 */
#include "subject/stream/stream_layout.h"

#include "subject/stream/stream_numbers_wide.h"

#include <stdlib.h>
#include <string.h>

enum {
    LAYOUT_NONE = 63,  /* the bit that marks bytes that are not items */
    LAYOUT_PAIRED = 8, /* the most items for look-ups in pairs */
    LAYOUT_PAIRS = 1 << 16,
};

static inline uint16_t layout_pair(const uint8_t at[2])
{
    uint16_t pair;

    memcpy(&pair, at, sizeof pair);
    return pair;
}

static void layout_items(size_t n, uint8_t zero, struct sb_layout *layout)
{
    *layout = (struct sb_layout) { .n = n, .zero = zero, .pair = layout->pair, .last = layout->last };
    for (size_t byte = 0; byte < 256; byte++)
        layout->bit[byte] = UINT64_C(1) << LAYOUT_NONE;
    for (size_t item = 0; item < n; item++)
        layout->bit[(zero + item) & 255] = UINT64_C(1) << item;
}

/* Adds the model's pairs of bytes to the table, or removes them. */
static void layout_set_pairs(struct sb_layout *layout, bool set)
{
    const uint8_t *const same = (const uint8_t *)layout->same;
    const size_t n = layout->n, length = layout->length;

    layout->paired = set;
    for (size_t i = 0; i < n * n; i++) {
        const uint8_t item = (uint8_t)(layout->zero + i / n), next = (uint8_t)(layout->zero + i % n);
        const uint8_t bits = (uint8_t)(set ? 1U << i / n : 0), both = (uint8_t)(set ? 1U << i % n | bits : 0);
        const uint8_t pair[] = { item, length == n ? next : same[1] };
        const uint8_t last[] = { item, length == n ? next : same[length - 1] };

        layout->pair[layout_pair(pair)] = length == n ? both : bits;
        layout->last[layout_pair(last)] = length == n ? both : bits;
    }
}

/* Whether the model is one of the simplest records (see the top of this file). */
static bool layout_is_plain(const struct sb_layout *layout)
{
    const uint8_t *const same = (const uint8_t *)layout->same;
    const size_t n = layout->n, length = layout->length;

    if (n < 2 || n > LAYOUT_PAIRED || layout->first > 0 || length != n * layout->step || layout->step > 2)
        return false;
    for (size_t at = 1; layout->step == 2 && at + 1 < length; at += 2)
        if (same[at] != same[1])
            return false;
    return true;
}

void sb_layout_learn(const uint8_t record[], size_t length, size_t n, uint8_t zero, struct sb_layout *layout)
{
    uint8_t mask[SB_LAYOUT_MOST] = { 0 }, same[SB_LAYOUT_MOST] = { 0 };
    size_t items = 0, last = 0;
    bool even = true;

    if (layout->paired)
        layout_set_pairs(layout, false);
    layout->length = 0;
    layout->step = 1;
    if (n == 0 || n >= LAYOUT_NONE || length > SB_LAYOUT_MOST)
        return;
    if (layout->n != n || layout->zero != zero)
        layout_items(n, zero, layout);
    for (size_t at = 0; at < length; at++) {
        if (layout->bit[record[at]] >> LAYOUT_NONE) {
            mask[at] = 255;
            same[at] = record[at];
            continue;
        }
        if (items == 0)
            layout->first = at;
        else if (items == 1)
            layout->step = at - last;
        else
            even = even && at - last == layout->step;
        last = at;
        items++;
    }
    memcpy(layout->mask, mask, sizeof mask);
    memcpy(layout->same, same, sizeof same);
    if (items != n || !even)
        return;
    layout->length = length;
    if (layout_is_plain(layout))
        layout_set_pairs(layout, true);
}

bool sb_layout_open(struct sb_layout *layout)
{
    *layout = (struct sb_layout) { .pair = calloc(LAYOUT_PAIRS, 1), .last = calloc(LAYOUT_PAIRS, 1) };
    return layout->pair && layout->last;
}

void sb_layout_close(struct sb_layout *layout)
{
    free(layout->pair);
    free(layout->last);
    *layout = (struct sb_layout) { 0 };
}

/* Whether the bytes between the items equal those of the model. */
static inline bool layout_between(const struct sb_layout *layout, const uint8_t *at, size_t length)
{
    uint64_t other = 0;

    for (size_t word = 0; 8 * word < length; word++) {
        uint64_t bytes;

        memcpy(&bytes, at + 8 * word, sizeof bytes);
        other |= (bytes & layout->mask[word]) ^ layout->same[word];
    }
    return !other;
}

/* The number of successive records with the model's layout, from `at` on. */
static inline size_t layout_count(const struct sb_layout *layout, const uint8_t *at, size_t most, size_t n,
                                  size_t step, size_t length)
{
    const uint64_t all = (UINT64_C(1) << n) - 1;
    size_t count = 0;

    for (; count < most; count++, at += length) {
        const uint8_t *const first = at + layout->first;
        uint64_t seen = 0;

        for (size_t j = 0; j < n; j++)
            seen |= layout->bit[first[j * step]];
        if (seen != all || (length > n && !layout_between(layout, at, length)))
            break;
    }
    return count;
}

/* Does what layout_count() does, for a model that is one of the simplest records. */
static inline size_t layout_count_pairs(const struct sb_layout *layout, const uint8_t *at, size_t most,
                                        size_t n, size_t length)
{
    const uint8_t *const pair = layout->pair, *const last = layout->last;
    const unsigned all = (1U << n) - 1;
    size_t count = 0;

    for (; count < most; count++, at += length) {
        unsigned seen = last[layout_pair(at + length - 2)];

        for (size_t j = 0; j + 2 < length; j += 2)
            seen |= pair[layout_pair(at + j)];
        if (seen != all)
            break;
    }
    return count;
}

/* Reads items that are `step` bytes apart. */
static inline void layout_take(const uint8_t *at, size_t count, size_t step, uint8_t zero, sb_item items[])
{
    for (size_t j = sb_numbers_wide_take(at, count, step, zero, items); j < count; j++)
        items[j] = (sb_item)(at[j * step] - zero);
}

/* Counts and reads records. The function is inline because the compiled code is several times as fast if n,
 * step and length are constants. */
static inline size_t layout_run(const struct sb_layout *layout, const uint8_t *at, size_t most, size_t n,
                                size_t step, size_t length, sb_item items[])
{
    const size_t count = layout->paired ? layout_count_pairs(layout, at, most, n, length)
                                        : layout_count(layout, at, most, n, step, length);

    at += layout->first;
    if (length == n * step)
        layout_take(at, count * n, step, layout->zero, items);
    else
        for (size_t d = 0; d < count; d++)
            layout_take(at + d * length, n, step, layout->zero, items + d * n);
    return count;
}

size_t sb_layout_read(const struct sb_layout *layout, const uint8_t *at, const uint8_t *end, size_t most,
                      sb_item items[])
{
    const size_t n = layout->n, step = layout->step, length = layout->length;
    const size_t there = length ? (size_t)(end - at) / length : 0;

    most = most < there ? most : there;
    if (n == 5 && length == 5)
        return layout_run(layout, at, most, 5, 1, 5, items);
    if (n == 5 && step == 2 && length == 10)
        return layout_run(layout, at, most, 5, 2, 10, items);
    const struct sb_numbers_form form = { .n = n, .deal = n, .base = layout->zero };

    if (length == n && n > LAYOUT_PAIRED && sb_numbers_wide_possible(&form))
        return sb_numbers_wide_bytes(&form, at, most, items);
    if (length == n)
        return layout_run(layout, at, most, n, 1, n, items);
    return layout_run(layout, at, most, n, step, length, items);
}
