/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of the bug: which faulty shuffle of the catalogue permutations look like, once they have failed.
 */
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
 * Finds the shuffle that the evidence, a sample of whole permutations, looks like: by the law, from counts by
 * rank of up to SB_CATALOGUE_RANKED items, or from a catalogue of whole decks that has just been read and may be
 * NULL; else, if `positions`, by the matrix of positions of up to SB_LOOK_ITEMS items. If nothing fits, the result
 * says so only where the positions were compared, or could have been. ln_e is the other statistics' evidence against a fair shuffle. The caller closes the result. SB_NO_MEMORY.
 */
enum sb_status sb_catalogue_look(const struct sb_evidence *evidence, const struct sb_catalogue *catalogue,
                                 double ln_e, bool positions, struct sb_error *error,
                                 struct sb_looks_like *looks_like);

/* The same for a report that is complete, if its tests of single deals are surer than 1e-6 that the shuffle is biased;
 * adds it to the report's sentence. SB_NO_MEMORY. */
enum sb_status sb_report_look_like(struct sb_report *report);

/* Adds "It looks like ... ." and a space; nothing unless a catalogue was asked. */
void sb_sentence_looks_like(struct sb_sentence *s, const struct sb_looks_like *looks_like);

/* Writes the cause and the fix, if there is a name. */
void sb_looks_like_page(const struct sb_looks_like *looks_like, struct sb_page *page);

/* Writes the field `looks_like`. */
void sb_looks_like_json(struct sb_json *json, const struct sb_looks_like *looks_like);

/* ---- the parts ---- */

enum sb_status sb_catalogue_look_law(const struct sb_catalogue *catalogue, double ln_e,
                                     struct sb_looks_like *looks_like);
/* Replaces the name if the positions are more than e^ln_least times as likely as under a fair shuffle. */
enum sb_status sb_catalogue_look_positions(const struct sb_evidence *evidence, double ln_least,
                                           struct sb_error *error, struct sb_looks_like *looks_like);

/* Sets the scheme and its form, and its title, cause and fix. SB_NO_MEMORY. */
enum sb_status sb_catalogue_look_named(const char *scheme, unsigned variant,
                                       struct sb_looks_like *looks_like);
enum sb_status sb_catalogue_look_also(const char *name, struct sb_looks_like *looks_like);

#endif
