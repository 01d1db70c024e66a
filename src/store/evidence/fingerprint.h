/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a run began: a hash of its first permutations, by which a fixed seed, or the same recording, is known
 * again, whose evidence would count twice. */
#ifndef SB_STORE_EVIDENCE_FINGERPRINT_H
#define SB_STORE_EVIDENCE_FINGERPRINT_H

#include "core/permutation.h"

#include <stdbool.h>

enum {
    SB_FINGERPRINT_DECKS = 64,   /* permutations by which a run is known again */
    SB_FINGERPRINTS_MOST = 1000, /* runs: the last ones */
};

struct sb_json;
struct json_t;
struct sb_json_field_reader;

/* Of a run; begins as zeroes. */
struct sb_fingerprint {
    uint64_t hash; /* of as many permutations as ... */
    size_t seen;   /* ... that, at most SB_FINGERPRINT_DECKS */
    bool adds;     /* the run adds to earlier evidence: these permutations are not counted */
};

/* Of several runs. */
struct sb_fingerprints {
    uint64_t uncounted; /* permutations that only served to recognise their runs */
    size_t count;
    uint64_t hash[SB_FINGERPRINTS_MOST]; /* [count] in their order */
};

/* Sees a run's next permutations, of `deal` items each; those after the first SB_FINGERPRINT_DECKS change nothing. */
void sb_fingerprint_see(struct sb_fingerprint *opening, const sb_item items[], size_t count, size_t deal);

/* Whether a run begins with the SB_FINGERPRINT_DECKS permutations of one of these runs. */
bool sb_fingerprints_have(const struct sb_fingerprints *openings, const struct sb_fingerprint *opening);

/*
 * Adds a run. One that ended before SB_FINGERPRINT_DECKS permutations needs no hash: what it counted, if anything,
 * stands at places that no later run counts, so that a later run cannot count it twice.
 */
void sb_fingerprints_add(struct sb_fingerprints *openings, const struct sb_fingerprint *opening);

/* The fields `openings` and `uncounted` of an object; files of schema 1 lack the second, which is then 0. */
void sb_fingerprints_write(struct sb_json *json, const void *openings);
void sb_fingerprints_read(struct sb_json_field_reader *in, const struct json_t *object, void *openings);

#endif
