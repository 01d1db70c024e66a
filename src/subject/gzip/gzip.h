/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stage that decompresses gzip data (RFC 1952) if the bytes begin with its magic number, 1f 8b. Several
 * members may follow one another, as after `cat 2.gz 1.gz`, and plain bytes after them pass unchanged, as
 * after `cat 1.gz log`. All other bytes pass unchanged and uncopied, except the first ones.
 */
#ifndef SB_SUBJECT_GZIP_GZIP_H
#define SB_SUBJECT_GZIP_GZIP_H

#include "subject/stream/bytes.h"

/* Whether bytes begin as gzip data does. */
bool sb_gzip_begins(const unsigned char bytes[], size_t count);

/*
 * Makes the stage. Takes ownership of `bytes`, even after a failure. The source must have no positions,
 * because a position in compressed data is none in the text. Error: SB_NO_MEMORY. read() returns SB_SUBJECT
 * if the data is damaged or truncated, after all bytes before the fault; the line of the error says how much
 * was read.
 */
enum sb_status sb_gzip_new(struct sb_bytes *bytes, struct sb_error *error, struct sb_bytes **plain);

#endif
