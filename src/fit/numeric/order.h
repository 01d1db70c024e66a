/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts cells by their keys, in linear time. */
#ifndef SB_FIT_NUMERIC_ORDER_H
#define SB_FIT_NUMERIC_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct sb_keyed {
    uint64_t key;
    size_t cell;
};

/* Sorts the items item[count] by their keys, in descending order. The sort is stable. spare[count] is
 * scratch. */
void sb_order_falling(size_t count, struct sb_keyed item[], struct sb_keyed spare[]);

#endif
