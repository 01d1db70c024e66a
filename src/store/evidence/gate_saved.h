/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's evidence as a record: data/schema/gate-evidence-2.json. Or that of a report,
 * data/schema/evidence-1.json, which a gate can judge, too: it has neither looks nor terms, but for the
 * limit, which is the number of shuffles of the run.
 *
 * It holds the tallies of the first permutations, the looks until there, and what the run is: subject, terms,
 * how a stream is read. Looks are at fixed counts, so a run that resumes looks where it would have looked.
 */
#ifndef SB_STORE_EVIDENCE_GATE_SAVED_H
#define SB_STORE_EVIDENCE_GATE_SAVED_H

#include "gate/findings.h"
#include "store/evidence/fingerprint.h"
#include "store/evidence/snapshot.h"
#include "store/evidence/subject_saved.h"
#include "subject/scheme.h"

/* A record that was read owns all that it points to; one that is to be written borrows it. */
struct sb_gate_saved {
    char *path;          /* where it was read from */
    uint64_t seal;       /* of that file, for sb_checksummed_hold() */
    const char *version; /* of the program that wrote it */
    struct sb_subject_saved subject;
    struct sb_scheme scheme; /* of a subject that is one; only where it was read */
    size_t deal;             /* of seen.n items */
    struct sb_gate_terms terms;
    const char *profile;
    bool increments;
    bool ended;                  /* the run has, by itself; only where it was read */
    const char *verdict;         /* then; NULL: none yet, or it is a report's; static */
    size_t points_count;         /* looks, those at the end of a stream and of the limit left out */
    struct sb_gate_point *point; /* [points_count] */
    struct sb_snapshot seen;
    struct sb_fingerprints openings; /* of the runs whose evidence it is */
    struct sb_saved *report;         /* what a report has counted, in place of looks, `seen` and openings;
                                         NULL: it is a gate's */
};

/* Puts the record into its file. Errors as sb_checksummed_replace(). */
enum sb_status sb_gate_saved_write(const char *path, const struct sb_gate_saved *saved, int *held,
                                   struct sb_error *error);

extern const struct sb_store_field sb_gate_saved_fields[];

/* The objects `terms` and `looks`, which the gate's findings have, too. */
extern const struct sb_store_field sb_gate_terms_fields[];
void sb_gate_looks_write(struct sb_json *json, const struct sb_gate_point point[], size_t count);

/* Whether nothing is left to do: the verdict is there, or as many permutations as the limit allows. */
bool sb_gate_saved_done(const struct sb_gate_saved *saved);

/*
 * What the subject does not say is as it was; false values and zeroes say nothing, but for the seed. Borrows
 * from both. SB_INVALID: the subject or the options mean another run; the line names the first that differs.
 */
enum sb_status sb_gate_saved_agrees(const struct sb_gate_saved *saved, const struct sb_gate_options *options,
                                    struct sb_error *error, struct sb_subject *subject);

/* The usual line, SB_IO, where tallies are of another shape than this version's. */
enum sb_status sb_gate_saved_foreign(const struct sb_gate_saved *saved, struct sb_error *error);

#endif
