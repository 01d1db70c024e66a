/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which parts of a run there are, and how far each has come. */
#ifndef SB_STORE_EVIDENCE_SHARDS_H
#define SB_STORE_EVIDENCE_SHARDS_H

#include "core/evidence.h"
#include "sample/blocks.h"

struct json_t;
struct sb_json_field_reader;
struct sb_json;

struct sb_shard {
    uint64_t number; /* from 1 */
    uint64_t done;   /* its first blocks, so many */
};

struct sb_shards {
    uint64_t of;  /* parts that the run was divided into; 0: it was not, and the rest is of no meaning */
    size_t count; /* those that are here */
    struct sb_shard *part; /* [count] by number; whose it is depends */
};

/* The blocks of the i-th of the parts that are here, of a run of so many samples; of the whole run where it
 * was not divided. */
struct sb_blocks sb_shards_blocks(const struct sb_shards *parts, size_t i, size_t n, uint64_t samples);

/* How many decks the parts have that are here; those of the whole run likewise. */
uint64_t sb_shards_decks(const struct sb_shards *parts, size_t n, uint64_t samples);

/* How many of their blocks are done, and the decks in these, of a run that was divided. */
uint64_t sb_shards_done(const struct sb_shards *parts);
uint64_t sb_shards_counted(const struct sb_shards *parts, size_t n, uint64_t samples);

/* "part 3 of 7", "parts 1, 3 and 5 to 7 of 7"; nothing of a run that was not divided. */
void sb_shards_say(const struct sb_shards *parts, char text[SB_SHARD_ROOM]);

/* Reads such an object, of a run of so many samples; the list is to be freed, also after a fault. */
void sb_shards_read(struct sb_json_field_reader *in, const struct json_t *object, size_t n, uint64_t samples,
                    struct sb_shards *parts);
void sb_shards_write(struct sb_json *json, const struct sb_shards *parts);

#endif
