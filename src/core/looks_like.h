/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The known faulty shuffle that permutations look like, or the one order that all of them have. */
#ifndef SB_CORE_LOOKS_LIKE_H
#define SB_CORE_LOOKS_LIKE_H

#include <stdbool.h>
#include <stddef.h>

/* What to say of results that were all the same. */
enum sb_always {
    SB_ALWAYS_NOT,      /* the results differ */
    SB_ALWAYS_ORIGINAL, /* each result was the original order */
    SB_ALWAYS_REVERSED, /* each result was the original order from the last item to the first */
    SB_ALWAYS_SAME,     /* each result was the same other order, and there was more than one result */
};

struct sb_looks_like {
    /* whether the permutations were compared with a catalogue of faulty shuffles; if not, all other fields
     * are 0, except `always` and `order` */
    bool asked;
    enum sb_always always;
    char *order; /* the order of each result, as people write it; owned; NULL if the results differ */
    /* such as "sattolo": the likeliest shuffle whose law the permutations do not reject; owned; NULL: the
     * permutations match no shuffle in the catalogue */
    char *scheme;
    const char *
        /* how the deck is printed after the shuffle: "plain", "inverted", "reversed" or "inverted and
         * reversed"; static */
        form;
    size_t equivalents;
    /* [equivalents] shuffles that cannot be distinguished from `scheme`, such as "naive, inverted"; owned */
    char **equivalent;
    size_t others;
    /* [others] other shuffles whose law the permutations do not reject, and which are at most 1,000 times less
     * likely; owned */
    char **other;
    /* ln of how many times as likely the permutations, or their positions, are under `scheme` as under a fair shuffle */
    double ln_e;
    double ln_tried; /* ln of the number of shuffles from which `scheme` was chosen, each with its forms */
    bool level;      /* whether all permutations that are possible under `scheme` are equally likely */
    bool sure; /* whether `scheme` may be stated as a fact: there are no others, and enough permutations */
    /* whether shuffles were ordered by the positions of the items, since their laws are unknown */
    bool by_positions;
    const char *title, *cause, *fix; /* for people; static; the fix is pseudocode, whose lines end in "\n" */
};

/* Frees everything that the struct owns. The struct may be closed twice, and may be all zeroes. */
void sb_looks_like_close(struct sb_looks_like *looks_like);

#endif
