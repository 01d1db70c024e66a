/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The e-process of a catalogue: the weighted average, over known faulty shuffles and a fair one, of how many times as
 * likely the permutations are under the shuffle's exact law as under a fair shuffle.
 *
 * A candidate is a law whose likelihood ratio is a product over cells that can be counted: the rank of each
 * permutation; or the draws of each deck in one of its views; or its rising sequences, descents or rotation. So ln
 * of the candidate's likelihood ratio is the sum of count times worth, where the worth of a cell is ln(p/q).
 * Worths are whole multiples of 2^-32, rounded down, so that sums do not depend on their order and E is at
 * most the true E.
 */
#ifndef SB_TALLY_CATALOGUE_H
#define SB_TALLY_CATALOGUE_H

#include "core/tally.h"
#include "shufflebias.h"
#include "tally/deck_draws.h"

#define SB_WORTH_UNIT 0x1p-32
#define SB_WORTH_IMPOSSIBLE INT64_MIN /* of a cell that the candidate never has */

enum {
    SB_CATALOGUE_RANKED = 6,                 /* the most items of candidates by rank */
    SB_CATALOGUE_ITEMS = SB_DECK_DRAWS_MOST, /* the most items of other candidates */
    SB_CATALOGUE_DECKS = 1 << 18,            /* decks that count, unless they are counted by rank */
    SB_COUNTS_RISES = SB_VIEWS,              /* rising sequences of the deck, minus 1, ... */
    SB_COUNTS_DESCENTS,                      /* ... and its descents: n cells each */
    SB_COUNTS_ROTATIONS, /* a[j] = j + k mod n, at k; a[j] = k - j, at n + k; others, at 2n */
    SB_COUNTS_RANKS,     /* ranks: n! cells */
    SB_CATALOGUE_COUNTS, /* how many kinds of cells there are */
};

struct sb_candidate {
    char *name;        /* "naive", "naive, inverted"; owned */
    char *scheme;      /* the scheme alone: "naive"; owned */
    char **equivalent; /* [equivalents] names of other shuffles with the same law; owned */
    size_t equivalents;
    double weight;        /* in the average, relative to others */
    size_t of;            /* which cells: a view, or one of SB_COUNTS_... */
    const int64_t *worth; /* [cells of that kind]; the catalogue owns it */
    int64_t sum;          /* of the worths so far, except those of counts by rank; or SB_WORTH_IMPOSSIBLE */
    double ln_e;          /* at the last reading; -HUGE_VAL if the candidate cannot have dealt this */
};

struct sb_catalogue {
    size_t n;
    size_t count, room;
    struct sb_candidate *candidate; /* [count], room for more; owned */
    size_t tables;
    int64_t **table;                       /* [tables] of worths; owned */
    uint64_t decks;                        /* counted, at most SB_CATALOGUE_DECKS; 0 if counted by rank */
    uint32_t *counts[SB_CATALOGUE_COUNTS]; /* of decks since the last reading; owned; NULL: not needed */
    uint32_t *touched;                     /* the cells of one kind with counts, scratch; owned */
    double ln_e;                           /* of the average at the last reading */
};

/* The number of cells of a kind. */
size_t sb_catalogue_cells(size_t n, size_t of);

/* Makes an empty catalogue; the caller frees it; freeing NULL is allowed. NULL if memory runs out. */
struct sb_catalogue *sb_catalogue_new(size_t n);
void sb_catalogue_free(struct sb_catalogue *catalogue);

/* Adds a table of worths from ln(p/q) of each cell, -HUGE_VAL for p = 0. NULL if memory runs out. */
const int64_t *sb_catalogue_table(struct sb_catalogue *catalogue, const double ln_ratio[], size_t cells);

/* Adds a candidate: its scheme, name, weight, `of`, and worth, which is one of the catalogue's tables. Copies
 * the texts. SB_NO_MEMORY. */
enum sb_status sb_catalogue_candidate(struct sb_catalogue *catalogue, const char *scheme, const char *name,
                                      double weight, size_t of, const int64_t *worth);

/* Adds a name for the law of a candidate. SB_NO_MEMORY. */
enum sb_status sb_catalogue_also(struct sb_candidate *candidate, const char *name);

/* Counts valid decks, items[count * n], except for candidates by rank. */
void sb_catalogue_add(struct sb_catalogue *catalogue, const sb_item items[], size_t count);

/* Updates ln_e of the candidates and of the average; `rank` is the tally of the rank, or NULL. */
void sb_catalogue_read(struct sb_catalogue *catalogue, const struct sb_tally *rank);

/* The family's tally after sb_catalogue_read(), for a gate that has counted `total` permutations. */
struct sb_tally sb_catalogue_tally(const struct sb_catalogue *catalogue, uint64_t total);

/* Whether all candidates go by the rank. */
bool sb_catalogue_by_rank(const struct sb_catalogue *catalogue);

/* A hash of the names of the candidates, in order. */
uint64_t sb_catalogue_hash(const struct sb_catalogue *catalogue);

#endif
