/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counts of tallies at one moment, as a value that can be saved and loaded: the fields `tallies`,
 * `places` and `repeats` of a JSON object, which may have other fields.
 */
#ifndef SB_STORE_EVIDENCE_SNAPSHOT_H
#define SB_STORE_EVIDENCE_SNAPSHOT_H

#include "store/evidence/catalogue_saved.h"
#include "store/evidence/counts_json.h"
#include "tally/tallies.h"

enum { SB_SNAPSHOT_STATISTICS_MOST = 128 }; /* more than all statistics and their increments */

struct sb_snapshot {
    size_t n;                         /* items */
    uint64_t total;                   /* permutations */
    const struct sb_tallies *tallies; /* to write: the tallies, just read; borrowed; else NULL */
    size_t counts_count;
    struct sb_counts *counts; /* [counts_count] of the statistics, then of their increments; owned */
    sb_item *places; /* [n] position of each item in the last permutation, for the next step; owned; NULL: the
                        next permutation has no step */
    bool watched;    /* whole decks were compared */
    bool bet;        /* there was a bettor, which won this: */
    struct sb_bettor_wealth wealth;
    struct sb_catalogue_saved catalogue; /* whether there is a catalogue, and its sums */
    struct sb_birthday birthday;         /* the result; ln_pair and the decks themselves are not included */
};

/* Closing twice, or closing zeroes, is allowed. */
void sb_snapshot_close(struct sb_snapshot *snapshot);

/* Copies everything that the tallies, just read, have counted in `total` permutations; frees the previous
 * content. SB_NO_MEMORY. */
enum sb_status sb_snapshot_take(const struct sb_tallies *tallies, uint64_t total,
                                struct sb_snapshot *snapshot);

/* Writes the three fields of the tallies into the open object. */
void sb_snapshot_write(struct sb_json *json, const void *snapshot);

/* Reads the three fields of an object; `total` and `n` must be set. The caller closes the snapshot, even
 * after a fault. */
void sb_snapshot_read(struct sb_json_field_reader *in, const struct json_t *object, void *snapshot);

/* The statistics that were tallied: type[0..*count-1], with room for all statistics. Returns NULL, or the
 * name of a statistic that is unknown or repeated. */
const char *sb_snapshot_types(const struct sb_snapshot *snapshot, const struct sb_statistic_type *type[],
                              size_t *count);

/* Restores the counts in tallies of those statistics, which are still empty. Returns false, and changes
 * nothing, if their shapes differ. */
bool sb_snapshot_resume(const struct sb_snapshot *snapshot, struct sb_tallies *tallies);

/* The field `bettor`, which is missing if there was none. */
void sb_snapshot_write_bettor(struct sb_json *json, const void *snapshot);
void sb_snapshot_read_bettor(struct sb_json_field_reader *in, const struct json_t *object, void *snapshot);
/* The field `catalogue`, which may be missing. */
void sb_snapshot_write_catalogue(struct sb_json *json, const void *snapshot);
void sb_snapshot_read_catalogue(struct sb_json_field_reader *in, const struct json_t *object, void *snapshot);

/* The field `repeats` alone. */
void sb_snapshot_write_repeats(struct sb_json *json, const void *snapshot);
void sb_snapshot_read_repeats(struct sb_json_field_reader *in, const struct json_t *object, void *snapshot);

#endif
