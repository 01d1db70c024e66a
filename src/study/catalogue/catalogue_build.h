/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue: the exact laws of the faulty shuffles in the registry, each also with its deck inverted (a
 * program that prints where each item went) and read from the other end.
 */
#ifndef SB_STUDY_CATALOGUE_CATALOGUE_BUILD_H
#define SB_STUDY_CATALOGUE_CATALOGUE_BUILD_H

#include "tally/catalogue.h"

/* How a candidate's deck is written down. */
enum {
    SB_VARIANT_INVERTED = 1,
    SB_VARIANT_REVERSED = 2,
    SB_VARIANTS = 4,
    SB_CATALOGUE_NAME = 256, /* bytes for a candidate's name */
};

/* "plain", "inverted", "reversed", "inverted and reversed". */
extern const char *const sb_catalogue_forms[SB_VARIANTS];

/* "naive, inverted"; the scheme alone for variant 0. Returns `text`. */
char *sb_catalogue_name(const char *scheme, unsigned variant, char text[SB_CATALOGUE_NAME]);

/*
 * Builds the catalogue for n items. If the gate counts permutations by rank (n <= SB_CATALOGUE_RANKED), it has
 * all laws that the engines know at little cost; else (n <= SB_CATALOGUE_ITEMS) those of decks in closed form.
 * *catalogue is NULL for other n, and if no candidate could ever be told from a fair shuffle; the caller frees it.
 * SB_NO_MEMORY.
 */
enum sb_status sb_catalogue_build(size_t n, bool ranked, struct sb_error *error,
                                  struct sb_catalogue **catalogue);

/* ---- the parts ---- */

/* A shuffle of the registry with its usual parameter, as it is, weighs four times as much as another candidate. */
static inline double sb_catalogue_weight(bool usual, unsigned variant)
{
    return usual && variant == 0 ? 4 : 1;
}

enum sb_status sb_catalogue_build_ranks(struct sb_catalogue *catalogue, struct sb_error *error);
enum sb_status sb_catalogue_build_decks(struct sb_catalogue *catalogue);

/* Words of biased draws: their numbers of bits; and their names. */
enum { SB_CATALOGUE_WORDS = 4, SB_CATALOGUE_BIASED_DRAWS = 2 };
extern const unsigned sb_catalogue_words[SB_CATALOGUE_WORDS];
extern const char *const sb_catalogue_biased_draws[SB_CATALOGUE_BIASED_DRAWS];

#endif
