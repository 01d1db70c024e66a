/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After a fail, finds the faulty shuffle of the catalogue that the permutations look like. */
#ifndef SB_STUDY_CATALOGUE_LOOK_H
#define SB_STUDY_CATALOGUE_LOOK_H

#include "study/report/report_result.h"

/* The observed permutations; all pointers are borrowed. */
struct sb_look_seen {
    const struct sb_evidence *evidence;
    /* the observer whose cells the tallies have; NULL: there are no tallies beside the evidence */
    const struct sb_observer *observer;
    const struct sb_tally *tally; /* [tallies] of single permutations */
    size_t tallies;
};

/* Whether the counts by rank, of at most SB_CATALOGUE_RANKED items, are typical of the law p[] by rank. The cells
 * are the ranks, and the places of the items. */
bool sb_typical_of_law(const struct sb_evidence *evidence, const double p[]);

/* Sets *typical to whether the permutations are typical of a scheme in one variant, whose laws of all tallied
 * statistics are learnt from simulated decks. Cost: some 20,000 decks, or up to 100,000 if there are as many
 * permutations. SB_NO_MEMORY. */
enum sb_status sb_typical_of_scheme(const struct sb_look_seen *seen, const char *scheme, unsigned variant,
                                    bool *typical);

/* The same for a law that is fair but for one place: the item and the position whose count is the most unusual come
 * together as often as in the permutations, and everything else is fair. */
enum sb_status sb_typical_of_place(const struct sb_look_seen *seen, bool *typical);

/* Finds the shuffles that a sample of whole permutations looks like: those whose law the permutations do not reject.
 * Counts by rank of at most SB_CATALOGUE_RANKED items are compared with exact laws. Otherwise, the likeliest
 * candidates of `catalogue` are tried, unless it is NULL, whose likelihood ratios sb_catalogue_read() must have
 * updated; and, if `positions` is true, the shuffles whose matrices fit the positions. ln_e is ln of the e-value of
 * the statistics that use no faulty shuffle's law. SB_NO_MEMORY. */
enum sb_status sb_catalogue_look(const struct sb_look_seen *seen, const struct sb_catalogue *catalogue, double ln_e,
                                 bool positions, struct sb_error *error, struct sb_looks_like *looks_like);

/* If all results are the same, sets `always` and `order`, from the tally of positions, or of `card-at` in decks
 * with equal items. A single result must be in the original order, or in its reverse. SB_NO_MEMORY. */
enum sb_status sb_always_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                 const struct sb_item_names *names, struct sb_looks_like *looks_like);

/* Does both for a complete report, if its tests of single deals give a p-value below 1e-6 after Bonferroni's
 * correction, and adds the finding to its sentence. `statistics` may be NULL. SB_NO_MEMORY. */
enum sb_status sb_report_look_like(const struct sb_statistics *statistics, struct sb_report *report);

/* Adds what all results were, "every result was the same: 3 1 2", and the question that leads to the cause, "Is ... ?
 * ". `chained`: the results are the steps of a chain. Add nothing if the results differ. */
void sb_sentence_always(struct sb_sentence *s, const struct sb_looks_like *looks_like, bool chained);
void sb_sentence_always_ask(struct sb_sentence *s, const struct sb_looks_like *looks_like, bool chained);

/* Adds "It looks like ... . ", if the permutations were compared with a catalogue. */
void sb_sentence_looks_like(struct sb_sentence *s, const struct sb_looks_like *looks_like);

/* Write the cause and the fix, if a shuffle was found, and the field `looks_like`. */
void sb_looks_like_page(const struct sb_looks_like *looks_like, struct sb_page *page);
void sb_looks_like_json(struct sb_json *json, const struct sb_looks_like *looks_like);

/* ---- the parts ---- */

/* ln 1000: a shuffle that is so much less likely than another is out */
#define SB_LOOK_LN_AGAINST 6.907755278982137

enum sb_status sb_catalogue_look_law(const struct sb_catalogue *catalogue, double ln_e, const struct sb_look_seen *seen,
                                     struct sb_looks_like *looks_like);

/* Whether the law of the shuffle with this name, such as "rotate, reversed", is rejected because the e-value e^ln_e is
 * more than 1,000 times its likelihood ratio, or the law is one by rank, which sb_catalogue_look_law() decides about.
 * If the catalogue does not have this law, it is not rejected. */
bool sb_catalogue_look_refutes(const struct sb_catalogue *catalogue, const char *name, double ln_e);

/* Sets the scheme, its form and its title, and the cause and the fix of its bias. Error: SB_NO_MEMORY. */
enum sb_status sb_catalogue_look_named(const char *scheme, unsigned variant, struct sb_looks_like *looks_like);
/* Whether a name is that of a form of the scheme: "rotate" or "rotate, reversed". */
bool sb_catalogue_look_is_of(const char *name, const char *scheme);
/* Whether the shuffles with these names are one with two parameters, or a riffle and a sort by keys with two. */
bool sb_catalogue_look_series(const char *name, const char *other);
/* Append a name to the equivalents, or to the others if they have no other shuffle of its series. SB_NO_MEMORY. */
enum sb_status sb_catalogue_look_also(const char *name, struct sb_looks_like *looks_like);
enum sb_status sb_catalogue_look_other(const char *name, struct sb_looks_like *looks_like);

/* The catalogue: the exact laws of the faulty shuffles in the registry, each in four variants, sums of flags, because
 * programs print decks as shuffled; inverted, as a list of where each item went; from the other end; or both. */
enum {
    SB_VARIANT_INVERTED = 1,
    SB_VARIANT_REVERSED = 2,
    SB_VARIANTS = 4,
    SB_CATALOGUE_NAME = 256, /* room for a candidate's name, in bytes */
};

/* "plain", "inverted", "reversed", "inverted and reversed" */
extern const char *const sb_catalogue_forms[SB_VARIANTS];

/* Writes the name of a scheme in one variant: "naive, inverted", or only "naive" for variant 0. Returns `text`. */
char *sb_catalogue_name(const char *scheme, unsigned variant, char text[SB_CATALOGUE_NAME]);

/* Writes the deck a[n] as a program that has this variant prints it. */
void sb_catalogue_print(size_t n, unsigned variant, const sb_item a[], sb_item printed[]);

/* Which laws the catalogue has: those of whole decks that have a closed form, for n <= SB_CATALOGUE_ITEMS; if the gate
 * counts permutations by rank, all laws that the engines compute at little cost, for n <= SB_CATALOGUE_RANKED; or, to
 * name a bug after a fail, the laws by rank and those of shuffles that are used only by their names. */
enum sb_catalogue_laws { SB_CATALOGUE_WHOLE, SB_CATALOGUE_BY_RANK, SB_CATALOGUE_NAMES };

/* Builds the catalogue. *catalogue is NULL for larger n, and if no candidate differs from a fair shuffle.
 * SB_NO_MEMORY. */
enum sb_status sb_catalogue_build(size_t n, enum sb_catalogue_laws laws, struct sb_error *error,
                                  struct sb_catalogue **catalogue);

/* Schemes that only name a bug after a fail: the gate does not bet on them. */
enum {
    SB_CATALOGUE_NAMED = 6,
    SB_CATALOGUE_PACKETS = 9, /* overhand:P is compared for P from 2 to this */
};
extern const char *const sb_catalogue_named[SB_CATALOGUE_NAMED];

#endif
