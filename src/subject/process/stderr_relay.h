/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relays a command's standard error as safe lines of limited length and number. */
#ifndef SB_SUBJECT_PROCESS_STDERR_RELAY_H
#define SB_SUBJECT_PROCESS_STDERR_RELAY_H

#include "subject/stream/bytes.h"

enum {
    SB_OVERHEARD_LINE = 400,    /* the most bytes of a line to keep */
    SB_OVERHEARD_MOST = 1 << 16 /* roughly the most bytes to relay; a line reports that the rest is dropped */
};

/* Initialise it as { .tell = ..., .state = ..., }. */
struct sb_overhearing {
    sb_overheard *tell; /* the callback that receives the lines; may be NULL */
    void *state;
    size_t told;   /* bytes relayed so far */
    size_t length; /* length of the incomplete line; SB_OVERHEARD_LINE + 1 if it is too long */
    char line[SB_OVERHEARD_LINE + 2];
};

/* Takes the next bytes, and relays the lines that end in them. */
void sb_overheard_take(struct sb_overhearing *overhearing, const char text[], size_t length);

/* Relays an incomplete last line. */
void sb_overheard_end(struct sb_overhearing *overhearing);

#endif
