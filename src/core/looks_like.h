/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The known faulty shuffle that permutations look like. */
#ifndef SB_CORE_LOOKS_LIKE_H
#define SB_CORE_LOOKS_LIKE_H

#include <stdbool.h>
#include <stddef.h>

struct sb_looks_like {
    /* whether the permutations were compared with a catalogue of faulty shuffles; if not, all other fields
     * are 0 */
    bool asked;
    char *scheme; /* such as "sattolo"; owned; NULL: the permutations match no shuffle in the catalogue */
    const char *
        /* how the deck is printed after the shuffle: "plain", "inverted", "reversed" or "inverted and
         * reversed"; static */
        form;
    size_t equivalents;
    /* [equivalents] shuffles that cannot be distinguished from `scheme`, such as "naive, inverted"; owned */
    char **equivalent;
    char *next; /* the second likeliest shuffle; owned; NULL: there is none, or by_positions is set */
    /* ln of the likelihood ratio of `scheme` to `next`, each shuffle in its likeliest form. Infinite: no
     * other shuffle could have dealt these permutations. NaN: by_positions is set. */
    double ln_ratio;
    /* whether only the positions of the items were compared; if so, `scheme` only describes the permutations
     * and is no evidence */
    bool by_positions;
    const char *title, *cause, *fix; /* for people; static; the fix is pseudocode, whose lines end in "\n" */
};

/* Frees everything that the struct owns. The struct may be closed twice, and may be all zeroes. */
void sb_looks_like_close(struct sb_looks_like *looks_like);

#endif
