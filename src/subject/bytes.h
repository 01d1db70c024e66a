/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a subject's bytes come from: standard input, a recording, a command. */
#ifndef SB_SUBJECT_BYTES_H
#define SB_SUBJECT_BYTES_H

#include "shufflebias.h"

#include <time.h>

struct sb_bytes {
    const char *name; /* for people: "standard input", "decks.txt", "python3 shuffle.py"; its own */
    /*
     * Up to `room` further bytes, at least one; *got is 0 at the end. Waits, but not longer than `deadline`
     * seconds of CLOCK_MONOTONIC, and gives nothing after it: so bytes without end that make no permutation
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
    void (*free)(struct sb_bytes *self);
};

/* The clock that deadlines go by, in seconds. */
static inline double sb_bytes_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* How a subject's bytes are waited for. */
struct sb_patience {
    double timeout;                    /* seconds without a permutation until it is given up; for messages */
    const char *awaited;               /* what is missed then; NULL for "permutation" */
    const volatile sig_atomic_t *stop; /* raised from outside to end early; may be NULL */
    /*
     * Holds the number of a command's process group while it runs, else 0: for a signal handler that ends the
     * program at once, and may kill() the group first. May be NULL.
     */
    volatile sig_atomic_t *group;
};

/* A file; "-" is standard input. Owned by the caller. SB_INVALID: it cannot be opened; SB_NO_MEMORY. */
enum sb_status sb_bytes_open_file(const char *path, const struct sb_patience *patience,
                                  struct sb_error *error, struct sb_bytes **bytes);

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
