/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After a fail, finds the faulty shuffle of the catalogue that the permutations look like. */
#ifndef SB_STUDY_CATALOGUE_CATALOGUE_LOOK_H
#define SB_STUDY_CATALOGUE_CATALOGUE_LOOK_H

#include "core/evidence.h"
#include "report/page.h"
#include "study/catalogue/look_typical.h"
#include "study/sentence.h"
#include "tally/order.h"
#include "tally/tally.h"

struct sb_json;

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
enum sb_status sb_always_counted(const struct sb_evidence *evidence, struct sb_looks_like *looks_like);

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

/* Compares the positions with the matrices of shuffles. Adds the shuffles that are typical to those that were found by
 * the law, or replaces these if the positions are far likelier. `catalogue` may be NULL. */
enum sb_status sb_catalogue_look_positions(const struct sb_look_seen *seen,
                                           const struct sb_catalogue *catalogue, double ln_e,
                                           struct sb_error *error, struct sb_looks_like *looks_like);

/* Sets the scheme, its form and its title, and the cause and the fix of its bias. Error: SB_NO_MEMORY. */
enum sb_status sb_catalogue_look_named(const char *scheme, unsigned variant,
                                       struct sb_looks_like *looks_like);
/* Append a name to the equivalents, or to the others. Error: SB_NO_MEMORY. */
enum sb_status sb_catalogue_look_also(const char *name, struct sb_looks_like *looks_like);
enum sb_status sb_catalogue_look_other(const char *name, struct sb_looks_like *looks_like);

#endif
