/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shards of a run, and the progress of each. */
#ifndef SB_STORE_EVIDENCE_SHARDS_H
#define SB_STORE_EVIDENCE_SHARDS_H

#include "core/evidence.h"
#include "sample/blocks.h"

struct json_t;
struct sb_json_field_reader;
struct sb_json;

struct sb_shard {
    uint64_t number; /* number of the shard, counted from 1 */
    uint64_t done;   /* how many of its blocks are done, from its first */
};

struct sb_shards {
    uint64_t of;  /* number of shards that the run was split into; 0: no split, and the rest has no meaning */
    size_t count; /* number of shards in this record */
    struct sb_shard *part; /* [count] by number; the owner of the record owns or borrows it */
};

/* The blocks of shard i of this record, for a run of `samples` shuffles; the blocks of the whole run if it
 * was not split. */
struct sb_blocks sb_shards_blocks(const struct sb_shards *parts, size_t i, size_t n, uint64_t samples);

/* The number of decks in these shards, or in the whole run if it was not split. */
uint64_t sb_shards_decks(const struct sb_shards *parts, size_t n, uint64_t samples);

/* How many of their blocks are done, if the run was split. */
uint64_t sb_shards_done(const struct sb_shards *parts);
uint64_t sb_shards_counted(const struct sb_shards *parts, size_t n, uint64_t samples);

/* "part 3 of 7", "parts 1, 3 and 5 to 7 of 7"; "" if the run was not split. */
void sb_shards_say(const struct sb_shards *parts, char text[SB_SHARD_ROOM]);

/* Reads the object for a run of `samples` shuffles. The caller frees the list, even after a fault. */
void sb_shards_read(struct sb_json_field_reader *in, const struct json_t *object, size_t n, uint64_t samples,
                    struct sb_shards *parts);
void sb_shards_write(struct sb_json *json, const struct sb_shards *parts);

#endif
