/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses binary input: items of 1, 2 or 4 bytes, little-endian, one after another. */
#include "subject/stream/stream_parts.h"

#include <stdio.h>

static size_t binary_record(const struct sb_stream *stream)
{
    return stream->feed.deal * stream->width;
}

static void binary_record_read(struct sb_stream *stream)
{
    const uint8_t *at = stream->at;

    for (size_t j = 0; j < stream->feed.deal; j++) {
        uint32_t raw = 0;

        for (size_t byte = 0; byte < stream->width; byte++)
            raw |= (uint32_t)*at++ << (8 * byte);
        sb_stream_push(stream, raw);
    }
    sb_stream_deal(stream);
    if (stream->error.status == SB_OK)
        stream->at = at;
}

static void binary_read(struct sb_stream *stream)
{
    const size_t record = binary_record(stream);

    while (stream->count < stream->most && (size_t)(stream->end - stream->at) >= record &&
           stream->error.status == SB_OK) {
        if (sb_stream_quick(stream))
            continue;
        binary_record_read(stream);
        if (stream->width == 1 && stream->deals == 1 && stream->error.status == SB_OK)
            sb_layout_learn(stream->at - record, record, stream->feed.n, (uint8_t)stream->base,
                            &stream->layout);
    }
}

static void binary_finish(struct sb_stream *stream)
{
    const size_t left = (size_t)(stream->end - stream->at);

    if (left)
        sb_stream_wrong(stream, "it ends after %zu of %zu bytes: was it cut off, or is `n` wrong?", left,
                        binary_record(stream));
}

static void binary_where(const struct sb_stream *stream, char text[], size_t room)
{
    const unsigned long long at = stream->begun + stream->deals * binary_record(stream);

    snprintf(text, room, "permutation %llu at byte %llu", (unsigned long long)stream->deals + 1, at);
}

const struct sb_reader sb_reader_binary = {
    .read = binary_read,
    .finish = binary_finish,
    .where = binary_where,
};
