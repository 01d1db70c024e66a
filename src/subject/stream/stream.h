/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutations out of bytes, as text or binary. Nothing is guessed: what breaks the form is an error that
 * names the line, or the permutation and its byte, what was wrong and the remedy.
 *
 * Text: a permutation per line. Integers are separated by blanks and punctuation. Blank lines are skipped; #
 * begins a comment. Words are errors, except a title that begins each line (deck: 0 2 1) and a label that
 * stands before each integer (card0 card2 card1). A letter right after a digit, a sign or a point beside a
 * digit, and a control byte other than tab, LF and CR before LF are errors, too. Binary: one item after
 * another, little-endian, without a header.
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
    size_t n;    /* items; 0: as many as the first line has; text without deal and free alone */
    size_t deal; /* how many of them are shown, 1..n; 0: all */
    int base;    /* what counting begins with, 0 or 1; -1: with 0 where the first permutation has a 0, else
                    with 1; deals of fewer than n from 0 */
    const char *cards; /* text: the items' names, separated by blanks or commas, in place of integers: "A B
                          C"; or NULL. In the lines, characters of names, letters, digits and bytes from 128
                          make up words; the others separate them. */
    bool free;         /* text: the ends of lines are ignored; n integers, or `deal`, are a permutation */
    double timeout;    /* seconds to wait for the next permutation; may be infinite */
};

enum {
    SB_LINE_MOST = 1 << 20, /* bytes of a line: 16 for each of 65535 items */
    SB_CARD_MOST = 63,      /* bytes of a card's name */
};

/*
 * The bytes are taken over, also where this fails. SB_INVALID: a form that contradicts itself;
 * SB_NO_MEMORY. The feed gives SB_SUBJECT for what is no permutation, and what the bytes give.
 */
enum sb_status sb_stream_new(struct sb_bytes *bytes, const struct sb_form *form, struct sb_error *error,
                             struct sb_feed **feed);

#endif
