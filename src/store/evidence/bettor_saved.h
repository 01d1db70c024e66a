/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bettor's wealths (tally/bettor.h) in saved evidence. The field `bettor` has the current wealths. The
 * field `bets` has the wealths at the start of a detector's level. What a bettor has learnt is not saved:
 * after loading, the bettor learns anew. */
#ifndef SB_STORE_EVIDENCE_BETTOR_SAVED_H
#define SB_STORE_EVIDENCE_BETTOR_SAVED_H

#include "tally/order.h"

#include <stdbool.h>

struct json_t;
struct sb_json_field_reader;
struct sb_json;

/* Writes the field `bettor` into the open object. */
void sb_bettor_saved_write(struct sb_json *json, const struct sb_bettor_wealth *wealth);

/* Writes the field `bets`: bet[count], the ln E of each bet. Writes nothing if `count` is 0. */
void sb_bets_saved_write(struct sb_json *json, const double bet[], size_t count);

/* Reads the field `bets` into bet[SB_BETTOR_WEALTHS]. Returns the number of bets, which is 0 if the field is
 * missing. */
size_t sb_bets_saved_read(struct sb_json_field_reader *in, const struct json_t *object, double bet[]);

/* Reads the field `bettor` of evidence of `total` permutations. Returns false if the field is missing, as in
 * evidence without a bettor. */
bool sb_bettor_saved_read(struct sb_json_field_reader *in, const struct json_t *object, uint64_t total,
                          struct sb_bettor_wealth *wealth);

#endif
