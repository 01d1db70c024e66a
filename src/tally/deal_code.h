/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A code of a deal's first four items, each below 8: the sum of a[j] 8^j. */
#ifndef SB_TALLY_DEAL_CODE_H
#define SB_TALLY_DEAL_CODE_H

#include "core/permutation.h"

enum {
    SB_DEAL_CODED = 4,      /* number of items in a code */
    SB_DEAL_CODED_MOST = 8, /* each item in a code is below this number */
    SB_DEAL_CODES = 1 << 12,
};

static inline size_t sb_deal_code(const sb_item a[SB_DEAL_CODED])
{
    return a[0] | (size_t)a[1] << 3 | (size_t)a[2] << 6 | (size_t)a[3] << 9;
}

#endif
