/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After a fail, finds the faulty shuffle of the catalogue that the permutations look like. */
#ifndef SB_STUDY_CATALOGUE_CATALOGUE_LOOK_H
#define SB_STUDY_CATALOGUE_CATALOGUE_LOOK_H

#include "core/evidence.h"
#include "core/looks_like.h"
#include "report/page.h"
#include "study/sentence.h"
#include "tally/catalogue.h"

struct sb_json;

enum { SB_LOOK_ITEMS = 64 }; /* the most items whose positions are compared */

/*
 * Finds the shuffle that a sample of whole permutations looks like. If the evidence has counts by rank of at
 * most SB_CATALOGUE_RANKED items, the function compares the counts with exact laws. Otherwise, if `catalogue`
 * is not NULL, the function compares the likelihood ratios of its candidates; the caller must have updated
 * these ratios with sb_catalogue_read(). If there are no counts by rank, and `positions` is true, the
 * function also compares the matrix of positions of at most SB_LOOK_ITEMS items. ln_e is ln of the e-value of
 * the statistics that use no faulty shuffle's law. The caller closes the result. Error: SB_NO_MEMORY.
 */
enum sb_status sb_catalogue_look(const struct sb_evidence *evidence, const struct sb_catalogue *catalogue,
                                 double ln_e, bool positions, struct sb_error *error,
                                 struct sb_looks_like *looks_like);

/* Calls sb_catalogue_look() for a complete report, if the report's tests of single deals give a p-value below
 * 1e-6 after Bonferroni's correction. Adds the finding to the report's sentence. Error: SB_NO_MEMORY. */
enum sb_status sb_report_look_like(struct sb_report *report);

/* Adds "It looks like ... ." and a space. Adds nothing if the permutations were not compared with a
 * catalogue. */
void sb_sentence_looks_like(struct sb_sentence *s, const struct sb_looks_like *looks_like);

/* Writes the cause and the fix, if a shuffle was found. */
void sb_looks_like_page(const struct sb_looks_like *looks_like, struct sb_page *page);

/* Writes the field `looks_like`. */
void sb_looks_like_json(struct sb_json *json, const struct sb_looks_like *looks_like);

/* ---- the parts ---- */

enum sb_status sb_catalogue_look_law(const struct sb_catalogue *catalogue, double ln_e,
                                     struct sb_looks_like *looks_like);
/*
 * Compares the positions with the matrices of shuffles. Replaces the name in `looks_like` if a matrix fits
 * and makes the positions much more likely than a fair shuffle does, by a factor of more than e^ln_least and
 * more than e^7.
 */
enum sb_status sb_catalogue_look_positions(const struct sb_evidence *evidence, double ln_least,
                                           struct sb_error *error, struct sb_looks_like *looks_like);

/* Sets the scheme, its form and its title, and the cause and the fix of its bias. Error: SB_NO_MEMORY. */
enum sb_status sb_catalogue_look_named(const char *scheme, unsigned variant,
                                       struct sb_looks_like *looks_like);
enum sb_status sb_catalogue_look_also(const char *name, struct sb_looks_like *looks_like);

#endif
