/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A position in a file that may be renamed, truncated or replaced while it is read. */
#ifndef SB_CORE_FILE_POSITION_H
#define SB_CORE_FILE_POSITION_H

#include <stdint.h>

enum { SB_LOG_POSITION_HEAD = 1024 }; /* number of bytes whose hash identifies a renamed file */

struct sb_log_position {
    uint64_t inode;  /* inode number of the file; 0: no file */
    uint64_t offset; /* bytes already read */
    uint64_t zeros;  /* number of bytes of 0 at the start of the file that do not belong to the text */
    uint64_t head;   /* number of hashed bytes after the zeros, at most SB_LOG_POSITION_HEAD */
    uint64_t hash;   /* hash of these `head` bytes, FNV-1a of 64 bits */
};

#endif
