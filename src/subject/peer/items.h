/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The array that a shuffle in C receives. The array has an object for each item, and the object contains the
 * item's number.
 *
 * An object of 1, 2, 4 or 8 bytes is an unsigned integer, the item's number. An object of any other size has
 * the number in its first two bytes, as uint16_t, and a pattern in all other bytes. If a shuffle moves only a
 * part of the object, the pattern shows this error.
 */
#ifndef SB_SUBJECT_PEER_ITEMS_H
#define SB_SUBJECT_PEER_ITEMS_H

#include "core/calls.h"
#include "core/permutation.h"

struct sb_items {
    size_t n, size;       /* number of objects, and bytes of an object */
    unsigned char *order; /* [n * size]; the objects in the order before a shuffle; owned */
    unsigned char *array; /* [n * size]; the array to shuffle; owned */
};

#define SB_ITEMS_NONE UINT32_MAX /* marks an invalid item, for any n */

/*
 * Makes n objects of `size` bytes, in order; size 0 means 2. The caller frees the memory with
 * sb_items_close(), which allows a zeroed struct. Errors: SB_INVALID if there are too many items for the
 * size; SB_TOO_LARGE; SB_NO_MEMORY.
 */
enum sb_status sb_items_open(size_t n, size_t size, struct sb_error *error, struct sb_items *items);
void sb_items_close(struct sb_items *items);

/* Restores the order that the objects have before each shuffle. */
void sb_items_reset(struct sb_items *items);

/* Sets item[0..n-1] to the item at each position, or to SB_ITEMS_NONE if the object is damaged. After a
 * faulty shuffle, an item may occur twice, or be n or greater. */
void sb_items_read(const struct sb_items *items, sb_item item[]);

#endif
