/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a subject's bytes come from: standard input, a recording, a command. */
#ifndef SB_SUBJECT_STREAM_BYTES_H
#define SB_SUBJECT_STREAM_BYTES_H

#include "core/file_position.h"
#include "shufflebias.h"

#include <time.h>

struct sb_bytes {
    const char *name; /* name for people: "standard input", "decks.txt", "python3 shuffle.py"; owned */
    /*
     * Reads up to `room` further bytes, at least one; *got is 0 at the end. Waits, but no longer than
     * `deadline` seconds of sb_clock_now(), and returns nothing after it, so that endless bytes without a
     * permutation also end. SB_SUBJECT: too long a silence, or a command that failed (an exit status or a
     * signal, reported at its end); SB_STOPPED: the stop flag was raised; SB_IO.
     */
    enum sb_status (*read)(struct sb_bytes *self, char buffer[], size_t room, double deadline, size_t *got,
                           struct sb_error *error);
    /*
     * Sends text to a command that was started for a dialogue; NULL for all others. If the command has
     * exited, read() reports that; then write() raises SIGPIPE, unless the caller blocks it. SB_SUBJECT: the
     * command does not read.
     */
    enum sb_status (*write)(struct sb_bytes *self, const char text[], size_t length, struct sb_error *error);
    /* Returns the position in a file, `behind` bytes before the end of the bytes read so far; NULL if
     * unknown. */
    void (*position)(const struct sb_bytes *self, uint64_t behind, struct sb_log_position *position);
    void (*free)(struct sb_bytes *self);
};

/* How to wait for a subject's bytes. */
struct sb_patience {
    double timeout;                    /* seconds without a permutation before giving up; for messages */
    const char *awaited;               /* what the message names as missing; NULL for "permutation" */
    const volatile sig_atomic_t *stop; /* the caller raises it to end early; may be NULL */
    void (*idle)(void *state); /* called several times per second while nothing arrives; may be NULL */
    void *idle_state;
    /*
     * Holds a command's process group while the command runs, else 0. A signal handler that ends the program
     * at once can kill() the group first. May be NULL.
     */
    volatile sig_atomic_t *group;
};

/* Opens a file; "-" is standard input. The caller frees it. SB_INVALID: it cannot be opened; SB_NO_MEMORY. */
enum sb_status sb_bytes_open_file(const char *path, const struct sb_patience *patience,
                                  struct sb_error *error, struct sb_bytes **bytes);

/* How to read a file that other programs append to, rename and replace. */
struct sb_following {
    bool on;    /* whether to wait at the end and continue in the next file; if not, the bytes end there */
    bool lines; /* whether an incomplete line ends with its file */
    /* Where to start. If there is no position, or its file is lost, reading starts at the beginning. */
    struct sb_log_position from;
    volatile sig_atomic_t *reopen; /* the caller raises it to reopen the file, which clears it; may be NULL */
    sb_overheard *tell;            /* receives messages about what is awaited or lost; may be NULL */
    void *state;
};

/*
 * Opens a file with a position. The path is borrowed. The caller frees the bytes. SB_INVALID: it cannot be
 * opened, or is not a regular file; a followed file need not exist yet. SB_NO_MEMORY.
 */
enum sb_status sb_bytes_open_follow(const char *path, const struct sb_following *following,
                                    const struct sb_patience *patience, struct sb_error *error,
                                    struct sb_bytes **bytes);

/*
 * Starts argv[0] with its arguments, which NULL ends; no shell. The command has its own process group, which
 * free() kills. Its output ends once it has exited and no process that it started holds the output open.
 * read() relays its standard error. SB_SUBJECT: it cannot be started; SB_NO_MEMORY.
 */
enum sb_status sb_bytes_open_command(const char *const argv[], const struct sb_patience *patience,
                                     sb_overheard *overheard, void *state, struct sb_error *error,
                                     struct sb_bytes **bytes);

/* Opens a command that also has an input: write() sends to it, and free() closes it. */
enum sb_status sb_bytes_open_dialogue(const char *const argv[], const struct sb_patience *patience,
                                      sb_overheard *overheard, void *state, struct sb_error *error,
                                      struct sb_bytes **bytes);

/* Returns the name of a command: its words separated by blanks, truncated if long, and safe to show. The
 * caller frees it. NULL if memory runs out. */
char *sb_command_name(const char *const command[]);

#endif
