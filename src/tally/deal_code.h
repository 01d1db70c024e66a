/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A code of a deal's first four items, each below 8: three bits for each item. The items are loaded two at a
 * time. On a little-endian machine the code is the sum of a[j] 8^j; on a big-endian machine the items of each
 * pair change places.
 */
#ifndef SB_TALLY_DEAL_CODE_H
#define SB_TALLY_DEAL_CODE_H

#include "core/core.h"

#include <string.h>

enum {
    SB_DEAL_CODED = 4,      /* number of items in a code */
    SB_DEAL_CODED_MOST = 8, /* each item in a code is below this number */
    SB_DEAL_CODES = 1 << 12,
};

static inline size_t sb_deal_code(const sb_item a[SB_DEAL_CODED])
{
    uint64_t first, second;

    memcpy(&first, a, sizeof first);
    memcpy(&second, a + 2, sizeof second);
    first |= second << 6; /* bits 0 and 32 on have the first pair, bits 6 and 38 on the second */
    return (first | first >> 29) & (SB_DEAL_CODES - 1);
}

#endif
