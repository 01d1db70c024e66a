/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Let X[t] be permutation t. The increments are X[t-1]^-1 X[t]: entry j is the previous position of the item
 * now at position j. This is place[X[t][j]], where place is the inverse of X[t-1]. If each shuffle starts
 * from the result of the previous one, the increments are the shuffles. Cost: two writes per item.
 */
#include "core/increment.h"

#include <stdlib.h>

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
