/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The known faulty shuffle that permutations look like. */
#ifndef SB_CORE_LOOKS_LIKE_H
#define SB_CORE_LOOKS_LIKE_H

#include <stdbool.h>
#include <stddef.h>

struct sb_looks_like {
    bool asked;   /* permutations were compared with a catalogue of faulty shuffles; if not, all else is 0 */
    char *scheme; /* "sattolo"; owned; NULL: they match no shuffle in the catalogue */
    const char *
        form; /* how its deck is written down: "plain", "inverted", "reversed", "inverted and reversed"; static */
    size_t equivalents;
    char **equivalent; /* [equivalents] others that cannot be told from it: "naive, inverted"; owned */
    char *next;        /* the next shuffle; owned; NULL: none, or by positions */
    /* ln of how many times as likely it is as the next shuffle, each in its likeliest form; infinite: no other could
     * have dealt these permutations; NaN: by positions. */
    double ln_ratio;
    bool by_positions; /* only the positions of the items were compared: a description, and no evidence */
    const char *title, *cause, *fix; /* for people; static; the fix is pseudocode, whose lines end in "\n" */
};

/* Frees everything; closing twice, or closing zeroes, is allowed. */
void sb_looks_like_close(struct sb_looks_like *looks_like);

#endif
