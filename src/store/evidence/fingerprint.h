/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fingerprint of a run is the hash of the run's first permutations. With fingerprints, a gate recognises
 * a fixed seed or a repeated recording. Otherwise the gate would tally the same evidence twice. */
#ifndef SB_STORE_EVIDENCE_FINGERPRINT_H
#define SB_STORE_EVIDENCE_FINGERPRINT_H

#include "core/core.h"

#include <stdbool.h>

enum {
    SB_FINGERPRINT_DECKS = 64,   /* permutations that identify a run */
    SB_FINGERPRINTS_MOST = 1000, /* the most runs that are remembered; they are the latest runs */
};

struct sb_json;
struct json_t;
struct sb_json_field_reader;

/* The fingerprint of one run. Initialise it with zeroes. */
struct sb_fingerprint {
    uint64_t hash; /* hash of the first `decks` permutations */
    size_t decks;  /* how many permutations were hashed, at most SB_FINGERPRINT_DECKS */
    /* the run adds to earlier evidence; in this case the gate does not tally the run's first permutations */
    bool adds;
};

/* The fingerprints of several runs. */
struct sb_fingerprints {
    uint64_t uncounted; /* number of permutations that were read only to recognise runs */
    size_t count;
    uint64_t hash[SB_FINGERPRINTS_MOST]; /* [count] oldest run first */
};

/* Adds the run's next `count` permutations, of `deal` items each. Ignores all permutations after the first
 * SB_FINGERPRINT_DECKS of the run. */
void sb_fingerprint_see(struct sb_fingerprint *fingerprint, const sb_item items[], size_t count, size_t deal);

/* Whether a run begins with the same SB_FINGERPRINT_DECKS permutations as one of the runs in
 * `fingerprints`. */
bool sb_fingerprints_have(const struct sb_fingerprints *fingerprints,
                          const struct sb_fingerprint *fingerprint);

/*
 * Adds a run. A run that ended before SB_FINGERPRINT_DECKS permutations needs no hash: no later run tallies
 * its own first SB_FINGERPRINT_DECKS permutations, so none can tally the evidence of the short run again.
 */
void sb_fingerprints_add(struct sb_fingerprints *fingerprints, const struct sb_fingerprint *fingerprint);

/* These functions write and read the fields `openings` and `uncounted` of an object. In schema 1, `uncounted`
 * is missing; the reader then sets it to 0. */
void sb_fingerprints_write(struct sb_json *json, const void *fingerprints);
void sb_fingerprints_read(struct sb_json_field_reader *in, const struct json_t *object, void *fingerprints);

#endif
