/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's saved evidence as a record. The file has the schema data/schema/gate-evidence-2.json. A gate can
 * also judge the evidence of a report, whose schema is data/schema/evidence-1.json. A report's evidence has
 * no looks. The only term of such evidence is the limit, which is the report's number of shuffles.
 *
 * The record contains the tallies of the first permutations, the looks so far, and the description of the
 * run: the subject, the terms, and the format of a stream. Looks take place after fixed numbers of
 * permutations, so the looks of a resumed run are those of an uninterrupted run.
 */
#ifndef SB_STORE_EVIDENCE_GATE_SAVED_H
#define SB_STORE_EVIDENCE_GATE_SAVED_H

#include "gate/findings.h"
#include "store/evidence/fingerprint.h"
#include "store/evidence/snapshot.h"
#include "store/evidence/subject_saved.h"
#include "subject/scheme.h"

/* A record that was read from a file owns everything that the record points to. A record for writing borrows
 * everything. */
struct sb_gate_saved {
    char *path;          /* the file that the record was read from */
    uint64_t checksum;   /* checksum of that file, for sb_checksummed_lock() */
    const char *version; /* version of the program that wrote the file */
    struct sb_subject_saved subject;
    /* the subject, if its kind is "scheme"; set only if the record was read from a file */
    struct sb_scheme scheme;
    size_t deal; /* how many of snapshot.n items are dealt */
    struct sb_gate_terms terms;
    const char *profile;
    bool increments;
    /* what the items are called, as in sb_item_names_list(), unless subject.cards says it; NULL: numbers from 1 */
    const char *items;
    bool ended; /* the run ended without being interrupted; set only if the record was read from a file */
    /* verdict of a run that ended; NULL: no verdict yet, or evidence of a report; static */
    const char *verdict;
    /* number of looks; a look that took place only because the stream ended or the limit was reached is not
     * included */
    size_t points_count;
    struct sb_gate_point *point; /* [points_count] */
    struct sb_snapshot snapshot;
    struct sb_fingerprints fingerprints; /* fingerprints of the runs that contributed evidence */
    /* A report's evidence, which replaces `point`, `snapshot` and `fingerprints`; NULL: the evidence is a
     * gate's. */
    struct sb_saved *report;
};

/* Saves the record to the file at `path`. Returns the same errors as sb_checksummed_replace(). */
enum sb_status sb_gate_saved_write(const char *path, const struct sb_gate_saved *saved, int *lock,
                                   struct sb_error *error);

extern const struct sb_store_field sb_gate_saved_fields[];

/* The objects `terms` and `looks`, which the JSON of the gate's findings also contains. */
extern const struct sb_store_field sb_gate_terms_fields[];
void sb_gate_looks_write(struct sb_json *json, const struct sb_gate_point point[], size_t count);

/* Whether the run is complete: it ended with the verdict "pass" or "fail", or it ended after as many
 * permutations as its limit allows. */
bool sb_gate_saved_done(const struct sb_gate_saved *saved);

/*
 * If a field of the subject is false or zero, sets this field to the saved value. The seed is an exception,
 * because zero is a valid seed. Then compares the subject and the options with the record. The subject
 * borrows from the record. SB_INVALID: the subject and the options describe another run; the error names the
 * first difference.
 */
enum sb_status sb_gate_saved_agrees(const struct sb_gate_saved *saved, const struct sb_gate_options *options,
                                    struct sb_error *error, struct sb_subject *subject);

/* Sets the error for tallies whose shapes differ from those of this version. Returns SB_IO. */
enum sb_status sb_gate_saved_foreign(const struct sb_gate_saved *saved, struct sb_error *error);

/* Reads the evidence that sb_gate_new() or sb_reports_new() saved at `path`. */
enum sb_status sb_gate_saved_new(const char *path, struct sb_error *error, struct sb_gate_saved **saved);
void sb_gate_saved_free(struct sb_gate_saved *saved);

/* Copies the subject and the options of the saved run, and sets options->saved. */
void sb_gate_saved_asked(const struct sb_gate_saved *saved, struct sb_subject *subject,
                         struct sb_gate_options *options);

#endif
