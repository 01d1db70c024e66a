/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command says on its standard error: harmless lines, none too long, and not too many. */
#ifndef SB_SUBJECT_PROCESS_STDERR_RELAY_H
#define SB_SUBJECT_PROCESS_STDERR_RELAY_H

#include "subject/stream/bytes.h"

enum {
    SB_OVERHEARD_LINE = 400,    /* bytes of a line that are kept */
    SB_OVERHEARD_MOST = 1 << 16 /* bytes that are told of, about; the rest is left out, and a line says so */
};

/* Begins as { .tell = ..., .state = ..., }. */
struct sb_overhearing {
    sb_overheard *tell; /* may be NULL: nobody listens */
    void *state;
    size_t told;   /* bytes so far */
    size_t length; /* of the line that has not ended; one more than SB_OVERHEARD_LINE if it is too long */
    char line[SB_OVERHEARD_LINE + 2];
};

/* Takes the next bytes, whatever they are, and tells the lines that end in them. */
void sb_overheard_take(struct sb_overhearing *overhearing, const char text[], size_t length);

/* Tells the last line, if it has no end. */
void sb_overheard_end(struct sb_overhearing *overhearing);

#endif
