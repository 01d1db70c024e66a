/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence about a subject: either its exact law, as integers over one denominator, or the tallies of a
 * sample. Counts are listed by rank of the deal; the matrix has a row per item and a column per position.
 */
#ifndef SB_CORE_EVIDENCE_H
#define SB_CORE_EVIDENCE_H

#include "core/permutation.h"
#include "shufflebias.h"

#include <gmp.h>

enum { SB_SHARD_ROOM = 160 };

/* The deals that many seeds reach, with one deck from each seed. */
struct sb_reach {
    uint64_t first, last; /* the requested seeds, inclusive */
    uint64_t refused;     /* seeds left out, because the generator repeats a single word from there */
    mpz_t deals;          /* the number of all deals, n!/(n-k)! */
    uint64_t reached;     /* the number of different deals among the decks */
    double reached_error; /* the relative standard error of `reached`; 0: it is exact */
    double reached_fair;  /* the average for the same number of fair shuffles */
    uint64_t most;        /* count of the most frequent deal; 0 if unknown */
    uint64_t least;       /* count of the least frequent deal, if least_known */
    bool least_known;
    double log10_fraction; /* log10 of (decks / deals), at most 0: an upper bound of what can occur */
};

/* How completely the law of a peer's shuffle is known. */
struct sb_inquiry {
    uint64_t paths;    /* series of answers that led to a deck */
    uint64_t cut;      /* series that were cut, because they exceeded the limit of draws */
    uint64_t loose;    /* series whose deck depends on where in its cell a number lies */
    char example[448]; /* a description of one loose series; empty if there is none */
    bool complete;     /* every answer was tried */
    mpq_t unresolved;  /* the probability of all series whose deck is unknown; 0: the law is complete */
};

struct sb_evidence {
    enum sb_by by;
    size_t n, deal;
    size_t cells; /* deals that are counted one by one: sb_cells(n, deal), or 0 if only the matrix is known */

    /* Sampled and by seeds: how many decks were counted. Exact: the denominator if it fits 64 bits, else
     * 0. */
    uint64_t total;
    uint64_t *count;            /* [cells]; owned; NULL if cells is 0 or `wide` holds the counts */
    uint64_t *matrix;           /* [n * deal], row = item; owned; NULL if wide_matrix holds it, or by seeds if
                         cells is 0 */
    struct sb_reach *reach;     /* by seeds; owned; NULL otherwise */
    struct sb_inquiry *inquiry; /* exact, by asking a peer: its counts may add up to less than the
                                   denominator; owned; NULL otherwise */

    /*
     * Other forms of exact evidence. Exactly one of count, small, wide and share is set, or none if cells
     * is 0; likewise one of matrix, wide_matrix and matrix_share.
     */
    mpz_t denominator;    /* always set, even if `total` has it; 0 if only doubles are known */
    uint32_t *small;      /* [cells] counts, if there are many cells and each count fits 32 bits; owned */
    mpz_t *wide;          /* [cells] counts beyond 64 bits; owned */
    mpz_t *wide_matrix;   /* [n * deal]; owned */
    double *share;        /* [cells] probabilities, if integers would need too much memory; owned */
    double *matrix_share; /* [n * deal] probabilities; owned */
    double error;         /* the largest relative error of such a probability; 0 for integers */

    /* Exact: the engine's name, "tree". Sampled: the generator and its seed. Static strings. */
    const char *engine;
    const char *rng;
    uint64_t seed;
    bool interrupted;         /* the stop flag ended the count early */
    uint64_t asked;           /* sampled: the requested number of decks; 0: unknown */
    char part[SB_SHARD_ROOM]; /* sampled: which part of a run this is, "part 3 of 7"; empty: the whole run */
    bool recorded;            /* the counts were recorded elsewhere, so the sample cannot be extended */
};

/* Sets by, n, deal and cells, and zeroes everything else. Allocates `count` if cells > 0 or by seeds, else
 * `matrix`. SB_NO_MEMORY. */
enum sb_status sb_evidence_open(enum sb_by by, size_t n, size_t deal, struct sb_evidence *evidence);
void sb_evidence_close(struct sb_evidence *evidence);

/* The count of a rank, if `count` or `small` holds it. */
static inline uint64_t sb_evidence_count(const struct sb_evidence *evidence, size_t rank)
{
    return evidence->small ? evidence->small[rank] : evidence->count[rank];
}

/* Whether the counts of the ranks are known as whole numbers. */
static inline bool sb_evidence_counted(const struct sb_evidence *evidence)
{
    return evidence->cells && !evidence->share;
}

/* Whether the deck is unknown for part of the probability, so that each count is a lower bound. */
static inline bool sb_evidence_partial(const struct sb_evidence *evidence)
{
    return evidence->inquiry && mpq_sgn(evidence->inquiry->unresolved) > 0;
}

/* Negative, 0 or positive if rank a is less likely than, as likely as, or likelier than rank b. */
static inline int sb_evidence_compare(const struct sb_evidence *evidence, size_t a, size_t b)
{
    if (evidence->wide)
        return mpz_cmp(evidence->wide[a], evidence->wide[b]);
    if (evidence->share)
        return (evidence->share[a] > evidence->share[b]) - (evidence->share[a] < evidence->share[b]);
    const uint64_t one = sb_evidence_count(evidence, a), other = sb_evidence_count(evidence, b);

    return (one > other) - (one < other);
}

/* "exact", "sample" or "seeds". */
const char *sb_by_name(enum sb_by by);

/* Computes the matrix from the counts, if it does not exist yet. SB_NO_MEMORY. */
enum sb_status sb_evidence_matrix(struct sb_evidence *evidence);

/* count / denominator of one rank or of one cell of the matrix as a fraction in lowest terms, and as a
 * double. There is no fraction if only doubles are known. */
void sb_evidence_fraction(const struct sb_evidence *evidence, size_t rank, mpq_t fraction);
void sb_evidence_matrix_fraction(const struct sb_evidence *evidence, size_t item, size_t position,
                                 mpq_t fraction);
double sb_evidence_share(const struct sb_evidence *evidence, size_t rank);
double sb_evidence_matrix_share(const struct sb_evidence *evidence, size_t item, size_t position);

#endif
