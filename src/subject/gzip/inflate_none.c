/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A build without zlib recognises gzip data and says so. */
#include "subject/gzip/inflate.h"

#include <stdlib.h>

struct sb_inflate *sb_inflate_new(void)
{
    return malloc(1); /* a state without content */
}

void sb_inflate_free(struct sb_inflate *self)
{
    free(self);
}

enum sb_inflated sb_inflate_run(struct sb_inflate *self, const unsigned char input[], size_t *in,
                                /* NOLINTNEXTLINE(readability-non-const-parameter): zlib's version writes */
                                unsigned char output[], size_t *out)
{
    (void)self;
    (void)input;
    (void)output;
    *in = *out = 0;
    return SB_INFLATE_NO_ZLIB;
}
