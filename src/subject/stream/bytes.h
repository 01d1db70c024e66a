/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a subject's bytes come from: standard input, a recording, a command. */
#ifndef SB_SUBJECT_STREAM_BYTES_H
#define SB_SUBJECT_STREAM_BYTES_H

#include "core/file_position.h"
#include "shufflebias.h"

#include <time.h>

struct sb_bytes {
    const char *name; /* for people: "standard input", "decks.txt", "python3 shuffle.py"; its own */
    /*
     * Up to `room` further bytes, at least one; *got is 0 at the end. Waits, but not longer than `deadline`
     * seconds of sb_clock_now(), and gives nothing after it: so bytes without end that make no permutation
     * end, too. SB_SUBJECT: too long a silence, or a command that ended badly (an exit status, a signal; told
     * at its end); SB_STOPPED: the stop flag was raised; SB_IO.
     */
    enum sb_status (*read)(struct sb_bytes *self, char buffer[], size_t room, double deadline, size_t *got,
                           struct sb_error *error);
    /*
     * Sends text to a command that was started for a dialogue; NULL for all others. One that has gone is left
     * for read() to tell. Raises SIGPIPE then, unless the caller blocks it. SB_SUBJECT: it does not read.
     */
    enum sb_status (*write)(struct sb_bytes *self, const char text[], size_t length, struct sb_error *error);
    /* Where in a file it is, but for the last `behind` bytes that it gave; NULL where that is unknown.
     */
    void (*bookmark)(const struct sb_bytes *self, uint64_t behind, struct sb_log_position *bookmark);
    void (*free)(struct sb_bytes *self);
};

/* How a subject's bytes are waited for. */
struct sb_patience {
    double timeout;                    /* seconds without a permutation until it is given up; for messages */
    const char *awaited;               /* what is missed then; NULL for "permutation" */
    const volatile sig_atomic_t *stop; /* raised from outside to end early; may be NULL */
    void (*idle)(void *state); /* called several times per second while nothing arrives; may be NULL */
    void *idle_state;
    /*
     * Holds the number of a command's process group while it runs, else 0: for a signal handler that ends the
     * program at once, and may kill() the group first. May be NULL.
     */
    volatile sig_atomic_t *group;
};

/* A file; "-" is standard input. Owned by the caller. SB_INVALID: it cannot be opened; SB_NO_MEMORY. */
enum sb_status sb_bytes_open_file(const char *path, const struct sb_patience *patience,
                                  struct sb_error *error, struct sb_bytes **bytes);

/* How a file is read that others go on writing, move away and begin anew. */
struct sb_following {
    bool on;                     /* beyond its end, and over to what comes in its place; else it ends there */
    bool lines;                  /* where a file ends within a line, the line ends with it */
    struct sb_log_position from; /* where to begin, if the file is still to be found; none: at its begin */
    volatile sig_atomic_t
        *reopen;        /* raised from outside to open the file anew, and lowered then; may be NULL */
    sb_overheard *tell; /* what is waited for, and what was lost; NULL: nobody listens */
    void *state;
};

/*
 * A file with a bookmark. The path is borrowed. Owned by the caller. SB_INVALID: it cannot be opened, or is
 * no regular file; where it is followed it may not be there yet. SB_NO_MEMORY.
 */
enum sb_status sb_bytes_open_follow(const char *path, const struct sb_following *following,
                                    const struct sb_patience *patience, struct sb_error *error,
                                    struct sb_bytes **bytes);

/*
 * Starts argv[0] with its arguments, NULL at the end; no shell; in a process group of its own, which is
 * killed by free(). Its output ends once it has ended and nothing that it started holds that open; what it
 * says on its standard error is told during read(). SB_SUBJECT: it cannot be started; SB_NO_MEMORY.
 */
enum sb_status sb_bytes_open_command(const char *const argv[], const struct sb_patience *patience,
                                     sb_overheard *overheard, void *state, struct sb_error *error,
                                     struct sb_bytes **bytes);

/* The same with an input, that write() sends to and that is closed by free(). */
enum sb_status sb_bytes_open_dialogue(const char *const argv[], const struct sb_patience *patience,
                                      sb_overheard *overheard, void *state, struct sb_error *error,
                                      struct sb_bytes **bytes);

/* What a command is called: its words with blanks between them, cut where they are many, made harmless. The
 * caller frees it. NULL without memory. */
char *sb_command_name(const char *const command[]);

#endif
