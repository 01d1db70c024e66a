/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step from one permutation to the next. */
#ifndef SB_CORE_INCREMENT_H
#define SB_CORE_INCREMENT_H

#include "core/permutation.h"
#include "shufflebias.h"

struct sb_increment {
    size_t n;
    bool begun;     /* there was a first permutation */
    sb_item *place; /* [n] the position of each item in the last permutation; owned */
    sb_item *items; /* [n] the step to it: entry j is the previous position of the item now at j; owned */
};

/* The caller closes it even after an error; closing twice, or closing zeroes, is allowed. SB_NO_MEMORY. */
enum sb_status sb_increment_open(size_t n, struct sb_increment *increment);
void sb_increment_close(struct sb_increment *increment);

/* Takes the next permutation. Returns false for the first one, because no step leads to it. */
bool sb_increment_take(struct sb_increment *increment, const sb_item now[]);

#endif
