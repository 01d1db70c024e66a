/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that is held by one run alone: flock() on the file itself, so that nothing lies beside it, and
 * nothing has to be cleaned up after a run that was killed. Who replaces the file holds the new one before it
 * has the name of the old one, and gives that up afterwards: there is no moment between.
 *
 * A lock may be had on a file that has lost its name meanwhile, and is then worth nothing. Where a file
 * system knows no locks, as some of clusters do, nobody is held off.
 */
#define _DEFAULT_SOURCE /* flock() */

#include "store/file_lock.h"

#include "core/error.h"
#include "core/system/file_calls.h"
#include "core/system/retry.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why the lock cannot be had; 0 where it is, or where there are no locks. */
static int hold_lock(int descriptor)
{
    struct sb_retry retry = { .began = 0 };
    int number;

    do
        number = flock(descriptor, LOCK_EX | LOCK_NB) ? errno : 0;
    while (number && number != EWOULDBLOCK && sb_retry_again(&retry, number));
    return number == ENOLCK || number == EOPNOTSUPP || number == ENOSYS ? 0 : number;
}

enum sb_status sb_file_lock_take(int descriptor, const char *path, struct sb_error *error, bool *taken)
{
    const int locked = hold_lock(descriptor);
    bool there = false;
    struct stat own, about;
    int number = locked == EWOULDBLOCK ? 0 : locked;

    if (!locked)
        number = sb_file_status_open(descriptor, &own);
    if (!locked && !number)
        number = sb_file_status(path, false, &there, &about);
    if (number) {
        errno = number;
        return sb_error_set(error, SB_IO, "cannot lock '%.200s': %s", path, strerror(number));
    }
    *taken = there && own.st_dev == about.st_dev && own.st_ino == about.st_ino;
    return SB_OK;
}

enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error)
{
    errno = EWOULDBLOCK;
    return sb_error_set(error, SB_IO,
                        "'%.200s' is in use: another run saves to it: let that come to its end, or end it",
                        path);
}

enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *held)
{
    int descriptor = sb_file_open(path, O_RDWR | O_CLOEXEC | O_NOCTTY, 0); /* NFS locks what may be written */
    bool taken = false;
    enum sb_status status;

    if (descriptor < 0 && errno == EACCES)
        descriptor = sb_file_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
    if (descriptor < 0)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", path, strerror(errno));
    status = sb_file_lock_take(descriptor, path, error, &taken);
    if (status == SB_OK && taken)
        *held = descriptor;
    else
        close(descriptor);
    return status || taken ? status : sb_file_lock_busy(path, error);
}
