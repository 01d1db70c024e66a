/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Somebody else's program as a process: its start, its end, and that nothing of it is left. */
#ifndef SB_SUBJECT_PROCESS_PROCESS_H
#define SB_SUBJECT_PROCESS_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct sb_process {
    pid_t id; /* of the process, and of the group that it leads */
    int in;   /* where it is written to, without ever waiting; -1 where its input is empty, or once closed */
    int out, err; /* where its standard output and error are read; -1 once closed */
};

/* Starts command[0], NULL after its last argument, and with an input if it is to be talked to. Returns an
 * errno, 0 if it runs. */
int sb_process_start(const char *const command[], bool dialogue, struct sb_process *process);

/* Closes a descriptor, unless it is -1, which it becomes. */
void sb_process_close(int *descriptor);

/*
 * Whether the process has ended, and how: si_code and si_status, as waitid() gives them; si_pid is 0 where
 * that is lost, because the caller's program ignores SIGCHLD.
 */
bool sb_process_ended(const struct sb_process *process, siginfo_t *end);

/* Ends it and all that is left of its group. Takes half a second at most. */
void sb_process_end(struct sb_process *process);

#endif
