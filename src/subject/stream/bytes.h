/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of a subject's bytes: standard input, a recording, a command. */
#ifndef SB_SUBJECT_STREAM_BYTES_H
#define SB_SUBJECT_STREAM_BYTES_H

#include "core/calls.h"
#include "core/file_position.h"

#include <time.h>

struct sb_bytes {
    const char *name; /* name to show in messages, such as "standard input"; owned */
    /* the names of the items that the bytes show as numbers from 0, separated by blanks; set after the first
     * read, if at all; NULL: the numbers are all that is known; static */
    const char *cards;
    /* Whether bytes are lost between the last read and the reads before it, because a log was truncated. Then
     * an incomplete line or record from before the gap does not continue. Each read sets this. */
    bool gap;
    /*
     * Waits for bytes and reads 1..room of them. At the end of the bytes, sets *got to 0. Waits at most until
     * sb_clock_now() reaches `deadline`. After the deadline the function fails even if there are bytes, so
     * that an endless stream without a permutation also ends. Errors: SB_SUBJECT if the deadline passes, or,
     * at the end of the bytes, if a command failed (exited with an error status, or was killed by a signal);
     * SB_STOPPED if the stop flag is raised; SB_IO.
     */
    enum sb_status (*read)(struct sb_bytes *self, char buffer[], size_t room, double deadline, size_t *got,
                           struct sb_error *error);
    /*
     * Sends text to a command that was started for a dialogue. For all other sources the pointer is NULL. If
     * the command has exited, write() raises SIGPIPE, which the caller must block; the next read() reports
     * the exit. Error: SB_SUBJECT if the command does not read.
     */
    enum sb_status (*write)(struct sb_bytes *self, const char text[], size_t length, struct sb_error *error);
    /* Sets *position to the position in the file that is `behind` bytes before the end of the bytes read so
     * far. The pointer is NULL for sources without positions. */
    void (*position)(const struct sb_bytes *self, uint64_t behind, struct sb_log_position *position);

    /* Whether there is an error behind the position: the user may change the bytes there before the next start. The
     * reader of the bytes sets this flag. */
    bool faulty;
    void (*free)(struct sb_bytes *self);
};

/* How to wait for a subject's bytes. */
struct sb_patience {
    double timeout;      /* seconds without a permutation before giving up; used only in messages */
    const char *awaited; /* what the subject failed to send, for messages; NULL means "permutation" */
    const volatile sig_atomic_t *stop; /* the stop flag, which ends the wait; may be NULL */
    void (*idle)(void *state); /* called several times per second while no bytes arrive; may be NULL */
    void *idle_state;
    /*
     * Receives a command's process group while the command runs, and 0 afterwards. A signal handler can
     * kill() the group before it ends the program. May be NULL.
     */
    volatile sig_atomic_t *group;
};

/* Opens a file; "-" means standard input. The caller frees *bytes. Errors: SB_INVALID if the file cannot be
 * opened; SB_NO_MEMORY. */
enum sb_status sb_bytes_open_file(const char *path, const struct sb_patience *patience,
                                  struct sb_error *error, struct sb_bytes **bytes);

/* How to read a file that other programs append to, rename and replace. */
struct sb_following {
    /* whether to wait at the end of the last file; if false, the bytes end there. In both cases, reading
     * continues from a rotated file to the next file. */
    bool on;
    bool lines; /* whether the end of a file also ends an incomplete line */
    /* The position to start from. If there is no position, or its file is lost, reading starts at the
     * beginning of the file at the path. */
    struct sb_log_position from;
    /* a flag; if it is nonzero, the follower opens the file again and clears the flag; may be NULL */
    volatile sig_atomic_t *reopen;
    sb_overheard *tell; /* receives messages: what the follower waits for or has lost; may be NULL */
    void *state;
    uint64_t *gaps; /* counts how often bytes were lost, or may have been; may be NULL */
};

/*
 * Opens a file with a position. The path is borrowed. The caller frees *bytes. If following->on is true, the
 * file need not exist yet. Errors: SB_INVALID if the file cannot be opened or is not a regular file;
 * SB_NO_MEMORY.
 */
enum sb_status sb_bytes_open_follow(const char *path, const struct sb_following *following,
                                    const struct sb_patience *patience, struct sb_error *error,
                                    struct sb_bytes **bytes);

/* A command to start. All pointers are borrowed until the bytes are freed. */
struct sb_command_start {
    const char *const *argv; /* the program and its arguments, then NULL */
    const char *cwd;         /* the folder to start in; NULL: the current folder */
    bool once;               /* whether to start the command anew when it has exited with status 0 */
    size_t record;           /* with `once`: bytes of a permutation if the output is binary; 0: it is text */
};

/*
 * Starts a program, without a shell. The command has its own process group, which free() kills. The bytes end
 * when the command has exited and no process holds its output open; with `once` they only end with an error.
 * read() relays the command's standard error. Errors: SB_SUBJECT if the command cannot be started;
 * SB_NO_MEMORY.
 */
enum sb_status sb_bytes_open_command(const struct sb_command_start *start, const struct sb_patience *patience,
                                     sb_overheard *overheard, void *state, struct sb_error *error,
                                     struct sb_bytes **bytes);

/* Does what sb_bytes_open_command() does, in the current folder, for a command that also has an input.
 * write() sends to this input, and free() closes it. */
enum sb_status sb_bytes_open_dialogue(const char *const argv[], const struct sb_patience *patience,
                                      sb_overheard *overheard, void *state, struct sb_error *error,
                                      struct sb_bytes **bytes);

/* Returns the name of a command: its words separated by blanks, made safe to show, and truncated if long. The
 * caller frees the name. NULL if memory runs out. */
char *sb_command_name(const char *const command[]);

#endif
