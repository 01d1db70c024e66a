/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence about a subject: either its exact law, as integers over one denominator, or the tallies of a
 * sample. Counts are listed by rank of the deal; the matrix has a row per item and a column per position.
 */
#ifndef SB_CORE_EVIDENCE_H
#define SB_CORE_EVIDENCE_H

#include "core/item_names.h"
#include "core/numbers.h"

enum { SB_SHARD_ROOM = 160, SB_ENGINE_ROOM = 48 };

/* The deals that a range of seeds reaches. Each seed gives one deck. */
struct sb_reach {
    uint64_t first, last; /* the requested seeds, inclusive */
    /* number of seeds that were left out, because from such a seed the generator only repeats a single
     * word */
    uint64_t refused;
    mpz_t deals;          /* total number of deals, n!/(n-k)! */
    uint64_t reached;     /* the number of different deals among the decks */
    double reached_error; /* the relative standard error of `reached`; 0 if `reached` is exact */
    double reached_fair;  /* the average of `reached` for the same number of fair shuffles */
    uint64_t most;        /* count of the most frequent deal; 0 if unknown */
    uint64_t least;       /* count of the least frequent deal, if least_known */
    bool least_known;
    /* log10 of min(1, decks / deals), the largest fraction of the deals that the decks can reach */
    double log10_fraction;
};

/* How completely the law of a peer's shuffle is known. */
struct sb_inquiry {
    uint64_t paths; /* number of series of answers that led to a deck */
    uint64_t cut;   /* number of series that were stopped at the limit of draws */
    /* number of series in which a number in [0, 1) stands for a whole cell of numbers, and whose deck is not
     * the same for all numbers of the cell */
    uint64_t loose;
    uint32_t cells;    /* how many cells [0, 1) was divided into; 0 if no number in [0, 1) was asked for */
    char example[448]; /* description of one of these `loose` series; empty if `loose` is 0 */
    bool complete;     /* whether every answer was tried */
    mpq_t unresolved;  /* total probability of the series whose deck is unknown; 0 if the law is complete */
};

struct sb_evidence {
    enum sb_by by;
    size_t n, deal;
    const struct sb_item_names *names; /* what the items are called; borrowed; NULL: numbers from 1 */
    /* the number of deals, sb_cells(n, deal), if each deal has a count of its own; 0 if only the matrix is
     * known */
    size_t cells;

    /* Sampled or by seeds: the number of counted decks. Exact: the denominator, or 0 if the denominator does
     * not fit in 64 bits. */
    uint64_t total;
    /* [cells] by rank; 64-bit integers for samples and seeds, any form for exact laws */
    struct sb_numbers counts;
    struct sb_numbers matrix; /* [rows * deal], row = item or kind; empty if unknown or not computed yet */
    struct sb_reach *reach;   /* by seeds: what the seeds reach; owned; NULL for other evidence */
    /* For an exact law that was found by asking a peer: how completely the law is known. If the law is
     * incomplete, the counts add up to less than the denominator. Owned; NULL for other evidence. */
    struct sb_inquiry *inquiry;

    mpz_t denominator; /* exact: the denominator, even if `total` is set; 0 if only doubles are known */
    double error;      /* an upper bound on the relative error if the numbers are doubles; 0 for integers */

    /* exact: name of the engine, such as "tree", or names of several engines; else empty */
    char engine[SB_ENGINE_ROOM];
    const char *rng; /* sampled: the generator and its seed; static */
    uint64_t seed;
    bool interrupted;         /* whether the stop flag ended the count early */
    uint64_t asked;           /* sampled: the requested number of decks; 0: unknown */
    char part[SB_SHARD_ROOM]; /* sampled: the part of the run, such as "part 3 of 7"; empty: the whole run */
    /* whether another program recorded the counts; if so, the sample cannot be extended */
    bool recorded;
    bool ended; /* whether the subject ended before it gave all decks that were asked for */
};

/* Allocates zeroed evidence. It has 64-bit counts if sb_cells(n, deal) > 0. Otherwise sampled and exact
 * evidence has a 64-bit matrix, and evidence by seeds has neither counts nor a matrix. SB_NO_MEMORY. */
enum sb_status sb_evidence_open(enum sb_by by, size_t n, size_t deal, struct sb_evidence *evidence);
void sb_evidence_close(struct sb_evidence *evidence);

/* Returns whether the decks of some series of answers are unknown. If so, each count is only a lower
 * bound. */
static inline bool sb_evidence_partial(const struct sb_evidence *evidence)
{
    return evidence->inquiry && mpq_sgn(evidence->inquiry->unresolved) > 0;
}

/* Returns "exact", "sample" or "seeds". */
const char *sb_by_name(enum sb_by by);

/*
 * The matrix has a row for each item or, in a deck with equal items, for each kind of items (core/multiset.h). These
 * functions return the number of rows, the item that stands for a row, the number of items of the row, the probability
 * that a fair shuffle puts an item of the row at a given position, and the ratio of a share to this probability.
 */
size_t sb_evidence_rows(const struct sb_evidence *evidence);
size_t sb_evidence_item(const struct sb_evidence *evidence, size_t row);
size_t sb_evidence_copies(const struct sb_evidence *evidence, size_t row);
double sb_evidence_fair(const struct sb_evidence *evidence, size_t row);
double sb_evidence_ratio(const struct sb_evidence *evidence, size_t row, double share);

/* The deviation of a ratio from 1 that is too small for any feasible sample, and whose sign rounding hides. */
#define SB_RATIO_FAINT 1e-12

/* Sets a[0..deal-1] to the deal or the arrangement of this rank. */
void sb_evidence_unrank(const struct sb_evidence *evidence, size_t rank, sb_item a[]);

/*
 * Turns evidence about permutations into evidence about arrangements, if evidence->names has equal items:
 * adds up the counts of the permutations that look the same, and the rows of the matrix of items of a kind.
 * The counts are dropped if arrangements have no ranks. SB_NO_MEMORY.
 */
enum sb_status sb_evidence_arrange(struct sb_evidence *evidence);

/* Computes the matrix from the counts, unless the evidence already has a matrix. SB_NO_MEMORY. */
enum sb_status sb_evidence_matrix(struct sb_evidence *evidence);

/* These functions give the count of one rank, or of one cell of the matrix, divided by the denominator. The
 * first two functions give a fraction in lowest terms, and the last two give a double. There is no fraction
 * if only doubles are known. */
void sb_evidence_fraction(const struct sb_evidence *evidence, size_t rank, mpq_t fraction);
void sb_evidence_matrix_fraction(const struct sb_evidence *evidence, size_t item, size_t position,
                                 mpq_t fraction);
double sb_evidence_share(const struct sb_evidence *evidence, size_t rank);
double sb_evidence_matrix_share(const struct sb_evidence *evidence, size_t item, size_t position);

/* Returns the index, row by row, of the first cell of the matrix that is farthest from the fair share of its row. */
size_t sb_evidence_farthest(const struct sb_evidence *evidence);

#endif
