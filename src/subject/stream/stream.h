/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses permutations from bytes, as text or binary. The parser never guesses: every violation of the format
 * is an error. The error line names the place (the line; in binary input, the permutation and the byte), what
 * is wrong, and the remedy.
 *
 * Text has a permutation per line. Blanks and punctuation separate integers. Blank lines are skipped, and #
 * begins a comment. Words are errors, with two exceptions: a title at the start of each line (deck: 0 2 1)
 * and a label before each integer (card0 card2 card1). Three other things are errors: a letter directly after
 * a digit, a sign or a point beside a digit, and control bytes other than tab, LF, and CR before LF. Binary
 * input has items one after another, little-endian, without a header.
 */
#ifndef SB_SUBJECT_STREAM_STREAM_H
#define SB_SUBJECT_STREAM_STREAM_H

#include "core/core.h"
#include "subject/stream/bytes.h"

enum sb_input {
    SB_INPUT_TEXT,
    SB_INPUT_U8,
    SB_INPUT_U16,
    SB_INPUT_U32,
};

/* Returns the bytes of an item of binary input; 0 for text. */
static inline size_t sb_input_width(enum sb_input input)
{
    return input == SB_INPUT_TEXT ? 0 : (size_t)1 << (input - SB_INPUT_U8);
}

struct sb_form {
    enum sb_input input;
    /* number of items; 0: the first line shows n; then `input` must be text, and neither `deal` nor `free`
     * may be set */
    size_t n;
    size_t deal; /* number of items in each deal, 1..n; 0: n */
    /* The number of the first item, 0 or 1; -1: not known. If not known, the number is 0 for deals of fewer
     * than n items. For whole permutations, it is 0 if the first permutation has a 0, and 1 otherwise. */
    int base;
    /* For text: the items' names, separated by blanks or commas, such as "A B C". If NULL, the items are
     * integers. In a line, letters, digits, bytes from 128 and all characters of the names form words; all
     * other characters separate words. */
    const char *cards;
    bool ordered;   /* whether deals that are sorted show the order of the draw nevertheless */
    bool free;      /* for text: ignores line ends; every n (or `deal`) integers are a permutation */
    double timeout; /* seconds to wait for the next permutation; may be infinite */
};

enum {
    SB_LINE_MOST = 1 << 27, /* the most bytes of a line: 13 for each of SB_ITEMS_MOST items */
};

/* Checks that the form does not contradict itself, as far as this is possible before there are bytes. Errors: SB_INVALID,
 * SB_NO_MEMORY. */
enum sb_status sb_form_check(const struct sb_form *form, struct sb_error *error);

/*
 * Makes a feed. Takes ownership of `bytes`, even after a failure. Errors: SB_INVALID if the form contradicts
 * itself; SB_NO_MEMORY. next() returns SB_SUBJECT for anything that is not a permutation, and the errors of
 * bytes->read().
 */
enum sb_status sb_stream_new(struct sb_bytes *bytes, const struct sb_form *form, struct sb_error *error,
                             struct sb_feed **feed);

#endif
