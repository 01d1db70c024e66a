/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fast parsing of records that have the layout of an earlier record, the model: each item is a single byte at
 * the same place as in the model, and all other bytes equal those of the model. The fast parser reads only
 * records that the general parser would read in the same way, and leaves all other records to the general
 * parser.
 */
#ifndef SB_SUBJECT_STREAM_STREAM_LAYOUT_H
#define SB_SUBJECT_STREAM_STREAM_LAYOUT_H

#include "core/core.h"

enum { SB_LAYOUT_MOST = 64 }; /* the most bytes of a record; a record has fewer items than this */

struct sb_layout {
    size_t n;                          /* items of a record, below 64; each record is a whole permutation */
    size_t length;                     /* bytes of a record; 0: there is no model */
    size_t first, step;                /* item j is the byte first + j * step */
    uint8_t zero;                      /* the byte of item 0 */
    uint64_t mask[SB_LAYOUT_MOST / 8]; /* all ones in the bytes that are not items */
    uint64_t same[SB_LAYOUT_MOST / 8]; /* values of the bytes that are not items */
    uint64_t bit[256];    /* 1 << item for a byte that stands for an item; 1 << 63 for all other bytes */
    bool paired;          /* the tables `pair` and `last` are set up: see stream_layout.c */
    uint8_t *pair, *last; /* [65536] all zeros unless `paired`; owned */
};

/* Makes a layout without a model. Returns false if memory runs out; the caller closes the layout in any case. */
bool sb_layout_open(struct sb_layout *layout);
void sb_layout_close(struct sb_layout *layout);

/*
 * Takes a valid record of `length` bytes as the model. The byte value `zero` + i stands for item i, 0 <= i <
 * n. If the record cannot be a model, the layout gets length 0, and sb_layout_read() reads nothing.
 */
void sb_layout_learn(const uint8_t record[], size_t length, size_t n, uint8_t zero, struct sb_layout *layout);

/*
 * Reads records from `at` on, until a record differs from the model, `most` records are read, or fewer than
 * `length` bytes remain. Returns the number of records. The function may load up to 7 bytes after `end`, but
 * ignores these bytes.
 */
size_t sb_layout_read(const struct sb_layout *layout, const uint8_t *at, const uint8_t *end, size_t most,
                      sb_item items[]);

#endif
