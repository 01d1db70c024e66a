/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact item-by-position matrix: checks whether the matrix is possible, and chooses the number
 * type of the matrix. If only one card is dealt, the only column of the matrix is the law.
 *
 * R. Pinsky, Cyclic to random transposition shuffles (2012), arXiv:1204.2081, gives the limit of the naive
 * swap's matrix.
 */
#include "exact/position/position.h"

#include "core/core.h"
#include "core/evidence.h"
#include "exact/engine.h"

#include <math.h>

enum {
    /* the largest n for fractions; for a larger n, the fractions have hundreds of digits */
    POSITION_FRACTIONS_MOST = 64
};

/* Returns whether the matrix of the shuffle can be computed if n is small enough. */
static bool position_has(const struct sb_law *law)
{
    const struct sb_shuffle_type *const type = law->shuffler->shuffle.type;

    return type->plan || type->origin;
}

static enum sb_status position_check(const struct sb_law *law, bool exact, struct sb_error *error)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const char *const name = shuffler->shuffle.type->name;
    const size_t n = shuffler->n,
                 exact_most = shuffler->deal == 1 ? SB_POSITION_FIRST_MOST : SB_POSITION_EXACT_MOST;

    if (!position_has(law))
        return sb_error_set(
            error, SB_INVALID,
            "%s: its exact matrix is not known, since it is no series of independent steps: use `by=sample`",
            name);
    if (!shuffler->shuffle.type->plan && n > SB_POSITION_ORIGINS_MOST)
        return sb_error_set(error, SB_TOO_LARGE,
                            "%s: `n = %zu` is too large for the exact matrix: use n <= %d", name, n,
                            SB_POSITION_ORIGINS_MOST);
    if (exact && n > exact_most)
        return sb_error_set(error, SB_TOO_LARGE, "%s: `n = %zu` is too large for fractions: use n <= %zu",
                            name, n, exact_most);
    if (n * shuffler->deal > SB_POSITION_CELLS_MOST)
        return sb_error_set(
            error, SB_TOO_LARGE,
            "`n = %zu` is too large for a matrix of items by positions: use n <= 8192, or `deal=%zu`", n,
            SB_POSITION_CELLS_MOST / n);
    if (sb_position_work(law) > SB_POSITION_WORK_MOST)
        return sb_error_set(
            error, SB_TOO_LARGE,
            "%s: the exact matrix at `n = %zu` would take hours: use n <= 8192, or `by=sample`", name, n);
    return SB_OK;
}

enum sb_status sb_position_matrix(const struct sb_law *law, bool exact, struct sb_error *error,
                                  struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    struct sb_evidence made = {
        .by = SB_BY_EXACT,
        .n = shuffler->n,
        .deal = shuffler->deal,
    };
    enum sb_status status = position_check(law, exact, error);

    if (status)
        return status;
    mpz_init(made.denominator);
    if (shuffler->shuffle.type->plan)
        status = exact ? sb_position_integers(law, &made) : sb_position_doubles(law, &made);
    else
        status = exact ? sb_position_origins_integers(law, &made) : sb_position_origins_doubles(law, &made);
    if (status == SB_OK) {
        *evidence = made;
        return SB_OK;
    }
    sb_evidence_close(&made);
    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped before the matrix was done",
                            shuffler->shuffle.type->name);
    return sb_error_memory(error, "the matrix of items by positions");
}

/* Returns whether the matrix is the law, in fractions: one card is dealt, and it is not the whole deck. */
static bool position_is_law(const struct sb_law *law)
{
    const struct sb_shuffler *const shuffler = law->shuffler;

    return shuffler->deal == 1 && shuffler->n > 1 && position_has(law) &&
           shuffler->n <= (shuffler->shuffle.type->plan ? SB_POSITION_FIRST_MOST : POSITION_FRACTIONS_MOST);
}

/* Assumes about a nanosecond per product. */
static double position_cost(const struct sb_law *law, enum sb_engine_task task)
{
    const bool possible =
        task == SB_TASK_MATRIX ? position_has(law) : task == SB_TASK_LAW && position_is_law(law);

    return possible ? sb_position_work(law) : HUGE_VAL;
}

static enum sb_status position_matrix(const struct sb_law *law, struct sb_error *error,
                                      struct sb_evidence *evidence)
{
    const bool exact = law->shuffler->n <= POSITION_FRACTIONS_MOST || position_is_law(law);

    return sb_position_matrix(law, exact, error, evidence);
}

/* The law of deals of one card: the rank of such a deal is its item, and the item's row of the matrix has one cell. */
static enum sb_status position_law(const struct sb_law *law, struct sb_error *error,
                                   struct sb_evidence *evidence)
{
    struct sb_evidence made = { 0 };
    enum sb_status status = position_matrix(law, error, &made);

    if (status)
        return status;
    made.cells = made.n;
    made.counts = made.matrix;
    made.matrix = (struct sb_numbers) { 0 };
    status = sb_exact_narrow(&made);
    if (status == SB_OK) {
        *evidence = made;
        return SB_OK;
    }
    sb_evidence_close(&made);
    return sb_error_memory(error, "the exact law");
}

const struct sb_engine_type sb_engine_position = {
    .name = "position",
    .cost = position_cost,
    .law = position_law,
    .matrix = position_matrix,
};
