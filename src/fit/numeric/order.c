/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorts cells by their keys. A few cells are sorted by insertion. Many cells are sorted by several counting
 * sorts: one for each digit in which keys differ, beginning with the lowest digit. The counts of a fair shuffle
 * are close to each other, so most counts differ from the largest count only in one or two digits. Digits have
 * five bits for up to ORDER_MANY cells, else eight bits. Cost: 32 or 256 operations and 2 N more per digit, for N
 * cells. Knuth, The Art of Computer Programming, vol. 3, 5.2.1 and 5.2.5.
 */
#include "fit/numeric/order.h"

#include <string.h>

enum {
    ORDER_BITS = 8, /* bits of a digit, and fewer if there are at most ORDER_MANY cells */
    ORDER_BITS_FEWER = 5,
    ORDER_MANY = 200,
    ORDER_FEW = 24, /* up to this many cells are sorted by insertion */
};

static void order_by_insertion(size_t count, struct sb_keyed item[])
{
    for (size_t i = 1; i < count; i++) {
        const struct sb_keyed next = item[i];
        size_t at = i;

        for (; at > 0 && item[at - 1].key < next.key; at--)
            item[at] = item[at - 1];
        item[at] = next;
    }
}

static void order_by_digit(size_t count, uint64_t most, unsigned shift, unsigned bits,
                           const struct sb_keyed from[], struct sb_keyed to[])
{
    const size_t digits = (size_t)1 << bits;
    size_t start[(1 << ORDER_BITS) + 1];

    memset(start, 0, (digits + 1) * sizeof start[0]);
    for (size_t i = 0; i < count; i++)
        start[((most - from[i].key) >> shift & (digits - 1)) + 1]++;
    for (size_t digit = 0; digit < digits; digit++)
        start[digit + 1] += start[digit];
    for (size_t i = 0; i < count; i++)
        to[start[(most - from[i].key) >> shift & (digits - 1)]++] = from[i];
}

void sb_order_falling(size_t count, struct sb_keyed item[], struct sb_keyed spare[])
{
    const unsigned bits = count > ORDER_MANY ? ORDER_BITS : ORDER_BITS_FEWER;
    uint64_t least = UINT64_MAX, most = 0;
    struct sb_keyed *from = item, *to = spare;

    if (count <= ORDER_FEW) {
        order_by_insertion(count, item);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        least = item[i].key < least ? item[i].key : least;
        most = item[i].key > most ? item[i].key : most;
    }
    for (unsigned shift = 0; shift < 64 && (most - least) >> shift; shift += bits) {
        struct sb_keyed *const sorted = to;

        order_by_digit(count, most, shift, bits, from, to);
        to = from;
        from = sorted;
    }
    if (from != item)
        memcpy(item, from, count * sizeof *item);
}
