/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After a fail, finds the faulty shuffle of the catalogue that the permutations look like. */
#ifndef SB_STUDY_CATALOGUE_LOOK_H
#define SB_STUDY_CATALOGUE_LOOK_H

#include "core/evidence.h"
#include "report/page.h"
#include "study/report/report_result.h"
#include "tally/order.h"
#include "tally/tally.h"

struct sb_json;

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

enum { SB_LOOK_ITEMS = 64 }; /* the most items whose positions are compared */

/*
 * Finds the shuffles that a sample of whole permutations looks like: those whose law the permutations do not reject. If
 * the evidence has counts by rank of at most SB_CATALOGUE_RANKED items, the function compares the counts with exact laws.
 * Otherwise, if `catalogue` is not NULL, the function tries the likeliest of its candidates; the caller must have updated
 * their likelihood ratios with sb_catalogue_read(). If there are no counts by rank, and `positions` is true, the function
 * also tries the shuffles whose matrices fit the positions of at most SB_LOOK_ITEMS items. ln_e is ln of the e-value of
 * the statistics that use no faulty shuffle's law. The caller closes the result. Error: SB_NO_MEMORY.
 */
enum sb_status sb_catalogue_look(const struct sb_look_seen *seen, const struct sb_catalogue *catalogue,
                                 double ln_e, bool positions, struct sb_error *error,
                                 struct sb_looks_like *looks_like);

/*
 * If all results are the same, these functions set `always` and `order`. A single result must be in the original order, or
 * in its reverse. The first function looks at the tally of positions, or of `card-at` in decks with equal items; the
 * second one at the matrix. They do nothing if there are no such counts. Error: SB_NO_MEMORY.
 */
enum sb_status sb_always_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                 const struct sb_item_names *names, struct sb_looks_like *looks_like);

/* Calls sb_catalogue_look() for a complete report, if the report's tests of single deals give a p-value below
 * 1e-6 after Bonferroni's correction. Adds the finding to the report's sentence. `statistics` may be NULL. Error:
 * SB_NO_MEMORY. */
enum sb_status sb_report_look_like(const struct sb_statistics *statistics, struct sb_report *report);

/* Adds what all results were, and a question that leads to the cause: "every result was the same: 3 1 2. Is ... ? ".
 * `chained`: the results are the steps of a chain. `begins`: the words begin a sentence. Adds nothing if the results differ. */
void sb_sentence_always(struct sb_sentence *s, const struct sb_looks_like *looks_like, bool chained,
                        bool begins);

/* Adds "It looks like ... ." and a space. Adds nothing if the permutations were not compared with a
 * catalogue. */
void sb_sentence_looks_like(struct sb_sentence *s, const struct sb_looks_like *looks_like);

/* Writes the cause and the fix, if a shuffle was found. */
void sb_looks_like_page(const struct sb_looks_like *looks_like, struct sb_page *page);

/* Writes the field `looks_like`. */
void sb_looks_like_json(struct sb_json *json, const struct sb_looks_like *looks_like);

/* ---- the parts ---- */

/* the fewest permutations for a fact, and the fewest if the possible permutations are not equally likely */
enum { SB_LOOK_LEAST = 7, SB_LOOK_LEAST_UNEVEN = 10 };

/* ln 1000: a shuffle that is so much less likely than another is out */
#define SB_LOOK_LN_AGAINST 6.907755278982137

enum sb_status sb_catalogue_look_law(const struct sb_catalogue *catalogue, double ln_e,
                                     const struct sb_look_seen *seen, struct sb_looks_like *looks_like);

/* Whether the law of the shuffle with this name, such as "rotate, reversed", is rejected because the e-value e^ln_e is
 * more than 1,000 times its likelihood ratio. If the catalogue does not have this law, it is not rejected. */
bool sb_catalogue_look_refutes(const struct sb_catalogue *catalogue, const char *name, double ln_e);

/* Sets the scheme, its form and its title, and the cause and the fix of its bias. Error: SB_NO_MEMORY. */
enum sb_status sb_catalogue_look_named(const char *scheme, unsigned variant,
                                       struct sb_looks_like *looks_like);
/* Append a name to the equivalents, or to the others. Error: SB_NO_MEMORY. */
enum sb_status sb_catalogue_look_also(const char *name, struct sb_looks_like *looks_like);
enum sb_status sb_catalogue_look_other(const char *name, struct sb_looks_like *looks_like);

/*
 * The catalogue: the exact laws of the faulty shuffles in the registry. Each shuffle has four laws, because
 * programs print decks in different ways. The deck may be printed as shuffled; inverted, as a list of where
 * each item went; from the other end; or both inverted and from the other end.
 */

/* A variant says how a program prints its decks. Each variant is a sum of these flags. */
enum {
    SB_VARIANT_INVERTED = 1,
    SB_VARIANT_REVERSED = 2,
    SB_VARIANTS = 4,
    SB_CATALOGUE_NAME = 256, /* room for a candidate's name, in bytes */
};

/* The names of the variants: "plain", "inverted", "reversed", "inverted and reversed". */
extern const char *const sb_catalogue_forms[SB_VARIANTS];

/* Writes the name of a candidate, which is a scheme in one variant: "naive, inverted". For variant 0, writes
 * only the name of the scheme. Returns `text`. */
char *sb_catalogue_name(const char *scheme, unsigned variant, char text[SB_CATALOGUE_NAME]);

/*
 * Builds the catalogue for n items. `ranked` says whether the gate counts permutations by rank. If so, the
 * catalogue has all laws that the engines compute at little cost, for n <= SB_CATALOGUE_RANKED. If not, the
 * catalogue has the laws of whole decks that have a closed form, for n <= SB_CATALOGUE_ITEMS. *catalogue is
 * NULL for larger n, and also if no candidate can be distinguished from a fair shuffle. The caller frees the
 * catalogue. Error: SB_NO_MEMORY.
 */
enum sb_status sb_catalogue_build(size_t n, bool ranked, struct sb_error *error,
                                  struct sb_catalogue **catalogue);

/* Builds the catalogue of laws by rank that names a bug after a fail. It also has shuffles that are used only
 * by their names. Otherwise as sb_catalogue_build() with `ranked`. */
enum sb_status sb_catalogue_build_names(size_t n, struct sb_error *error, struct sb_catalogue **catalogue);

/* ---- the parts ---- */

/* Returns a candidate's weight in the average over all candidates: 4 if the candidate is a shuffle of the
 * registry with its usual parameter and in variant 0, else 1. */
static inline double sb_catalogue_weight(bool usual, unsigned variant)
{
    return usual && variant == 0 ? 4 : 1;
}

/* The names of the biased draws, and the sizes in bits of the words that these draws use. */
enum { SB_CATALOGUE_WORDS = 4, SB_CATALOGUE_BIASED_DRAWS = 2 };
extern const unsigned sb_catalogue_words[SB_CATALOGUE_WORDS];
extern const char *const sb_catalogue_biased_draws[SB_CATALOGUE_BIASED_DRAWS];

/* Schemes that only name a bug after a fail: the gate does not bet on them. */
enum { SB_CATALOGUE_NAMED = 6 };
extern const char *const sb_catalogue_named[SB_CATALOGUE_NAMED];

#endif
