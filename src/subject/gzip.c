/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks at the first bytes of the source, and after each member of gzip data at the next bytes. zlib decompresses,
 * and checks each member's checksum and length. A build without zlib recognises gzip data and says so.
 */
#include "subject/parts.h"

#include <inttypes.h>

#if SB_HAS_ZLIB
#include <zlib.h>
#endif

enum { GZIP_CHUNK = 1 << 16, GZIP_MAGIC = 2 };

enum gzip_state {
    GZIP_LOOK,    /* the next bytes decide */
    GZIP_INFLATE, /* the next bytes belong to a member */
    GZIP_PLAIN,   /* all further bytes are plain */
};

struct gzip {
    struct sb_bytes bytes; /* must be the first member, because callers have a pointer to this member */
    struct sb_bytes *inner;
    enum gzip_state state;
#if SB_HAS_ZLIB
    z_stream stream;
    bool opened; /* whether `stream` is to be ended */
#endif
    unsigned char buffer[GZIP_CHUNK]; /* bytes of the source */
    size_t at, end;                   /* the unused part of the buffer */
    bool ended;                       /* whether the source has ended */
    uint64_t made, lines;             /* bytes and line ends that were decompressed */
};

bool sb_gzip_begins(const unsigned char bytes[], size_t count)
{
    return count >= GZIP_MAGIC && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

static enum sb_status gzip_fault(const struct gzip *self, const char *fault, const char *remedy, struct sb_error *error)
{
    return sb_error_set(error, SB_SUBJECT,
                        "%.120s: the gzip data %s after %" PRIu64 " bytes of text in %" PRIu64 " lines: %s",
                        self->inner->name, fault, self->made, self->lines, remedy);
}

static enum sb_status gzip_fill(struct gzip *self, double deadline, struct sb_error *error)
{
    size_t got = 0;

    memmove(self->buffer, self->buffer + self->at, self->end - self->at);
    self->end -= self->at;
    self->at = 0;
    const enum sb_status status = self->inner->read(self->inner, (char *)self->buffer + self->end,
                                                    sizeof self->buffer - self->end, deadline, &got, error);

    if (status)
        return status;
    self->end += got;
    self->ended = got == 0;
    return SB_OK;
}

/* Decides what the next bytes are, which needs two bytes if the first is that of the magic number. */
static enum sb_status gzip_look(struct gzip *self, double deadline, struct sb_error *error)
{
    while (!self->ended && (self->at == self->end || (self->end - self->at == 1 && self->buffer[self->at] == 0x1F))) {
        const enum sb_status status = gzip_fill(self, deadline, error);

        if (status)
            return status;
    }
    self->state = sb_gzip_begins(self->buffer + self->at, self->end - self->at) ? GZIP_INFLATE : GZIP_PLAIN;
    return SB_OK;
}

#if SB_HAS_ZLIB

static enum sb_status gzip_inflate(struct gzip *self, char buffer[], size_t room, size_t *got, struct sb_error *error)
{
    z_stream *const stream = &self->stream;

    if (!self->opened && inflateInit2(stream, 16 + MAX_WBITS) != Z_OK) /* gzip's header, and the largest window */
        return sb_error_memory(error, "gzip data");
    self->opened = true;
    stream->next_in = self->buffer + self->at;
    stream->avail_in = (uInt)(self->end - self->at);
    stream->next_out = (Bytef *)buffer;
    stream->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
    int status = inflate(stream, Z_NO_FLUSH);

    self->at = (size_t)(stream->next_in - self->buffer);
    *got = (size_t)((char *)stream->next_out - buffer);
    self->made += *got;
    for (const char *lf = buffer; (lf = memchr(lf, '\n', (size_t)(buffer + *got - lf))); lf++)
        self->lines++;
    if (status == Z_STREAM_END) {
        self->state = GZIP_LOOK;
        status = inflateReset(stream);
    }
    if (*got > 0 || status == Z_OK || status == Z_BUF_ERROR)
        return SB_OK;
    return status == Z_MEM_ERROR ? sb_error_memory(error, "gzip data")
                                 : gzip_fault(self, "is damaged", "test it with 'gzip -t'", error);
}

static void gzip_end(struct gzip *self)
{
    if (self->opened)
        inflateEnd(&self->stream);
}

#else

static enum sb_status gzip_inflate(const struct gzip *self, const char buffer[], size_t room, const size_t *got,
                                   struct sb_error *error)
{
    return sb_error_set(error, SB_SUBJECT,
                        "%.120s: this is gzip data, which a build without zlib does not read: use 'zcat'",
                        self->inner->name);
}

static void gzip_end(const struct gzip *self)
{
}

#endif

static enum sb_status gzip_plain(struct gzip *self, char buffer[], size_t room, double deadline, size_t *got,
                                 struct sb_error *error)
{
    const size_t there = self->end - self->at;

    if (there == 0 && !self->ended)
        return self->inner->read(self->inner, buffer, room, deadline, got, error);
    *got = there < room ? there : room;
    memcpy(buffer, self->buffer + self->at, *got);
    self->at += *got;
    return SB_OK;
}

static enum sb_status gzip_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline, size_t *got,
                                struct sb_error *error)
{
    struct gzip *const self = (struct gzip *)bytes;
    enum sb_status status = SB_OK;

    for (*got = 0; status == SB_OK && *got == 0;) {
        if (self->state == GZIP_LOOK)
            status = gzip_look(self, deadline, error);
        if (status)
            break;
        if (self->state == GZIP_PLAIN)
            return gzip_plain(self, buffer, room, deadline, got, error);
        status = gzip_inflate(self, buffer, room, got, error);
        if (status || *got || self->state == GZIP_LOOK)
            continue;
        if (self->ended)
            return gzip_fault(self, "ends too soon,", "was the file cut off?", error);
        if (self->at == self->end)
            status = gzip_fill(self, deadline, error);
    }
    return status;
}

static void gzip_free(struct sb_bytes *bytes)
{
    struct gzip *const self = (struct gzip *)bytes;

    gzip_end(self);
    self->inner->free(self->inner);
    free(self);
}

enum sb_status sb_gzip_new(struct sb_bytes *bytes, struct sb_error *error, struct sb_bytes **plain)
{
    struct gzip *const self = calloc(1, sizeof *self);

    if (!self) {
        bytes->free(bytes);
        return sb_error_memory(error, "a source of bytes");
    }
    self->bytes = (struct sb_bytes) { .name = bytes->name, .read = gzip_read, .free = gzip_free };
    self->inner = bytes;
    *plain = &self->bytes;
    return SB_OK;
}
