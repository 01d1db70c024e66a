/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decks of 52 cards with planted faults that are hard to see. Each deck by itself is fair, or nearly. */
#ifndef FAULTY_DECKS_H
#define FAULTY_DECKS_H

#include "core/core.h"

enum {
    FAULTY_CARDS = 52,
    FAULTY_BACK = 5, /* how many decks a fault looks back at most */
};

struct faulty_decks {
    uint64_t state[2];                           /* of the generator, xorshift128+ */
    uint64_t dealt;                              /* decks so far */
    sb_item last[FAULTY_BACK + 1][FAULTY_CARDS]; /* deck t is at index t modulo their number */
};

struct fault {
    const char *name, *title;
    /* Makes deck `decks->dealt` of a fair one, deck[FAULTY_CARDS]; NULL: leaves it. */
    void (*plant)(struct faulty_decks *decks, sb_item deck[]);
};

extern const struct fault faults[];
extern const size_t faults_count;

void faulty_begin(uint64_t seed, struct faulty_decks *decks);

/* The next deck, deck[FAULTY_CARDS]. */
void faulty_next(const struct fault *fault, struct faulty_decks *decks, sb_item deck[]);

#endif
