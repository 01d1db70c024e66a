/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a file has been read that may be moved, cut or replaced meanwhile. */
#ifndef SB_CORE_FILE_POSITION_H
#define SB_CORE_FILE_POSITION_H

#include <stdint.h>

enum {
    SB_LOG_POSITION_HEAD = 1024
}; /* bytes by which a file is known again, whatever it is called by then */

struct sb_log_position {
    uint64_t inode;  /* of the file; 0: it is in none */
    uint64_t offset; /* bytes that are done with */
    uint64_t head;   /* the first bytes, of these, SB_LOG_POSITION_HEAD at most, ... */
    uint64_t hash;   /* ... have this hash: FNV-1a of 64 bits */
};

#endif
