/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's saved evidence as a record: data/schema/gate-evidence-2.json. A gate can also judge the evidence
 * of a report, data/schema/evidence-1.json. That has no looks, and no terms except the limit, which is the
 * run's number of shuffles.
 *
 * The record contains the tallies of the first permutations, the looks so far, and the description of the
 * run: subject, terms, and how a stream is read. Looks are at fixed counts, so a resumed run looks where an
 * uninterrupted run would have looked.
 */
#ifndef SB_STORE_EVIDENCE_GATE_SAVED_H
#define SB_STORE_EVIDENCE_GATE_SAVED_H

#include "gate/findings.h"
#include "store/evidence/fingerprint.h"
#include "store/evidence/snapshot.h"
#include "store/evidence/subject_saved.h"
#include "subject/scheme.h"

/* A record that was read owns everything that it points to; a record to write borrows it. */
struct sb_gate_saved {
    char *path;          /* the file that it was read from */
    uint64_t checksum;   /* checksum of that file, for sb_checksummed_lock() */
    const char *version; /* version of the program that wrote it */
    struct sb_subject_saved subject;
    struct sb_scheme scheme; /* the scheme, if the subject is one; only in a record that was read */
    size_t deal;             /* how many of snapshot.n items are dealt */
    struct sb_gate_terms terms;
    const char *profile;
    bool increments;
    bool ended; /* the run ended by itself; only in a record that was read */
    /* verdict of a run that ended; NULL: none yet, or a report's evidence; static */
    const char *verdict;
    size_t points_count;         /* looks, except those at the end of a stream or at the limit */
    struct sb_gate_point *point; /* [points_count] */
    struct sb_snapshot snapshot;
    struct sb_fingerprints fingerprints; /* fingerprints of the runs that contributed evidence */
    /* A report's evidence, instead of looks, `snapshot` and `fingerprints`; NULL: a gate's. */
    struct sb_saved *report;
};

/* Saves the record to its file. Errors as sb_checksummed_replace(). */
enum sb_status sb_gate_saved_write(const char *path, const struct sb_gate_saved *saved, int *lock,
                                   struct sb_error *error);

extern const struct sb_store_field sb_gate_saved_fields[];

/* The objects `terms` and `looks`, which the gate's findings have, too. */
extern const struct sb_store_field sb_gate_terms_fields[];
void sb_gate_looks_write(struct sb_json *json, const struct sb_gate_point point[], size_t count);

/* Whether the run is complete: it has a verdict, or as many permutations as the limit allows. */
bool sb_gate_saved_done(const struct sb_gate_saved *saved);

/*
 * Sets what the subject leaves out, as false or zero, to its saved value; the seed is never left out. Then
 * compares the subject and the options with the record. The subject borrows from the record. SB_INVALID: they
 * describe another run; the line names the first difference.
 */
enum sb_status sb_gate_saved_agrees(const struct sb_gate_saved *saved, const struct sb_gate_options *options,
                                    struct sb_error *error, struct sb_subject *subject);

/* Writes the usual line, SB_IO, if the tallies have other shapes than this version's. */
enum sb_status sb_gate_saved_foreign(const struct sb_gate_saved *saved, struct sb_error *error);

#endif
