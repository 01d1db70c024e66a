/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fingerprints of runs: a hash of each run's first permutations. It recognises a fixed seed or a repeated
 * recording, whose evidence would count twice. */
#ifndef SB_STORE_EVIDENCE_FINGERPRINT_H
#define SB_STORE_EVIDENCE_FINGERPRINT_H

#include "core/permutation.h"

#include <stdbool.h>

enum {
    SB_FINGERPRINT_DECKS = 64,   /* permutations that identify a run */
    SB_FINGERPRINTS_MOST = 1000, /* the most runs that are remembered: the latest */
};

struct sb_json;
struct json_t;
struct sb_json_field_reader;

/* The fingerprint of one run. Initialise it with zeroes. */
struct sb_fingerprint {
    uint64_t hash; /* hash of the first `decks` permutations */
    size_t decks;  /* how many permutations were hashed, at most SB_FINGERPRINT_DECKS */
    bool adds;     /* the run adds to earlier evidence, so these permutations are not counted */
};

/* The fingerprints of several runs. */
struct sb_fingerprints {
    uint64_t uncounted; /* permutations that only served to recognise their runs */
    size_t count;
    uint64_t hash[SB_FINGERPRINTS_MOST]; /* [count] oldest run first */
};

/* Adds a run's next permutations, of `deal` items each; ignores all after SB_FINGERPRINT_DECKS. */
void sb_fingerprint_see(struct sb_fingerprint *fingerprint, const sb_item items[], size_t count, size_t deal);

/* Whether a run begins with the SB_FINGERPRINT_DECKS permutations of one of these runs. */
bool sb_fingerprints_have(const struct sb_fingerprints *fingerprints,
                          const struct sb_fingerprint *fingerprint);

/*
 * Adds a run. A run that ended before SB_FINGERPRINT_DECKS permutations needs no hash: later runs do not
 * count their permutations at those places, so they cannot count its evidence twice.
 */
void sb_fingerprints_add(struct sb_fingerprints *fingerprints, const struct sb_fingerprint *fingerprint);

/* The fields `openings` and `uncounted` of an object; schema 1 lacks `uncounted`, which then is 0. */
void sb_fingerprints_write(struct sb_json *json, const void *fingerprints);
void sb_fingerprints_read(struct sb_json_field_reader *in, const struct json_t *object, void *fingerprints);

#endif
