/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decompresses one member of gzip data: inflate_zlib.c with zlib, inflate_none.c in a build without it. */
#ifndef SB_SUBJECT_GZIP_INFLATE_H
#define SB_SUBJECT_GZIP_INFLATE_H

#include <stddef.h>

struct sb_inflate;

enum sb_inflated {
    SB_INFLATE_MORE, /* the output is full, or all input is used */
    SB_INFLATE_END,  /* the member ends after the used input */
    SB_INFLATE_DAMAGED,
    SB_INFLATE_NO_MEMORY,
    SB_INFLATE_NO_ZLIB, /* this build cannot decompress */
};

/* Returns a new state; NULL if memory runs out. The caller frees it. */
struct sb_inflate *sb_inflate_new(void);
void sb_inflate_free(struct sb_inflate *self);

/* Decompresses *in bytes of input to *out bytes of room. Sets both to the number of bytes used. After
 * SB_INFLATE_END, the next call begins a new member. */
enum sb_inflated sb_inflate_run(struct sb_inflate *self, const unsigned char input[], size_t *in,
                                unsigned char output[], size_t *out);

#endif
