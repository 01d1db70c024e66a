/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The e-process of a catalogue is a weighted average of likelihood ratios. The average is over known faulty
 * shuffles and a fair shuffle. Each ratio compares the shuffle's exact law with the law of a fair shuffle.
 *
 * A candidate is the law of one faulty shuffle. Its likelihood ratio is a product over cells of one kind:
 * ranks of permutations; draws that lead to a deck in one view (deck_draws.h); numbers of rising sequences or
 * of descents; or rotations. The worth of a cell is ln(p/q), where p is the cell's probability under the
 * candidate, and q its probability under a fair shuffle. So ln of the candidate's likelihood ratio is the sum
 * over all cells of count times worth. Worths are rounded down to multiples of 2^-32, so that sums do not
 * depend on the order of their terms, and E is at most the true E.
 */
#ifndef SB_TALLY_CATALOGUE_H
#define SB_TALLY_CATALOGUE_H

#include "core/calls.h"
#include "core/tally.h"
#include "statistic/rows/rows.h"
#include "tally/deck_draws.h"

#define SB_WORTH_UNIT 0x1p-32
#define SB_WORTH_IMPOSSIBLE INT64_MIN /* worth of a cell that the candidate never has */

enum {
    SB_CATALOGUE_RANKED = 6,                 /* the most items if the cells are ranks */
    SB_CATALOGUE_ITEMS = SB_DECK_DRAWS_MOST, /* the most items otherwise */
    /* the most decks that are tallied, unless decks are counted by rank */
    SB_CATALOGUE_DECKS = 1 << 18,
    SB_COUNTS_RISES = SB_VIEWS, /* number of rising sequences of the deck, minus 1: n cells */
    SB_COUNTS_DESCENTS,         /* number of descents of the deck: n cells */
    /* a[j] = j + k mod n: cell k; a[j] = k - j mod n: cell n + k; other decks: cell 2n */
    SB_COUNTS_ROTATIONS,
    SB_COUNTS_RANKS,     /* rank of the permutation: n! cells */
    SB_CATALOGUE_COUNTS, /* number of kinds of cells */
};

struct sb_candidate {
    char *name;        /* such as "naive" or "naive, inverted"; owned */
    char *scheme;      /* the scheme alone, such as "naive"; owned */
    char **equivalent; /* [equivalents] names of other shuffles with the same law; owned */
    size_t equivalents;
    double weight;        /* weight in the average, relative to the other candidates */
    size_t of;            /* kind of cells: a view, or one of SB_COUNTS_... */
    const int64_t *worth; /* [cells of that kind]; the catalogue owns it */
    /* sum of the worths so far, or SB_WORTH_IMPOSSIBLE; not used if the cells are ranks */
    int64_t sum;
    /* ln of the likelihood ratio at the last sb_catalogue_read(); -HUGE_VAL if the candidate cannot have
     * dealt these permutations */
    double ln_e;
};

struct sb_catalogue {
    size_t n;
    size_t count, room;
    struct sb_candidate *candidate; /* [room] only the first `count` are used; owned */
    size_t tables;
    int64_t **table; /* [tables] tables of worths; owned */
    /* number of tallied decks, at most SB_CATALOGUE_DECKS; 0 if decks are counted by rank */
    uint64_t decks;
    /* for each kind of cells, counts of the decks since the last sb_catalogue_read(); owned; NULL: this kind
     * is not needed */
    uint32_t *counts[SB_CATALOGUE_COUNTS];
    uint32_t *touched; /* scratch: the cells of one kind with nonzero counts; owned */
    double ln_e;       /* ln of the average at the last sb_catalogue_read() */
    double ln_e_error; /* an upper bound on the error of ln_e */
};

/* The number of cells of a kind. */
size_t sb_catalogue_cells(size_t n, size_t of);

/* Makes an empty catalogue, which the caller frees. NULL if memory runs out. Freeing NULL is allowed. */
struct sb_catalogue *sb_catalogue_new(size_t n);
void sb_catalogue_free(struct sb_catalogue *catalogue);

/* Adds a table of worths, and returns the table. ln_ratio[] has ln(p/q) of each cell, or -HUGE_VAL if p is 0.
 * NULL if memory runs out. */
const int64_t *sb_catalogue_table(struct sb_catalogue *catalogue, const double ln_ratio[], size_t cells);

/* Adds a candidate with these values; `worth` is one of the catalogue's tables. Copies the texts.
 * SB_NO_MEMORY. */
enum sb_status sb_catalogue_candidate(struct sb_catalogue *catalogue, const char *scheme, const char *name,
                                      double weight, size_t of, const int64_t *worth);

/* Adds another shuffle with the same law to the candidate's equivalents. SB_NO_MEMORY. */
enum sb_status sb_catalogue_also(struct sb_candidate *candidate, const char *name);

/* Tallies valid decks, items[count * n], for all candidates whose cells are not ranks. */
void sb_catalogue_add(struct sb_catalogue *catalogue, const sb_item items[], size_t count);

/* Tallies the decks that are in the rows, items[rows->deals * n]. */
void sb_catalogue_add_rows(struct sb_catalogue *catalogue, const sb_item items[], struct sb_rows *rows);

/* Updates ln_e of the candidates and of the average; `rank` is the tally of the rank, or NULL. */
void sb_catalogue_read(struct sb_catalogue *catalogue, const struct sb_tally *rank);

/* The catalogue's tally after sb_catalogue_read(), for a gate that has tallied `total` permutations. */
struct sb_tally sb_catalogue_tally(const struct sb_catalogue *catalogue, uint64_t total);

/* Whether the cells of all candidates are ranks. */
bool sb_catalogue_by_rank(const struct sb_catalogue *catalogue);

/* A hash of the names of the candidates, in order. */
uint64_t sb_catalogue_hash(const struct sb_catalogue *catalogue);

#endif
