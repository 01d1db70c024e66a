/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saves and loads the sums of a catalogue (tally/catalogue.h) as the field `catalogue` of a JSON object.
 * There is one sum for each candidate. The field is missing if there is no catalogue. The field is also
 * missing if the candidates' cells are ranks, because the saved counts by rank determine these sums.
 */
#ifndef SB_STORE_EVIDENCE_CATALOGUE_SAVED_H
#define SB_STORE_EVIDENCE_CATALOGUE_SAVED_H

#include "store/json_field.h"
#include "tally/order.h"

struct sb_json;

struct sb_catalogue_saved {
    bool present;   /* the run has a catalogue; if not, all other fields are 0 */
    uint64_t decks; /* number of decks in the sums */
    uint64_t hash;  /* hash of the candidates' names */
    size_t count;   /* number of sums; 0 if the cells are ranks, whose counts are saved elsewhere */
    int64_t *sum;   /* [count] sum of each candidate; owned */
};

void sb_catalogue_saved_close(struct sb_catalogue_saved *saved);

/* Copies the sums of a catalogue right after sb_catalogue_read(). The catalogue may be NULL. SB_NO_MEMORY. */
enum sb_status sb_catalogue_saved_take(const struct sb_catalogue *catalogue,
                                       struct sb_catalogue_saved *saved);

/* Whether the candidates of the saved run's catalogue have the same names as those of this catalogue. */
bool sb_catalogue_saved_fits(const struct sb_catalogue_saved *saved, const struct sb_catalogue *catalogue);

/* If sb_catalogue_saved_fits() is true, sets the sums of a new catalogue to the saved sums. The catalogue may
 * be NULL. */
void sb_catalogue_saved_resume(const struct sb_catalogue_saved *saved, struct sb_catalogue *catalogue);

/* Writes the field into the open object. */
void sb_catalogue_saved_write(struct sb_json *json, const struct sb_catalogue_saved *saved);
/* Writes what sb_catalogue_saved_write() would write of a copy of this catalogue. Needs no memory. The catalogue may be
 * NULL. */
void sb_catalogue_saved_write_current(struct sb_json *json, const struct sb_catalogue *catalogue);
/* Reads the field from an object. The sums must come from at most `total` decks. */
void sb_catalogue_saved_read(struct sb_json_field_reader *in, const struct json_t *object, uint64_t total,
                             struct sb_catalogue_saved *saved);

#endif
