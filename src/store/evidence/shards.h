/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shards of a run, and the progress of each. */
#ifndef SB_STORE_EVIDENCE_SHARDS_H
#define SB_STORE_EVIDENCE_SHARDS_H

#include "core/evidence.h"
#include "sample/sample.h"

struct json_t;
struct sb_json_field_reader;
struct sb_json;

struct sb_shard {
    uint64_t number; /* index of the shard, from 1 */
    uint64_t done;   /* number of finished blocks, which are the first blocks of the shard */
};

struct sb_shards {
    /* number of shards that the run was split into; 0: the run was not split, and the other fields are not
     * used */
    uint64_t of;
    size_t count; /* number of shards in this record */
    /* [count] in the order of their numbers; owned or borrowed like the other pointers of the record */
    struct sb_shard *part;
};

/* The blocks of the shard parts->part[i], for a run of `samples` shuffles. If the run was not split: the
 * blocks of the whole run. */
struct sb_blocks sb_shards_blocks(const struct sb_shards *parts, size_t i, size_t n, uint64_t samples);

/* The number of decks in all blocks of the shards in `parts`, finished or not. If the run was not split: the
 * number of decks in the whole run. */
uint64_t sb_shards_decks(const struct sb_shards *parts, size_t n, uint64_t samples);

/* The number of finished blocks of the shards in `parts`; without meaning if the run was not split. */
uint64_t sb_shards_done(const struct sb_shards *parts);
/* The number of decks in the finished blocks of the shards in `parts`; without meaning if the run was not
 * split. */
uint64_t sb_shards_counted(const struct sb_shards *parts, size_t n, uint64_t samples);

/* Writes the shards as a text, such as "part 3 of 7" or "parts 1, 3 and 5 to 7 of 7". The text is "" if the
 * run was not split. */
void sb_shards_say(const struct sb_shards *parts, char text[SB_SHARD_ROOM]);

/* Reads the shards from the object, for a run of `samples` shuffles. The caller frees the list, even after a
 * fault. */
void sb_shards_read(struct sb_json_field_reader *in, const struct json_t *object, size_t n, uint64_t samples,
                    struct sb_shards *parts);
void sb_shards_write(struct sb_json *json, const struct sb_shards *parts);

#endif
