/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Goodness-of-fit tests, which compare the tallies of one statistic with its null law. Each test has a file
 * of its own. The last thing in this file is a constant of the type below. A new test needs a new file, and a
 * line in meson.build.
 */
#ifndef SB_FIT_TEST_FIT_H
#define SB_FIT_TEST_FIT_H

#include "core/calls.h"
#include "core/finding.h"
#include "core/tally.h"
#include "fit/effect/spread.h"
#include "fit/test/cell.h"

struct sb_test_type {
    const char *name, *title, *cite;
    /* the statistic that the test is for; NULL: all statistics that have no other test */
    const char *statistic;
    /* whether the test is for tallies of so few samples that no other test of them is reliable */
    bool few;
    /*
     * Fills the finding. The interval of the effect has the level 1 - alpha, 0 < alpha < 1. An empty tally,
     * or a single cell, is not evidence: in this case p, ln_p and the effects are NaN. If the tally is empty,
     * `value` is NaN, too. For up to 10^7 deals, `value` and ln_p have errors of at most 1e-12 of themselves,
     * and 1e-11 more. The effect of a chi-square test and the ends of its interval are the solutions of the
     * equations in fit/effect/spread.c. For up to 10^12 deals and 10^6 cells, rounding moves them by at most
     * 1e-10 of the upper end. SB_INVALID: the test cannot take a tally with these members and cells. SB_BROKEN:
     * a cell that cannot occur has a count.
     */
    enum sb_status (*run)(const struct sb_tally *tally, double alpha, struct sb_finding *finding);
};

/* Two tests that other code calls directly. The first is Pearson's chi-square of the rank; the second is
 * Pearson's chi-square of the merged cells of any statistic, over all its members. */
extern const struct sb_test_type sb_test_pearson, sb_test_merged;

/* The exact test, for a few samples. */
extern const struct sb_test_type sb_test_exact;

/* The test of decks that are equal, by the bound of birthday.h. */
extern const struct sb_test_type sb_test_birthday;

/* The test of a bettor, which uses the bettor's tally at the moment of the largest E. */
extern const struct sb_test_type sb_test_betting;

/* All tests in the order of src/fit/meson.build, and their number. */
extern const struct sb_test_type *const sb_test_types[];
extern const size_t sb_test_types_count;

/* A sum over cells: see sb_cells_add(). */
struct sb_cells_sum {
    double value;    /* the sum of the terms */
    double least;    /* the smallest expected count */
    size_t possible; /* number of possible cells of one member */
};

/*
 * Computes the sum of term(cell) over all possible cells of all members. The terms are added in order, so the
 * sum depends neither on threads nor on the width of vectors. SB_BROKEN: a cell that cannot occur has a
 * count.
 */
enum sb_status sb_cells_add(const struct sb_tally *tally, double (*term)(const struct sb_cell *cell),
                            struct sb_cells_sum *sum);

/* A term of Pearson's chi-square: (O - E)^2/E. */
double sb_cell_pearson(const struct sb_cell *cell);

/*
 * The finding of a test statistic that is chi-square with `dof` degrees of freedom under the null law, if all
 * expected counts are 5 or more. Chi-square is an approximation that may be far too small where p is tiny. So p is at
 * least the probability of the least likely sample, which no p-value of the sample can be below. `spread` describes the variance of the statistic, as estimated from the
 * counts.
 */
struct sb_finding sb_finding_of(const struct sb_tally *tally, const char *test, double value, double dof,
                                const struct sb_cells_sum *sum, const struct sb_spread *spread, double alpha);

#endif
