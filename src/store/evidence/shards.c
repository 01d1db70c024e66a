/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks and the decks of a run's shards, and the shards as text and in JSON. The reader checks every
 * value. */
#include "store/evidence/shards.h"

#include "report/result.h"
#include "store/json_field.h"

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

uint64_t sb_shards_done(const struct sb_shards *parts)
{
    uint64_t done = 0;

    for (size_t i = 0; i < parts->count; i++)
        done += parts->part[i].done;
    return done;
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

        used +=
            (size_t)snprintf(text + used, SB_SHARD_ROOM - used, "%s %" PRIu64, comma, parts->part[i].number);
        if (shards_row(parts, i) == i)
            continue;
        i = shards_row(parts, i);
        used += (size_t)snprintf(text + used, SB_SHARD_ROOM - used, " to %" PRIu64, parts->part[i].number);
    }
    snprintf(text + used, SB_SHARD_ROOM - used, " of %" PRIu64, parts->of);
}

/* Reads the shards, in order of their numbers. */
static void shards_read(struct sb_json_field_reader *in, const json_t *object, size_t n, uint64_t samples,
                        struct sb_shards *parts)
{
    static const char *const fields[] = { "part", "done", NULL };
    const json_t *const array = sb_json_field_array(in, object, "parts", (size_t)parts->of);
    uint64_t next = 1;

    if (array && json_array_size(array) == 0)
        sb_json_field_fail(in, "parts", "must hold a part");
    parts->part = sb_json_field_room(in, json_array_size(array), sizeof parts->part[0]);
    for (size_t i = 0; in->status == SB_OK && i < json_array_size(array); i++) {
        const json_t *const one = json_array_get(array, i);
        struct sb_shard *const part = &parts->part[i];

        if (!sb_json_field_enter_at(in, "parts", i, one, fields))
            return;
        part->number = sb_json_field_integer(in, one, "part", next, parts->of);
        next = part->number + 1;
        if (in->status)
            return;
        parts->count++;
        part->done = sb_json_field_integer(in, one, "done", 0, sb_shards_blocks(parts, i, n, samples).count);
        sb_json_field_leave(in);
    }
}

void sb_shards_read(struct sb_json_field_reader *in, const json_t *object, size_t n, uint64_t samples,
                    struct sb_shards *parts)
{
    static const char *const fields[] = { "of", "parts", NULL };

    if (!sb_json_field_enter(in, "shards", object, fields))
        return;
    parts->of = sb_json_field_integer(in, object, "of", 1, SB_SHARDS_MOST);
    shards_read(in, object, n, samples, parts);
    sb_json_field_leave(in);
}

void sb_shards_write(struct sb_json *json, const struct sb_shards *parts)
{
    sb_json_object(json, "shards");
    sb_json_integer(json, "of", parts->of);
    sb_json_array(json, "parts", false);
    for (size_t i = 0; i < parts->count && !ferror(json->stream); i++) {
        sb_json_object(json, NULL);
        sb_json_integer(json, "part", parts->part[i].number);
        sb_json_integer(json, "done", parts->part[i].done);
        sb_json_close(json);
    }
    sb_json_close(json);
    sb_json_close(json);
}
