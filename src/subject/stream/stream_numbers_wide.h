/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing of lines of numbers, and of items of one byte, 64 bytes at a time: on processors with AVX-512 that pack bytes
 * (VBMI2). */
#ifndef SB_SUBJECT_STREAM_STREAM_NUMBERS_WIDE_H
#define SB_SUBJECT_STREAM_STREAM_NUMBERS_WIDE_H

#include "core/core.h"

/* What the lines of a stream must have. */
struct sb_numbers_form {
    const uint8_t *class; /* [256] enum sb_text_class of each byte; NULL for binary items */
    size_t n, deal;       /* 1 <= deal <= n <= 64 */
    uint32_t base;        /* number of the first item; n + base <= 100 */
};

/* Whether this machine can run the functions below for this form. */
bool sb_numbers_wide_possible(const struct sb_numbers_form *form);

/* Parses the line at `at` into a deal, items[form->deal]. Returns the byte after the line; NULL if the bytes
 * up to `end` are not a line of valid numbers of one or two digits, between blanks and punctuation. */
const uint8_t *sb_numbers_wide_line(const struct sb_numbers_form *form, const uint8_t *at, const uint8_t *end,
                                    sb_item items[]);

/* Reads up to `most` deals of form->deal bytes, one for each item, into items[]. Returns the number of deals before the
 * first one that is not valid. Does not use form->class. */
size_t sb_numbers_wide_bytes(const struct sb_numbers_form *form, const uint8_t *at, size_t most,
                             sb_item items[]);

/* Subtracts `zero` from `count` bytes, which are `step` bytes apart and not less than `zero`. Returns the
 * number of items that this gave, a multiple of 16 and at most `count`; 0 if this machine or this step has no
 * fast way. Loads only bytes before at + count * step. */
size_t sb_numbers_wide_take(const uint8_t *at, size_t count, size_t step, uint8_t zero, sb_item items[]);

#endif
