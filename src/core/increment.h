/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step from one permutation to the next. */
#ifndef SB_CORE_INCREMENT_H
#define SB_CORE_INCREMENT_H

#include "core/calls.h"
#include "core/permutation.h"

struct sb_increment {
    size_t n;
    bool begun;     /* whether a permutation has been taken */
    sb_item *place; /* [n] the position of each item in the last permutation; owned */
    /* [n] the last step: entry j is the previous position of the item now at position j; owned */
    sb_item *items;
};

/* Opens an increment. The caller closes the increment even after an error. The caller may close an increment
 * twice, and may close a struct of zeroes. SB_NO_MEMORY. */
enum sb_status sb_increment_open(size_t n, struct sb_increment *increment);
void sb_increment_close(struct sb_increment *increment);

/* Takes the next permutation, and sets increment->items to the step from the previous permutation. Returns
 * false for the first permutation, because no step leads to this permutation. */
bool sb_increment_take(struct sb_increment *increment, const sb_item now[]);

#endif
