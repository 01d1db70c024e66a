/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counts of tallies at one moment, as a value that can be saved and loaded: the fields `tallies`,
 * `places` and `repeats` of a JSON object, which may have other fields.
 */
#ifndef SB_STORE_EVIDENCE_SNAPSHOT_H
#define SB_STORE_EVIDENCE_SNAPSHOT_H

#include "store/evidence/catalogue_saved.h"
#include "store/evidence/counts_json.h"
#include "tally/tally.h"

enum { SB_SNAPSHOT_STATISTICS_MOST = 128 }; /* more than all statistics and their increments */

struct sb_snapshot {
    size_t n;       /* items */
    uint64_t total; /* permutations */
    /* a snapshot for writing has these tallies, after sb_tallies_read(); borrowed; NULL: the snapshot is not
     * for writing */
    const struct sb_tallies *tallies;
    size_t counts_count;
    /* [counts_count] counts of the statistics, followed by those of the increments' statistics; owned */
    struct sb_counts *counts;
    /* [n] position of each item in the last permutation, where the next step starts; owned; NULL: no step
     * leads to the next permutation */
    sb_item *places;
    bool watched; /* whole decks were compared */
    bool bet;     /* there was a bettor, and `wealth` has its wealths */
    struct sb_bettor_wealth wealth;
    struct sb_catalogue_saved catalogue; /* sums of the catalogue, if there is one */
    /* result of comparing whole decks; ln_pair is not set, and the decks themselves are not in the
     * snapshot */
    struct sb_birthday birthday;
};

/* Frees everything that the snapshot owns; closing a snapshot twice, or closing a struct of zeroes, is
 * allowed. */
void sb_snapshot_close(struct sb_snapshot *snapshot);

/* Copies the counts that the tallies had at the last sb_tallies_read(), after `total` permutations. Frees the
 * previous content of the snapshot. SB_NO_MEMORY. */
enum sb_status sb_snapshot_take(const struct sb_tallies *tallies, uint64_t total,
                                struct sb_snapshot *snapshot);

/* Writes the fields `tallies`, `places` and `repeats` into the open object. */
void sb_snapshot_write(struct sb_json *json, const void *snapshot);

/* Reads the fields `tallies`, `places` and `repeats` of an object; the caller must already have set `total`
 * and `n`. The caller closes the snapshot, even after a fault. */
void sb_snapshot_read(struct sb_json_field_reader *in, const struct json_t *object, void *snapshot);

/* Lists the statistics of the snapshot in type[0..*count-1], which has room for all statistics. Returns NULL,
 * or the name of a statistic that is unknown or occurs twice. */
const char *sb_snapshot_types(const struct sb_snapshot *snapshot, const struct sb_statistic_type *type[],
                              size_t *count);

/* Adds the saved counts to empty tallies, which must be for the statistics that sb_snapshot_types() lists.
 * Returns false, and changes nothing, if the shapes of tallies and counts differ. */
bool sb_snapshot_resume(const struct sb_snapshot *snapshot, struct sb_tallies *tallies);

/* These functions write and read the field `bettor`, which is missing if there was no bettor. */
void sb_snapshot_write_bettor(struct sb_json *json, const void *snapshot);
void sb_snapshot_read_bettor(struct sb_json_field_reader *in, const struct json_t *object, void *snapshot);
/* These functions write and read the field `catalogue`, which may be missing. */
void sb_snapshot_write_catalogue(struct sb_json *json, const void *snapshot);
void sb_snapshot_read_catalogue(struct sb_json_field_reader *in, const struct json_t *object, void *snapshot);

/* These functions write and read only the field `repeats`. */
void sb_snapshot_write_repeats(struct sb_json *json, const void *snapshot);
void sb_snapshot_read_repeats(struct sb_json_field_reader *in, const struct json_t *object, void *snapshot);

#endif
