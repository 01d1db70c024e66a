/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Goodness-of-fit tests: the tallies of one statistic against its null law. One file each, which ends in a
 * const descriptor. A new one: its file, and a line in meson.build.
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
    const char *statistic; /* the one that it is run on; NULL: all for which there is none */
    /*
     * Fills the finding, with the interval of its effect at level 1 - alpha, 0 < alpha < 1. A tally of
     * nothing, or of a single cell, can be no evidence: then p, ln_p and the effects are NaN, and value too
     * for a tally of nothing. SB_INVALID for a tally of another shape, SB_BROKEN for a count in a cell that
     * cannot occur.
     */
    enum sb_status (*run)(const struct sb_tally *tally, double alpha, struct sb_finding *finding);
};

/* Pearson's chi-square of rank and the like, and of the merged cells of any statistic and all its members. */
extern const struct sb_test_type sb_test_pearson, sb_test_merged;

/* All tests in the order of src/fit/meson.build, and their number. */
extern const struct sb_test_type *const sb_test_types[];
extern const size_t sb_test_types_count;

/* A sum over cells: see sb_cells_add(). */
struct sb_cells_sum {
    double value;    /* the sum of the terms */
    double least;    /* the smallest expected count */
    size_t possible; /* cells that can occur, of one member */
};

/*
 * The sum of term(cell) over all cells of all members that can occur, in their order: it depends neither on
 * threads nor on the width of vectors. SB_BROKEN for a count in a cell that cannot occur.
 */
enum sb_status sb_cells_add(const struct sb_tally *tally, double (*term)(const struct sb_cell *cell),
                            struct sb_cells_sum *sum);

/* A term of Pearson's chi-square: (O - E)^2/E. */
double sb_cell_pearson(const struct sb_cell *cell);

/*
 * The finding of a test statistic that is chi-square with dof degrees of freedom under the null law, as long
 * as the expected counts in the sum are 5 or more; `spread` is what the counts say of its variance.
 */
struct sb_finding sb_finding_of(const struct sb_tally *tally, const char *test, double value, double dof,
                                const struct sb_cells_sum *sum, const struct sb_spread *spread, double alpha);

#endif
