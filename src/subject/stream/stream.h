/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses permutations from bytes, as text or binary. The parser guesses nothing: a violation of the format is
 * an error that names the line, or the permutation and its byte, what is wrong, and the remedy.
 *
 * Text: a permutation per line. Blanks and punctuation separate integers. Blank lines are skipped; # begins a
 * comment. Words are errors, except a title at the start of each line (deck: 0 2 1) and a label before each
 * integer (card0 card2 card1). Also errors: a letter directly after a digit, a sign or a point beside a
 * digit, and control bytes other than tab, LF, and CR before LF. Binary: items one after another,
 * little-endian, without a header.
 */
#ifndef SB_SUBJECT_STREAM_STREAM_H
#define SB_SUBJECT_STREAM_STREAM_H

#include "core/feed.h"
#include "subject/stream/bytes.h"

enum sb_input {
    SB_INPUT_TEXT,
    SB_INPUT_U8,
    SB_INPUT_U16,
    SB_INPUT_U32,
};

struct sb_form {
    enum sb_input input;
    size_t n;    /* items; 0: as the first line shows; only for text without deal and free */
    size_t deal; /* number of items in each deal, 1..n; 0: all */
    /* The number of the first item, 0 or 1. -1: 0 if the first permutation has a 0, else 1; deals of fewer
     * than n items count from 0. */
    int base;
    /* Text: the items' names, separated by blanks or commas, in place of integers: "A B C"; or NULL. In lines,
     * words consist of letters, digits, bytes from 128, and all characters of names; other characters separate
     * words. */
    const char *cards;
    bool free;      /* text: line ends are ignored; every n integers, or `deal`, are a permutation */
    double timeout; /* seconds to wait for the next permutation; may be infinite */
};

enum {
    SB_LINE_MOST = 1 << 27, /* bytes of a line: 13 for each of SB_ITEMS_MOST items */
    SB_CARD_MOST = 63,      /* bytes of a card's name */
};

/*
 * Makes a feed. Takes ownership of the bytes, even after a failure. SB_INVALID: the form contradicts itself;
 * SB_NO_MEMORY. next() returns SB_SUBJECT for anything that is not a permutation, and the errors of the
 * bytes.
 */
enum sb_status sb_stream_new(struct sb_bytes *bytes, const struct sb_form *form, struct sb_error *error,
                             struct sb_feed **feed);

#endif
