/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the decks so far are worth to each candidate of a catalogue, as a value that can be saved and loaded:
 * the field `catalogue` of a JSON object. Where the candidates go by rank, the counts say it all, and the field
 * is missing, as it is without a catalogue.
 */
#ifndef SB_STORE_EVIDENCE_CATALOGUE_SAVED_H
#define SB_STORE_EVIDENCE_CATALOGUE_SAVED_H

#include "store/json_field.h"
#include "tally/catalogue.h"

struct sb_json;

struct sb_catalogue_saved {
    bool present;   /* the run has a catalogue; if not, all else is 0 */
    uint64_t decks; /* that the sums are of */
    uint64_t hash;  /* of the candidates' names */
    size_t count;   /* 0 if the candidates go by the rank, whose counts are saved elsewhere */
    int64_t *sum;   /* [count] as in the candidates; owned */
};

void sb_catalogue_saved_close(struct sb_catalogue_saved *saved);

/* Copies the sums of a catalogue, just read, which may be NULL. SB_NO_MEMORY. */
enum sb_status sb_catalogue_saved_take(const struct sb_catalogue *catalogue,
                                       struct sb_catalogue_saved *saved);

/* Whether the saved run has this catalogue: the candidates have the same names. */
bool sb_catalogue_saved_fits(const struct sb_catalogue_saved *saved, const struct sb_catalogue *catalogue);

/* Restores the sums in a new catalogue, if they fit; the catalogue may be NULL. */
void sb_catalogue_saved_resume(const struct sb_catalogue_saved *saved, struct sb_catalogue *catalogue);

/* Writes the field, and reads it from the object; there are at most `total` decks. */
void sb_catalogue_saved_write(struct sb_json *json, const struct sb_catalogue_saved *saved);
void sb_catalogue_saved_read(struct sb_json_field_reader *in, const struct json_t *object, uint64_t total,
                             struct sb_catalogue_saved *saved);

#endif
