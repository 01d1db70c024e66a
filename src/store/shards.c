/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shards of a sample, as numbers, as text and in JSON. */
#include "store/store.h"

#include <inttypes.h>

struct sb_blocks sb_shards_blocks(const struct sb_shards *parts, size_t i, size_t n, uint64_t samples)
{
    const struct sb_blocks all = sb_blocks_all(n, samples);

    return parts->of ? sb_blocks_part(all, parts->part[i].number, parts->of) : all;
}

uint64_t sb_shards_decks(const struct sb_shards *parts, size_t n, uint64_t samples)
{
    uint64_t decks = 0;

    for (size_t i = 0; i < parts->count; i++)
        decks += sb_blocks_decks(sb_shards_blocks(parts, i, n, samples), n, samples);
    return parts->of ? decks : samples;
}

uint64_t sb_shards_counted(const struct sb_shards *parts, size_t n, uint64_t samples)
{
    uint64_t decks = 0;

    for (size_t i = 0; i < parts->count; i++) {
        struct sb_blocks blocks = sb_shards_blocks(parts, i, n, samples);

        blocks.count = parts->part[i].done;
        decks += sb_blocks_decks(blocks, n, samples);
    }
    return decks;
}

/* If part[i] begins a series of three or more shards with consecutive numbers, returns the index of the last
 * shard of the series; else returns i. */
static size_t shards_row(const struct sb_shards *parts, size_t i)
{
    size_t last = i;

    while (last + 1 < parts->count && parts->part[last + 1].number == parts->part[last].number + 1)
        last++;
    return last > i + 1 ? last : i;
}

void sb_shards_say(const struct sb_shards *parts, char text[SB_SHARD_ROOM])
{
    /* A single number or a series takes at most 22 bytes, and the other words take 17 bytes. If there are
     * more numbers and series than fit, the text gives only the number of shards. */
    enum { SHARDS_ROWS_MOST = 6 };
    size_t used, rows = 0;

    text[0] = '\0';
    if (parts->of == 0)
        return;
    for (size_t i = 0; i < parts->count; i = shards_row(parts, i) + 1)
        rows++;
    if (rows > SHARDS_ROWS_MOST) {
        snprintf(text, SB_SHARD_ROOM, "%zu parts of %" PRIu64, parts->count, parts->of);
        return;
    }
    used = (size_t)snprintf(text, SB_SHARD_ROOM, parts->count > 1 ? "parts" : "part");
    for (size_t i = 0, row = 1; i < parts->count; i++, row++) {
        const char *const comma = row == 1 ? "" : row < rows ? "," : " and";

        used += (size_t)snprintf(text + used, SB_SHARD_ROOM - used, "%s %" PRIu64, comma, parts->part[i].number);
        if (shards_row(parts, i) == i)
            continue;
        i = shards_row(parts, i);
        used += (size_t)snprintf(text + used, SB_SHARD_ROOM - used, " to %" PRIu64, parts->part[i].number);
    }
    snprintf(text + used, SB_SHARD_ROOM - used, " of %" PRIu64, parts->of);
}

static const struct sb_store_field shards_part_fields[] = {
    { "part", SB_STORE_INTEGER, .at = offsetof(struct sb_shard, number) },
    { "done", SB_STORE_INTEGER, .at = offsetof(struct sb_shard, done) },
    { .name = NULL },
};

static void shards_check(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    const struct sb_shards *const parts = record;
    uint64_t next = 1;

    for (size_t i = 0; i < parts->count; i++) {
        char name[64];

        snprintf(name, sizeof name, "parts[%zu].part", i);
        sb_json_field_within(in, name, parts->part[i].number, next, parts->of);
        next = parts->part[i].number + 1;
    }
}

const struct sb_store_field sb_shards_fields[] = {
    { "of", SB_STORE_INTEGER, .at = offsetof(struct sb_shards, of), .low = 1, .high = SB_SHARDS_MOST },
    { "parts", SB_STORE_LIST, .item = SB_STORE_OBJECT, .fields = shards_part_fields, .owned = true,
      .at = offsetof(struct sb_shards, part), .count = offsetof(struct sb_shards, count),
      .size = sizeof(struct sb_shard), .low = 1, .high = SB_SHARDS_MOST, .what = "must hold a part",
      .read = shards_check },
    { .name = NULL },
};
