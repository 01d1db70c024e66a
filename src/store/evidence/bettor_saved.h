/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a bettor has won, as the field `bettor` of saved evidence, and the bets at the start of a level. What it has learnt is not saved: it learns anew. */
#ifndef SB_STORE_EVIDENCE_BETTOR_SAVED_H
#define SB_STORE_EVIDENCE_BETTOR_SAVED_H

#include "tally/bettor.h"

#include <stdbool.h>

struct json_t;
struct sb_json_field_reader;
struct sb_json;

/* Writes the field into the open object. */
void sb_bettor_saved_write(struct sb_json *json, const struct sb_bettor_wealth *wealth);

/* Writes the field `bets`, ln E of bet[count], if there are any. */
void sb_bets_saved_write(struct sb_json *json, const double bet[], size_t count);

/* Reads that field: bet[SB_BETTOR_WEALTHS]. Returns how many bets it has; 0: it is missing. */
size_t sb_bets_saved_read(struct sb_json_field_reader *in, const struct json_t *object, double bet[]);

/* Reads the field, of `total` permutations. Returns false if it is missing, as in evidence without a bettor. */
bool sb_bettor_saved_read(struct sb_json_field_reader *in, const struct json_t *object, uint64_t total,
                          struct sb_bettor_wealth *wealth);

#endif
