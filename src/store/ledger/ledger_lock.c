/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lock of a ledger: flock() on an empty file beside it, which stays, since a ledger is replaced and a
 * lock would go with it. It is held while the ledger is read and written, for milliseconds, and not while a
 * subject is tested; it belongs to the open file, so that threads of one process have to wait, too.
 */
#define _DEFAULT_SOURCE /* flock() */

#include "core/error.h"
#include "core/system/file_calls.h"
#include "core/system/retry.h"
#include "store/ledger/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static const struct timespec lock_pause = { .tv_nsec = 2000000 };

static enum sb_status lock_complain(const char *path, struct sb_error *error)
{
    const int number = errno;

    return sb_error_set(error, SB_IO, "cannot lock '%.200s.lock': %s%s", path, strerror(number),
                        number == ENOENT ? ": make its folder, or name another file" : "");
}

enum sb_status sb_ledger_lock(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error,
                              int *lock)
{
    struct sb_retry retry = { .began = 0 };
    char name[PATH_MAX];
    int descriptor;

    if (snprintf(name, sizeof name, "%s.lock", path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return lock_complain(path, error);
    }
    descriptor = sb_file_open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (descriptor < 0)
        return lock_complain(path, error);
    while (flock(descriptor, LOCK_EX | LOCK_NB)) {
        const bool busy = errno == EWOULDBLOCK, stopped = stop && *stop;

        if (!stopped && !busy && sb_retry_again(&retry, errno))
            continue;
        if (!stopped && busy) {
            nanosleep(&lock_pause, NULL);
            continue;
        }
        lock_complain(path, error);
        close(descriptor);
        return stopped ? sb_error_set(error, SB_STOPPED, "stopped while '%.200s' was in use", path) : SB_IO;
    }
    *lock = descriptor;
    return SB_OK;
}

void sb_ledger_unlock(int lock)
{
    close(lock);
}
