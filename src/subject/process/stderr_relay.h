/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relays the first lines of a command's standard error, and the last line, as safe lines of limited length. */
#ifndef SB_SUBJECT_PROCESS_STDERR_RELAY_H
#define SB_SUBJECT_PROCESS_STDERR_RELAY_H

#include "subject/stream/bytes.h"

enum {
    SB_STDERR_RELAY_LINE = 400, /* the most bytes of a line to keep */
    SB_STDERR_RELAY_LINES = 10, /* the most lines to relay before the end */
};

/* Initialise the struct as { .tell = ..., .state = ..., }. */
struct sb_stderr_relay {
    sb_overheard *tell; /* the callback that receives the lines; may be NULL */
    void *state;
    uint64_t lines; /* number of lines so far */
    size_t length;  /* length of the incomplete line; SB_STDERR_RELAY_LINE + 1 if the line is too long */
    char line[SB_STDERR_RELAY_LINE + 2];
    char last[SB_STDERR_RELAY_LINE + 2]; /* the last complete line that was not relayed */
};

/* Takes the next bytes of standard error, and relays all lines that are now complete. */
void sb_stderr_relay_take(struct sb_stderr_relay *relay, const char text[], size_t length);

/* Relays an incomplete line; then says how many lines were left out, and relays the last of them. */
void sb_stderr_relay_end(struct sb_stderr_relay *relay);

#endif
