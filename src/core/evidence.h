/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence: what was seen of a subject. Either its exact law, as integers over one denominator, or the
 * tallies of a sample. Counts go by rank of the deal; the matrix has a row per item and a column per
 * position.
 */
#ifndef SB_CORE_EVIDENCE_H
#define SB_CORE_EVIDENCE_H

#include "core/permutation.h"
#include "shufflebias.h"

#include <gmp.h>

struct sb_evidence {
    enum sb_by by;
    size_t n, deal;
    size_t cells; /* deals that are counted one by one: sb_cells(n, deal), 0 where only the matrix is known */

    /* Sampled: how many decks were counted. Exact: the denominator where it fits 64 bits, else 0. */
    uint64_t total;
    uint64_t *count;  /* [cells]; owned; NULL where cells is 0 or `wide` holds them */
    uint64_t *matrix; /* [n * deal], row = item; owned; NULL where wide_matrix holds it */

    /*
     * Other forms of exact evidence. Of count, small, wide and share one is set, or none where cells is 0; of
     * matrix, wide_matrix and matrix_share likewise one.
     */
    mpz_t denominator;    /* always set, also where `total` has it; 0 where only doubles are known */
    uint32_t *small;      /* [cells] counts, where the cells are many and each fits 32 bits; owned */
    mpz_t *wide;          /* [cells] counts beyond 64 bits; owned */
    mpz_t *wide_matrix;   /* [n * deal]; owned */
    double *share;        /* [cells] probabilities, where integers would be too wide to keep; owned */
    double *matrix_share; /* [n * deal] probabilities; owned */
    double error; /* the most that such a probability can be off, relative to itself; 0 for integers */

    /* Exact: which engine, "tree". Sampled: the generator and its seed. Static strings. */
    const char *engine;
    const char *rng;
    uint64_t seed;
    bool interrupted; /* ended by the stop flag before all was counted */
};

/* Zeroes everything but by, n, deal and cells; takes `count` where cells > 0, else `matrix`. SB_NO_MEMORY. */
enum sb_status sb_evidence_open(enum sb_by by, size_t n, size_t deal, struct sb_evidence *evidence);
void sb_evidence_close(struct sb_evidence *evidence);

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
