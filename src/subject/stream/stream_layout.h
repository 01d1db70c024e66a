/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fast parsing of records with the same layout as the previous one: each item is a single byte at the same
 * place, and all other bytes are the same. It reads only records that the general parser would read in the
 * same way, and leaves the rest to it.
 */
#ifndef SB_SUBJECT_STREAM_STREAM_LAYOUT_H
#define SB_SUBJECT_STREAM_STREAM_LAYOUT_H

#include "core/permutation.h"

enum { SB_LAYOUT_MOST = 64 }; /* the most bytes of a record; and one more than the most items */

struct sb_layout {
    size_t n;                          /* items of a record, below 64; a whole permutation */
    size_t length;                     /* bytes of a record; 0: unknown, or not possible */
    size_t first, step;                /* item j is the byte first + j * step */
    uint8_t zero;                      /* the byte of item 0 */
    uint64_t mask[SB_LAYOUT_MOST / 8]; /* ones in the bytes that are not items */
    uint64_t same[SB_LAYOUT_MOST / 8]; /* values of those bytes */
    uint64_t bit[256];                 /* 1 << item for a byte that is an item, else 1 << 63 */
    bool paired;                       /* the two tables are set up: see stream_layout.c */
    uint8_t pair[1 << 16], last[1 << 16];
};

/*
 * Takes this valid record of `length` bytes, with items written as the bytes zero..zero+n-1, as the model. If
 * that is not possible, the layout gets length 0, which reads nothing.
 */
void sb_layout_learn(const uint8_t record[], size_t length, size_t n, uint8_t zero, struct sb_layout *layout);

/*
 * Reads records, starting at `at`, until one differs from the model, until `most` are read, or until fewer
 * than `length` bytes remain. Returns how many it has read. May read up to 7 bytes after `end`, and ignores
 * them.
 */
size_t sb_layout_read(const struct sb_layout *layout, const uint8_t *at, const uint8_t *end, size_t most,
                      sb_item items[]);

#endif
