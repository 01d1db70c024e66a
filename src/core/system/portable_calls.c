/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that POSIX.1-2008 lacks, and their replacements. */
#define _GNU_SOURCE /* the calls of Linux, and environ */

#include "core/system/portable_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <crt_externs.h>
#endif

#if !SB_HAS_PIPE2 || !SB_HAS_MKOSTEMP
/* Another thread that starts a program between the opening of the descriptor and this call leaves it open there. */
static int portable_close_on_exec(int descriptor)
{
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 ? errno : 0;
}
#endif

int sb_portable_pipe(int ends[2])
{
#if SB_HAS_PIPE2
    return pipe2(ends, O_CLOEXEC) ? errno : 0;
#else
    if (pipe(ends))
        return errno;
    const int first = portable_close_on_exec(ends[0]), second = portable_close_on_exec(ends[1]);

    if (first || second) {
        close(ends[0]);
        close(ends[1]);
    }
    return first ? first : second;
#endif
}

int sb_portable_temporary(char path[])
{
#if SB_HAS_MKOSTEMP
    return mkostemp(path, O_CLOEXEC);
#else
    const int descriptor = mkstemp(path);

    if (descriptor >= 0)
        (void)portable_close_on_exec(descriptor); /* cannot fail for an open descriptor */
    return descriptor;
#endif
}

void sb_portable_discard_sigpipe(void)
{
    sigset_t pipe;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
#if SB_HAS_SIGTIMEDWAIT
    const struct timespec none = { 0 };

    while (sigtimedwait(&pipe, NULL, &none) == SIGPIPE)
        continue;
#else
    sigset_t pending;
    int signal;

    while (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1 && sigwait(&pipe, &signal) == 0)
        continue;
#endif
}

size_t sb_portable_processors(void)
{
#if SB_HAS_SCHED_SETAFFINITY
    cpu_set_t mine;

    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        return (size_t)CPU_COUNT(&mine);
        /* sched_getaffinity() fails if the machine has more processors than a cpu_set_t holds */
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    return online > 0 ? (size_t)online : 1;
}

int sb_portable_spawn_in(posix_spawn_file_actions_t *actions, const char *folder)
{
#if SB_HAS_POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP
    return posix_spawn_file_actions_addchdir_np(actions, folder);
#else
    (void)actions;
    (void)folder;
    return ENOTSUP;
#endif
}

char **sb_portable_environment(void)
{
#ifdef __APPLE__
    return *_NSGetEnviron(); /* `environ` is not visible in a shared library there */
#else
    return environ;
#endif
}
