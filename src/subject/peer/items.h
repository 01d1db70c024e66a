/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The array that a shuffle in C receives: objects that carry the number of their item.
 *
 * An object of 1, 2, 4 or 8 bytes is an unsigned integer, the item's number. An object of any other size has
 * the number in its first two bytes, as uint16_t, and a pattern in the others, which shows whether the
 * shuffle tore the object apart.
 */
#ifndef SB_SUBJECT_PEER_ITEMS_H
#define SB_SUBJECT_PEER_ITEMS_H

#include "core/permutation.h"
#include "shufflebias.h"

struct sb_items {
    size_t n, size;       /* objects, and bytes of each */
    unsigned char *order; /* [n * size] the objects in the order before a shuffle; owned */
    unsigned char *array; /* [n * size] the array to shuffle; owned */
};

#define SB_ITEMS_NONE UINT32_MAX /* marks an invalid item, for any n */

/*
 * Makes n objects of `size` bytes, 0 for 2, in order. The caller closes them with sb_items_close(), which
 * allows zeroes. SB_INVALID: too many for that size; SB_TOO_LARGE; SB_NO_MEMORY.
 */
enum sb_status sb_items_open(size_t n, size_t size, struct sb_error *error, struct sb_items *items);
void sb_items_close(struct sb_items *items);

/* Restores the order. */
void sb_items_reset(struct sb_items *items);

/* Reads the item at each position: item[n], SB_ITEMS_NONE if invalid. A number may occur twice, or be n or
 * more. */
void sb_items_read(const struct sb_items *items, sb_item item[]);

#endif
