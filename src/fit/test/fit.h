/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Goodness-of-fit tests: the tallies of one statistic against its null law. One file each, which ends in a
 * const descriptor. A new test is a new file, and a line in meson.build.
 */
#ifndef SB_FIT_TEST_FIT_H
#define SB_FIT_TEST_FIT_H

#include "core/finding.h"
#include "core/tally.h"
#include "fit/effect/spread.h"
#include "fit/test/cell.h"
#include "shufflebias.h"

struct sb_test_type {
    const char *name, *title, *cite;
    const char *statistic; /* the statistic that it tests; NULL: every statistic without a test of its own */
    /*
     * Fills the finding, with the interval of its effect at level 1 - alpha, 0 < alpha < 1. An empty
     * tally, or a single cell, is not evidence: then p, ln_p and the effects are NaN; for an empty tally,
     * so is value. SB_INVALID: a tally of another shape; SB_BROKEN: a count in an impossible cell.
     */
    enum sb_status (*run)(const struct sb_tally *tally, double alpha, struct sb_finding *finding);
};

/* Pearson's chi-square of the rank, and of the merged cells of any statistic with all its members. */
extern const struct sb_test_type sb_test_pearson, sb_test_merged;

/* The test of a bettor: of its tally at the moment of its largest E. */
extern const struct sb_test_type sb_test_betting;

/* All tests in the order of src/fit/meson.build, and their number. */
extern const struct sb_test_type *const sb_test_types[];
extern const size_t sb_test_types_count;

/* A sum over cells: see sb_cells_add(). */
struct sb_cells_sum {
    double value;    /* the sum of the terms */
    double least;    /* the smallest expected count */
    size_t possible; /* possible cells of one member */
};

/*
 * The sum of term(cell) over all possible cells of all members, in order, so it depends neither on threads
 * nor on the width of vectors. SB_BROKEN: a count in an impossible cell.
 */
enum sb_status sb_cells_add(const struct sb_tally *tally, double (*term)(const struct sb_cell *cell),
                            struct sb_cells_sum *sum);

/* A term of Pearson's chi-square: (O - E)^2/E. */
double sb_cell_pearson(const struct sb_cell *cell);

/*
 * The finding of a test statistic that is chi-square with dof degrees of freedom under the null law, if
 * the expected counts in the sum are 5 or more. `spread` describes its variance, estimated from the
 * counts.
 */
struct sb_finding sb_finding_of(const struct sb_tally *tally, const char *test, double value, double dof,
                                const struct sb_cells_sum *sum, const struct sb_spread *spread, double alpha);

#endif
