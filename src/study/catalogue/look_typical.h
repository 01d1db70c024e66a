/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether permutations are typical of a shuffle. A likelihood ratio says which of two shuffles fits better, and
 * never that one fits. So a shuffle is named only if three tests of its own law do not reject it. Each test has
 * a third of 1%, shared by Bonferroni among its cells or statistics:
 *
 *   cells       the count of each cell, by Chernoff's bound: P <= 2 exp(-D), where D is N times the relative entropy of
 *               the observed share from the cell's probability; a count in a cell that is impossible rejects;
 *   likelihood  z of the sum of ln(p/q) over the counts, where p is the law of the shuffle, q that of a fair one;
 *   fit         the sum of (count - N p)^2 / p, compared with the gamma law of the same mean and variance.
 */
#ifndef SB_STUDY_CATALOGUE_LOOK_TYPICAL_H
#define SB_STUDY_CATALOGUE_LOOK_TYPICAL_H

#include "core/evidence.h"
#include "tally/tally.h"

/* The observed permutations; all pointers are borrowed. */
struct sb_look_seen {
    const struct sb_evidence *evidence;
    /* the observer whose cells the tallies have; NULL: there are no tallies beside the evidence */
    const struct sb_observer *observer;
    const struct sb_tally *tally; /* [tallies] of single permutations */
    size_t tallies;
};

/* A sum of which the mean and the variance under a law are known. */
struct sb_typical_sum {
    double value, mean, variance;
};

/* ---- the tests: `tests` is how many cells or sums share the level ---- */

/* The D of a binomial count, whose probability in each of `total` trials is `share`. */
double sb_typical_divergence(double count, double total, double share);
bool sb_typical_cells(double divergence, double tests);
bool sb_typical_likelihood(const struct sb_typical_sum *sum, double tests);
bool sb_typical_fit(const struct sb_typical_sum *sum, double tests);

/* ---- the laws ---- */

/* Whether the counts by rank, of at most SB_CATALOGUE_RANKED items, are typical of the law p[] by rank. The cells are the
 * ranks, and the places of the items. */
bool sb_typical_of_law(const struct sb_evidence *evidence, const double p[]);

/*
 * Sets *typical to whether the permutations are typical of a scheme in one variant, whose laws of all tallied
 * statistics are learnt from simulated decks. These decks are as many as the permutations, many times over, so each
 * test compares the permutations with batches of decks. Cost: some 20,000 decks, or up to 100,000 if there are as many
 * permutations. Error: SB_NO_MEMORY.
 */
enum sb_status sb_typical_of_scheme(const struct sb_look_seen *seen, const char *scheme, unsigned variant,
                                    bool *typical);

/* The same for a law that is fair but for one place: the item and the position whose count is the most unusual come
 * together as often as in the permutations, and everything else is fair. */
enum sb_status sb_typical_of_place(const struct sb_look_seen *seen, bool *typical);

#endif
