/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence: what was seen of a subject. Either its exact law, as integers over one denominator, or the
 * tallies of a sample. Counts go by rank of the deal; the matrix has a row per item and a column per
 * position.
 */
#ifndef SB_CORE_EVIDENCE_H
#define SB_CORE_EVIDENCE_H

#include "core/numbers.h"
#include "core/permutation.h"

enum { SB_SHARD_ROOM = 160, SB_ENGINE_ROOM = 48 };

/* What the decks from many seeds, one from each, amount to. */
struct sb_reach {
    uint64_t first, last; /* the seeds that were asked for, inclusive */
    uint64_t refused;     /* of them those left out, from which the generator only repeats itself */
    mpz_t deals;          /* all the deals that there are, n!/(n-k)! */
    uint64_t reached;     /* the different ones among the decks */
    double reached_error; /* the standard error of that, relative to it; 0: it is exact */
    double reached_fair;  /* what as many fair shuffles would reach on average */
    uint64_t most;        /* how often the deal came up that did so most; 0 where that is not known */
    uint64_t least;       /* how often the one that did so least, if least_known */
    bool least_known;
    double log10_fraction; /* log10 of (decks / deals), at most 0: no more than that fraction can come up */
};

/* What the law of somebody else's shuffle rests on. */
struct sb_inquiry {
    uint64_t paths;    /* series of answers whose deck is known */
    uint64_t cut;      /* ... that were cut off, being longer than the most draws */
    uint64_t loose;    /* ... whose deck depends on where in its cell a number lies */
    char example[448]; /* one of the loose, in words; empty without any */
    bool complete;     /* no answer was left out */
    mpq_t unresolved;  /* the probability of what is not known to its deck; 0: the law is whole */
};

struct sb_evidence {
    enum sb_by by;
    size_t n, deal;
    size_t cells; /* deals that are counted one by one: sb_cells(n, deal), 0 where only the matrix is known */

    /* Sampled and by seeds: how many decks were counted. Exact: the denominator where it fits 64 bits, else
     * 0. */
    uint64_t total;
    struct sb_numbers counts; /* [cells] by rank; 64-bit unless exact; 32-bit only where the cells are many */
    struct sb_numbers matrix; /* [n * deal], row = item; none where it is not known, or not made yet */
    struct sb_reach *reach;   /* by seeds; owned; NULL otherwise */
    struct sb_inquiry *inquiry; /* exact, by asking a peer: its counts may add up to less than the
                                   denominator; owned; NULL otherwise */

    mpz_t denominator; /* always set, also where `total` has it; 0 where only doubles are known */
    double error;      /* the most that a double can be off, relative to itself; 0 for integers */

    char engine[SB_ENGINE_ROOM]; /* exact: which engine, "tree", or engines; empty otherwise */
    const char *rng;             /* sampled: the generator and its seed; static */
    uint64_t seed;
    bool interrupted;         /* ended by the stop flag before all was counted */
    uint64_t asked;           /* sampled: decks that were to be counted; 0: nobody knows */
    char part[SB_SHARD_ROOM]; /* sampled: the part of a run that it is, "part 3 of 7"; empty: all of it */
    bool recorded; /* a sample that somebody else has counted: there is no more to be had by asking */
};

/* Zeroes everything but by, n, deal and cells; of 64 bits are the counts where cells > 0, else the matrix, but
 * by seeds. SB_NO_MEMORY. */
enum sb_status sb_evidence_open(enum sb_by by, size_t n, size_t deal, struct sb_evidence *evidence);
void sb_evidence_close(struct sb_evidence *evidence);

/* Whether some of the probability is not known to its deck, so that each count is the least that it may be.
 */
static inline bool sb_evidence_partial(const struct sb_evidence *evidence)
{
    return evidence->inquiry && mpq_sgn(evidence->inquiry->unresolved) > 0;
}

/* "exact", "sample" or "seeds". */
const char *sb_by_name(enum sb_by by);

/* Makes the matrix out of the counts, where it is not there yet. SB_NO_MEMORY. */
enum sb_status sb_evidence_matrix(struct sb_evidence *evidence);

/* count / denominator of one rank or of one cell of the matrix as a fraction in lowest terms, and as a
 * double. There is no fraction where only doubles are known. */
void sb_evidence_fraction(const struct sb_evidence *evidence, size_t rank, mpq_t fraction);
void sb_evidence_matrix_fraction(const struct sb_evidence *evidence, size_t item, size_t position,
                                 mpq_t fraction);
double sb_evidence_share(const struct sb_evidence *evidence, size_t rank);
double sb_evidence_matrix_share(const struct sb_evidence *evidence, size_t item, size_t position);

#endif
