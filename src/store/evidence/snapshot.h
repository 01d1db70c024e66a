/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What tallies have seen, as a value that is put down in a file and picked up again: the fields `tallies`,
 * `places` and `repeats` of a JSON object, which may have others beside them.
 */
#ifndef SB_STORE_EVIDENCE_SNAPSHOT_H
#define SB_STORE_EVIDENCE_SNAPSHOT_H

#include "store/evidence/counts_json.h"
#include "tally/tallies.h"

enum { SB_SNAPSHOT_STATISTICS_MOST = 128 }; /* more than there are, and their increments */

struct sb_snapshot {
    size_t n;                         /* items */
    uint64_t total;                   /* permutations */
    const struct sb_tallies *tallies; /* of the run whose record is to be written, just read; borrowed; NULL
                                         in one that was read or taken, which has all of the rest: */
    size_t counts_count;
    struct sb_counts *counts; /* [counts_count] of the statistics, then of their increments; owned */
    sb_item *places; /* [n] where each item stands in the last permutation, from which the next step is taken;
                        owned; NULL: the next one has no step */
    bool watched;    /* for whole decks that come up again, ... */
    struct sb_birthday birthday; /* ... what came of it; ln_pair is the tallies' own, and the decks themselves
                                    are not kept: its owner may see to that */
};

/* Fine twice, and on zeroes. */
void sb_snapshot_close(struct sb_snapshot *seen);

/* A copy of all that tallies, just read, have seen in `total` permutations; what was there is freed.
 * SB_NO_MEMORY. */
enum sb_status sb_snapshot_take(const struct sb_tallies *tallies, uint64_t total, struct sb_snapshot *seen);

/* Writes the three fields, of seen->tallies, into an object that is open. */
void sb_snapshot_write(struct sb_json *json, const void *seen);

/* Reads them from such an object, of seen->total permutations of seen->n items; to be closed, also after a
 * fault. */
void sb_snapshot_read(struct sb_json_field_reader *in, const struct json_t *object, void *seen);

/* The statistics that were tallied: type[0..*count-1], of room for all there are. NULL, or the name of one
 * that is unknown or there twice. */
const char *sb_snapshot_types(const struct sb_snapshot *seen, const struct sb_statistic_type *type[],
                              size_t *count);

/* Puts it into tallies of those statistics, to which nothing was added yet. False, and nothing is done, where
 * that has another shape. */
bool sb_snapshot_resume(const struct sb_snapshot *seen, struct sb_tallies *tallies);

/* The field `repeats` alone. */
void sb_snapshot_write_repeats(struct sb_json *json, const void *seen);
void sb_snapshot_read_repeats(struct sb_json_field_reader *in, const struct json_t *object, void *seen);

#endif
