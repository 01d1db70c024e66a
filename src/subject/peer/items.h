/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a shuffle in C is given: an array of objects that say which item they are, for it to move about.
 *
 * An object of 1, 2, 4 or 8 bytes is an unsigned integer, the item's number. One of any other size has the
 * number in its first two bytes, as uint16_t, and bytes of its own behind, by which it is seen if it was torn
 * apart.
 */
#ifndef SB_SUBJECT_PEER_ITEMS_H
#define SB_SUBJECT_PEER_ITEMS_H

#include "core/permutation.h"
#include "shufflebias.h"

struct sb_items {
    size_t n, size;       /* objects, and bytes of each */
    unsigned char *order; /* [n * size] all of them in the order before a shuffle; owned */
    unsigned char *array; /* [n * size] what is shuffled; owned */
};

enum { SB_ITEMS_NONE = 65535 }; /* what is no item, whatever n is */

/*
 * Makes n objects of `size` bytes, 0 for 2, in their order. Closed with sb_items_close(), which is fine on
 * zeroes. SB_INVALID: too many for that size; SB_TOO_LARGE; SB_NO_MEMORY.
 */
enum sb_status sb_items_open(size_t n, size_t size, struct sb_error *error, struct sb_items *items);
void sb_items_close(struct sb_items *items);

/* Puts them back into their order. */
void sb_items_reset(struct sb_items *items);

/* What stands where: item[n], SB_ITEMS_NONE for what is none. A number may come up twice, or be n or more. */
void sb_items_read(const struct sb_items *items, sb_item item[]);

#endif
