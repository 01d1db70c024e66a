/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relays a command's standard error as safe lines. The length of a line and the total number of bytes are
 * limited. */
#ifndef SB_SUBJECT_PROCESS_STDERR_RELAY_H
#define SB_SUBJECT_PROCESS_STDERR_RELAY_H

#include "subject/stream/bytes.h"

enum {
    SB_OVERHEARD_LINE = 400, /* the most bytes of a line to keep */
    /* approximate limit of the bytes to relay; after this limit, a last line says that the rest is left
     * out */
    SB_OVERHEARD_MOST = 1 << 16
};

/* Initialise the struct as { .tell = ..., .state = ..., }. */
struct sb_overhearing {
    sb_overheard *tell; /* the callback that receives the lines; may be NULL */
    void *state;
    size_t told;   /* number of bytes relayed so far */
    size_t length; /* length of the incomplete line; SB_OVERHEARD_LINE + 1 if the line is too long */
    char line[SB_OVERHEARD_LINE + 2];
};

/* Takes the next bytes of standard error, and relays all lines that are now complete. */
void sb_overheard_take(struct sb_overhearing *overhearing, const char text[], size_t length);

/* Relays an incomplete last line. */
void sb_overheard_end(struct sb_overhearing *overhearing);

#endif
