/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs another program as a process, and ends it with all its children. */
#ifndef SB_SUBJECT_PROCESS_PROCESS_H
#define SB_SUBJECT_PROCESS_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct sb_process {
    pid_t id; /* id of the process, and of the group that it leads */
    int in; /* non-blocking descriptor of the process's standard input; -1 if the input is empty or closed */
    int out, err; /* descriptors of the process's standard output and error; -1 after closing */
};

/* Starts the program command[0] in the folder `cwd`; NULL follows the last argument, and a `cwd` of NULL is the
 * current folder. If `dialogue` is true, the process gets a pipe as its input; otherwise the input is empty.
 * Returns 0 or an errno. */
int sb_process_start(const char *const command[], const char *cwd, bool dialogue, struct sb_process *process);

/* Closes a descriptor if it is not -1, and sets it to -1. */
void sb_process_close(int *descriptor);

/*
 * Whether the process has exited. If so, sets si_code and si_status of *end, as waitid() does. If the calling
 * program ignores SIGCHLD, the status is lost, and si_pid is 0.
 */
bool sb_process_ended(const struct sb_process *process, siginfo_t *end);

/* Ends the process and all other processes of its group, and closes the descriptors. Takes at most a second. Returns
 * false if a process that has left the group, or runs as another user, still holds the standard output or error. */
bool sb_process_end(struct sb_process *process);

#endif
