/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue: the exact laws of the faulty shuffles in the registry. Each shuffle has four laws, because
 * programs print decks in different ways. The deck may be printed as shuffled; inverted, as a list of where
 * each item went; from the other end; or both inverted and from the other end.
 */
#ifndef SB_STUDY_CATALOGUE_CATALOGUE_BUILD_H
#define SB_STUDY_CATALOGUE_CATALOGUE_BUILD_H

#include "tally/order.h"

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

/* `named` says whether to add shuffles that are used only by their names (by_name_only in shuffle.h). */
enum sb_status sb_catalogue_build_ranks(struct sb_catalogue *catalogue, bool named, struct sb_error *error);
enum sb_status sb_catalogue_build_decks(struct sb_catalogue *catalogue);

/* The names of the biased draws, and the sizes in bits of the words that these draws use. */
enum { SB_CATALOGUE_WORDS = 4, SB_CATALOGUE_BIASED_DRAWS = 2 };
extern const unsigned sb_catalogue_words[SB_CATALOGUE_WORDS];
extern const char *const sb_catalogue_biased_draws[SB_CATALOGUE_BIASED_DRAWS];

/* Schemes that only name a bug after a fail: the gate does not bet on them. */
enum { SB_CATALOGUE_NAMED = 6 };
extern const char *const sb_catalogue_named[SB_CATALOGUE_NAMED];

#endif
