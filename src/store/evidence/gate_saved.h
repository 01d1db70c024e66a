/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's evidence as a value that is put down in a file and picked up again:
 * data/schema/gate-evidence-2.json. Or that of a report, data/schema/evidence-1.json, of which a gate can be
 * made, too: it has neither looks nor terms, but for the limit, which is as many shuffles as the run has.
 *
 * It holds the tallies of the first permutations, the looks until there, and what the run is: subject, terms,
 * how a stream is read. Looks are at fixed counts, so that whoever goes on looks where the run would have.
 */
#ifndef SB_STORE_EVIDENCE_GATE_SAVED_H
#define SB_STORE_EVIDENCE_GATE_SAVED_H

#include "gate/findings.h"
#include "store/evidence/fingerprint.h"
#include "store/evidence/input_format.h"
#include "store/evidence/snapshot.h"
#include "subject/scheme.h"

struct sb_gate_saved {
    char *path, *version;    /* owned, as all else */
    uint64_t seal;           /* of the file, for sb_checksummed_hold() */
    const char *kind;        /* of the subject, as in a feed; static */
    char *name;              /* likewise */
    uint64_t words;          /* of a command: sb_subject_words() */
    struct sb_scheme scheme; /* where it is one, with ... */
    uint64_t seed;           /* ... that of its generator */
    struct sb_input_format reading;
    size_t n, deal;
    struct sb_gate_terms terms;
    char *profile;
    bool increments;
    bool ended;                  /* the run has, by itself, with ... */
    enum sb_verdict verdict;     /* ... this */
    size_t points_count;         /* looks, those at the end of a stream and of the limit left out */
    struct sb_gate_point *point; /* [points_count] */
    struct sb_snapshot seen;
    struct sb_fingerprints openings; /* of the runs whose evidence it is */
    struct sb_saved *report; /* what a report has counted, in place of looks, `seen` and openings; owned;
                                    NULL: it is a gate's */
};

/* Whether nothing is left to do: the verdict is there, or so many permutations as are to be looked at. */
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
