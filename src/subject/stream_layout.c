/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records that look like the last one. The bytes between the items are compared eight at a time; the items
 * are a permutation if the OR of 1 << item over all n is 2^n - 1. Cost: two loads and a store an item, and
 * nothing that waits for the record before.
 */
#include "subject/stream_layout.h"

#include <string.h>

enum { LAYOUT_NONE = 63 }; /* the bit of bytes that are no items */

static void layout_open(size_t n, uint8_t zero, struct sb_layout *layout)
{
    *layout = (struct sb_layout) { .n = n, .zero = zero };
    for (size_t byte = 0; byte < 256; byte++)
        layout->bit[byte] = UINT64_C(1) << LAYOUT_NONE;
    for (size_t item = 0; item < n; item++)
        layout->bit[(zero + item) & 255] = UINT64_C(1) << item;
}

void sb_layout_learn(const uint8_t record[], size_t length, size_t n, uint8_t zero, struct sb_layout *layout)
{
    uint8_t mask[SB_LAYOUT_MOST] = { 0 }, same[SB_LAYOUT_MOST] = { 0 };
    size_t items = 0, last = 0;
    bool even = true;

    layout->length = 0;
    if (n == 0 || n >= LAYOUT_NONE || length > SB_LAYOUT_MOST)
        return;
    if (layout->n != n || layout->zero != zero)
        layout_open(n, zero, layout);
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
    if (items == n && even)
        layout->length = length;
}

/* One record, of which n and step are known to the compiler where that pays. */
static inline bool layout_record(const struct sb_layout *layout, const uint8_t *at, size_t n, size_t step,
                                 sb_item items[])
{
    const uint8_t *const first = at + layout->first;
    uint64_t other = 0, seen = 0;

    for (size_t word = 0; step > 1 && 8 * word < layout->length; word++) {
        uint64_t bytes;

        memcpy(&bytes, at + 8 * word, sizeof bytes);
        other |= (bytes & layout->mask[word]) ^ layout->same[word];
    }
    for (size_t j = 0; j < n; j++) {
        const uint8_t byte = first[j * step];

        seen |= layout->bit[byte];
        items[j] = (sb_item)(byte - layout->zero);
    }
    return !other && seen == (UINT64_C(1) << n) - 1;
}

size_t sb_layout_read(const struct sb_layout *layout, const uint8_t *at, const uint8_t *end, size_t most,
                      sb_item items[])
{
    const size_t length = layout->length, n = layout->n;
    size_t count = 0;

    if (length == 0)
        return 0;
    if ((size_t)(end - at) / length < most)
        most = (size_t)(end - at) / length;
    while (count < most && layout_record(layout, at + count * length, n, layout->step, items + count * n))
        count++;
    return count;
}
