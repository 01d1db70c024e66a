/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A code of a deal's first four items, each below 8: the sum of a[j] 8^j, computed by one multiplication. In
 * the 64-bit word that the four items form, a[j] starts at bit 16 j, and the term 2^(48 - 13 j) moves it to
 * bit 48 + 3 j. (Big-endian machines reverse the order, which gives a different code, just as good.)
 */
#ifndef SB_TALLY_DEAL_CODE_H
#define SB_TALLY_DEAL_CODE_H

#include "core/permutation.h"

#include <string.h>

enum {
    SB_DEAL_CODED = 4,      /* items in a code, ... */
    SB_DEAL_CODED_MOST = 8, /* ... each below this */
    SB_DEAL_CODES = 1 << 12,
};

static inline size_t sb_deal_code(const sb_item a[SB_DEAL_CODED])
{
    uint64_t word;

    memcpy(&word, a, sizeof word);
    return (size_t)(word * UINT64_C(0x0001000800400200) >> 48);
}

#endif
