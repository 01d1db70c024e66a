/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The known faulty shuffle that permutations look like. */
#ifndef SB_CORE_LOOKS_LIKE_H
#define SB_CORE_LOOKS_LIKE_H

#include <stdbool.h>
#include <stddef.h>

struct sb_looks_like {
    bool asked;   /* permutations were compared with a catalogue of faulty shuffles; if not, all else is 0 */
    char *scheme; /* "sattolo", "naive, inverted"; owned; NULL: they match no shuffle in the catalogue */
    size_t equivalents;
    char **equivalent; /* [equivalents] names of other shuffles that cannot be told from it; owned */
    char *next;        /* the next candidate; owned; NULL: none, or by positions */
    /* ln of how many times as likely it is as the next candidate; infinite: no other could have dealt these
     * permutations; NaN: by positions. */
    double ln_ratio;
    bool by_positions; /* only the positions of the items were compared: a description, and no evidence */
    const char *title, *cause, *fix; /* for people; static; the fix is pseudocode, whose lines end in "\n" */
};

/* Frees everything; closing twice, or closing zeroes, is allowed. */
void sb_looks_like_close(struct sb_looks_like *looks_like);

#endif
