/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decompresses with zlib, which also checks each member's checksum and length. */
#include "subject/gzip/inflate.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum { INFLATE_GZIP = 16 + MAX_WBITS }; /* for inflateInit2(): gzip's header, and the largest window */

struct sb_inflate {
    z_stream stream;
    int opened; /* Z_OK, or why zlib could not begin */
};

struct sb_inflate *sb_inflate_new(void)
{
    struct sb_inflate *const self = calloc(1, sizeof *self);

    if (self)
        self->opened = inflateInit2(&self->stream, INFLATE_GZIP);
    return self;
}

void sb_inflate_free(struct sb_inflate *self)
{
    if (self && self->opened == Z_OK)
        inflateEnd(&self->stream);
    free(self);
}

enum sb_inflated sb_inflate_run(struct sb_inflate *self, const unsigned char input[], size_t *in,
                                unsigned char output[], size_t *out)
{
    const size_t there = *in, room = *out;

    *in = *out = 0;
    if (self->opened != Z_OK)
        return SB_INFLATE_NO_MEMORY;
    self->stream.next_in = (z_const Bytef *)input;
    self->stream.avail_in = there < UINT_MAX ? (uInt)there : UINT_MAX;
    self->stream.next_out = output;
    self->stream.avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
    const int status = inflate(&self->stream, Z_NO_FLUSH);

    *in = (size_t)(self->stream.next_in - input);
    *out = (size_t)(self->stream.next_out - output);
    if (status == Z_STREAM_END)
        return inflateReset(&self->stream) == Z_OK ? SB_INFLATE_END : SB_INFLATE_DAMAGED;
    if (status == Z_OK || status == Z_BUF_ERROR)
        return SB_INFLATE_MORE;
    return status == Z_MEM_ERROR ? SB_INFLATE_NO_MEMORY : SB_INFLATE_DAMAGED;
}
